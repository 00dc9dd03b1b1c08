"""Messages of rooms that know no Django, in the language of the request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, Final, TypeAlias

from django.utils.formats import date_format, get_format, number_format
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext

from games.engine.wording import Wording, wording_of
from games.records.message import ENGLISH, Language, Message, listed, render


def _number(value: float, digits: int) -> str:
    """With the language's decimal mark."""
    return ENGLISH.number(value, digits).replace(".", get_format("DECIMAL_SEPARATOR"))


Text: TypeAlias = str | Promise
"""Words that may still be waiting for the reader's language."""
HERE: Final = Language(gettext, pgettext, ngettext, _number)


def words(message: Message, names: Sequence[str] = ()) -> str:
    """The message in words. `names`: by seat, as this reader may see them."""
    return render(message, names, HERE)


def together(names: Iterable[str]) -> str:
    """`a`, `a and b` or `a, b and c`. Empty without names."""
    return listed([*names], HERE)


def day(when: date) -> str:
    """`3 May 2026`."""
    return date_format(when, gettext("j M Y"))


def grouped(number: int) -> str:
    """`12,345`."""
    return number_format(number, force_grouping=True)


def in_words(said: Wording) -> str:
    """The same for a Wording, of rooms that know no messages, or for a value of it."""
    values = {name: _value(value) for name, value in said.values.items()}
    text = gettext(said.text) if said.text else ""
    return text.format_map(values) if values else text


def _value(value: Any) -> Any:
    if isinstance(value, Wording):
        return in_words(value)
    return _Number(value) if isinstance(value, int | float) else value


class _Number:
    """A number in a text, with the language's marks."""

    def __init__(self, value: float) -> None:
        self._value = value

    def __format__(self, form: str) -> str:
        thousands, decimal = get_format("THOUSAND_SEPARATOR"), get_format("DECIMAL_SEPARATOR")
        return format(self._value, form).translate({ord(","): thousands, ord("."): decimal})

    def __repr__(self) -> str:
        return repr(self._value)


def reason(error: Exception) -> str:
    """An error's words, in the language of the request."""
    return in_words(wording_of(error))
