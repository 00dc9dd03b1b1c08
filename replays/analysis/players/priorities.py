"""A player's main weaknesses: the costliest, compared with players of their strength.

Strength is the cost of all a player's weaknesses against the others there. Among players of
different strength, each kind usually has its share of that cost (`Worth.usual`). A cost beyond that
share sets a player apart from others of the same strength, measured by the other kinds. So no one
is advised to be quicker merely because the others at the table are better at everything. Luck does
not count either, as it would if strength were the score. This ranks what to do next. It is never
subtracted between two times: mending one kind would make another look worse (`progress`).

A weakness is shown if it had a cost in so many matches that chance is an unlikely reason: beyond
two standard errors, beyond that share and against the others at the table alike. With all kinds
tried together (Holm, 1979), at most `FALSE` of players see a
false one.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from replays.analysis.players.signs import KINDS
from replays.analysis.players.spans import Gain, Mean, Spans, between_equals
from replays.analysis.players.worth import Cost, beyond, worth

FEWEST: Final = 8
"""The fewest matches that show any."""
PRESENT: Final = 100
"""The most matches read: earlier ones say little about the present."""
FALSE: Final = 0.05
MAX_PRIORITIES: Final = 3
LEAST: Final = 2.0
"""Points a match: less is not worth a word."""
ERRORS: Final = 2


class Priced(NamedTuple):
    """A match of a player: its rounds, and the cost of each kind."""

    match: int
    rounds: int
    costs: Mapping[str, Cost]

    def beyond(self) -> list[float]:
        """Each kind's cost beyond its usual share, in the order of `KINDS`."""
        fitted = worth()
        points = [self.costs[name].points for name in KINDS]
        return beyond(points, fitted.usual, fitted.tells)


class Priority(NamedTuple):
    """A weakness: the gain without it, the player's own figure and that of the others at the same
    tables, and the match where it showed most."""

    kind: str
    gain: Gain
    own: float
    others: float
    shown: Priced
    matches: int

    @property
    def cost(self) -> Cost:
        """Its cost in that match, and where it showed."""
        return self.shown.costs[self.kind]


class Career:
    """A player's matches, oldest first, and what each kind cost beyond strength in any of them."""

    def __init__(self, played: Sequence[Priced]) -> None:
        self.played = played
        rounds = [priced.rounds for priced in played]
        rows = zip(*(priced.beyond() for priced in played), strict=True) if played else ()
        self._beyond = {
            kind: Spans(column, between_equals(kind, rounds))
            for kind, column in zip(KINDS, rows, strict=False)
        }
        self._raw = {
            kind: Spans(
                [priced.costs[kind].points for priced in played], between_equals(kind, rounds)
            )
            for kind in self._beyond
        }

    def clear(self, end: int, since: Mapping[str, int] | None = None) -> dict[str, Mean]:
        """The kinds that are clear in the matches before `end`, the costliest first.

        `since`: a kind's first match, where it has changed since.
        """
        first = {kind: self._first(kind, end, since or {}) for kind in self._beyond}
        means = {
            kind: of.mean(first[kind], end)
            for kind, of in self._beyond.items()
            if end - first[kind] >= FEWEST
        }
        kinds = [
            kind
            for kind in _beyond_chance(means)
            if is_costly(self._raw[kind].mean(first[kind], end))
            and _worth_telling(kind, means[kind])
        ]
        return {kind: means[kind] for kind in sorted(kinds, key=lambda kind: means[kind].points)}

    def priorities(
        self, match: int | None = None, since: Mapping[str, int] | None = None
    ) -> list[Priority]:
        """At most `MAX_PRIORITIES`, the costliest first. None after too few matches.

        `match`: the match to show an example from, if it is among them.
        """
        end, found = len(self.played), []
        for kind, mean in list(self.clear(end, since).items())[:MAX_PRIORITIES]:
            played = self.played[self._first(kind, end, since or {}) :]
            here = [priced for priced in played if priced.match == match]
            found.append(_priority(kind, mean, played, here))
        return found

    @staticmethod
    def _first(kind: str, end: int, since: Mapping[str, int]) -> int:
        return max(since.get(kind, 0), end - PRESENT, 0)


def priorities(played: Sequence[Priced], match: int | None = None) -> list[Priority]:
    """Those of a career in which nothing has changed."""
    return Career(played).priorities(match)


def _beyond_chance(means: Mapping[str, Mean]) -> list[str]:
    ranked = sorted(means, key=lambda kind: means[kind].doubt)
    for place, kind in enumerate(ranked):
        if means[kind].doubt > FALSE / (len(KINDS) - place):
            return ranked[:place]
    return ranked


def is_costly(mean: Mean) -> bool:
    """Whether it cost enough, and surely."""
    return mean.points <= -max(LEAST, ERRORS * mean.error)


def _worth_telling(kind: str, mean: Mean) -> bool:
    """Whether it cost enough, and surely, whatever its price is off by."""
    return is_costly(mean) and mean.cost(kind).low > 0


def _priority(kind: str, mean: Mean, played: Sequence[Priced], here: Sequence[Priced]) -> Priority:
    places = [priced for priced in here or played if priced.costs[kind].round] or played
    shown = min(places, key=lambda priced: priced.costs[kind].points)
    own, others = (
        sum(getattr(priced.costs[kind], side) for priced in played) / len(played)
        for side in ("own", "others")
    )
    return Priority(kind, mean.cost(kind), own, others, shown, len(played))
