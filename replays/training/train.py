"""The whole training: play, fit, write the model's file."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np

import games.engine
from replays.analysis.versions import MEASURES_VERSION
from replays.analysis.winning.inputs import PLAYED, SPECTATOR
from replays.analysis.winning.network import Json, Layers, digest, shrinking
from replays.training.fit import DECAY, EPOCHS, STARTS, fit, held_out, log_loss, sharpness
from replays.training.positions import MIX, ONE_ROUND, PLAYERS, Samples, chosen, filled, samples

_STRONG_DECAY: Final = 2e-3
"""With less, the chances of one round and of known players were too far from even."""
_KNOWN: Final = 2
"""How many times as many matches the networks for known players need: they can't learn from the
others, and know more to confuse chance with."""


def train(
    seed: int, matches: int, jobs: int = 1, starts: int = STARTS, epochs: int = EPOCHS
) -> Json:
    """The model as its file contains it. The same seed gives the same one."""

    def fitted(decay: float, mixed: Samples, short: Samples) -> Json:
        to_target = fit(mixed, seed, starts, epochs, decay)
        return {
            "sharpness": sharpness(mixed, to_target),
            "to_target": to_target,
            "one_round": fit(short, seed, starts, epochs, _STRONG_DECAY),
        }

    of_known = _KNOWN * matches
    mix = [samples(seed, matches, jobs, length, of_known) for length in ("", ONE_ROUND)]
    usual = [chosen(each, each.match < matches) for each in mix]
    fitted_to = {
        "unknown": [each._replace(x=each.x[..., : len(PLAYED)]) for each in usual],
        "known": [chosen(each, each.known) for each in mix],
    }
    decays = {"unknown": DECAY, "known": _STRONG_DECAY}
    coefficients = {name: fitted(decays[name], *both) for name, both in fitted_to.items()}
    losses = {
        name: round(loss(Layers(coefficients[name]), chosen(mixed, held_out(mixed))), 4)
        for name, (mixed, _) in fitted_to.items()
    }
    model = {
        "model": "spectator",
        "inputs": list(SPECTATOR),
        "shrinking": shrinking(),
        "seed": seed,
        "matches": {"unknown": matches, "known": of_known},
        "populations": PLAYERS,
        "lengths": MIX,
        "engine": engine_version(),
        "measures": MEASURES_VERSION,
        "digest": digest(coefficients),
        "coefficients": coefficients,
    }
    return {**model, "loss": losses}


def loss(network: Layers, samples: Samples) -> float:
    """The log loss of the networks on these samples."""
    rows = zip(samples.x, samples.won, samples.sits, strict=True)
    predictions = [filled(network.probabilities(x[sits].tolist())) for x, _, sits in rows]
    return log_loss(np.array(predictions), samples.won)


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
