"""A ghost race over its socket: kept as a variation, ended with the socket, one per person."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from threading import Event
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.contrib.sessions.backends.db import SessionStore

from games.live.fanout.close_codes import TOO_MANY
from games.live.fanout.doorbell import Doorbell
from games.live.host.rate_limits import ConnectionLimit
from games.live.wire.rights_news import RightsNews
from games.models import Match
from games.people import embargoes
from games.people.addresses import network
from games.people.person import guest
from games.people.visitor import Reader
from replays.ghost_races import socket as races
from replays.ghost_races.registry import OPENINGS, Registry
from replays.ghost_races.table import COUNTDOWN_MS
from replays.models import Variation
from replays.notes.visible import ordered
from tests.clocks import ManualClock
from tests.live.asyncapi import hold
from tests.live.serving import PATIENCE_S
from tests.web.records import store

pytestmark = pytest.mark.django_db(transaction=True)


class Racer:
    """A browser's race, by a hand-turned clock."""

    def __init__(
        self, app: Any, clock: ManualClock, match: Match, session: str, query: str
    ) -> None:
        self.clock = clock
        cookie = [(b"cookie", f"sessionid={session}".encode())] if session else []
        self.socket = WebsocketCommunicator(app, f"/ws/races/{match.pk}/?{query}", cookie)
        self.state: dict[str, Any] = {}
        self.seq = 0
        self.first: dict[str, Any] = {}

    async def begin(self) -> None:
        await self.socket.connect(PATIENCE_S)
        await self.say(type="hello", v=1)
        self.first = await self.until("lines")

    async def say(self, **frame: Any) -> None:
        await self.socket.send_to(json.dumps(frame))

    async def until(self, kind: str) -> dict[str, Any]:
        """Read up to a frame of that kind."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                message = await self.socket.receive_output(PATIENCE_S)
                if message["type"] == "websocket.close":
                    return {"type": "close", "code": message["code"]}
                frame = hold(message["text"], "hear")
                if frame["type"] == "state":
                    self.state = frame
                if frame["type"] == "lines":
                    self.seq = frame["seq"] + len(frame["lines"])
                if frame["type"] == kind:
                    return frame

    async def start(self) -> None:
        """Be ready, and let the countdown pass."""
        await self.say(type="ready", ready=True)
        await self.until("state")
        self.clock.advance(COUNTDOWN_MS)
        await self.until("state")
        assert self.state["phase"] == "round"

    async def discard(self, card: str) -> dict[str, Any]:
        await self.say(type="act", id="d", round=1, do="discard", card=card)
        return await self.until("ack")


@pytest.fixture
def race() -> Callable[..., Any]:
    clock = ManualClock()
    registry = Registry(2)
    app = races.GhostRaceSocket(clock, ConnectionLimit(9, 9), registry)
    routed = URLRouter([races.route(app)])

    @asynccontextmanager
    async def open_(match: Match, session: str = "", query: str = "") -> AsyncIterator[Racer]:
        racer = Racer(routed, clock, match, session, query or "round=1&event=0&seat=0")
        yield racer
        await racer.socket.disconnect()
        await racer.socket.wait(20)

    open_.registry = registry  # type: ignore[attr-defined]
    return open_


@sync_to_async
def match_and_session() -> tuple[Match, str]:
    """A match, and a named guest's session."""
    match = store("Ada", "Bo")
    session = SessionStore()
    session.update({"guest": "eve", "guest_name": "Eve"})
    session.save()
    return match, str(session.session_key)


@sync_to_async
def kept(match: Match, owner: str = "guest:eve") -> list[Variation]:
    return list(Variation.objects.filter(pk__in=ordered(match, Reader([owner])).variations))


async def test_a_race_is_kept_when_its_player_stops_or_is_gone(race: Callable[..., Any]) -> None:
    match, session = await match_and_session()
    async with race(match, session) as racer:
        await racer.begin()
        own, other = (deck.split() for deck in racer.first["lines"][0]["decks"])
        assert (set(own[3:]), set(other)) == ({"A?"}, {"B?"})
        await racer.start()
        deal = hand_of(racer)
        await racer.discard(deal)
        await racer.say(type="leave")
        while not racer.state["race"]["outcome"]:
            await racer.until("state")
        outcome = racer.state["race"]["outcome"]
        assert (outcome["why"], outcome["acted"], outcome["trouble"]) == ("left", True, "")
        assert (outcome["times"][0]["do"], outcome["times"][0]["card"]) == ("discard", deal)
        (saved,) = await kept(match)
        assert (saved.key, saved.visibility, saved.tags) == (outcome["key"], "self", ["race"])
        assert json.loads(saved.events)[-1]["card"] == deal
        await racer.say(type="got", seq=racer.seq)
        assert (await racer.until("close"))["code"] == 1000
    async with race(match, session) as gone:
        await gone.begin()
        await gone.start()
        await gone.discard(hand_of(gone))
    assert len(await kept(match)) == 2


def hand_of(racer: Racer) -> str:
    """A card that this race's seat was dealt."""
    return str(racer.first["lines"][0]["decks"][0].split()[0])


async def test_what_is_said_while_a_race_is_kept_does_not_end_it_unheard(
    race: Callable[..., Any],
) -> None:
    match, session = await match_and_session()
    busy = Event()
    async with race(match, session) as racer:
        await racer.begin()
        await racer.start()
        races._pool.submit(busy.wait)
        await racer.say(type="leave")
        try:
            for n in range(3):
                await racer.say(type="ping", n=n)
                assert (await racer.until("pong"))["n"] == n
        finally:
            busy.set()
        while not racer.state["race"]["outcome"]:
            assert (await racer.until("state"))["type"] == "state"


async def test_a_person_has_one_race_and_a_process_only_so_many(race: Callable[..., Any]) -> None:
    match, session = await match_and_session()
    async with race(match, session) as first, race(match) as second:
        await first.begin()
        await second.begin()
        async with race(match) as third:
            await third.socket.connect(PATIENCE_S)
            await third.say(type="hello", v=1)
            assert (await third.until("close"))["code"] == 4429
        async with race(match, session) as again:
            await again.begin()
            assert (await first.until("close"))["code"] == 1000
            assert not await kept(match), "nothing was done"


async def test_a_process_that_stops_keeps_its_races(race: Callable[..., Any]) -> None:
    match, session = await match_and_session()
    async with race(match, session) as racer:
        await racer.begin()
        await racer.start()
        await racer.discard(hand_of(racer))
        race.registry.close()  # type: ignore[attr-defined]
        await race.registry.wait_until_saved()  # type: ignore[attr-defined]
        assert len(await kept(match)) == 1
        assert (await racer.until("close"))["code"] == 1012


async def test_an_impossible_race_says_why(race: Callable[..., Any]) -> None:
    match, session = await match_and_session()
    for query, words in (
        ("round=9&event=0&seat=0", "round"),
        ("round=1&event=99999&seat=0", "event"),
        ("round=1&event=0&seat=4", "seat"),
        ("round=1&event=0&seat=0&slow=3", "slow"),
        ("round=1&event=0&seat=0&line=none-of-this-name", "line"),
        ("round=x", "round"),
    ):
        async with race(match, session, query) as racer:
            await racer.socket.connect(PATIENCE_S)
            await racer.say(type="hello", v=1)
            assert words in (await racer.until("error"))["message"]
            assert (await racer.until("close"))["code"] == 4403


async def test_an_open_question_comes_before_a_race(race: Callable[..., Any]) -> None:
    match, session = await match_and_session()
    await sync_to_async(embargoes.begin)(match, [guest("eve")], 1)
    async with race(match, session) as racer:
        await racer.socket.connect(PATIENCE_S)
        await racer.say(type="hello", v=1)
        assert (await racer.until("close"))["code"] == 4404


@pytest.mark.parametrize("told", [True, False], ids=["at once", "without word soon"])
async def test_a_race_ends_when_a_question_on_its_match_is_opened(
    race: Callable[..., Any], told: bool
) -> None:
    match, session = await match_and_session()
    news = RightsNews(lambda _group: Doorbell())
    news.follow(race.registry.rights_changed)  # type: ignore[attr-defined]
    if told:
        news.start()
    async with race(match, session) as racer:
        await racer.begin()
        await sync_to_async(embargoes.begin)(match, [guest("eve")], 1)
        racer.clock.advance(0 if told else races.CHECKED_MS)
        assert (await racer.until("close"))["code"] == 4404
    news.stop()


async def test_a_network_opens_only_so_many_races_a_minute(race: Callable[..., Any]) -> None:
    match, _ = await match_and_session()
    registry = race.registry  # type: ignore[attr-defined]
    async with race(match) as racer:
        await racer.begin()
        while registry.may_open(network(""), racer.clock.now()):
            pass
    async with race(match) as racer:
        await racer.socket.connect(PATIENCE_S)
        await racer.say(type="hello", v=1)
        assert (await racer.until("close"))["code"] == TOO_MANY.code
        racer.clock.advance(OPENINGS[1])
    async with race(match) as racer:
        await racer.begin()
