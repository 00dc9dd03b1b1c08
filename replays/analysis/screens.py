"""Screens: when each event of a round reached a seat's screen, and how sure that is.

A seat's tries record the state of its screen (`seen`), so each gives bounds for its round trip, as
in `replays.analysis.lag`. Every plausible median and spread of a line is weighed by how well it
explains them all. Together they give the time of an event one way: about half of the round trip.
The difference between the two ways is not in the log (`UNLIKE`). The seat's own tries narrow it:
events that a try had seen had arrived before it, and the next event only after the movement.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import erf, exp, log, sqrt
from typing import Final, NamedTuple

from replays.analysis.lag import Span, bounds, settled_at, tries
from replays.timeline import Round, Timeline

SURE: Final = 0.95
"""How likely an event reaches a screen between `low` and `high`."""
UNLIKE: Final = 0.6
"""The standard deviation of a line's share one way, as a logarithm: wide enough for lines that take
three times as long one way as the other."""
UNEVEN: Final = 2
"""A round trip's variance one way, as logarithms, if both ways vary alike."""
_MEDIANS: Final = tuple(4 * 1.15**step for step in range(46))
_SPREADS: Final = (0.03, 0.08, 0.16, 0.3, 0.5)
"""Medians of a round trip in ms, and standard deviations of its logarithm."""
_STRAY: Final = 0.02
"""So many tries say nothing: a connection stalled, or a movement waited for another."""
_MEASURED: Final = 0.2
"""How far a measured lag is off, as a logarithm."""
_MOST_TRIES: Final = 150


class Way(NamedTuple):
    """How long events take to a screen, in ms: the edges of `SURE`, and the median."""

    low: int
    likely: int
    high: int


class Arrivals(NamedTuple):
    """For each event of a round, when it reached a screen: ms in the round, never falling."""

    low: list[int]
    likely: list[int]
    high: list[int]


def ways(timeline: Timeline, lags: Sequence[float | None]) -> list[Way | None]:
    """Each seat's way. None if unknown. `lags`: as measured while the match was live."""
    spans = bounds(timeline)
    return [_way(span, lag) for span, lag in zip(spans, lags, strict=True)]


def screens(played: Round, ways: Sequence[Way | None]) -> list[Arrivals | None]:
    """When a round's events reached each seat's screen."""
    return [arrivals(played, seat, way) for seat, way in enumerate(ways)]


def arrivals(played: Round, seat: int, way: Way | None) -> Arrivals | None:
    """When a round's events reached a seat's screen. None if unknown."""
    if way is None:
        return None
    settled = settled_at(played.events, played.header.rules)
    low, high = [at + way.low for at in settled], [at + way.high for at in settled]
    for who, t, seen in tries(played.events):
        if who == seat and seen <= len(settled):
            if seen:
                high[seen - 1] = min(high[seen - 1], t)
            if seen < len(settled):
                low[seen] = max(low[seen], t - way.high)
    high = list(accumulate(reversed(high), min))[::-1]
    low = [min(edges) for edges in zip(accumulate(low, max), high, strict=True)]
    middle = zip(settled, low, high, strict=True)
    likely = accumulate((min(max(at + way.likely, a), b) for at, a, b in middle), max)
    return Arrivals(low, list(likely), high)


def _way(spans: Sequence[Span], lag: float | None) -> Way | None:
    if not spans and lag is None:
        return None
    step = max(1, len(spans) // _MOST_TRIES)
    weighed = list(_weighed(spans[::step], lag))
    most = max(weight for weight, _, _ in weighed)
    lines = [(exp(weight - most), m, s) for weight, m, s in weighed if weight > most - 12]
    edge = (1 - SURE) / 2
    return Way(*(round(_quantile(lines, share)) for share in (edge, 0.5, 1 - edge)))


def _weighed(spans: Sequence[Span], lag: float | None) -> Iterator[tuple[float, float, float]]:
    """The logarithm of how well each median and spread of a round trip explain the tries."""
    edges = [(log(max(low, 0.5)), log(max(high, 1))) for low, high in spans]
    for median in _MEDIANS:
        middle = log(median)
        prior = 0.0 if lag is None else -0.5 * ((middle - log(max(lag, 1))) / _MEASURED) ** 2
        for spread in _SPREADS:
            explained = prior
            for low, high in edges:
                share = _below((high - middle) / spread) - _below((low - middle) / spread)
                explained += log(_STRAY + (1 - _STRAY) * share)
            yield explained, median, spread


def _quantile(lines: Sequence[tuple[float, float, float]], share: float) -> float:
    """The time one way that is exceeded in all but `share` of cases, by these round trips."""
    whole = sum(weight for weight, _, _ in lines)
    ways_ = [(weight, log(m / 2), sqrt(UNEVEN * s * s + UNLIKE**2)) for weight, m, s in lines]
    low, high = 0.0, log(4 * _MEDIANS[-1])
    for _ in range(14):
        middle = (low + high) / 2
        below = sum(weight * _below((middle - m) / s) for weight, m, s in ways_)
        low, high = (middle, high) if below < share * whole else (low, middle)
    return exp(high)


def _below(deviations: float) -> float:
    """The share of a normal distribution below so many standard deviations."""
    return (1 + erf(deviations / sqrt(2))) / 2
