"""Reviews of studies: the group goes from chapter to chapter, and questions stay closed."""

from itertools import product
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.people.visit import visit_of_session
from games.people.visitor import STRANGER, Reader
from replays.models import Chapter, Note, Review, Study
from replays.notes.access import StudyAccess, readable_study, writes
from replays.reviews import chat, storage
from replays.reviews.room import (
    DrawMarks,
    LeaderPlace,
    Move,
    RefusedError,
    ReviewPosition,
    State,
    change,
    committed,
)
from replays.reviews.state_json import from_json
from replays.studies.questions import answer_words, question_of
from tests.narrowing import present
from tests.notes.browsers import guest, post, put
from tests.people.class_addresses import NAMES as NAMES_INSIDE
from tests.people.class_addresses import ClassWorld
from tests.studies.making import chapter, data, place, question, study
from tests.web.records import store

pytestmark = pytest.mark.django_db
NAMES = ("Ada", "Bo")


class Group:
    """A coach and a learner in a review of a study: a chapter, and one that asks."""

    def __init__(self) -> None:
        self.coach, self.learner = guest("Coach"), guest("Learner")
        self.match = store(*NAMES)
        self.study = study(self.coach, visibility="link")
        self.first = chapter(self.coach, self.study, self.match, title="Look here", event=7)
        self.second = question(self.coach, self.study, self.match)
        said = self.coach.post(f"/studies/{self.study.key}/review/", {"chapter": 1})
        self.key = said["Location"].split("/")[2]

    @property
    def path(self) -> str:
        return f"/reviews/{self.key}/"

    @property
    def review(self) -> Review:
        return Review.objects.get(key=self.key)

    def lead(self, wanted: Any) -> None:
        """The coach does something."""
        state = from_json(self.review.version, self.review.state)
        after = committed(change(state, 1, wanted))
        assert storage.save(self.review.pk, state.version, after)

    def go(self, to: Chapter) -> None:
        """The coach goes to a chapter."""
        position = ReviewPosition(to.round, to.event, chapter=to.number)
        self.lead(Move(LeaderPlace(position, id=f"to-{to.number}")))

    def withheld(self, browser: Client) -> set[int] | None:
        """Of which chapters this browser's visitor is told nothing in the review."""
        visitor = visit_of_session(browser.session.session_key).visitor
        (admission,) = storage.admissions(self.key, [visitor])
        return None if admission is None else set(admission.withheld)


@pytest.fixture
def group() -> Group:
    return Group()


def test_it_begins_at_a_chapter_and_is_for_who_may_read_the_study(group: Group) -> None:
    page = group.coach.get(f"/studies/{group.study.key}/").content.decode()
    assert page.count('<span class="chip">question</span>') == 1, "only the second one asks"
    opened = group.coach.get(group.path, follow=True).content.decode()
    assert "Look here" in opened
    assert f'data-chapter="{group.first.number}"' in opened
    assert f"?share={group.study.token}" in opened, "the link lets others read the study"
    assert group.learner.get(group.path).status_code == 404
    assert group.withheld(group.learner) is None
    shown = group.learner.get(f"{group.path}?share={group.study.token}", follow=True)
    assert "Look here" in shown.content.decode()
    assert group.withheld(group.learner) == {2}
    assert group.withheld(group.coach) == set()


def test_a_question_stays_closed_until_it_is_answered(group: Group) -> None:
    group.learner.get(f"{group.path}?share={group.study.token}")
    group.go(group.second)
    assert group.coach.get(group.path, follow=True).context["chapter"] == group.second
    closed = group.learner.get(group.path)
    assert closed.templates[0].name == "replays/reviews/closed.html"
    assert "Ada" not in closed.content.decode(), "nothing of the match"
    assert closed.context["question"] == place(group.second)
    group.learner.post(f"{place(group.second)}start")
    assert group.withheld(group.learner) == {1, 2}, "both chapters are of that match"
    closed = group.learner.get(f"{group.path}?chapter=1")
    assert closed.templates[0].name == "replays/reviews/closed.html"
    post(group.learner, f"{data(group.second)}answer", answer=None, ms=9)
    assert group.withheld(group.learner) == set()
    assert group.learner.get(group.path, follow=True).context["chapter"] == group.second
    _, number = storage.enter(
        group.key, visit_of_session(group.learner.session.session_key).visitor
    )
    assert number == 2
    lesson = group.learner.get(place(group.second), follow=True).content.decode()
    assert f'href="{group.path}">Back to the review' in lesson


def test_nobody_writes_about_a_chapter_that_is_closed_to_them(group: Group) -> None:
    group.learner.get(f"{group.path}?share={group.study.token}")
    coach, learner = (
        visit_of_session(browser.session.session_key).visitor
        for browser in (group.coach, group.learner)
    )
    assert chat.add(group.key, learner, "Here already.") == ""
    group.go(group.second)
    assert chat.add(group.key, learner, "What is it about?") == "closed"
    assert chat.add(group.key, coach, "It is the five!") == ""
    assert [line.about for line in chat.news({group.key: 0})] == [1, 2]


def test_moments_are_kept_from_the_chapters_that_one_may_see(group: Group) -> None:
    group.learner.get(f"{group.path}?share={group.study.token}")
    for at in (group.first, group.second):
        group.lead(
            DrawMarks(ReviewPosition(at.round, at.event, chapter=at.number), ("stack:0",), ())
        )
    told = post(group.learner, f"/api/v1{group.path}keep", **{"as": "study"}).json()
    assert (told["notes"], told["left_out"]) == (1, 1)
    assert Note.objects.get().event == group.first.event
    assert Study.objects.latest("pk").chapters.get().match == group.match
    told = post(group.coach, f"/api/v1{group.path}keep", **{"as": "notes"}).json()
    assert (told["notes"], told["left_out"]) == (2, 0)
    refused = post(group.learner, f"/api/v1{group.path}keep", **{"as": "chapters"})
    assert refused.status_code == 403
    told = post(group.coach, f"/api/v1{group.path}keep", **{"as": "chapters"}).json()
    assert told["address"] == f"/studies/{group.study.key}/"
    assert group.study.chapters.count() == 4


def test_one_study_is_read_by_the_same_people_whichever_way_one_asks() -> None:
    named, writer, moderator = (
        get_user_model().objects.create_user(name) for name in ("Kim", "Wo", "Mo")
    )
    made = study(guest("Ada"))
    made.readers.add(named)
    made.writers.add(writer)
    readers = [
        *(Reader(), Reader([made.owner]), Reader(["guest:x"], None, [made.token])),
        *(Reader([], named.pk), Reader([], writer.pk), Reader([], named.pk, [made.token])),
        *(Reader([], moderator.pk, moderator=True), Reader([], writer.pk, moderator=True)),
    ]
    kinds, seen = product(Study.Visibility.values, (False, True), (None, timezone.now())), set()
    for visibility, hidden, deleted in kinds:
        Study.objects.update(visibility=visibility, hidden=hidden, deleted=deleted)
        who = StudyAccess.of(Study.objects.get())
        for reader in readers:
            may = Study.objects.filter(readable_study(reader)).exists()
            assert who.may_read(reader) == may, (visibility, hidden, deleted, reader)
            assert who.may_write(reader) == writes(who.study, reader)
            seen.add(may)
    assert seen == {True, False}


def test_rights_of_many_take_as_many_queries_as_of_one(group: Group) -> None:
    counts = []
    for many in (1, 9):
        for number in range(1, many):
            said = {"number": 100 + number, "place": 9, "round": 1, "event": 1}
            group.study.chapters.create(match=store("Cy", "Di"), **said)
        visitors = [STRANGER._replace(tokens=frozenset((group.study.token,)))] * many
        with CaptureQueriesContext(connection) as queries:
            admissions = storage.admissions(group.key, visitors)
        assert [present(admission).withheld for admission in admissions] == [{2}] * many
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_list_of_reviews_reads_no_chapters_and_shows_what_one_may_still_read(
    group: Group,
) -> None:
    group.learner.get(f"{group.path}?share={group.study.token}")
    storage.enter(group.key, visit_of_session(group.learner.session.session_key).visitor)
    with CaptureQueriesContext(connection) as queries:
        assert group.path in group.learner.get("/reviews/").content.decode()
    assert not any("replays_chapter" in query["sql"] for query in queries)
    put(group.coach, f"/api/v1/studies/{group.study.key}", revision=2, visibility="self")
    assert group.path not in group.learner.get("/reviews/").content.decode()
    started = group.coach.post(f"/matches/{group.match.pk}/review/")
    listed = group.coach.get("/reviews/").content.decode()
    assert group.path in listed
    assert group.study.title in listed
    assert started["Location"].split("?")[0] in listed
    assert " · ".join(NAMES) in listed


def test_a_position_is_in_a_chapter_exactly_if_a_study_is_reviewed() -> None:
    move = Move(LeaderPlace(ReviewPosition(1, 1, chapter=3)))
    with pytest.raises(RefusedError):
        change(State(), 1, move)
    with pytest.raises(RefusedError):
        change(State(study=True), 1, Move(LeaderPlace(ReviewPosition(1, 1))))
    assert change(State(study=True), 1, move).place.position.chapter == 3


def answers_of(group: Group, browser: Client, number: int = 2) -> Any:
    return browser.get(f"/api/v1/reviews/{group.key}/chapters/{number}/answers")


def test_the_writers_see_who_answered_what_and_nobody_else_does(group: Group) -> None:
    group.learner.get(f"{group.path}?share={group.study.token}")
    visitor = visit_of_session(group.learner.session.session_key).visitor
    storage.enter(group.key, visitor)
    assert answers_of(group, group.coach).json()["answers"] == [
        {"name": "Learner", "state": "away", "words": "", "verdict": "", "ms": None}
    ]
    group.learner.post(f"{place(group.second)}start")
    assert answers_of(group, group.coach).json()["answers"][0]["state"] == "asked"
    assert answers_of(group, group.learner).status_code == 403
    right = question_of(group.second)["answers"][0]
    post(group.learner, f"{data(group.second)}answer", asked=True)
    post(group.learner, f"{data(group.second)}answer", answer=right, ms=900)
    (row,) = answers_of(group, group.coach).json()["answers"]
    assert (row["state"], row["verdict"], row["ms"]) == ("answered", "right", 900)
    assert row["words"] == answer_words(right)
    assert answers_of(group, group.learner).status_code == 403
    assert answers_of(group, group.coach, 1).status_code == 404, "it asks nothing"


def test_of_a_review_for_a_class_all_its_pupils_are_listed_as_the_class_knows_them() -> None:
    there, match = ClassWorld(), store(*NAMES)
    coach = there.browser("coach")
    assert coach is not None
    lesson = study(coach, visibility=f"class:{there.school_class.key}")
    asked = question(coach, lesson, match)
    started = coach.post(
        f"/studies/{lesson.key}/review/", {"chapter": 1, "school_class": there.school_class.key}
    )
    key = started["Location"].split("/")[2]
    path = f"/api/v1/reviews/{key}/chapters/{asked.number}/answers"
    child = there.browser("child")
    assert child is not None
    child.post(f"{place(asked)}start")
    listed = [(row["name"], row["state"]) for row in coach.get(path).json()["answers"]]
    assert listed == [(NAMES_INSIDE["child"], "asked"), (NAMES_INSIDE["pupil"], "away")]
    for visitor, status in (("pupil", 403), ("child", 403), ("former", 404)):
        browser = there.browser(visitor)
        assert browser is not None
        assert browser.get(path).status_code == status, visitor
