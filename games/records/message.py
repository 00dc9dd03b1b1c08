"""Sentences that are put into the reader's language later, where they are read.

The English text is in the code, whole. Its values have names:

    Message("{player} shouted OUT.", player=seat(0))
    plural("{player} took {count} card.", "{player} took {count} cards.", count=3, player=seat(0))

A value is a number, a text, another Message, or the result of a function here (`seat`, `card`,
`lasting`, …), which give plain JSON. So rows and jobs can store values, and no name is among them.
`make words` finds the texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from games.engine.cards import FACE, WILD, Card

Value: TypeAlias = Any
_SHORT_MS: Final = 100


class Message:
    """A text, and perhaps the one for any number of things but one, by the value `count`.

    The API describes it as what is sent: text.
    """

    def __init__(self, text: str, many: str = "", /, **values: Value) -> None:
        self.text: Final = text
        self.many: Final = many
        self.values: Final = values

    def filled(self, values: Mapping[str, Value]) -> Message:
        """The same text with these values."""
        return Message(self.text, self.many, **values)

    def __str__(self) -> str:
        return render(self)

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, handler: Callable[[type], Any]) -> Any:
        return handler(str)

    def __repr__(self) -> str:
        return f"Message({self.text!r}, {self.values!r})"


def plural(one: str, many: str, /, **values: Value) -> Message:
    return Message(one, many, **values)


class Language(NamedTuple):
    """A language's functions. `number` gets the digits after the point, too."""

    gettext: Callable[[str], str]
    pgettext: Callable[[str, str], str]
    ngettext: Callable[[str, str, int], str]
    number: Callable[[float, int], str]


def _number(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return text.replace("-", "−") if float(text) else text.removeprefix("-")


ENGLISH: Final = Language(
    lambda text: text,
    lambda _context, text: text,
    lambda one, many, count: one if count == 1 else many,
    _number,
)


def render(message: Message, names: Sequence[str] = (), language: Language = ENGLISH) -> str:
    """The message in words. `names`: by seat, as this reader may see them."""
    text = (
        language.ngettext(message.text, message.many, message.values["count"])
        if message.many
        else language.gettext(message.text)
    )
    values = message.values.items()
    return text.format_map({name: spoken(value, names, language) for name, value in values})


# --- Values -------------------------------------------------------------------------------


def seat(number: int) -> Value:
    """A player's name."""
    return "seat", number


def seats(numbers: Iterable[int]) -> Value:
    """As `Ada, Ben and Cleo`."""
    return "seats", *numbers


def card(code: Card) -> Value:
    """A card's face without an article, as `5` or `wild`."""
    return "card", FACE[code]


def lasting(ms: float) -> Value:
    """A time as one would say it, as `1.2 s`. In ms below a tenth of a second."""
    return "lasting", ms


def share(part: float, digits: int = 0) -> Value:
    """As `41%`. 0% and 100% only if certain, unless it has more digits."""
    return "share", part, digits


def decimal(value: float, digits: int = 1) -> Value:
    return "decimal", value, digits


def signed(value: int) -> Value:
    """As `+3`, `−2` or `0`."""
    return "signed", value


def when(number: int | None, ms: float | None = None) -> Value:
    """A round, a time in it, or both, as `in round 3 at 1:05`."""
    return "when", number, ms


def spoken(value: Value, names: Sequence[str] = (), language: Language = ENGLISH) -> str:
    """A value in words."""
    if isinstance(value, Message):
        return render(value, names, language)
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return language.number(value, 0)
    kind, *parts = value
    if kind == "seat":
        return str(names[parts[0]])
    if kind == "seats":
        return listed([names[part] for part in parts], language)
    return _KINDS[kind](language, *parts)


def listed(words: Sequence[str], language: Language = ENGLISH) -> str:
    """`a`, `a and b` or `a, b and c`. Empty without words."""
    if len(words) < 2:
        return "".join(words)
    return language.gettext("{first} and {last}").format(
        first=", ".join(words[:-1]), last=words[-1]
    )


def _card(language: Language, face: int) -> str:
    return (
        language.pgettext("with an article, like a number", "wild") if face == WILD else f"{face}"
    )


def _lasting(language: Language, ms: float) -> str:
    if ms < _SHORT_MS:
        return language.gettext("{ms} ms").format(ms=language.number(ms, 0))
    return language.gettext("{seconds} s").format(seconds=language.number(ms / 1_000, 1))


def _share(language: Language, part: float, digits: int) -> str:
    percent = language.gettext("{number}%")
    if digits:
        return percent.format(number=language.number(100 * part, digits))
    if 0 < part < 0.01:
        return language.gettext("under {share}").format(share=percent.format(number=1))
    if 0.99 < part < 1:
        return language.gettext("over {share}").format(share=percent.format(number=99))
    return percent.format(number=language.number(100 * part, 0))


def _signed(language: Language, value: int) -> str:
    return f"+{language.number(value, 0)}" if value > 0 else language.number(value, 0)


def _when(language: Language, number: int | None, ms: float | None) -> str:
    time = "" if ms is None else f"{ms // 60_000:.0f}:{ms // 1_000 % 60:02.0f}"
    if number is None:
        return language.gettext("at {time}").format(time=time)
    if not time:
        return language.gettext("in round {round}").format(round=number)
    return language.gettext("in round {round} at {time}").format(round=number, time=time)


_KINDS: Final[dict[str, Callable[..., str]]] = {
    "card": _card,
    "lasting": _lasting,
    "share": _share,
    "decimal": lambda language, value, digits: language.number(value, digits),
    "signed": _signed,
    "when": _when,
}
