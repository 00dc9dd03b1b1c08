"""How good a model is: log loss, calibration, and models that know only the scores to compare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from games.engine.cards import SEATS
from games.engine.editions import EDITION_NUMBERS
from replays.analysis.winning.inputs import SPECTATOR
from replays.training.fit import log_loss, softmax
from replays.training.positions import Bools, Floats, Samples, chosen, sitting

BINS: Final = 10
_LEAST: Final = 1e-6
PHASES: Final = ("first quarter", "second quarter", "third quarter", "last quarter")
TOTALS: Final = ("total_best",)
"""What is known about the scores: the totals on the scoreboard, against the best other's;"""
POINTS: Final = ("total_best", "standing_best")
"""or also the points of the round so far."""


class Bin(NamedTuple):
    """Probabilities of similar size: how large on average, how often won, how many."""

    predicted: float
    won: float
    size: int


class Score(NamedTuple):
    """For one group of positions. `ece`: expected calibration error over `BINS` bins."""

    group: str
    matches: int
    loss: float
    ece: float


def score(samples: Samples, predicted: Floats, group: str = "all") -> Score:
    """The figures for a model's probabilities on the samples."""
    bins = calibration(samples, predicted)
    whole = sum(step.size for step in bins)
    ece = sum(step.size * abs(step.predicted - step.won) for step in bins) / whole
    matches = len(np.unique(samples.match))
    return Score(group, matches, log_loss(predicted, samples.won), ece)


def calibration(samples: Samples, predicted: Floats) -> list[Bin]:
    """Predictions against outcomes, over all seats, in `BINS` steps of the probability."""
    sits = sitting(samples)
    predicted, won = predicted[sits], samples.won[sits]
    place = np.minimum((predicted * BINS).astype(int), BINS - 1)
    return [
        Bin(float(predicted[place == step].mean()), float(won[place == step].mean()), int(size))
        for step, size in enumerate(np.bincount(place, minlength=BINS))
        if size
    ]


def slope(samples: Samples, predicted: Floats) -> float:
    """The slope of a logistic regression of the outcome on the estimate's logit, over all seats.

    1 is calibrated; below, estimates are too far from even chances.
    """
    sits = sitting(samples)
    sure = np.clip(predicted[sits].astype(float), _LEAST, 1 - _LEAST)
    x = np.stack([np.ones_like(sure), np.log(sure / (1 - sure))], axis=1)
    weights = np.array([0.0, 1.0])
    for _ in range(50):
        told = 1 / (1 + np.exp(-x @ weights))
        bend = (x * (told * (1 - told))[:, None]).T @ x
        change = np.linalg.solve(bend, x.T @ (samples.won[sits] - told))
        weights += change
        if np.abs(change).max() < _LEAST:
            break
    return float(weights[1])


def by_group(samples: Samples, predicted: Floats) -> Iterator[Score]:
    """By seats, by edition and by phase of the match."""
    for seats in range(2, SEATS + 1):
        yield from _group(samples, predicted, samples.seats == seats, f"{seats} seats")
    for edition, number in EDITION_NUMBERS.items():
        yield from _group(samples, predicted, samples.edition == number, edition)
    for place, phase in enumerate(PHASES):
        yield from _group(samples, predicted, samples.phase == place, phase)


def _group(samples: Samples, predicted: Floats, rows: Bools, name: str) -> Iterator[Score]:
    if rows.any():
        yield score(chosen(samples, rows), predicted[rows], name)


def uniform(samples: Samples) -> Floats:
    """The same probability for every seat."""
    sits = sitting(samples).astype(float)
    predicted: Floats = sits / sits.sum(1, keepdims=True)
    return predicted


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
        predicted = softmax(x @ weights, sits)
        slope = np.einsum("ns,nsf->f", predicted - won, x)
        mean = np.einsum("ns,nsf->nf", predicted, x)
        bend = np.einsum("ns,nsf,nsg->fg", predicted, x, x) - mean.T @ mean
        change = np.linalg.solve(bend + 1e-6 * np.eye(len(weights)), slope)
        weights -= change
        if np.abs(change).max() < 1e-6:
            break
    return weights


def _scores(samples: Samples, names: tuple[str, ...]) -> Floats:
    inputs = samples.x[:, :, [SPECTATOR.index(name) for name in names]].astype(float)
    near = samples.x[:, :, [SPECTATOR.index("near")]].astype(float)
    return np.concatenate([inputs, inputs * near], axis=2)
