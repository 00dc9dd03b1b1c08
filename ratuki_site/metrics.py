"""`/metrics` for Prometheus: this process, counts from its live matches, and the jobs of all.

Faults of the site's scripts in browsers are counted, and logged by kind and place:

    POST TypeError replays/notes/reading.js:120:3

Modules are served in bundles. The log names the module and its line. Nothing else is logged: an
error's own words may contain a visitor's text.
"""

import json
import logging
import re
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from games.live.wire import routing
from ratuki_site.bundling import PLACES, Bundle, place_in
from ratuki_site.health import DatabaseThread
from replays.jobs import workers as jobs
from replays.reviews import routing as reviews

_TOLD: Final = re.compile(
    r"(\w{1,40}) (?:((?:[\w-]+/){0,8}[\w.-]{1,60}\.js):(\d{1,7}):(\d{1,7})|somewhere)", re.ASCII
)
_LONGEST: Final = 400

disable_created_metrics()
process: Final = CollectorRegistry()
faults: Final = Counter("ratuki_browser_faults", "Faults that browsers told of.", registry=process)
for collector in (ProcessCollector, PlatformCollector, GCCollector):
    collector(registry=process)
log: Final = logging.getLogger(__name__)


async def exposition() -> tuple[str, str]:
    """The content type and the text of all metrics. Without a database, those of jobs are left out.

    Live matches are measured in the event loop, jobs counted in a thread.
    """
    supervisor = routing.running()
    if supervisor:
        supervisor.measure()
    live = generate_latest(supervisor.hub.metrics.registry) if supervisor else b""
    own = (generate_latest(process) + live).decode() + reviews.exposition()
    return CONTENT_TYPE_LATEST, own + await _of_jobs.result()


def _jobs() -> str:
    try:
        return jobs.exposition()
    except DatabaseError as error:
        log.warning("no metrics of jobs: %s", error)
        return ""
    finally:
        connection.close()


_of_jobs: Final = DatabaseThread(_jobs, late="")


@csrf_exempt  # a page that is broken may have no token left, and nothing is changed
@require_POST
def tell(request: HttpRequest) -> HttpResponse:
    """Count a fault that a page reports."""
    told = None
    if len(request.body) <= _LONGEST:
        told = _TOLD.fullmatch(request.body.decode("ascii", "replace"))
    if told is None:
        return HttpResponse(status=HTTPStatus.BAD_REQUEST)
    faults.inc()
    kind, file, line, column = told.groups()
    place = _place(file, int(line), int(column)) if file else "somewhere"
    log.warning("in a browser: %s at %s", kind, place)
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def _place(file: str, line: int, column: int) -> str:
    """The module and line, where that file is served here."""
    served = settings.STATIC_ROOT / file
    try:
        places = json.loads(served.with_name(served.name + PLACES).read_text())
        place = place_in(Bundle(served.read_text(), places), line, column)
    except OSError:
        place = None
    module, number = place or (file, line)
    return f"{module}:{number}"
