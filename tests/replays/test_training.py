"""Training on a small scale: the same way as the models that are shipped."""

import json
from io import StringIO
from math import log
from pathlib import Path
from random import Random
from statistics import fmean

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from games.bots.roster import bots_of
from games.bots.view import PublicEvents
from games.engine.table import Table
from games.records.check import check
from games.records.notation import write_line
from replays.analysis.players.signs import KINDS
from replays.analysis.winning.inputs import PLAYED
from replays.analysis.winning.network import Json, Network
from replays.training.bots import Stranger
from replays.training.fit import held_out
from replays.training.matches import KNOWN, LENGTHS, POPULATIONS, lines, plan
from replays.training.positions import Samples, chosen, samples
from replays.training.train import train, written
from tests.bench.agreeing import RealBots
from tests.bench.winning import Told, calibration, slope

MATCHES = 12


@pytest.fixture(scope="module")
def known() -> Samples:
    return samples(5, MATCHES)


@pytest.fixture(scope="module")
def told() -> Json:
    """A small model, as its file holds it."""
    return train(seed=5, matches=MATCHES, starts=1, epochs=6)


@pytest.mark.parametrize("population", POPULATIONS)
def test_matches_are_true_to_the_rules(population: str, tmp_path: Path) -> None:
    for index in range(4):
        path = tmp_path / "match.ratuki"
        path.write_text(
            "".join(f"{write_line(line)}\n" for line in lines(plan(population, 3, index)))
        )
        with path.open("rb") as file:
            check(file)


@pytest.mark.parametrize("length", LENGTHS)
def test_matches_are_as_long_as_was_asked(length: str) -> None:
    rules = plan("roster", 3, 1, length).header.rules
    assert rules.speedy == (length == "one round")
    assert length in ("", "one round", f"to {rules.target}")


def test_equals_are_the_same_player_in_every_seat() -> None:
    assert all(len(set(plan("equals", 3, index).seaters)) == 1 for index in range(9))


def test_a_match_is_played_again_by_the_very_bots_that_played() -> None:
    """Their likings are the same. What they draw by chance is not."""
    asked = plan("stranger", 3, 1)
    assert list(lines(asked)) == list(lines(asked))
    real, rules = RealBots(asked), asked.header.rules
    table, public = Table(rules, len(asked.seaters)), PublicEvents(rules, len(asked.seaters))
    again, other = ([real(table, public, 0, Random(n)) for _ in "ab"] for n in (1, 2))
    likes = [bot._likes for bot in (*again, *other) if isinstance(bot, Stranger)]
    assert likes == [likes[0]] * 4
    assert again[0].begin(0) != other[0].begin(0)


def test_further_matches_are_only_those_of_known_players(known: Samples) -> None:
    more, whole = samples(5, 6, known=MATCHES), known.match
    assert set(whole[~known.known]) == {5, 6}
    assert set(more.match) == set(whole[known.known | (whole < 6)]) != set(whole)


def test_records_name_the_bots_but_not_those_that_stand_for_people(known: Samples) -> None:
    for population in POPULATIONS:
        assert all(bots_of(plan(population, 3, 1).header)) == (population in KNOWN)
    rows = np.array(known.x[..., len(PLAYED) :].any((1, 2)))
    assert 0 < rows.sum() <= known.known.sum() < len(rows)
    assert not rows[~known.known].any()


@pytest.mark.release
def test_the_same_seed_trains_the_same_model() -> None:
    """In other processes, too; another seed makes another model."""
    model, again, other = (
        train(seed, matches=MATCHES, jobs=jobs, starts=1, epochs=2)
        for seed, jobs in ((5, 1), (5, 2), (6, 1))
    )
    assert model == again
    assert model["digest"] != other["digest"]


@pytest.mark.slow
def test_what_is_written_can_be_read_and_is_as_good_as_it_says(told: Json, known: Samples) -> None:
    read = json.loads(written(told))
    assert read == told
    network = Network(read)
    of_each = []
    for x, won, sits in zip(*chosen(known, held_out(known))[:3], strict=True):
        p = network.probabilities(x[sits, : len(PLAYED)].tolist())
        of_each.append(-sum(share * log(chance) for share, chance in zip(won, p, strict=False)))
    assert fmean(of_each) == pytest.approx(told["loss"]["unknown"], abs=1e-3)
    even = np.log(known.sits.sum(1))[held_out(known)].mean()
    assert told["loss"]["unknown"] < even


def test_no_match_is_fitted_to_and_tested_on() -> None:
    """The seeds differ, so that not one match of the tests was learned from."""
    mine = plan("roster", 5, 0).header.id, list(lines(plan("roster", 5, 0)))[1]
    test = plan("roster", 6, 0).header.id, list(lines(plan("roster", 6, 0)))[1]
    assert mine[0] != test[0]
    assert mine[1] != test[1]


def test_who_has_left_is_no_part_of_a_sample(known: Samples) -> None:
    assert not known.won[~known.sits].any()
    assert known.won.sum(1) == pytest.approx(1)


def test_chances_are_held_against_outcomes_exactly() -> None:
    sits = np.ones((400, 2), bool)
    first = np.arange(400) % 4 < 3
    won = np.stack([first, ~first], axis=1).astype(float)
    match, none = np.arange(400) // 20, np.zeros((400, 2, 4))
    told = np.tile([0.75, 0.25], (400, 1))
    sure = Told(told, won, sits, match, none, none[..., 0], told)
    assert slope(sure)[0] == pytest.approx(1)
    assert slope(sure._replace(told=np.tile([0.9, 0.1], (400, 1))))[0] == pytest.approx(0.5)
    steps = [step[:3] for step in calibration(sure.told[sits], won[sits])]
    assert steps == [(0.2, 0.3, 400), (0.7, 0.8, 400)]


def test_without_numpy_there_is_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "numpy", None)
    for name in [name for name in sys.modules if name.startswith("replays.training")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(CommandError, match=r"numpy.*requirements-dev\.txt"):
        call_command("train", matches=40)


@pytest.mark.slow
def test_what_weaknesses_cost_is_found_from_bots_that_have_them(tmp_path: Path) -> None:
    out = tmp_path / "worth.json"
    call_command("fit_points", "--matches=20", "--seed=3", f"--out={out}", stdout=StringIO())
    fitted = json.loads(out.read_text())
    assert fitted["about"] == {"seed": 3, "matches": 20, "kinds": list(KINDS)}
    assert fitted["effects"]["speed"] < 0
    assert fitted["effects"]["takes"] < 0
    line = KINDS.index("line")
    assert fitted["points"][line][line] < 0
    assert len(fitted["delay"]) == 4
    assert sum(fitted["usual"]) == pytest.approx(1, abs=0.01)
    with pytest.raises(CommandError, match="at least 20"):
        call_command("fit_points", "--matches=19")
