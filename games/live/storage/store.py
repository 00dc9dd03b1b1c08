"""The keeper of live matches' logs in the database: leases, commits, and talk between processes.

Every operation is one synchronous function with one transaction, run in a thread of this
store's own pool; what hosts write, and the renewals of their leases, goes through one more
(`games.live.storage.writer`), so that nobody's queries wait for a commit. A database that cannot be
reached raises LogAwayError; what was asked may then have happened or not, so whatever is
asked again must change nothing the second time.

Times of leases are the database's, the same for all processes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any, Final, ParamSpec, TypeVar

from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Now

from games.archive import append
from games.chat import storage
from games.chat.values import Written
from games.engine.events import Deal, End
from games.live.host.leases import LEASE_MS, Lease, News, Tail
from games.live.host.messages import Answer, Asked, Entry
from games.live.storage import messages
from games.live.storage.availability import guarded
from games.live.storage.commits import Commits, rematch
from games.live.storage.writer import Writer
from games.models import Answered, LiveTable, Match
from games.people.person import Person
from games.people.visitor import Visitor
from games.records.log import Line
from games.tables import house_matches, retention, seats
from games.tables.plan import Plan, from_json

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
        self._writer = Writer()
        self._commits = Commits()

    async def _run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, lambda: guarded(work, *args, **kwargs))

    async def _write(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Change many tables' rows in the hosts' own line.

        Beside it, such a work and a commit for many hosts could each hold what the other needs.
        """
        found: list[T] = []
        await self._writer.do(lambda: found.append(work(*args, **kwargs)))
        return found[0]

    def close(self) -> None:
        """Give back the connections, and end the threads."""
        together = Barrier(THREADS)

        def leave() -> None:
            together.wait(10)
            connection.close()

        for done in [self._pool.submit(leave) for _ in range(THREADS)]:
            done.result()
        self._pool.shutdown()
        self._writer.close()

    # Hosting

    async def claim(self) -> list[Lease]:
        """Take the leases of tables that nobody hosts."""
        return await self._run(claim, self.process)

    async def renew(self, tables: Iterable[int]) -> set[Lease]:
        """Renew this process's leases of these tables; those that it holds."""
        return await self._write(renew, self.process, list(tables))

    async def release(self) -> None:
        """Give all leases of this process back."""
        await self._write(release, self.process)

    async def open_house(self, count: int) -> int:
        """Open the house matches that are missing; how many were opened."""
        return await self._run(house_matches.open_missing, count)

    async def tidy(self, days: int) -> bool:
        """Forget some tables that have been over for so many days; whether there may be more."""
        return await self._run(retention.forget_tables, days) == retention.BATCH

    async def append(self, lease: Lease, plan: Plan, seq: int, entries: Sequence[Entry]) -> None:
        """Commit the next lines. Doing it again changes nothing. Raises LeaseLostError."""
        await self._writer.do(lambda: self._commits.append(lease, plan, seq, entries))

    async def keep(
        self, lease: Lease, kept: Mapping[str, Any], state: Mapping[str, Any], over: bool
    ) -> None:
        """Keep what is not history. Raises LeaseLostError."""
        await self._writer.do(lambda: self._commits.keep(lease, kept, state, over))

    async def rematch(self, lease: Lease, plan: Plan) -> None:
        """Open a table by this plan; again changes nothing. Raises LeaseLostError."""
        await self._writer.do(lambda: rematch(lease, plan))

    # Following

    async def sits(self, match: str, persons: Sequence[Person]) -> bool:
        """Whether one of these persons sits at a table that is not over."""
        return await self._run(seats.sits, match, persons)

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
        await self._run(messages.send, self.process, match, body)

    async def errands(self, tables: Sequence[int]) -> list[tuple[int, Mapping[str, Any]]]:
        """Fetch the errands for these tables that are held here, each with its table."""
        return await self._run(messages.errands, self.process, tables)

    async def reply(self, replies: Sequence[tuple[str, Answer]]) -> None:
        """Leave answers for other processes, each with its match."""
        await self._run(messages.reply, replies)

    async def replies(self) -> list[tuple[str, Answer]]:
        """Fetch the answers that were left for this process."""
        return await self._run(messages.replies, self.process)

    # Chat

    async def chat_news(self, known: Mapping[str, int]) -> list[Written]:
        """The lines of these matches after the known ones, and of those before, who are gone."""
        return await self._run(storage.news, known)

    async def chat_add(self, match: str, writer: Visitor, text: str) -> str:
        """Store a line; an error's code if it may not be."""
        return await self._run(storage.add, match, writer, text)

    async def chat_report(self, match: str, reporter: Visitor, n: int) -> None:
        """Tell the moderators of a line."""
        await self._run(storage.report, match, reporter, n)


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
    lines = append.lines_since(match, first)
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
    lines = [] if match is None else append.lines_since(match, seq)
    plan = from_json(table.plan) if seq <= 1 else None
    told = (table.state, table.state_version, table.over)
    return News(table.record_id, table.epoch, seq, lines, *told, plan)


def plans(known: Mapping[int, int]) -> dict[int, tuple[int, Plan]]:
    """The plans that have changed."""
    rows = LiveTable.objects.filter(pk__in=known).values_list("pk", "plan_version")
    changed = [pk for pk, version in rows if version != known[pk]]
    tables = LiveTable.objects.filter(pk__in=changed)
    return {table.pk: (table.plan_version, from_json(table.plan)) for table in tables}
