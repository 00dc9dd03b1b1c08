"""Homework to practise a playlist, and to play."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Match
from games.pages.words import clock
from games.records.notation import write_line
from replays.homework.progress import look_round
from replays.models import Attempt, Chapter, ClassMember, Homework, News, Playlist, Study, Variation
from replays.models.notes import RACED
from replays.stored.logs import round_of
from replays.studies.drills import key_of
from tests.classes.lesson import day
from tests.classes.making import class_of_cora, class_with_kim, place, pupil, user_of
from tests.notes.browsers import post
from tests.web.records import store_hosted, store_played

pytestmark = pytest.mark.django_db


def give(coach: Client, path: str, kind: str, **fields: Any) -> Homework:
    """Homework of a kind, by its form."""
    told = coach.post(f"{path}?kind={kind}", {"due": day(7), **fields})
    assert told.status_code == 302, told.context["form"].errors
    return Homework.objects.latest("pk")


def state(coach: Client, path: str) -> tuple[str, str]:
    """The only pupil's state, and how much is done."""
    (row,) = coach.get(path).context["rows"]
    return row.state, row.steps


def play(learner: ClassMember, **fields: Any) -> Match:
    """A match that the pupil has just finished."""
    match = store_played("Kim", "Bo")
    match.seats.update(started_at=timezone.now())
    match.seats.filter(number=0).update(user=learner.user, **fields)
    return match


def race(learner: ClassMember, match: Match) -> None:
    """A race from event 3 on in which the pupil repeated the match, kept in two parts."""
    rest = [json.loads(write_line(event)) for event in round_of(match, 1).events[3:]]
    by = {"match": match, "owner": f"user:{learner.user_id}", "user": learner.user, "by": "Kim"}
    first = Variation.objects.create(
        **by, round=1, event=3, tags=[RACED], events=json.dumps(rest[:2]), length=5, depth=1
    )
    place = {"round": 1, "event": 5, "line": first, "key": f"{first.key}-2"}
    more = {"events": json.dumps(rest[2:]), "length": len(rest) + 3, "depth": 2}
    Variation.objects.create(**by, **place, **more)


def points_in(match: Match) -> str:
    """The players with their points, the winner first."""
    seats = match.seats.order_by("-won", "-total").select_related("player")
    return " · ".join(f"{seat.player.name} {seat.total}" for seat in seats)


def test_matches_to_play_are_done_when_they_are_over() -> None:
    coach, there, kim, member = class_with_kim()
    play(member)
    given = give(coach, place(there, "homework"), "play", what="matches", count=2)
    at = place(there, "homework", given.key)
    assert given.shown_title == "2 matches"
    assert kim.get(at).context["next_url"] == "/play/"
    assert 'action="/play/quick/"' in kim.get(at).text, "one press, and they play"
    for about_questions in ("Right first time", "Time to answer", "The CSV has each question"):
        assert about_questions not in coach.get(at).text
    play(member, stand_in=True)
    assert state(coach, at) == ("not begun", "0 of 2"), "only what they play from now on"
    play(member)
    assert state(coach, at) == ("begun", "1 of 2")
    last = play(member)
    look_round()
    assert state(coach, at) == ("done", "2 of 2")
    todo = kim.get(at)
    assert todo.context["next_url"] is None
    score = todo.context["steps"][1][3]
    assert f'href="/matches/{last.pk}/"><bdi>{score}</bdi></a>' in todo.text
    assert sorted(score.split(" · "))[1].startswith("Kim "), "each player with their points"
    look_round()
    assert News.objects.filter(kind=News.Kind.DONE, key=given.key).count() == 1


def test_races_to_run_are_done_when_they_are_kept() -> None:
    coach, there, kim, member = class_with_kim()
    match = play(member)
    race(member, match)
    given = give(coach, place(there, "homework"), "play", what="races", count=1)
    at = place(there, "homework", given.key)
    todo = kim.get(at)
    assert todo.context["next_url"] == "/matches/mine/"
    assert todo.text.count("Choose a match</a>") == 1
    assert [word in todo.text for word in ("Ghost race</", "to do</", "done</")] == [
        True,
        True,
        False,
    ]
    assert state(coach, at) == ("not begun", "0 of 1")
    race(member, match)
    assert state(coach, at) == ("done", "1 of 1")
    todo = kim.get(at)
    step, _, where, score = todo.context["steps"][0]
    assert step.race
    assert where == f"/matches/{match.pk}/?line={step.race}"
    time = clock(round_of(match, 1).events[2].t)
    assert score == f"Round 1, {time} · {points_in(match)}"


def test_pupils_who_do_not_play_cost_nothing_each_minute() -> None:
    coach, there, _, member = class_with_kim()
    counts = []
    for name in ("Bo", "Di", "Ed"):
        pupil(there, name)
        give(coach, place(there, "homework"), "play", what="matches", count=2)
        with CaptureQueriesContext(connection) as queries:
            look_round()
        counts.append(len(queries))
    assert counts == [1, 1, 1]
    match = play(member)
    match.seats.update(started_at=timezone.now() - timedelta(days=3))
    with CaptureQueriesContext(connection) as queries:
        look_round()
    assert len(queries) == 1


@contextmanager
def most_in_a_query(values: int) -> Iterator[None]:
    """Let no query have more values than that."""
    limit = sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER
    before = connection.connection.setlimit(limit, values)
    yield
    connection.connection.setlimit(limit, before)


def test_a_drill_is_each_pupils_own() -> None:
    coach, there, kim, _ = class_with_kim()
    match = store_hosted("Ada", "Bo")
    items = [{"match": match.pk, "round": 1, "event": 0, "until": match.events - 5}]
    post(coach, "/api/v1/playlists", key="list-of-a-test-1", title="Takes", items=items)
    assert kim.get("/playlists/list-of-a-test-1/").status_code == 404
    given = give(coach, place(there, "homework"), "drill", playlist="list-of-a-test-1")
    at = place(there, "homework", given.key)
    assert "<h1><bdi>Practise: Takes</bdi></h1>" in kim.get(at).text
    german = kim.get(at, headers={"accept-language": "de"}).text
    assert "<h1><bdi>Üben: Takes</bdi></h1>" in german
    assert kim.get("/playlists/list-of-a-test-1/").status_code == 200
    assert state(coach, at) == ("not begun", "0 of 1"), "looking at it is not yet doing it"
    todo = kim.get(at)
    begin = todo.context["next_url"]
    assert f'method="post" action="{begin}"' in todo.text
    assert todo.text.count("Practise: Takes</bdi>") == 1, "no list repeats the title"
    assert "Answer each question once: up to 1, in about 1 minute.<" in todo.text
    kim.post(begin)
    drill = Study.objects.get(key=key_of(f"user:{user_of(kim).pk}", "list-of-a-test-1"))
    (asked,) = drill.chapters.all()
    todo = kim.get(at)
    assert "Answer each question once.<" in todo.text
    assert todo.context["next_url"] == f"/studies/{drill.key}/{asked.number}/"
    kim.post(f"/studies/{drill.key}/{asked.number}/start")
    assert state(coach, at) == ("begun", "0 of 1")
    post(kim, f"/api/v1/studies/{drill.key}/chapters/{asked.number}/answer", answer=None, ms=5)
    assert Attempt.objects.get().answered
    done = kim.get(f"/studies/{drill.key}/{asked.number}/", follow=True).text
    assert f'href="{at}">Back to homework</a>' in done
    assert state(coach, at) == ("done", "1 of 1")
    place_of = {"study": drill, "match": match, "round": 1, "event": 1, "question": {}}
    more = (Chapter(number=number, place=number, **place_of) for number in range(2, 500))
    Chapter.objects.bulk_create(more)
    with most_in_a_query(300):
        assert state(coach, at) == ("begun", "1 of 499")
    drill.chapters.exclude(pk=asked.pk).delete()
    Playlist.objects.update(deleted=timezone.now())
    assert kim.get("/playlists/list-of-a-test-1/").status_code == 404
    assert "The material was deleted" in kim.get(at).text
    assert state(coach, at) == ("done", "1 of 1")


def test_of_a_kind_that_is_no_longer_given_the_record_stays() -> None:
    coach, there = class_of_cora()
    (kim, member), (bo, other) = pupil(there, "Kim"), pupil(there, "Bo")
    closed = {"kind": "closed", "title": "2 matches", "due": day(7), "everyone": True}
    given = Homework.objects.create(school_class=there, **closed)
    given.assignments.create(member=member, notified_at=timezone.now())
    given.assignments.create(member=other)
    at = place(there, "homework", given.key)
    rows = {row.progress.member.name: row.state for row in coach.get(at).context["rows"]}
    assert rows == {"Kim": "done", "Bo": "not begun"}
    for browser in (coach, kim, bo):
        assert "Homework of this kind is no longer given." in browser.get(at).text
    assert not any(browser.get("/").context["due"] for browser in (kim, bo)), "nothing to do"
    assert "Remind" not in coach.get(at).text
