"""Notes and variations of version 2 that are true of a record, made at random."""

from collections.abc import Sequence
from random import Random

from games.engine.cards import deck_of
from games.engine.events import Deal, End, Event
from games.engine.referee import Referee, Settled
from games.engine.table import Table, apply
from games.records.check import new_table
from games.records.log import GLYPHS, MAX_DEPTH, Header, Line, Note, Remark, Variation
from tests.engine.unruly import random_action, random_gap

WORDS = ("plan", "Ende", "李", "a b", " x", "😀")


class Pool:
    """The lines that a record of one round has, each with its events, to draw remarks from."""

    def __init__(self, rng: Random, record: Sequence[Line]) -> None:
        header, deal, *rest = record
        assert isinstance(header, Header)
        assert isinstance(deal, Deal)
        self._rng = rng
        self._header, self._deal = header, deal
        mainline = tuple(line for line in rest if isinstance(line, Event))
        self._lines: dict[str | None, tuple[Event, ...]] = {None: mainline}
        self._depth: dict[str | None, int] = {None: 0}
        self._notes: list[Note] = []
        self._ids = 0

    def remarks(self, count: int) -> list[Remark]:
        """So many notes and variations, in an order in which they may stand."""
        return [self._remark() for _ in range(count)]

    def _remark(self) -> Remark:
        kind = self._rng.random()
        if kind < 0.2 and any(note.id for note in self._notes):
            return self._reply()
        return self._note() if kind < 0.5 else self._variation() or self._note()

    def _id(self) -> str | None:
        self._ids += 1
        return None if self._rng.random() < 0.2 else f"{self._rng.choice('nv_-Z')}{self._ids}"

    def _words(self) -> tuple[str, ...]:
        return tuple(self._rng.sample(WORDS, self._rng.choice([0, 0, 1, 3])))

    def _mark(self) -> str:
        seat = self._rng.randrange(len(self._header.seats))
        card = self._rng.choice(deck_of(seat, self._header.rules.deck))
        return self._rng.choice([f"seat:{seat}", f"stack:{seat}", f"card:{card}"])

    def _note(self) -> Note:
        rng = self._rng
        line = rng.choice(list(self._lines))
        length = len(self._lines[line])
        event = rng.randint(0, length)
        note = Note(
            *(1, event, rng.choice([None, "Kim"]), rng.choice([None, *GLYPHS])),
            rng.choice(["", "So *be* it.", "\n\t\x00é"]),
            tuple(self._mark() for _ in range(rng.choice([0, 0, 2]))),
            id=self._id(),
            line=line,
            until=rng.randint(event + 1, length) if event < length and rng.random() < 0.3 else None,
            at=rng.choice([None, "2026-11-20T18:30:00Z"]),
            tags=self._words(),
            arrows=tuple(f"{self._mark()}>{self._mark()}" for _ in range(rng.choice([0, 0, 2]))),
        )
        note = note._replace(text="Look.") if note.silent else note
        self._notes.append(note)
        return note

    def _reply(self) -> Note:
        other = self._rng.choice([note for note in self._notes if note.id])
        reply = Note(1, other.event, "Bo", None, "Yes?", id=self._id(), line=other.line)
        reply = reply._replace(reply=other.id, tags=self._words())
        self._notes.append(reply)
        return reply

    def _variation(self) -> Variation | None:
        line = self._rng.choice([line for line in self._lines if self._depth[line] < MAX_DEPTH])
        known = self._lines[line]
        event = self._rng.randint(0, len(known))
        table = self._table(known[:event])
        if table.ended:
            return None
        events = tuple(branch(self._rng, table, self._rng.choice([1, 2, 8, 30])))
        if not events:
            return None
        name = self._id()
        if name:
            self._lines[name] = known[:event] + events
            self._depth[name] = self._depth[line] + 1
        by = self._rng.choice([None, "Kim"])
        return Variation(1, event, by, "", events, name, line, None, self._words())

    def _table(self, events: Sequence[Event]) -> Table:
        table = new_table(self._header)
        table.deal(self._deal)
        for event in events:
            apply(table, event)
        return table


def branch(rng: Random, table: Table, steps: int) -> list[Event]:
    """What unruly seats make of a position, which is changed by it.

    They wait until none of them could have had a part in what was played there last.
    """
    referee = Referee(table)
    outcomes = referee.settle(table.t)
    t = table.t + table.rules.tie_window_ms
    for _ in range(steps):
        if table.ended:
            break
        t += random_gap(rng, table.rules)
        outcomes += referee.offer(t, random_action(rng, referee))
    outcomes += [] if table.ended else referee.settle(t + table.rules.tie_window_ms)
    events = [outcome.event for outcome in outcomes if isinstance(outcome, Settled)]
    ends = (place for place, event in enumerate(events, 1) if isinstance(event, End))
    return events[: next(ends, None)]
