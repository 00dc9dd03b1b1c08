"""The store: leases, commits that count once, owners that came too late, talk of processes."""

import asyncio
import subprocess
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from pathlib import Path
from random import Random
from select import select
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.utils import timezone

from games.engine.actions import DiscardOne, DrawOne, Shout, Try
from games.engine.dealing import shuffled
from games.engine.events import Deal, Discard, Draw, End, Event
from games.live.cluster import supervisor
from games.live.cluster.relay import Item, Relay, pack, unpack
from games.live.fanout.doorbell import Doorbell
from games.live.host.client_frames import Back, Leave, Ready, Vote
from games.live.host.leases import Lease, LeaseLostError, StoreUnavailableError
from games.live.host.match import LiveMatch
from games.live.host.match_host import MatchHost
from games.live.host.requests import (
    ActionKey,
    ActionRequest,
    Answer,
    ConnectionId,
    HostState,
    LogEntry,
    PresenceReport,
    Refused,
    Step,
)
from games.live.storage.leases import MACHINE
from games.live.storage.store import Store
from games.live.wire import routing
from games.models import AnsweredAction, LiveTable, Match, Seat
from games.people.person import account, guest
from games.tables.joining import sit
from games.tables.plan import Plan, from_json, new_plan, to_json
from tests.clocks import ManualClock
from tests.live.states import HOST_STATE, match_state
from tests.services import Postgres, Site

pytestmark = pytest.mark.django_db(transaction=True)
DEALS = [shuffled(new_plan("m", "gamerules", 2, {}).rules, 2, n, Random(n)) for n in (1, 2, 3)]


@pytest.fixture
async def stores() -> AsyncIterator[tuple[Store, Store]]:
    first, second = Store("one"), Store("two")
    yield first, second
    first.close()
    second.close()


def a_plan(match: str = "m") -> Plan:
    plan = new_plan(match, "gamerules", 2, {}).sit(guest("k"), "Ada")
    return plan.seat_bot("taker", 4, "taker")


async def a_lease(store: Store, match: str = "m") -> tuple[Lease, Plan]:
    plan = a_plan(match)
    await LiveTable.objects.acreate(record_id=match, plan=to_json(plan))
    (lease,) = await store.claim()
    return lease, plan


def entries(deal: Deal, count: int) -> list[LogEntry]:
    """A deal, and cards laid aside and drawn one after the other."""
    events: list[Event] = []
    for place in range(count):
        deck = deal.decks[0]
        events += [Discard(place, 0, deck[place]), Draw(place, 0, deck[place + 3])]
    asked = [
        LogEntry(event, (ActionKey(0, f"{deal.round}-{n}"),)) for n, event in enumerate(events)
    ]
    return [LogEntry(deal), *asked]


def first_step(plan: Plan, made: Sequence[LogEntry]) -> Step:
    """The first entries of a log, with its header."""
    return Step(tuple(made), header=plan.header("2026-11-21T10:00:00Z"))


async def expire() -> None:
    past = timezone.now() - timedelta(seconds=1)
    await LiveTable.objects.aupdate(lease_until=past)


async def test_one_of_two_gets_the_lease(stores: tuple[Store, Store]) -> None:
    first, second = stores
    lease, _ = await a_lease(first)
    assert await second.claim() == []
    assert await first.renew([lease.table]) == {lease}
    await expire()
    (later,) = await second.claim()
    assert later.epoch == lease.epoch + 1
    assert await first.renew([lease.table]) == set()
    await second.release()
    (again,) = await first.claim()
    assert again.epoch == 3


async def test_a_lease_that_ends_later_than_any_can_is_free(stores: tuple[Store, Store]) -> None:
    """The clock was set back after its holder was killed."""
    first, second = stores
    await a_lease(first)
    await LiveTable.objects.aupdate(lease_until=timezone.now() + timedelta(hours=1))
    assert await second.claim()


async def test_a_process_of_this_machine_that_has_ended_holds_no_lease() -> None:
    running = await asyncio.create_subprocess_exec("cat", stdin=subprocess.PIPE)
    first, second = (Store(f"here-{MACHINE}-{running.pid}-{number}") for number in (1, 2))
    await a_lease(first)
    assert await second.claim() == []
    running.kill()
    await running.wait()
    (later,) = await second.claim()
    assert later.epoch == 2
    first.close()
    second.close()


async def side_by_side(count: int) -> int:
    """How many hosts wrote, in turning orders, while leases were renewed, and nothing failed."""
    store = Store("one")
    tables = [LiveTable(record_id=f"m{number}", plan={}) for number in range(count)]
    await LiveTable.objects.abulk_create(tables)
    leases = await store.claim()
    writing = True

    async def renew() -> None:
        while writing:
            assert await store.renew(lease.table for lease in leases) == set(leases)

    async with asyncio.TaskGroup() as group:
        group.create_task(renew())
        state = match_state("round")
        for turn in range(3 * count):
            order = leases[turn % count :] + leases[: turn % count]
            keeps = [store.save_state(lease, HOST_STATE, state, False) for lease in order]
            await asyncio.gather(*keeps)
        writing = False
    store.close()
    return len(leases)


@pytest.mark.postgres
def test_renewals_and_commits_do_not_lock_each_other(postgres: Postgres, tmp_path: Path) -> None:
    with Site(tmp_path, {"DATABASE_URL": postgres.url()}) as site:
        site.migrate()
        asked = "import asyncio\nfrom tests.live.test_store import side_by_side\n"
        done = site.manage("shell", "-v0", "-c", f"{asked}print(asyncio.run(side_by_side(20)))")
        assert done.strip() == "20"


async def frozen() -> list[str]:
    """What a write that PostgreSQL took for dead raises, and what the next one does."""
    store = Store("one")

    def work() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 1")
            select([connection.connection], [], [], 10)  # until the server has ended the session
            cursor.execute("SELECT 1")

    names = []
    for write in (work, lambda: None):
        (outcome,) = await asyncio.gather(store.writer.do(write), return_exceptions=True)
        names.append(type(outcome).__name__)
    store.close()
    return names


PROBE = """
from django.db import connection
from games.live.storage.store import writes
print(writes())
connection.cursor().execute("SET default_transaction_read_only = on")
print(writes())
"""


@pytest.mark.postgres
def test_a_postgresql_that_takes_no_writes_can_still_be_read(
    postgres: Postgres, tmp_path: Path
) -> None:
    with Site(tmp_path, {"DATABASE_URL": postgres.url()}) as site:
        site.migrate()
        assert site.manage("shell", "-v0", "-c", PROBE).split() == ["True", "False"]


@pytest.mark.postgres
def test_a_process_frozen_in_a_transaction_writes_again(postgres: Postgres, tmp_path: Path) -> None:
    with Site(tmp_path, {"DATABASE_URL": postgres.url()}) as site:
        asked = "import asyncio\nfrom tests.live.test_store import frozen\n"
        done = site.manage("shell", "-v0", "-c", f"{asked}print(*asyncio.run(frozen()))")
        assert done.split() == ["StoreUnavailableError", "NoneType"]


async def test_a_commit_made_twice_is_there_once(stores: tuple[Store, Store]) -> None:
    store, _ = stores
    lease, plan = await a_lease(store)
    made = entries(DEALS[0], 3)
    for _ in range(2):
        await store.append(lease, plan, 1, first_step(plan, made))
    tail = await store.tail("m")
    assert tail is not None
    assert (tail.seq, tail.end) == (1, 8)
    assert list(tail.lines) == [entry.line for entry in made]
    assert sorted(seq for _, seq in tail.answered) == [2, 3, 4, 5, 6, 7]
    other = [made[0], LogEntry(Draw(9, 1, DEALS[0].decks[1][3]))]
    with pytest.raises(LeaseLostError):
        await store.append(lease, plan, 1, first_step(plan, other))


async def test_an_owner_that_came_too_late_writes_nothing(stores: tuple[Store, Store]) -> None:
    first, second = stores
    lease, plan = await a_lease(first)
    await first.append(lease, plan, 1, first_step(plan, entries(DEALS[0], 2)))
    await expire()
    (later,) = await second.claim()
    late = Step((LogEntry(Draw(50, 1, DEALS[0].decks[1][3])),))
    with pytest.raises(LeaseLostError):
        await first.append(lease, plan, 6, late)
    with pytest.raises(LeaseLostError):
        await first.save_state(lease, HOST_STATE, match_state("round"), over=False)
    with pytest.raises(LeaseLostError):
        await first.rematch(lease, a_plan("next"))
    await second.append(later, plan, 6, late)
    match = await Match.objects.aget(record_id="m")
    assert (match.owner_epoch, match.lines) == (2, 7)


async def test_a_refusal_is_stored_once_and_only_by_the_owner(stores: tuple[Store, Store]) -> None:
    first, second = stores
    lease, plan = await a_lease(first)
    early = ActionKey(0, "early"), Refused("round-over", "not yet")
    for _ in range(2):
        await first.append(lease, plan, 1, Step((), (early,)))
    assert not await Match.objects.aexists()
    await first.append(lease, plan, 1, first_step(plan, entries(DEALS[0], 1)))
    wrong = ActionKey(1, "wrong"), Refused("one-hand", "too early", 40)
    await first.append(lease, plan, 4, Step((), (wrong,)))
    await expire()
    (later,) = await second.claim()
    with pytest.raises(LeaseLostError):
        await first.append(lease, plan, 4, Step((), ((ActionKey(1, "late"), wrong[1]),)))
    tail = await second.tail("m")
    assert tail is not None
    answered = dict(tail.answered)
    assert answered == {early[0]: early[1], wrong[0]: wrong[1], (0, "1-0"): 2, (0, "1-1"): 3}
    refused = AnsweredAction.objects.exclude(refused=None).values_list("action_id", "round")
    assert [row async for row in refused] == [("early", 0), ("wrong", 1)]
    await second.append(later, plan, 4, Step(tuple(entries(DEALS[1], 1))))
    tail = await second.tail("m")
    assert tail is not None
    assert wrong in tail.answered
    assert early not in tail.answered


async def test_an_owner_that_came_too_late_does_not_begin_either(
    stores: tuple[Store, Store],
) -> None:
    first, second = stores
    lease, plan = await a_lease(first)
    await expire()
    assert await second.claim()
    with pytest.raises(LeaseLostError):
        await first.append(lease, plan, 1, first_step(plan, entries(DEALS[0], 1)))
    assert not await Match.objects.aexists()


async def test_the_match_belongs_to_those_who_sat_down(stores: tuple[Store, Store]) -> None:
    store, _ = stores
    lease, plan = await a_lease(store)
    await store.append(lease, plan, 1, first_step(plan, entries(DEALS[0], 1)))
    seats = [seat async for seat in Seat.objects.select_related("player").order_by("number")]
    assert [(s.name, s.kind, s.guest, s.temper, s.level) for s in seats] == [
        ("Ada", "human", "k", "", None),
        ("taker", "bot", "", "taker", 4),
    ]


async def test_a_deleted_account_does_not_keep_the_others_from_playing(
    stores: tuple[Store, Store],
) -> None:
    store, _ = stores
    plan = new_plan("m", "gamerules", 2, {}).sit(account(77), "Gone").sit(guest("k"), "Ada")
    await LiveTable.objects.acreate(record_id="m", plan=to_json(plan))
    (lease,) = await store.claim()
    await store.append(lease, plan, 1, first_step(plan, entries(DEALS[0], 1)))
    seats = [(seat.user_id, seat.guest) async for seat in Seat.objects.order_by("number")]
    assert seats == [(None, ""), (None, "k")]


async def test_the_plan_that_was_dealt_is_the_one_that_stays(stores: tuple[Store, Store]) -> None:
    first, second = stores
    lease, plan = await a_lease(first)
    (news,) = await second.news({"m": (1, -1)})
    assert news.plan == plan
    changed = to_json(plan.stand_up(0))
    await LiveTable.objects.aupdate(plan=changed, plan_version=1)
    await first.append(lease, plan, 1, first_step(plan, entries(DEALS[0], 1)))
    (news,) = await second.news({"m": (1, -1)})
    assert news.plan == plan
    tail = await second.tail("m")
    assert tail is not None
    assert tail.plan == plan
    (news,) = await second.news({"m": (3, -1)})
    assert news.plan is None, "nobody changes seats any more"


async def test_the_tail_is_the_last_round(stores: tuple[Store, Store]) -> None:
    store, _ = stores
    lease, plan = await a_lease(store)
    seq = 1
    for number, deal in enumerate(DEALS):
        made = entries(deal, 2)
        if number < 2:
            made.append(LogEntry(End(60, "stalled", (1, 2), (number + 1, 2 * number + 2))))
        await store.append(lease, plan, seq, first_step(plan, made))
        seq += len(made)
    tail = await store.tail("m")
    assert tail is not None
    assert (tail.seq, tail.end, tail.totals) == (13, 18, (2, 4))
    assert tail.lines[0] == DEALS[2]
    rounds = {row.round async for row in AnsweredAction.objects.all()}
    assert rounds == {2, 3}


async def test_news_are_lines_and_state(stores: tuple[Store, Store]) -> None:
    first, second = stores
    lease, plan = await a_lease(first)
    assert [n.version for n in await second.news({"m": (1, -1)})] == [0]
    assert await second.news({"m": (1, 0)}) == []
    await first.append(lease, plan, 1, first_step(plan, entries(DEALS[0], 2)))
    (news,) = await second.news({"m": (3, 0)})
    assert [getattr(line, "t", None) for line in news.lines] == [0, 1, 1]
    await first.save_state(lease, HOST_STATE, match_state("round"), over=True)
    (news,) = await second.news({"m": (6, 0)})
    assert (news.lines, news.state, news.over) == ([], match_state("round"), True)
    assert await first.claim() == []


async def test_requests_and_replies_are_fetched_once(stores: tuple[Store, Store]) -> None:
    first, second = stores
    lease, _ = await a_lease(first)
    connection = ConnectionId("two", 7)
    items: list[Item] = [
        ActionRequest(connection, "a", 1, Try(1, "A1a", 0, None, 3), 5),
        ActionRequest(connection, "b", 1, DrawOne(1)),
        ActionRequest(connection, "c", 1, DiscardOne(1, "A1a")),
        ActionRequest(connection, "d", 1, Shout(1)),
        PresenceReport("two", {0: None, 1: 30}, 4),
        (1, Ready(ready=True)),
        (1, Vote("abandon", yes=False)),
        (0, Leave()),
        (0, Back()),
    ]
    for item in items:
        await second.send("m", pack(item))
    assert await second.requests([lease.table]) == []
    assert await first.requests([lease.table + 1]) == []  # its host is still being made
    fetched = await first.requests([lease.table])
    assert [table for table, _ in fetched] == [lease.table] * len(items)
    assert [unpack(body) for _, body in fetched] == items
    assert await first.requests([lease.table]) == []
    answers = [
        Answer((connection, ConnectionId("three", 1)), "a", 12),
        Answer((connection,), "b", Refused("one-hand", "too early", 40)),
    ]
    await first.reply([("m", answer) for answer in answers])
    assert await second.replies() == [
        ("m", Answer((connection,), "a", 12)),
        ("m", Answer((connection,), "b", Refused("one-hand", "too early", 40))),
    ]
    assert await second.replies() == []


async def test_a_rematch_is_one_table(stores: tuple[Store, Store]) -> None:
    store, _ = stores
    lease, plan = await a_lease(store)
    for _ in range(2):
        await store.rematch(lease, plan.turned("next"))
    assert await LiveTable.objects.acount() == 2


async def test_the_median_lag_stays_with_the_seats(stores: tuple[Store, Store]) -> None:
    store, _ = stores
    lease, plan = await a_lease(store)
    await store.append(lease, plan, 1, first_step(plan, entries(DEALS[0], 1)))
    host_state: HostState = {**HOST_STATE, "lags": [[30, None], [90, None], [40, None]]}
    lags = Seat.objects.order_by("number").values_list("lag_ms", flat=True)
    await store.save_state(lease, host_state, match_state("scoreboard"), over=False)
    assert [lag async for lag in lags.all()] == [None, None]
    await store.save_state(lease, host_state, match_state("finished"), over=False)
    assert [lag async for lag in lags.all()] == [40, None]


async def test_it_stays_with_the_seats_for_whom_a_bot_finished(stores: tuple[Store, Store]) -> None:
    store, _ = stores
    lease, plan = await a_lease(store)
    await store.append(lease, plan, 1, first_step(plan, entries(DEALS[0], 1)))
    host_state: HostState = {**HOST_STATE, "stand_ins": [1]}
    await store.save_state(lease, host_state, match_state("finished"), over=False)
    absent = Seat.objects.order_by("number").values_list("stand_in", flat=True)
    assert [stand_in async for stand_in in absent] == [False, True]


async def test_so_many_matches_have_pieces_at_a_time(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many a stranger asks for, this process keeps no more of them in memory."""
    monkeypatch.setattr(supervisor, "MOST_CROWDS", 2)
    for match in "abc":
        await LiveTable.objects.acreate(record_id=match, plan=to_json(a_plan(match)))
    process = supervisor.Supervisor("one", stores[0], ManualClock(), Doorbell())
    both = await asyncio.gather(process.crowd("a"), process.crowd("a"))
    assert both[0] is both[1] is not None
    assert await process.crowd("b")
    assert await process.crowd("c") is None
    del process.hub.crowds["a"]
    assert await process.crowd("c")


async def test_few_guesses_at_matches_wait(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A flood of them is refused, and costs those who follow a match nothing."""
    monkeypatch.setattr(supervisor, "MOST_WAITING", 2)
    await LiveTable.objects.acreate(record_id="a", plan=to_json(a_plan("a")))
    clock = ManualClock()
    process = supervisor.Supervisor("one", stores[0], clock, Doorbell())
    crowd = await process.crowd("a")
    clock.advance(supervisor.SHARED_MS)
    guesses = [asyncio.create_task(process.crowd(f"guess{number}")) for number in range(20)]
    assert await process.crowd("a") is crowd
    found = await asyncio.gather(*guesses, return_exceptions=True)
    refused = [each for each in found if isinstance(each, StoreUnavailableError)]
    assert (len(refused), found.count(None)) == (17, 3)


async def test_a_request_during_the_drain_starts_nothing(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A crowd goes on asking by the connections that a proxy has open."""
    process = supervisor.Supervisor("one", stores[0], ManualClock(), Doorbell())
    for name in ("_left", "_leaving", "_others", "_waits"):
        monkeypatch.setattr(routing, name, [])
    monkeypatch.setattr(routing, "_running", [process])
    draining = asyncio.create_task(routing.drain())
    while not draining.done():
        await asyncio.sleep(0)
        assert routing.supervisor() is process
    await draining
    assert routing.supervisor() is process
    assert routing.running() is None


def test_a_plan_of_a_later_release_can_be_read() -> None:
    value: Any = to_json(a_plan())
    value["later"] = value["places"][0]["later"] = 1
    assert from_json(value) == a_plan()


async def test_a_request_of_another_release_loses_no_other(stores: tuple[Store, Store]) -> None:
    first, second = stores
    lease, plan = await a_lease(first)
    clock = ManualClock()
    relay = Relay("one", first, clock, Doorbell())
    game = LiveMatch(plan, Random(1), clock.now())
    relay.hosts["m"] = MatchHost(game, lease, first, clock, relay)
    await second.send("m", {"presence": ["two", [], 3, []]})
    await second.send("m", {"later": 1})
    await second.send("m", pack(PresenceReport("two", {}, 4)))
    await relay._fetch_requests()
    assert game.presence.watching == 4


async def test_who_sits_down_is_told_so_first(stores: tuple[Store, Store]) -> None:
    """The state from before is told to nobody any more, though the host has not woken since."""
    store, _ = stores
    await LiveTable.objects.acreate(record_id="m", plan=to_json(a_plan().stand_up(0)))
    (lease,) = await store.claim()
    tail = await store.tail("m")
    assert tail
    clock = ManualClock()
    relay = Relay("one", store, clock, Doorbell())
    game = LiveMatch(tail.plan, Random(1), clock.now())
    relay.hosts["m"] = MatchHost(game, lease, store, clock, relay)
    relay.hub.open(tail)
    relay.publish_state("m", game.state(clock.now()))
    await sync_to_async(sit)("m", guest("new"), "New")
    await relay.fetch_plans()
    known = relay.hub.broadcast("m")
    assert known
    assert known.state
    assert [seat["name"] for seat in known.state["seats"]] == ["New", "taker"]
