"""A play tried differently over HTTP: a job, strict, nothing for viewers who hide results."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client

from games.archive.packing import pack
from games.archive.store import insert
from games.engine.events import Play
from games.models import Match
from replays.analysis.judge import judge
from tests.jobs.counting import work
from tests.web.records import record

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
    monkeypatch.setattr(judge, "TRY_STAGES", (4, 6))
    lines = record("Ada", "Bo", "Cy")
    where = some_play(lines)
    options = post(match, where).json()
    for change in ({"ms": 200}, {"skip": True}, *options["cards"][:1]):
        body = {**where, **change}
        waiting = post(match, body)
        assert waiting.status_code == 202
        assert waiting.json()["job"]["total"] == 6
        work()
        told = post(match, body).json()
        assert told["rollouts"] in (4, 6)
        assert told["seat"] == where["seat"]
        assert sum(seat["before"] for seat in told["seats"]) == pytest.approx(1, abs=0.001)
        assert told["text"]
        assert ["→" in figure for figure in told["figures"]] == [True] * 3
        first, *others = (figure.partition("’")[0].split()[-1] for figure in told["figures"])
        names = ["Ada", "Bo", "Cy"]
        assert [first, *others] == [names.pop(where["seat"]), *names], "who acts comes first"


def test_the_same_is_played_once(match: Match, monkeypatch: Any) -> None:
    monkeypatch.setattr(judge, "TRY_STAGES", (4, 6))
    body = {**some_play(record("Ada", "Bo", "Cy")), "ms": 300}
    first, again = (post(match, body).json()["job"] for _ in range(2))
    assert first["place"] == again["place"] == 1
    work()
    assert post(match, body).status_code == 200


def test_a_try_that_cannot_be_changed_so_says_why(match: Match) -> None:
    where = some_play(record("Ada", "Bo", "Cy"))
    refused = post(match, {**where, "seat": (where["seat"] + 1) % 3, "skip": True})
    assert refused.status_code == 422
    assert "is no try of seat" in refused.json()["detail"]


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
    ],
)
def test_bad_input_gets_an_error_that_says_what_is_wrong(
    match: Match, body: dict[str, Any], words: str
) -> None:
    response = post(match, body)
    assert response.status_code == 422
    assert words in response.json()["detail"]


def test_viewers_who_hide_results_learn_nothing(match: Match) -> None:
    client = Client()
    client.cookies["spoilers"] = "off"
    assert post(match, some_play(record("Ada", "Bo", "Cy")), client).status_code == 403
