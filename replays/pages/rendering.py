"""Pages and files as responses: what they vary by, and whether anybody may keep them."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers, patch_cache_control, patch_vary_headers

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
    """A page for this visitor alone, which nobody keeps."""
    response = page(request, name, context, status)
    add_never_cache_headers(response)
    return response


def fetched_in_advance(request: Request) -> bool:
    """Whether a browser gets a page that nobody has asked to see yet, or only its head."""
    purposes = (request.headers.get(name, "") for name in ("Sec-Purpose", "Purpose", "X-Moz"))
    return request.method != "GET" or any("prefetch" in purpose for purpose in purposes)


def download(body: str | bytes, kind: str, name: str) -> HttpResponse:
    """A file for this visitor, to be saved under that name."""
    response = HttpResponse(body, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return _for_visitor(response)


def _for_visitor(response: HttpResponse) -> HttpResponse:
    patch_vary_headers(response, ("Cookie",))
    patch_cache_control(response, private=True)
    return response


def csv_download(text: str, name: str) -> HttpResponse:
    """A table to be saved. It begins with a BOM: otherwise Excel garbles its letters."""
    return download(f"\ufeff{text}", "text/csv; charset=utf-8", name)
