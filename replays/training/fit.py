"""Fitting the win probability's network: gradient descent on the log loss over the seats.

Adam, with numpy only. The same seed and samples give exactly the same coefficients.
"""

from collections.abc import Iterator
from math import cos, pi
from typing import Final, NamedTuple

import numpy as np

from replays.analysis.winning.network import CLIP, DIGITS, Json, settled
from replays.training.positions import Bools, Floats, Samples, chosen

UNITS: Final = 12
EPOCHS: Final = 20
STARTS: Final = 2
"""How many fits start from different random weights. The best on held-out matches is kept."""
BATCH: Final = 1_024
_HELD_BACK: Final = 10
"""Every tenth match is held out."""
_RATE: Final = 0.01
DECAY: Final = 5e-4
"""How strongly weights decay, so that a few thousand matches are enough."""
_SHARPEST: Final = 100


class _Weights(NamedTuple):
    """Of the units, (UNITS, inputs) and (UNITS,), and of the score computed from them, (UNITS,)."""

    weights: Floats
    bias: Floats
    out: Floats


def fit(
    samples: Samples,
    seed: int,
    starts: int = STARTS,
    epochs: int = EPOCHS,
    decay: float = DECAY,
) -> Json:
    """The coefficients of the best network of several starts, by its loss on held-out matches."""
    out = held_out(samples)
    seen = samples.x[~out][samples.sits[~out]]
    mean, spread = _rounded(seen.mean(0)), _rounded(np.maximum(seen.std(0), 1e-6))
    standard = samples._replace(x=_standard(samples.x, mean, spread))
    learned, test = chosen(standard, ~out), chosen(standard, out)
    networks = [_descend(learned, seed + start, epochs, decay) for start in range(starts)]
    predictions = [softmax(_scores(test.x, weights), test.sits) for weights in networks]
    losses = [log_loss(predicted, test.won) for predicted in predictions]
    best = int(np.argmin(losses))
    values = (mean, spread, *map(_rounded, networks[best]))
    names = ("mean", "spread", *_Weights._fields)
    return {name: value.tolist() for name, value in zip(names, values, strict=True)}


def sharpness(samples: Samples, coefficients: Json) -> float:
    """By how much scores are to be sharpened for what is settled: the one with the least loss."""
    values = {name: np.array(list_) for name, list_ in coefficients.items()}
    x = _standard(samples.x, values.pop("mean"), values.pop("spread"))
    scores = _scores(x, _Weights(**values))
    of_each = np.array([settled(row) for row in samples.x[:, 0].tolist()])[:, None]

    def loss(sharp: float) -> float:
        return log_loss(softmax(scores * np.exp(sharp * of_each), samples.sits), samples.won)

    return min((step / 100 for step in range(_SHARPEST)), key=loss)


def held_out(samples: Samples) -> Bools:
    """The samples that no network is fitted to, but the best one is chosen by."""
    rows: Bools = samples.match % _HELD_BACK == 0
    return rows


def log_loss(predicted: Floats, won: Floats) -> float:
    """The mean of -log(probability) of the winner. A draw counts each winner by its share."""
    return float(-(won * np.log(np.maximum(predicted, 1e-12))).sum(1).mean())


def softmax(scores: Floats, sits: Bools) -> Floats:
    """Probabilities over the occupied seats."""
    scores = np.where(sits, scores, -np.inf)
    odds = np.exp(scores - scores.max(1, keepdims=True))
    predicted: Floats = odds / odds.sum(1, keepdims=True)
    return predicted


def _standard(x: Floats, mean: Floats, spread: Floats) -> Floats:
    return np.clip((x - mean) / spread, -CLIP, CLIP).astype(np.float32)


def _rounded(values: Floats) -> Floats:
    """Rounded to the digits in a model's file, so that the tested model is the shipped one."""
    rounded = np.array([float(f"{value:.{DIGITS}g}") for value in values.ravel()])
    return rounded.reshape(values.shape)


def _scores(x: Floats, weights: _Weights) -> Floats:
    scores: Floats = np.maximum(x @ weights.weights.T + weights.bias, 0) @ weights.out
    return scores


def _descend(data: Samples, seed: int, epochs: int, decay: float) -> _Weights:
    """Adam from random weights, with a rate that decays to zero along a cosine."""
    randomness = np.random.default_rng(seed)
    inputs = data.x.shape[2]
    weights = _Weights(
        randomness.normal(0, (2 / inputs) ** 0.5, (UNITS, inputs)).astype(np.float32),
        np.zeros(UNITS, np.float32),
        randomness.normal(0, 0.3, UNITS).astype(np.float32),
    )
    adam = _Adam(weights)
    batches = list(_batches(len(data.x), epochs, randomness))
    for number, rows in enumerate(batches):
        rate = _RATE * 0.5 * (1 + cos(pi * number / len(batches)))
        adam.step(_gradients(chosen(data, rows), weights, decay), rate)
    return weights


def _batches(size: int, epochs: int, randomness: np.random.Generator) -> Iterator[Floats]:
    for _ in range(epochs):
        order = randomness.permutation(size)
        for first in range(0, size, BATCH):
            yield order[first : first + BATCH]


def _gradients(data: Samples, weights: _Weights, decay: float) -> _Weights:
    units = np.maximum(data.x @ weights.weights.T + weights.bias, 0)
    error = (softmax(units @ weights.out, data.sits) - data.won) / len(data.x)
    back = ((error[:, :, None] * weights.out) * (units > 0)).reshape(-1, UNITS)
    return _Weights(
        back.T @ data.x.reshape(-1, data.x.shape[2]) + decay * weights.weights,
        back.sum(0),
        units.reshape(-1, UNITS).T @ error.ravel() + decay * weights.out,
    )


class _Adam:
    """Kingma and Ba's optimizer. It changes the given weights in place."""

    def __init__(self, weights: _Weights) -> None:
        self._weights = weights
        self._mean = [np.zeros_like(values) for values in weights]
        self._square = [np.zeros_like(values) for values in weights]
        self._steps = 0

    def step(self, gradients: _Weights, rate: float) -> None:
        self._steps += 1
        unbias, unbias_square = 1 - 0.9**self._steps, 1 - 0.999**self._steps
        for place, slope in enumerate(gradients):
            self._mean[place] += 0.1 * (slope - self._mean[place])
            self._square[place] += 0.001 * (slope * slope - self._square[place])
            change = rate * self._mean[place] / unbias
            values = self._weights[place]
            values -= change / (np.sqrt(self._square[place] / unbias_square) + 1e-8)
