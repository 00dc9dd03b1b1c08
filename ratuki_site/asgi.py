"""The ASGI application: pages over HTTP, live tables over WebSocket, static files in front."""

import gc
import os
import sys
from typing import Any, Final

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ratuki_site.settings")
pages = get_asgi_application()

# Imports that need Django's apps come after them.
from channels.routing import ProtocolTypeRouter
from django.conf import settings
from django.urls import resolve
from django.utils.translation import activate

from games.live.host.rate_limits import ConnectionLimit
from games.live.wire import routing
from games.pages import stream
from games.people import languages
from ratuki_site import metrics
from ratuki_site.daphne_server import tell_clients_why
from ratuki_site.health import Health
from ratuki_site.layers import BodyLimit, Outage, StaticCache
from ratuki_site.origins import SameOrigin, refuse
from replays.ghost_races import socket as ghost_races
from replays.reviews import routing as reviews

SWITCH_S: Final = 0.0005
STATIC_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    # A page that another site sandboxes has an origin of its own, with our embed in it.
    "Cross-Origin-Resource-Policy": "cross-origin",
}


def for_ever(_path: str, _url: str) -> bool:
    """Every static file's URL contains its release, so the file never changes."""
    return True


def add_headers(headers: Any, _path: str, _url: str) -> None:
    """Give a static file the headers that pages get from middleware."""
    for name, value in STATIC_HEADERS.items():
        headers[name] = value


# Whatever this process writes, including mail in files, is private to its user.
os.umask(0o077)

gc.set_threshold(*settings.GARBAGE_THRESHOLDS)
# The thread that commits need not wait 5 ms for the interpreter while the event loop is busy.
sys.setswitchinterval(SWITCH_S)

resolve("/")  # loads all views now, so the first visitor does not wait


def own_pages(app: Any) -> Any:
    """Only pages of this site may open these sockets."""
    return SameOrigin(app, settings.SITE_ORIGINS)


def framed_pages(app: Any) -> Any:
    """Pages of this site may open these sockets, and its embeds in a sandbox, as strangers."""
    return SameOrigin(app, settings.SITE_ORIGINS, sandboxed=True)


def in_language(app: Any) -> Any:
    """A socket's words are in its reader's language."""

    async def speak(scope: Any, receive: Any, send: Any) -> None:
        activate(languages.of_scope(scope))
        await app(scope, receive, send)

    return speak


def more_sockets(limit: ConnectionLimit) -> list[Any]:
    """The sockets besides those of matches. Reviews count by the same limit."""
    return [*ghost_races.routes(own_pages), *reviews.routes(own_pages, limit)]


routing.on_leave(reviews.close)
routing.rights_news.follow(reviews.rights_changed)
routing.on_outage(reviews.let_go)
routing.on_leave(stream.close)
routing.rights_news.follow(stream.ring)
known_sockets = in_language(routing.sockets(own_pages, framed_pages, refuse, more_sockets))
sockets = tell_clients_why(Outage(known_sockets, routing.reach))
limited = BodyLimit(pages, settings.MAX_BODY_BYTES)
site = Outage(routing.by_pieces(limited), routing.reach)
files: Any = StaticCache(
    site,
    root=settings.STATIC_HOME,
    allow_all_origins=True,
    prefix="static",
    immutable_file_test=for_ever,
    add_headers_function=add_headers,
)
operated = Health(
    files, metrics=metrics.exposition, serving=routing.serving, token=settings.METRICS_TOKEN
)
application = ProtocolTypeRouter(
    {"http": operated, "websocket": sockets, "lifespan": routing.lifespan}
)
