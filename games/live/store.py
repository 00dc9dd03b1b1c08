"""The keeper of live matches' logs in the database: leases, commits, and talk between processes.

Every operation is one synchronous function with one transaction, run in a thread of this
store's own pool, so that nobody else's queries wait for a commit. A database that cannot be
reached raises LogAwayError; what was asked may then have happened or not, so whatever is
asked again must change nothing the second time.

Times of leases are the database's, the same for all processes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from statistics import median_low
from threading import Barrier
from typing import Any, Final, ParamSpec, TypeVar

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from games import growing, house
from games.engine.events import Deal, End
from games.hosting import Answered, LiveTable
from games.live import chatlog, post
from games.live.asks import Answer, Asked, Entry
from games.live.chat import Guise, Written
from games.live.game import OVER
from games.live.leases import LEASE_MS, Lease, LeaseLostError, LogAwayError, News, Tail
from games.live.seating import Place, Plan, from_json, to_json
from games.models import Match, Seat
from games.packing import lines_of
from games.records.log import Line
from games.records.notation import write_line

THREADS: Final = 4
CLAIMS: Final = 20
"""The most tables that a process takes at a time."""
P = ParamSpec("P")
T = TypeVar("T")


class Store:
    """The live store of one process."""

    def __init__(self, process: str) -> None:
        self.process = process
        self._pool = ThreadPoolExecutor(THREADS, "live-store")

    async def _run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, lambda: guarded(work, *args, **kwargs))

    def close(self) -> None:
        """Give back the connections, and end the threads."""
        together = Barrier(THREADS)

        def leave() -> None:
            together.wait(10)
            connection.close()

        for done in [self._pool.submit(leave) for _ in range(THREADS)]:
            done.result()
        self._pool.shutdown()

    # Hosting

    async def claim(self) -> list[Lease]:
        """Take the leases of tables that nobody hosts."""
        return await self._run(claim, self.process)

    async def renew(self, tables: Iterable[int]) -> set[Lease]:
        """Renew this process's leases of these tables; those that it holds."""
        return await self._run(renew, self.process, list(tables))

    async def release(self) -> None:
        """Give all leases of this process back."""
        await self._run(release, self.process)

    async def open_house(self, count: int) -> int:
        """Open the house matches that are missing; how many were opened."""
        return await self._run(house.open_missing, count)

    async def append(self, lease: Lease, plan: Plan, seq: int, entries: Sequence[Entry]) -> None:
        """Commit the next lines. Doing it again changes nothing. Raises LeaseLostError."""
        await self._run(append, lease, plan, seq, entries)

    async def keep(
        self, lease: Lease, kept: Mapping[str, Any], state: Mapping[str, Any], over: bool
    ) -> None:
        """Keep what is not history. Raises LeaseLostError."""
        await self._run(keep, lease, kept, state, over)

    async def rematch(self, lease: Lease, plan: Plan) -> None:
        """Open a table by this plan; again changes nothing. Raises LeaseLostError."""
        await self._run(rematch, lease, plan)

    # Following

    async def tail(self, match: str) -> Tail | None:
        """The end of a match from the deal of its last round on; None if there is no such table."""
        return await self._run(tail, match)

    async def news(self, known: Mapping[str, tuple[int, int]]) -> list[News]:
        """What is new of these matches; for each its next seq and the state's version."""
        return await self._run(news, known)

    async def plans(self, known: Mapping[int, int]) -> dict[int, tuple[int, Plan]]:
        """The plans, with their versions, of those tables whose version is not the known one."""
        return await self._run(plans, known)

    # Talk between processes

    async def send(self, match: str, body: Mapping[str, Any]) -> None:
        """Leave an errand for whoever hosts the match."""
        await self._run(post.send, self.process, match, body)

    async def errands(self, tables: Sequence[int]) -> list[tuple[int, Mapping[str, Any]]]:
        """Fetch the errands for these tables that are held here, each with its table."""
        return await self._run(post.errands, self.process, tables)

    async def reply(self, replies: Sequence[tuple[str, Answer]]) -> None:
        """Leave answers for other processes, each with its match."""
        await self._run(post.reply, replies)

    async def replies(self) -> list[tuple[str, Answer]]:
        """Fetch the answers that were left for this process."""
        return await self._run(post.replies, self.process)

    # Chat

    async def chat_news(self, known: Mapping[str, int]) -> list[Written]:
        """The lines of these matches after the known ones, and of those before, who are gone."""
        return await self._run(chatlog.news, known)

    async def chat_add(self, match: str, guise: Guise, text: str) -> str:
        """Store a line; an error's code if it may not be."""
        return await self._run(chatlog.add, match, guise, text)

    async def chat_report(self, match: str, guise: Guise, n: int) -> None:
        """Tell the moderators of a line."""
        await self._run(chatlog.report, match, guise, n)


def guarded(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do some work on the database. Raises LogAwayError if it cannot be reached."""
    try:
        return work(*args, **kwargs)
    except (OperationalError, InterfaceError) as error:
        connection.close()
        raise LogAwayError(str(error)) from error
    finally:
        if _pooled():
            connection.close()  # gives it back to the pool, where pages wait for one too


def _pooled() -> bool:
    return bool(settings.DATABASES["default"].get("OPTIONS", {}).get("pool"))


# Leases


def _lease_end() -> Any:
    return Now() + timedelta(milliseconds=LEASE_MS)


def _free() -> Q:
    return Q(over=False) & (Q(lease_until=None) | Q(lease_until__lt=Now()))


def claim(process: str) -> list[Lease]:
    """Take the leases of tables that nobody hosts; each take is a statement of its own."""
    taken = []
    free = LiveTable.objects.filter(_free()).order_by("pk")
    for pk, match, epoch in free.values_list("pk", "record_id", "epoch")[:CLAIMS]:
        with transaction.atomic():
            mine = LiveTable.objects.filter(_free(), pk=pk, epoch=epoch).update(
                epoch=epoch + 1, lease_owner=process, lease_until=_lease_end()
            )
            if mine:
                Match.objects.filter(record_id=match, state=Match.State.OPEN).update(
                    owner_epoch=epoch + 1, lease_owner=process
                )
                taken.append(Lease(pk, match, epoch + 1))
    return taken


def renew(process: str, tables: Sequence[int]) -> set[Lease]:
    """Renew a process's leases. One that has run out but was not taken is still its own."""
    mine = LiveTable.objects.filter(pk__in=tables, lease_owner=process, over=False)
    if not mine.update(lease_until=_lease_end()):
        return set()
    return {Lease(*row) for row in mine.values_list("pk", "record_id", "epoch")}


def release(process: str) -> None:
    """Give all leases of a process back."""
    LiveTable.objects.filter(lease_owner=process).update(lease_owner="", lease_until=None)


# Commits


@transaction.atomic
def append(lease: Lease, plan: Plan, seq: int, entries: Sequence[Entry]) -> None:
    """Commit lines from `seq` on, with the actions that they answer."""
    lines = [entry.line for entry in entries]
    match = _match(lease, plan)
    try:
        growing.append(match.pk, lease.epoch, seq, lines)
    except growing.StaleWriterError:
        if not _is_there(match.pk, lease.epoch, seq, lines):
            raise LeaseLostError(lease.match) from None
        return
    _remember(lease.table, seq, entries, match)


def _match(lease: Lease, plan: Plan) -> Match:
    """The match of a table, begun by its first commit."""
    found = Match.objects.filter(record_id=lease.match).first()
    if found:
        return found
    held = LiveTable.objects.filter(pk=lease.table, epoch=lease.epoch)
    # Whoever sat down or stood up after the host had begun to deal has come too late.
    if not held.update(plan=to_json(plan), plan_version=F("plan_version") + 1):
        raise LeaseLostError(lease.match)
    header = plan.header(f"{timezone.now():%Y-%m-%dT%H:%M:%SZ}")
    match = growing.open_match(
        header,
        owner_epoch=lease.epoch,
        visibility=Match.Visibility.LINK if plan.key else Match.Visibility.PUBLIC,
        token=plan.key,
        spectators={
            "watching": plan.watching,
            "open_delay_ms": plan.open_delay_ms,
            "chat": plan.chat,
        },
    )
    for number, place in enumerate(plan.places):
        Seat.objects.filter(match=match, number=number).update(**_owner(place))
    return match


def _owner(place: Place) -> dict[str, Any]:
    """Whose seat it is, as the archive keeps it."""
    kind, _, key = place.person.partition(":")
    bot = {"temper": place.temper, "level": place.level} if place.temper else {}
    if kind == "user":
        there = get_user_model().objects.filter(pk=key).exists()  # or the account is deleted
        return {"user_id": int(key) if there else None, **bot}
    return {"guest": key if kind == "guest" else "", **bot}


def _is_there(match: int, epoch: int, seq: int, lines: Sequence[Line]) -> bool:
    """Whether this very commit was made before, though its answer was lost."""
    found = Match.objects.filter(pk=match, owner_epoch=epoch, lines=seq + len(lines)).first()
    if found is None:
        return False
    stored = _lines_from(found, seq)
    return [write_line(line) for line in stored] == [write_line(line) for line in lines]


def _remember(table: int, seq: int, entries: Sequence[Entry], match: Match) -> None:
    deal = next((entry.line for entry in entries if isinstance(entry.line, Deal)), None)
    if deal:
        Answered.objects.filter(table=table, round__lt=deal.round - 1).delete()
    if any(entry.asked for entry in entries):
        last = match.chunks.order_by("first_seq").values_list("round", flat=True).last() or 0
        Answered.objects.bulk_create(
            Answered(table_id=table, round=last, seq=at, seat=asked.seat, action_id=asked.id)
            for at, entry in enumerate(entries, seq)
            for asked in entry.asked
        )


@transaction.atomic
def keep(lease: Lease, kept: Mapping[str, Any], state: Mapping[str, Any], over: bool) -> None:
    """Keep what is not history."""
    mine = LiveTable.objects.filter(pk=lease.table, epoch=lease.epoch)
    fields = {"kept": kept, "state": state, "state_version": F("state_version") + 1, "over": over}
    if not mine.update(**fields):
        raise LeaseLostError(lease.match)
    if state.get("phase") in OVER:
        _keep_lags(lease.match, kept["lags"])


def _keep_lags(match: str, rounds: Sequence[Sequence[int | None]]) -> None:
    """Note each seat's median lag beside the record; `rounds` has one lag for each seat."""
    for number, lags in enumerate(zip(*rounds, strict=True)):
        known = [lag for lag in lags if lag is not None]
        if known:
            seat = Seat.objects.filter(match__record_id=match, number=number)
            seat.update(lag_ms=median_low(known))


@transaction.atomic
def rematch(lease: Lease, plan: Plan) -> None:
    """Open a table by this plan, once."""
    if not LiveTable.objects.filter(pk=lease.table, epoch=lease.epoch).exists():
        raise LeaseLostError(lease.match)
    LiveTable.objects.get_or_create(record_id=plan.id, defaults={"plan": to_json(plan)})


# Following


def tail(match: str) -> Tail | None:
    """The end of a match, from the deal of its last round on."""
    table = LiveTable.objects.filter(record_id=match).first()
    if table is None:
        return None
    plan = from_json(table.plan)
    seq, lines, totals = _last_round(match, len(plan.places))
    rows = Answered.objects.filter(table=table)
    asked = [(Asked(row.seat, row.action_id), row.seq) for row in rows]
    return Tail(
        match, table.epoch, plan, seq, lines, totals, asked, table.kept, table.state, table.over
    )


def _last_round(record: str, seats: int) -> tuple[int, list[Line], tuple[int, ...]]:
    """The seq of the last deal, the lines from there on, the totals before it."""
    nothing = (0,) * seats
    match = Match.objects.filter(record_id=record).first()
    if match is None:
        return 1, [], nothing
    last = match.chunks.order_by("first_seq").last()
    if last is None:
        return 1, [], nothing
    rounds = match.chunks.filter(round__gte=last.round - 1)
    first = rounds.order_by("first_seq").values_list("first_seq", flat=True).first() or 1
    lines = _lines_from(match, first)
    deals = [place for place, line in enumerate(lines) if isinstance(line, Deal)]
    start = deals[-1]
    ends = [line.totals for line in lines[:start] if isinstance(line, End)]
    return first + start, lines[start:], ends[-1] if ends else nothing


def news(known: Mapping[str, tuple[int, int]]) -> list[News]:
    """What is new of these matches, hosted elsewhere."""
    tables = LiveTable.objects.filter(record_id__in=known)
    ends = dict(Match.objects.filter(record_id__in=known).values_list("record_id", "lines"))
    found = []
    for table in tables.only("record_id", "plan", "epoch", "state", "state_version", "over"):
        seq, version = known[table.record_id]
        if ends.get(table.record_id, 1) > seq or table.state_version != version:
            found.append(_news(table, seq))
    return found


def _news(table: LiveTable, seq: int) -> News:
    match = Match.objects.filter(record_id=table.record_id).first()
    lines = [] if match is None else _lines_from(match, seq)
    plan = from_json(table.plan) if seq <= 1 else None
    told = (table.state, table.state_version, table.over)
    return News(table.record_id, table.epoch, seq, lines, *told, plan)


def _lines_from(match: Match, seq: int) -> list[Line]:
    """The lines from `seq` on; none if the log was just being packed, and it is asked again."""
    before = match.chunks.filter(first_seq__lte=seq).order_by("first_seq").last()
    if before is None:
        return []
    chunks = list(match.chunks.filter(first_seq__gte=before.first_seq).order_by("first_seq"))
    if not chunks or chunks[0].first_seq > seq:
        return []
    lines = [
        line
        for chunk in chunks
        for line in lines_of(chunk.first_seq, chunk.packed, bytes(chunk.body))
    ]
    return lines[seq - chunks[0].first_seq :]


def plans(known: Mapping[int, int]) -> dict[int, tuple[int, Plan]]:
    """The plans that have changed."""
    rows = LiveTable.objects.filter(pk__in=known).values_list("pk", "plan_version")
    changed = [pk for pk, version in rows if version != known[pk]]
    tables = LiveTable.objects.filter(pk__in=changed)
    return {table.pk: (table.plan_version, from_json(table.plan)) for table in tables}
