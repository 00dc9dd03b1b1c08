"""A host whose store comes and goes, on a clock advanced by hand."""

import asyncio
from collections.abc import Sequence

import pytest

from games.engine.actions import DrawOne
from games.engine.events import Discard, Draw, Event, Play
from games.live.host.client_frames import Vote
from games.live.host.leases import Lease, StoreUnavailableError
from games.live.host.match_host import MatchHost
from games.live.host.requests import (
    ActionRequest,
    Answer,
    HostState,
    LogEntry,
    PresenceReport,
    Step,
)
from games.records.log import Header
from games.tables.plan import Plan
from games.tables.state import MatchState
from tests.clocks import ManualClock
from tests.live.bench import ME, TIMING, Bench, people

STEP_MS = 100


class Site:
    """What a host writes to and tells; `away`: nothing can be written."""

    def __init__(self) -> None:
        self.away = False
        self.events: list[Event] = []
        self.told: list[str] = []
        self.rematches: list[Plan] = []

    async def append(self, _lease: Lease, _plan: Plan, _seq: int, step: Step) -> None:
        self._write()
        self.events += [entry.line for entry in step.entries if isinstance(entry.line, Event)]

    async def save_state(
        self, _lease: Lease, _host_state: HostState, _state: MatchState, over: bool
    ) -> None:
        self._write()

    async def rematch(self, _lease: Lease, plan: Plan) -> None:
        self._write()
        self.rematches.append(plan)

    def _write(self) -> None:
        if self.away:
            raise StoreUnavailableError

    def begin(self, match: str, header: Header) -> None:
        assert not self.away

    def publish(
        self, match: str, seq: int, entries: Sequence[LogEntry], answers: Sequence[Answer]
    ) -> None:
        assert not self.away
        self.told += [answer.id for answer in answers]

    def publish_state(self, match: str, state: MatchState) -> None:
        pass

    def state_saved(self, match: str) -> None:
        assert not self.away


async def let_pass(host: MatchHost, clock: ManualClock, ms: int, here: set[int]) -> None:
    """Let time pass for a host with these seats connected."""
    for _ in range(0, ms, STEP_MS):
        clock.advance(STEP_MS)
        host.report_presence(PresenceReport("here", dict.fromkeys(here, 30), 0))
        for _ in range(20):
            await asyncio.sleep(0)


@pytest.mark.parametrize("outage_ms", [3_000, 3 * TIMING.away_ms, 2 * TIMING.empty_ms])
async def test_nobody_is_away_while_the_store_is(outage_ms: int) -> None:
    """All connections end with the store; a bot plays on for who stays away after it is back."""
    bench, site = Bench(people(2)), Site()
    bench.begin()
    clock = ManualClock(bench.now)
    host = MatchHost(bench.game, Lease(1, "m", 1), site, clock, site)
    running = asyncio.create_task(host.run())
    await let_pass(host, clock, 1_000, {0, 1})
    site.away = True
    await let_pass(host, clock, outage_ms, set())
    site.away = False
    await let_pass(host, clock, TIMING.away_ms - 1_000, set())
    assert site.events == []
    assert [seat["bot"] for seat in bench.game.state(clock.now())["seats"]] == [False, False]
    await let_pass(host, clock, 10_000, {0})
    kinds = Play | Draw | Discard
    assert {event.seat for event in site.events if isinstance(event, kinds)} == {1}
    running.cancel()


async def test_an_action_that_waited_for_the_store_counts_when_it_was_stamped() -> None:
    """The clock goes on from there once all are back, and the answer is told once."""
    bench, site = Bench(people(2)), Site()
    bench.begin()
    clock = ManualClock(bench.now)
    host = MatchHost(bench.game, Lease(1, "m", 1), site, clock, site)
    running = asyncio.create_task(host.run())
    site.away = True
    for number, seat in enumerate((0, 1, 0)):
        host.arrive(ActionRequest(ME, f"a{number}", 1, DrawOne(seat), 0))
        await let_pass(host, clock, 300, {0, 1})
    stopped = host.clock
    await let_pass(host, clock, 30_000, set())
    site.away = False
    await let_pass(host, clock, 500, set())
    assert site.told == ["a0"]
    assert bench.game.phase == "pause"
    await let_pass(host, clock, 200, {0, 1})
    assert bench.game.phase == "round"
    assert site.told == ["a0", "a1", "a2"]
    assert stopped - 300 <= host.clock <= stopped + 300
    running.cancel()


@pytest.mark.parametrize("dealt", [True, False])
async def test_people_play_again_after_a_match_that_they_abandoned(dealt: bool) -> None:
    bench, site = Bench(people(2)), Site()
    if dealt:
        bench.begin()
    clock = ManualClock(bench.now)
    host = MatchHost(bench.game, Lease(1, "m", 1), site, clock, site)
    running = asyncio.create_task(host.run())
    await let_pass(host, clock, 1_000, {0, 1})
    for subject in ("abandon", "rematch"):
        for seat in (0, 1):
            host.command(seat, Vote(subject, yes=True))
        await let_pass(host, clock, 1_000, {0, 1})
        assert bench.game.phase == "abandoned"
    (plan,) = site.rematches
    assert bench.game.state(clock.now())["next"] == plan.id
    await running
