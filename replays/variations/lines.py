"""The lines of a match: the mainline of each round, and the variations with an id.

A place on a line is a number of its events. See `games.records.remarks`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from games.bots.rollout import Players
from games.bots.roster import bots_of
from games.engine.events import Event
from games.engine.facts import Fault, verify
from games.engine.table import Table, apply
from games.records.log import Line, Variation
from games.records.remarks import Remarks
from replays.timeline import Round, Timeline


class Place(NamedTuple):
    """The position after the first `event` events of a round, along a variation if one is given."""

    round: int
    event: int
    line: str | None = None


class MatchLines:
    """The known lines of a match. `add` takes anyone's variations, `remember` only valid ones.

    The timeline may lack its first rounds: nothing can be asked about those.
    """

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self._rounds = {played.number: played for played in timeline.rounds}
        self._remarks = Remarks(2, lambda _mark: True)
        self._own: dict[str, tuple[Event, ...]] = {}

    @classmethod
    def of(cls, record: Iterable[Line]) -> MatchLines:
        """The lines of a checked record."""
        record = list(record)
        lines = cls(Timeline.of(record))
        for line in record:
            if isinstance(line, Variation):
                lines.remember(line)
        return lines

    def add(self, variation: Variation) -> None:
        """Add anyone's variation. Raises Fault unless the record may contain it here."""
        place = Place(variation.round, variation.event, variation.line)
        self.verify(place)
        apply_verified(self.table(place), variation.events)
        self.remember(variation)

    def remember(self, variation: Variation) -> None:
        """Add a variation whose events are known to be valid."""
        last = self._rounds[max(self._rounds)]
        counts = [
            len(self._rounds[number].events) if number in self._rounds else 0
            for number in range(1, last.number + 1)
        ]
        self._remarks.take(variation, counts, last.number - (last.end is None))
        if variation.id:
            self._own[variation.id] = variation.events

    def __contains__(self, line: str) -> bool:
        return line in self._own

    def verify(self, place: Place) -> None:
        """Raise Fault unless there is such a place."""
        if place.round not in self._rounds:
            known = max(self._rounds, default=0)
            raise Fault(
                "round: expected one of the {last} played, found {found}",
                last=known,
                found=place.round,
            )
        branch = self._remarks.branches.get(place.line) if place.line is not None else None
        if place.line is not None and (branch is None or branch.round != place.round):
            raise Fault(
                "line: round {round} has no variation {line}", round=place.round, line=place.line
            )
        length = len(self.whole(place))
        if not 0 <= place.event <= length:
            raise Fault(
                "event: expected 0 to {length}, found {found}", length=length, found=place.event
            )

    def round(self, place: Place) -> Round:
        return self._rounds[place.round]

    def depth(self, line: str | None) -> int:
        """A line's depth. 0 for the mainline."""
        return self._remarks.branches.depth(line)

    def whole(self, place: Place) -> list[Event]:
        """All events of the place's line."""
        if place.line is None:
            return self._rounds[place.round].events
        branch = self._remarks.branches[place.line]
        before = self.whole(Place(place.round, 0, branch.line))[: branch.event]
        return [*before, *self._own[place.line]]

    def events(self, place: Place) -> list[Event]:
        return self.whole(place)[: place.event]

    def table(self, place: Place) -> Table:
        """The table of all facts at the place."""
        table = self._rounds[place.round].table()
        for event in self.events(place):
            apply(table, event)
        return table

    def players(self, place: Place) -> Players:
        """How everyone has played up to there, not counting variations."""
        players = Players(bots_of(self.timeline.header))
        for played in self.timeline.rounds:
            if played.number < place.round:
                players.read(played.events, played.table())
        begun = self._rounds[place.round]
        players.read(begun.events[: self.root(place).event], begun.table())
        return players

    def root(self, place: Place) -> Place:
        """Where the place's line leaves the mainline. On the mainline, the place itself."""
        line, event = place.line, place.event
        while line is not None:
            branch = self._remarks.branches[line]
            line, event = branch.line, min(event, branch.event)
        return Place(place.round, event)


def apply_verified(table: Table, events: Iterable[Event]) -> None:
    """Apply a variation's events to the table where it begins. Raises Fault."""
    for count, event in enumerate(events, 1):
        try:
            verify(table, event)
        except Fault as fault:
            raise Fault(
                "variation, event {number}: {fault}", number=count, fault=fault.said
            ) from None
        apply(table, event)
