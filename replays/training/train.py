"""The whole training: play, fit, write the model's file."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import games.engine
from replays.analysis.versions import MEASURES_VERSION
from replays.analysis.winning.inputs import SPECTATOR
from replays.analysis.winning.network import Json, digest, shrinking
from replays.training.fit import EPOCHS, STARTS, fit
from replays.training.positions import MIX, PLAYERS, samples


def train(
    seed: int, matches: int, jobs: int = 1, starts: int = STARTS, epochs: int = EPOCHS
) -> Json:
    """The model as its file contains it. The same seed gives the same one."""
    fitted = fit(samples(seed, matches, jobs), seed, starts, epochs)
    return {
        "model": "spectator",
        "inputs": list(SPECTATOR),
        "shrinking": shrinking(),
        "seed": seed,
        "matches": matches,
        "populations": PLAYERS,
        "lengths": MIX,
        "engine": engine_version(),
        "measures": MEASURES_VERSION,
        "loss": round(fitted.loss, 4),
        "digest": digest(fitted.coefficients),
        "coefficients": fitted.coefficients,
    }


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
