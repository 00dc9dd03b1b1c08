"""Homework that is a drill, or matches against bots."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, cast

import pytest
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.utils import timezone

from games.bots.patient import PATIENT_LEVEL
from games.models import LiveTable, Match, Seat
from games.people.visit import visit_of_session
from games.tables.plan import from_json
from replays.ghost_races import opening
from replays.ghost_races.state import GhostRaceOutcome
from replays.ghost_races.table import outcome_of
from replays.models import Attempt, Chapter, GhostRaceEnd, Homework, Playlist, Study
from replays.studies.drills import key_of
from tests.classes.lesson import day
from tests.classes.making import place, pupil, school_class, user_of
from tests.notes.browsers import account, post
from tests.web.records import store_hosted

pytestmark = pytest.mark.django_db


def give(coach: Client, path: str, kind: str, **fields: Any) -> Homework:
    """Homework of a kind, by its form."""
    told = coach.post(f"{path}?kind={kind}", {"due": day(7), **fields})
    assert told.status_code == 302, told.context["form"].errors
    return Homework.objects.latest("pk")


def against_bots(client: Client, *levels: int, **seat: Any) -> Match:
    """A match that this account has finished here, against bots of these levels."""
    match = store_hosted("Kim", *(f"bot {at}" for at, _ in enumerate(levels)))
    seats = list(match.seats.order_by("number"))
    for row, level in zip(seats[1:], levels, strict=True):
        Seat.objects.filter(pk=row.pk).update(kind="bot", level=level)
    own = {"user": user_of(client), "started_at": timezone.now(), **seat}
    Seat.objects.filter(pk=seats[0].pk).update(**own)
    return match


def state(coach: Client, path: str) -> tuple[str, str]:
    """The only pupil's state, and how much is done."""
    (row,) = coach.get(path).context["rows"]
    return row.state, row.steps


def test_matches_against_bots_of_a_level() -> None:
    coach = account("Cora")
    there = school_class(coach)
    kim, _ = pupil(there, "Kim")
    given = give(coach, place(there, "homework"), "matches", count=2, level=4)
    assert given.title == "2 matches against bots of level 4"
    at = place(there, "homework", given.key)
    todo = kim.get(at)
    table = kim.post("/play/new/", todo.context["bots"])["Location"]
    plan = from_json(LiveTable.objects.get(record_id=table.split("/")[-2]).plan)
    assert [(seat.kind, seat.level) for seat in plan.places[1:]] == [("bot", 4)] * 3
    against_bots(kim, 4, 3)
    against_bots(kim, 5, stand_in=True)
    against_bots(kim, 5, started_at=given.given - timedelta(hours=1))
    assert state(coach, at) == ("begun", "0 of 2"), "weaker bots, a stand-in, before"
    against_bots(kim, 4, 5)
    assert state(coach, at) == ("begun", "1 of 2")
    against_bots(kim, 4)
    against_bots(kim, 4)
    assert state(coach, at) == ("done", "2 of 2")
    assert kim.get(at).context["bots"] is None


def test_a_match_with_another_person_is_none_against_bots() -> None:
    coach = account("Cora")
    there = school_class(coach)
    kim, _ = pupil(there, "Kim")
    given = give(coach, place(there, "homework"), "matches", count=1, level=1)
    match = against_bots(kim, 5, 5)
    match.seats.filter(number=1).update(kind="human", level=None)
    against_bots(kim, PATIENT_LEVEL, PATIENT_LEVEL)  # a guided round
    assert state(coach, place(there, "homework", given.key)) == ("not opened", "0 of 1")


def test_a_match_of_two_pupils_is_none_against_bots() -> None:
    coach = account("Cora")
    there = school_class(coach)
    kim, lee = pupil(there, "Kim")[0], pupil(there, "Lee")[0]
    given = give(coach, place(there, "homework"), "matches", count=1, level=1)
    match = against_bots(kim, 5, 5)
    taken = {"kind": "human", "level": None, "user": user_of(lee), "started_at": timezone.now()}
    match.seats.filter(number=1).update(**taken)
    rows = coach.get(place(there, "homework", given.key)).context["rows"]
    assert [row.steps for row in rows] == ["0 of 1", "0 of 1"]


def raced(browser: Client, match: Match, points: int, query: str = "round=1&seat=1") -> None:
    """A race to the end of the round, with so many points more than the ghost had."""
    visit = visit_of_session(browser.session.session_key)
    started = opening.opened(visit, QueryDict(query), match.pk)
    started.race.step(10**7)
    ended = outcome_of(started.race, "left")
    told = {"acted": True, "score": ended["original"] + points}
    opening.finished(visit, started, cast("GhostRaceOutcome", {**ended, **told}), None)


def test_a_ghost_is_beaten_once_from_there_and_at_that_speed() -> None:
    coach = account("Cora")
    there = school_class(coach)
    kim, _ = pupil(there, "Kim")
    match = store_hosted("Ada", "Bo")
    raced(kim, match, 5)
    asked = f"/matches/{match.pk}/race?round=1&event=0&seat=1&slow=2"
    given = give(coach, place(there, "homework"), "ghost", address=f"http://testserver{asked}")
    assert given.title == "Beat the ghost of Bo, round 1"
    at = place(there, "homework", given.key)
    assert state(coach, at) == ("not opened", "0 of 1"), "that was before"
    raced(kim, match, 5, "round=1&seat=0")
    raced(kim, match, 5, "round=1&seat=1&slow=4")
    assert state(coach, at) == ("not opened", "0 of 1")
    raced(kim, match, 0)
    assert state(coach, at) == ("begun", "0 of 1")
    assert kim.get(at).context["next_url"] == asked
    raced(kim, match, 1)
    assert state(coach, at) == ("done", "1 of 1")
    known = GhostRaceEnd.objects.count()
    raced(kim, match, 0)
    raced(kim, match, 2)
    assert GhostRaceEnd.objects.count() == known, "they add nothing"
    assert coach.get("/news/").context["told"][0].by == "1 of 1"
    pages = [(kim, at), (coach, at), (coach, place(there)), (coach, "/news/")]
    assert all("the ghost of Bo, round 1" in browser.get(page).text for browser, page in pages)
    Match.objects.update(visibility=Match.Visibility.LINK)
    for browser, page in pages:
        assert "Beat a ghost, round 1" in browser.get(page).text
        assert "ghost of Bo" not in browser.get(page).text
    Homework.objects.update(match=None)
    assert kim.get(at).context["gone"]
    assert "ghost of Bo" not in kim.get(at).text


def test_no_ghost_is_given_that_the_class_cannot_see() -> None:
    coach = account("Cora")
    there = school_class(coach)
    match = store_hosted("Ada", "Bo")
    match.seats.filter(number=0).update(user=user_of(coach))
    path = f"{place(there, 'homework')}?kind=ghost"
    said = {"due": day(3), "address": f"/matches/{match.pk}/race?seat=0"}
    Match.objects.update(visibility=Match.Visibility.LINK)
    assert "Pupils can’t see that match" in coach.post(path, said).text
    Match.objects.update(school_class=there.key)
    assert coach.post(path, said).status_code == 302


@pytest.mark.parametrize(
    ("kind", "fields", "words"),
    [
        ("matches", {"count": 0, "level": 4}, "greater than or equal to 1"),
        ("matches", {"count": 21, "level": 4}, "less than or equal to 20"),
        ("matches", {"count": 2, "level": 9}, "9 is not one of the available choices"),
        ("drill", {"playlist": "nowhere"}, "no such playlist of yours"),
        ("ghost", {"address": "/matches/1/"}, "not the address of a ghost race"),
        ("ghost", {"address": "/matches/1/race?seat=0"}, "no such race"),
        ("drill", {}, "This field is required"),
    ],
)
def test_what_cannot_be_given_says_why(kind: str, fields: dict[str, Any], words: str) -> None:
    coach = account("Cora")
    path = f"{place(school_class(coach), 'homework')}?kind={kind}"
    told = coach.post(path, {"due": day(3), "words": "Slowly.", **fields})
    assert (told.status_code, words in told.text, "Slowly." in told.text) == (422, True, True)
    assert not Homework.objects.exists()


@contextmanager
def most_in_a_query(values: int) -> Iterator[None]:
    """Let no query have more values than that."""
    limit = sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER
    before = connection.connection.setlimit(limit, values)
    yield
    connection.connection.setlimit(limit, before)


def test_a_drill_is_each_pupils_own() -> None:
    coach = account("Cora")
    there = school_class(coach)
    kim, _ = pupil(there, "Kim")
    match = store_hosted("Ada", "Bo")
    items = [{"match": match.pk, "round": 1, "event": 0, "until": match.events - 5}]
    post(coach, "/api/v1/playlists", key="list-of-a-test-1", title="Takes", items=items)
    assert kim.get("/playlists/list-of-a-test-1/").status_code == 404
    given = give(coach, place(there, "homework"), "drill", playlist="list-of-a-test-1")
    at = place(there, "homework", given.key)
    assert kim.get(at).context["next_url"] == "/playlists/list-of-a-test-1/"
    assert kim.get("/playlists/list-of-a-test-1/").status_code == 200
    assert state(coach, at) == ("begun", "0 of 1")
    kim.post("/playlists/list-of-a-test-1/practise")
    drill = Study.objects.get(key=key_of(f"user:{user_of(kim).pk}", "list-of-a-test-1"))
    (asked,) = drill.chapters.all()
    todo = kim.get(at)
    assert todo.context["next_url"] == f"/studies/{drill.key}/{asked.number}/"
    kim.post(f"/studies/{drill.key}/{asked.number}/start")
    post(kim, f"/api/v1/studies/{drill.key}/chapters/{asked.number}/answer", answer=None, ms=5)
    assert Attempt.objects.get().answered
    assert state(coach, at) == ("done", "1 of 1")
    place_of = {"study": drill, "match": match, "round": 1, "event": 1, "question": {}}
    more = (Chapter(number=number, place=number, **place_of) for number in range(2, 500))
    Chapter.objects.bulk_create(more)
    with most_in_a_query(300):
        assert state(coach, at) == ("begun", "1 of 499")
    drill.chapters.exclude(pk=asked.pk).delete()
    Playlist.objects.update(deleted=timezone.now())
    assert kim.get("/playlists/list-of-a-test-1/").status_code == 404
    assert "What it is about has been deleted." in kim.get(at).text
    assert state(coach, at) == ("done", "1 of 1")
