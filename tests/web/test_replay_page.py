"""The replay page: what it knows before any script asks for more."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from games.archive.packing import pack
from games.archive.store import insert
from games.engine.editions import EDITIONS, house_rules
from games.engine.events import Deal, End, Event
from games.models import Match
from games.records import columns
from games.records.log import Result
from tests.web.records import record, store

pytestmark = pytest.mark.django_db


def knows(client: Client, match: Match, query: str = "") -> tuple[dict[str, Any], Any]:
    """The page's two pieces of JSON: the match, and the round to start with."""
    text = client.get(f"/matches/{match.pk}/{query}").text
    parts = dict(re.findall(r'<script id="([\w-]+)" type="application/json">(.*?)</script>', text))
    return json.loads(parts["match"]), json.loads(parts["first-round"])


def test_the_page_knows_the_match(client: Client) -> None:
    lines = record("Ada", "Bo", "Cy", kinds=("human", "bot", "bot"), target=100)
    match = insert([pack(lines)])[0]
    page, _ = knows(client, match)
    assert page["id"] == match.pk
    assert page["seats"][1] == {"name": "Bo", "kind": "bot"}
    assert page["rules"]["target"] == 100
    assert page["rules"]["deck"] == list(EDITIONS["usaopoly-2009"].deck)
    assert (page["seq"], page["finished"], page["spoilers"]) == (len(lines) - 1, True, True)
    result = next(line for line in lines if isinstance(line, Result))
    assert page["result"] == list(result.winners)
    assert page["urls"] == {
        "log": f"/api/v1/matches/{match.pk}/log",
        "record": f"/matches/{match.pk}.ratuki",
        "charts": f"/api/v1/matches/{match.pk}/charts",
        "analysis": f"/api/v1/matches/{match.pk}/analysis",
    }


def test_the_page_says_what_its_edition_does_not(client: Client) -> None:
    played = store("Ada", "Bo", target=100, started_at="2026-03-01T10:00:00Z")
    usual = client.get(f"/matches/{played.pk}/").text
    assert '<span class="edition">USAopoly 2009</span> <span>to 100 points</span>' in usual
    assert '<time datetime="2026-03-01T10:00:00Z">1 Mar 2026</time>' in usual
    others = {"tie_window_ms": 0, "out": "empty"}
    for length, words in (({"target": 150}, "to 150 points"), ({"speedy": True}, "one round")):
        match = store("Ada", "Bo", rules=house_rules("usaopoly-2009", {**others, **length}))
        told = f"{words}, a round ends when someone has no cards left, ties off"
        assert f"<span>{told}</span>" in client.get(f"/matches/{match.pk}/").text


def test_the_page_knows_where_each_round_lies(client: Client) -> None:
    lines = record("Ada", "Bo", "Cy", target=100)
    page, _ = knows(client, insert([pack(lines)])[0])
    starts = [seq for seq, line in enumerate(lines) if isinstance(line, Deal)]
    ends = [line.t for line in lines if isinstance(line, End)]
    assert [each_round["seq"] for each_round in page["rounds"]] == starts
    assert [each_round["duration_ms"] for each_round in page["rounds"]] == ends
    assert sum(each_round["events"] for each_round in page["rounds"]) == sum(
        isinstance(line, Event) for line in lines
    )
    assert all(each_round["finished"] for each_round in page["rounds"])


def test_a_round_without_end_is_told_apart(client: Client) -> None:
    lines = record()[:30]
    page, first = knows(client, insert([pack(lines)])[0])
    (only,) = page["rounds"]
    assert (only["events"], only["finished"]) == (28, False)
    assert only["duration_ms"] == lines[-1].t  # type: ignore[union-attr]
    assert columns.unpack(first["packed"]) == lines[1:]


def test_a_match_without_a_deal_is_a_page_too(client: Client) -> None:
    match = insert([pack(record()[:1])])[0]
    page, first = knows(client, match)
    assert (page["rounds"], page["seq"], first) == ([], 0, None)
    assert set(page["urls"]) == {"log", "record"}, "there is nothing to chart or to analyse"
    text = client.get(f"/matches/{match.pk}/").text
    assert 'id="panel-notes"' in text
    assert not [part for part in ('what-if"', 'charts"', 'picture"') if f'="{part}' in text]


def test_the_page_starts_with_the_round_that_the_link_asks_for(client: Client) -> None:
    lines = record("Ada", "Bo", "Cy", target=100)
    match = insert([pack(lines)])[0]
    starts = [seq for seq, line in enumerate(lines) if isinstance(line, Deal)]
    for query, number in (
        ("", 1),
        ("?round=2&t=34100", 2),
        (f"?seq={starts[1]}", 2),
        (f"?seq={starts[1] - 1}&pov=0", 1),
        ("?round=99", 1),
        ("?round=x", 1),
        ("?seq=0", 1),
    ):
        _, first = knows(client, match, query)
        assert first["seq"] == starts[number - 1]
        assert columns.unpack(first["packed"])[0] == lines[starts[number - 1]]


def test_a_page_asks_as_often_for_three_rounds_as_for_one(
    client: Client, django_assert_num_queries
) -> None:
    for match in (store(), store("Ada", "Bo", target=150)):
        with django_assert_num_queries(8):
            client.get(f"/matches/{match.pk}/")


def test_names_cannot_end_the_script(client: Client) -> None:
    match = store("</script><script>alert(1)</script>", "Bo")
    text = client.get(f"/matches/{match.pk}/").text
    assert "<script>alert(1)" not in text
    page, _ = knows(client, match)
    assert page["seats"][0]["name"].startswith("</script>")
