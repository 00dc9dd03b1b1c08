"""The ASGI application: pages over HTTP, live tables over WebSocket, static files in front."""

from __future__ import annotations

import gc
import os
from typing import Any, Final

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ratuki_site.settings")
pages = get_asgi_application()

# What needs Django's apps comes after them.
from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import OriginValidator  # noqa: E402
from django.conf import settings  # noqa: E402
from servestatic import ServeStaticASGI  # noqa: E402

from ratuki_site.limits import BodyLimit  # noqa: E402

websocket_urlpatterns: list[Any] = []

STATIC_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def for_ever(_path: str, _url: str) -> bool:
    """Every static file's address holds its release, so it never changes."""
    return True


def add_headers(headers: Any, _path: str, _url: str) -> None:
    """Give a static file the headers that pages get from middleware."""
    for name, value in STATIC_HEADERS.items():
        headers[name] = value


# With the default thresholds the cyclic collector's pauses are most of the latency's tail.
gc.set_threshold(200_000, 50, 1_000)

sockets = OriginValidator(
    AuthMiddlewareStack(URLRouter(websocket_urlpatterns)), settings.SITE_ORIGINS
)
site = BodyLimit(pages, settings.MAX_BODY_BYTES)
files = ServeStaticASGI(
    site,
    root=settings.STATIC_HOME,
    allow_all_origins=False,
    prefix="static",
    immutable_file_test=for_ever,
    add_headers_function=add_headers,
)
application = ProtocolTypeRouter({"http": files, "websocket": sockets})
