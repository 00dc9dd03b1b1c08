"""The layers in front of Django.

- `StaticCache` sends static files from memory.
- `BodyLimit` refuses request bodies over a limit: the server itself would accept any size.
- `Outage` says at once that the database is away, so that no one waits for it. After a 503 a proxy
  asks another process, so sockets are refused before they are accepted.
- `HeadersMiddleware` adds headers that every page has, and refuses a Host with an unknown port.
- `CompressMiddleware` compresses text.
"""

from collections import defaultdict
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.urls import Resolver404, resolve
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin
from servestatic import ServeStaticASGI
from servestatic.responders import StaticFile
from servestatic.utils import parse_accept_encoding

from games.live.host.leases import Reach
from games.pages.problems import problem
from games.people import languages
from ratuki_site.origins import App, Receive, Scope, Send
from ratuki_site.status_pages import unavailable, wants_page

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
PAGE: Final = "/too-large/"
_NOT_PLAIN: Final = frozenset((b"range", b"if-none-match", b"if-modified-since"))


class Variant(NamedTuple):
    """A file as sent in one encoding. None: unencoded."""

    encoding: str | None
    headers: list[tuple[bytes, bytes]]
    body: bytes


class StaticCache(ServeStaticASGI):
    """Static files in front of an application, each kept in memory after its first request.

    ServeStatic opens and reads a file for each response, which takes three trips to a thread and
    most of its CPU time. Ranges and conditional requests are left to it.
    """

    def initialize(self) -> None:
        super().initialize()
        self._kept: dict[str, list[Variant]] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Respond, or leave it to the library or the application."""
        if variants := self._variants(scope):
            await _send_best(variants, scope, send)
        else:
            await super().__call__(scope, receive, send)

    def _variants(self, scope: Scope) -> list[Variant]:
        """The available variants, smallest first. None if the request is not plain."""
        if scope["type"] != "http" or scope["method"] != "GET":
            return []
        if any(name in _NOT_PLAIN for name, _ in scope["headers"]):
            return []
        path = scope["path"]
        file = self.files.get(path)
        if not isinstance(file, StaticFile):
            return []
        if path not in self._kept:
            self._kept[path] = [_read_variant(*alternative) for alternative in file.alternatives]
        return self._kept[path]


def _read_variant(
    encoding: str | None, path: str, headers: list[tuple[str, str | None]]
) -> Variant:
    pairs = [(name.lower().encode(), value.encode()) for name, value in headers if value]
    return Variant(encoding, pairs, Path(path).read_bytes())


async def _send_best(variants: list[Variant], scope: Scope, send: Send) -> None:
    sent = b",".join(value for name, value in scope["headers"] if name == b"accept-encoding")
    accepted = parse_accept_encoding(sent.decode("latin-1"))
    best = next(each for each in variants if not each.encoding or each.encoding in accepted)
    await send({"type": "http.response.start", "status": 200, "headers": best.headers})
    await send({"type": "http.response.body", "body": best.body})


class BodyLimit:
    """An ASGI application that answers 413 if a body is over `limit` bytes."""

    def __init__(self, app: App, limit: int) -> None:
        self.app = app
        self.limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif declared_length(scope) > self.limit:
            await self.refuse(scope, send)
        else:
            await self.app(scope, self.counted(receive), send)

    async def refuse(self, scope: Scope, send: Send) -> None:
        """Answer 413: with the site's page for a browser, otherwise with a problem."""
        if not wants_page(accept_of(scope)):
            with translation.override(languages.of_scope(scope)):
                words = translation.gettext("That is more than this site takes in one go.")
            refusal = problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, words)
            refusal["Connection"] = "close"
            await send_response(scope, send, refusal)
            return
        kept = [pair for pair in scope["headers"] if not pair[0].startswith(b"content-")]
        page = {"method": "GET", "path": PAGE, "raw_path": PAGE.encode(), "query_string": b""}
        await self.app({**scope, **page, "headers": kept}, no_body, send)

    def counted(self, receive: Receive) -> Receive:
        """A `receive` that disconnects once a body is longer than declared."""
        room = self.limit

        async def receive_some() -> dict[str, Any]:
            nonlocal room
            message = await receive()
            if message["type"] == "http.request":
                room -= len(message.get("body", b""))
            return message if room >= 0 else {"type": "http.disconnect"}

        return receive_some


def accept_of(scope: Scope) -> str:
    """The Accept header of a request. Empty for a socket, which gets no page."""
    if scope["type"] != "http":
        return ""
    return dict(scope["headers"]).get(b"accept", b"").decode("latin-1")


def declared_length(scope: Scope) -> int:
    """The value of Content-Length. 0 if absent or not a number."""
    value = dict(scope["headers"]).get(b"content-length", b"")
    return int(value) if value.isdigit() and len(value) < 20 else 0


async def no_body() -> dict[str, Any]:
    """Receive nothing: the body is left unread."""
    return {"type": "http.request", "body": b"", "more_body": False}


class Outage:
    """An ASGI application that answers 503 in place of `app` while `reach` says so.

    Pages can still be read where the database cannot be written to. Sockets need both.
    """

    def __init__(self, app: App, reach: Callable[[], Reach]) -> None:
        self.app = app
        self._reach = reach

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        reach = self._reach()
        if reach is Reach.WHOLE or (scope["type"] == "http" and reach is Reach.READING):
            await self.app(scope, receive, send)
            return
        with translation.override(languages.of_scope(scope)):
            response = unavailable(scope["path"], accept_of(scope), scope.get("method"))
        response["X-Content-Type-Options"] = "nosniff"
        if scope["type"] == "http":
            await send_response(scope, send, response)
        else:
            await receive()
            await send_response(scope, send, response, "websocket.http.response")


async def send_response(
    scope: Scope, send: Send, response: HttpResponse, kind: str = "http.response"
) -> None:
    """Send a response that Django's handler did not make. `kind`: the prefix of its messages."""
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    body = b"" if scope.get("method") == "HEAD" else response.content
    await send({"type": f"{kind}.start", "status": response.status_code, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})


class HeadersMiddleware(MiddlewareMixin):
    """Must come before everything that reads the Host.

    - Permissions-Policy: a card game needs no camera.
    - Account pages and the admin are not cached: the next person at a shared computer would find
      them with the back button.
    - gzip is not offered to a client that refuses it (`gzip;q=0`) or takes something else
      (`x-gzip-really`): Django looks for the word only.
    - A Host with an unknown port is refused. Django checks names only, but the port also ends up
      in links sent by mail.
    - Pages of other origins may read what is open to them, refusals by other middleware included.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Refuse an unknown port, and leave out all encodings but gzip. Raises DisallowedHost."""
        encodings = parse_accept_encoding(request.META.get("HTTP_ACCEPT_ENCODING", ""))
        request.META["HTTP_ACCEPT_ENCODING"] = "gzip" if "gzip" in encodings else ""
        name, port = split_domain_port(request.get_host())
        if not port and settings.SECURE_SSL_REDIRECT and not request.is_secure():
            return  # it is led to https next
        known = ports().get(name)
        if known and (port or _PORTS[request.scheme or "http"]) not in known:
            raise DisallowedHost(f"{request.get_host()!r} is not one of SITE_ORIGINS")

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        response.headers.setdefault("Permissions-Policy", POLICY)
        match: Any = request.resolver_match
        if match and PRIVATE & set(match.namespaces):
            response.headers["Cache-Control"] = "no-store"
        if request.method in {"GET", "HEAD"} and _view_name(request) in settings.OPEN_TO_ORIGINS:
            response.headers["Access-Control-Allow-Origin"] = "*"
            response.headers["Access-Control-Expose-Headers"] = "ETag, Link, Retry-After"
        return response


def _view_name(request: HttpRequest) -> str:
    """The name of the address, also of a request that was refused before it was looked up."""
    try:
        return (request.resolver_match or resolve(request.path_info)).view_name
    except Resolver404:
        return ""


_TEXT: Final = ("text/", "application/json", "application/x-ndjson", "image/svg+xml")


class CompressMiddleware(GZipMiddleware):
    """Compresses text. Charts and reports come compressed as they are stored.

    A compressed page's size may betray a secret in it to someone who has it requested again and
    again with guesses (BREACH). Here another site's requests carry no cookies (SameSite), the form
    token differs in every response, and Django adds up to 100 random bytes.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """The response, compressed if the client takes that and it is worth it.

        A stream is not: what happens now would wait until there is a block of it.
        """
        if not response.streaming and response.get("Content-Type", "").startswith(_TEXT):
            return super().process_response(request, response)
        return response


def ports() -> dict[str, set[str]]:
    """The ports of each host name in SITE_ORIGINS."""
    by_host: dict[str, set[str]] = defaultdict(set)
    for origin in settings.SITE_ORIGINS:
        parts = urlsplit(origin)
        by_host[parts.hostname or ""].add(str(parts.port or _PORTS[parts.scheme]))
    return by_host
