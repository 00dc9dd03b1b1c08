"""Messages in the language of the request."""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, Final, TypeAlias

from django.utils.formats import date_format, get_format, number_format
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext

from games.engine import message
from games.engine.message import ENGLISH, Language, Message, listed, message_of, render


def _formatted(value: Any, form: str) -> str:
    """With the language's marks."""
    marks = {",": get_format("THOUSAND_SEPARATOR"), ".": get_format("DECIMAL_SEPARATOR")}
    return ENGLISH.formatted(value, form).translate(str.maketrans(marks))


Text: TypeAlias = str | Promise
"""Words that may still be waiting for the reader's language."""
_BOUND: Final = re.compile(r"(?<=\}) (?=m?s\b)| (?=\{(?:margin|number|round|stack|target)\})")
"""Spaces between a number and its unit, or the word that it numbers: no line ends there."""

HERE: Final = Language(
    lambda text: _BOUND.sub("\u00a0", gettext(text)),
    lambda one, many, count: _BOUND.sub("\u00a0", ngettext(one, many, count)),
    _formatted,
)


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


def clock(ms: int) -> str:
    """A time in a round: `1:04.3`."""
    return message.clock(ms, HERE)


def reason(error: Exception) -> str:
    """An error's words, in the language of the request."""
    return words(message_of(error))


def sentence(error: Exception) -> str:
    """An error's words as a whole sentence, to stand after another one."""
    said = reason(error)
    return said[:1].upper() + said[1:] + ("" if said.endswith((".", "!", "?", "…")) else ".")
