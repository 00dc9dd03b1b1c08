"""The chance to win as it is told, in fresh matches of each kind, by groups, and what it costs.

Where the record names the site's bots, the same matches are judged without that too.

No model was fitted to matches of this seed. They are played here, which takes some minutes:
FRESH=300 asks for fewer of each kind, SEED=… for others, POPULATION=roster for one kind only.

A group's matches are split in two, and a logistic model of the points fitted to each half, that
judges the other: totals and points of the round against the best other seat's, as they are and by
how near the target is.
"""

import os
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from typing import Final, NamedTuple

import numpy as np

from games.engine.cards import SEATS
from games.engine.editions import EDITION_NAMES
from replays.analysis import Findings
from replays.analysis.leaving import STAYED, left_at
from replays.analysis.match_report import match_report
from replays.analysis.winning.chance import chance
from replays.analysis.winning.position import Position
from replays.analysis.winning.series import series
from replays.timeline import Timeline
from replays.training.bots import LEAVING, Leaving
from replays.training.fit import log_loss, softmax
from replays.training.matches import TARGETS, lines, plan
from replays.training.positions import Bools, Floats, filled, of_mix, shares, stops
from tests.bench.measure import say, spent, tell

FRESH: Final = int(os.environ.get("FRESH", "3000"))
SEED: Final = int(os.environ.get("SEED", "31"))
_KINDS: Final = "equals roster drifter people leaver stand_in stranger"
POPULATIONS: Final = os.environ.get("POPULATION", _KINDS).split()
AWAY_S: Final = (0, 5, 10, 15, 20, 30, 60)
BINS: Final = 10
GROUPS: Final = (
    "all",
    "one round",
    *(f"to {target}" for target in TARGETS),
    *(f"{seats} seats" for seats in range(2, SEATS + 1)),
    *EDITION_NAMES.values(),
    "since somebody left",
    "15 s after",
)
_NEAR: Final = 25
_SURE: Final = 1e-6
_STRIDE: Final = 0.2
"""The longest step towards a slope; whole ones from sure chances may lead away."""
_LATER_S: Final = 15


class Told(NamedTuple):
    """Of each position, (n, SEATS): what was told, who won, and who sits there; the match; the
    scores as a logistic model has them, (n, SEATS, 4); how long ago a seat left, or -1; and what
    is told if nothing is known of the players."""

    told: Floats
    won: Floats
    sits: Bools
    match: Floats
    points: Floats
    away: Floats
    unknown: Floats


def bench() -> None:
    """Print what a curve costs, and how good the chances are that are told."""
    _cost()
    for population in POPULATIONS:
        _population(population, SEED, FRESH)


def _cost() -> None:
    match = _usual()
    tell("positions of the curve", len(series(match)), "")
    cost = spent(lambda: series(match))
    tell("4 seats, 5 rounds: the curve", cost.seconds, "CPU s", "at most 0.1")
    tell("the same, yardsticks", cost.yardsticks, "")
    tell("the whole report of it", spent(lambda: match_report(Findings(match))).seconds, "CPU s")


def _usual() -> Timeline:
    """The first match of four seats that takes five rounds."""
    for index in range(10_000):
        asked = plan("roster", SEED, index)
        if len(asked.seaters) == 4:
            timeline = Timeline.of(lines(asked))
            if len(timeline.rounds) == 5:
                return timeline
    raise AssertionError("no such match")


def _population(population: str, seed: int, matches: int) -> None:
    """Print every group of a population, and what leavers were told."""
    with get_context("spawn").Pool(len(os.sched_getaffinity(0))) as pool:
        rows = [
            row
            for of_match in pool.imap(partial(_rows, population, seed), range(matches), 10)
            for row in of_match
        ]
    whole = Told(*(np.array(column) for column in zip(*(row[0] for row in rows), strict=True)))
    say(
        f"  {population:<24} matches  log loss  of points    ECE   slope          "
        "log loss less than without knowing the players, whose slope"
    )
    for group in GROUPS:
        some = np.array([group in groups for _, groups in rows])
        if some.any():
            _tell(group, Told(*(column[some] for column in whole)))
    for low, high, size, told, won in calibration(whole.told[whole.sits], whole.won[whole.sits]):
        say(f"    told {low:.1f} to {high:.1f}: {told:.3f} on average, won {won:.3f} of {size}")
    if population in LEAVING:
        _leavers(whole)


def _tell(group: str, of: Told) -> None:
    bins = list(calibration(of.told[of.sits], of.won[of.sits]))
    ece = sum(size * abs(told - won) for *_, size, told, won in bins) / of.sits.sum()
    at, error = slope(of)
    known = ""
    if (of.told != of.unknown).any():
        before, unsure = slope(of._replace(told=of.unknown))
        gain, doubt = _gain(of)
        known = f"   {gain:.4f} ± {doubt:.4f}  {before:.3f} ± {unsure:.3f}"
    say(
        f"    {group:<22} {len(np.unique(of.match)):>7}  {log_loss(of.told, of.won):8.4f}  "
        f"{log_loss(_by_points(of), of.won):9.4f}  {ece:.4f}  {at:.3f} ± {error:.3f}{known}"
    )


def _gain(of: Told) -> tuple[float, float]:
    """How much log loss knowing the players saves, and its standard error over matches."""
    odds = np.log(np.maximum(of.told, _SURE) / np.maximum(of.unknown, _SURE))
    gains = (of.won * odds).sum(1)
    mean = gains.mean()
    by_match = np.bincount(of.match.astype(int), gains - mean)
    return float(mean), float(np.sqrt(np.square(by_match).sum()) / len(gains))


def calibration(told: Floats, won: Floats) -> Iterator[tuple[float, float, int, float, float]]:
    """Steps of the chance: from, to, how many, told on average, and won."""
    place = np.minimum((told * BINS).astype(int), BINS - 1)
    for step, size in enumerate(np.bincount(place, minlength=BINS)):
        if size:
            some = place == step
            means = float(told[some].mean()), float(won[some].mean())
            yield step / BINS, (step + 1) / BINS, int(size), *means


def slope(of: Told) -> tuple[float, float]:
    """The slope of a logistic regression of the outcome on the logit of what was told, over all
    seats, and its standard error over matches.

    1 is calibrated; below, chances are told too far from even.
    """
    sure = np.clip(of.told[of.sits].astype(float), _SURE, 1 - _SURE)
    won, match = of.won[of.sits], np.broadcast_to(of.match[:, None], of.sits.shape)[of.sits]
    x = np.stack([np.ones_like(sure), np.log(sure / (1 - sure))], axis=1)
    weights = np.array([0.0, 1.0])
    for _ in range(50):
        told = 1 / (1 + np.exp(-x @ weights))
        inverse = np.linalg.inv((x * (told * (1 - told))[:, None]).T @ x)
        off = x * (won - told)[:, None]
        change = np.clip(inverse @ off.sum(0), -_STRIDE, _STRIDE)
        weights += change
        if np.abs(change).max() < _SURE:
            break
    by_match = np.zeros((int(match.max()) + 1, 2))
    np.add.at(by_match, match, off)
    return float(weights[1]), float((inverse @ by_match.T @ by_match @ inverse)[1, 1] ** 0.5)


def _by_points(of: Told) -> Floats:
    """What a logistic model of the points makes of each match that was fitted to the others."""
    told, odd = np.zeros_like(of.told), of.match % 2 == 1
    for half in (odd, ~odd):
        if half.any() and not half.all():
            weights = _newton(of.points[~half], of.won[~half], of.sits[~half])
            told[half] = softmax(of.points[half] @ weights, of.sits[half])
    return told


def _newton(x: Floats, won: Floats, sits: Bools) -> Floats:
    """The weights with the least log loss, which is convex in them."""
    weights = np.zeros(x.shape[2])
    for _ in range(50):
        told = softmax(x @ weights, sits)
        down = np.einsum("ns,nsf->f", told - won, x)
        mean = np.einsum("ns,nsf->nf", told, x)
        bend = np.einsum("ns,nsf,nsg->fg", told, x, x) - mean.T @ mean
        change = np.linalg.solve(bend + 1e-6 * np.eye(len(weights)), down)
        weights -= change
        if np.abs(change).max() < _SURE:
            break
    return weights


def _leavers(of: Told) -> None:
    for since, until in pairwise(AWAY_S):
        some = of.sits & (of.away >= since) & (of.away < until)
        told, won = 100 * of.told[some].mean(), 100 * of.won[some].mean()
        say(f"    away for {since} to {until} s: told {told:.1f}%, won {won:.1f}% of {some.sum()}")


def _rows(population: str, seed: int, index: int) -> list[tuple[Told, set[str]]]:
    planned, length = of_mix(seed, index, population)
    record = list(lines(planned))
    won, seats = shares(record), len(planned.seaters)
    if not won:
        return []
    sits = [place < seats for place in range(SEATS)]
    usual = {"all", length, f"{seats} seats", EDITION_NAMES[planned.header.edition]}
    left, rows = _Left(planned.seaters, Timeline.of(record)), []
    for position, number, t, still_ms in stops(record):
        away = left.since(number, t)
        longest = max(away)
        later = {"since somebody left": longest >= 0, "15 s after": longest >= _LATER_S}
        told = filled(chance(position, still_ms))
        unknown = filled(chance(_unnamed(position), still_ms))
        points = [*_points(position), *[[0.0] * 4] * (SEATS - seats)]
        row = Told(told, filled(won), sits, index, points, filled(away), unknown)  # type: ignore[arg-type]
        rows.append((row, usual | {group for group, within in later.items() if within}))
    return rows


def _unnamed(position: Position) -> Position:
    """The same, were nothing known of the players."""
    twin = position.copy()
    twin.strengths = []
    return twin


def _points(position: Position) -> list[list[float]]:
    """Total and standing against the best other seat's, as they are and by how near the target."""
    rules, totals = position.rules, position.totals
    standing = [t + s - p for t, s, p in zip(totals, position.scored, position.piles, strict=True)]
    near = 1 if rules.speedy else _NEAR / (_NEAR + max(0, rules.target - max(totals)))
    ahead = [
        [(of[seat] - max(of[:seat] + of[seat + 1 :])) / _NEAR for of in (totals, standing)]
        for seat in range(position.seats)
    ]
    return [[*row, *(near * points for points in row)] for row in ahead]


class _Left:
    """How long ago seats left, in s of play; those that do not move since all their cards are out
    have not."""

    def __init__(self, seaters: Sequence[object], match: Timeline) -> None:
        self._before, whole = {0: 0.0}, 0.0
        for played in match.rounds:
            self._before[played.number] = whole
            whole += played.events[-1].t
        self._at = [
            self._played(*at) if at != STAYED and isinstance(seater, Leaving) else None
            for at, seater in zip(left_at(match), seaters, strict=True)
        ]

    def since(self, number: int, t: int) -> list[float]:
        """Of each seat; -1 if it is there."""
        now = self._played(number, t)
        return [-1.0 if at is None or now < at else (now - at) / 1_000 for at in self._at]

    def _played(self, number: float, t: float) -> float:
        return self._before[int(number)] + t
