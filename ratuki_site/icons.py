"""The site's icon for whoever takes no SVG: drawn from it, once in a process."""

import struct
from functools import cache

import resvg_py
from django.contrib.staticfiles.finders import find
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

ICON = "games/style/favicon.svg"
BACKGROUND = "#fffdf8"
"""Behind the icon on a phone's screen, where nothing may shine through."""


@cache
def _png(size: int, background: str | None = None) -> bytes:
    return bytes(resvg_py.svg_to_bytes(svg_path=find(ICON), width=size, background=background))


@require_safe
@cache_control(max_age=86_400, public=True)
def favicon(_request: HttpRequest) -> HttpResponse:
    """An ICO file with one PNG of 32 by 32 pixels."""
    png, size = _png(32), 32
    head = struct.pack("<HHH", 0, 1, 1)
    entry = struct.pack("<BBBBHHII", size, size, 0, 0, 1, 32, len(png), len(head) + 16)
    return HttpResponse(head + entry + png, content_type="image/x-icon")


@require_safe
@cache_control(max_age=86_400, public=True)
def touch_icon(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(_png(180, BACKGROUND), content_type="image/png")
