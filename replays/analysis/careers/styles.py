"""A player's style in words, only where it lies clearly apart from everybody else's.

Every figure is adjusted for who sat opposite (`careers.adjusting`), shrunk towards the usual one
by how much players differ at all, and named only if it is noticeable too: over many matches even
trifling differences become certain. The more words are tried, the more are right by chance, so
they are chosen together: of the words told, at most `FALSE` are expected to be false (Benjamini
and Hochberg, 1995), and where a player is like all others, so is the chance of any word.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import fmean
from typing import Final, NamedTuple

from replays.analysis.careers.adjusting import Adjusted, Effects, Row, Tables, Who, adjusted
from replays.analysis.careers.figures import FIGURES, Figure, MatchFigures, columns
from replays.analysis.careers.intervals import Estimate, quantile, tail

NOTICEABLE: Final = 0.05
"""The least difference, as a share of the usual figure."""
FALSE: Final = 0.05
"""The share of the words told that may be false."""
WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "cards_a_take": ("takes early", "waits for big stacks"),
    "fed": ("starves others", "feeds others"),
    "draws": ("draws little", "draws a lot"),
    "plays": ("plays slowly", "plays fast"),
    "reaction": ("reacts quickly", "reacts slowly"),
    "races": ("loses races", "wins races"),
    "missed": ("misses few takes", "misses many takes"),
    "mistakes": ("makes few mistakes", "makes many mistakes"),
}
"""What a figure below and above the usual one is called."""
_NAMED: Final = tuple(figure for figure in FIGURES if figure.key in WORDS)


class Seated(NamedTuple):
    """A seat of a match, and what it contributes to figures."""

    match: int
    player: str
    kind: str
    """Human or bot."""
    entry: MatchFigures

    @property
    def who(self) -> Who:
        """Whom figures and effects are counted for."""
        return self.player, self.kind


def tables_of(seats: Sequence[Seated]) -> dict[int, list[Who]]:
    """Who sat in each match."""
    tables: dict[int, list[Who]] = defaultdict(list)
    for seat in seats:
        tables[seat.match].append(seat.who)
    return tables


class Trait(NamedTuple):
    """A way in which somebody plays unlike the others."""

    words: str
    figure: Figure
    own: float
    usual: Estimate
    """What others have against the same opponents, and how far that is chance."""

    @property
    def evidence(self) -> str:
        """The figures behind it."""
        figure, own = self.figure, Estimate(self.own, None, None, self.usual.matches)
        return (
            f"{figure.title}: {figure.value(own)}; usual against the same opponents "
            f"{figure.value(self.usual)} ({figure.interval(self.usual)})"
        )


def traits(own: Sequence[Seated], seats: Sequence[Seated], tables: Tables) -> list[Trait]:
    """The traits of the player whose seats are `own`, by figure.

    `seats`: everybody else's; `tables`: who sat in all of these matches, the player too.
    """
    scales, by_figure = _scales(seats), dict[str, Adjusted]()
    opposing = _opposing([*seats, *own], tables)
    mine = _rows(own, scales, opposing)
    for key, rows in _rows(seats, scales, opposing).items():
        if mine.get(key) and (measured := adjusted(Effects(rows, tables), mine[key], tables)):
            by_figure[key] = measured
    told = _told({key: _doubt(difference) for key, difference in by_figure.items()})
    return [
        _trait(figure, by_figure[figure.key], len(own)) for figure in _NAMED if figure.key in told
    ]


def _trait(figure: Figure, difference: Adjusted, matches: int) -> Trait:
    words, factor = WORDS[figure.key][difference.own > difference.usual], figure.factor
    either = quantile(difference.freedom) * difference.error
    usual, low, high = (factor * (difference.usual + side * either) for side in (0, -1, 1))
    return Trait(
        words, figure, difference.own * factor, Estimate(usual, max(0.0, low), high, matches)
    )


def _doubt(difference: Adjusted) -> float:
    """The probability of such a difference by chance, if the real one is hardly noticeable."""
    spared = difference.spread**2 / (difference.spread**2 + difference.error**2)
    if not spared:
        return 1.0
    size, error = spared * abs(difference.own - difference.usual), sqrt(spared) * difference.error
    least = NOTICEABLE * abs(difference.usual)
    return tail((size - least) / error, difference.freedom) + tail(
        (size + least) / error, difference.freedom
    )


def _told(doubts: Mapping[str, float]) -> set[str]:
    """Which figures are told apart, so that at most `FALSE` of them are expected to be false."""
    ranked = sorted(doubts, key=doubts.__getitem__)
    passing = [
        place for place, key in enumerate(ranked, 1) if doubts[key] <= FALSE * place / len(WORDS)
    ]
    return set(ranked[: max(passing, default=0)])


def _scales(seats: Sequence[Seated]) -> dict[str, float]:
    """The usual size of each figure's divisor, so that a usual match weighs 1."""
    of = columns(seat.entry for seat in seats)
    means = {figure.key: fmean(of[figure.bottom]) for figure in _NAMED if of}
    return {key: mean for key, mean in means.items() if mean}


def _opposing(seats: Sequence[Seated], tables: Tables) -> dict[tuple[int, Who], float]:
    """By match and seat, how much more than usual the others there play in a minute."""
    of = columns(seat.entry for seat in seats)
    plays: dict[Who, float] = defaultdict(float)
    minutes: dict[Who, float] = defaultdict(float)
    for seat, played, lasted in zip(seats, of["plays"], of["minutes"], strict=True) if of else ():
        plays[seat.who] += played
        minutes[seat.who] += lasted
    pace = {who: plays[who] / lasted for who, lasted in minutes.items() if lasted}
    usual = fmean(pace.values()) if pace else 0.0
    opposing = {}
    for match, table in tables.items():
        ahead = {who: pace.get(who, usual) - usual for who in table}
        for who in table:
            opposing[match, who] = (sum(ahead.values()) - ahead[who]) / max(1, len(ahead) - 1)
    return opposing


def _rows(
    seats: Sequence[Seated],
    scales: Mapping[str, float],
    opposing: Mapping[tuple[int, Who], float],
) -> dict[str, list[Row]]:
    """Each figure of each seat; a seat without anything to divide by says nothing."""
    of, rows = columns(seat.entry for seat in seats), dict[str, list[Row]]()
    for figure in _NAMED if of else ():
        if figure.key in scales:
            sides = zip(seats, of[figure.top], of[figure.bottom], strict=True)
            rows[figure.key] = [
                Row(
                    seat.match,
                    seat.who,
                    top / bottom,
                    bottom / scales[figure.key],
                    opposing[seat.match, seat.who],
                )
                for seat, top, bottom in sides
                if bottom
            ]
    return rows
