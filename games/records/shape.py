"""The form of a value in a record line, whatever the line.

Each function takes a value and its name, returns the value as the type that the program uses, or
raises Malformed with the expected and the found value.
"""

import re
from datetime import datetime
from typing import Any, Final

from games.engine.cards import FACE, Card
from games.engine.message import Message
from games.records.log import MAX_LISTED, MAX_NAME, MAX_TAG, MAX_TEXT
from games.records.strict import Malformed, show

_WORDS: Final = Message("words")
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_HEXADECIMAL: Final = re.compile(r"[0-9a-f]*")
_MOMENT: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}Z")
_MARK: Final = re.compile(r"(?:stack|seat):[0-9]|card:(.*)", re.DOTALL)
_WIDTHLESS: Final = re.compile(
    r"[\u00ad\u115f\u1160\u180e\u200b\u2060-\u2064\u2800\u3164\ufeff\uffa0]"
)
"""Invisible characters, but those that join others, as in emoji."""
_UNSEEN: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f"  # control characters
    r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # and text-direction controls
    r"\ud800-\udfff]"  # and halves of surrogate pairs
)
_MARKS_OF_TEXT: Final = re.compile(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
"""The byte order mark, and marks of direction."""
_NO_TEXT: Final = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(chr(plane << 16 | end) for plane in range(17) for end in (0xFFFE, 0xFFFF))
    + "]"
)
"""Characters that no text has, and that XML cannot contain."""


def plain_ends(words: str) -> str:
    """The words with each line end as one character, as they are counted and stored."""
    return words.replace("\r\n", "\n").replace("\r", "\n")


def without_marks(words: str) -> str:
    """The words without the marks that tables and mails put around a text: they show nothing."""
    return _MARKS_OF_TEXT.sub("", words)


def without_unsayable(words: str) -> str:
    """The words with a replacement character for each that no text has."""
    return _NO_TEXT.sub("\N{REPLACEMENT CHARACTER}", words)


def sent(value: Any, name: str = "body") -> Any:
    """A value sent to this site, each of its strings a text. Raises Malformed."""
    if type(value) is dict:
        return {key: sent(item, key) for key, item in value.items()}
    if type(value) is list:
        return [sent(item, name) for item in value]
    if type(value) is not str:
        return value
    unsayable = _NO_TEXT.search(value)
    if unsayable:
        raise Malformed(
            "{name}: must not hold the character U+{code:04X}", name=name, code=ord(unsayable[0])
        )
    return plain_ends(value)


class Fields:
    """A JSON object whose keys are read one by one. `done` checks that none is left."""

    def __init__(self, value: Any, name: str) -> None:
        if type(value) is not dict:
            raise Malformed(
                "{name}: expected an object, found {found}", name=name, found=show(value)
            )
        self._left: dict[str, Any] = dict(value)
        self.name = name

    def need(self, key: str) -> Any:
        if key not in self._left:
            raise Malformed("{name}: missing key {key!r}", name=self.name, key=key)
        return self._left.pop(key)

    def get(self, key: str) -> Any:
        """The value of a key, None if absent. JSON's null is refused."""
        if key not in self._left:
            return None
        value = self._left.pop(key)
        if value is None:
            raise Malformed("{name}: {key} must not be null", name=self.name, key=key)
        return value

    def done(self) -> None:
        """Raise Malformed if a key was not read."""
        for key in self._left:
            raise Malformed("{name}: unknown key {found}", name=self.name, found=show(key))


def hexadecimal(value: Any, name: str, low: int, high: int) -> str:
    """From `low` to `high` bytes as lower-case hexadecimal digits, two for each."""
    if type(value) is not str or len(value) % 2 or not low <= len(value) // 2 <= high:
        size = Message("{low} to {high}", low=low, high=high) if low < high else low
        raise Malformed(
            "{name}: expected {size} bytes in hexadecimal, found {found}",
            name=name,
            size=size,
            found=show(value),
        )
    if not _HEXADECIMAL.fullmatch(value):
        raise Malformed(
            "{name}: expected lower-case hexadecimal digits, found {found}",
            name=name,
            found=show(value),
        )
    return value


def whole(value: Any, name: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise Malformed(
            "{name}: expected a whole number {low} to {high}, found {found}",
            name=name,
            low=low,
            high=high,
            found=show(value),
        )
    return value


def optional_whole(value: Any, name: str, low: int, high: int) -> int | None:
    return None if value is None else whole(value, name, low, high)


def flag(value: Any, name: str) -> bool:
    if type(value) is not bool:
        raise Malformed(
            "{name}: expected true or false, found {found}", name=name, found=show(value)
        )
    return value


def listed(value: Any, name: str) -> list[Any]:
    if type(value) is not list:
        raise Malformed("{name}: expected a list, found {found}", name=name, found=show(value))
    return value


def wholes(value: Any, name: str, low: int, high: int) -> tuple[int, ...]:
    return tuple(whole(item, name, low, high) for item in listed(value, name))


def text(value: Any, name: str, most: int = MAX_TEXT) -> str:
    if type(value) is not str:
        raise Malformed("{name}: expected a string, found {found}", name=name, found=show(value))
    if len(value) > most:
        raise Malformed(
            "{name}: expected at most {most} characters, found {found}",
            name=name,
            most=most,
            found=len(value),
        )
    return value


def one_of(value: Any, name: str, choices: tuple[str, ...]) -> str:
    if type(value) is not str or value not in choices:
        raise Malformed(
            "{name}: expected one of {values}, found {found}",
            name=name,
            values=", ".join(choices),
            found=show(value),
        )
    return value


def name_of_player(value: Any, name: str) -> str:
    """A name that can be shown anywhere: 1 to 64 visible characters on one line."""
    return one_line(value, name, MAX_NAME, Message("a name"))


def one_line(value: Any, name: str, most: int, kind: Message = _WORDS) -> str:
    """1 to `most` visible characters on one line. `kind`: its name in messages."""
    line = text(value, name, most)
    if not line or line.isspace():
        raise Malformed(
            "{name}: expected {kind}, found {found}", name=name, kind=kind, found=show(line)
        )
    unseen = _UNSEEN.search(line)
    if unseen:
        raise Malformed(
            "{name}: {kind} must not hold the character U+{code:04X}",
            name=name,
            kind=kind,
            code=ord(unseen[0]),
        )
    return line


def legible(words: str, name: str) -> str:
    """The words, if all their characters are visible. Records may have others, this site's may not.

    Raises Malformed.
    """
    unseen = _WIDTHLESS.search(words)
    if unseen:
        raise Malformed(
            "{name}: must not hold the character U+{code:04X}", name=name, code=ord(unseen[0])
        )
    return words


def identifier(value: Any, name: str = "id") -> str:
    """1 to 64 of `A-Z a-z 0-9 _ -`."""
    if type(value) is not str or not _ID.fullmatch(value):
        raise Malformed(
            "{name}: expected 1 to 64 of A-Z a-z 0-9 _ -, found {found}",
            name=name,
            found=show(value),
        )
    return value


def moment(value: Any, name: str) -> str:
    """A valid time, as `YYYY-MM-DDTHH:MM:SSZ`."""
    if type(value) is str and _MOMENT.fullmatch(value):
        try:
            datetime.fromisoformat(value)
        except ValueError:
            pass
        else:
            return value
    raise Malformed(
        "{name}: expected YYYY-MM-DDTHH:MM:SSZ, found {found}", name=name, found=show(value)
    )


def card(value: Any, name: str = "card") -> Card:
    """A card's code, such as `A1c`."""
    if type(value) is not str or value not in FACE:
        raise Malformed(
            "{name}: expected a card such as A1c, found {found}", name=name, found=show(value)
        )
    return value


def deck(value: Any) -> tuple[Card, ...]:
    """Cards' codes separated by single spaces."""
    if type(value) is not str:
        raise Malformed("decks: expected a string of cards, found {found}", found=show(value))
    codes = tuple(value.split(" "))
    if not FACE.keys() >= set(codes):
        unknown = next(code for code in codes if code not in FACE)
        raise Malformed("decks: expected cards such as A1c, found {found}", found=show(unknown))
    return codes


def mark(value: Any) -> str:
    """What a note points at: `stack:1`, `card:B5a` or `seat:0`."""
    if type(value) is not str or not _is_mark(value):
        raise Malformed(
            "marks: expected stack:1, card:B5a or seat:0, found {found}", found=show(value)
        )
    return value


def _is_mark(text: str) -> bool:
    matched = _MARK.fullmatch(text)
    return matched is not None and (matched[1] is None or matched[1] in FACE)


def arrow(value: Any) -> str:
    """From one mark to another: `seat:1>stack:0`."""
    ends = value.split(">") if type(value) is str else ()
    if len(ends) != 2 or not all(map(_is_mark, ends)):
        raise Malformed(
            "arrows: expected two marks as in seat:1>stack:0, found {found}", found=show(value)
        )
    return str(value)


def tags(value: Any) -> tuple[str, ...]:
    """A remark's tags: different words, in order."""
    words = tuple(one_line(tag, "tags", MAX_TAG, Message("a tag")) for tag in some(value, "tags"))
    if len(set(words)) < len(words):
        raise Malformed("tags: expected different ones, found the same twice")
    return words


def some(value: Any, name: str) -> list[Any]:
    """A list of 1 to 16 items."""
    entries = listed(value, name)
    if not 1 <= len(entries) <= MAX_LISTED:
        raise Malformed(
            "{name}: expected 1 to {most}, found {found}",
            name=name,
            most=MAX_LISTED,
            found=len(entries),
        )
    return entries
