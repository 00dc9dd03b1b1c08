"""Pages that lead on: rules, players, addresses that somebody shortens, and those that refuse."""

import re
from http import HTTPStatus

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.archive.append import append, open_match
from games.archive.packing import pack
from games.archive.store import insert
from games.engine.editions import DEFAULT_EDITION, EDITION_NAMES, EDITIONS
from games.models import Match
from games.pages.rules_page import differences
from games.records.log import Header
from games.tables.plan import Plan
from tests.narrowing import narrow
from tests.web.records import record, store
from tests.web.tables import address, open_by, plan_of

pytestmark = pytest.mark.django_db


def test_the_rules_are_linked_from_every_page_and_tell_what_editions_do(client: Client) -> None:
    for name in ("games:home", "games:lobby", "games:watch", "replays:archive"):
        assert f'href="{reverse("games:rules")}"' in client.get(reverse(name)).content.decode()
    page = client.get(reverse("games:rules")).content.decode()
    assert all(name in page for name in EDITION_NAMES.values())
    target = EDITIONS[DEFAULT_EDITION].target
    assert f"until someone has {target} points" in page
    assert f"A match to {target} points" in client.get(reverse("games:lobby")).text


def test_every_page_leads_back_to_the_players_table(client: Client) -> None:
    table = client.post(reverse("games:quick"))["Location"]
    link = f'href="{table}">Back to your table</a>'
    for page in ("/", "/watch/", "/matches/", "/rules/"):
        assert link in client.get(page).text
        assert "Back to your table" not in Client().get(page).text
    for shown in (table, "/play/"):  # it is there in full
        assert "Back to your table" not in client.get(shown).text


def test_each_difference_of_the_rules_is_one() -> None:
    for row in differences():
        assert len(row.values) == len(EDITIONS)
        assert len(set(row.values)) > 1, row.label


def test_players_are_listed_before_anybody_searches(client: Client) -> None:
    assert "No public match has been played yet." in client.get("/players/").content.decode()
    insert([pack(record("Ada", "Bo"))])
    page = client.get("/players/").content.decode()
    assert "Recent players" in page
    assert reverse("replays:player", args=["Ada"]) in page
    assert 'href="/players/"' in page


def test_fields_that_nobody_filled_in_leave_the_address(client: Client) -> None:
    long = client.get("/matches/?player=&edition=hasbro-2010&seats=&sort=")
    assert (long.status_code, long["Location"]) == (302, "/matches/?edition=hasbro-2010")
    assert client.get("/matches/?player=&sort=")["Location"] == "/matches/"


def test_the_wall_s_fragment_is_no_page_of_its_own(client: Client) -> None:
    went = client.get("/watch/wall/", headers={"sec-fetch-mode": "navigate"})
    assert went["Location"] == "/watch/"
    fetched = client.get("/watch/wall/", headers={"sec-fetch-mode": "cors"})
    assert fetched.status_code == HTTPStatus.OK


def test_a_first_quick_match_is_slow_and_the_next_are_as_strong_as_asked(client: Client) -> None:
    def play(**data: str) -> Plan:
        there = client.post(reverse("games:quick"), data)["Location"]
        client.post(f"{there}leave/")
        return plan_of(there.split("/")[-2])

    def levels(plan: Plan) -> set[int]:
        return {place.level for place in plan.places if place.kind == "bot"}

    first = play()
    assert first.adaptive
    assert levels(first) == {1}
    assert levels(play()) == {2}
    assert levels(play(change="stronger")) == {3}
    assert levels(play(change="weaker")) == {2}
    for _ in range(6):
        last = play(change="stronger")
    assert levels(last) == {5}
    there = client.post(reverse("games:quick"))["Location"]
    assert ">Play again</button>" in client.get(there).text  # also when no rematch can follow


@pytest.mark.parametrize("private", [False, True])
def test_every_new_table_shows_its_link_and_a_code(client: Client, private: bool) -> None:
    there = address(open_by(client, **({"private": "on"} if private else {})))
    page = client.get(there).text
    assert 'class="qr"' in page
    assert ("/play/join/#" in page) is private
    assert 'class="qr"' not in Client().get(there).text


def test_whoever_watches_a_live_match_is_under_watch(client: Client) -> None:
    def current(match: Match) -> str:
        page = client.get(reverse("replays:replay", args=[match.pk])).content.decode()
        (tab,) = re.findall(r'aria-current="true">(\w+)</a>', page)
        return str(tab)

    over = store("Ada", "Bo")
    assert current(over) == "Matches"
    header, *played = record("Cy", "Di", source="live")
    live = open_match(narrow(Header, header), owner_epoch=1)
    append(live.pk, 1, live.lines, played[:60])
    assert current(live) == "Watch"


def test_a_list_says_for_whom_a_bot_finished(client: Client) -> None:
    match = store("Ada", "Bo", source="live")
    for path in ("/matches/", f"/matches/{match.pk}/"):
        assert "bot finished" not in client.get(path).content.decode()
    match.seats.filter(player__name="Bo").update(stand_in=True, lag_ms=20)
    assert "A bot finished the match for <bdi>Bo</bdi>" in client.get("/matches/").content.decode()
    match.seats.update(stand_in=True, lag_ms=None)
    listed = client.get("/matches/").content.decode()
    assert "A bot played for <bdi>Ada and Bo</bdi>" in listed
    assert listed.count("A bot ") == 1, "once for all of them"
    match.seats.update(stand_in=False)
    match.seats.filter(player__name="Bo").update(stand_in=True, lag_ms=20)
    shown = client.get(f"/matches/{match.pk}/").content.decode()
    assert "a bot finished for <bdi>Bo</bdi>" in shown
    client.cookies["spoilers"] = "off"
    assert "bot finished" not in client.get("/matches/").content.decode()


BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def test_a_browser_is_shown_a_page_where_a_button_s_address_is_opened(client: Client) -> None:
    response = client.get("/play/quick/", headers=BROWSER)
    assert (response.status_code, response["Allow"]) == (405, "POST")
    page = response.content.decode()
    assert "Method not allowed" in page
    assert 'href="/play/"' in page, "with the site's own navigation"


def test_a_program_is_told_405_in_short(client: Client) -> None:
    response = client.get("/play/quick/", headers={"accept": "application/json"})
    assert (response.status_code, response.content) == (405, b"")


def test_the_rules_say_in_which_edition_a_round_ends_how(client: Client) -> None:
    page = client.get(reverse("games:rules")).content.decode()
    (said,) = re.findall(r"The end of a round</h2>.*?</ul>", page, re.DOTALL)
    shouted, emptied, always = re.findall(r"<li>.*?</li>", said, re.DOTALL)
    for key, rules in EDITIONS.items():
        name = EDITION_NAMES[key]
        assert (name in shouted, name in emptied) == (rules.out == "shout", rules.out == "empty")
        assert name not in always


def test_home_offers_to_learn_by_playing_until_one_has_played(client: Client) -> None:
    ada = User.objects.create_user("Ada")
    assert "Learn by playing" in client.get("/").text
    client.force_login(ada)
    assert "Learn by playing" in client.get("/").text
    store("Ada", "Bo").seats.filter(number=0).update(user=ada)
    page = client.get("/").text
    assert "Never played?" not in page
    assert "No one waits for a turn." not in page
