"""Long lists, page by page."""

from __future__ import annotations

from typing import TypeVar

from django.db.models import Model, QuerySet

M = TypeVar("M", bound=Model)


def page_of(rows: QuerySet[M], number: int, size: int) -> tuple[list[M], bool]:
    """The rows of a page, from 1 on, and whether there are more. One query."""
    listed = list(rows[(number - 1) * size : number * size + 1])
    return listed[:size], len(listed) > size
