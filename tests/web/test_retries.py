"""A request whose answer was lost is sent again: it is done once, and answered alike."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.shortcuts import redirect
from django.test import Client, RequestFactory
from django.urls import resolve
from django.utils import timezone

from games.models import LiveTable, Match
from games.people.visit import Visit
from replays.classes.limits import today
from replays.models import (
    AnsweredRequest,
    Chapter,
    ClassMember,
    Homework,
    Note,
    PatternSearch,
    Review,
    SchoolClass,
    Study,
)
from replays.pages import retries
from tests.classes.making import class_with_kim, joined, place, school_class, user_of
from tests.notes.browsers import account, guest, post, put
from tests.notes.making import fresh
from tests.web.records import store, store_hosted
from tests.web.tables import FORM as TABLE

pytestmark = pytest.mark.django_db
KEY = {"X-Request-Key": "a-key-of-a-request"}
PLACE = {"round": 1, "event": 0}


@pytest.fixture
def match() -> Match:
    return store("Ada", "Bo", "Cy")


@pytest.fixture
def kim() -> Client:
    return guest("Kim")


def add(browser: Client, study: str, match: Match, title: str = "A", **headers: str) -> Any:
    body = {"title": title, "match": match.pk, **PLACE}
    address = f"/api/v1/studies/{study}/chapters"
    return browser.post(address, body, content_type="application/json", headers=headers)


def study_of(browser: Client) -> str:
    key = fresh()
    assert post(browser, "/api/v1/studies", key=key, title="Fives").status_code == 201
    return key


def test_a_chapter_is_added_once(match: Match, kim: Client) -> None:
    study = study_of(kim)
    answers = [add(kim, study, match, **KEY) for _ in range(3)]
    assert {(answer.status_code, answer.content) for answer in answers} == {
        (201, answers[0].content)
    }
    assert Chapter.objects.count() == 1
    other = add(kim, study, match, "B", **KEY)
    assert (other.status_code, Chapter.objects.count()) == (422, 1)
    assert add(kim, study, match, **{"X-Request-Key": "another-key-of-one"}).status_code == 201
    assert add(kim, study, match).status_code == 201, "without a key each is a new one"
    assert Chapter.objects.count() == 3
    assert add(kim, study, match, **{"X-Request-Key": "short"}).status_code == 422


def test_a_key_is_its_persons_own(match: Match, kim: Client) -> None:
    lee = guest("Lee")
    studies = [study_of(kim), study_of(lee)]
    for browser, study in zip((kim, lee), studies, strict=True):
        assert add(browser, study, match, **KEY).status_code == 201
    assert Chapter.objects.count() == 2
    assert add(lee, studies[0], match, **KEY).status_code in (404, 422)


def test_what_was_refused_may_be_asked_again(match: Match, kim: Client) -> None:
    study = study_of(kim)
    assert add(kim, study, match, "", **KEY).status_code == 422
    assert not AnsweredRequest.objects.exists()
    assert add(kim, study, match, "A", **KEY).status_code == 201


@pytest.mark.django_db(transaction=True)
def test_while_the_first_is_under_way_the_second_waits_for_its_response() -> None:
    match, kim, together = store("Ada", "Bo", "Cy"), guest("Kim"), Barrier(2)
    study = study_of(kim)

    def send(_: int) -> bytes:
        browser = Client()
        browser.cookies = kim.cookies
        together.wait(20)
        try:
            return add(browser, study, match, **KEY).content
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(send, range(2))
    assert first == second
    assert Chapter.objects.count() == 1


def test_a_long_response_is_not_kept(
    match: Match, kim: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retries, "MAX_KEPT", 10)
    study = study_of(kim)
    assert add(kim, study, match, **KEY).status_code == 201
    again = add(kim, study, match, **KEY)
    assert (again.status_code, Chapter.objects.count()) == (409, 1)
    assert "done already" in again.json()["detail"]


def test_nothing_is_kept_of_what_only_computes(match: Match, kim: Client) -> None:
    for path in ("analysis", "decisions"):
        address = f"/api/v1/matches/{match.pk}/{path}"
        asked = [kim.post(address, headers=KEY).status_code for _ in range(2)]
        assert asked == [202, 202]
    assert not AnsweredRequest.objects.exists()


def test_responses_go_with_their_account(match: Match, django_user_model: Any) -> None:
    user = django_user_model.objects.create_user("Kim")
    kim = Client()
    kim.force_login(user)
    assert add(kim, study_of(kim), match, "My very own words", **KEY).status_code == 201
    assert "My very own words" in AnsweredRequest.objects.get().body
    user.delete()
    assert not AnsweredRequest.objects.exists()


def test_what_cannot_be_answered_alike_later_is_not_done(match: Match) -> None:
    """A process that dies before its answer is kept has done nothing."""
    kim = guest("Kim")
    kim.raise_request_exception = False
    study = study_of(kim)
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMP TRIGGER dies BEFORE UPDATE ON main.replays_answeredrequest "
            "BEGIN SELECT RAISE(ABORT, 'dies'); END"
        )
        assert add(kim, study, match, **KEY).status_code == 500
        cursor.execute("DROP TRIGGER dies")
    assert not Chapter.objects.exists()
    assert add(kim, study, match, **KEY).status_code == 201


def test_a_change_sent_again_does_not_conflict_with_itself(match: Match, kim: Client) -> None:
    key = post(kim, f"/api/v1/matches/{match.pk}/notes", key=fresh(), text="A", **PLACE).json()[
        "key"
    ]
    said = {"revision": 1, "text": "B", **PLACE}
    first, again = (put(kim, f"/api/v1/notes/{key}", **said) for _ in range(2))
    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()
    assert Note.objects.get().revision == 2
    other = put(kim, f"/api/v1/notes/{key}", **{**said, "text": "C"})
    assert other.status_code == 409, "another change is one"
    for _ in range(2):
        gone = kim.delete(f"/api/v1/notes/{key}", {"revision": 2}, content_type="application/json")
        assert gone.status_code == 200


def test_all_that_is_changed_may_be_sent_again(match: Match, kim: Client) -> None:
    study = study_of(kim)
    for title in "AB":
        add(kim, study, match, title)
    item = {"match": match.pk, "round": 1, "event": 0, "until": 3}
    post(kim, "/api/v1/playlists", key=(playlist := fresh()), title="A", items=[item])
    revision = kim.get(f"/api/v1/studies/{study}").json()["revision"]
    order = [{"number": 1}, {"number": 2}]
    for address, body in (
        (f"/api/v1/studies/{study}", {"revision": revision, "title": "B"}),
        (f"/api/v1/studies/{study}/chapters/1", {"revision": 1, "title": "C"}),
        (f"/api/v1/studies/{study}/chapters", {"chapters": order[::-1], "was": order}),
        (f"/api/v1/playlists/{playlist}", {"revision": 1, "title": "B", "items": [item]}),
    ):
        for _ in range(2):
            assert put(kim, address, **body).status_code == 200, address


FORMS: dict[str, dict[str, Any]] = {
    "/play/new/": TABLE,
    "/play/quick/": {},
    "/classes/": {"name": "5c"},
    "/studies/": {"title": "Fives"},
    "/matches/{}/review/": {"school_class": ""},
    "/classes/{}/children/": {"names": "Zoe"},
}


@pytest.mark.parametrize("path", FORMS)
def test_a_form_that_makes_something_makes_one_though_it_is_sent_twice(
    path: str, match: Match
) -> None:
    browser = account("Kim")
    there = school_class(browser)
    address = path.format(match.pk if "matches" in path else there.key)
    kinds = (LiveTable, SchoolClass, Study, Review, ClassMember)
    before = [kind._base_manager.count() for kind in kinds]
    form = {**FORMS[path], "csrfmiddlewaretoken": "x" * 64}

    def sent(token: str = "x") -> Any:
        named = {"name": f"{form['name']} {token}"} if "name" in form else {}  # one class a name
        return browser.post(address, {**form, **named, "csrfmiddlewaretoken": token * 64})

    first, again = sent(), sent()
    assert first.status_code in (200, 302), first.text
    if first.status_code == 302:
        assert again["Location"] == first["Location"]
    made = [kind._base_manager.count() - old for kind, old in zip(kinds, before, strict=True)]
    assert sum(count > 0 for count in made) >= 1
    assert max(made) == 1
    if "children" in path:
        return  # the same names are refused in any case
    sent("y")
    assert sum(kind._base_manager.count() for kind in kinds) > sum(before) + sum(made), "a new page"


def test_the_forms_of_a_class_and_a_search_are_done_once() -> None:
    coach, there, kim, member = class_with_kim()
    joined(account("Bo"), there)
    match, seated = store_hosted("Kim", "Bo"), [member.pk, member.pk + 1]
    match.seats.filter(number=0).update(user=user_of(kim), started_at=timezone.now())
    study = study_of(coach)
    add(coach, study, match, **KEY)
    homework = {"address": f"/studies/{study}/", "due": str(today())}
    forms: tuple[tuple[str, dict[str, Any], Any], ...] = (
        (place(there, "homework"), homework, Homework),
        (place(there, "pupils", str(member.pk), "drill"), {}, Homework),
        (place(there, "tables", "seat"), {"size": 2, "pupil": seated}, LiveTable),
        ("/patterns/", {"what": "took"}, PatternSearch),
        (f"/studies/{study}/review/", {"school_class": there.key}, Review),
    )
    for address, said, kind in forms:
        before = kind._base_manager.count()
        form = {**said, "csrfmiddlewaretoken": "x" * 64}
        first, again = (coach.post(address, form) for _ in range(2))
        assert (first.status_code, again["Location"]) == (302, first["Location"]), address
        assert kind._base_manager.count() == before + 1, address


@pytest.mark.django_db(transaction=True)
def test_a_slow_form_that_is_sent_twice_is_done_once() -> None:
    """However slow: the second one gets the first one's page."""
    user, again = account("Kim"), Event()
    form = {"title": "Fives", "csrfmiddlewaretoken": "x" * 64}
    done: list[str] = []

    def slow(request: Any) -> HttpResponse:
        done.append("once")
        again.wait(6)
        return redirect("replays:my_studies")

    def send(_: int) -> Any:
        request: Any = RequestFactory().post("/studies/", form)
        request.session, request.user = user.session, user_of(user)
        request.visit = Visit(request.session, lambda: request.user, request)
        request.resolver_match = resolve("/studies/")
        forms = retries.FormsMiddleware(lambda _: HttpResponse())
        try:
            return forms.process_view(request, slow, (), {})
        finally:
            again.set()
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(send, range(2))
    assert first["Location"] == second["Location"] == "/studies/"
    assert done == ["once"]


@pytest.mark.django_db(transaction=True)
def test_a_form_that_fails_is_done_when_it_is_sent_again() -> None:
    browser, form = account("Kim"), {"title": "Fives", "csrfmiddlewaretoken": "x" * 64}
    browser.raise_request_exception = False
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMP TRIGGER dies BEFORE UPDATE ON main.replays_answeredrequest "
            "BEGIN SELECT RAISE(ABORT, 'dies'); END"
        )
        assert browser.post("/studies/", form).status_code == 500
        cursor.execute("DROP TRIGGER dies")
    assert not Study.objects.exists(), "nothing is done by half"
    assert browser.post("/studies/", form)["Location"].startswith("/studies/")
    assert Study.objects.count() == 1
