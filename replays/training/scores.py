"""How good a model is: log loss, calibration, and models that know only the scores to compare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from games.engine.cards import SEATS
from games.engine.editions import EDITIONS
from replays.analysis.winning.inputs import ALL_CARDS
from replays.training.fit import log_loss, softmax
from replays.training.positions import Bools, Floats, Samples, chosen, sitting

BINS: Final = 10
PHASES: Final = ("first quarter", "second quarter", "third quarter", "last quarter")
TOTALS: Final = ("total_best",)
"""What is known about the scores: the totals on the scoreboard, against the best other's;"""
POINTS: Final = ("total_best", "standing_best")
"""or also the points of the round so far."""


class Bin(NamedTuple):
    """Probabilities of similar size: how large on average, how often won, how many."""

    told: float
    won: float
    size: int


class Score(NamedTuple):
    """For one group of positions. `ece`: expected calibration error over `BINS` bins."""

    group: str
    matches: int
    loss: float
    ece: float


def score(samples: Samples, told: Floats, group: str = "all") -> Score:
    """The figures for a model's probabilities on the samples."""
    bins = calibration(samples, told)
    whole = sum(one.size for one in bins)
    ece = sum(one.size * abs(one.told - one.won) for one in bins) / whole
    matches = len(np.unique(samples.match))
    return Score(group, matches, log_loss(told, samples.won), ece)


def calibration(samples: Samples, told: Floats) -> list[Bin]:
    """Predictions against outcomes, over all seats, in `BINS` steps of the probability."""
    sits = sitting(samples)
    told, won = told[sits], samples.won[sits]
    place = np.minimum((told * BINS).astype(int), BINS - 1)
    return [
        Bin(float(told[place == one].mean()), float(won[place == one].mean()), int(size))
        for one, size in enumerate(np.bincount(place, minlength=BINS))
        if size
    ]


def by_group(samples: Samples, told: Floats) -> Iterator[Score]:
    """By seats, by edition and by phase of the match."""
    for seats in range(2, SEATS + 1):
        yield from _group(samples, told, samples.seats == seats, f"{seats} seats")
    for place, edition in enumerate(EDITIONS):
        yield from _group(samples, told, samples.edition == place, edition)
    for place, phase in enumerate(PHASES):
        yield from _group(samples, told, samples.phase == place, phase)


def _group(samples: Samples, told: Floats, rows: Bools, name: str) -> Iterator[Score]:
    if rows.any():
        yield score(chosen(samples, rows), told[rows], name)


def uniform(samples: Samples) -> Floats:
    """The same probability for every seat."""
    sits = sitting(samples).astype(float)
    told: Floats = sits / sits.sum(1, keepdims=True)
    return told


def scores_only(learned: Samples, asked: Samples, names: tuple[str, ...]) -> Floats:
    """A logistic model of the scores, fitted to `learned`, applied to `asked`.

    `names`: `TOTALS` or `POINTS`. Each is used as it is and weighted by how near the target is.
    """
    x, spread = _scores(learned, names), _scores(learned, names)[sitting(learned)].std(0)
    weights = _newton(x / spread, learned.won, sitting(learned))
    return softmax(_scores(asked, names) / spread @ weights, sitting(asked))


def _newton(x: Floats, won: Floats, sits: Bools) -> Floats:
    """The weights with the least log loss, which is convex in them."""
    weights = np.zeros(x.shape[2])
    for _ in range(50):
        told = softmax(x @ weights, sits)
        slope = np.einsum("ns,nsf->f", told - won, x)
        mean = np.einsum("ns,nsf->nf", told, x)
        bend = np.einsum("ns,nsf,nsg->fg", told, x, x) - mean.T @ mean
        change = np.linalg.solve(bend + 1e-6 * np.eye(len(weights)), slope)
        weights -= change
        if np.abs(change).max() < 1e-6:
            break
    return weights


def _scores(samples: Samples, names: tuple[str, ...]) -> Floats:
    found = samples.x[:, :, [ALL_CARDS.index(name) for name in names]].astype(float)
    near = samples.x[:, :, [ALL_CARDS.index("near")]].astype(float)
    return np.concatenate([found, found * near], axis=2)
