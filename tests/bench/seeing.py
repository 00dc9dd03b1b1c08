"""Screens: of the events of a match, how many reached a screen within the band that is told.

Lines are made up: matches of the site's bots, in which each seat's `seen` is what would have
arrived over a line of its own, with delays of both ways and in order.
FRESH=12 asks for so many matches a line, SEED=… for others.
"""

import os
from collections.abc import Callable, Sequence
from itertools import accumulate
from math import exp, log
from random import Random
from statistics import median
from typing import Final, NamedTuple

from games.bots.roster import mixed
from games.bots.simulate import Setting
from games.bots.simulate import lines as simulated
from games.engine.cards import OWNER
from games.engine.editions import EDITIONS
from games.engine.events import Event, Late, Miss, Play, Tie
from replays.analysis.lag import settled_at
from replays.analysis.screens import Way, arrivals, ways
from replays.timeline import Round, Timeline
from tests.bench.measure import tell

FRESH: Final = int(os.environ.get("FRESH", "12"))
SEED: Final = int(os.environ.get("SEED", "51877"))
HOST_MS: Final = 4
"""From a decision to its frame."""


class Line(NamedTuple):
    """A player's line: medians each way in ms, and the deviation of their logarithms."""

    down: float
    up: float
    spread: float


LINES: Final = {
    "fibre, 20 ms": Line(10, 10, 0.1),
    "80 ms": Line(40, 40, 0.15),
    "80 ms, wireless": Line(40, 40, 0.5),
    "200 ms": Line(100, 100, 0.2),
    "400 ms, mobile": Line(200, 200, 0.4),
    "80 ms, down 46, up 34": Line(46, 34, 0.15),
    "200 ms, down 85, up 115": Line(85, 115, 0.2),
    "200 ms, down 65, up 135": Line(65, 135, 0.2),
    "200 ms, down 135, up 65": Line(135, 65, 0.2),
    "80 ms, down 20, up 60": Line(20, 60, 0.15),
    "200 ms, down 50, up 150": Line(50, 150, 0.2),
    "200 ms, down 150, up 50": Line(150, 50, 0.2),
    "400 ms, mobile, down 100, up 300": Line(100, 300, 0.4),
    "400 ms, mobile, down 130, up 270": Line(130, 270, 0.4),
}


class Held(NamedTuple):
    """Of so many events, how many arrived within the band, and its width in ms."""

    within: int
    of: int
    width: float


def bench() -> None:
    """Print the share of events within the band, for each line."""
    for name, line in LINES.items():
        _tell(name, [match_over(line, index) for index in range(FRESH)])
    randomness = Random(SEED)
    matches = [match_over(_any(randomness), index) for index in range(4 * FRESH)]
    _tell("20 to 400 ms, at random", matches)


def _any(randomness: Random) -> Line:
    """A line, even or not, steady or not."""
    one_way, uneven = exp(randomness.uniform(log(10), log(200))), exp(randomness.gauss(0, 0.15))
    return Line(one_way * uneven, one_way / uneven, randomness.choice((0.1, 0.2, 0.35, 0.5)))


def _tell(name: str, matches: Sequence[Held]) -> None:
    within, of = sum(match.within for match in matches), sum(match.of for match in matches)
    width = median(match.width for match in matches)
    tell(f"{name}: in a band of {width:.0f} ms", 100 * within / of, "%", "95")


def match_over(line: Line, index: int) -> Held:
    """The events of a match in which seat 0 plays over that line."""
    randomness = Random(f"screens {SEED}/{index}")
    rules = EDITIONS["usaopoly-2009"]
    played = simulated(Setting("usaopoly-2009", rules, mixed(4), SEED), index)
    timeline = Timeline.of(played)
    arrived = [_over(line, timeline, number, randomness) for number in range(len(timeline.rounds))]
    way = ways(timeline, [None] * 4)[0]
    return held(timeline.rounds, 0, way, arrived)


def held(
    rounds: Sequence[Round], seat: int, way: Way | None, arrived: Sequence[Sequence[float | None]]
) -> Held:
    """Hold the band of a seat against when each event arrived; None: that is not known."""
    within, widths = 0, list[int]()
    for played, stamps in zip(rounds, arrived, strict=True):
        band = arrivals(played, seat, way)
        assert band
        for low, high, stamp in zip(band.low, band.high, stamps, strict=True):
            if stamp is not None:
                within += low <= stamp <= high
                widths.append(high - low)
    return Held(within, len(widths), median(widths) if widths else 0)


def _over(line: Line, timeline: Timeline, number: int, randomness: Random) -> list[float]:
    """When each event of a round arrives at seat 0, whose tries get the `seen` of that line."""
    played = timeline.rounds[number]
    settled = settled_at(played.events, timeline.header.rules)

    def delay(typical: float) -> float:
        return randomness.lognormvariate(log(typical), line.spread)

    arrived = list(accumulate((at + HOST_MS + delay(line.down) for at in settled), max))
    for at, event in enumerate(played.events):
        played.events[at] = _seen(event, lambda t: sum(a <= t - delay(line.up) for a in arrived))
    return arrived


def _seen(event: Event, at: Callable[[int], int]) -> Event:
    """The event with what seat 0 had seen."""
    if isinstance(event, Play | Late | Miss) and event.seat == 0:
        return event._replace(seen=at(event.t))
    if isinstance(event, Tie) and event.seen:
        seen = tuple(
            at(event.t + after) if OWNER[card] == 0 else shown
            for card, after, shown in zip(event.cards, event.after, event.seen, strict=True)
        )
        return event._replace(seen=seen)
    return event
