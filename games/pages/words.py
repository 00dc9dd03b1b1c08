"""Messages in the language of the request."""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import takewhile
from operator import eq
from typing import Any, Final, TypeAlias
from unicodedata import category

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


_SPOKEN: Final = 12
"""The longest name that a sentence has whole, in letters."""
_JOINER: Final = "\u200d"


def spoken_names(names: Sequence[str]) -> list[str]:
    """So that a few long names leave room for what a sentence says: a long one's first word, its
    beginning, or else an initial and what tells it from the others. `words.js` has the same.
    """
    return [_spoken(name, [*names[:at], *names[at + 1 :]]) for at, name in enumerate(names)]


def _spoken(whole: str, others: Sequence[str]) -> str:
    name, (first, _blank, more) = _letters(whole), whole.partition(" ")
    if len(name) <= _SPOKEN:
        return whole
    fits = len(_letters(first)) <= _SPOKEN
    if fits and more and not any(other.startswith(first) for other in others):
        return first
    same = max((_alike(name, _letters(other)) for other in others), default=0)
    if same < _SPOKEN - 1:
        return _begun(name, _SPOKEN)
    room = _SPOKEN - 3
    word = max((at + 1 for at in range(min(same + 1, len(name))) if name[at] == " "), default=0)
    if word and same < word + room - 1:
        return f"{name[0]}. {_begun(name[word:], room)}"
    return f"{name[0]}…{''.join(name[same : same + room + 1])}"


def _alike(one: list[str], other: list[str]) -> int:
    """How many letters both begin with."""
    return sum(takewhile(bool, map(eq, one, other)))


def _begun(letters: list[str], most: int) -> str:
    whole = "".join(letters)
    return whole if len(letters) <= most else "".join(letters[: most - 1]) + "…"


def _letters(name: str) -> list[str]:
    """With their marks, and whatever a joiner joins."""
    letters: list[str] = []
    for sign in name:
        if letters and (_belongs(sign) or letters[-1][-1] == _JOINER):
            letters[-1] += sign
        else:
            letters.append(sign)
    return letters


def _belongs(sign: str) -> bool:
    tone = "\U0001f3fb" <= sign <= "\U0001f3ff"
    return tone or sign == _JOINER or category(sign).startswith("M")


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
