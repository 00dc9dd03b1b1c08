"""Practice: what was missed comes back over days, as far as one may still see it."""

import gzip
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.archive.own import numbers_in, seats_played_by
from games.models import Match
from games.people import embargoes, person
from games.people.visit import visit_of_session
from replays.models import Attempt, Chapter, SeatFigures, StoredReport, Study
from replays.players.counting import count
from replays.stored import reports
from replays.studies import practice
from replays.studies.practice import NEW_A_DAY, QUICK_MS, SLOW_MS, Review
from tests.notes.browsers import account, guest, post, put
from tests.studies.making import data, place, question, study
from tests.web.records import store_hosted

pytestmark = pytest.mark.django_db
PRESS = "/practise/"


# --- The schedule --------------------------------------------------------------------------------

MONDAY = datetime(2026, 11, 2, 18, tzinfo=UTC)


def days_until(*answers: tuple[str, int], hinted: bool = False) -> list[int]:
    """After how many days a position comes back each time, if it is answered on the day."""
    reviews, days, at = list[Review](), list[int](), MONDAY
    for verdict, ms in answers:
        reviews.append(Review(at, verdict, ms, hinted))
        comes = practice.due(reviews)
        days.append((comes - at).days)
        at = comes
    return days


def test_what_is_known_comes_back_ever_later_and_what_is_missed_the_next_day() -> None:
    right = ("right", 3_000)
    first, second, third = days_until(right, right, right)
    assert 1 < first < second < third
    for verdict in ("wrong", "late", "given up"):
        assert days_until((verdict, 3_000)) == [1]
        assert days_until(right, right, (verdict, 900))[-1] < second


def test_a_quick_answer_counts_for_more_than_a_slow_one_or_one_with_a_hint() -> None:
    quick, good = days_until(("right", QUICK_MS)), days_until(("right", QUICK_MS + 1))
    slow, hinted = days_until(("right", SLOW_MS + 1)), days_until(("right", 900), hinted=True)
    assert quick > good > slow == hinted


def test_the_same_answers_give_the_same_day() -> None:
    answers = [("right", 3_000)] * 6
    assert days_until(*answers) == days_until(*answers)


# --- The session ---------------------------------------------------------------------------------


def kim_at(*matches: Match) -> Client:
    """Kim's browser; Kim played seat 0 of these matches, and they are counted."""
    kim = guest("Kim")
    for match in matches:
        match.seats.filter(number=0).update(guest=kim.session["guest"])
        count(match)
    return kim


def answers(learner: Client, asked: Chapter, *, right: bool = True, ms: int = 900) -> None:
    """Somebody answers the question that is open."""
    assert asked.question is not None
    post(learner, f"{data(asked)}answer", asked=True)
    answer = asked.question["answers"][0] if right else {"do": "draw"}
    told = post(learner, f"{data(asked)}answer", answer=answer, ms=ms)
    assert told.status_code == 200, told.content


def opened(learner: Client) -> Chapter:
    """The question that a press opens."""
    address = learner.post(PRESS)["Location"]
    path, _, query = address.partition("?")
    assert query == "practice=1", address
    _, _, key, number, _ = path.split("/")
    return Chapter.objects.get(study__key=key, number=number)


def days_pass(days: int) -> None:
    """What has been answered was answered so many days earlier."""
    earlier = timedelta(days=days)
    Attempt.objects.update(answered=F("answered") - earlier, opened=F("opened") - earlier)


def today(learner: Client) -> Any:
    """What the home page says there is to practise."""
    return learner.get("/").context["today"].practice


def test_missed_takes_become_questions_one_after_the_other() -> None:
    kim = kim_at(store_hosted("Kim", "Bo"))
    missed = len(SeatFigures.objects.get(seat__number=0).spans)
    planned = today(kim).left
    assert 1 < planned <= min(NEW_A_DAY, missed)
    assert f"{planned} to practise today" in kim.get("/").text
    assert Study.objects.count() == 0, "looking makes nothing"
    for done in range(1, planned + 1):
        asked = opened(kim)
        assert asked.question is not None
        assert asked.question["seat"] == 0
        answers(kim, asked)
        page = kim.get(f"{place(asked)}?practice=1", follow=True)
        told = f"{planned - done} to go" if done < planned else "That is all for today."
        assert told in page.text
        assert "Edit the chapter" not in page.text
        assert not page.context["lesson"]["writer"]
    assert (today(kim).left, today(kim).done, today(kim).days) == (0, planned, 1)
    assert "That is all for today" in kim.post(PRESS, follow=True).text
    assert "Practise</a>" in kim.get("/rules/").text, "in the header"
    assert Client().get("/practice/")["Location"] == PRESS, "its former address"
    assert "Play a match" in Client().get(PRESS).text, "nothing for strangers"
    (drill,) = Study.objects.all()
    assert drill.drill
    assert guest("Eve").get(f"/studies/{drill.key}/").status_code == 404


def test_the_first_question_is_pictured_as_it_was_before() -> None:
    kim = kim_at(store_hosted("Kim", "Bo"))
    for _ in range(2):
        page = kim.get(PRESS).text
        assert "/picture.svg?" in page
        assert "pov=spectator" in page
        opened(kim)  # and it waits


def test_after_a_match_one_tries_its_plays_again_one_after_the_other() -> None:
    match = store_hosted("Kim", "Bo")
    kim = kim_at(match)
    reports.make(match)
    plays = kim.get(f"/matches/mine/next/?match={match.record_id}").context["plays"]
    costs = []
    while "/studies/" in (led := kim.post(PRESS, {"study": f"match-{match.pk}"})["Location"]):
        address, _, query = led.partition("?")
        assert query == f"practice=match-{match.pk}", "the next one comes after the answer"
        _, _, key, number, _ = address.split("/")
        asked = Chapter.objects.get(study__key=key, number=number)
        answers(kim, asked, right=False)
        page = kim.get(led, follow=True)
        assert "Not quite." in page.text
        assert page.context["cost"] in page.text.replace("&#x27;", "'")
        costs.append(page.context["cost"])
    assert led == f"/matches/{match.pk}/"
    assert len(costs) == len(plays) > 0
    assert f"took the {plays[0]['cards']} cards." in costs[0]
    days_pass(1)
    assert today(kim).left >= len(costs), "they come back as what was missed elsewhere"
    eve = guest("Eve")
    assert eve.post(PRESS, {"study": f"match-{match.pk}"})["Location"] == f"/matches/{match.pk}/"
    assert not Study.objects.filter(by="Eve").exists()


def test_a_match_without_such_a_play_asks_nothing() -> None:
    match = store_hosted("Kim", "Bo")
    report = json.loads(gzip.decompress(reports.make(match)))
    for stack in report["account"]["stacks"]:
        for rival in stack["rivals"]:
            rival["free_ms"] = 499
    StoredReport.objects.update(body=gzip.compress(json.dumps(report).encode()))
    pressed = kim_at(match).post(PRESS, {"study": f"match-{match.pk}"}, follow=True)
    assert pressed.redirect_chain[-1][0] == f"/matches/{match.pk}/"
    assert "You missed no take that was open for half a second." in pressed.text


def test_a_press_in_the_middle_leads_back_to_the_open_question() -> None:
    kim = kim_at(store_hosted("Kim", "Bo"))
    first = opened(kim)
    assert opened(kim) == first
    answers(kim, first)
    assert opened(kim) != first


def test_two_presses_at_once_ask_about_each_missed_take_once() -> None:
    kim = kim_at(store_hosted("Kim", "Bo"))
    planned = today(kim)
    visit = visit_of_session(kim.session.session_key)
    own = numbers_in(
        [missed.match for missed in planned.missed], seats_played_by(visit.visitor.persons)
    )
    for _ in range(2):
        practice.ask_about(visit.author, practice.spans_at(planned.missed), own, visit.reviewable)
    assert Chapter.objects.count() == planned.left


def test_a_day_has_room_for_five_minutes() -> None:
    kim = kim_at(*(store_hosted("Kim", "Bo", seed=seed) for seed in (1, 2, 3)))
    while today(kim).left:
        answers(kim, opened(kim))
    assert today(kim).done == NEW_A_DAY
    days_pass(1)
    Attempt.objects.update(opened=F("answered") - timedelta(seconds=80))
    planned = today(kim)
    assert planned.left == 300 // (80 + practice.LOOK_S)
    assert planned.minutes <= 5
    assert planned.days == 1


def test_a_wrong_answer_in_a_study_comes_back_and_a_right_one_does_not() -> None:
    cora, kim = account("Cora"), account("Kim")
    lesson = study(cora, visibility="everyone")
    asked = question(cora, lesson, store_hosted("Ada", "Bo"))
    for right in (True, False):
        Attempt.objects.all().delete()
        kim.post(f"{place(asked)}start")
        answers(kim, asked, right=right)
        assert today(kim).left == 0, "it was asked today"
        days_pass(2)
        assert today(kim).left == int(not right)
    assert opened(kim) == asked
    answers(kim, asked)
    assert today(kim).next is not None


def test_the_same_position_in_two_drills_is_asked_once() -> None:
    match = store_hosted("Kim", "Bo")
    kim = kim_at(match)
    first = opened(kim)
    answers(kim, first)
    twin = Chapter.objects.get(pk=first.pk)
    other = Study.objects.create(title="Drill: other", owner=first.study.owner, drill=True)
    twin.pk, twin.study = None, other
    before = today(kim).left
    twin.save()
    assert today(kim).left == before


def test_nothing_is_asked_that_one_may_no_longer_see() -> None:
    cora, kim = account("Cora"), account("Kim")
    lesson = study(cora, visibility="everyone")
    match = store_hosted("Ada", "Bo")
    asked = question(cora, lesson, match)
    kim.post(f"{place(asked)}start")
    answers(kim, asked, right=False)
    days_pass(2)
    assert today(kim).left == 1
    here = f"/api/v1/studies/{lesson.key}"
    revision = kim.get(here).json()["revision"]
    put(cora, here, revision=revision, visibility="self")
    assert today(kim).left == 0
    put(cora, here, revision=revision + 1, visibility="everyone")
    assert today(kim).left == 1
    Match.objects.filter(pk=match.pk).update(visibility=Match.Visibility.LINK)
    assert today(kim).left == 0, "the match is private now"
    Match.objects.filter(pk=match.pk).update(visibility=Match.Visibility.PUBLIC)
    me = person.account(int(kim.session["_auth_user_id"]))
    embargoes.begin(match, [me], asked.pk + 1)
    assert today(kim).left == 0, "another question about the match is open"
    embargoes.lift(asked.pk + 1)
    gone = cora.delete(data(asked)[:-1], {"revision": 1}, content_type="application/json")
    assert gone.status_code == 200, gone.content
    assert today(kim).left == 0
    assert "No question yet." in kim.post(PRESS, follow=True).text


def test_a_match_under_an_embargo_gives_no_missed_takes() -> None:
    match = store_hosted("Kim", "Bo")
    kim = kim_at(match)
    embargoes.begin(match, [person.guest(kim.session["guest"])], 1)
    assert today(kim).left == 0


def test_a_stranger_has_nothing_to_practise() -> None:
    browser = Client()
    assert today(browser) is None
    assert "to practise" not in browser.get("/").text
    assert browser.post(PRESS)["Location"] == PRESS


def test_a_newcomer_reads_what_it_is_and_the_one_next_step() -> None:
    for browser in (Client(), account("New")):
        page = browser.get(PRESS).text
        assert "stops right before a stack that you missed" in page
        assert "No question yet." in page
        assert page.count("primary") == 1
        assert 'action="/play/quick/"' in page
    kim = kim_at(store_hosted("Kim", "Bo"))
    page = kim.get(PRESS).text
    assert "The first question" in page
    assert "No question yet." not in page


def test_the_player_finds_it_on_their_own_page_alone() -> None:
    kim = kim_at(store_hosted("Kim", "Bo"))
    pages = [kim.get("/players/Kim/"), kim.get("/players/Bo/"), Client().get("/players/Kim/")]
    assert ["to practise today" in page.text for page in pages] == [True, False, False]


def test_it_takes_as_many_queries_for_three_positions_as_for_one() -> None:
    matches = [store_hosted("Kim", "Bo", seed=seed) for seed in (1, 2, 3)]
    Match.objects.update(visibility=Match.Visibility.LINK)
    kim = kim_at(*matches)
    asked = []
    for at in range(3):
        answers(kim, opened(kim), right=False)
        days_pass(1)
        if at in (0, 2):
            with CaptureQueriesContext(connection) as queries:
                assert today(kim).left > at
            asked.append(len(queries))
    assert asked[0] == asked[1]
