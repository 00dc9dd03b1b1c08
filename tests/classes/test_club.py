"""Club tables: a class is seated with one press, and only the class sees its tables."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import LiveTable, Match, Seated
from games.people.person import account as person_of
from games.people.person import encode
from games.tables.plan import Plan, from_json
from replays.classes import club, members
from replays.models import ClassMember, News, Review, SchoolClass
from tests.classes.making import group, place, pupil, school_class
from tests.notes.browsers import account, guest
from tests.people.class_addresses import NAMES, ClassWorld
from tests.web.records import store

pytestmark = pytest.mark.django_db


def plans() -> list[Plan]:
    """The tables that have not been left by everybody."""
    tables = [from_json(row.plan) for row in LiveTable.objects.order_by("pk")]
    return [plan for plan in tables if plan.humans]


def sizes() -> list[tuple[int, int]]:
    """Of each table the people and the seats."""
    return [(len(plan.humans), len(plan.places)) for plan in plans()]


class Club:
    """A coach and so many pupils."""

    def __init__(self, size: int) -> None:
        self.coach = account("Cora")
        self.there: SchoolClass = school_class(self.coach)
        made = [pupil(self.there, f"P{n}") for n in range(size)]
        self.pupils: list[Client] = [browser for browser, _ in made]
        self.members: list[ClassMember] = [member for _, member in made]

    def seat(self, size: object = 4, but: int = 0, **more: str) -> Any:
        chosen = [member.pk for member in self.members[but:]]
        said = {"size": size, "pupil": chosen, "speedy": "on", **more}
        return self.coach.post(place(self.there, "tables", "seat"), said, follow=True)


def test_seating_one_group_leaves_the_tables_of_another() -> None:
    there = Club(5)
    children, adults = there.members[:3], there.members[3:]
    for some in (children, adults):
        said = {"size": 4, "pupil": [member.pk for member in some]}
        there.coach.post(place(there.there, "tables", "seat"), said)
    assert sizes() == [(3, 3), (2, 2)]


def test_groups_sit_apart_and_keep_their_seats_when_another_is_seated() -> None:
    there = Club(5)
    by_group = {"Children": [0, 1], "Adults": [2, 3, 4]}
    for name, some in by_group.items():
        group(there.coach, there.there, name, *(there.members[one] for one in some))
    assert "<option>Adults</option>" in there.coach.get(place(there.there, "tables")).text
    there.seat()
    assert sorted(sizes()) == [(2, 2), (3, 3)]
    children = {person_of(there.members[one].user_id) for one in by_group["Children"]}
    (before,) = [plan for plan in plans() if {seat.person for seat in plan.places} == children]
    there.seat(group="Adults")
    assert before in plans()
    assert sorted(sizes()) == [(2, 2), (3, 3)], "the others are drawn anew"
    assert "The class has no" not in there.seat(group="Nobody").text
    assert before in plans()


def test_a_group_leaves_a_mixed_table_and_the_others_stay_there() -> None:
    there = Club(4)
    there.seat()
    group(there.coach, there.there, "Children", *there.members[:2])
    there.seat(group="Children")
    assert sorted(sizes()) == [(2, 2), (2, 4)]


def test_pupils_who_play_this_evening_are_ticked_when_the_class_is_seated_anew() -> None:
    there = Club(3)
    at, every = place(there.there, "tables"), {one.pk for one in there.members}
    played = store("Ada", "Bo")
    Match.objects.filter(pk=played.pk).update(school_class=there.there.key)
    for began, ticked in ((timedelta(days=1), every), (timedelta(hours=1), {there.members[0].pk})):
        seat = played.seats.filter(number=0)
        seat.update(user=there.members[0].user, started_at=timezone.now() - began)
        assert there.coach.get(at).context["present"] == ticked


def test_starting_asks_when_somebody_is_missing() -> None:
    there = Club(4)
    there.seat(size=2)
    first = person_of(there.members[0].user_id)
    left = next(plan.id for plan in plans() if plan.seat_of(first) is not None)
    there.pupils[0].post(f"/play/{left}/leave/")
    come = {"kind": "human", "here": True, "bot": False}
    state = {"phase": "seating", "seats": [come, come]}
    LiveTable.objects.exclude(record_id=left).update(state=state)
    change = place(there.there, "tables", "change")
    asked = there.coach.post(change, {"do": "start"}, follow=True).text
    assert "Shall bots play until they come, and in free seats?" in asked
    assert asked.count("not here yet: P") == 1
    assert f'data-url="{place(there.there, "tables")}?start=ask"' in asked, "it asks still later"
    assert {plan.begins for plan in plans()} == {"all"}
    assert "1 table started." in there.coach.post(change, {"do": "full"}, follow=True).text
    assert sorted(plan.begins for plan in plans()) == ["all", "now"]
    wall = place(there.there, "tables")
    assert "Shall bots play" not in there.pupils[1].get(f"{wall}?start=ask").text
    there.coach.post(change, {"do": "bots"})
    assert [plan.begins for plan in plans()] == ["now", "now"]
    assert all(place.kind for plan in plans() for place in plan.places), "bots took the free seat"


@pytest.mark.parametrize(
    ("people", "size", "expected"),
    [
        (9, 4, [3, 3, 3]),
        (8, 3, [3, 3, 2]),
        (5, 4, [3, 2]),
        (3, 2, [3]),
        (9, 2, [3, 2, 2, 2]),
        (6, 5, [3, 3]),
        (1, 4, [1]),
    ],
)
def test_nobody_sits_alone_and_tables_are_even(people: int, size: int, expected: list[int]) -> None:
    assert club.shares(people, size) == expected


def test_a_class_is_seated_with_one_press_and_everybody_is_invited_at_once() -> None:
    there = Club(5)
    said = there.seat(bots="on").content.decode()
    assert "2 tables" in said
    assert sizes() == [(3, 4), (2, 4)]
    for browser in there.pupils:
        home = browser.get("/").content.decode()
        assert "You have a seat at a table." in home
        page, now = (browser.get(place(there.there, *rest)) for rest in ((), ("together",)))
        assert f'data-from="{place(there.there, "together")}"' in page.content.decode()
        assert all(place(there.there, "tables") in shown.content.decode() for shown in (page, now))
    assert {plan.school_class for plan in plans()} == {there.there.key}
    assert not News.objects.exists(), "no pupil has opened a table, and at none is a seat free"
    there.seat(but=1, bots="on")
    assert sizes() == [(4, 4)], "who is missing is left out, and nobody sits twice"


def test_whoever_sits_at_many_tables_is_seated_all_the_same() -> None:
    there = Club(2)
    for _ in range(3):
        there.pupils[0].post("/play/quick/")
    there.seat()
    assert (2, 2) in sizes()


def test_a_table_that_has_begun_is_not_left() -> None:
    there = Club(2)
    there.seat()
    LiveTable.objects.update(phase="round", state={"phase": "round", "round": 1})
    assert "All of them sit at a table of the class already." in there.seat().text
    assert sizes() == [(2, 2)]


def test_two_coaches_who_seat_a_class_seat_nobody_twice() -> None:
    there = Club(4)
    other, second = pupil(there.there, "Cleo")
    members.promote(second)
    there.seat(but=2)
    said = {"size": 2, "pupil": [member.pk for member in there.members]}
    told = other.post(place(there.there, "tables", "seat"), said, follow=True).text
    assert "Not seated again, since they already sit at a table: P2, P3." in told
    seated = [name for plan in plans() for name in (seat.name for seat in plan.places)]
    assert sorted(seated) == ["P0", "P1", "P2", "P3"]


def test_seating_again_leads_from_the_old_table_to_the_new_one() -> None:
    there = Club(3)
    there.seat()
    (old,) = plans()
    there.seat(but=1)
    (new,) = plans()
    told = there.pupils[1].get(f"/play/{old.id}/", follow=True)
    assert told.redirect_chain == [(f"/play/{new.id}/", 302)]
    assert "Your coach has seated the class again. This is your new table." in told.text
    left_out = there.pupils[0].get(f"/play/{old.id}/", follow=True).text
    assert "Your coach has closed that table." in left_out


def test_tables_wait_until_the_coach_starts_them() -> None:
    there = Club(4)
    wall, form = place(there.there, "tables"), '<details class="club" id="club" open>'
    assert form in there.coach.get(wall).text
    there.seat(size=2)
    assert [plan.begins for plan in plans()] == ["all", "all"]
    assert form not in there.coach.get(wall).text, "they are seated"
    assert form in there.coach.get(wall, {"seat": "yes"}).text
    assert "Start all tables" in there.coach.get(wall).text
    assert "Start all tables" not in there.pupils[0].get(wall).text
    change = place(there.there, "tables", "change")
    assert there.pupils[0].post(change, {"do": "start"}).status_code == 403
    started = there.coach.post(change, {"do": "bots"}, follow=True).text
    assert "2 tables started." in started
    assert started.count("data-match=") == started.count(">about to begin<") == 2
    assert 'data-most="100"' in started, "however many begin later"
    assert "Waiting for players" not in started, "before their hosts have begun, too"
    assert 'id="wall-empty" class="soft" hidden' in started
    assert [plan.begins for plan in plans()] == ["now", "now"]
    there.coach.post(change, {"do": "close"})
    assert plans() == []


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"size": 9}, "A table has 2 to 5 seats."),
        ({"size": "4²"}, "A table has 2 to 5 seats."),
        ({"but": 2}, "Choose who plays."),
        ({"but": 1}, "P1 would sit alone. Fill empty seats with bots."),
    ],
)
def test_what_cannot_be_seated_says_why_and_changes_nothing(
    said: dict[str, Any], words: str
) -> None:
    there = Club(2)
    assert words in there.seat(**said).content.decode()
    assert not LiveTable.objects.exists()


def test_the_wall_has_the_names_of_the_class_which_no_table_has() -> None:
    there = ClassWorld()
    coach, key = there.browser("coach"), there.school_class.key
    assert coach
    chosen = [there.member(user).pk for user in (there.pupil, there.child)]
    coach.post(f"/classes/{key}/tables/seat/", {"size": 2, "pupil": chosen})
    (plan,) = plans()
    assert {seat.name for seat in plan.places} == {"Pia", there.child.username}
    assert Seated.objects.filter(person=encode(person_of(there.child.pk))).exists()
    for phase, begun in (("seating", False), ("round", True)):
        LiveTable.objects.update(phase=phase, state={"phase": phase, "round": 1})
        for visitor in ("coach", "pupil", "child"):
            browser = there.browser(visitor)
            assert browser
            wall = browser.get(f"/classes/{key}/tables/").content.decode()
            assert NAMES["child"] in wall
            assert (f'data-match="{plan.id}"' in wall) is begun
    outside = [guest("Eve"), *filter(None, map(there.browser, ("former", "coach elsewhere")))]
    for browser in outside:
        assert plan.id not in browser.get("/watch/").content.decode()
        assert plan.id not in browser.get("/play/").content.decode()
        assert browser.get(f"/api/v1/tables/{plan.id}").status_code == 404


def test_a_table_calls_members_who_sit_down_later_as_the_class_does(admin_client: Client) -> None:
    there = ClassWorld()
    coach, pupil, key = there.browser("coach"), there.browser("pupil"), there.school_class.key
    assert coach
    assert pupil
    chosen = [there.member(user).pk for user in (there.pupil, there.child)]
    coach.post(f"/classes/{key}/tables/seat/", {"size": 2, "pupil": chosen})
    (plan,) = plans()
    table = f"/play/{plan.id}/"
    seated = {"Pia": NAMES["pupil"], there.child.username: NAMES["child"]}
    assert called(pupil.get(table)) == {**seated, "Cora": NAMES["coach"]}
    for listed in ("/play/", "/matches/mine/"):
        page = pupil.get(listed).content.decode()
        assert NAMES["child"] in page
        assert there.child.username not in page
    LiveTable.objects.update(phase="round", state={"phase": "round", "round": 1})
    assert called(pupil.get(table)) == seated
    LiveTable.objects.update(phase="seating", state={"phase": "seating", "round": 0})
    members.leave(there.member(there.pupil))
    for browser in (pupil, admin_client, there.browser("coach elsewhere")):
        assert browser
        assert browser.get(table).status_code == 404


def called(answer: Any) -> dict[str, str]:
    """The names that a table's page has for its script."""
    names: dict[str, str] = answer.context["page"]["called"]
    return names


def test_one_press_calls_everybody_to_a_review() -> None:
    there = Club(2)
    key = there.there.key
    match = store("P0", "P1")
    type(match).objects.update(school_class=key)
    assert "Review it with the class" in there.coach.get(place(there.there, "season")).text
    there.coach.post(f"/matches/{match.pk}/review/", {"school_class": key})
    review = Review.objects.get()
    for browser in there.pupils:
        home = browser.get("/").content.decode()
        assert "<bdi>4b</bdi> is reviewing the match <bdi>P0 · P1</bdi>." in home
        assert f"/reviews/{review.key}/" in home
    assert "is reviewing" not in guest("Eve").get("/").content.decode()
    there.coach.post(f"/matches/{match.pk}/review/", {"school_class": key})
    home = there.pupils[0].get("/").content.decode()
    assert home.count("is reviewing") == 1, "the coach forgot to end the one before"
    assert f"/reviews/{Review.objects.latest('pk').key}/" in home
