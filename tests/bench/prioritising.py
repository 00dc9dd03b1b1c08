"""Whether players are told what costs them most: bots whose weakness is known, and bots without.

Fresh matches of four. A bot of any kind with one weakness sits with three of the same kind that
have none: is it told, told first, and at its price? And four of a kind: whatever one of them is
told is false. Last, two tempers that follow the advice which they are mostly given, at tables of
any others: what is that really worth? FRESH=40 asks for so many matches of each bot (of these ten
times as many), BOTS=10 for so many bots with each weakness, SEED=… for others. It takes some
minutes.
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from random import Random
from statistics import fmean, variance
from typing import Final

from games.bots.base import Bot
from games.bots.builder import Builder
from games.bots.roster import TEMPERS, BotSpec
from games.bots.runner import Runner
from games.bots.skill import DEFAULT_LEVEL, LEVELS, network_lag, skill_of
from games.bots.view import PublicEvents, View
from games.engine.cards import FACE, WILD, Card
from games.engine.editions import EDITIONS
from games.engine.table import Table
from games.records.log import Header
from games.records.log import Seat as SeatLine
from replays.analysis.lag import lags
from replays.analysis.players.priorities import Priced, priorities
from replays.analysis.players.signs import KINDS, TAKES, WILDS
from replays.analysis.players.worth import costs
from replays.timeline import Timeline
from replays.training.bots import Seater
from replays.training.matches import PlannedMatch, lines
from replays.training.weaknesses import Weakness, played
from tests.bench.measure import say, tell

FRESH: Final = int(os.environ.get("FRESH", "40"))
SEED: Final = int(os.environ.get("SEED", "550917"))
CAREERS: Final = (8, 10, 20)
BOTS: Final = int(os.environ.get("BOTS", "10"))
"""How many bots have each weakness."""
WEAK: Final = Weakness(
    speed=0.15, takes=0.4, plays=0.4, wilds=60, choice=0.4, mistakes=0.1, discards=0.4, line=0.15
)
"""How weak: each of them one of these."""
SEATS: Final = 4
BOT_KINDS: Final = tuple(BotSpec(temper, level) for temper in TEMPERS for level in LEVELS)

Seated = tuple[BotSpec, Weakness]
Asked = tuple[str, str, tuple[Seated, ...]]
Matches = list[tuple[Priced, float]]
"""A seat's, and its points above the table's mean in each."""
_TALL: Final = 3


class LetsGo(Builder):
    """A builder that does not keep its wilds for tall stacks."""

    def worth(self, card: Card, slot: int, number: int | None, takes: bool) -> float:
        height = self.view.heights[slot]
        by_wild = takes and FACE[card] == WILD and height >= _TALL
        return 100 + height if by_wild else super().worth(card, slot, number, takes)


class TakesFirst(Runner):
    """A runner that takes before all else."""

    def worth(self, card: Card, slot: int, number: int | None, takes: bool) -> float:
        height = self.view.heights[slot]
        return 10 + height if takes else super().worth(card, slot, number, takes)


FOLLOWING: Final[dict[str, tuple[str, type[Bot], type[Bot]]]] = {
    "builders": (WILDS, Builder, LetsGo),
    "runners": (TAKES, Runner, TakesFirst),
}
"""Tempers, the kind that they are mostly told, and how it is when they follow that."""


def bench() -> None:
    """Print how often each weakness is told, first or at all, and how often any false one."""
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for kind in KINDS:
            _weak(kind, [_seats(pool, asked)[0] for asked in _with(kind)])
        alike = [seat for spec in BOT_KINDS for seat in _seats(pool, _alike(spec))]
    for length in CAREERS:
        told = [bool(priorities(career)) for career in _careers(alike, length)]
        name = f"{length} matches: of {len(told)} among equals, any"
        tell(name, 100 * sum(told) / max(1, len(told)), "%", "under 5")
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for name, (kind, *_) in FOLLOWING.items():
            _follow(name, kind, pool)


def _follow(name: str, kind: str, pool: ProcessPoolExecutor) -> None:
    """What the kind costs this temper, and by how much more it scores where it follows."""
    usual, other = (
        list(pool.map(_advised, [(name, follows, at) for at in range(10 * FRESH)], chunksize=8))
        for follows in (False, True)
    )
    rounds = sum(priced.rounds for priced, _ in usual)
    told = -sum(priced.beyond()[KINDS.index(kind)] for priced, _ in usual) / rounds
    before, after = ([score for _, scores in batch for score in scores] for batch in (usual, other))
    error = sqrt(variance(before) / len(before) + variance(after) / len(after))
    tell(f"{name}: told that {kind} cost", told, "points a round")
    tell("  following that really gains", fmean(after) - fmean(before), f"± {error:.2f}")


def _advised(asked: tuple[str, bool, int]) -> tuple[Priced, list[float]]:
    """The first seat's match priced, and its scores above the table's mean."""
    name, follows, index = asked
    randomness = Random(f"advised {SEED} {name} {index}")
    edition = randomness.choice(list(EDITIONS))
    others = [TEMPERS[randomness.choice(list(TEMPERS))] for _ in range(SEATS - 1)]
    seats = tuple(SeatLine(f"bot {seat + 1}", "bot") for seat in range(SEATS))
    header = Header(f"advised-{index}", edition, EDITIONS[edition], seats)
    _, usual, following = FOLLOWING[name]
    seaters = tuple(map(_seater, (following if follows else usual, *others)))
    match = Timeline.of(lines(PlannedMatch(header, seaters, randomness)))
    scores = [each_round.end.scores for each_round in match.rounds if each_round.end]
    priced = Priced(0, len(match.rounds), costs(match, lags(match))[0])
    return priced, [of_round[0] - fmean(of_round) for of_round in scores]


def _seater(bot: type[Bot]) -> Seater:
    def seat(table: Table, public: PublicEvents, place: int, own: Random) -> Bot:
        skill = skill_of(DEFAULT_LEVEL)
        return bot(View(table, public, place, skill.lag + network_lag(own)), skill, own)

    return seat


def _with(kind: str) -> Iterator[list[Asked]]:
    """The matches of each bot that has this weakness."""
    place, randomness = KINDS.index(kind), Random(f"priorities {SEED} {kind}")
    values = [WEAK[at] if at == place else 0.0 for at in range(len(KINDS))]
    for spec in randomness.sample(BOT_KINDS, BOTS):
        seated = (spec, Weakness(*values)), *[(spec, Weakness())] * (SEATS - 1)
        yield _matches(f"{kind} {spec}", seated)


def _alike(spec: BotSpec) -> list[Asked]:
    return _matches(f"alike {spec}", ((spec, Weakness()),) * SEATS)


def _matches(name: str, seated: tuple[Seated, ...]) -> list[Asked]:
    editions = Random(f"{SEED} {name}").choices(list(EDITIONS), k=FRESH)
    return [(f"{SEED} {name} {at}", edition, seated) for at, edition in enumerate(editions)]


def _seats(pool: ProcessPoolExecutor, asked: Sequence[Asked]) -> list[Matches]:
    """The matches of each seat."""
    return [list(of_seat) for of_seat in zip(*pool.map(priced_seats, asked), strict=True)]


def priced_seats(asked: Asked) -> Matches:
    match = played(*asked)
    mean, rounds = fmean(match.totals), len(match.rounds)
    seats = zip(costs(match, lags(match)), match.totals, strict=True)
    return [(Priced(0, rounds, by_kind), total - mean) for by_kind, total in seats]


def _careers(seats: Sequence[Matches], length: int) -> list[list[Priced]]:
    """Careers of that many matches, no match in two of the same seat."""
    return [
        [priced for priced, _ in matches[since : since + length]]
        for matches in seats
        for since in range(0, len(matches) - length + 1, length)
    ]


def _weak(kind: str, seats: Sequence[Matches]) -> None:
    place = KINDS.index(kind)
    all_of_them = [(-priced.beyond()[place], -score) for seat in seats for priced, score in seat]
    told_cost, cost = map(fmean, zip(*all_of_them, strict=True))
    say(f"  {kind}: told to cost {told_cost:.1f} points a match, really {cost:.1f}")
    for length in CAREERS:
        kinds = [
            [priority.kind for priority in priorities(career)] for career in _careers(seats, length)
        ]
        first = Counter(told[0] if told else "nothing" for told in kinds)
        at_all = sum(kind in told for told in kinds)
        others = ", ".join(f"{name} {n}" for name, n in first.most_common() if name != kind)
        count = max(1, len(kinds))
        say(
            f"    {length:>2} matches: told first {100 * first[kind] / count:5.1f} %, "
            f"at all {100 * at_all / count:5.1f} % of {len(kinds)}; first instead: {others or '–'}"
        )
