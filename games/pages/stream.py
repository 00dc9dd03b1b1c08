"""A bot's live stream: challenges, and the tables at which it sits.

Each stream asks the database every two seconds, and at once when its account's bell rings
(`games.people.changes`): a ring may be lost between processes. Something is sent each time, since
proxies give up a connection that is silent for four seconds.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from http import HTTPStatus
from threading import Lock
from typing import Any, Final, NamedTuple
from weakref import WeakSet

from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _
from ninja import Router

from games.pages.api import socket_of
from games.pages.challenges import challenge_json
from games.pages.problems import Refused
from games.people import changes
from games.people.tokens import secret_in
from games.people.visit import Request, Visit, with_token
from games.tables import challenges, lobby

ALIVE_S: Final = 2
MAX_STREAMS: Final = 3
"""The most streams of an account in a process."""
KIND: Final = "application/x-ndjson"
_DESCRIBED: Final[dict[str, Any]] = {
    "security": [],
    "responses": {200: {"content": {KIND: {"schema": {"type": "string"}}}}},
}
router: Final = Router(tags=["challenges"])
_closing: Final[list[bool]] = []


class Bell(asyncio.Event):
    """Rings for a stream of an account."""

    def __init__(self, user: int) -> None:
        super().__init__()
        self.user = user


_bells: Final[WeakSet[Bell]] = WeakSet()
"""Weak: a bell is gone with its stream, also if the client left before the first line."""
_hanging: Final = Lock()


class News(NamedTuple):
    """News to send once: a unique key, and its line."""

    key: tuple[str, str]
    line: dict[str, Any]


@router.get("/stream", url_name="stream", response=dict[str, Any], openapi_extra=_DESCRIBED)
def stream(request: Request) -> StreamingHttpResponse:
    """Lines of JSON, as long as the connection is open: challenges, matches, and `alive`."""
    token = request.visit.token
    if token is None:
        raise PermissionDenied(_("this needs a token with the scope play: a session will not do"))
    bell = _hang(token.user_id)
    if bell is None:
        words = _("{most} streams of this account are open: close one")
        raise Refused(words.format(most=MAX_STREAMS), HTTPStatus.TOO_MANY_REQUESTS)
    lines = _lines(secret_in(request.headers.get("Authorization", "")), bell)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(lines, content_type=f"{KIND}; charset=utf-8", headers=headers)


def _hang(user: int) -> Bell | None:
    """The bell of a new stream. None if the account has as many as it may."""
    with _hanging:
        if sum(bell.user == user for bell in _bells) >= MAX_STREAMS:
            return None
        bell = Bell(user)
        _bells.add(bell)
        return bell


async def _lines(secret: str, bell: Bell) -> AsyncIterator[str]:
    """The lines, until the token ends or this process does."""
    sent: set[tuple[str, str]] = set()
    while not _closing:
        bell.clear()
        with suppress(DatabaseError):
            news = await with_token(secret, lambda visit: list(_news(visit)))
            if not news:
                return
            yield "".join(f"{json.dumps(each.line)}\n" for each in news if each.key not in sent)
            sent = {each.key for each in news} - {_ALIVE.key}
        with suppress(TimeoutError):
            async with asyncio.timeout(ALIVE_S):
                await bell.wait()


_ALIVE: Final = News(("alive", ""), {"type": "alive"})


def _news(visit: Visit) -> Iterator[News]:
    """The news now. The first says that the stream is alive. None for a token that ended."""
    visitor = visit.visitor
    if visitor.person is None:
        return
    yield _ALIVE
    for row in challenges.of(visitor.persons):
        said = challenge_json(row)
        asked = said["state"] == "open" and row.bot_id == visitor.account
        line = {"type": "challenge" if asked else said["state"], **said}
        yield News((row.key, said["state"]), line)
    for table in lobby.mine(visitor.persons):
        seat = table.plan.seat_of(visitor.person)
        place = {"table": table.id, "seat": seat, "socket": socket_of(table.id)}
        yield News(("match", table.id), {"type": "match", **place})
        number = lobby.match_number(table.id) if table.begun else None
        if number is not None:
            dealt = {"type": "dealt", "table": table.id, "number": number}
            yield News(("dealt", table.id), dealt)


def ring(subject: str) -> None:
    """Something has happened (`games.people.changes`). Called in the event loop."""
    with _hanging:
        for bell in _bells:
            if subject == changes.of_account(bell.user):
                bell.set()


def close() -> None:
    """End all streams, since this process does."""
    _closing.append(True)
    with _hanging:
        for bell in _bells:
            bell.set()
