"""The timeline: an index of one log, by round and by seq.

It is built by adding the log's lines in order, so the timeline of a match still being written
is like any other, only without an end. It moves no cards itself: `Round.table` and
`Round.tables` leave that to the engine.

`seq` n is line n + 1 of the record: the header is 0, and notes and variations count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.engine.events import Deal, End, Event
from games.engine.table import Table, apply
from games.records.log import Header, Line, Note, Result, Variation


class Round:
    """One round: its deal, its events so far, and the seq of each.

    `before` are the totals of the earlier rounds.
    """

    def __init__(self, header: Header, deal: Deal, seq: int, before: tuple[int, ...]) -> None:
        self.header = header
        self.deal = deal
        self.seq = seq
        self.before = before
        self.events: list[Event] = []
        self.seqs: list[int] = []

    @property
    def number(self) -> int:
        """Counted from 1."""
        return self.deal.round

    @property
    def duration_ms(self) -> int:
        """`t` of the last event, 0 without events."""
        return self.events[-1].t if self.events else 0

    @property
    def end(self) -> End | None:
        last = self.events[-1] if self.events else None
        return last if isinstance(last, End) else None

    def add(self, event: Event, seq: int) -> None:
        """Add the next event, with its seq."""
        self.events.append(event)
        self.seqs.append(seq)

    def table(self, events: int = 0) -> Table:
        """The table after the first `events` events. 0: the deal."""
        seats = self.header.seats
        beginners = [seat for seat, player in enumerate(seats) if player.beginner]
        table = Table(self.header.rules, len(seats), beginners)
        table.totals = self.before
        table.deal(self.deal)
        for event in self.events[:events]:
            apply(table, event)
        return table

    def tables(self) -> Iterator[tuple[Event, Table]]:
        """Each event with the table after it. The table is reused, so look before the next."""
        table = self.table()
        for event in self.events:
            apply(table, event)
            yield event, table


class Timeline:
    """A match, indexed. `seq` is that of the last line added, `before` the totals at the first."""

    def __init__(self, header: Header, before: tuple[int, ...] | None = None) -> None:
        self.header = header
        self.before = before or (0,) * len(header.seats)
        self.seq = 0
        self.rounds: list[Round] = []
        self.result: Result | None = None

    @classmethod
    def of(
        cls,
        lines: Iterable[Line],
        until: int | None = None,
        before: tuple[int, ...] | None = None,
    ) -> Timeline:
        """The timeline of a log, or of its start up to the line with seq `until`.

        `before`: the totals of the rounds that the lines lack. None: they lack none. Raises
        ValueError if the first line is not a header.
        """
        remaining = iter(lines)
        header = next(remaining, None)
        if not isinstance(header, Header):
            raise ValueError("a log begins with its header")  # noqa: TRY004 - a fault of data
        timeline = cls(header, before)
        for line in remaining:
            if until is not None and timeline.seq >= until:
                break
            timeline.add(line)
        return timeline

    def add(self, line: Line) -> None:
        self.seq += 1
        if isinstance(line, Deal):
            self.rounds.append(Round(self.header, line, self.seq, self.totals))
        elif isinstance(line, Result):
            self.result = line
        elif not isinstance(line, Header | Note | Variation):
            self.rounds[-1].add(line, self.seq)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.header.seats)

    @property
    def totals(self) -> tuple[int, ...]:
        """The totals of the last finished round. `before` until there is one."""
        ends = (played.end for played in reversed(self.rounds))
        last = next((end for end in ends if end is not None), None)
        return last.totals if last else self.before
