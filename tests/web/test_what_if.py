"""What-ifs over HTTP: exact, bounded, for those who may see the match, and never kept."""

import json
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from games.archive.packing import pack, text_of
from games.archive.store import insert, record_of
from games.engine.events import Deal, End
from games.engine.facts import Fault
from games.models import Chunk, Match
from games.records.adding import with_remarks
from games.records.check import check
from games.records.log import Line, Variation
from games.records.notation import parse_line
from games.records.strict import Malformed, decode
from replays.pages.variations.schemas import AskedBranch
from replays.stored.logs import TEMPO_ROUNDS, lines_to
from replays.variations.lines import Place
from tests.web.records import record, store

pytestmark = pytest.mark.django_db


def post(client: Client, match: Match, body: Any, **how: Any) -> Any:
    data = body if isinstance(body, bytes) else json.dumps(body)
    return client.post(f"/api/v1/matches/{match.pk}/what-if", data, "application/json", **how)


def answer(client: Client, match: Match, **body: Any) -> dict[str, Any]:
    response = post(client, match, body)
    assert response.status_code == 200, response.text
    assert response["Cache-Control"] == "no-store"
    told: dict[str, Any] = response.json()
    return told


def refusal(client: Client, match: Match, body: Any, status: int = 422) -> str:
    response = post(client, match, body)
    assert response.status_code == status
    assert response["Content-Type"] == "application/problem+json"
    words: str = response.json()["detail"]
    return words


def made_in(told: dict[str, Any]) -> list[Variation]:
    lines = [parse_line(json.dumps(line).encode(), 2) for line in told["lines"]]
    return [line for line in lines if isinstance(line, Variation)]


def true_of(lines: list[Line], *made: Variation) -> bool:
    """Whether the record with these variations passes the checker."""
    text = text_of(list(with_remarks(lines, made)))
    check(BytesIO(text.encode()))
    return True


def test_bots_play_on_and_the_line_is_a_records(client: Client) -> None:
    lines = record("Ada", "Bo", "Cy")
    match = insert([pack(lines)])[0]
    told = answer(client, match, round=1, event=60, bots={"seed": 3})
    (made,) = made_in(told)
    assert (made.round, made.event, made.line, made.id) == (1, 60, None, "w1")
    assert true_of(lines, made)
    assert told["ended"] == made.events[-1].reason  # type: ignore[union-attr]
    assert told["lines"][0]["variation"]["events"]
    assert told == answer(client, match, round=1, event=60, bots={"seed": 3})


def test_by_hand_with_what_is_refused_and_why(client: Client) -> None:
    lines = record("Ada", "Bo")
    match = insert([pack(lines)])[0]
    deal = lines[1]
    assert isinstance(deal, Deal)
    card = deal.decks[0][0]
    told = answer(
        client,
        match,
        round=1,
        event=0,
        id="mine",
        play=[
            {"t": 100, "seat": 0, "do": "discard", "card": card},
            {"t": 150, "seat": 0, "do": "draw"},
            {"t": 220, "seat": 0, "do": "draw"},
            {"t": 220, "seat": 0, "do": "draw"},
        ],
    )
    (made,) = made_in(told)
    assert [type(event).__name__ for event in made.events] == ["Discard", "Draw"]
    assert made.id == "mine"
    assert [(tried["play"], tried["rule"], tried["wait_ms"]) for tried in told["refused"]] == [
        (1, "one-hand", 70),
        (3, "one-hand", 120),
    ]
    assert true_of(lines, made)


def test_a_branch_of_a_branch_that_only_the_visitor_has(client: Client) -> None:
    lines = record("Ada", "Bo")
    match = insert([pack(lines)])[0]
    first = answer(client, match, round=1, event=20, id="v", bots={"ms": 5_000})
    (outer,) = made_in(first)
    place = {"round": 1, "line": "v", "event": 22}
    known = [line["variation"] for line in first["lines"]]
    second = answer(client, match, **place, variations=known, bots={"ms": 4_000, "seed": 1})
    (inner,) = made_in(second)
    assert (inner.line, inner.event, inner.id) == ("v", 22, "w1")
    assert true_of(lines, outer, inner)
    known[0]["events"][0]["t"] = 0
    body = {**place, "variations": known}
    assert refusal(client, match, body).startswith("variation, event\u00a01: t must not fall")


def test_a_long_match_is_read_only_near_the_round(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    lines = record("Ada", "Bo", target=400)
    match = insert([pack(lines)])[0]
    last = max(line.round for line in lines if isinstance(line, Deal))
    assert last > 7
    # The match, its rounds' sizes, the rounds read, and what the totals before them come from.
    with django_assert_max_num_queries(5):
        told = answer(client, match, round=last, event=5, bots={})
    assert true_of(lines, *made_in(told))
    assert refusal(client, match, {"round": last + 1, "event": 0}).startswith(
        f"round: expected one of the {last} played"
    )


def test_nothing_is_kept(client: Client) -> None:
    match = store("Ada", "Bo")
    before = "".join(record_of(match)), Chunk.objects.count()
    answer(client, match, round=1, event=10, bots={})
    match.refresh_from_db()
    assert ("".join(record_of(match)), Chunk.objects.count()) == before


def test_nothing_new_is_an_answer_too(client: Client) -> None:
    told = answer(client, store("Ada", "Bo"), round=1, event=10)
    assert told["lines"] == told["refused"] == []
    assert told["ended"] is None


# Bad input

VARIATION = {"id": "v", "round": 1, "event": 0, "events": [{"t": 0, "seat": 0, "do": "out"}]}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "body: missing"),
        (b"\xff", "not UTF-8"),
        (b"{", "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        ([], "body: expected a JSON object"),
        ({}, "round: missing"),
        ({"round": 1}, "event: missing"),
        ({"round": 1, "event": 0, "evil": 1}, "unknown key"),
        ({"round": 1.0, "event": 0}, "whole number without fraction"),
        ({"round": 0, "event": 0}, "round: expected at least 1"),
        ({"round": 2, "event": 0}, "round: expected one of the 1 played, found 2"),
        ({"round": 1, "event": -1}, "event: expected at least 0"),
        ({"round": 1, "event": 99_999}, "event: expected 0 to"),
        ({"round": 1, "event": 0, "line": "v"}, "line: round\u00a01 has no variation v"),
        ({"round": 1, "event": 0, "line": "../v"}, "line: expected ^[A-Za-z0-9_-]{1,64}$"),
        ({"round": 1, "event": 0, "id": ""}, "id: expected ^[A-Za-z0-9_-]{1,64}$"),
        ({"round": 1, "event": 0, "play": {}}, "play: expected a list"),
        ({"round": 1, "event": 0, "play": [1]}, "play.0: expected an object"),
        ({"round": 1, "event": 0, "play": [{"t": 0}]}, "play.0: missing 'do'"),
        (
            {"round": 1, "event": 0, "play": [{"t": 0, "do": "end"}]},
            "play.0: expected one of 'play', 'draw'",
        ),
        (
            {"round": 1, "event": 0, "play": [{"t": 0, "do": "draw", "seat": 0, "card": "A1a"}]},
            "unknown key",
        ),
        (
            {"round": 1, "event": 0, "play": [{"t": 0, "do": "draw", "seat": 0}] * 201},
            "play: expected at most 200, found 201",
        ),
        (
            {"round": 1, "event": 0, "play": [{"t": t, "do": "draw", "seat": 0} for t in (5, 4)]},
            "play: t must not fall: expected at least 5, found 4",
        ),
        ({"round": 1, "event": 0, "bots": []}, "bots: expected an object"),
        ({"round": 1, "event": 0, "bots": {"ms": 600_001}}, "bots.ms: expected at most 600000"),
        ({"round": 1, "event": 0, "bots": {"seats": [2]}}, "seats: expected 0 to 1, found 2"),
        ({"round": 1, "event": 0, "variations": [VARIATION] * 17}, "variations: expected at most"),
        ({"round": 1, "event": 0, "variations": [{**VARIATION, "id": None}]}, "must not be null"),
        ({"round": 1, "event": 0, "variations": [VARIATION]}, "variation, event\u00a01: not out"),
        (
            {"round": 1, "event": 0, "variations": [{**VARIATION, "events": []}]},
            "at least one event",
        ),
    ],
)
def test_bad_input_gets_an_error_that_says_what_is_wrong(
    client: Client, body: Any, words: str
) -> None:
    assert words in refusal(client, store("Ada", "Bo"), body)


def test_totals_count_rounds_that_are_not_read() -> None:
    head, *rest = record("Ada", "Bo", target=300)
    match = insert([pack([head, *rest])])[0]
    assert match.rounds > TEMPO_ROUNDS + 1
    lines = lines_to(match, TEMPO_ROUNDS + 2)
    first, *_ = lines.timeline.rounds
    assert first.number == 2
    ends = [line for line in rest if isinstance(line, End)]
    assert lines.table(Place(2, 0)).totals == ends[0].totals
    with pytest.raises(Fault):
        lines_to(match, match.rounds + 1)


WORDS = (
    *("round", "event", "line", "variations", "play", "bots", "id", "t"),
    *("seat", "do", "card", "stack", "as", "ms", "seed", "seats"),
)
KEYS = st.sampled_from(WORDS)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2**40) | st.sampled_from(["", "v", "A1a", "play"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=12,
)
SEATS = st.integers(0, 2)
ACTIONS = st.fixed_dictionaries(
    {
        "t": st.integers(0, 90_000),
        "seat": SEATS,
        "do": st.sampled_from(["play", "play", "draw", "discard", "out"]),
    },
    optional={
        "card": st.sampled_from(["A1a", "B1a", "A2a", "B2b", "ARa", "C1a"]),
        "stack": SEATS,
        "as": st.integers(1, 4),
    },
)
BODIES = st.fixed_dictionaries(
    {"round": st.just(1), "event": st.integers(0, 40)},
    optional={
        "play": st.lists(ACTIONS, max_size=4).map(lambda play: sorted(play, key=_t)),
        "bots": st.fixed_dictionaries(
            {}, optional={"ms": st.integers(0, 4_000), "seats": st.lists(SEATS, max_size=2)}
        ),
        "line": st.just("v"),
    },
)


def _t(action: dict[str, Any]) -> int:
    t: int = action["t"]
    return t


@given(st.dictionaries(KEYS, JSON, max_size=8) | JSON)
@settings(deadline=None)
def test_whatever_is_sent_is_read_or_refused(body: Any) -> None:
    try:
        asked = AskedBranch.model_validate(decode(json.dumps(body).encode()))
    except (Malformed, ValidationError) as fault:
        assert str(fault)  # noqa: PT017 - either is right
    else:
        assert asked.place.round == body["round"]


@given(st.lists(BODIES, min_size=1, max_size=3))
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_is_made_of_it_is_true(client: Client, bodies: list[dict[str, Any]]) -> None:
    lines = record("Ada", "Bo")
    match = insert([pack(lines)])[0]
    for body in bodies:
        response = post(client, match, body)
        assert response.status_code in {200, 422}, response.text
        if response.status_code == 200:
            assert true_of(lines, *made_in(response.json()))
