"""Sentences that are put into the reader's language later, where they are read.

The English text is in the code, whole. Its values have names:

    Message("{player} shouted OUT.", player=seat(0))
    plural("{player} took {count} card.", "{player} took {count} cards.", count=3, player=seat(0))

A value is a number, a text, another Message, or the result of a function here (`seat`, `card`,
`lasting`, …), which give plain JSON. So rows and jobs can store values, and no name is among them.
An error for people is a `WordedError`.
`make words` finds the texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from games.engine.cards import FACE, WILD, Card

Value: TypeAlias = Any
_SHORT_MS: Final = 100
_LEAST_SHARE: Final = 0.01


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

    def plain(self) -> list[Any]:
        """As JSON, to be stored."""
        values = {name: _plain(value) for name, value in self.values.items()}
        return [self.text, values, self.many] if self.many else [self.text, values]

    @staticmethod
    def stored(plain: Sequence[Any]) -> Message:
        """From what `plain` gave."""
        text, values, *many = plain
        return Message(text, *many, **{name: _restored(value) for name, value in values.items()})

    def __str__(self) -> str:
        return render(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and self.plain() == other.plain()

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[Callable[[list[Any]], Message], tuple[list[Any]]]:
        """Support pickle: a compiled instance has no state for pickle to set."""
        return Message.stored, (self.plain(),)

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, handler: Callable[[type], Any]) -> Any:
        return handler(str)

    def __repr__(self) -> str:
        return f"Message({self.text!r}, {self.values!r})"


def _plain(value: Value) -> Any:
    return value.plain() if isinstance(value, Message) else value


def _restored(value: Any) -> Value:
    match value:
        case [str(), dict(), *_]:
            return Message.stored(value)
    return value


def plural(one: str, many: str, /, **values: Value) -> Message:
    return Message(one, many, **values)


class WordedError(ValueError):
    """Says what is wrong, for people: `said`, and in English the message."""

    def __init__(self, said: str | Message, /, **values: Value) -> None:
        self.said = Message(said, **values) if isinstance(said, str) else said
        super().__init__(str(self.said))


def message_of(error: Exception) -> Message:
    """An error's message. For a library's error, its text."""
    return error.said if isinstance(error, WordedError) else Message(str(error))


class Language(NamedTuple):
    """A language's functions. `formatted` gets a number and a format of Python's."""

    gettext: Callable[[str], str]
    ngettext: Callable[[str, str, int], str]
    formatted: Callable[[Any, str], str]

    def number(self, value: float, digits: int = 0) -> str:
        return self.formatted(value, f".{digits}f")


def _formatted(value: Any, form: str) -> str:
    text = format(value, form)
    return text.replace("-", "−") if text.strip("-0.") else text.removeprefix("-")


ENGLISH: Final = Language(
    lambda text: text, lambda one, many, count: one if count == 1 else many, _formatted
)


def render(message: Message, names: Sequence[str] = (), language: Language = ENGLISH) -> str:
    """The message in words. `names`: by seat, as this reader may see them."""
    text, values = message.text, message.values
    if message.many:
        text = language.ngettext(text, message.many, values["count"])
    elif text:
        text = language.gettext(text)
    if not values:
        return text
    whole = text.format_map(
        {
            name: _Number(value, language)
            if isinstance(value, int | float)
            else _render_value(value, names, language)
            for name, value in values.items()
        }
    )
    return whole.replace("….", "…")  # after a name that was cut


class _Number:
    """A number in a text, which may say how it is formatted. Compiled, a float is never an int."""

    def __init__(self, value: Any, language: Language) -> None:
        self._value: Final = value
        self._language: Final = language

    def __format__(self, form: str) -> str:
        usual = "d" if isinstance(self._value, int) else ".0f"
        return self._language.formatted(self._value, form or usual)

    def __repr__(self) -> str:
        return repr(self._value)


# --- Values -------------------------------------------------------------------------------


def seat(number: int) -> Value:
    """A player's name."""
    return "seat", number


def seats(numbers: Iterable[int]) -> Value:
    """As `Ada, Ben and Cleo`."""
    return "seats", *numbers


def card(code: Card) -> Value:
    """A card's face, as `a 5` or `a wild`. It is what someone has or plays: an object."""
    return "card", FACE[code]


def lasting(ms: float, short_ms: int = _SHORT_MS) -> Value:
    """A time as one would say it, as `1.2 s`. In ms if it is shorter than `short_ms`."""
    return ("lasting", ms) if short_ms == _SHORT_MS else ("lasting", ms, short_ms)


def share(part: float) -> Value:
    """As `41%`. 0% and 100% only if certain."""
    return "share", part


def points_between(before: float, after: float) -> int:
    """The difference of two shares in points, as it is between the two in words."""
    return _percent(after) - _percent(before)


def decimal(value: float, digits: int = 1) -> Value:
    return "decimal", value, digits


def signed(value: int) -> Value:
    """As `+3`, `−2` or `0`."""
    return "signed", value


def when(number: int | None, ms: float | None = None) -> Value:
    """A round, a time in it, or both, as `in round 3 at 1:05.4`."""
    return "when", number, ms


def clock(ms: float, language: Language = ENGLISH) -> str:
    """A time in a round, cut to tenths of a second: `1:04.3`. `words.js` has the same."""
    minutes, tenths = divmod(int(ms) // 100, 600)
    return f"{minutes}:{language.formatted(tenths / 10, '04.1f')}"


def spoken(value: Value, names: Sequence[str] = (), language: Language = ENGLISH) -> str:
    """A value in words."""
    if isinstance(value, int | float):
        return language.number(value)
    return f"{_render_value(value, names, language)}"


def _render_value(value: Value, names: Sequence[str], language: Language) -> Any:
    """The same, but a value without words as it is."""
    if isinstance(value, Message):
        return render(value, names, language)
    match list(value) if isinstance(value, tuple) else value:  # compiled, `*` wants a list
        case ["seat", number]:
            return f"{names[number]}"
        case ["seats", *numbers]:
            return listed([names[number] for number in numbers], language)
        case ["card", face]:
            if face == WILD:
                return language.gettext("a wild")
            return language.gettext("a {face}").format(face=face)
        case ["lasting", ms, *short]:
            return _lasting(language, ms, *short)
        case ["share", part, *_digits]:
            return _share(language, part)
        case ["decimal", decimal, digits]:
            return language.number(decimal, digits)
        case ["signed", number]:
            return f"{'+' if number > 0 else ''}{language.number(number)}"
        case ["when", number, ms]:
            return _render_time(language, number, ms)
    return value


def listed(words: Sequence[str], language: Language = ENGLISH) -> str:
    """`a`, `a and b` or `a, b and c`. Empty without words."""
    if len(words) < 2:
        return "".join(words)
    return language.gettext("{first} and {last}").format(
        first=", ".join(words[:-1]), last=words[-1]
    )


def _lasting(language: Language, ms: float, short_ms: int = _SHORT_MS) -> str:
    if ms < short_ms:
        return language.gettext("{ms} ms").format(ms=language.number(ms))
    return language.gettext("{seconds} s").format(seconds=language.number(ms / 1_000, 1))


def _percent(part: float) -> int:
    return 0 if part < _LEAST_SHARE else min(round(100 * part), 99 if part < 1 else 100)


def _share(language: Language, part: float) -> str:
    percent = language.gettext("{number}%")
    if 0 < part < _LEAST_SHARE:
        return language.gettext("under {share}").format(share=percent.format(number=1))
    if 1 - _LEAST_SHARE < part < 1:
        return language.gettext("over {share}").format(share=percent.format(number=99))
    return percent.format(number=language.number(_percent(part)))


def _render_time(language: Language, number: int | None, ms: float | None) -> str:
    time = "" if ms is None else clock(ms, language)
    if number is None:
        return language.gettext("at {time}").format(time=time)
    if not time:
        return language.gettext("in round {round}").format(round=number)
    return language.gettext("in round {round} at {time}").format(round=number, time=time)
