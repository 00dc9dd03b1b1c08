"""Pages and files as responses: their Vary headers, and whether caches may keep them."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from io import StringIO
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers, patch_cache_control, patch_vary_headers
from django.utils.formats import get_format

from games.people.visit import Request


def page(
    request: Request, name: str, context: Mapping[str, Any], status: int = HTTPStatus.OK
) -> HttpResponse:
    """A page that differs for viewers who hide how matches ended."""
    shown = {**context, "spoilers_shown": request.visit.shows_results}
    return _for_visitor(render(request, f"replays/{name}.html", shown, status=status))


def private_page(
    request: Request, name: str, context: Mapping[str, Any], status: int = HTTPStatus.OK
) -> HttpResponse:
    """A page for this visitor alone, which no cache keeps."""
    response = page(request, name, context, status)
    add_never_cache_headers(response)
    return response


def download(body: str | bytes, kind: str, name: str) -> HttpResponse:
    """A file for this visitor, to be saved under that name."""
    response = HttpResponse(body, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return _for_visitor(response)


def _for_visitor(response: HttpResponse) -> HttpResponse:
    patch_vary_headers(response, ("Cookie",))
    patch_cache_control(response, private=True)
    return response


Cell = str | int | float | None


def csv_download(name: str, columns: Sequence[str], rows: Iterable[Iterable[Cell]]) -> HttpResponse:
    """A table to be saved, as spreadsheets in the reader's language read it.

    It begins with a BOM: otherwise Excel garbles its letters. Where numbers have a decimal comma,
    semicolons part the columns.
    """
    out, comma = StringIO(), get_format("DECIMAL_SEPARATOR") == ","
    writer = csv.writer(out, delimiter=";" if comma else ",", lineterminator="\n")
    for row in (columns, *rows):
        writer.writerow([_cell(cell, comma=comma) for cell in row])
    return download(f"\ufeff{out.getvalue()}", "text/csv; charset=utf-8", name)


def _cell(cell: Cell, *, comma: bool) -> Cell:
    """A cell as it is written. Spreadsheets take no text, such as a name, for a formula."""
    if comma and isinstance(cell, float):
        return str(cell).replace(".", ",")
    formula = isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    return f"'{cell}" if formula else cell


# --- Long lists, page by page ---------------------------------------------------------------------


M = TypeVar("M", bound=Model)


def page_of(rows: QuerySet[M], number: int, size: int) -> tuple[list[M], bool]:
    """The rows of a page, counted from 1, and whether there are more. One query."""
    listed = list(rows[(number - 1) * size : number * size + 1])
    return listed[:size], len(listed) > size
