"""Spectators at two processes talk through PostgreSQL and Redis: each line once, in order."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest

from tests.live.spectators import Spectator, guest
from tests.processes.conftest import Pair, off_loop
from tests.services import Redis, Site

pytestmark = [pytest.mark.postgres, pytest.mark.redis, pytest.mark.slow]
TOO_OFTEN = 5
"""Lines that one person may write in ten seconds."""
HIDE = "from games.models import ChatLine; ChatLine.objects.filter(n=1).update(hidden=True)"
FORGET = """
from games.chat import storage
from games.people.person import guest
storage.forget(guest("ada"))
"""
MUTE = """
from games.models import ChatMute
ChatMute.objects.create(person="guest:bo", name="Bo")
"""


@asynccontextmanager
async def talking(
    pair: Pair, names: Sequence[str], sites: Sequence[Site]
) -> AsyncIterator[list[Spectator]]:
    """Guests of these names, each connected to that process, with the chat."""
    keys = [await off_loop(guest, pair.a, name.lower(), name) for name in names]
    path = "/ws/matches/far/"
    seated = zip(sites, keys, strict=True)
    all_ = [await Spectator.come(site, path, key, chat=True, named=True) for site, key in seated]
    yield all_
    for viewer in all_:
        await viewer.socket.close()


def numbers(spectator: Spectator) -> list[int]:
    """The numbers of all lines that somebody was told, in order."""
    chats = [frame for frame in spectator.frames if frame["type"] == "chats"]
    return [line["n"] for frame in chats for line in frame["lines"]]


async def hears(spectator: Spectator, count: int) -> None:
    """Wait until somebody was told so many lines."""
    while len(numbers(spectator)) < count:
        await spectator.until("chats")


async def test_both_processes_hear_every_line_once_and_in_order(pair: Pair) -> None:
    names = ("Ada", "Bo", "Cy", "Di")
    async with talking(pair, names, (pair.a, pair.b) * 2) as guests:
        for turn in range(TOO_OFTEN - 1):
            await asyncio.gather(*(viewer.send(type="chat", text=f"{turn}") for viewer in guests))
        for viewer in guests:
            await viewer.until("state", lambda frame: frame["watchers"] == list(names))
        count = len(names) * (TOO_OFTEN - 1)
        await asyncio.gather(*(hears(viewer, count) for viewer in guests))
        assert all(numbers(viewer) == list(range(1, count + 1)) for viewer in guests)
        later = await Spectator.come(pair.b, "/ws/matches/far/", chat=True)
        await hears(later, count)
        await later.socket.close()
    assert [row[0] for row in pair.request("SELECT n FROM games_chatline ORDER BY id")] == numbers(
        later
    )


async def test_a_removed_message_disappears_at_both(pair: Pair) -> None:
    async with talking(pair, ("Ada", "Bo"), (pair.a, pair.b)) as (ada, bo):
        for text in ("my address", "my street"):
            await ada.send(type="chat", text=text)
        await asyncio.gather(hears(ada, 2), hears(bo, 2))
        await bo.send(type="report", n=1)
        assert (await bo.until("reported"))["n"] == 1
        await off_loop(pair.b.manage, "shell", "-v0", "-c", HIDE)
        for viewer in (ada, bo):
            assert (await viewer.until("chats", lambda frame: frame["gone"]))["gone"] == [1]
        await off_loop(pair.a.manage, "shell", "-v0", "-c", FORGET)
        for viewer in (ada, bo):
            assert (await viewer.until("chats", lambda frame: frame["gone"]))["gone"] == [2]
    assert pair.request("SELECT name, text FROM games_chatline") == [("deleted account", "")] * 2
    assert pair.request("SELECT count(*) FROM games_chatcomplaint") == [(0,)]


async def test_limits_and_mutes_hold_at_both(pair: Pair) -> None:
    async with talking(pair, ("Bo", "Bo", "Ada"), (pair.a, pair.b, pair.a)) as (first, second, ada):
        for here in (first, second, first, second, first):
            await here.send(type="chat", text="hi")
        await hears(ada, TOO_OFTEN)
        assert await second.error(type="chat", text="hi") == "too-often"
        await off_loop(pair.a.manage, "shell", "-v0", "-c", MUTE)
        assert await first.error(type="chat", text="hi") == "muted"
        assert await second.error(type="chat", text="hi") == "muted"


async def test_it_goes_on_while_redis_is_away(pair: Pair, redis: Redis) -> None:
    async with talking(pair, ("Ada", "Bo"), (pair.a, pair.b)) as (ada, bo):
        await off_loop(redis.stop)
        try:
            await ada.send(type="chat", text="without")
            await hears(bo, 1)
        finally:
            await off_loop(redis.start)
        await bo.send(type="chat", text="with")
        await hears(ada, 2)
