"""A play tried differently over HTTP: bounded, strict, and nothing for viewers who hide results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from time import thread_time
from typing import Any

import pytest
from django.test import Client

from games.archive.packing import pack
from games.archive.store import insert
from games.engine.events import Play
from games.models import Match
from replays.analysis.trials import Batch, summary
from replays.jobs.slices import SliceOutcome, slice_of_work
from replays.pages import trials
from replays.stored import trials as jobs
from replays.variations.alternative import Change, TryAt
from tests.hostile_records import late_flood
from tests.web.records import played, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return insert([pack(record("Ada", "Bo", "Cy"))])[0]


def post(match: Match, body: dict[str, Any], client: Client | None = None) -> Any:
    url = f"/api/v1/matches/{match.pk}/what-if/try"
    return (client or Client()).post(url, json.dumps(body), "application/json")


def some_play(lines: Sequence[Any]) -> dict[str, int]:
    """A play in the middle of the first round."""
    events = lines[2:]
    number = next(n for n, event in enumerate(events, 1) if n > 40 and isinstance(event, Play))
    return {"round": 1, "event": number, "seat": events[number - 1].seat}


def test_a_play_can_come_later_be_another_or_be_left_out(match: Match, monkeypatch: Any) -> None:
    monkeypatch.setattr(trials, "BUDGET_S", 0)  # one batch
    where = some_play(record("Ada", "Bo", "Cy"))
    options = post(match, where).json()
    for change in ({"ms": 200}, {"skip": True}, *options["cards"][:1]):
        told = post(match, {**where, **change}).json()
        assert told["rollouts"] == 2
        assert told["rollout_ms"] > 0
        assert told["seat"] == where["seat"]
        assert len(told["seats"]) == 3
        assert sum(seat["win"][1] for seat in told["seats"]) == pytest.approx(1, abs=0.001)
        assert told["outcome"]
        assert told["text"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"round": 1, "event": 41}, "seat"),
        ({"round": 9, "event": 1, "seat": 0, "ms": 5}, "round"),
        ({"round": 1, "event": 0, "seat": 0}, "event"),
        ({"round": 1, "event": 2, "seat": 0, "ms": 10**6}, "ms"),
        ({"round": 1, "event": 2, "seat": 0, "card": "A9z", "stack": 0}, "card"),
        ({"round": 1, "event": 2, "seat": 0, "card": "A1a"}, "stack"),
        ({"round": 1, "event": 2, "seat": 0, "skip": 1}, "skip"),
        ({"round": 1, "event": 2, "seat": 0, "later": 5}, "later"),
        ({"round": 1, "event": 2, "seat": 0, "ms": 5, "rollouts": 7}, "expected 300 or 1200"),
    ],
)
def test_bad_input_gets_an_error_that_says_what_is_wrong(
    match: Match, body: dict[str, Any], words: str
) -> None:
    response = post(match, body)
    assert response.status_code == 422
    assert words in response.json()["detail"]


def test_all_of_it_is_a_job_whose_parts_add_up(match: Match, monkeypatch: Any) -> None:
    monkeypatch.setattr(trials, "AMOUNTS", (6, 12))
    monkeypatch.setattr(jobs, "_PART", 3)
    monkeypatch.setattr(jobs, "_STEP", 2)
    body = {**some_play(record("Ada", "Bo", "Cy")), "ms": 300, "rollouts": 6}
    waiting = post(match, body)
    assert waiting.status_code == 202
    assert waiting.json()["job"]["total"] == 6
    assert post(match, body).json()["job"]["done"] == 0
    while slice_of_work("a worker") is SliceOutcome.WORK:
        pass
    finished = post(match, body)
    assert finished.status_code == 200
    where = TryAt(1, body["event"], body["seat"])
    trial = jobs.trial_of(match, where, Change(300))
    assert finished.json() == json.loads(json.dumps(summary(trial, trial.run(Batch(0, 6)))))
    more = post(match, {**body, "rollouts": 12})
    assert more.status_code == 202
    assert more.json()["job"]["total"] == 12


def test_viewers_who_hide_results_learn_nothing(match: Match) -> None:
    client = Client()
    client.cookies["spoilers"] = "off"
    assert post(match, some_play(record("Ada", "Bo", "Cy")), client).status_code == 403


def test_a_request_costs_at_most_half_a_second(match: Match) -> None:
    """Of CPU, whatever the rules and however long the round."""
    post(match, some_play(record("Ada", "Bo", "Cy")))  # a process imports its pages once
    lines = played(5, "hasbro-2010", 3)
    flood = insert([pack(late_flood(5_900))])[0]
    for asked, where in (
        (insert([pack(lines)])[0], some_play(lines)),
        (flood, {"round": 1, "event": 3_000, "seat": 1}),
    ):
        since = thread_time()
        post(asked, {**where, "ms": -100})
        assert thread_time() - since < 0.5 * _slowness()


def _slowness() -> float:
    """How much slower than planned this machine is; at least 1."""
    since = thread_time()
    sum(number * number for number in range(1_000_000))
    return max(1.0, (thread_time() - since) / 0.06)
