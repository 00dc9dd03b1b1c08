"""Matches between bots, hosted as fast as the CPU allows, without sockets.

Everything else is there: the host and its bots, commits, and the frames of four seats and a
spectator. The digest's part is measured by itself, on the same logs: the text of each line as
spectators see it (as if there were none), its digest, and the digest of each round that is packed.
So is sealing: storing each round's seed in a transaction of its own, and dealing from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from random import Random
from typing import Any, Final

from django.db.models import Sum
from django.db.models.functions import Length

from games.archive.packing import chunk_fields, runs
from games.engine.dealing import fair_decks
from games.engine.events import Deal
from games.live.fanout.follower import Follower
from games.live.fanout.frames import SPECTATOR
from games.live.fanout.hub import Hub
from games.live.host.leases import Lease
from games.live.host.match import LiveMatch
from games.live.host.requests import ActionRequest, Command, Hello, PresenceReport, Step
from games.live.storage.commits import Commits
from games.live.storage.queries import tail
from games.live.storage.writer import together
from games.models import Chunk, LiveTable
from games.records.digests import digest_after
from games.records.log import Line
from games.tables.plan import to_json
from tests.bench.measure import cpu, tell
from tests.bench_live.players import bot_table
from tests.clocks import ManualClock

MATCHES: Final = 6
TARGET: Final = 150
_names: Final = count()


class Hosted:
    """A match and its followers."""

    def __init__(self, seed: int) -> None:
        plan = bot_table(f"hosted{next(_names)}", 4, TARGET)
        self.clock = ManualClock()
        self.lines: list[Line] = []
        self.sealing = 0.0
        """CPU seconds that seeds took."""
        self.game = LiveMatch(plan, Random(seed), self.clock.now())
        table = LiveTable.objects.create(record_id=plan.id, plan=to_json(plan))
        self.lease, self.commits = Lease(table.pk, plan.id, 0), Commits()
        self.hub = Hub("here", self.clock, self)
        ending = tail(plan.id)
        assert ending is not None
        broadcast = self.hub.open(ending)
        broadcast.clock = lambda: self.game.clock(self.clock.now())
        self.followers: list[Follower] = [
            self.hub.follow(broadcast, view, Hello(1), _never, lambda _text: True)
            for view in (SPECTATOR, 0, 1, 2, 3)
        ]

    def request(self, match: str, request: ActionRequest) -> None:
        raise AssertionError(request)

    def command(self, match: str, seat: int, command: Command) -> None:
        raise AssertionError(command)

    def report_presence(self, match: str, report: PresenceReport) -> None:
        """Nobody is there."""

    def play(self) -> None:
        """Play until the match is over."""
        while self.game.phase != "finished":
            while step := self.game.step(self.clock.now()):
                self._commit(step)
            due = self.game.due(self.clock.now())
            if due is not None:
                self.clock.advance(max(0, due - self.clock.now()))

    def _commit(self, step: Step) -> None:
        seq = max(self.game.seq, 1)
        if step.entries and seq == 1:
            header = self.game.plan.header(self.clock.date())
            self.hub.begin(self.lease.match, header)
            step = step._replace(header=header)
        spent = cpu(lambda: self._store(seq, step))
        self.sealing += spent if step.sealed else 0
        answers = self.game.committed(step, self.clock.now())
        self.hub.publish(self.lease.match, seq, step.entries, answers)
        self.followers[0].broadcast.close_batch()
        for follower in self.followers:
            follower.pump(self.clock.now())
            self.hub.got(follower, follower.cursor)
        self.lines += [entry.line for entry in step.entries]

    def _store(self, seq: int, step: Step) -> None:
        plan = self.game.plan
        assert together([lambda: self.commits.append(self.lease, plan, seq, step)]) == [None]


async def _never(message: dict[str, Any]) -> None:
    raise AssertionError(message)


def _digested(logs: Sequence[Sequence[Line]]) -> None:
    """What a log's digests cost: once as lines are published, once as rounds are packed."""
    for log in logs:
        for _ in range(2):
            digest_after(bytes(32), log)


def _dealt(matches: Sequence[Hosted]) -> None:
    """What dealing from seeds costs."""
    for match in matches:
        for line in match.lines:
            if isinstance(line, Deal) and line.fair:
                fair_decks(match.game.plan.rules, line.round, line.fair)


def _stored_of_deals(log: Sequence[Line]) -> int:
    """The bytes that seeds, commitments and salts take in the packed rounds of a log."""
    plain = [line._replace(fair=None) if isinstance(line, Deal) else line for line in log]
    with_, without = (
        sum(len(chunk_fields(1, 1, run).body) for run in runs(lines)) for lines in (log, plain)
    )
    return with_ - without


def measure() -> None:
    """Host matches in this database, and print what an event costs."""
    matches = [Hosted(seed) for seed in range(MATCHES)]
    whole = sum(cpu(match.play) for match in matches)
    logs = [match.lines for match in matches]
    digests = min(cpu(lambda: _digested(logs)) for _ in range(5))
    events = sum(map(len, logs))
    stored = Chunk.objects.aggregate(found=Sum(Length("digest")))["found"]
    tell("hosting, CPU for each line", 1e6 * whole / events, "µs")
    tell("the log's digest, of that", 1e6 * digests / events, "µs")
    tell("the log's digest, share of hosting", 100 * digests / whole, "%", "3 or less")
    tell("the log's digest, stored", stored / events, "bytes a line", "2 or less")
    sealing = sum(match.sealing for match in matches) + cpu(lambda: _dealt(matches))
    tell("seeds and deals, share of hosting", 100 * sealing / whole, "%", "3 or less")
    fair = sum(map(_stored_of_deals, logs))
    tell("seeds and salts, stored", fair / events, "bytes a line", "2 or less")
