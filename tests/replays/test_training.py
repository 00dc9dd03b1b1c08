"""Training on a small scale: the same way as the models that are shipped."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from games.records.check import check
from games.records.notation import write_line
from replays.analysis.players.signs import KINDS
from replays.analysis.winning.inputs import SPECTATOR
from replays.analysis.winning.network import Json, Network
from replays.training.fit import judge, log_loss
from replays.training.matches import POPULATIONS, lines, plan
from replays.training.positions import samples, sitting, together
from replays.training.scores import TOTALS, by_group, score, scores_only, uniform
from replays.training.train import TrainingPlan, train, written
from replays.training.weaknesses import DELAYS


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("training")


def small(cache: Path) -> TrainingPlan:
    return TrainingPlan(seed=5, matches=40, tests=40, cache=cache, starts=1, epochs=6, doubted=2)


@pytest.fixture(scope="module")
def told(cache: Path) -> Json:
    """A small spectator's model, as its file holds it."""
    return next(model for name, model in train(small(cache)) if name == "spectator")


@pytest.mark.parametrize("population", POPULATIONS)
def test_matches_are_true_to_the_rules(population: str, tmp_path: Path) -> None:
    for index in range(4):
        path = tmp_path / "match.ratuki"
        path.write_text(
            "".join(f"{write_line(line)}\n" for line in lines(plan(population, 3, index)))
        )
        with path.open("rb") as file:
            check(file)


@pytest.mark.slow
def test_the_same_seed_trains_the_same_model(cache: Path, tmp_path: Path) -> None:
    """In other processes and without the cache, too; another seed makes another model."""
    least = small(cache)._replace(matches=24, tests=8, epochs=2, doubted=1)
    model, again, other = (
        next(model for _, model in train(plan))
        for plan in (least, least._replace(cache=tmp_path, jobs=2), least._replace(seed=6))
    )
    assert model == again
    assert model["digest"] != other["digest"]


def test_a_small_model_beats_guessing(told: Json) -> None:
    for figures in told["scores"].values():
        assert figures["log_loss"] < figures["uniform"]


def test_what_is_written_can_be_read(told: Json, cache: Path) -> None:
    read = json.loads(written(told))
    assert read == told
    fresh = samples("roster", 6, 40, cache)
    mine, theirs = Network(read), judge(fresh, told["coefficients"])
    for row in range(0, len(fresh.x), 50):
        seats = int(fresh.seats[row])
        inputs = fresh.x[row, :seats, : len(SPECTATOR)].tolist()
        assert mine.probabilities(inputs) == pytest.approx(theirs[row, :seats], abs=1e-6)


def test_no_match_is_fitted_to_and_tested_on() -> None:
    """The seeds differ, so that not one match of the tests was learned from."""
    mine = plan("roster", 5, 0).header.id, list(lines(plan("roster", 5, 0)))[1]
    test = plan("roster", 6, 0).header.id, list(lines(plan("roster", 6, 0)))[1]
    assert mine[0] != test[0]
    assert mine[1] != test[1]


def test_matches_put_together_stay_apart(cache: Path) -> None:
    half = samples("roster", 6, 40, cache)
    both = together(half, half)
    assert len(np.unique(both.match)) == 2 * len(np.unique(half.match))


def test_known_probabilities_are_scored_exactly(cache: Path) -> None:
    fresh = samples("roster", 6, 40, cache)
    assert score(fresh, uniform(fresh)).loss == pytest.approx(np.log(fresh.seats).mean(), rel=1e-5)
    sure = np.where(sitting(fresh), fresh.won, 0)
    assert score(fresh, sure).ece == pytest.approx(0, abs=1e-6)
    assert sum(group.matches for group in by_group(fresh, sure) if "seats" in group.group) == 40


def test_a_model_of_the_totals_is_fitted(cache: Path) -> None:
    known, fresh = samples("roster", 5, 20, cache), samples("roster", 6, 40, cache)
    told = scores_only(known, known, TOTALS)
    assert log_loss(told, known.won) < log_loss(uniform(known), known.won)
    assert scores_only(known, fresh, TOTALS).sum(1) == pytest.approx(1)


def test_without_numpy_there_is_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "numpy", None)
    for name in [name for name in sys.modules if name.startswith("replays.training")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(CommandError, match=r"numpy.*requirements-dev\.txt"):
        call_command("train", matches=40, tests=1)


def test_what_weaknesses_cost_is_found_from_bots_that_have_them(tmp_path: Path) -> None:
    out = tmp_path / "worth.json"
    call_command("fit_points", "--matches=20", "--seed=3", f"--out={out}", stdout=StringIO())
    fitted = json.loads(out.read_text())
    assert fitted["about"] == {"seed": 3, "matches": 20, "kinds": list(KINDS)}
    assert fitted["effects"]["speed"] < 0
    assert fitted["effects"]["takes"] < 0
    assert [delay for delay, *_ in fitted["delays"]] == list(DELAYS)
    assert sum(fitted["usual"]) == pytest.approx(1, abs=0.01)
    with pytest.raises(CommandError, match="at least 20"):
        call_command("fit_points", "--matches=19")
