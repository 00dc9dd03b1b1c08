"""The words of a pattern: a text cut into tokens; faults say where, and what was expected."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from games.records.plural import joined

LONGEST: Final = 300
"""Characters in a pattern."""

_TOKEN: Final = re.compile(
    r'\s*(?:(?P<name>"[^"\n]*")|(?P<number>\d+(?:\.\d+)?)|(?P<word>[^\W\d_]+)|(?P<comma>,))'
)
IGNORED: Final = frozenset((",", "a", "an", "the", "and", "with", "was", "of"))
"""Words that only make a pattern read like a sentence."""


class PatternFault(ValueError):  # noqa: N818 - a fault of the text, not of the program
    """A text that is no pattern: at which character, counted from 0, and what is wrong."""

    def __init__(self, at: int, message: str) -> None:
        super().__init__(at, message)
        self.at = at
        self.message = message

    def __str__(self) -> str:
        return f"at character {self.at + 1}: {self.message}"


class Token(NamedTuple):
    """A word (in lower case), number or quoted name, and where it stands."""

    at: int
    kind: str
    text: str

    @property
    def shown(self) -> str:
        return self.text if self.kind == "name" else f"“{self.text}”" if self.text else "the end"


def cut(text: str) -> list[Token]:
    """The tokens that matter, and one for the end. Raises PatternFault."""
    if len(text) > LONGEST:
        raise PatternFault(LONGEST, f"expected at most {LONGEST} characters, found {len(text)}")
    tokens: list[Token] = []
    at = 0
    while text[at:].strip():
        lexeme = _TOKEN.match(text, at)
        if lexeme is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            if (name := _name_begun(tokens, at)) is not None:
                raise unquoted(text, name, WHO)
            raise PatternFault(at, f"expected a word, a number or a name in quotes: {text[at]!r}")
        kind, at = lexeme.lastgroup or "", lexeme.end()
        word = lexeme[kind] if kind == "name" else lexeme[kind].lower()
        token = Token(lexeme.start(kind), kind, word)
        if token.text not in IGNORED:
            tokens.append(token)
    return [*tokens, Token(len(text.rstrip()), "end", "")]


WHO: Final = ("a name in quotes", "me", "people", "bots")
_BEFORE_NAMES: Final = ("by", "against")
_UNQUOTED: Final = re.compile(r'[^\s,"]+')


def unquoted(text: str, at: int, expected: Iterable[str]) -> PatternFault:
    """What was expected where a name stands without quotes, and how to write it."""
    bare = _UNQUOTED.match(text, at)
    name = bare[0] if bare else ""
    words = joined(dict.fromkeys(expected), "or")
    return PatternFault(
        at, f'expected {words}, found “{name}”; if that is a player’s name, write "{name}"'
    )


def _name_begun(tokens: list[Token], at: int) -> int | None:
    """Where a name without quotes began that does not go on as a word at `at`; None if none did."""
    last = tokens[-2:]
    if last and last[-1].text in _BEFORE_NAMES:
        return at
    if len(last) == 2 and last[0].text in _BEFORE_NAMES:
        name = last[1]
        if name.kind != "name" and name.at + len(name.text) == at:
            return name.at
    return None


class TokenReader:
    """Takes tokens in order, and remembers what else would have been possible where it stands."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = cut(text)
        self._next = 0
        self._possible: list[str] = []

    @property
    def token(self) -> Token:
        return self._tokens[self._next]

    def word(self, *words: str) -> str | None:
        """The next word if it is one of these; None, and nothing is taken, if not."""
        if self.token.kind == "word" and self.token.text in words:
            return self.take().text
        self._possible += words
        return None

    def words(self, text: str) -> bool:
        """Take several words in a row, or none of them."""
        wanted = text.split()
        here = self._tokens[self._next : self._next + len(wanted)]
        if [token.text for token in here] == wanted:
            self._next += len(wanted)
            self._possible = []
            return True
        self._possible.append(text)
        return False

    def number(self, what: str) -> Token | None:
        """The next number; `what` it would be, for the fault."""
        if self.token.kind == "number":
            return self.take()
        self._possible.append(what)
        return None

    def name(self) -> str | None:
        """The next name in quotes, without them."""
        if self.token.kind == "name":
            return self.take().text[1:-1]
        self._possible.append(WHO[0])
        return None

    def expect(self, what: str) -> None:
        """Name something else that would be possible here, for the fault."""
        self._possible.append(what)

    def take(self) -> Token:
        """The next token, whatever it is."""
        token, self._possible = self.token, []
        self._next += 1
        return token

    @property
    def ended(self) -> bool:
        return self.token.kind == "end"

    def unquoted(self) -> PatternFault:
        """What was possible here; a word or number may be a name without its quotes."""
        if self.token.kind not in ("word", "number"):
            return self.fault()
        return unquoted(self._text, self.token.at, self._possible)

    def fault(self, *more: str) -> PatternFault:
        """What was possible here (and `more`), and what was found."""
        words = joined(dict.fromkeys((*self._possible, *more)), "or")
        return PatternFault(self.token.at, f"expected {words}, found {self.token.shown}")
