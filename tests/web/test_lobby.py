"""The lobby: who may open, find, enter, fill and leave a table, and what a page costs."""

from dataclasses import asdict

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.bots.roster import BotSpec
from games.engine.editions import EDITIONS
from games.models import LiveTable
from games.tables import house_rules, opening, seats
from games.tables.plan import from_json
from tests.web.tables import FORM, address, begin, browser, open_by, plan_of, text

pytestmark = pytest.mark.django_db


# A new table


def test_a_guest_plays_three_bots_with_one_click() -> None:
    client = browser("Ada")
    response = client.post(reverse("games:quick"))
    plan = plan_of(response["Location"].split("/")[-2])
    assert [place.kind for place in plan.places] == ["human", "bot", "bot", "bot"]
    assert plan.places[0].name == "Ada"
    assert len({place.temper for place in plan.places[1:]}) == 3
    assert "I am ready" not in text(client, response["Location"]), "cards are dealt at once"
    assert "All seats are taken" in text(browser("Bo"), response["Location"])


def test_the_form_makes_the_plan() -> None:
    plan = open_by(
        browser("Ada"),
        edition="hasbro-2010",
        speedy="on",
        target="7",
        beginner="on",
        open_delay_s="60",
        seat_2="taker",
        level_2="5",
        seat_4="open",
        floor_at_zero="yes",
        mistake_ms="500",
    )
    assert plan.edition == "hasbro-2010"
    assert dict(plan.overrides) == {"speedy": True, "floor_at_zero": True, "mistake_ms": 500}
    assert [(place.kind, place.temper, place.level) for place in plan.places] == [
        ("human", "", 3),
        ("bot", "taker", 5),
        ("", "", 3),
    ]
    assert plan.places[0].beginner
    assert (plan.watching, plan.open_delay_ms, plan.key) == (True, 60_000, "")


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("target", "99", "greater than or equal to 100"),
        ("edition", "monopoly", "not one of the available choices"),
        ("seat_2", "none", "not one of the available choices"),
        ("level_2", "6", "not one of the available choices"),
        ("open_delay_s", "5", "not one of the available choices"),
        ("one_hand_ms", "10", "one_hand_ms"),
    ],
)
def test_a_wrong_field_is_said_and_opens_nothing(field: str, value: str, words: str) -> None:
    response = browser().post(reverse("games:new"), {**FORM, field: value})
    assert words in response.content.decode()
    assert not LiveTable.objects.exists()


def test_nobody_sits_at_more_tables_than_three() -> None:
    client = browser()
    for _ in range(seats.MOST_SEATS):
        open_by(client)
    response = client.post(reverse("games:new"), FORM, follow=True)
    assert "You sit at 3 tables. Leave one of them first." in response.content.decode()
    assert LiveTable.objects.count() == seats.MOST_SEATS


# A guest's name


def test_a_name_that_is_refused_stays_in_the_field_with_the_reason() -> None:
    client, long = browser("Ada"), "A" * 31
    response = client.post(reverse("games:rename"), {"name": long})
    page = response.content.decode()
    assert response.status_code == 422
    assert f'value="{long}"' in page
    assert "At most 30 characters." in page
    assert 'value="Ada"' in text(client, reverse("games:lobby"))


# Sitting down


def test_others_find_an_open_table_and_sit_down() -> None:
    plan = open_by(browser("Ada"))
    bo = browser("Bo")
    assert address(plan) in text(bo, reverse("games:lobby"))
    bo.post(address(plan, "sit"))
    assert [place.name for place in plan_of(plan.id).places] == ["Ada", "Bo"]
    assert "Your tables" in text(bo, reverse("games:lobby"))


def test_an_own_table_is_listed_once_and_says_that_a_bot_plays() -> None:
    ada = browser("Ada")
    plan = open_by(ada, seat_2="open", seat_3="taker")
    lobby = text(ada, reverse("games:lobby"))
    assert lobby.count(f'href="{address(plan)}"') == 1
    browser("Bo").post(address(plan, "sit"))
    table = LiveTable.objects.get(record_id=plan.id)
    kinds = [place.kind for place in from_json(table.plan).places]
    seats = [{"kind": kind, "bot": kind == "bot", "here": True} for kind in kinds]
    seats[0]["bot"] = True
    table.state["seats"] = seats
    table.save()
    assert "You have a seat at a table." in text(ada, reverse("games:home")), "it has not begun"
    begin(plan)
    table.refresh_from_db()
    table.state["seats"] = seats
    table.save()
    lobby = text(ada, reverse("games:lobby"))
    assert lobby.count(f'href="{address(plan)}"') == 1
    assert lobby.count('<span class="soft rigid small">bot</span>') == 1
    assert lobby.count(">away</span>") == 1, "a person whom a bot stands in for"
    assert "A bot is playing for you." in text(ada, reverse("games:home"))


def test_nobody_sits_twice_or_where_all_is_taken() -> None:
    ada = browser("Ada")
    plan = open_by(ada)
    again = ada.post(address(plan, "sit"), follow=True).content.decode()
    assert "this person sits here already" in again
    browser("Bo").post(address(plan, "sit"))
    late = browser("Cy").post(address(plan, "sit"), follow=True).content.decode()
    assert "all seats are taken" in late


def test_bots_take_the_free_seats_for_whom_sits_there_only() -> None:
    ada = browser("Ada")
    plan = open_by(ada, seat_3="open")
    assert browser("Bo").post(address(plan, "fill")).status_code == 404
    ada.post(address(plan, "fill"))
    assert [place.kind for place in plan_of(plan.id).places] == ["human", "bot", "bot"]


def test_leaving_frees_the_seat_until_the_cards_are_dealt() -> None:
    ada, bo = browser("Ada"), browser("Bo")
    plan = open_by(ada)
    bo.post(address(plan, "sit"))
    bo.post(address(plan, "stand_up"))
    assert not plan_of(plan.id).places[1].kind
    bo.post(address(plan, "sit"))
    begin(plan_of(plan.id))
    said = bo.post(address(plan, "stand_up"), follow=True).content.decode()
    assert "the match has begun" in said
    assert plan_of(plan.id).places[1].name == "Bo"


def test_an_account_and_its_guest_are_one_person_at_the_table() -> None:
    client = browser("Ada")
    plan = open_by(client)
    client.force_login(get_user_model().objects.create_user("Ada Lovelace"))
    assert '"seat": 0' in text(client, address(plan))


# Tables by link


def test_an_invitation_lets_in_and_a_wrong_one_does_not() -> None:
    plan = open_by(browser("Ada"), private="on")
    bo = browser("Bo")
    join = reverse("games:join")
    for wrong in (f"{plan.id}.", f"{plan.id}.wrong", f"nothing.{plan.key}", "", "a\0.b\0"):
        assert bo.post(join, {"invitation": wrong}).status_code == 404
    response = bo.post(join, {"invitation": f"{plan.id}.{plan.key}"})
    assert response["Location"] == address(plan)
    assert "Sit down" in text(bo, address(plan))


def test_the_key_stands_behind_the_hash_of_the_link_only() -> None:
    ada = browser("Ada")
    plan = open_by(ada, private="on")
    page = text(ada, address(plan))
    assert f"{reverse('games:join')}#{plan.id}.{plan.key}" in page
    assert page.count(plan.key) == 2, "in the link and in the page's own data"
    assert len(plan.key) >= 32


def test_an_invitation_leads_to_a_page_about_the_match_and_to_no_other_site() -> None:
    ada, bo = browser("Ada"), browser("Bo")
    plan = open_by(ada, private="on", seat_2="taker")
    match = begin(plan)
    page = f"{reverse('replays:replay', args=[match.pk])}?seq=1"
    assert ada.get(address(plan, "replay") + "?seq=1")["Location"] == page
    for path, there in ((page, page), ("//evil.example/", address(plan)), ("x", address(plan))):
        said = {"invitation": f"{plan.id}.{plan.key}.{path}"}
        assert bo.post(reverse("games:join"), said)["Location"] == there
    wrong = {"invitation": f"{plan.id}.wrong.{page}"}
    assert bo.post(reverse("games:join"), wrong).status_code == 404


def test_who_was_let_in_may_come_to_the_rematch() -> None:
    plan = open_by(browser("Ada"), private="on", seat_2="taker")
    bo = browser("Bo")
    bo.post(reverse("games:join"), {"invitation": f"{plan.id}.{plan.key}"})
    again = plan.turned("again")
    opening.open_table(again)
    assert bo.get(address(again)).status_code == 200
    assert browser().get(address(again)).status_code == 404


def test_who_opened_the_table_makes_a_new_link_and_the_old_one_is_dead() -> None:
    ada, bo, cy = browser("Ada"), browser("Bo"), browser("Cy")
    plan = open_by(ada, private="on", seat_3="open")
    for guest in (bo, cy):
        guest.post(reverse("games:join"), {"invitation": f"{plan.id}.{plan.key}"})
    bo.post(address(plan, "sit"))
    assert "Make a new link" not in text(bo, address(plan))
    assert bo.post(address(plan, "new_link")).status_code == 404
    assert "Make a new link" in text(ada, address(plan))
    assert ada.get(address(plan, "new_link")).status_code == 405
    page = ada.post(address(plan, "new_link"), follow=True).content.decode()
    key = plan_of(plan.id).key
    assert key != plan.key
    assert f"{plan.id}.{key}" in page
    assert cy.get(address(plan)).status_code == 404
    join = {"invitation": f"{plan.id}.{plan.key}"}
    assert browser().post(reverse("games:join"), join).status_code == 404
    assert bo.get(address(plan)).status_code == 200, "who sits there stays"
    ada.post(address(plan, "stand_up"))
    assert "Make a new link" in text(bo, address(plan)), "somebody has to look after it"


def test_house_rules_are_told_before_anybody_sits_down() -> None:
    plan = open_by(
        browser("Ada"),
        target="200",
        tie_window_ms="0",
        one_hand_ms="5000",
        mistake_ms="500",
        wild_starts="yes",
        bot_after_s="0",
    )
    told = "a wild can start a stack, ties off, 5 s between moves, a mistake costs 500 ms"
    told += ", no bot takes over for idle players"
    for page in (reverse("games:lobby"), address(plan)):
        assert f"<b>House rules:</b> {told}</p>" in text(browser(), page)
    plain = open_by(browser("Bo"))
    assert "House rules" not in text(browser(), address(plain))


def test_every_rule_has_words() -> None:
    for name, value in asdict(EDITIONS["hasbro-2010"]).items():
        words = house_rules.words_of({name: value})
        assert words == [] if name in {"target", "speedy"} else words[0]
    told = "34 cards in a deck (1: 7, 2: 8, 3: 7, 4: 5, 5: 5, wild: 2)"
    assert house_rules.words_of({"deck": [7, 8, 7, 5, 5, 2]}) == [told]


# A table that is being played


def test_the_page_knows_the_times_of_the_own_hand() -> None:
    rules = EDITIONS["usaopoly-2009"]
    ada = browser("Ada")
    assert f'"gap_ms": {rules.one_hand_ms}' in text(ada, address(open_by(ada)))
    beginner = text(ada, address(open_by(ada, beginner="on")))
    assert f'"gap_ms": {rules.tie_window_ms}' in beginner


@pytest.mark.parametrize("name", ["lobby", "watch", "home"])
def test_a_page_costs_the_same_with_one_table_and_with_three(name: str) -> None:
    def queries() -> int:
        client = browser()
        client.get(reverse("games:lobby"))  # the session is made once
        with CaptureQueriesContext(connection) as asked:
            assert client.get(reverse(f"games:{name}")).status_code == 200
        return len(asked)

    counts = []
    for more in (1, 2):
        for _ in range(more):
            plan = opening.with_bots(
                opening.planned("usaopoly-2009", 2), [BotSpec("taker"), BotSpec("runner")]
            )
            opening.open_table(plan)
            begin(plan, watching=2)
        counts.append(queries())
    assert counts[0] == counts[1]


# A guided round


def test_a_newcomer_is_dealt_a_guided_round_and_finds_it_again() -> None:
    client = browser("Ada")
    there = client.post(reverse("games:guided"))["Location"]
    plan = plan_of(there.split("/")[-2])
    assert (plan.guided, plan.watching, plan.chat, bool(plan.key)) == (True, False, False, True)
    assert [(seat.kind, seat.temper, seat.level) for seat in plan.places[1:]] == [
        ("bot", "patient", 0),
        ("bot", "patient", 0),
    ]
    shown = text(client, there)
    assert 'id="guide"' in shown
    assert "Send this link" not in shown
    assert "half a minute" not in shown
    assert client.post(reverse("games:guided"))["Location"] == there
    assert browser("Bo").get(there).status_code == 404
    for page in ("games:home", "games:rules"):
        assert reverse("games:guided") in text(client, reverse(page))
