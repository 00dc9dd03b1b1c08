"""Whether the events of variations could have happened: a second pass over a record.

Variations start from positions long past. So the record is read again, and its events are replayed
on one table. Where variations branch off they are judged on a copy of it, each together with the
branches along its own events. So every variation is read and played once, however deep, and there
are no more tables than levels.
"""

from collections import defaultdict
from typing import BinaryIO, NamedTuple

from games.engine.events import Deal, Event
from games.engine.facts import Fault, verify
from games.engine.message import message_of
from games.engine.table import Table, apply
from games.records.lines import Lines
from games.records.log import RecordFault, Variation
from games.records.notation import parse_line
from games.records.remarks import Branches


class _Place(NamedTuple):
    """Where in the file a variation waiting to be judged is."""

    id: str | None
    line: int
    offset: int
    size: int


_Root = tuple[int, str | None, int]
"""A round, the line in it that the branch leaves, and the event just before the branch."""


class Waiting:
    """The variations of a record, judged together once all of it has been read."""

    def __init__(self, file: BinaryIO, start: int, branches: Branches) -> None:
        self._file = file
        self._start = start
        self._branches = branches
        self._places: defaultdict[_Root, list[_Place]] = defaultdict(list)
        self._fault: RecordFault | None = None

    def remember(self, variation: Variation, line: int, offset: int, size: int) -> None:
        """Remember where a variation is. Its events are read again when it is judged."""
        root = self._branches.origin(variation.line, variation.event)
        place = _Place(variation.id, line, self._start + offset, size)
        self._places[variation.round, *root].append(place)

    def check(self, table: Table) -> None:
        """Raise RecordFault for the first line with a faulty variation, if any.

        `table`: the match's table before its first deal.
        """
        roots = sum(line is None for _, line, _ in self._places)
        if not roots:
            return
        self._file.seek(self._start)
        for number, raw in enumerate(Lines(self._file), 1):
            line = parse_line(raw, number)
            if isinstance(line, Deal):
                table.deal(line)
            elif isinstance(line, Event):
                apply(table, line)
            else:
                continue
            roots -= self._judge_at(table, None, table.events)
            if not roots:
                break
        if self._fault:
            raise self._fault

    def _judge_at(self, table: Table, line: str | None, event: int) -> bool:
        """Judge everything that branches from a line after an event. Returns whether any does."""
        places = self._places.get((table.round, line, event))
        for place in places or ():
            self._judge(table.copy(), place)
        return bool(places)

    def _judge(self, table: Table, place: _Place) -> None:
        for count, event in enumerate(self._read_variation(place).events, 1):
            try:
                verify(table, event)
            except Fault as fault:
                self._note(
                    RecordFault(
                        place.line,
                        "variation, event {number}: {fault}",
                        number=count,
                        fault=message_of(fault),
                    )
                )
                return  # later branches are further down in the file
            apply(table, event)
            if place.id:
                self._judge_at(table, place.id, table.events)

    def _note(self, fault: RecordFault) -> None:
        if self._fault is None or fault.line < self._fault.line:
            self._fault = fault

    def _read_variation(self, place: _Place) -> Variation:
        here = self._file.tell()
        self._file.seek(place.offset)
        line = parse_line(self._file.read(place.size), place.line)
        self._file.seek(here)
        assert isinstance(line, Variation)
        return line
