"""The log's address: whole chunks as stored, slices where results are hidden, no hidden card."""

import json
import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client

from games.archive.append import append, open_match
from games.archive.packing import pack
from games.archive.store import insert
from games.engine.cards import HIDDEN
from games.engine.events import Deal, End, Fair
from games.models import Match
from games.records import columns
from games.records.log import Header, Line
from games.records.notation import parse_line, write_line
from replays.pages import match_log
from tests.web.records import record, store, with_note

pytestmark = pytest.mark.django_db


def ask(client: Client, match: Match, query: str = "from=1") -> dict[str, Any]:
    response = client.get(f"/api/v1/matches/{match.pk}/log?{query}")
    assert response.status_code == 200
    assert response["Content-Type"] == "application/json"
    answer: dict[str, Any] = response.json()
    return answer


def lines_in(answer: dict[str, Any]) -> list[Line]:
    """The lines of an answer, in order."""
    lines: list[Line] = []
    for chunk in answer["chunks"]:
        if "packed" in chunk:
            lines += columns.unpack(chunk["packed"])
        else:
            texts = (json.dumps(line, ensure_ascii=False) for line in chunk["lines"])
            lines += [parse_line(text.encode(), 2) for text in texts]
    return lines


def live(lines: list[Line], until: int) -> Match:
    """A live match that has come so far."""
    assert isinstance(lines[0], Header)
    match = open_match(lines[0])
    for at in range(1, until, 7):
        append(match.pk, 0, at, lines[at : min(at + 7, until)])
    match.refresh_from_db()
    return match


def test_no_seed_is_shown_while_a_match_is_played_not_even_that_of_an_earlier_round(
    client: Client,
) -> None:
    seed = "5eed" * 16
    fair = Fair("c0" * 32, seed, ("", "9f"))
    lines = [
        line._replace(fair=fair) if isinstance(line, Deal) else line
        for line in record("Ada", "Bo", target=100, source="live", version=3)
    ]
    deals = [at for at, line in enumerate(lines) if isinstance(line, Deal)]
    match = live(lines, deals[1] + 5)
    text = json.dumps(ask(client, match))
    assert text.count("c0" * 32) == 2
    assert seed not in text
    header, *rest = lines
    assert isinstance(header, Header)
    match = live([replace(header, id="whole"), *rest], len(lines))
    assert seed in json.dumps(ask(client, match))


def test_a_finished_log_comes_packed_and_whole(client: Client) -> None:
    lines = with_note(record("Ada", "Bo", "Cy", target=100))
    match = insert([pack(lines)])[0]
    answer = ask(client, match)
    assert [*answer] == ["from", "next", "finished", "chunks"]
    assert (answer["from"], answer["next"], answer["finished"]) == (1, len(lines), True)
    assert all("packed" in chunk for chunk in answer["chunks"])
    assert lines_in(answer) == lines[1:]
    assert [lines[chunk["seq"]] for chunk in answer["chunks"]] == [
        line for line in lines if isinstance(line, Deal)
    ]


def test_a_log_comes_from_the_chunk_that_holds_the_line(client: Client) -> None:
    lines = record("Ada", "Bo", "Cy", target=100)
    match = insert([pack(lines)])[0]
    starts = [seq for seq, line in enumerate(lines) if isinstance(line, Deal)]
    for begin, after in pairwise(starts):
        for seq in (begin, begin + 1, after - 1):
            assert ask(client, match, f"from={seq}")["chunks"][0]["seq"] == begin
    for seq in (len(lines), len(lines) + 5):
        answer = ask(client, match, f"from={seq}")
        assert answer == {"from": seq, "next": seq, "finished": True, "chunks": []}


def test_a_long_log_comes_in_answers_of_bounded_size(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_log, "SLICE_BYTES", 4_000)
    lines = record("Ada", "Bo", "Cy", target=150)
    match = insert([pack(lines)])[0]
    whole: list[Line] = []
    seq = answers = 1
    while not (answer := ask(client, match, f"from={seq}"))["finished"]:
        assert len(answer["chunks"]) < match.rounds
        whole += lines_in(answer)
        seq, answers = answer["next"], answers + 1
    assert whole + lines_in(answer) == lines[1:]
    assert answers > 1


def test_a_log_is_compressed_for_who_takes_that(client: Client) -> None:
    match = store()
    plain = client.get(f"/api/v1/matches/{match.pk}/log?from=1")
    packed = client.get(
        f"/api/v1/matches/{match.pk}/log?from=1", headers={"accept-encoding": "gzip"}
    )
    assert packed["Content-Encoding"] == "gzip"
    assert len(packed.content) < len(plain.content)
    assert "Cookie" in packed["Vary"]
    for other in ("gzip;q=0, br", "x-gzip-really"):
        for path in (f"/api/v1/matches/{match.pk}/log?from=1", "/matches/", "/api/v1/matches"):
            refused = client.get(path, headers={"accept-encoding": other})
            assert "Content-Encoding" not in refused


def test_a_record_without_end_is_finished_since_nobody_plays_on(client: Client) -> None:
    lines = record(source="live")[:60]
    match = insert([pack(lines)])[0]
    answer = ask(client, match)
    assert answer["finished"]
    assert lines_in(answer) == lines[1:]


@pytest.mark.parametrize("query", ["from=-1", "from=x", "from=1e3", "from=99999999999", "from=١"])
def test_a_number_that_is_none_is_refused(client: Client, query: str) -> None:
    response = client.get(f"/api/v1/matches/{store().pk}/log?{query}")
    assert response.status_code == 422
    assert "whole number" in response.json()["detail"]


def test_a_log_asks_as_often_for_three_rounds_as_for_one(
    client: Client, django_assert_num_queries
) -> None:
    short, long = store(), store("Ada", "Bo", target=150)
    assert long.rounds >= 3
    for match in (short, long):
        with django_assert_num_queries(3):
            client.get(f"/api/v1/matches/{match.pk}/log?from=1")


# --- Hidden cards ---------------------------------------------------------------------------


def hidden_in(answer: dict[str, Any]) -> list[str]:
    """The cards in the lines of an answer that only players may know."""
    hidden: list[str] = []
    for chunk in answer["chunks"]:
        for line in chunk["lines"]:
            if "decks" in line:
                hidden += [card for deck in line["decks"] for card in deck.split(" ")]
            elif line["do"] in {"draw", "discard", "late", "miss"}:
                hidden.append(line["card"])
    return hidden


@pytest.mark.parametrize("until", [20, 200, -2])
def test_an_open_live_match_shows_no_hidden_card(client: Client, until: int) -> None:
    """Not even of rounds that are over."""
    lines = record("Ada", "Bo", "Cy", target=100, source="live")
    until = until if until > 0 else len(lines) + until
    match = live(lines, until)
    answer = ask(client, match)
    assert (answer["next"], answer["finished"]) == (until, False)
    assert sum(len(chunk["lines"]) for chunk in answer["chunks"]) == until - 1
    assert set(hidden_in(answer)) == set(HIDDEN[:3])
    client.cookies["spoilers"] = "off"
    careful = ask(client, match, "from=1&until_t=99999999")
    assert set(hidden_in(careful)) <= set(HIDDEN[:3])
    page = client.get(f"/matches/{match.pk}/").text
    assert re.search(r'id="first-round" type="application/json">null<', page)
    assert client.get(f"/matches/{match.pk}.ratuki").status_code == 409


def test_two_deals_that_differ_in_hidden_cards_give_the_same_bytes(client: Client) -> None:
    """Every way out, sizes included."""
    lines = record("Ada", "Bo", source="live")
    deal = lines[1]
    assert isinstance(deal, Deal)
    asked = ("log?from=1", "charts/scores?round=1", "charts/ownership?round=1")
    ways = ("/matches/{pk}/", *(f"/api/v1/matches/{{pk}}/{path}" for path in asked))
    number = re.compile(rb'(match(es(/|%2F)|=)|"id": )\d+|name="csrfmiddlewaretoken" value="\w+"')
    answers = []
    for decks in (deal.decks, tuple(deck[:20] + deck[:19:-1] for deck in deal.decks)):
        match = live([lines[0], deal._replace(decks=decks)], 2)
        bodies = [client.get(way.format(pk=match.pk)).content for way in ways]
        answers.append([number.sub(b"#", body) for body in bodies])
        Match.objects.filter(pk=match.pk).update(record_id=f"gone-{match.pk}")
    assert answers[0] == answers[1]


def test_a_growing_log_goes_on_from_where_it_was(client: Client) -> None:
    lines = record(source="simulated")
    match = live(lines, 30)
    first = ask(client, match)
    assert (first["next"], first["finished"]) == (30, False)
    append(match.pk, 0, 30, lines[30:33])
    more = ask(client, match, "from=30")
    assert [chunk["seq"] for chunk in more["chunks"]] == [30]
    assert lines_in(more) == lines[30:33]
    assert (
        client.get(f"/api/v1/matches/{match.pk}/log?from=1")["Cache-Control"] == "private, no-store"
    )


# --- For who hides the ends -----------------------------------------------------------------


@pytest.fixture
def wary(client: Client) -> Client:
    client.cookies["spoilers"] = "off"
    return client


def test_a_wary_viewer_gets_what_has_happened_until_a_time_at_most_half_a_minute(
    wary: Client,
) -> None:
    lines = record("Ada", "Bo", "Cy", target=100)
    match = insert([pack(lines)])[0]
    shown = lines_in(ask(wary, match, "from=1&until_t=9000"))
    wanted = [line for line in lines[2:] if getattr(line, "t", 0) <= 9000]
    assert shown[1:] == wanted[: len(shown) - 1]
    assert shown[-1].t <= 9000  # type: ignore[union-attr]
    assert lines[len(shown) + 1].t > 9000  # type: ignore[union-attr]
    answer = ask(wary, match, "from=1&until_t=86400000")
    assert max(line["t"] for line in answer["chunks"][0]["lines"][1:]) <= match_log.SLICE_MS
    assert not answer["finished"]


@pytest.mark.parametrize(
    "way",
    [
        *("GET log?from=1", "GET charts?round=1", "GET charts/fed?round=1", "GET decisions"),
        *("GET analysis", "GET analysis/1", "POST analysis"),
    ],
)
def test_a_page_that_showed_results_is_told_that_they_are_hidden_now(
    wary: Client, way: str
) -> None:
    match = insert([pack(record("Ada", "Bo", "Cy", target=100))])[0]
    method, path = way.split()
    response = wary.generic(method, f"/api/v1/matches/{match.pk}/{path}")
    assert response.status_code == 403
    told = response.json()
    assert (told["detail"], told["results"]) == ("results are hidden", "hidden")


def test_slice_by_slice_a_wary_viewer_sees_the_whole_match(wary: Client) -> None:
    lines = with_note(record("Ada", "Bo", "Cy", target=100))
    match = insert([pack(lines)])[0]
    whole: list[Line] = []
    seq, t, finished = 1, 0, False
    for _ in range(10_000):
        answer = ask(wary, match, f"from={seq}&until_t={t}")
        slice_ = lines_in(answer)
        assert sum(isinstance(line, End) for line in slice_) <= 1
        assert not any(isinstance(line, Deal) for line in slice_[1:])
        whole += slice_
        ended = any(isinstance(line, End) for line in slice_)
        seq, t, finished = answer["next"], 0 if ended else t + 5_000, answer["finished"]
        assert finished == (seq == len(lines))
        if finished:
            break
    assert whole == lines[1:]


def test_a_wait_longer_than_a_slice_comes_to_an_end(wary: Client) -> None:
    """A round that stalls after minutes: its end comes when its time has, and not before."""
    lines = record("Ada", "Bo", source="simulated")
    calm = [*lines[:5], End(500_000, "stalled", (0, 0), (0, 0))]
    match = insert([pack(calm)])[0]
    assert ask(wary, match, "from=5&until_t=499999")["chunks"] == []
    answer = ask(wary, match, "from=5&until_t=500000")
    assert [write_line(line) for line in lines_in(answer)] == [write_line(calm[5])]
