"""Numbers in the query strings of addresses."""

from __future__ import annotations

from typing import Final

from django.http import Http404, QueryDict
from django.utils.translation import gettext as _

_MAX_NUMBER: Final = 2**31


class BadNumberError(ValueError):
    """A number in a URL is invalid or out of range."""


def number(query: QueryDict, name: str, default: int | None = None) -> int | None:
    """A whole number from the query string. Raises BadNumberError."""
    text = query.get(name)
    if text is None:
        return default
    if not _is_number(text):
        raise BadNumberError(_("{name}: expected a whole number").format(name=name))
    return int(text)


def number_or_404(query: QueryDict, name: str, default: int | None = None) -> int | None:
    """The same for a page, which is not there otherwise. Raises Http404."""
    try:
        return number(query, name, default)
    except BadNumberError as error:
        raise Http404(str(error)) from None


def numbers(query: QueryDict, name: str) -> list[int]:
    """All whole numbers of that name in the query string. Anything else is left out."""
    return [int(text) for text in query.getlist(name) if _is_number(text)]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 11 and int(text) < _MAX_NUMBER
