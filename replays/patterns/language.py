"""The language of patterns: what a text means, and its meaning as a text.

    pattern   = term { "then" [ "within" time ] [ "anyone" | "another" ] term }
    term      = verb { condition }
    verb      = "left" | "played" | "took" | "missed" | "late" | "tied" | "mistake"
              | "drew" | "discarded" | "out"
    condition = card | "taker" | card "in" "hand"
              | "on" ( top | "empty" | "slot" number | "same" "slot" ) | "while" top "lay" "open"
              | [ "by" ] amount ( "s" | "ms" | "cards" | "players" )
              | ( "by" | "against" ) ( name | "me" | "people" | "bots" )
              | "in" "round" number
    card      = "1" … "5" | "wild"            top  = "1" … "4"
    amount    = ( "over" | "under" | "exactly" | "within" | "at" "least" | "at" "most" ) number

`a`, `an`, `the`, `and`, `with`, `was`, `of` and commas may stand anywhere and mean nothing.
`str` of a pattern is its plain form; reading that gives the same pattern.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from games.records.plural import joined
from replays.patterns.words import WHO, PatternFault, TokenReader

LEFT: Final = "left"
PLAYED: Final = "played"
TOOK: Final = "took"
MISSED: Final = "missed"
LATE: Final = "late"
TIED: Final = "tied"
MISTAKE: Final = "mistake"
DREW: Final = "drew"
DISCARDED: Final = "discarded"
OUT: Final = "out"

MOST_TERMS: Final = 4
WITHIN_MS: Final = 5_000
"""How soon a `then` without a time has to follow."""

_ANYWHERE: Final = ("round", "by", "held")
_CARD: Final = ("card", *_ANYWHERE)
_SLOT: Final = ("cards", "top", "slot", "same", *_CARD)
VERBS: Final[dict[str, frozenset[str]]] = {
    LEFT: frozenset(("ms", "taker", "against", *_SLOT)),
    PLAYED: frozenset(("ms", "taker", *_SLOT)),
    TOOK: frozenset(("ms", "against", *_SLOT)),
    MISSED: frozenset(("ms", "against", *_SLOT)),
    LATE: frozenset(("ms", "against", *_SLOT)),
    TIED: frozenset(("ms", "players", *_SLOT)),
    MISTAKE: frozenset(_SLOT),
    DREW: frozenset(_CARD),
    DISCARDED: frozenset(_CARD),
    OUT: frozenset(_ANYWHERE),
}
"""What each verb can be asked about."""
ABOUT: Final = {
    "ms": "a time",
    "cards": "a number of cards",
    "players": "a number of players",
    "card": "a card",
    "taker": "“taker”",
    "held": "a card in hand",
    "top": "a top card",
    "slot": "a slot",
    "same": "“same slot”",
    "round": "a round",
    "by": "“by”",
    "against": "“against”",
}
_SIGNS: Final = {
    "over": ">",
    "under": "<",
    "exactly": "=",
    "within": "<=",
    "most": "<=",
    "least": ">=",
}
_SIGNS_FIRST: Final = ("over", "under", "exactly", "within", "at")
_WORDS: Final = {">": "over", "<": "under", "=": "exactly", "<=": "at most", ">=": "at least"}
FACES: Final = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "wild": 6}


class Condition(NamedTuple):
    """What must hold of a property (a key of `ABOUT`): a sign of `_WORDS`, and a value."""

    about: str
    sign: str
    value: float | str
    """ms, cards, players, a card's face, a top (0: empty), a slot from 0, a round; or who.
    `same` means the slot of the first term."""

    def __str__(self) -> str:
        return _PLAIN[self.about](self)


class Term(NamedTuple):
    """One kind of moment."""

    verb: str
    conditions: tuple[Condition, ...] = ()

    def __str__(self) -> str:
        return " ".join([self.verb, *map(str, self.conditions)])


class Next(NamedTuple):
    """A term that has to follow: how soon, and whose it is."""

    within_ms: float
    who: str
    """`same` player as the first term's, `another`, or `anyone`."""
    term: Term

    def __str__(self) -> str:
        who = "" if self.who == "same" else f" {self.who}"
        return f"then within {_time(self.within_ms)}{who} {self.term}"


class Pattern(NamedTuple):
    """A first term, and what has to follow it."""

    first: Term
    then: tuple[Next, ...] = ()

    def __str__(self) -> str:
        return ", ".join(map(str, (self.first, *self.then)))


def _time(ms: float) -> str:
    return f"{ms:g} ms" if ms < 1_000 or ms % 100 else f"{ms / 1_000:g} s"


def _amount(unit: str) -> Callable[[Condition], str]:
    return lambda condition: f"{_WORDS[condition.sign]} {condition.value:g} {unit}"


def _face(condition: Condition) -> str:
    return "wild" if condition.value == FACES["wild"] else f"{condition.value}"


def _name(value: object) -> str:
    return str(value) if value in ("me", "people", "bots") else f'"{str(value)[1:]}"'


_PLAIN: Final[dict[str, Callable[[Condition], str]]] = {
    "ms": lambda condition: f"{_WORDS[condition.sign]} {_time(float(condition.value))}",
    "cards": _amount("cards"),
    "players": _amount("players"),
    "card": _face,
    "taker": lambda _: "taker",
    "held": lambda condition: f"{_face(condition)} in hand",
    "top": lambda condition: f"on {condition.value}" if condition.value else "on empty",
    "same": lambda _: "on same slot",
    "slot": lambda condition: f"on slot {int(condition.value) + 1}",
    "round": lambda condition: f"in round {condition.value}",
    "by": lambda condition: f"by {_name(condition.value)}",
    "against": lambda condition: f"against {_name(condition.value)}",
}


# --- Reading ------------------------------------------------------------------------------


def parse(text: str) -> Pattern:
    """The pattern that a text is. Raises PatternFault."""
    return _Parser(text).pattern()


class _Parser:
    def __init__(self, text: str) -> None:
        self._read = TokenReader(text)

    def pattern(self) -> Pattern:
        first, then = self._term(first=True), []
        while not self._read.ended:
            at = self._read.token.at
            if not self._read.word("then"):
                raise self._read.fault("the end")
            then.append(self._next())
            if len(then) >= MOST_TERMS:
                raise PatternFault(at, f"expected at most {MOST_TERMS} terms")
        return Pattern(first, tuple(then))

    def _next(self) -> Next:
        within: float = WITHIN_MS
        if self._read.word("within"):
            within = self._time(self._number("a time"))
        who = self._read.word("anyone", "another") or "same"
        return Next(within, who, self._term())

    def _term(self, *, first: bool = False) -> Term:
        verb = self._read.word(*VERBS)
        if verb is None:
            raise self._read.fault()
        if verb == MISSED:
            self._read.word("take")
        conditions: list[Condition] = []
        while (at := self._read.token.at) >= 0 and (condition := self._condition()):
            able = VERBS[verb] - {"same"} if first else VERBS[verb]
            if condition.about not in able:
                words = joined((ABOUT[about] for about in ABOUT if about in able), "or")
                raise PatternFault(
                    at, f"“{verb}” cannot have {ABOUT[condition.about]}; expected {words}"
                )
            conditions.append(condition)
        return Term(verb, tuple(conditions))

    def _condition(self) -> Condition | None:
        read = self._read
        if read.token.text in FACES and read.token.kind in ("number", "word"):
            face = FACES[read.take().text]
            return Condition("held" if read.words("in hand") else "card", "=", face)
        read.expect("a card")
        if read.word("taker"):
            return Condition("taker", "=", 1)
        if read.word("on"):
            return self._on()
        if read.word("while"):
            return self._while()
        if sign := read.word(*_SIGNS_FIRST):
            return self._amount(sign)
        if about := read.word("by", "against"):
            if about == "by" and (sign := read.word(*_SIGNS_FIRST)):
                return self._amount(sign)
            return Condition(about, "=", self._who())
        if read.words("in round"):
            return Condition("round", "=", self._whole("the round's number", 1, 1_000))
        return None

    def _on(self) -> Condition:
        if self._read.word("empty"):
            self._read.word("slot", "stack")
            return Condition("top", "=", 0)
        if self._read.words("same slot") or self._read.words("same stack"):
            return Condition("same", "=", 1)
        if self._read.word("slot"):
            return Condition("slot", "=", self._whole("the slot's number", 1, 5) - 1)
        return Condition("top", "=", self._whole("a top card", 1, 4))

    def _while(self) -> Condition:
        top = self._whole("a top card", 1, 4)
        if not self._read.words("lay open"):
            raise self._read.fault()
        return Condition("top", "=", top)

    def _amount(self, sign: str) -> Condition:
        if sign == "at":
            sign = self._read.word("least", "most") or ""
            if not sign:
                raise self._read.fault()
        number = self._number("a number")
        if self._read.word("cards", "card"):
            return Condition("cards", _SIGNS[sign], number)
        if self._read.word("players", "player"):
            return Condition("players", _SIGNS[sign], number)
        return Condition("ms", _SIGNS[sign], self._time(number))

    def _time(self, number: float) -> float:
        if self._read.word("s", "second", "seconds"):
            return round(number * 1_000, 6)
        if self._read.word("ms"):
            return number
        raise self._read.fault()

    def _who(self) -> str:
        name = self._read.name()
        if name is not None:
            return f"={name}"
        who = self._read.word(*WHO[1:])
        if who is None:
            raise self._read.unquoted()
        return who

    def _number(self, what: str) -> float:
        token = self._read.number(what)
        if token is None:
            raise self._read.fault()
        if len(token.text) > 9:
            raise PatternFault(token.at, "expected a smaller number")
        return float(token.text)

    def _whole(self, what: str, low: int, high: int) -> int:
        at, number = self._read.token.at, self._number(what)
        if number != int(number) or not low <= number <= high:
            raise PatternFault(at, f"expected {what}, {low} to {high}, found {number:g}")
        return int(number)
