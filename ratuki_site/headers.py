"""Headers that every page has, and which Host values are accepted.

- Permissions-Policy: a card game needs no camera.
- Account pages and the admin are not cached: the next person at a shared computer would find
  them with the back button.
- An encoding that a client refuses (`gzip;q=0`) is not offered: Django looks for its name only.
- A Host with an unknown port is refused. Django checks names only, but the port also ends up
  in links sent by mail.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin
from servestatic.utils import parse_accept_encoding

POLICY: Final = ", ".join(
    f"{feature}=()"
    for feature in (
        *("accelerometer", "browsing-topics", "camera"),
        *("display-capture", "geolocation", "gyroscope", "hid", "magnetometer", "microphone"),
        *("midi", "payment", "serial", "usb"),
    )
)
PRIVATE: Final = frozenset(("accounts", "admin"))
"""The namespaces whose pages must not be cached."""
_PORTS: Final = {"http": "80", "https": "443"}


class HeadersMiddleware(MiddlewareMixin):
    """Must come before everything that reads the Host."""

    def process_request(self, request: HttpRequest) -> None:
        """Refuse an unknown port, and leave out refused encodings. Raises DisallowedHost."""
        encodings = parse_accept_encoding(request.META.get("HTTP_ACCEPT_ENCODING", ""))
        request.META["HTTP_ACCEPT_ENCODING"] = ", ".join(sorted(encodings))
        name, port = split_domain_port(request.get_host())
        if not port and settings.SECURE_SSL_REDIRECT and not request.is_secure():
            return  # it is led to https next
        known = ports().get(name)
        if known and (port or _PORTS[request.scheme or "http"]) not in known:
            raise DisallowedHost(f"{request.get_host()!r} is not one of SITE_ORIGINS")

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Add missing headers."""
        response.headers.setdefault("Permissions-Policy", POLICY)
        match: Any = request.resolver_match
        if match and PRIVATE & set(match.namespaces):
            response.headers["Cache-Control"] = "no-store"
        return response


def ports() -> dict[str, set[str]]:
    """The ports of each host name in SITE_ORIGINS."""
    by_host: dict[str, set[str]] = defaultdict(set)
    for origin in settings.SITE_ORIGINS:
        parts = urlsplit(origin)
        by_host[parts.hostname or ""].add(str(parts.port or _PORTS[parts.scheme]))
    return by_host
