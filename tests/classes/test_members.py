"""Who is in a class: making one, joining by its link, and leaving it."""

import re

import pytest
from django.test import Client

from games.models import LiveTable
from games.pages.accounts.views import end_account
from games.people.person import account as person_of
from games.people.rights import Access, rights
from games.people.visitor import Visitor
from games.tables.plan import from_json
from replays.classes import club, limits, members
from replays.models import ClassMember, SchoolClass
from tests.classes.making import (
    class_of_cora,
    class_with_kim,
    joined,
    place,
    pupil,
    school_class,
    user_of,
)
from tests.notes.browsers import account
from tests.services import ROOT

pytestmark = pytest.mark.django_db


def says(client: Client, path: str) -> str:
    """What a page says."""
    page = client.get(path, follow=True)
    assert page.status_code == 200, path
    return page.text


def follow(client: Client, there: SchoolClass) -> str:
    """What a browser is told that pastes the whole link to a class."""
    pasted = f" https://some.host/classes/join/#{there.invitation} "
    return client.post("/classes/join/", {"invitation": pasted}, follow=True).text


def test_a_class_is_made_and_joined_by_its_link() -> None:
    coach, kim = account("Cora"), account("Kim")
    made = coach.post("/classes/", {"name": " The  4b "}, follow=True)
    there = SchoolClass.objects.get(name="The 4b")
    (link,) = re.findall(r'value="(http[^"]*/classes/join/#[^"]+)"', made.text)
    assert link.endswith(f"#{there.invitation}")
    assert 'class="qr"' in made.text
    invited = follow(kim, there)
    assert "Join <bdi>The 4b</bdi>" in invited
    assert "Cora" in invited
    entered = kim.post("/classes/enter/", {"name": "Kim Ito"}, follow=True)
    assert "You are in The 4b now." in entered.text
    assert "Kim Ito" in says(coach, place(there))
    assert there.invitation not in entered.text, "pupils do not hand it on"
    assert place(there) in says(kim, "/classes/")


def test_the_invitation_outlives_logging_in() -> None:
    there, kim = school_class(account("Cora")), account("Kim")
    stranger = Client()
    assert "next=/classes/join/" in follow(stranger, there)
    stranger.force_login(user_of(kim))
    assert "Your name in the class" in says(stranger, "/classes/join/")


def test_an_old_invitation_opens_nothing_and_says_so() -> None:
    coach, kim = account("Cora"), account("Kim")
    there = school_class(coach)
    old = there.invitation
    coach.post(place(there, "change"), {"do": "link"})
    told = kim.post("/classes/join/", {"invitation": old}, follow=True)
    assert (told.status_code, "no longer works" in told.text) == (404, True)
    assert kim.post("/classes/enter/", {"name": "Kim"}).status_code == 404
    there.refresh_from_db()
    assert "Your name in the class" in follow(kim, there)
    coach.post(place(there, "change"), {"do": "close"})
    there.refresh_from_db()
    assert there.invitation == ""
    assert kim.post("/classes/enter/", {"name": "Kim"}).status_code == 404
    empty = Client().post("/classes/join/", {"invitation": ""}, follow=True)
    assert "Join a class" in empty.text, "a closed class is not joined without an invitation"


def test_nobody_is_a_pupil_twice() -> None:
    there, kim = school_class(account("Cora")), account("Kim")
    joined(kim, there)
    session = kim.session
    session["class_invitation"] = there.invitation
    session.save()
    again = kim.post("/classes/enter/", {"name": "Another"})
    assert (again.status_code, "in this class already" in again.text) == (422, True)
    assert [row.name for row in there.members.filter(role="pupil")] == ["Kim"]
    assert kim.get("/classes/join/")["Location"] == place(there)


@pytest.mark.parametrize(
    ("name", "words"),
    [("", "Enter a name."), ("x" * 61, "At most 60 characters"), ("a\u200bb", "U+200B")],
)
def test_a_name_that_nobody_can_read_is_refused_and_kept_in_the_form(name: str, words: str) -> None:
    there, kim = school_class(account("Cora")), account("Kim")
    follow(kim, there)
    told = kim.post("/classes/enter/", {"name": name})
    assert told.status_code == 422
    assert words in told.text
    assert f'value="{name}"' in told.text
    assert there.members.filter(role="pupil").count() == 0


def test_everybody_in_a_class_has_another_name() -> None:
    coach, there = class_of_cora()
    pupil(there, "Anna")
    link = {"invitation": there.invitation}
    for name, words in (
        ("ANNA", "is in the class already"),
        ("Coach", "is what a coach is called"),
    ):
        browser = account(f"{name}-2")
        browser.post("/classes/join/", link)
        told = browser.post("/classes/enter/", {"name": name})
        assert (told.status_code, words in told.text, name in told.text) == (422, True, True)
        assert browser.get("/classes/enter/")["Location"] == "/classes/join/"
    other = pupil(there, "Bo")[1]
    told = coach.post(place(there, "people", str(other.pk)), {"do": "rename", "name": "Anna"})
    other.refresh_from_db()
    assert other.name == "Bo"
    coach.post(place(there, "people", str(other.pk)), {"do": "rename", "name": "bo"})
    other.refresh_from_db()
    assert other.name == "bo", "the own name may change its capitals"


def test_two_classes_of_one_name_are_told_apart() -> None:
    coach, there = class_of_cora()
    again = coach.post("/classes/", {"name": "4B"}, follow=True)
    assert "You have a class called 4B already." in again.text
    kim, member = pupil(there, "Kim")
    other = school_class(account("Olga"))
    joined(kim, other)
    for page in ("/classes/", "/play/new/"):
        text = kim.get(page).text
        assert all(f"4b ({name})" in text for name in ("Cora", "Olga")), page
    members.leave(member)
    assert "4b (" not in kim.get("/classes/").text


def test_a_full_class_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "MOST_MEMBERS", 2)
    there = school_class(account("Cora"))
    pupil(there, "Kim")
    with pytest.raises(limits.ClassError, match="This class is full"):
        pupil(there, "Bo")


def test_a_pupil_who_leaves_and_joins_again_is_the_same_pupil() -> None:
    _, there, kim, member = class_with_kim()
    assert "keep your results until today" in says(kim, place(there, "leave"))
    kim.post(place(there, "leave"))
    assert there.members.get(pk=member.pk).left
    assert kim.get(place(there)).status_code == 404
    again = joined(kim, there, "Kim Ito")
    assert (again.pk, again.left) == (member.pk, None)
    assert ClassMember.objects.get(pk=member.pk).name == "Kim Ito"


def test_a_class_keeps_a_coach() -> None:
    coach, there, kim, member = class_with_kim()
    mine = there.members.get(role="coach")
    assert "needs a coach" in coach.post(place(there, "leave"), follow=True).text
    coach.post(place(there, "people", str(mine.pk)), {"do": "demote"})
    assert there.members.get(pk=mine.pk).role == "coach"
    coach.post(place(there, "people", str(member.pk)), {"do": "promote"})
    gone = coach.post(place(there, "leave"), follow=True)
    assert "You have left 4b." in gone.text
    assert kim.get(place(there)).context["coach"]


def test_a_last_coach_s_account_is_not_deleted_under_the_class() -> None:
    coach, there = class_of_cora()
    user = user_of(coach)
    user.set_password("a-table-of-five-seats")
    user.save()
    coach.force_login(user)
    _, member = pupil(there, "Kim")
    password = {"password": "a-table-of-five-seats"}
    told = coach.post("/account/delete/", password)
    assert "<bdi>4b</bdi> would have no coach." in told.text
    assert there.members.filter(user=user).exists()
    members.promote(member)
    assert coach.post("/account/delete/", password).status_code == 302
    assert not there.members.filter(user=user.pk).exists()


def test_coaches_rename_and_remove_pupils() -> None:
    coach, there, _, member = class_with_kim()
    at = place(there, "people", str(member.pk))
    assert "Kim of 4b" in coach.post(at, {"do": "rename", "name": "Kim of 4b"}, follow=True).text
    assert "Enter a name." in coach.post(at, {"do": "rename", "name": " "}, follow=True).text
    assert "not in the class any more" in coach.post(at, {"do": "remove"}, follow=True).text
    assert coach.post(at, {"do": "remove"}).status_code == 404
    assert coach.post(place(there, "people", "1"), {"do": "fly"}).status_code == 404


def test_one_button_leads_to_changing_the_class() -> None:
    coach, there, kim, _ = class_with_kim()
    page = coach.get(place(there)).text
    assert page.count("Change the class") == 1
    assert 'aria-label="Change: Kim"' not in page
    assert 'aria-label="Change: Kim"' in coach.get(f"{place(there)}?change=yes").text
    assert "Change" not in kim.get(f"{place(there)}?change=yes").text
    nav = page.partition('class="site-nav"')[2].partition("</nav>")[0]
    assert ">Rules</a>" in nav, "a class takes no section away"


def test_a_coach_of_another_class_changes_nobody_here() -> None:
    there, other = school_class(account("Cora")), account("Colin")
    elsewhere = school_class(other, "5a")
    _, member = pupil(there, "Kim")
    at = place(elsewhere, "people", str(member.pk))
    assert other.post(at, {"do": "remove"}).status_code == 404
    assert there.members.get(pk=member.pk).left is None


def test_a_deleted_class_is_closed_and_comes_back_with_everybody() -> None:
    coach, there, kim, _ = class_with_kim()
    assert (
        "You can restore it"
        in coach.post(place(there, "change"), {"do": "delete"}, follow=True).text
    )
    for browser in (coach, kim):
        assert browser.get(place(there)).status_code == 404
    assert kim.post(place(there, "restore")).status_code == 404
    assert "Kim" in coach.post(place(there, "restore"), follow=True).text
    assert kim.get(place(there)).status_code == 200


def test_a_class_goes_with_the_last_account_in_it() -> None:
    coach, other = account("Cora"), account("Bo")
    school_class(coach, "alone")
    shared, left = school_class(other, "shared"), school_class(coach, "left by a pupil")
    joined(coach, shared)
    kim, _ = pupil(left, "Kim")
    kim.post(place(left, "leave"))
    end_account(user_of(coach))
    assert [row.name for row in SchoolClass.objects.all()] == ["shared"]


def test_a_pupil_who_is_removed_loses_the_seat_at_once() -> None:
    coach, there = class_of_cora()
    (kim, member), (_, other) = pupil(there, "Kim"), pupil(there, "Bo")
    club.seat(there, user_of(coach), [member, other], 2, bots=0, speedy=True)
    table = LiveTable.objects.get()
    coach.post(place(there, "people", str(member.pk)), {"do": "remove"})
    table.refresh_from_db()
    assert [seat.name for seat in from_json(table.plan).places if seat.name] == ["Bo"]
    assert kim.get(f"/play/{table.record_id}/").status_code == 404


def test_nobody_plays_on_at_a_table_of_a_class_that_they_have_left() -> None:
    me = person_of(1)
    live = Access(school_class="k", seats=[me])
    inside, outside = Visitor((me,), classes=("k",)), Visitor((me,))
    assert (rights(inside, live).seat, rights(outside, live).seat) == (0, None)
    assert not rights(outside, live).enter
    over = live._replace(secret=False, over=True)
    assert rights(outside, over).see, "a match that was played stays theirs"


def test_only_the_rooms_of_classes_know_their_members() -> None:
    allowed = re.compile(
        r"replays/(classes|homework|models|migrations|pages/classes)/"
        r"|replays/admin[.]py"
    )
    files = [file for room in ("games", "replays") for file in (ROOT / room).rglob("*.py")]
    named = {str(file.relative_to(ROOT)) for file in files if "ClassMember" in file.read_text()}
    assert {name for name in named if not allowed.match(name)} == set()
