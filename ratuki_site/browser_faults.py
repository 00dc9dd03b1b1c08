"""Faults of the site's scripts in browsers: counted, and logged by kind and place.

    POST TypeError replays/notes/reading.js:120:3

Nothing else is told: an error's own words may hold what somebody wrote.
"""

from __future__ import annotations

import logging
import re
from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from prometheus_client import CollectorRegistry, Counter

_TOLD: Final = re.compile(rb"(\w{1,40}) ((?:[\w.-]+/){0,8}[\w.-]{1,60}:\d{1,7}:\d{1,7}|somewhere)")
_LONGEST: Final = 400
registry: Final = CollectorRegistry()
faults: Final = Counter("ratuki_browser_faults", "Faults that browsers told of.", registry=registry)
log: Final = logging.getLogger(__name__)


@csrf_exempt  # a page that is broken may have no token left, and nothing is changed
@require_POST
def tell(request: HttpRequest) -> HttpResponse:
    """Count a fault that a page tells of."""
    told = _TOLD.fullmatch(request.body) if len(request.body) <= _LONGEST else None
    if told is None:
        return HttpResponse(status=HTTPStatus.BAD_REQUEST)
    faults.inc()
    log.warning("in a browser: %s at %s", told[1].decode(), told[2].decode())
    return HttpResponse(status=HTTPStatus.NO_CONTENT)
