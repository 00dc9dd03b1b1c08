"""The network that turns inputs into chances to win, in plain Python.

One layer of ReLU units is shared by all seats. Each seat gets a score from its own inputs. A
softmax over the scores gives probabilities that sum to 1 for any number of seats. Inputs are
standardised and clipped at `CLIP`, so the model is not overconfident far from its data.
"""

import json
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from math import exp, log, sqrt
from operator import mul
from pathlib import Path
from typing import Any, Final

from replays.analysis.winning.inputs import (
    IMAGINED,
    IMAGINED_TAKING,
    PLAYED,
    ROUND,
    SPECTATOR,
    USUAL_TAKING,
    Inputs,
)

CLIP: Final = 2.5
DIGITS: Final = 4
"""Significant digits of the coefficients in a model's file."""
MODELS: Final = Path(__file__).parent / "models"
Json = dict[str, Any]
_STANDING, _SPEEDY, _LUCK, _CHANGING, _APART = map(
    SPECTATOR.index, ("standing", "speedy", "luck", "changing", "apart")
)
_MOST_APART: Final = 0.2
_STEADY: Final = 0.1
"""Below so much of `changing` a pace is known to stay."""
_DOUBTED: Final = 0.43
_BY_POINTS: Final = 0.28
"""Where paces return to their mean, so much less of the units' scores counts, and so much of the
standing over the luck to come. The units, fitted to paces that stay or drift, know no such table.
"""
_NEAR: Final = 0.01
_ODDS: Final = 0.001
"""What is added to a probability and its rest, so that their odds stay finite."""


class Network:
    """A model read from its file. Raises ValueError if the file is inconsistent."""

    def __init__(self, model: Json) -> None:
        self.about = {name: value for name, value in model.items() if name != "coefficients"}
        """Where the model comes from and how good it is."""
        given = model["coefficients"]
        if model["digest"] != digest(given):
            raise ValueError(f"the model's digest is {digest(given)}, its file says otherwise")
        if tuple(model["inputs"]) != SPECTATOR or model["shrinking"] != shrinking():
            raise ValueError("the model was fitted to inputs that this version does not make")
        self._known, self._unknown = Layers(given["known"]), Layers(given["unknown"])

    def probabilities(self, inputs: Inputs) -> list[float]:
        """For each seat, the probability that it wins. They sum to 1."""
        layers = self._unknown if len(inputs[0]) == len(PLAYED) else self._known
        return layers.probabilities(inputs)


class Layers:
    """The network for one round, and the one for targets."""

    def __init__(self, given: Json) -> None:
        self._one_round = Layer(given["one_round"])
        self._to_target = Layer(given["to_target"])
        self._sharpness = given["sharpness"]

    def probabilities(self, inputs: Inputs) -> list[float]:
        scores = self._scores(inputs)
        most = max(scores)
        odds = [exp(score - most) for score in scores]
        whole = sum(odds)
        return [seat_odds / whole for seat_odds in odds]

    def _scores(self, inputs: Inputs) -> list[float]:
        if inputs[0][_SPEEDY]:
            return [self._one_round.score(row) for row in inputs]
        returning = 1 - abs(1 - 2 * inputs[0][_CHANGING])
        sharp = exp(self._sharpness * settled(inputs[0])) * (1 - _DOUBTED * returning)
        by_points = _BY_POINTS * returning / inputs[0][_LUCK]
        return [sharp * self._to_target.score(row) + by_points * row[_STANDING] for row in inputs]


class Layer:
    """The units of a network, and the score that they make of a seat's inputs."""

    def __init__(self, coefficients: Json) -> None:
        self._mean = coefficients["mean"]
        self._scale = [1 / spread for spread in coefficients["spread"]]
        self._weights = [row[:] for row in coefficients["weights"]]
        self._bias = coefficients["bias"]
        self._out = coefficients["out"]

    def score(self, row: Sequence[float]) -> float:
        x = [
            -CLIP if (value := (given - mean) * scale) < -CLIP else min(value, CLIP)
            for given, mean, scale in zip(row, self._mean, self._scale, strict=True)
        ]
        score = 0.0
        for weights, bias, out in zip(self._weights, self._bias, self._out, strict=True):
            unit = bias + sum(map(mul, weights, x))
            if unit > 0:
                score += out * unit
        return score


def settled(row: Sequence[float]) -> float:
    """How far a match is decided by paces: the more they differ, the longer it still lasts, and the
    surer they are known to stay. The units alone tell it too little."""
    steady = _steady_odds(row[_CHANGING]) - _steady_odds(_STEADY)
    longer = log(row[_LUCK] / sqrt(ROUND))
    return min(row[_APART], _MOST_APART) * max(0.0, longer) * max(0.0, steady)


def _steady_odds(changing: float) -> float:
    return log((1 - changing + _ODDS) / (changing + _ODDS))


def digest(coefficients: Json) -> str:
    """The digest of a model's coefficients, as written in its file."""
    return sha256(json.dumps(coefficients, sort_keys=True).encode()).hexdigest()[:16]


def shrinking() -> Json:
    """How habits are shrunk: what a model's inputs depend on besides their names."""
    return {"moves": IMAGINED, "takes": IMAGINED_TAKING, "takes_a_move": USUAL_TAKING}


@cache
def model(name: str) -> Network:
    """The model of that name that is shipped with the project."""
    return Network(json.loads((MODELS / f"{name}.json").read_text(encoding="utf-8")))


def rounded(p: Sequence[float], digits: int) -> list[float]:
    """Probabilities with so many digits that sum to 1 (within float error), as `p` does.

    Each is rounded down, but what is possible never to 0. The largest remainders, earlier seats
    first, get the difference.
    """
    unit = 10**digits
    counts = [max(int(share * unit), int(share > 0)) for share in p]
    by_remainder = sorted(range(len(p)), key=lambda seat: counts[seat] - p[seat] * unit)
    left = unit - sum(counts)
    for seat in by_remainder[: max(left, 0)]:
        counts[seat] += 1
    counts[counts.index(max(counts))] += min(left, 0)
    return [count / unit for count in counts]


def in_percent(p: Sequence[float]) -> list[float]:
    """As pages say them: in whole percents that sum to 100, but for what is nearly certain."""
    near = (share < _NEAR or share > 1 - _NEAR for share in p)
    return [
        share if sure else said for share, said, sure in zip(p, rounded(p, 2), near, strict=True)
    ]
