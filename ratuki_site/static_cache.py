"""Static files from memory.

ServeStatic opens and reads a file for each response, which takes three trips to a thread and most
of the response's CPU time. A page requests several small files at once, so here each is read once.
Anything but a plain GET (a range or conditional request) is left to ServeStatic.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

from servestatic import ServeStaticASGI
from servestatic.responders import StaticFile
from servestatic.utils import parse_accept_encoding

from ratuki_site.origins import Scope, Send

_NOT_PLAIN: Final = frozenset((b"range", b"if-none-match", b"if-modified-since"))


class Variant(NamedTuple):
    """A file as sent in one encoding; None: unencoded."""

    encoding: str | None
    headers: list[tuple[bytes, bytes]]
    body: bytes


class StaticCache(ServeStaticASGI):
    """Static files in front of an application, each kept in memory after its first request."""

    def initialize(self) -> None:
        """Start with nothing cached."""
        super().initialize()
        self._kept: dict[str, list[Variant]] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Respond, or leave it to the library or the application."""
        if variants := self._variants(scope):
            await _send_best(variants, scope, send)
        else:
            await super().__call__(scope, receive, send)

    def _variants(self, scope: Scope) -> list[Variant]:
        """The available variants, smallest first; none if the request is not plain."""
        if scope["type"] != "http" or scope["method"] != "GET":
            return []
        if any(name in _NOT_PLAIN for name, _ in scope["headers"]):
            return []
        path = scope["path"]
        file = self.files.get(path)
        if not isinstance(file, StaticFile):
            return []
        if path not in self._kept:
            self._kept[path] = [_read(*alternative) for alternative in file.alternatives]
        return self._kept[path]


def _read(encoding: str | None, path: str, headers: list[tuple[str, str | None]]) -> Variant:
    pairs = [(name.lower().encode(), value.encode()) for name, value in headers if value]
    return Variant(encoding, pairs, Path(path).read_bytes())


async def _send_best(variants: list[Variant], scope: Scope, send: Send) -> None:
    sent = b",".join(value for name, value in scope["headers"] if name == b"accept-encoding")
    accepted = parse_accept_encoding(sent.decode("latin-1"))
    best = next(each for each in variants if not each.encoding or each.encoding in accepted)
    await send({"type": "http.response.start", "status": 200, "headers": best.headers})
    await send({"type": "http.response.body", "body": best.body})
