"""Numbers and days in the query strings of addresses."""

from collections.abc import Mapping
from datetime import date
from typing import Final

from django.http import Http404, QueryDict
from django.utils.translation import gettext as _

_MAX_NUMBER: Final = 2**31
_LAST_YEAR: Final = 9_000


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


def number_or_none(query: QueryDict, name: str) -> int | None:
    """The same. Anything else counts as not given."""
    text = query.get(name, "")
    return int(text) if _is_number(text) else None


def numbers(query: QueryDict, name: str) -> list[int]:
    """All whole numbers of that name in the query string. Anything else is left out."""
    return [int(text) for text in query.getlist(name) if _is_number(text)]


def day(query: Mapping[str, str], name: str) -> date | None:
    """A day, such as 2026-11-26. None: no such day."""
    try:
        found = date.fromisoformat(query.get(name, ""))
    except ValueError:
        return None
    return found if found.year <= _LAST_YEAR else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 11 and int(text) < _MAX_NUMBER
