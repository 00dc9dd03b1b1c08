"""A class is asked in a review: everybody's match stops, and nobody is told before the reveal."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone

from games.models import Embargo, Match
from games.people.visit import visit_of_session
from games.people.visitor import Visitor
from replays.classes import members
from replays.classes.limits import today
from replays.homework import giving
from replays.models import (
    Attempt,
    Chapter,
    ClassMember,
    Review,
    ReviewMember,
    ReviewPresence,
    Study,
)
from replays.pages.telling import names_of
from replays.reviews import asking, chat, forgetting, storage
from replays.reviews.gathering import Attendance
from replays.reviews.room import Finish, LeaderPlace, Move, Pass, ReviewPosition, change, committed
from replays.reviews.state_json import from_json
from replays.stored import reports
from replays.studies.questions import answer_words, question_of
from tests.notes.browsers import post
from tests.notes.making import fresh
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
        client = self.there.browser(visitor)
        assert client is not None
        return client

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

    def come(self, *visitors: str) -> None:
        """These are in the review, through one process."""
        sessions = [self.browser(visitor).session.session_key for visitor in visitors]
        entered = [storage.enter(self.key, visit_of_session(key).visitor) for key in sessions]
        here = Attendance(tuple(sorted(number for _, number in entered)))
        storage.attended("here", {entered[0][0].pk: here}, say=True)

    def visitor(self, browser: Client) -> Visitor:
        return visit_of_session(browser.session.session_key).visitor

    def withheld(self, browser: Client) -> set[int]:
        (admission,) = storage.admissions(self.key, [self.visitor(browser)])
        assert admission is not None
        return set(admission.withheld)

    def answers(self) -> dict[str, tuple[str, str]]:
        told = self.coach.get(f"/api/v1/reviews/{self.key}/chapters/2/answers").json()
        return {row["name"]: (row["state"], row["verdict"]) for row in told["answers"]}

    def addresses(self) -> list[str]:
        """Where a match, or what it was, could be read."""
        pk = self.match.pk
        api = [f"/api/v1/matches/{pk}/{part}" for part in ("log", "charts", "analysis", "notes")]
        pages = [f"/matches/{pk}/", f"/matches/{pk}.ratuki", f"/matches/{pk}/picture.svg"]
        return [*api, *pages]


class MatchEvening(Evening):
    """The same in a review of the match itself."""

    def __init__(self) -> None:
        super().__init__()
        Review.objects.all().delete()
        said = {"place": "", "school_class": self.there.school_class.key}
        started = self.coach.post(f"/matches/{self.match.pk}/review/", said)
        self.key = started["Location"].split("/")[2]
        self.lead(Move(LeaderPlace(ReviewPosition(1, self.asked.event), id="here")))

    @property
    def moment(self) -> dict[str, Any]:
        """What the coach's page says of the moment."""
        asked = question_of(self.asked)
        question = {"seat": asked["seat"], "answers": asked["answers"]}
        at = {"round": 1, "event": self.asked.event, "view": str(asked["seat"])}
        return {"title": "What now?", "match": self.match.pk, "question": question, **at}

    def ask(self) -> None:
        assert self.said("ask", moment=self.moment).json() == {"asking": 1}
        self.asked = Chapter.objects.get(study__asked_in__key=self.key)

    def answers(self) -> dict[str, tuple[str, str]]:
        told = self.coach.get(f"/api/v1/reviews/{self.key}/chapters/1/answers").json()
        return {row["name"]: (row["state"], row["verdict"]) for row in told["answers"]}


@pytest.fixture
def evening() -> Evening:
    return Evening()


@pytest.fixture
def at_a_match() -> MatchEvening:
    return MatchEvening()


def test_everybody_s_match_stops_until_the_answer_is_revealed(evening: Evening) -> None:
    addresses = evening.addresses()
    reports.make(evening.match)
    open_before = [evening.pupil.get(path).status_code for path in addresses]
    assert open_before == [200] * len(addresses)
    evening.ask()
    for pupil in (evening.pupil, evening.child):
        assert evening.withheld(pupil) == {1, 2}
        codes = {pupil.get(path).status_code for path in addresses}
        assert codes <= {302, 404}, "nothing of the match from anywhere"
        assert pupil.get(f"/reviews/{evening.key}/")["Location"] == place(evening.asked)
    assert evening.withheld(evening.coach) == set()

    nobody = {NAMES["pupil"]: ("away", ""), NAMES["child"]: ("away", "")}
    assert evening.answers() == nobody
    evening.come("pupil")
    assert evening.answers() == {**nobody, NAMES["pupil"]: ("asked", "")}, "who is here"
    right = question_of(evening.asked)["answers"][0]
    post(evening.pupil, f"{data(evening.asked)}answer", asked=True)
    told = post(evening.pupil, f"{data(evening.asked)}answer", answer=right, ms=900)
    assert told.json() == {"verdict": "", "ms": 900, "html": ""}, "not even whether it is right"
    frozen = evening.pupil.get(place(evening.asked), follow=True)
    assert (frozen.context["state"], frozen.context["held"]) == ("question", True)
    assert frozen.context["lesson"]["question"]["answer"] == right, "their own move stays"
    assert "You will see the answer as soon as the leader shows it." in frozen.text
    assert evening.pupil.get(f"/reviews/{evening.key}/")["Location"] == place(evening.asked)
    assert {evening.pupil.get(path).status_code for path in addresses} <= {302, 404}
    answered = {NAMES["pupil"]: ("answered", "right")}
    post(evening.child, f"{data(evening.asked)}answer", asked=True)
    assert evening.answers() == {**answered, NAMES["child"]: ("asked", "")}

    assert evening.said("reveal").json() == {"asking": 0}
    for pupil in (evening.pupil, evening.child):
        assert pupil.get(addresses[0]).status_code == 200
    assert evening.withheld(evening.pupil) == set()
    assert not Embargo.objects.exists()


def test_who_has_answered_does_not_get_around_it_without_the_study_s_link(evening: Evening) -> None:
    Study.objects.update(visibility=Study.Visibility.LINK)
    evening.ask()
    post(evening.pupil, f"{data(evening.asked)}answer", answer={"do": "wait"}, ms=900)
    elsewhere = evening.browser("pupil")
    for browser in (evening.pupil, elsewhere):
        assert browser.get(place(evening.asked), follow=True).context["held"]
        assert browser.get(evening.addresses()[0]).status_code == 404
    evening.said("reveal")
    assert elsewhere.get(evening.addresses()[0]).status_code == 200


def test_until_the_reveal_no_page_depends_on_whether_an_answer_was_right(evening: Evening) -> None:
    there = evening.there
    given = giving.give(there.school_class, there.coach, evening.study, today())
    evening.ask()
    at = f"/classes/{there.school_class.key}/"
    own = f"{at}pupils/{there.member(there.pupil).pk}/"
    todo = f"{at}homework/{given.key}/"

    def read(path: str) -> str:
        page = evening.pupil.get(path).content.decode()
        token = r'(csrf\w*"?[^"]{0,9}"?(?: value=)?")[^"]*'
        return re.sub(rf"{token}|\d\d:\d\d|\d\.\d(?:\s|&nbsp;)s", "", page)

    told = []
    for answer in (question_of(evening.asked)["answers"][0], {"do": "wait"}):
        with transaction.atomic():
            post(evening.pupil, f"{data(evening.asked)}answer", answer=answer, ms=900)
            told.append({path: read(path) for path in ("/", at, own, todo)})
            transaction.set_rollback(True)
    assert told[0] == told[1]
    assert "answered" in told[0][todo]
    post(evening.pupil, f"{data(evening.asked)}answer", answer={"do": "wait"}, ms=900)
    evening.said("reveal")
    assert "wrong" in read(todo)


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
    assert late.get(f"/reviews/{evening.key}/")["Location"] == place(evening.asked)
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
    right = question_of(evening.asked)["answers"][0]
    told = post(quick, f"{data(evening.asked)}answer", answer=right, ms=900).json()
    assert told["verdict"] == Attempt.Verdict.RIGHT
    log = evening.addresses()[0]
    assert quick.get(log).status_code == 200
    evening.said("reveal")
    assert evening.pupil.get(log).status_code == 200
    assert slow.get(log).status_code == 404, "it has not answered"


def test_who_left_the_class_long_ago_goes_on_at_the_same_question(evening: Evening) -> None:
    Study.objects.update(visibility=Study.Visibility.EVERYONE)
    former = evening.browser("former")
    former.post(f"{place(evening.asked)}start")
    post(former, f"{data(evening.asked)}answer", asked=True)
    evening.ask()
    evening.said("reveal")
    assert former.get(evening.addresses()[0]).status_code == 404
    assert Attempt.objects.get(user=evening.there.former).answered is None


def test_a_class_is_shown_and_asked_only_what_it_may_read(evening: Evening) -> None:
    page = f"/classes/{evening.there.school_class.key}/"
    assert evening.key in evening.pupil.get(page).content.decode()
    Study.objects.update(visibility=Study.Visibility.SELF)
    assert evening.key not in evening.pupil.get(page).content.decode()
    assert evening.key in evening.coach.get(page).content.decode()
    evening.ask()
    assert not Embargo.objects.exists(), "nobody is kept from a match by what they cannot answer"


def test_of_a_private_match_a_class_is_told_nothing(at_a_match: MatchEvening) -> None:
    there, key = at_a_match, at_a_match.there.school_class.key
    pages, title = (
        ("/", f"/classes/{key}/", "/news/"),
        names_of([there.match.pk], ())[there.match.pk],
    )

    def told(browser: Client) -> set[str]:
        read = {path: browser.get(path).content.decode() for path in pages}
        return {path for path, page in read.items() if there.key in page or title in page}

    def link() -> str:
        return str(there.coach.get(f"/reviews/{there.key}/").context["review"]["link"])

    assert told(there.pupil) == set(pages)
    assert not link(), "its pages lead there"
    there.match.seats.filter(number=0).update(user=there.there.coach)
    Match.objects.update(visibility=Match.Visibility.LINK, token="k" * 16)
    assert told(there.pupil) == set()
    assert f"/classes/{key}/" in told(there.coach)
    assert "k" * 16 in link(), "without it the class can't come"


# --- In a review of a match ----------------------------------------------------------------------


def test_a_class_is_asked_at_a_moment_of_the_match_it_reviews(at_a_match: MatchEvening) -> None:
    there, addresses = at_a_match, at_a_match.addresses()
    there.ask()
    page = f"/reviews/{there.key}/"
    for pupil in (there.pupil, there.child):
        assert there.withheld(pupil) == {0}
        assert {pupil.get(path).status_code for path in addresses} <= {302, 404}
        assert pupil.get(page)["Location"] == place(there.asked)
    assert there.withheld(there.coach) == set()
    for_coach = there.coach.get(page).content.decode()
    assert 'data-asking="yes"' in for_coach

    opened = there.pupil.get(place(there.asked), follow=True)
    assert "lead=" not in opened.redirect_chain[0][0], "it stops there at once"
    post(there.pupil, f"{data(there.asked)}answer", asked=True)
    told = post(there.pupil, f"{data(there.asked)}answer", answer={"do": "wait"}, ms=1_200)
    assert told.json()["verdict"] == ""
    assert there.pupil.get(page)["Location"] == place(there.asked)
    post(there.child, f"{data(there.asked)}answer", asked=True)
    assert there.answers() == {NAMES["pupil"]: ("answered", "wrong"), NAMES["child"]: ("asked", "")}
    told = there.coach.get(f"/api/v1/reviews/{there.key}/chapters/1/answers").json()
    assert told["player"] == there.match.seats.get(number=there.moment["question"]["seat"]).name
    assert told["right"] == []
    there.said("reveal")
    assert there.withheld(there.child) == set()
    assert there.pupil.get(addresses[0]).status_code == 200
    shown = there.pupil.get(page).content.decode()
    assert f'data-asked=\'{{"round":1,"event":{there.asked.event}' in shown
    assert "Not quite." in shown
    assert "You answered “wait”." in shown
    assert "Here is what happened." in there.child.get(page).content.decode()
    assert 'id="review-verdict" class="whole small" hidden' in there.coach.get(page).text
    told = there.coach.get(f"/api/v1/reviews/{there.key}/chapters/1/answers").json()
    assert told["right"] == [answer_words(question_of(there.asked)["answers"][0])]


def test_a_class_sees_the_result_when_the_review_has_ended(at_a_match: MatchEvening) -> None:
    there, page = at_a_match, f"/reviews/{at_a_match.key}/"
    reports.make(there.match)
    verdict = there.coach.get(f"/matches/{there.match.pk}/").context["verdict"]
    assert verdict
    told = there.coach.get(page)
    assert "analysis" in told.context["match"]["urls"], "its leader knows how it ended"
    assert told.context["verdict"] == "", "but may share the screen"
    for pupil in (there.pupil, there.child):
        told = pupil.get(page)
        assert verdict not in told.text
        assert told.context["match"].keys().isdisjoint({"rounds", "result", "seq"})
        assert "analysis" not in told.context["match"]["urls"]
        assert "The match on its own" not in told.text
        assert "data-withheld" in told.text, "it loads again when they lead"
    of, seen = f"/api/v1/matches/{there.match.pk}/", "round=1&event=1"
    for event in (1, 2):
        note = {
            "key": fresh(),
            "round": 1,
            "event": event,
            "text": "Look.",
            "visibility": "everyone",
        }
        assert post(there.coach, f"{of}notes", **note).status_code == 201
    assert not there.pupil.get(f"{of}log?from=1&until_t=0").json()["finished"]
    assert len(there.pupil.get(f"{of}notes?only=notes&{seen}").json()["notes"]) == 1
    assert len(there.pupil.get(f"{of}notes?only=notes").json()["notes"]) == 2, "on its own page"
    there.lead(Pass(storage.enter(there.key, there.visitor(there.pupil))[1]))
    told = there.pupil.get(page)
    assert "rounds" in told.context["match"], "a pupil leads"
    assert "The match on its own" in told.text
    assert "data-withheld" not in told.text
    there.lead(Finish())
    ended = there.child.get(page)
    assert verdict in ended.text
    assert "panel-review" not in ended.text, "nothing was said in it"


def test_the_page_of_an_ended_review_lists_what_was_asked(at_a_match: MatchEvening) -> None:
    there, page = at_a_match, f"/reviews/{at_a_match.key}/"
    there.ask()
    there.said("reveal")
    assert "review-asked-title" not in there.pupil.get(page).text
    steps, study = "lesson-steps", f'<a href="/studies/{there.asked.study.key}/">'

    def ways(browser: Client) -> tuple[bool, bool]:
        lesson = browser.get(place(there.asked), follow=True).text
        return steps in lesson, study in lesson

    assert ways(there.pupil) == (False, False), "the class goes back to the review"
    assert ways(there.coach) == (True, True)
    there.lead(Finish())
    assert ways(there.pupil) == (True, True)
    ended = there.pupil.get(page).text
    assert f'href="{place(there.asked)}"' in ended
    for part in ("people", "moments", "chat"):
        assert f'"review-{part}-title" hidden' in ended, "nothing is there"


def test_a_class_sees_how_a_chapter_s_match_ended_when_its_leader_does(evening: Evening) -> None:
    page = f"/reviews/{evening.key}/?chapter=1"

    def tells(browser: Client) -> set[str]:
        match = browser.get(page, follow=True).context["match"]
        return {*match["urls"], *match} & {"analysis", "rounds", "result"}

    evening.go(1)
    assert tells(evening.coach) == {"analysis", "rounds", "result"}
    assert tells(evening.pupil) == set()
    evening.lead(Finish())
    assert tells(evening.pupil) == {"analysis", "rounds", "result"}


def test_pupils_at_a_question_of_another_review_are_led_to_it(at_a_match: MatchEvening) -> None:
    there, first = at_a_match, f"/reviews/{at_a_match.key}/"
    there.ask()
    said = {"place": "", "school_class": there.there.school_class.key}
    second = there.coach.post(f"/matches/{there.match.pk}/review/", said)["Location"]
    assert there.pupil.get(second)["Location"] == place(there.asked)
    assert storage.admissions(second.split("/")[2], [there.visitor(there.pupil)])[0] is not None
    post(there.pupil, f"{data(there.asked)}answer", answer={"do": "wait"}, ms=900)
    for review in (first, second):
        assert there.pupil.get(review)["Location"] == place(there.asked)
    there.said("reveal")
    assert there.pupil.get(second).context["match"]


def test_what_was_asked_is_kept_with_one_press_and_is_in_no_list_before(
    at_a_match: MatchEvening,
) -> None:
    there = at_a_match
    there.ask()
    assert there.said("ask", moment=there.moment).json() == {"asking": 1}, "once"
    there.said("reveal")
    hidden = there.asked.study
    for browser in (there.coach, there.pupil):
        assert hidden.shown_title not in browser.get("/studies/").content.decode()
    assert hidden.key not in there.coach.get("/api/v1/studies").content.decode()
    question: dict[str, Any] = {"as": "question"}
    kept = [there.said("keep", **question).json() for _ in range(2)]
    assert kept[0] == kept[1], "kept again it is the same"
    assert there.coach.get(kept[0]["address"], follow=True).status_code == 200
    copy = Chapter.objects.exclude(study=hidden).get(title="What now?")
    assert (copy.event, copy.question) == (there.asked.event, there.asked.question)
    assert there.said("keep", there.pupil, **question).status_code == 403


def test_a_match_under_review_asks_only_what_it_can_and_only_by_its_coaches(
    at_a_match: MatchEvening,
) -> None:
    there, other = at_a_match, store("Cy", "Di")
    for visitor, status in (("pupil", 403), ("child", 403), ("former", 404)):
        browser = there.browser(visitor)
        assert there.said("ask", browser, moment=there.moment).status_code == status
        path = f"/api/v1/reviews/{there.key}/chapters/1/answers"
        assert browser.get(path).status_code == status, visitor
    elsewhere = {**there.moment, "match": other.pk}
    assert there.said("ask", moment=elsewhere).status_code == 422
    no_question = {**there.moment, "question": None}
    assert there.said("ask", moment=no_question).status_code == 422
    assert there.said("ask", chapter=1).status_code == 404, "nothing has been asked yet"
    assert not Study.objects.exclude(asked_in=None).exists()


def test_who_joins_the_class_meanwhile_is_asked_too(at_a_match: MatchEvening) -> None:
    there = at_a_match
    there.ask()
    user = User.objects.create_user("Lea")
    members.join(there.there.school_class, user, "Lea")
    late = Client()
    late.force_login(user)
    for _ in range(2):
        assert late.get(f"/reviews/{there.key}/")["Location"] == place(there.asked)
    assert Attempt.objects.filter(user=user).count() == 1
    assert late.get(there.addresses()[0]).status_code == 404


def test_who_is_at_another_question_about_the_match_is_stopped_too(
    at_a_match: MatchEvening,
) -> None:
    there, first, page = at_a_match, at_a_match.asked, f"/reviews/{at_a_match.key}/"
    there.pupil.post(f"{place(first)}start")
    assert post(there.pupil, f"{data(first)}answer", asked=True).status_code == 200
    there.ask()
    early = post(there.pupil, f"{data(first)}answer", answer={"do": "wait"}, ms=900)
    assert early.status_code == 409, "its answer might tell what happened"
    assert there.pupil.get(f"{data(first)}log").status_code == 404, "it may go on further"
    led = there.pupil.get(place(first))
    assert led["Location"] == place(there.asked)
    post(there.pupil, f"{data(there.asked)}answer", answer={"do": "wait"}, ms=900)
    assert there.pupil.get(page)["Location"] == place(there.asked)
    last, _ = there.pupil.get(place(first), follow=True).redirect_chain[-1]
    assert last.startswith(place(there.asked))
    there.said("reveal")
    attempt = Attempt.objects.get(chapter=first)
    assert (attempt.answered, attempt.asked) == (None, None), "it goes on, as from before its stop"
    assert there.pupil.get(there.addresses()[0]).status_code == 404
    done = post(there.pupil, f"{data(first)}answer", answer={"do": "wait"}, ms=900)
    assert done.json()["verdict"]
    assert there.pupil.get(there.addresses()[0]).status_code == 200


def test_a_question_that_its_coach_left_or_that_lasts_ends_by_itself_and_says_so(
    at_a_match: MatchEvening,
) -> None:
    there, page = at_a_match, f"/reviews/{at_a_match.key}/"
    there.ask()
    review = Review.objects.filter(key=there.key)
    late = timezone.now() - forgetting.AWAY_FOR
    review.update(coached_at=late)
    number = ReviewMember.objects.get(review__key=there.key, user=there.there.coach).number
    here = ReviewPresence.objects.create(
        review=review.get(), process="a", members=[number], seen=Now()
    )
    forgetting.end_forgotten()
    assert review.get().asking == 1, "the coach is here"
    here.delete()
    review.update(coached_at=late)
    forgetting.end_forgotten()
    assert review.get().asking == 0
    assert not Embargo.objects.exists()
    for browser in (there.coach, there.pupil):
        assert str(forgetting.WORDS["away"]) in browser.get(page).content.decode()
    there.said("ask", chapter=1)
    assert str(forgetting.WORDS["away"]) not in there.coach.get(page).content.decode()
    long_ago = timezone.now() - forgetting.LONGEST - timedelta(seconds=1)
    review.update(asked_at=long_ago)
    forgetting.end_forgotten()
    told = there.coach.get(f"/api/v1/reviews/{there.key}/chapters/1/answers").json()
    assert (told["asking"], told["forgotten"]) == (0, str(forgetting.WORDS["long"]))


def test_what_is_asked_next_does_not_end_as_forgotten(at_a_match: MatchEvening) -> None:
    there = at_a_match
    there.ask()
    before = Review.objects.get(key=there.key)
    there.said("reveal")
    there.said("ask", chapter=1)
    asking.reveal(before, forgetting.AWAY)
    assert Review.objects.get(key=there.key).asking == 1


def test_of_two_seats_at_one_moment_both_questions_are_kept(at_a_match: MatchEvening) -> None:
    there = at_a_match
    asked = there.moment["question"]
    other = {"seat": 1 - asked["seat"], "answers": [{"do": "draw"}]}
    kept = []
    for posed in (asked, other):
        told = there.said("ask", moment={**there.moment, "question": posed})
        assert told.status_code == 200, told.content
        there.said("reveal")
        question: dict[str, Any] = {"as": "question"}
        kept.append(there.said("keep", **question).json()["address"])
    assert kept[0] != kept[1]


def test_a_class_sees_its_own_names_in_a_review_and_nobody_else_does(evening: Evening) -> None:
    pupil: Visitor = visit_of_session(evening.pupil.session.session_key).visitor
    opened, number = storage.enter(evening.key, pupil)
    assert opened.members[number].name == NAMES["pupil"]
    evening.lead(Pass(number))
    (news,) = storage.news({opened.pk: 0})
    assert news.members[number].name == NAMES["pupil"]
    assert chat.add(evening.key, pupil, "Hello") == ""
    (line,) = chat.news({evening.key: 0})
    assert line.by == NAMES["pupil"]
    page = evening.pupil.get(f"/reviews/{evening.key}/?chapter=1", follow=True).content.decode()
    assert f'data-name="{NAMES["pupil"]}"' in page
    assert ReviewMember.objects.get(number=number).name == "Pia", "what is kept elsewhere"
    Review.objects.update(school_class="")
    opened, _ = storage.enter(evening.key, pupil)
    assert opened.members[number].name == "Pia"
