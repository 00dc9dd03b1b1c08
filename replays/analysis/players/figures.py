"""The figures of a player, each a ratio of sums over matches with its interval."""

from collections.abc import Iterable, Mapping, Sequence
from math import hypot
from typing import Final, NamedTuple

from games.engine.message import Message, decimal
from replays.analysis.players.counts import Counts
from replays.analysis.players.intervals import NORMAL, Estimate, estimate
from replays.analysis.players.points import TITLES, price_error

MINUTE_MS: Final = 60_000


class Figure(NamedTuple):
    """A figure's definition: Σ `top` / Σ `bottom`, over matches by the names of `columns`."""

    key: str
    title: Message
    top: str
    bottom: str
    unit: str = ""
    factor: float = 1
    digits: int = 1
    least: float | None = 0.0
    most: float | None = None
    price: float = 0.0
    """The standard error of its price, as a share."""

    def of(self, columns: Mapping[str, Sequence[float]]) -> Estimate | None:
        """The figure over matches, given as columns. None if there is nothing to measure."""
        share = self.most is not None
        estimated = estimate(columns[self.top], columns[self.bottom], share=share)
        if estimated is None:
            return None
        value, low, high, matches = estimated
        if low is not None and high is not None and self.price:
            low, high = (
                value + side * hypot(edge - value, NORMAL * self.price * value)
                for side, edge in ((-1, low), (1, high))
            )
        return Estimate(value * self.factor, self._bounded(low), self._bounded(high), matches)

    def _bounded(self, edge: float | None) -> float | None:
        """An edge of the interval, inside what is possible."""
        if edge is None:
            return None
        edge *= self.factor
        if self.least is not None:
            edge = max(edge, self.least)
        return edge if self.most is None else min(edge, self.most)

    def value(self, estimated: Estimate) -> Message:
        """The value, as `41%`."""
        return VALUES[self.unit].filled({"number": decimal(estimated.value, self.digits)})

    def interval(self, estimated: Estimate) -> Message | None:
        """Its interval, as `35 to 48%`, if there is one."""
        if estimated.low is None or estimated.high is None:
            return None
        low, high = (decimal(edge, self.digits) for edge in (estimated.low, estimated.high))
        return INTERVALS[self.unit].filled({"low": low, "high": high})


VALUES: Final = {
    "": Message("{number}"),
    "%": Message("{number}%"),
    "ms": Message("{number} ms"),
}
INTERVALS: Final = {
    "": Message("{low} to {high}"),
    "%": Message("{low} to {high}%"),
    "ms": Message("{low} to {high} ms"),
}


def _share(key: str, title: Message, top: str, bottom: str) -> Figure:
    return Figure(key, title, top, bottom, "%", 100, 0, 0.0, 100.0)


POINTS: Final = Figure("points", Message("Points per round"), "points", "rounds", least=None)
WON: Final = _share("won", Message("Matches won"), "won", "matches")
FIGURES: Final = (
    WON,
    POINTS,
    Figure(
        "difference",
        Message("Cards beyond an even share, a match"),
        "difference",
        "counted",
        least=None,
    ),
    Figure("takes", Message("Takes per round"), "takes", "counted_rounds"),
    Figure("cards_a_take", Message("Cards per take"), "take_cards", "takes"),
    _share("fed", Message("Own cards that others took"), "fed", "collected"),
    _share("missed", Message("Share of takes missed"), "missed", "chances"),
    Figure("plays", Message("Plays per minute"), "plays", "minutes"),
    Figure("reaction", Message("Reaction"), "reaction_ms", "reacted", "ms", digits=0),
    _share("races", Message("Races won"), "races_won", "races"),
    Figure(
        "mistakes", Message("Mistakes per 100 tries"), "misses", "tries", "", 100, 1, 0.0, 100.0
    ),
)
"""Every figure on a player's page but `PARTS`."""
PARTS: Final = tuple(
    Figure(f"by_{part}", title, f"by_{part}", "counted_rounds", least=None, price=price_error(part))
    for part, title in TITLES.items()
)
"""The parts of the points per round. Their intervals include the error of each part's worth."""

UNCOUNTED: Final = Counts._make([*(0 for _ in Counts._fields[1:]), None])
"""For a match that is not counted yet: in no round."""


class MatchFigures(NamedTuple):
    won: float
    points: float
    rounds: float
    counts: Counts = UNCOUNTED
    matches: float = 1

    @property
    def difference(self) -> float:
        """The cards of contested stacks that were taken beyond an even share."""
        return self.counts.rivals - self.counts.even_share

    @property
    def ahead(self) -> float:
        """The points above the table's average."""
        return self.points - self.counts.by_table


Columns = Mapping[str, Sequence[float]]


def columns(entries: Iterable[MatchFigures]) -> Columns:
    """The entries by field, with the fields that figures are ratios of."""
    rows = list(entries)
    if not rows:
        return {}
    counted = zip(*(row.counts for row in rows), strict=True)
    by_field: dict[str, Sequence[float]] = dict(zip(Counts._fields, counted, strict=True))
    by_field["counted_rounds"] = by_field["rounds"]
    by_field |= result_columns(rows)
    reactions = [row.counts.reaction_ms for row in rows]
    by_field["reaction_ms"] = [ms or 0 for ms in reactions]
    by_field["reacted"] = [ms is not None for ms in reactions]
    by_field["minutes"] = [ms / MINUTE_MS for ms in by_field["duration_ms"]]
    by_field["collected"] = _sums(by_field, "kept", "fed")
    by_field["chances"] = _sums(by_field, "takes", "missed")
    by_field["races"] = _sums(by_field, "races_won", "races_lost")
    by_field["counted"] = [bool(row.counts.rounds) for row in rows]
    by_field["difference"] = [row.difference for row in rows]
    by_field["by_rest"] = [
        row.points - sum(getattr(row.counts, f"by_{part}") for part in TITLES if part != "rest")
        if row.counts.rounds
        else 0
        for row in rows
    ]
    return by_field


def result_columns(entries: Iterable[MatchFigures]) -> Columns:
    """Those of the results alone."""
    rows = list(entries)
    names = ("won", "points", "rounds", "matches") if rows else ()
    return {name: [getattr(row, name) for row in rows] for name in names}


def _sums(by_field: Columns, first: str, other: str) -> list[float]:
    return [mine + its for mine, its in zip(by_field[first], by_field[other], strict=True)]


def figures(of: Columns, wanted: Sequence[Figure] = FIGURES) -> dict[str, Estimate]:
    """The figures that are defined, by key."""
    if not of:
        return {}
    estimates = ((figure.key, figure.of(of)) for figure in wanted)
    return {key: estimated for key, estimated in estimates if estimated is not None}
