"""The wall of live matches, and the way from one that is over to the next."""

from dataclasses import replace

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.archive.append import append, open_match
from games.bots.roster import BotSpec
from games.models import LiveTable, Match
from games.records.log import Header
from games.tables import opening
from games.tables.plan import Plan
from games.tables.state import FINISHED, ROUND
from replays.analysis.directing import Scene, Swing
from replays.pages import tv
from replays.pages.live_curves import POINTS, LiveCurves
from tests.narrowing import narrow
from tests.web.records import record
from tests.web.tables import address, begin, browser, open_by, text

pytestmark = pytest.mark.django_db


def test_the_wall_shows_people_before_bots() -> None:
    plan = open_by(browser("Ada"), seat_2="taker")
    begin(plan)
    bots = opening.with_bots(opening.planned("gamerules", 2), [BotSpec("taker"), BotSpec("runner")])
    opening.open_table(bots)
    begin(bots)
    page = text(browser(), reverse("games:watch"))
    assert page.index(plan.id) < page.index(bots.id)


@pytest.mark.parametrize("how", [{"private": "on"}, {"watching": ""}], ids="".join)
def test_the_wall_shows_no_match_that_not_everybody_may_watch(how: dict[str, str]) -> None:
    plan = open_by(browser("Ada"), seat_2="taker", **how)
    begin(plan)
    assert plan.id not in text(browser(), reverse("games:watch"))


def bots_at(house: int | None = None) -> Plan:
    """A public match of bots that has begun."""
    plan = opening.with_bots(opening.planned("gamerules", 2), [BotSpec("taker"), BotSpec("runner")])
    opening.open_table(plan)
    LiveTable.objects.filter(record_id=plan.id).update(house=house)
    begin(plan)
    return plan


def end(plan: Plan, **state: str) -> None:
    """As the host leaves it once the match is over."""
    state = {"phase": FINISHED, **state}
    LiveTable.objects.filter(record_id=plan.id).update(state=state, phase=FINISHED, over=True)


def test_the_wall_is_told_to_everybody_alike_for_a_moment() -> None:
    cache.clear()
    first = bots_at()
    url = reverse("games:wall")
    assert first.id in text(browser(), url)
    second = bots_at()
    with CaptureQueriesContext(connection) as queries:
        assert second.id not in text(browser("Ada"), url)
    assert not [query for query in queries if "livetable" in query["sql"]]
    cache.clear()
    assert second.id in text(browser(), url)


def play(plan: Plan, lines: int) -> Match:
    """A match that the host has played so far, with its chances on the wall."""
    header, *played = record("Ada", "Bo", source="live")
    match = open_match(replace(narrow(Header, header), id=plan.id), owner_epoch=1)
    append(match.pk, 1, match.lines, played[:lines])
    match.refresh_from_db()
    LiveTable.objects.filter(record_id=plan.id).update(state={"phase": ROUND}, phase=ROUND)
    return match


def test_the_wall_tells_who_is_winning_as_far_as_spectators_may_know() -> None:
    cache.clear()
    public, secret = open_by(browser("Ada")), open_by(browser("Bo"), private="on")
    match = play(public, 60)
    play(secret, 60)
    client, url = browser(), reverse("api:wall_chances")
    (told,) = client.get(url).json()["matches"]
    assert told["table"] == public.id
    assert len(told["curve"]) <= POINTS + 1
    last, seen = told["curve"][-1], LiveCurves().curve(match)["curve"][-1]
    assert (last["seq"], last["t"]) == (seen["seq"], seen["t"])
    assert last["p"] == pytest.approx(seen["p"], abs=0.001)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(url).json()["matches"] == [told]
    assert not [query for query in queries if "match" in query["sql"]]
    client.cookies["spoilers"] = "off"
    assert client.get(url).json() == {"matches": []}


def test_from_a_match_that_is_over_there_is_a_way_to_the_next() -> None:
    over, other = bots_at(house=0), bots_at()
    end(over)
    after = reverse("games:following", args=[over.id])
    assert browser().get(after)["Location"] == address(other)
    same_place = bots_at(house=0)
    bots_at()
    assert browser().get(after)["Location"] == address(same_place)
    end(over, next=other.id)
    assert browser().get(after)["Location"] == address(other)


def test_where_nothing_is_played_it_leads_to_the_wall() -> None:
    over = bots_at()
    end(over)
    for table in (over.id, "never-there"):
        answer = browser().get(reverse("games:following", args=[table]))
        assert answer["Location"] == reverse("games:watch")


def test_the_home_page_leads_to_each_place_once(client: Client) -> None:
    match = address(bots_at())
    head, _, body = text(client, reverse("games:home")).partition("</nav>")
    assert (head + body).count(f'href="{reverse("games:watch")}"') == 1
    assert body.count(f'href="{match}"') == 1


def test_nothing_live_is_said_kindly(client: Client) -> None:
    assert "No live matches right now" in text(client, reverse("games:watch"))
    assert "No one is waiting right now" in text(client, reverse("games:lobby"))
    assert "hero-art" in text(client, reverse("games:home"))


def test_the_screen_that_runs_by_itself_shows_a_live_match() -> None:
    cache.clear()
    url = reverse("api:tv")
    assert browser().get(url).json() == {"shot": None}
    plan = open_by(browser("Ada"))
    play(plan, 60)
    cache.clear()
    page = text(browser(), reverse("replays:tv"))
    assert url in page
    shot = browser().get(url).json()["shot"]
    assert shot["table"] == plan.id
    assert sum(shot["p"]) == pytest.approx(1, abs=0.01)
    assert [seat["name"] for seat in shot["seats"]] == [place.name for place in plan.places]
    assert shot["qr"].startswith("<svg")


def test_the_screen_points_at_the_largest_take_ahead_or_nowhere() -> None:
    for size, seat in ((0.12, 1), (0.04, None)):
        swings = Swing(-500, 0, 0.5), Swing(900, 0, 0.005), Swing(1_000, 1, size)
        assert tv._seat(Scene("a table", swings)) == seat


def test_the_screen_tells_no_chances_to_who_hides_results() -> None:
    cache.clear()
    play(open_by(browser("Ada")), 60)
    client = browser()
    client.cookies["spoilers"] = "off"
    shot = client.get(reverse("api:tv")).json()["shot"]
    assert (shot["p"], shot["seat"]) == ([], None)


def test_the_screen_shows_no_private_match() -> None:
    cache.clear()
    play(open_by(browser("Ada"), private="on"), 60)
    assert browser().get(reverse("api:tv")).json() == {"shot": None}
