"""The whole training: play, fit, test on new matches, write the models' files.

How certain a model is of a swing is by how much two of its kind differ, each fitted to a different
half of the matches: only by chance. The variance of a swing grows with its size: `base` squared +
(`share` times the swing) squared.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

import games.engine
from games.records.log import Header, Line
from replays.analysis.versions import MEASURES_VERSION
from replays.analysis.winning.network import NAMES, Json, Network, digest, shrinking
from replays.analysis.winning.series import PLAY, TAKE, TIE, Series
from replays.training.fit import EPOCHS, STARTS, fit, judge
from replays.training.matches import lines, plan
from replays.training.positions import Samples, chosen, samples, together
from replays.training.scores import (
    POINTS,
    TOTALS,
    by_group,
    score,
    scores_only,
    uniform,
)

LEARNED: Final = ("roster", "alien")
"""The populations that models are fitted to, in equal parts."""
TESTED: Final = ("roster", "stranger")
"""The populations that they are tested on, in matches with another seed."""
_DIGITS: Final = 4
_BLOCK: Final = 20


class TrainingPlan(NamedTuple):
    """A training run; `matches` to learn from, `tests` for each tested population."""

    seed: int
    matches: int
    tests: int
    cache: Path
    jobs: int = 1
    starts: int = STARTS
    epochs: int = EPOCHS
    doubted: int = 60
    """Matches in which two models are compared, for the standard error of a swing."""


def learned(plan: TrainingPlan) -> Samples:
    """The samples that models are fitted to."""
    share = plan.matches // len(LEARNED)
    return together(
        *(samples(population, plan.seed, share, plan.cache, plan.jobs) for population in LEARNED)
    )


def tested(plan: TrainingPlan, population: str) -> Samples:
    """Matches that no model was fitted to."""
    return samples(population, plan.seed + 1, plan.tests, plan.cache, plan.jobs)


def train(plan: TrainingPlan) -> Iterator[tuple[str, Json]]:
    """The models by name, as their files contain them."""
    known = learned(plan)
    asked = {population: tested(plan, population) for population in TESTED}
    for name in NAMES:
        fitted = fit(known, len(NAMES[name]), plan.seed, plan.starts, plan.epochs)
        model = _file(plan, name, fitted.coefficients)
        model["swing_error"] = _doubt(plan, name, known)
        model["scores"] = {
            population: figures(known, fresh, fitted.coefficients)
            for population, fresh in asked.items()
        }
        yield name, model


def _file(plan: TrainingPlan, name: str, coefficients: Json) -> Json:
    return {
        "model": name,
        "inputs": list(NAMES[name]),
        "shrinking": shrinking(),
        "seeds": {"fitted": plan.seed, "tested": plan.seed + 1},
        "matches": {"fitted": plan.matches, "tested": plan.tests},
        "populations": {"fitted": list(LEARNED), "tested": list(TESTED)},
        "engine": engine_version(),
        "measures": MEASURES_VERSION,
        "digest": digest(coefficients),
        "coefficients": coefficients,
    }


def _doubt(plan: TrainingPlan, name: str, known: Samples) -> Json:
    """The standard error of a swing, from one model for each half of the matches."""
    halves = []
    for rest in (0, 1):
        # Not alternate matches: `fit` holds out by number too.
        half = chosen(known, known.match // _BLOCK % 2 == rest)
        fitted = fit(half, len(NAMES[name]), plan.seed + rest, 1, plan.epochs)
        halves.append(Network(_file(plan, name, fitted.coefficients)))
    return swing_error(halves[0], halves[1], TESTED[0], plan.seed + 1, plan.doubted)


def figures(known: Samples, fresh: Samples, coefficients: Json) -> Json:
    """How a model does on new matches, compared with models that know less."""
    predicted = judge(fresh, coefficients)
    whole = score(fresh, predicted)
    compared = {
        "log_loss": whole.loss,
        "ece": whole.ece,
        "ece_two_seats": next(
            (
                of_group.ece
                for of_group in by_group(fresh, predicted)
                if of_group.group == "2 seats"
            ),
            0.0,
        ),
        "uniform": score(fresh, uniform(fresh)).loss,
        "totals_only": score(fresh, scores_only(known, fresh, TOTALS)).loss,
        "points_only": score(fresh, scores_only(known, fresh, POINTS)).loss,
    }
    return {name: round(value, _DIGITS) for name, value in compared.items()}


def written(model: Json) -> str:
    """A model's file: one line per field, one per list of coefficients."""
    fields = [
        f'"{name}": {json.dumps(value)}' for name, value in model.items() if name != "coefficients"
    ]
    lists = [f' "{name}": {json.dumps(value)}' for name, value in model["coefficients"].items()]
    inner = ",\n".join(lists)
    return "{\n" + ",\n".join([*fields, f'"coefficients": {{\n{inner}\n}}']) + "\n}\n"


def engine_version() -> str:
    """A digest of the engine's sources, to see whether matches would be played the same way."""
    folder = Path(games.engine.__file__).parent
    sources = sorted(folder.glob("*.py"))
    return sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]


_CAUSES: Final = frozenset((PLAY, TAKE, TIE))


def swing_error(first: Network, second: Network, population: str, seed: int, matches: int) -> Json:
    """The standard error of a swing of one such model, as `base` and `share`."""
    pairs = np.array(
        [
            pair
            for index in range(matches)
            for pair in _swings((first, second), list(lines(plan(population, seed, index))))
        ]
    )
    mine, theirs = pairs.T
    square = ((mine - theirs) ** 2) / 2
    size = ((mine + theirs) / 2) ** 2
    unknown = np.stack([np.ones_like(size), size], axis=1)
    base, share = np.linalg.lstsq(unknown, square, rcond=None)[0]
    return {
        "base": float(f"{max(base, 1e-8) ** 0.5:.2g}"),
        "share": float(f"{max(share, 1e-8) ** 0.5:.2g}"),
    }


def _swings(networks: Sequence[Network], record: list[Line]) -> list[tuple[float, ...]]:
    """What plays, takes and ties of a match changed, seat by seat, as each network sees it."""
    return list(zip(*(_swings_of(network, record) for network in networks), strict=True))


def _swings_of(network: Network, record: list[Line]) -> list[float]:
    header = record[0]
    assert isinstance(header, Header)
    series = Series(header, detailed=True, network=network)
    for seq, line in enumerate(record):
        series.add(line, seq)
    return [
        after - before
        for last, point in pairwise(series.points)
        if point.cause in _CAUSES
        for before, after in zip(last.p, point.p, strict=True)
    ]
