"""Accounts that a coach makes for children: a code on paper, and nobody outside meets them."""

import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.http import QueryDict
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from games.engine.actions import DrawOne
from games.models import LiveTable
from games.people.person import account as person_of
from games.people.person import encode
from games.people.rights import Access, rights
from games.people.visit import visit_of_session
from games.people.visitor import Author
from games.tables.plan import from_json
from replays.classes import members
from replays.ghost_races.opening import finished, opened
from replays.ghost_races.table import outcome_of
from replays.models import Attempt, ClassMember, News, Reading, SchoolClass, Variation
from replays.pages.classes.children import forget_deleted
from replays.pages.priorities import race_days
from replays.reviews import storage as reviews
from tests.classes.lesson import Lesson
from tests.classes.making import class_of_cora, joined, place, pupil, school_class, user_of
from tests.notes.browsers import account, put, read_news
from tests.people import world
from tests.people.programs import program
from tests.web.records import store, store_hosted

pytestmark = pytest.mark.django_db
PASSWORD = "four blue stacks"
ACTION = re.compile(r'<form[^>]*method="post"(?:[^>]*action="([^"]*)")?')
CARD = re.compile(r"Username: <code>(\S+)</code>.*?Code: <code>(\S+)</code>", re.DOTALL)


def made(coach: Client, there: SchoolClass, *names: str) -> list[tuple[str, str]]:
    """The names to log in with, and the codes, of new accounts for children."""
    told = coach.post(place(there, "children"), {"names": "\n".join(names)}, follow=True)
    assert told.status_code == 200, told.context["fault"]
    return CARD.findall(told.text)


def logged_in(log_in: str, code: str) -> Client:
    """A browser that has logged in by the site's own form."""
    browser = Client()
    told = browser.post("/account/log-in/", {"username": log_in, "password": code})
    assert told.status_code == 302, "wrong code"
    return browser


def with_password(coach: Client) -> Client:
    """The same browser, logged in again after its account got a password."""
    user = user_of(coach)
    user.set_password(PASSWORD)
    user.save()
    coach.force_login(user)
    return coach


def child(coach: Client, there: SchoolClass, name: str = "Zoe") -> Client:
    """The browser of a child with a new account."""
    ((log_in, code),) = made(coach, there, name)
    return logged_in(log_in, code)


def test_children_log_in_with_what_is_on_paper() -> None:
    coach, there = class_of_cora()
    cards = made(coach, there, "Zoe W.", " Abd  al-Karim ")
    assert len({log_in for log_in, _ in cards}) == len({code for _, code in cards}) == 2
    assert all(re.fullmatch(r"[a-z]+-[a-z]+-\d{4}", log_in) for log_in, _ in cards)
    browser = logged_in(*cards[1])
    page = browser.get("/classes/")
    assert "4b" in page.text
    assert "Make a class" not in page.text
    assert "Leave the class" not in browser.get(place(there)).text
    assert set(there.members.filter(role="pupil").values_list("name", flat=True)) == {
        "Zoe W.",
        "Abd al-Karim",
    }
    assert "Zoe W." in coach.get(place(there)).text
    assert cards[0][1] not in coach.get(place(there)).text, "codes are shown once"


def test_a_child_lands_on_its_class_where_its_homework_is() -> None:
    lesson = Lesson()
    ((log_in, code),) = made(lesson.coach, lesson.there, "Zoe")
    given = lesson.give()
    told = Client().post("/account/log-in/", {"username": log_in, "password": code}, follow=True)
    assert told.redirect_chain == [(place(lesson.there), 302)]
    assert place(lesson.there, "homework", given.key) in told.text


def test_codes_stay_until_they_are_closed_and_for_their_maker_alone() -> None:
    coach, there = class_of_cora()
    ((_, code),) = made(coach, there, "Zoe")
    page = place(there, "codes")
    coach.post("/account/language/", {"language": "de"}, headers={"Referer": page})
    assert code in coach.get(page).text, "in another language, and loaded again"
    second = account("Colin")
    members.promote(joined(second, there))
    assert second.get(page)["Location"] == place(there)
    assert code not in coach.get(place(there)).text
    assert coach.post(page)["Location"] == place(there)
    assert coach.get(page)["Location"] == place(there)
    made(coach, there, "Abd")
    coach.post("/account/log-out/")
    assert code not in str(dict(coach.session))


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ("", "Enter at least one name"),
        ("Zoe\nBo\nzoe", "zoe is there twice."),
        ("kim", "kim is in the class already."),
        ("x" * 61, "At most 60 characters"),
        ("Zoe\nAbd (bоt)", "Only bots are marked as bots."),
        ("\n".join(f"Child {at}" for at in range(500)), "room for 98 more (at most 100 people)"),
    ],
)
def test_a_list_that_cannot_be_taken_says_why_and_is_kept(names: str, words: str) -> None:
    coach, there = class_of_cora()
    pupil(there, "Kim")
    told = coach.post(place(there, "children"), {"names": names})
    assert (told.status_code, words in told.text) == (422, True)
    assert f">{names}</textarea>" in told.text
    assert there.members.filter(role="pupil").count() == 1, "none of them"


def spellings(code: str) -> list[str]:
    """Ways of typing a code that is read from paper, or copied from a letter."""
    return [
        code.replace("-", "").upper(),
        code.replace("-", " "),
        code.replace("-", "\u2013") + " ",
        code.replace("-", "\u00a0\u2212 "),
        f"\ufeff{code.title()}\u200e",
        "".join(chr(ord(sign) + 0xFEE0) for sign in code),
    ]


@pytest.mark.parametrize("way", range(6))
def test_a_code_is_right_however_it_is_typed(way: int) -> None:
    coach, there = class_of_cora()
    ((log_in, code),) = made(coach, there, "Zoe")
    logged_in(log_in, spellings(code)[way])
    get_user_model().objects.create_user("Kim", password=code.replace("-", ""))
    logged_in("Kim", code.replace("-", ""))
    refused = Client().post("/account/log-in/", {"username": "Kim", "password": code})
    assert refused.status_code == 200, "a password of one's own is what it is"


def test_names_that_are_pasted_are_clean() -> None:
    pasted = (
        "\ufeffAnna\tM\u00fcller\r\nBen\u00a0Schulz\r\n\u200f\u05e2\u05d5\u05de\u05e8\r\n"
        "G\u00fcl \u202a\u00d6z\u202c\u2028Hanna"
    )
    coach, there = class_of_cora()
    assert len(made(coach, there, pasted)) == 5
    names = set(there.members.filter(role="pupil").values_list("name", flat=True))
    assert names == {"Anna Müller", "Ben Schulz", "עומר", "Gül Öz", "Hanna"}


def test_a_child_is_offered_nothing_that_is_refused() -> None:
    coach, there = class_of_cora()
    zoe = child(coach, there)
    match = store_hosted(user_of(zoe).get_username(), "Bo")
    match.seats.filter(number=0).update(user=user_of(zoe), started_at=timezone.now())
    forms = set()
    pages = ("/", "/matches/mine/", "/news/", "/classes/", "/studies/", "/account/", "/play/")
    own = str(there.members.get(name="Zoe").pk)
    inside = (place(there, *rest) for rest in ((), ("season",), ("tags",), ("pupils", own)))
    for page in (*pages, "/notes/", "/playlists/", "/practise/", *inside):
        forms |= {(page, action) for action in ACTION.findall(zoe.get(page).text)}
    assert forms
    for page, action in forms:
        view = resolve(action or page).view_name
        assert view in settings.SUPERVISED_MAY, (page, action)


def test_a_childs_ghost_race_is_kept_and_counts_as_practice() -> None:
    coach, there = class_of_cora()
    ((log_in, code),) = made(coach, there, "Zoe")
    child, match = logged_in(log_in, code), store_hosted("Zoe", "Bo")
    match.seats.filter(number=0).update(user=user_of(child))
    assert child.get(f"/matches/{match.pk}/race?round=1&event=3").context["keeps"]
    person = person_of(user_of(child).pk)
    visit = visit_of_session(child.session.session_key)
    opening = opened(visit, QueryDict("round=1&event=3&seat=0"), match.pk)
    opening.race.act(opening.race.now + 900, DrawOne(0))
    opening.race.finish()
    kept = finished(visit, opening, outcome_of(opening.race, "left"), None)
    raced = Variation.objects.get(key=kept["key"], owner=encode(person))
    assert [day.date() for day in race_days([person])] == [raced.created.date()]


def test_a_coach_replaces_a_code_and_the_old_one_is_dead() -> None:
    coach, there = class_of_cora()
    ((log_in, code),) = made(coach, there, "Zoe")
    before = logged_in(log_in, code)
    member = there.members.get(name="Zoe")
    with_password(coach)
    at = place(there, "children", str(member.pk))
    assert "not your password" in coach.post(at, {"do": "reset"}, follow=True).text
    assert before.get(place(there)).status_code == 200
    told = coach.post(at, {"do": "reset", "password": PASSWORD}, follow=True)
    ((same, new),) = CARD.findall(told.text)
    assert (same, new != code) == (log_in, True)
    assert before.get(place(there))["Location"].startswith("/account/log-in/"), "logged out"
    refused = Client().post("/account/log-in/", {"username": log_in, "password": code})
    assert refused.status_code == 200
    assert logged_in(log_in, new).get(place(there)).status_code == 200


def test_an_account_that_is_handed_over_is_one_like_every_other() -> None:
    coach, there = class_of_cora()
    zoe = child(coach, there)
    member = there.members.get(name="Zoe")
    assert zoe.post("/account/name/", {"username": "Zoe"}).status_code == 403
    assert "made this account" in zoe.get("/account/").text
    at = place(there, "children", str(member.pk))
    assert "write notes, chat, sit at any table and leave the class" in coach.get(at).text
    coach.post(at, {"do": "give"})
    assert zoe.post("/account/name/", {"username": "Zoe"}).status_code == 302
    assert "made this account" not in zoe.get("/account/").text
    told = coach.post(at, {"do": "delete"}, follow=True)
    assert "Zoe has an account of their own." in told.text
    assert get_user_model().objects.filter(username="Zoe").exists()
    assert "Take back" in told.text
    assert "who could take the account back" in zoe.get("/account/").text
    with_password(coach)
    refused = coach.post(at, {"do": "restore", "password": "wrong"}, follow=True)
    assert "not your password" in refused.text
    token = program(user_of(zoe), "read")
    coach.post(at, {"do": "restore", "password": PASSWORD})
    assert "made this account" in zoe.get("/account/").text
    again = coach.post(at, {"do": "restore", "password": PASSWORD})
    assert again.status_code == 404, "it is not handed over now"
    (said,) = read_news(zoe)
    assert said.row.kind == News.Kind.TAKEN
    assert "has taken your account back" in zoe.get("/news/").text
    coach.post(at, {"do": "give"})
    assert token.get("/api/v1/jobs").status_code == 401


@pytest.mark.parametrize("log_in_first", [True, False])
def test_nobody_takes_back_an_account_whose_owner_has_set_a_password(log_in_first: bool) -> None:
    """A first log-in stores the code anew, which is no new password."""
    coach, there = class_of_cora()
    with_password(coach)
    ((log_in, code),) = made(coach, there, "Zoe")
    if log_in_first:
        logged_in(log_in, code)
    at = place(there, "children", str(there.members.get(name="Zoe").pk))
    coach.post(at, {"do": "give"})
    zoe = logged_in(log_in, code)
    back = {"do": "restore", "password": PASSWORD}
    assert "is back" in coach.post(at, back, follow=True).text
    coach.post(at, {"do": "give"})
    new = dict.fromkeys(("new_password1", "new_password2"), "five blue stacks")
    zoe.post("/account/password/", {"old_password": code, **new})
    assert "who could take" not in zoe.get("/account/").text
    told = coach.post(at, back, follow=True).text
    assert "Zoe has set a password: the account is theirs." in told
    codes = coach.post(place(there, "children", "codes"), {"password": PASSWORD})
    assert not CARD.findall(codes.text)
    assert zoe.get("/account/name/").status_code == 200


def test_a_deleted_child_is_gone_after_a_month_with_all_answers() -> None:
    lesson = Lesson()
    zoe = child(lesson.coach, lesson.there)
    lesson.give()
    lesson.opens(zoe)
    lesson.answers(zoe)
    user, member = user_of(zoe), lesson.there.members.get(name="Zoe")
    remove = place(lesson.there, "people", str(member.pk))
    told = lesson.coach.post(remove, {"do": "remove"}, follow=True)
    assert "Delete the account of Zoe, or give it to its owner first." in told.text
    told = lesson.coach.post(remove, {"do": "promote"}, follow=True)
    assert "Give the account of Zoe to its owner first." in told.text
    at = place(lesson.there, "children", str(member.pk))
    asked = lesson.coach.get(at).text
    assert "the results of 1 piece of homework" in asked
    assert "1 answer" in asked
    assert user.get_username() in asked
    lesson.coach.post(at, {"do": "delete"})
    assert not zoe.get(place(lesson.there)).context, "logged out"
    ClassMember.objects.update(deleted=timezone.now() - timedelta(days=31))
    forget_deleted()
    assert not get_user_model().objects.filter(pk=user.pk).exists()
    assert not ClassMember.objects.filter(name="Zoe").exists()
    assert not Attempt.objects.exists()
    assert not Reading.objects.exists()


def test_a_deleted_child_can_be_restored_with_code_and_results() -> None:
    lesson = Lesson()
    ((log_in, code),) = made(lesson.coach, lesson.there, "Zoe")
    given = lesson.give()
    lesson.opens(logged_in(log_in, code))
    at = place(lesson.there, "children", str(lesson.there.members.get(name="Zoe").pk))
    told = lesson.coach.post(at, {"do": "delete"}, follow=True).text
    assert "You can restore it." in told
    assert (
        Client().post("/account/log-in/", {"username": log_in, "password": code}).status_code != 302
    )
    forget_deleted()
    lesson.coach.post(at, {"do": "restore"})
    assert logged_in(log_in, code).get(place(lesson.there)).status_code == 200
    page = lesson.coach.get(place(lesson.there, "homework", given.key))
    assert [row.steps for row in page.context["rows"]] == ["1 of 2"]


def test_all_codes_can_be_printed_again_at_once() -> None:
    coach, there = class_of_cora()
    old = made(coach, there, "Zoe", "Abd")
    pupil(there, "Kim")
    with_password(coach)
    codes = place(there, "children", "codes")
    assert coach.post(codes)["Location"] == f"{place(there)}?change=yes"
    told = coach.post(codes, {"password": PASSWORD}, follow=True)
    new = CARD.findall(told.text)
    assert {log_in for log_in, _ in new} == {log_in for log_in, _ in old}
    assert told.text.index("Abd") < told.text.index("Zoe")
    for log_in, code in new:
        assert logged_in(log_in, code).get(place(there)).status_code == 200


def test_a_child_does_homework_that_only_its_coaches_see() -> None:
    lesson = Lesson()
    zoe = child(lesson.coach, lesson.there)
    (kim, _) = pupil(lesson.there, "Kim")
    given = lesson.give()
    for learner in (zoe, kim):
        lesson.opens(learner)
        lesson.answers(learner)
    rows = lesson.coach.get(place(lesson.there, "homework", given.key)).context["rows"]
    assert {(row.progress.member.name, row.state) for row in rows} == {
        ("Zoe", "done"),
        ("Kim", "done"),
    }
    put(lesson.coach, f"/api/v1/studies/{lesson.study.key}", revision=1, writers=["Kim"])
    for path in ("", f"{lesson.asked.number}/"):
        page = lesson.coach.get(f"/studies/{lesson.study.key}/{path}results/").text
        assert user_of(zoe).get_username() not in page, "writers of a study may be anybody"


def test_a_child_plays_against_bots_where_nobody_sees_it() -> None:
    coach = account("Cora")
    zoe = child(coach, school_class(coach))
    form = {"edition": "usaopoly-2009", "seat_2": "open", "watching": "on", "chat": "on"}
    form |= {f"seat_{seat}": "none" for seat in range(3, 6)}
    form |= {f"level_{seat}": "3" for seat in range(2, 6)}
    for path, said in (("/play/new/", form), ("/play/quick/", {})):
        table = zoe.post(path, said)["Location"].split("/")[-2]
        plan = from_json(LiveTable.objects.get(record_id=table).plan)
        assert plan.key
        assert not plan.watching
        assert {seat.kind for seat in plan.places[1:]} == {"bot"}
        assert Client().get(f"/play/{table}/").status_code == 404
        zoe.post(f"/play/{table}/leave/")


def test_a_child_speaks_nowhere() -> None:
    coach = account("Cora")
    zoe = child(coach, school_class(coach))
    visitor = visit_of_session(zoe.session.session_key).visitor
    may = rights(visitor, Access(secret=False, over=True))
    assert (may.see, may.chat, may.annotate, may.sit) == (True, False, False, False)
    by = Author(encode(person_of(user_of(coach).pk)), "Cora", user_of(coach))
    review = reviews.start(store(), by).key
    assert reviews.enter(review, visitor)[1] == 0, "as one without a name"
    assert reviews.admissions(world.review_of(store().pk), [visitor]) == [None], "a stranger's"
    assert not zoe.get("/account/name/").context["form"].errors
