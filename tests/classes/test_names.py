"""Inside a class its people have the class's names: in pages, lists, pictures and records."""

from io import BytesIO

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from games.archive.store import read_record, summarise
from games.models import KeptMatch, Match
from replays.classes import children, members
from replays.models import Study
from tests.classes.lesson import lesson_of_kim
from tests.classes.making import joined, school_class, user_of
from tests.notes.browsers import post
from tests.notes.making import fresh
from tests.people.class_addresses import NAMES, ClassWorld
from tests.web.records import store_hosted

pytestmark = pytest.mark.django_db


def played(there: ClassWorld) -> Match:
    """A match of the class, between its child and its pupil."""
    match = store_hosted(there.child.get_username(), "Pia")
    for number, user in enumerate((there.child, there.pupil)):
        match.seats.filter(number=number).update(user=user, started_at=timezone.now())
    match.visibility, match.school_class = Match.Visibility.LINK, there.school_class.key
    match.save()
    summarise(match)
    return match


@pytest.fixture
def there() -> ClassWorld:
    return ClassWorld()


def test_no_record_or_list_of_a_class_has_the_name_a_child_logs_in_with(there: ClassWorld) -> None:
    match, key = played(there), there.school_class.key
    coach, pupil, child = (there.browser(who) for who in ("coach", "pupil", "child"))
    assert coach
    assert pupil
    assert child
    body = {"round": 1, "event": 1, "text": "Look.", "marks": ["seat:0"], "tags": ["feeding"]}
    said = {**body, "visibility": f"class:{key}", "key": fresh()}
    assert post(coach, f"/api/v1/matches/{match.pk}/notes", **said).status_code == 201
    KeptMatch.objects.create(user=user_of(coach), match=match)
    item = {"match": match.pk, "round": 1, "event": 1, "until": 2, "label": ""}
    post(coach, "/api/v1/playlists", key=(playlist := fresh()), title="A", items=[item])
    at = f"/matches/{match.pk}/"
    of_coach = (f"/playlists/{playlist}/", "/matches/kept/", "/notes/")
    of_players = ("/matches/mine/",)
    record, picture = f"/matches/{match.pk}.ratuki", f"{at}picture.svg?round=1&seq=9"
    anyone: tuple[str, ...] = (at, record, f"{record}?notes=1", picture)
    read(child, anyone[1:], there)  # a page has its own account in its head
    anyone += (f"/notes/?folder=tags&match={match.pk}", f"{at}race?seat=1")
    read(coach, (*of_coach, *anyone), there)
    read(pupil, (*of_players, *anyone, f"/classes/{key}/"), there)


def read(browser: Client, addresses: tuple[str, ...], there: ClassWorld) -> None:
    """Read these pages, and find the child's name in the class on each."""
    for address in addresses:
        page = browser.get(address)
        text = page.getvalue().decode()
        assert page.status_code == 200, address
        assert there.child.get_username() not in text, address
        assert NAMES["child"] in text, address


def test_learners_of_a_study_have_the_names_of_their_coach_s_classes() -> None:
    lesson, kim = lesson_of_kim()
    lesson.give()
    lesson.opens(kim)
    lesson.answers(kim)
    lesson.there.pupils.filter(name="Kim").update(name="Kim Ito")
    for path in ("", f"{lesson.read.number}/", f"{lesson.asked.number}/"):
        page = lesson.coach.get(f"/studies/{lesson.study.key}/{path}results/").text
        assert "<bdi>Kim Ito</bdi>" in page, path


def test_readers_who_have_not_come_have_those_names_too_and_children_are_left_out() -> None:
    lesson, _kim = lesson_of_kim()
    lesson.there.pupils.filter(name="Kim").update(name="Kim Ito")
    (child,) = children.make(lesson.there, [NAMES["child"]])
    lesson.study.readers.set(User.objects.filter(username__in=["Kim", child.log_in]))
    Study.objects.update(visibility=Study.Visibility.PEOPLE)
    page = lesson.coach.get(f"/studies/{lesson.study.key}/results/")
    assert [row.name for row, _ in page.context["rows"]] == ["Kim Ito"]


def test_a_learner_in_two_classes_has_the_newest_name_of_those_they_are_in_now() -> None:
    lesson, kim = lesson_of_kim()
    lesson.give()
    lesson.opens(kim)
    other = joined(kim, school_class(lesson.coach, "5a"), "Kimberly")

    def name() -> str:
        page = lesson.coach.get(f"/studies/{lesson.study.key}/results/")
        return page.context["rows"][0][0].name

    assert name() == "Kimberly"
    members.leave(other)
    assert name() == "Kim"


def test_the_record_of_a_class_is_a_whole_one(there: ClassWorld) -> None:
    match, coach = played(there), there.browser("coach")
    assert coach
    _report, packed = read_record(BytesIO(coach.get(f"/matches/{match.pk}.ratuki").content))
    names = [seat.name for seat in packed.summary.header.seats]
    assert names == [NAMES["child"], NAMES["pupil"]]
