"""Names at one table are kept apart, and a guest says one before sitting down."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import LiveTable
from games.people.person import account, guest
from games.tables import opening
from games.tables.plan import NoSeatError, Plan, from_json, new_plan


def plan_of_table(table: str) -> Plan:
    return from_json(LiveTable.objects.get(record_id=table).plan)


def test_no_two_players_at_a_table_share_a_name() -> None:
    plan = new_plan("t", "usaopoly-2009", 3, {}).sit(guest("a"), "Ada")
    for name in ("Ada", "ADA", "Аda"):
        with pytest.raises(NoSeatError, match="looks like it"):
            plan.sit(guest("b"), name)
    assert plan.sit(guest("b"), "Bo").seat_of(guest("b")) == 1


def test_bots_of_one_temper_are_numbered() -> None:
    plan = new_plan("t", "usaopoly-2009", 4, {})
    for _ in range(3):
        plan = plan.seat_bot("taker", 3, "taker")
    assert [place.name for place in plan.places[:3]] == ["taker", "taker 2", "taker 3"]


def test_a_new_account_keeps_a_name_that_differs_from_the_tables() -> None:
    plan = new_plan("t", "usaopoly-2009", 2, {}).sit(guest("a"), "Guest 1").sit(account(2), "Bo")
    assert plan.hand_over(guest("a"), account(1), "Ada").places[0].name == "Ada"
    assert plan.hand_over(guest("a"), account(1), "bo").places[0].name == "Guest 1"


@pytest.mark.django_db
def test_a_guest_says_the_name_beside_sit_down(client: Client) -> None:
    opening.open_table(new_plan("t", "usaopoly-2009", 2, {}).sit(guest("a"), "Ada"))
    assert 'name="name"' in client.get("/play/t/").text
    for name, said in (("taker", "belongs to a bot"), ("ada", "looks like it")):
        page = client.post("/play/t/sit/", {"name": name}, follow=True).text
        assert said in page
    client.post("/play/t/sit/", {"name": "Bo"})
    assert [place.name for place in plan_of_table("t").places] == ["Ada", "Bo"]
    assert client.session["guest_name"] == "Bo"


@pytest.mark.django_db
def test_without_a_name_a_guest_gets_one(client: Client) -> None:
    opening.open_table(new_plan("t", "usaopoly-2009", 2, {}).sit(guest("a"), "Ada"))
    client.post("/play/t/sit/", {"name": "  "})
    assert plan_of_table("t").places[1].name.startswith("Guest ")
