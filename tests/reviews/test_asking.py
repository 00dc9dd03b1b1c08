"""A class is asked in a review: everybody's match stops, and nobody is told before the reveal."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.models import Embargo, Match
from games.people.visit import visit_of_session
from replays.models import Attempt, ClassMember, Review, Study
from replays.reviews import storage
from replays.reviews.room import Finish, LeaderPlace, Move, ReviewPosition, change, committed
from replays.reviews.state_json import from_json
from replays.studies.questions import asked_in
from tests.annotations.browsers import post
from tests.people.class_addresses import NAMES, ClassWorld
from tests.studies.making import chapter, data, place, question, study
from tests.web.records import store

pytestmark = pytest.mark.django_db


class Evening:
    """A coach, a pupil and a child in a review of a study, with a question in its match."""

    def __init__(self) -> None:
        self.there = ClassWorld()
        self.coach, self.pupil, self.child = map(self.browser, ("coach", "pupil", "child"))
        key = self.there.school_class.key
        self.match: Match = store("Ada", "Bo")
        self.study = study(self.coach, visibility=f"class:{key}")
        chapter(self.coach, self.study, self.match, title="Look here", event=7)
        self.asked = question(self.coach, self.study, self.match)
        said = {"chapter": 1, "school_class": key}
        started = self.coach.post(f"/studies/{self.study.key}/review/", said)
        self.key = started["Location"].split("/")[2]
        self.go(1)

    def browser(self, visitor: str) -> Client:
        found = self.there.browser(visitor)
        assert found is not None
        return found

    def go(self, number: int) -> None:
        """The coach goes to a chapter."""
        row = self.study.chapters.get(number=number)
        position = ReviewPosition(row.round, row.event, chapter=number)
        self.lead(Move(LeaderPlace(position, id=f"to-{number}")))

    def lead(self, wish: Any) -> None:
        review = Review.objects.get(key=self.key)
        state = from_json(review.version, review.state)
        assert storage.save(review.pk, state.version, committed(change(state, 1, wish)))

    def said(self, what: str, by: Client | None = None, **body: object) -> Any:
        path = f"/api/v1/reviews/{self.key}/{what}"
        return (by or self.coach).post(path, body, "application/json")

    def ask(self) -> None:
        assert self.said("ask", chapter=self.asked.number).json() == {"asking": 2}
        self.go(2)

    def withheld(self, browser: Client) -> set[int]:
        visitor = visit_of_session(browser.session.session_key).visitor
        (found,) = storage.admissions(self.key, [visitor])
        assert found is not None
        return set(found.withheld)

    def answers(self) -> dict[str, tuple[str, str]]:
        told = self.coach.get(f"/api/v1/reviews/{self.key}/chapters/2/answers").json()
        return {one["name"]: (one["state"], one["verdict"]) for one in told["answers"]}

    def addresses(self) -> list[str]:
        """Where a match, or what it was, could be read."""
        pk = self.match.pk
        api = [f"/api/v1/matches/{pk}/{one}" for one in ("log", "charts", "analysis", "notes")]
        pages = [f"/matches/{pk}/", f"/matches/{pk}.ratuki", f"/matches/{pk}/picture.svg"]
        return [*api, *pages]


@pytest.fixture
def evening() -> Evening:
    return Evening()


def test_everybody_s_match_stops_until_the_answer_is_revealed(evening: Evening) -> None:
    addresses = evening.addresses()
    open_before = [evening.pupil.get(path).status_code for path in addresses]
    assert open_before == [200] * len(addresses)
    evening.ask()
    for pupil in (evening.pupil, evening.child):
        assert evening.withheld(pupil) == {1, 2}
        codes = {pupil.get(path).status_code for path in addresses}
        assert codes <= {302, 404}, "nothing of the match from anywhere"
        closed = pupil.get(f"/reviews/{evening.key}/")
        assert f'data-question="{place(evening.asked)}"' in closed.content.decode()
    assert evening.withheld(evening.coach) == set()

    right = asked_in(evening.asked)["answers"][0]
    post(evening.pupil, f"{data(evening.asked)}answer", asked=True)
    told = post(evening.pupil, f"{data(evening.asked)}answer", answer=right, ms=900)
    assert told.json() == {"verdict": "", "ms": 900, "html": ""}, "not even whether it is right"
    led = evening.pupil.get(place(evening.asked))
    assert led["Location"] == f"/reviews/{evening.key}/"
    assert "Your answer is in" in evening.pupil.get(led["Location"]).content.decode()
    assert {evening.pupil.get(path).status_code for path in addresses} <= {302, 404}
    assert evening.answers() == {
        NAMES["pupil"]: ("answered", "right"),
        NAMES["child"]: ("asked", ""),
    }

    assert evening.said("reveal").json() == {"asking": 0}
    for pupil in (evening.pupil, evening.child):
        assert pupil.get(addresses[0]).status_code == 200
    assert evening.withheld(evening.pupil) == set()
    assert not Embargo.objects.exists()


def test_what_was_asked_is_a_question_of_the_study_for_who_did_not_come(evening: Evening) -> None:
    evening.ask()
    evening.said("reveal")
    assert not Attempt.objects.exists(), "who never came to it was not asked"
    assert evening.withheld(evening.child) == {2}
    assert evening.answers()[NAMES["child"]] == ("away", "")


def test_who_is_late_finds_the_question_and_the_end_of_the_review_reveals_it(
    evening: Evening,
) -> None:
    evening.ask()
    evening.said("ask", chapter=2)
    assert Attempt.objects.count() == 2, "asking again asks nothing twice"
    late = evening.browser("pupil")
    page = late.get(f"/reviews/{evening.key}/", follow=True).content.decode()
    assert f'data-question="{place(evening.asked)}"' in page
    post(late, f"{data(evening.asked)}answer", asked=True)
    evening.lead(Finish())
    assert not Embargo.objects.exists()
    assert [row.verdict for row in Attempt.objects.all()] == [Attempt.Verdict.GIVEN_UP]


def test_only_its_coaches_who_write_ask_and_only_a_class(evening: Evening) -> None:
    for visitor, status in (("pupil", 403), ("child", 403), ("former", 404)):
        browser = evening.browser(visitor)
        for what in ("ask", "reveal"):
            assert evening.said(what, browser, chapter=2).status_code == status, (visitor, what)
    assert evening.said("ask", chapter=1).status_code == 404, "it asks nothing"
    here = ClassMember.objects.filter(user=evening.there.coach)
    here.update(role=ClassMember.Role.PUPIL)
    assert evening.said("ask", chapter=2).status_code == 403, "pupils ask nobody"
    here.update(role=ClassMember.Role.COACH)
    Review.objects.update(school_class="")
    assert evening.said("ask", chapter=2).status_code == 409


def test_others_at_the_same_question_are_neither_held_nor_shown_the_answer(
    evening: Evening,
) -> None:
    Study.objects.update(visibility=Study.Visibility.EVERYONE)
    quick, slow = Client(), Client()
    for outsider in (quick, slow):
        outsider.post(f"{place(evening.asked)}start")
        post(outsider, f"{data(evening.asked)}answer", asked=True)
    evening.ask()
    right = asked_in(evening.asked)["answers"][0]
    told = post(quick, f"{data(evening.asked)}answer", answer=right, ms=900).json()
    assert told["verdict"] == Attempt.Verdict.RIGHT
    log = evening.addresses()[0]
    assert quick.get(log).status_code == 200
    evening.said("reveal")
    assert evening.pupil.get(log).status_code == 200
    assert slow.get(log).status_code == 404, "it has not answered"


def test_a_class_is_shown_and_asked_only_what_it_may_read(evening: Evening) -> None:
    page = f"/classes/{evening.there.school_class.key}/"
    assert evening.key in evening.pupil.get(page).content.decode()
    Study.objects.update(visibility=Study.Visibility.SELF)
    assert evening.key not in evening.pupil.get(page).content.decode()
    assert evening.key in evening.coach.get(page).content.decode()
    evening.ask()
    assert not Embargo.objects.exists(), "nobody is kept from a match by what they cannot answer"
