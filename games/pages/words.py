"""Messages of rooms that know no Django, in the language of the request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.formats import get_format
from django.utils.translation import gettext, ngettext, pgettext

from games.records.message import ENGLISH, Language, Message, render


def _number(value: float, digits: int) -> str:
    """With the language's decimal mark."""
    return ENGLISH.number(value, digits).replace(".", get_format("DECIMAL_SEPARATOR"))


HERE: Final = Language(gettext, pgettext, ngettext, _number)


def words(message: Message, names: Sequence[str] = ()) -> str:
    """The message in words; `names`: by seat, as this reader may see them."""
    return render(message, names, HERE)
