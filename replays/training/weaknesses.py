"""The worth of weaknesses: bots get weaknesses at random, so nothing else goes with them.

`fitted` finds the constants of `replays.analysis.players.worth`: the effect of each weakness on
each sign and on the score, by least squares within tables, and from these the prediction of the
score by the signs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from math import exp
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from games.bots.base import Bot, Decision
from games.bots.roster import TEMPERS, BotSpec
from games.bots.skill import LEVELS, WHOLE, network_lag, skill_of
from games.bots.view import Candidate, PublicEvents, View
from games.engine.actions import Action, DiscardOne
from games.engine.cards import FACE, WILD, Card
from games.engine.editions import EDITIONS
from games.engine.table import Table
from games.records.log import Header
from games.records.log import Seat as SeatLine
from replays.analysis.lag import lags
from replays.analysis.players.signs import DISCARDS, KINDS, LINE, signs
from replays.analysis.players.worth import beyond
from replays.analysis.winning.position import FIVE
from replays.timeline import Timeline
from replays.training.bots import Seater, scaled
from replays.training.matches import PlannedMatch, lines

Floats = npt.NDArray[np.float64]
_HALF: Final = 0.5
_DIGITS: Final = 3
_SIZES: Final = (2, 3, 4, 5)
"""How many sit at a table."""


class Weakness(NamedTuple):
    """A bot's weaknesses, compared with its kind. The fields are in the order of `KINDS`."""

    speed: float = 0.0
    """All of its times are longer: by this logarithm."""
    takes: float = 0.0
    """Its hand takes so many seconds longer to take with a 5."""
    plays: float = 0.0
    """It overlooks what fits more often: by this logarithm."""
    wilds: float = 0.0
    """It plays no wild for so many seconds after it first could."""
    choice: float = 0.0
    """It leaves so large a share of the stacks that it sees it could take with a 5."""
    mistakes: float = 0.0
    """Of so large a share of its tries the card or the slot is wrong."""
    discards: float = 0.0
    """Of so large a share of its discards it throws away a 5 or a wild, if it has one."""
    line: float = 0.0
    """It sees everything so many seconds later."""


_MOST: Final = Weakness(0.25, 0.8, 0.5, 60, 0.5, 0.15, 0.5, 0.5)
DELAYS: Final = (0.05, 0.1, 0.2, 0.35, 0.5)
"""Lag that bots are given, in seconds."""


if TYPE_CHECKING:
    _Mixed = Bot
else:  # were the first base a compiled bot, too, the mixture would lack what its temper adds to it
    _Mixed = object


class _Weak(_Mixed):
    """The weaknesses that are no skill. Mixed with a temper."""

    weakness: Weakness
    _own: Random
    _from: dict[Card, int]
    _leaves: dict[int, tuple[int, bool]]
    """By slot, the height of the stack last seen there, and whether this bot leaves it."""

    def suffer(self, weakness: Weakness, own: Random) -> None:
        self.weakness, self._own = weakness, own

    def begin(self, now: int) -> int:
        self._from, self._leaves = {}, {}
        return super().begin(now)

    def pick(self, candidates: Sequence[Candidate]) -> Candidate | None:
        allowed = [
            candidate
            for candidate in candidates
            if not self._holds_back(candidate)
            and not (_by_five(candidate) and self._leaves_take(candidate))
        ]
        return super().pick(allowed) if allowed else None

    def _leaves_take(self, candidate: Candidate) -> bool:
        """One toss of a coin for each top of a stack."""
        _, slot, _, _ = candidate
        height = self.view.heights[slot]
        if self._leaves.get(slot, (0, False))[0] != height:
            self._leaves[slot] = height, self._own.random() < self.weakness.choice
        return self._leaves[slot][1]

    def _holds_back(self, candidate: Candidate) -> bool:
        card, *_ = candidate
        if FACE[card] != WILD or not self.weakness.wilds:
            return False
        since = self._from.setdefault(card, self.view.now)
        return self.view.now < since + 1_000 * self.weakness.wilds

    def _resolve(self, now: int, candidate: Candidate) -> Decision:
        action, arrival = super()._resolve(now, candidate)
        if action is None and _by_five(candidate):
            arrival += round(1_000 * self.weakness.takes)
        if self._intent is not None and self._own.random() < self.weakness.mistakes:
            card, slot, number = self._slip(*self._intent[:2])
            self._intent = (card, slot, number, self.view.tops[slot])
        return action, arrival

    def _idly(self) -> Action | None:
        action = super()._idly()
        if isinstance(action, DiscardOne) and self._own.random() < self.weakness.discards:
            takers = [card for card in self.view.hand if FACE[card] >= FIVE]
            return action._replace(card=takers[0]) if takers else action
        return action


def _by_five(candidate: Candidate) -> bool:
    card, _, _, takes = candidate
    return takes and FACE[card] != WILD


@cache
def _kind(temper: str) -> type[_Weak]:
    return cast(type[_Weak], type(f"Weak{temper}", (_Weak, TEMPERS[temper]), {}))


def weakened(spec: BotSpec, weakness: Weakness) -> Seater:
    """One of the site's bots with a weakness."""

    def seat(table: Table, public: PublicEvents, place: int, own: Random) -> Bot:
        skill = scaled(skill_of(spec.level), exp(weakness.speed))
        overlooks = min(WHOLE - 1, round(skill.overlooks * exp(weakness.plays)))
        lag = skill.lag + network_lag(own) + round(1_000 * weakness.line)
        skill = replace(skill, overlooks=overlooks)
        bot = _kind(spec.temper)(View(table, public, place, lag), skill, own)
        bot.suffer(weakness, Random(own.getrandbits(64)))
        return bot

    return seat


def played(name: str, edition: str, seated: Sequence[tuple[BotSpec, Weakness]]) -> Timeline:
    """A match between such bots, determined by its name."""
    header = Header(
        id=name,
        edition=edition,
        rules=EDITIONS[edition],
        seats=tuple(SeatLine(f"bot {seat + 1}", "bot") for seat in range(len(seated))),
        source="simulated",
    )
    seaters = tuple(weakened(spec, weakness) for spec, weakness in seated)
    return Timeline.of(lines(PlannedMatch(header, seaters, Random(name))))


class Seats(NamedTuple):
    """A match's seats: rows of weaknesses, signs, scores a round and levels, less their means."""

    weak: Floats
    signs: Floats
    scores: Floats
    levels: Floats
    rounds: int
    edition: str


def fitted(matches: int, seed: int, jobs: int) -> dict[str, Any]:
    """The content of `worth.json`."""
    with ProcessPoolExecutor(jobs) as pool:

        def all_of(draw: Callable[[int, int], Seats], count: int) -> list[Seats]:
            return list(pool.map(draw, [seed] * count, range(count), chunksize=8))

        drawn, equal = all_of(_random_match, matches), all_of(_equals, matches // 4)
        alone, mixed = all_of(_one_weak, 2 * matches), all_of(_one_who_discards, matches)
    in_signs, in_scores = _fit(drawn)
    kinds, line, discards = len(KINDS), KINDS.index(LINE), KINDS.index(DISCARDS)
    points: Floats = np.asarray(np.linalg.inv(in_signs[:kinds]) * in_scores[:kinds], dtype=float)
    points[:, line] *= _share(alone, points, line)[0]  # those who are slow anyway lose less by it
    points[:, discards] *= _share(mixed, points, discards)[0]  # and so do those who leave takes
    usual: Floats = np.asarray(in_signs[kinds] @ points, dtype=float)
    usual /= usual.sum()
    spread, tells = _spread(equal, points, usual)
    tables = ([seats for seats in alone if len(seats.scores) == size] for size in _SIZES)
    delay = np.array([_share(of_size, points, line)[0] for of_size in tables])
    errors = np.array([_error(alone, points, kind) for kind in range(kinds)])
    for of, kind in ((alone, line), (mixed, discards)):  # their prices were fitted to these matches
        errors[kind] = _apart_by_edition(of, points, kind)
    return {
        "about": {"seed": seed, "matches": matches, "kinds": list(KINDS)},
        "effects": dict(zip(KINDS, _rounded(in_scores[:kinds]), strict=True)),
        "points": [_rounded(row) for row in points],
        "usual": _rounded(usual),
        "tells": _rounded(tells),
        "spread": _rounded(spread),
        "errors": _rounded(errors),
        "delay": _rounded(delay),
    }


def _fit(drawn: Sequence[Seats]) -> tuple[Floats, Floats]:
    """The effects on the signs, and on the score."""
    sizes = np.concatenate([np.full(len(seats.scores), seats.rounds) for seats in drawn])[:, None]
    weak, estimates, scores, levels = (
        np.concatenate([getattr(seats, name) for seats in drawn])
        for name in ("weak", "signs", "scores", "levels")
    )
    causes = np.concatenate([weak, levels[:, None]], axis=1)
    return _effects(causes, estimates, sizes), _effects(causes, scores[:, None], sizes)[:, 0]


def _share(alone: Sequence[Seats], points: Floats, kind: int) -> tuple[float, float]:
    """What one seat's known weakness really costs at tables of equals, as a share of its cost by
    the signs, and the standard error."""
    rows = [seats for seats in alone if seats.weak[0][kind]]
    estimates = np.array([(seats.signs[0] @ points)[kind] for seats in rows])
    really = np.array([seats.scores[0] for seats in rows])
    rounds = np.array([seats.rounds for seats in rows])
    square = (rounds * estimates * estimates).sum()
    share = (rounds * estimates * really).sum() / square
    return share, np.sqrt(
        np.square(rounds * estimates * (really - share * estimates)).sum()
    ) / square


def _error(alone: Sequence[Seats], points: Floats, kind: int) -> float:
    """How far a kind's price is off at tables of equals, as a share of it."""
    share, error = _share(alone, points, kind)
    return float(np.hypot(share - 1, error))


def _apart_by_edition(alone: Sequence[Seats], points: Floats, kind: int) -> float:
    """How far a kind's price is off in a single edition: the root of the mean square."""
    tables = ([seats for seats in alone if seats.edition == edition] for edition in EDITIONS)
    return float(np.sqrt(np.mean([(_share(of, points, kind)[0] - 1) ** 2 for of in tables])))


def _effects(causes: Floats, outcomes: Floats, sizes: Floats) -> Floats:
    weighted = causes * sizes
    return np.asarray(np.linalg.solve(weighted.T @ causes, weighted.T @ outcomes), dtype=float)


def _spread(equal: Sequence[Seats], points: Floats, usual: Floats) -> tuple[Floats, Floats]:
    """The spread of unusual costs in a one-round match, and how well each predicts strength."""
    costs = np.concatenate([seats.signs @ points * np.sqrt(seats.rounds) for seats in equal])
    tells: Floats = usual / np.mean(np.square(costs), axis=0)
    apart = np.array([beyond(list(parts), list(usual), list(tells)) for parts in costs])
    return np.asarray(np.sqrt(np.mean(np.square(apart), axis=0)), dtype=float), tells


def _rounded(values: Floats) -> list[float]:
    return [float(f"{value:.{_DIGITS}g}") for value in values]


def _random_match(seed: int, index: int) -> Seats:
    randomness = Random(f"weaknesses {seed}/{index}")
    edition = randomness.choice(list(EDITIONS))
    seated = [(_any_bot(randomness), _any(randomness)) for _ in range(randomness.randrange(2, 6))]
    return _read_seats(played(f"weak-{seed}-{index}", edition, seated), seated)


def _equals(seed: int, index: int) -> Seats:
    randomness = Random(f"equals {seed}/{index}")
    edition = randomness.choice(list(EDITIONS))
    spec = _any_bot(randomness)
    seated = [(spec, Weakness())] * randomness.randrange(2, 6)
    return _read_seats(played(f"equal-{seed}-{index}", edition, seated), seated)


def _one_weak(seed: int, index: int) -> Seats:
    """A table of equals, of whom the first has one weakness: in half of the matches lag."""
    randomness = Random(f"one weak {seed}/{index}")
    edition = randomness.choice(list(EDITIONS))
    spec = _any_bot(randomness)
    values, place = [0.0] * len(KINDS), min(index % (2 * len(KINDS)), KINDS.index(LINE))
    large = randomness.uniform(0.5, 1.0) * _MOST[place]
    values[place] = randomness.choice(DELAYS) if KINDS[place] == LINE else large
    others = [(spec, Weakness())] * randomness.randrange(1, 5)
    seated = [(spec, Weakness(*values)), *others]
    return _read_seats(played(f"one-{seed}-{index}", edition, seated), seated)


def _one_who_discards(seed: int, index: int) -> Seats:
    """A table of any bots, of whom the first throws 5s and wilds away. Not of equals: where all
    keep their 4s, 5s are worth nothing."""
    randomness = Random(f"discards {seed}/{index}")
    edition = randomness.choice(list(EDITIONS))
    seated = [(_any_bot(randomness), Weakness()) for _ in range(randomness.randrange(2, 6))]
    seated[0] = seated[0][0], Weakness(discards=randomness.uniform(0.5, 1.0))
    return _read_seats(played(f"discards-{seed}-{index}", edition, seated), seated)


def _any_bot(randomness: Random) -> BotSpec:
    return BotSpec(randomness.choice(list(TEMPERS)), randomness.choice(LEVELS))


def _any(randomness: Random) -> Weakness:
    """Half of the weaknesses, each of a random size."""

    def sometimes(most: float) -> float:
        return randomness.uniform(0, most) if randomness.random() < _HALF else 0.0

    return Weakness(
        speed=randomness.uniform(-0.25, 0.25),
        takes=sometimes(0.8),
        plays=randomness.uniform(-0.5, 0.5),
        wilds=sometimes(60),
        choice=sometimes(0.5),
        mistakes=sometimes(0.15),
        discards=sometimes(0.5),
        line=randomness.choice((*DELAYS, *[0.0] * len(DELAYS))),
    )


def _read_seats(match: Timeline, seated: Sequence[tuple[BotSpec, Weakness]]) -> Seats:
    rounds = max(1, len(match.rounds))
    estimates = [[of_seat[kind].value for kind in KINDS] for of_seat in signs(match, lags(match))]
    return Seats(
        _less_mean([list(weakness) for _, weakness in seated]),
        np.array(estimates),
        _less_mean(list(match.totals)) / rounds,
        _less_mean([spec.level for spec, _ in seated]),
        rounds,
        match.header.edition,
    )


def _less_mean(values: Sequence[Any]) -> Floats:
    array = np.array(values, dtype=float)
    apart: Floats = array - array.mean(0)
    return apart
