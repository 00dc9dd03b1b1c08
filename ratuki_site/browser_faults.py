"""Faults of the site's scripts in browsers: counted, and logged by kind and place.

    POST TypeError replays/notes/reading.js:120:3

Modules are served in bundles; the log names the module and its line.

Nothing else is told: an error's own words may hold what somebody wrote.
"""

from __future__ import annotations

import logging
import re
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from prometheus_client import CollectorRegistry, Counter

from ratuki_site.bundling import place_in

_TOLD: Final = re.compile(
    r"(\w{1,40}) (?:((?:[\w-]+/){0,8}[\w.-]{1,60}\.js):(\d{1,7}):\d{1,7}|somewhere)", re.ASCII
)
_LONGEST: Final = 400
registry: Final = CollectorRegistry()
faults: Final = Counter("ratuki_browser_faults", "Faults that browsers told of.", registry=registry)
log: Final = logging.getLogger(__name__)


@csrf_exempt  # a page that is broken may have no token left, and nothing is changed
@require_POST
def tell(request: HttpRequest) -> HttpResponse:
    """Count a fault that a page tells of."""
    told = None
    if len(request.body) <= _LONGEST:
        told = _TOLD.fullmatch(request.body.decode("ascii", "replace"))
    if told is None:
        return HttpResponse(status=HTTPStatus.BAD_REQUEST)
    faults.inc()
    kind, file, line = told.groups()
    log.warning("in a browser: %s at %s", kind, _place(file, int(line)) if file else "somewhere")
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def _place(file: str, line: int) -> str:
    """The module and line, where that file is served here."""
    try:
        place = place_in((settings.STATIC_ROOT / file).read_text(), line)
    except OSError:
        place = None
    module, number = place or (file, line)
    return f"{module}:{number}"
