"""Accounts of matches, and how much of a winner's rise the moments tell.

Matches of a fresh seed. First any: does every account add up? Then tables of equals, whose
difference over luck should have a standard deviation of 1. Then how much of the winner's rise, from
the first deal to the result, the moments tell. Last, tables of four equals of whom the first has
one weakness: which line of its account does that move? MATCHES=1000 and SEED=… ask for others.
"""

import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from random import Random
from statistics import fmean, median, stdev
from typing import Final

from games.bots.roster import TEMPERS, BotSpec
from games.bots.simulate import Setting
from games.bots.simulate import lines as simulated
from games.bots.skill import LEVELS
from games.engine.editions import EDITIONS
from games.records.log import Header
from replays.analysis.account import SeatAccount, accounts, taken_stacks
from replays.analysis.findings import Findings
from replays.analysis.moments import Moment
from replays.analysis.windows import windows
from replays.timeline import Timeline
from replays.training.weaknesses import Weakness, played
from tests.bench.measure import say

MATCHES: Final = int(os.environ.get("MATCHES", "200"))
SEED: Final = int(os.environ.get("SEED", "118347"))
_LINES: Final = ("difference", "share", "alone", "wilds", "left")
TOLD: Final = 5
"""Every so many matches have their moments looked at, which takes longer."""
_PLANTED: Final = {
    "takes 0.4 s late": Weakness(takes=0.4),
    "leaves 40% of takes": Weakness(choice=0.4),
    "overlooks half as much again": Weakness(plays=0.4),
    "lags by 0.15 s": Weakness(line=0.15),
    "a hand slower by a sixth": Weakness(speed=0.15),
    "discards 5s and wilds, 40%": Weakness(discards=0.4),
    "nothing": Weakness(),
}
_AN_EVENT: Final = frozenset(("take", "play", "tie", "out", "race", "missed_take", "lead"))


def bench() -> None:
    """Print what does not add up, the deviation among equals, and the share that is told."""
    wrong = sum(not _adds_up(_match("any", index)) for index in range(MATCHES))
    say(f"  {MATCHES} matches: {wrong} accounts do not add up")
    ratios: dict[int, list[float]] = defaultdict(list)
    for index in range(MATCHES):
        timeline = _match("equals", index)
        for seat in _account(timeline):
            if seat.luck:
                ratios[len(timeline.names)].append((seat.rivals - seat.share) / seat.luck)
    for seats, values in sorted(ratios.items()):
        say(f"  {seats} equals: difference / luck has SD {_deviation(values):.2f}")
    every = [value for values in ratios.values() for value in values]
    beyond = fmean(abs(value) > 2 for value in every)
    say(f"  all equals: SD {_deviation(every):.2f}, beyond two in {beyond:.1%}")
    for kind in ("any", "equals"):
        shares = [_told(_match(kind, index)) for index in range(0, MATCHES, TOLD)]
        known = [share for share in shares if share is not None]
        half = fmean(share >= 0.5 for share in known)
        error = sqrt(half * (1 - half) / len(known))
        said = f"median {median(known):.2f}, at least half in {half:.0%} ± {error:.0%}"
        say(f"  moments tell of the winner's rise ({kind}, {len(known)} matches): {said}")
    for weakness in _PLANTED:
        lines = zip(*(_apart(weakness, index) for index in range(MATCHES)), strict=True)
        say(f"  {weakness}, cards a match: {', '.join(map(_mean, _LINES, lines))}")


def _match(kind: str, index: int) -> Timeline:
    randomness = Random(f"account {SEED} {kind} {index}")
    edition, seats = randomness.choice(list(EDITIONS)), 2 + index % 4
    every = [BotSpec(temper, level) for temper in TEMPERS for level in LEVELS]
    one = randomness.choice(every)
    seated = tuple([one] * seats if kind == "equals" else randomness.sample(every, seats))
    header, *log = simulated(Setting(edition, EDITIONS[edition], seated, SEED), index)
    assert isinstance(header, Header)
    return Timeline.of([replace(header, tags=()), *log])  # as of people, whom no model knows


def _account(timeline: Timeline) -> list[SeatAccount]:
    return accounts(timeline, taken_stacks(timeline, [windows(p) for p in timeline.rounds]))


def _adds_up(timeline: Timeline) -> bool:
    seats = _account(timeline)
    sums = all(s.score == s.rivals + s.alone + s.wilds + s.left for s in seats)
    zero = abs(sum(seat.rivals - seat.share for seat in seats)) < 1e-9
    return sums and zero and [seat.score for seat in seats] == list(timeline.totals)


def _apart(weakness: str, index: int) -> list[float]:
    """The weak seat's account less the mean of its table, in the order of the lines."""
    randomness = Random(f"planted {SEED} {weakness} {index}")
    spec = BotSpec(randomness.choice(list(TEMPERS)), randomness.choice(LEVELS))
    seated = (spec, _PLANTED[weakness]), *[(spec, Weakness())] * 3
    name, edition = f"{weakness} {SEED} {index}", randomness.choice(list(EDITIONS))
    seats = _account(played(name, edition, seated))
    lines = [(s.rivals - s.share, s.share, s.alone, s.wilds, s.left) for s in seats]
    return [line[0] - fmean(line) for line in zip(*lines, strict=True)]


def _mean(name: str, values: Sequence[float]) -> str:
    return f"{name} {fmean(values):+.1f} ± {stdev(values) / sqrt(len(values)):.1f}"


def _deviation(values: list[float]) -> float:
    """About 0, which is the mean at any table."""
    return sqrt(fmean(value * value for value in values))


def _told(timeline: Timeline) -> float | None:
    """The share of the winner's rise that moments tell. None without one winner."""
    found = Findings(timeline)
    winners = timeline.result.winners if timeline.result else ()
    if len(winners) != 1:
        return None
    (winner,) = winners
    swings = {swing.seq: swing.change(winner) for swing in found.swings}
    told = sum(_change(moment, winner, swings) for moment in found.moments)
    return told / (1 - found.curve[0].p[winner])


def _change(moment: Moment, winner: int, swings: dict[int, float]) -> float:
    """What a moment tells of the winner's chance."""
    if moment.kind in {"run", "result"} or (moment.kind == "feed" and moment.seats[0] == winner):
        return moment.delta
    return swings.get(moment.seq, 0.0) if moment.kind in _AN_EVENT else 0.0
