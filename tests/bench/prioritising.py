"""Whether players are told what costs them most: bots whose weakness is known, and bots without.

Fresh matches of four. A bot of any kind with one weakness sits with three of the same kind that
have none: is it told, and told first? And four of a kind: whatever one of them is told is false.
FRESH=40 asks for so many matches of each bot, SEED=… for others. It takes some minutes.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import Final

from games.bots.roster import TEMPERS, BotSpec
from games.bots.skill import LEVELS
from games.engine.editions import EDITIONS
from replays.analysis.careers.priorities import Priced, priorities
from replays.analysis.lag import lags
from replays.analysis.weaknesses.signs import KINDS
from replays.analysis.weaknesses.worth import costs
from replays.training.weaknesses import Weakness, played
from tests.bench.measure import say, tell

FRESH: Final = int(os.environ.get("FRESH", "40"))
SEED: Final = int(os.environ.get("SEED", "550917"))
CAREERS: Final = (5, 10, 20)
BOTS: Final = 10
"""How many bots have each weakness."""
WEAK: Final = Weakness(
    speed=0.15, takes=0.4, plays=0.4, wilds=60, choice=0.4, mistakes=0.1, line=0.15
)
"""How weak: each of them one of these."""
_SEATS: Final = 4
_KINDS: Final = tuple(BotSpec(temper, level) for temper in TEMPERS for level in LEVELS)

Seated = tuple[BotSpec, Weakness]
Asked = tuple[str, str, tuple[Seated, ...]]
Matches = list[Priced]
"""A seat's."""


def bench() -> None:
    """Print how often each weakness is told, first or at all, and how often any false one."""
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for kind in KINDS:
            _weak(kind, [_seats(pool, asked)[0] for asked in _with(kind)])
        alike = [seat for spec in _KINDS for seat in _seats(pool, _alike(spec))]
    for length in CAREERS:
        told = [bool(priorities(career)) for career in _careers(alike, length)]
        name = f"{length} matches: of {len(told)} among equals, any"
        tell(name, 100 * sum(told) / max(1, len(told)), "%", "under 5")


def _with(kind: str) -> Iterator[list[Asked]]:
    """The matches of each bot that has this weakness."""
    place, randomness = KINDS.index(kind), Random(f"priorities {SEED} {kind}")
    values = [WEAK[at] if at == place else 0.0 for at in range(len(KINDS))]
    for spec in randomness.sample(_KINDS, BOTS):
        seated = (spec, Weakness(*values)), *[(spec, Weakness())] * (_SEATS - 1)
        yield _matches(f"{kind} {spec}", seated)


def _alike(spec: BotSpec) -> list[Asked]:
    return _matches(f"alike {spec}", ((spec, Weakness()),) * _SEATS)


def _matches(name: str, seated: tuple[Seated, ...]) -> list[Asked]:
    editions = Random(f"{SEED} {name}").choices(list(EDITIONS), k=FRESH)
    return [(f"{SEED} {name} {at}", edition, seated) for at, edition in enumerate(editions)]


def _seats(pool: ProcessPoolExecutor, asked: Sequence[Asked]) -> list[Matches]:
    """The matches of each seat."""
    return [list(of_seat) for of_seat in zip(*pool.map(_priced, asked), strict=True)]


def _priced(asked: Asked) -> list[Priced]:
    match = played(*asked)
    return [Priced(0, len(match.rounds), one) for one in costs(match, lags(match))]


def _careers(seats: Sequence[Matches], length: int) -> list[Matches]:
    """Careers of that many matches, no match in two of the same seat."""
    return [
        matches[since : since + length]
        for matches in seats
        for since in range(0, len(matches) - length + 1, length)
    ]


def _weak(kind: str, seats: Sequence[Matches]) -> None:
    say(f"  {kind}")
    for length in CAREERS:
        found = [[one.kind for one in priorities(career)] for career in _careers(seats, length)]
        first = Counter(told[0] if told else "nothing" for told in found)
        at_all = sum(kind in told for told in found)
        others = ", ".join(f"{name} {n}" for name, n in first.most_common() if name != kind)
        count = max(1, len(found))
        say(
            f"    {length:>2} matches: told first {100 * first[kind] / count:5.1f} %, "
            f"at all {100 * at_all / count:5.1f} % of {len(found)}; first instead: {others or '–'}"
        )
