"""Decisions as a job: what is judged so far, what is kept, and who may see it."""

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.archive.packing import pack
from games.archive.store import insert
from games.models import Match
from games.pages.words import HERE
from replays.analysis.judge import judge
from replays.analysis.lag import lags
from replays.analysis.sentences import with_words
from replays.jobs import queue, rows
from replays.jobs.kinds import kind_of
from replays.jobs.starting import IDLE
from replays.models import Job
from replays.stored import judging
from replays.stored.logs import timeline_of
from tests.jobs.counting import ADA, count, die, finished, lapse, work
from tests.replays.matches import MATCHES, lines_of
from tests.web.records import store_hosted, store_played

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(monkeypatch: pytest.MonkeyPatch) -> Match:
    """A match of four rounds; each decision is judged by a few rollouts."""
    monkeypatch.setattr(judge, "STAGES", (6, 9))
    return insert([pack(lines_of(MATCHES / "valid-full-match-3.ratuki"))])[0]


def get(match: Match, client: Client | None = None) -> Any:
    return (client or Client()).get(f"/api/v1/matches/{match.pk}/decisions")


def test_what_is_judged_so_far_is_there_at_once(match: Match) -> None:
    client, address = Client(), f"/api/v1/matches/{match.pk}/decisions"
    first = get(match, client)
    assert first.status_code == 202
    assert (first.json()["job"], first.json()["found"]) == (None, None)
    asked = client.post(address)
    assert asked.json()["job"]["state"] == "waiting"
    assert client.post(address).json()["job"]["place"] == 1, "it is not asked for twice"
    die("w", 2)
    meanwhile = get(match, client).json()
    assert meanwhile["found"]["decisions"]
    assert meanwhile["job"]["done"] > 0
    lapse()
    queue.sweep()
    work()
    response = get(match, client)
    assert response.status_code == 200
    whole = response.json()["decisions"]
    assert whole[: len(meanwhile["found"]["decisions"])] == meanwhile["found"]["decisions"]
    assert [lost["decisions"] for lost in response.json()["lost"]] == [
        sum(decision["seat"] == seat for decision in whole) for seat in range(3)
    ]


def test_all_that_can_be_judged_is_judged_once(match: Match) -> None:
    job = judging.ask(match, None, ADA)
    work()
    job.refresh_from_db()
    assert job.state == Job.State.FINISHED, job.error
    assert job.done == job.total == match.events
    timeline = timeline_of(match)
    known = judge.Judge(timeline, lags(timeline))
    expected = [
        (take.round, take.event) for played in timeline.rounds for take in known.to_judge(played)
    ]
    told = [(decision["round"], decision["event"]) for decision in present(job.result)["decisions"]]
    assert told == expected
    assert len(told) > 2


def test_matches_of_accounts_are_judged_in_turn_while_nothing_else_waits() -> None:
    now, long_ago = timezone.now(), timezone.now() - timedelta(days=2)
    store_played("Ada", "Bo", started_at=stamp(long_ago))
    store_hosted("Cy", "Di", started_at=stamp(now))  # guests: theirs is judged when they look
    first, second = (
        store_played("Ada", "Bo", seed=seed, started_at=stamp(now - timedelta(hours=2 - seed)))
        for seed in (1, 2)
    )
    judging.look_round()
    judging.look_round()
    (asked,) = Job.objects.all()
    assert asked.asked["match"] == second.pk, "the newest one, and no second job beside it"
    for _more in range(3):
        Job.objects.update(state=Job.State.FINISHED)
        judging.look_round()
    assert [job.asked["match"] for job in Job.objects.order_by("pk")] == [second.pk, first.pk]


def test_a_match_that_cannot_be_judged_holds_up_no_other() -> None:
    now = timezone.now()
    first, broken = (
        store_played("Ada", "Bo", seed=seed, started_at=stamp(now - timedelta(hours=2 - seed)))
        for seed in (1, 2)
    )
    Match.objects.filter(pk=broken.pk).update(header="{")
    judging.look_round()
    assert [job.asked["match"] for job in Job.objects.all()] == [first.pk]


def test_judging_that_nobody_asked_for_gives_way(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "SAVE_S", 0)
    idle = judging.ask(match, None, IDLE)
    part = rows.claim(rows.waiting()[0].pk, "w")
    assert part
    wanted = count(ADA, "numbers", 1)
    known = kind_of("judge")
    with pytest.raises(rows.PartLost):
        known.do(idle.asked, part.share, part.found, rows.Progress(part, lambda: False))
    assert rows.give_back(part)
    part.refresh_from_db()
    assert part.found, "it goes on from there"
    assert rows.waiting()[0].job == wanted
    assert finished(idle).result == finished(judging.ask(match, None, ADA)).result


def stamp(when: datetime) -> str:
    return f"{when:%Y-%m-%dT%H:%M:%SZ}"


def present(result: Any) -> dict[str, Any]:
    assert result is not None
    return result


def test_it_is_stored_by_the_version(match: Match, monkeypatch: Any) -> None:
    judging.ask(match, None, ADA)
    work()
    assert get(match).status_code == 200
    monkeypatch.setattr(judging, "DECISIONS_VERSION", "later")
    assert get(match).status_code == 202


def test_another_worker_goes_on_where_one_died(match: Match) -> None:
    judging.ask(match, None, ADA)
    judged = die("dies", 1).found
    assert judged
    lapse()
    queue.sweep()
    work("successor")
    told = get(match).json()["decisions"]
    assert told[: len(judged)] == with_words(judged, timeline_of(match).names, HERE)


def test_nothing_is_told_of_a_match_that_is_not_over(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(state=Match.State.OPEN)
    assert get(match).status_code == 409
    assert Client().post(f"/api/v1/matches/{match.pk}/decisions").status_code == 409
    assert not Job.objects.exists()


def test_a_what_if_of_a_decision_says_the_same(match: Match) -> None:
    judging.ask(match, None, ADA)
    work()
    for decision in get(match).json()["decisions"][:3]:
        where = {name: decision[name] for name in ("round", "event", "seat", "card")}
        body = json.dumps({**where, "stack": decision["slot"]})
        url = f"/api/v1/matches/{match.pk}/what-if/try"
        assert Client().post(url, body, "application/json").status_code == 202
        work()
        answer = Client().post(url, body, "application/json").json()
        assert {**answer, "told": None} == {**decision, "told": None}
