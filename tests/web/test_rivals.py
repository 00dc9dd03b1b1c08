"""Two players against each other: counts, dates, races, and who may see them."""

import re
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.archive.packing import pack
from games.archive.store import insert
from games.models import Match
from games.people import embargoes, person
from replays.patterns.occurrences import KINDS, occurrences
from replays.patterns.query import LATE
from replays.patterns.storing import keep
from replays.stored.logs import timeline_of
from tests.guests import guest
from tests.web.records import record, store_hosted

pytestmark = pytest.mark.django_db
PAGE = "/rivals/?player=Ada&rival=Bo"


def met(*totals: tuple[int, int], seed: int = 1) -> list[Match]:
    """Matches of Ada and Bo with these totals, one a day, the oldest first."""
    matches = []
    for day, (ada, bo) in enumerate(totals, 1):
        match = store_hosted("Ada", "Bo", started_at=f"2026-03-{day:02}T10:00:00Z", seed=seed)
        match.seats.filter(number=0).update(total=ada)
        match.seats.filter(number=1).update(total=bo)
        matches.append(match)
    return matches


def test_it_says_who_was_ahead_by_how_much_and_since_when(client: Client) -> None:
    met((90, 100), (120, 100), (100, 100), (130, 40), (101, 100))
    page = client.get(PAGE)
    assert page.context["verdict"] == "Ada was ahead in 3 of 5 matches, Bo in 1."
    assert page.context["since"] == "Ada has been ahead overall since 4 Mar 2026."
    told = page.context["told"]
    assert (told.ahead, told.level, told.behind) == (3, 1, 1)
    assert f"{told.lead.interval}</span>" in page.text
    assert [point.value for point in page.context["balance"].points] == [-1, 0, 0, 1, 2]
    back = client.get("/rivals/?player=Bo&rival=Ada").context
    assert (back["verdict"], back["since"]) == (page.context["verdict"], page.context["since"])
    assert back["told"].lead.value.startswith("−")


def test_equals_have_no_leader(client: Client) -> None:
    met((90, 100), (120, 100))
    page = client.get(PAGE).context
    assert page["verdict"] == "Ada and Bo were ahead equally often: 1 time each."
    assert page["since"] == ""


def test_three_matches_are_worth_watching(client: Client) -> None:
    first, second, third, fourth = met((90, 100), (160, 100), (100, 101), (110, 100))
    shown = client.get(PAGE).context["to_watch"]
    assert [(match["url"], match["why"]) for match in shown] == [
        (f"/matches/{third.pk}/", "The closest"),
        (f"/matches/{second.pk}/", "Ada’s largest lead"),
        (f"/matches/{first.pk}/", "Bo’s largest lead"),
    ]
    assert [match["outcome"] for match in shown] == ["1 point", "60 points", "10 points"]
    met_in = [first.pk, second.pk, third.pk]
    Match.objects.filter(pk__in=met_in).update(visibility=Match.Visibility.LINK)
    (only,) = client.get(PAGE).context["to_watch"]
    assert only["url"] == f"/matches/{fourth.pk}/"


def test_their_own_margin_counts_beside_a_third_player(client: Client) -> None:
    matches = []
    for day, totals in enumerate([(103, 61, 85), (90, 70, 20), (72, 71, 120)], 1):
        match = store_hosted("Ada", "Bo", "Cy", started_at=f"2026-03-{day:02}T10:00:00Z")
        for seat, total in enumerate(totals):
            match.seats.filter(number=seat).update(total=total)
        matches.append(match)
    wide, _middle, close = matches
    page = client.get(PAGE)
    told = {match["why"]: (match["id"], match["outcome"]) for match in page.context["to_watch"]}
    assert told["Ada’s largest lead"] == (wide.pk, "42 points")
    assert told["The closest"] == (close.pk, "1 point")
    assert "won by" not in page.text


def test_level_players_are_called_so(client: Client) -> None:
    met((100, 100))
    (only,) = client.get(PAGE).context["to_watch"]
    assert (only["why"], only["outcome"]) == ("The latest", "level")


def test_a_players_page_leads_to_the_matches_that_it_counts(client: Client) -> None:
    store_hosted("Ada", "Bo", kinds=("bot", "bot"))
    records = [record("Ada", "Bo", seed=seed) for seed in range(5)]
    insert([pack(each) for each in records], origin=Match.Origin.SIMULATED)
    store_hosted("Ada", "Bo", "Cy", started_at="2026-03-01T10:00:00Z", target=100)
    for query in ("", "?played=here", "?played=here&as=bot", "?played=here&seats=3"):
        page = client.get(f"/players/Ada/{query}")
        (row,) = [row for row in page.context["profile"].opponents if row.name == "Bo"]
        (link,) = re.findall(r'/rivals/\?player=Ada&amp;rival=Bo[^"]*', page.text)
        told = client.get(unescape(link)).context["told"]
        assert (told.kind, told.met, told.ahead) == (row.kind, row.met, row.ahead), query


def test_races_are_those_that_one_won_against_the_other(client: Client) -> None:
    match = store_hosted("Cy", "Ada", "Bo", target=100)
    keep(match)
    late = [
        (row.other, row.seat)
        for row in occurrences(timeline_of(match), [None] * 3)
        if row.kind == KINDS.index(LATE)
    ]
    assert late.count((1, 2)) > 0 < late.count((2, 1)) < len(late)
    assert client.get(PAGE).context["races"] == (late.count((1, 2)), late.count((2, 1)), 1)
    assert "races won<" in client.get(PAGE).text
    met((90, 100))  # its races are not stored, as those of matches of long ago
    assert "races won, in the latest match<" in client.get(PAGE).text


def test_matches_played_here_come_before_others(client: Client) -> None:
    insert([pack(record("Ada", "Bo"))])
    page = client.get(PAGE).context
    assert (page["origin"], page["told"].met) == ("imported", 1)
    met((90, 100), (120, 100))
    store_hosted("Ada", "Bo", kinds=("human", "bot"))
    page = client.get(PAGE).context
    assert (page["origin"], page["told"].met) == ("here", 2)


def test_nobody_learns_what_is_kept_from_them(client: Client) -> None:
    match = met((90, 100))[0]
    embargoes.begin(match, [person.guest("ada")], 1)
    assert "told" not in guest("ada").get(PAGE).context
    assert client.get(PAGE).context["told"].met == 1
    client.cookies["spoilers"] = "off"
    assert "which you have hidden" in client.get(PAGE).text
    assert f"/matches/{match.pk}/" not in client.get(PAGE).text


def test_an_address_has_two_players_by_their_names(client: Client) -> None:
    met((90, 100))
    assert client.get("/rivals/?player=ADA&rival=Bo")["Location"] == PAGE
    assert client.get("/rivals/")["Location"] == "/players/"
    for names in ("player=Ada", "player=Ada&rival=Zed", "player=Ada&rival=Ada"):
        assert client.get(f"/rivals/?{names}").status_code == 404
    cy = store_hosted("Cy", "Kim")
    page = client.get("/rivals/?player=Ada&rival=Cy").text
    assert "not finished a public match together" in page
    assert f"/matches/{cy.pk}/" not in page


def test_many_matches_cost_no_more_queries(client: Client) -> None:
    met((90, 100))
    with CaptureQueriesContext(connection) as few:
        client.get(PAGE)
    met((90, 100), (120, 100), (100, 100), (130, 40), seed=2)
    with CaptureQueriesContext(connection) as many:
        client.get(PAGE)
    assert len(many) == len(few) <= 10
