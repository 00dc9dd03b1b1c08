"""The charts' address."""

import gzip
import json
import zlib
from contextlib import ExitStack, suppress
from typing import Any

import pytest
from django.test import Client

from games.archive.packing import pack
from games.archive.store import insert
from games.engine.events import Deal
from games.models import Match
from games.people.visit import Caller
from games.records.log import Line
from replays.charts import CHARTS, figure
from replays.pages import charts, concurrency
from replays.pages.charts import KEPT_AT_MOST, ResponseCache, shown_until
from replays.pages.concurrency import AT_ONCE, BusyError, ConcurrencyLimit, costly
from replays.timeline import Timeline
from tests.hostile_records import WIDE_NAME, late_flood, long_match
from tests.web.records import record, store

pytestmark = pytest.mark.django_db
ROUNDS = 90


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    charts.chart_cache.clear()


def put(lines: list[Line]) -> Match:
    return insert([pack(lines)])[0]


def ask(client: Client, match: Match, query: str) -> dict[str, Any]:
    answer = client.get(f"/api/v1/matches/{match.pk}/charts{query}")
    assert answer.status_code == 200, answer.content
    return json.loads(answer.content)


class Opened:
    """How many bytes of logs have been uncompressed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.size = 0
        self._real = zlib.decompress
        monkeypatch.setattr(zlib, "decompress", self.decompress)

    def decompress(self, data: bytes) -> bytes:
        body = self._real(data)
        self.size += len(body)
        return body


def test_a_chart_until_a_line_knows_nothing_of_what_follows(client: Client) -> None:
    lines = record("Ada", "Bo", target=100)
    whole = insert([pack(lines)])[0]
    cut = shown_until(whole, 1, 60)
    assert cut is not None
    assert 50 < cut <= 60
    part = insert([pack([*record()[:1], *lines[1 : cut + 1]])])[0]
    shown = client.get(f"/api/v1/matches/{whole.pk}/charts/scores?round=1&until=60").json()
    other = client.get(f"/api/v1/matches/{part.pk}/charts/scores?round=1").json()
    assert shown["data"] == other["data"]


def test_the_second_time_a_chart_is_not_made_again(
    client: Client, django_assert_num_queries
) -> None:
    match = store()
    address = f"/api/v1/matches/{match.pk}/charts/fed?round=1"
    first = client.get(address).content
    with django_assert_num_queries(2):
        assert client.get(address).content == first


def test_no_such_chart_or_round_is_a_404(client: Client) -> None:
    lines = record("Ada", "Bo", target=100)
    match = insert([pack(lines)])[0]
    rounds = sum(isinstance(line, Deal) for line in lines)
    for way in ("pie?round=1", f"scores?round={rounds + 1}", "scores?round=0"):
        assert client.get(f"/api/v1/matches/{match.pk}/charts/{way}").status_code == 404
    assert client.get(f"/api/v1/matches/{match.pk}/charts/scores?round=two").status_code == 422


def test_all_charts_of_a_round_are_one_answer_from_one_reading(
    client: Client, django_assert_max_num_queries
) -> None:
    match = store("Ada", "Bo", target=100)
    with django_assert_max_num_queries(5):
        every = ask(client, match, "?round=1")
    assert set(every) == set(CHARTS)
    for name in CHARTS:
        assert every[name] == ask(client, match, f"/{name}?round=1")


def test_a_chart_of_a_round_reads_that_round_alone(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, alone = put(long_match(ROUNDS)), put(long_match(7))
    opened = Opened(monkeypatch)
    ask(client, alone, "?round=7")
    once = opened.size
    ask(client, match, "?round=7")
    assert opened.size == 2 * once
    ask(client, match, f"?round={ROUNDS}&until=999999")
    assert opened.size < 4 * once


@pytest.mark.parametrize("make", [lambda: late_flood(5_990), lambda: long_match(100)])
@pytest.mark.parametrize("query", ["?round=1", "?round=all", "?round=all&until=50000"])
def test_no_valid_record_makes_a_large_answer(client: Client, make: Any, query: str) -> None:
    answer = client.get(
        f"/api/v1/matches/{put(make()).pk}/charts{query}", headers={"Accept-Encoding": "gzip"}
    )
    assert len(answer.content) < KEPT_AT_MOST
    text = gzip.decompress(answer.content).decode()
    assert len(text) < 2_500_000
    assert text.count(WIDE_NAME.replace("&", "&amp;")) <= 2 * len(CHARTS)


def test_until_within_a_long_match_is_a_shorter_match(client: Client) -> None:
    lines = long_match(ROUNDS)
    match = put(lines)
    until = shown_until(match, None, match.lines - 100)
    assert until
    shown = ask(client, match, f"?round=all&until={until}")["fed"]["data"][0]["text"]
    assert shown == figure("fed", Timeline.of(lines[: until + 1]))["data"][0]["text"]


def test_until_at_or_past_the_end_is_what_is_kept(
    client: Client, django_assert_num_queries
) -> None:
    match = store("Ada", "Bo", target=100)
    whole = ask(client, match, "?round=1")
    for until in (match.lines - 1, match.lines, 99_999, 123_456):
        with django_assert_num_queries(2):
            assert ask(client, match, f"?round=1&until={until}") == whole


def test_what_is_kept_stays_within_its_bytes() -> None:
    kept = ResponseCache(most=1_000, largest=400)
    for number in range(50):
        kept.put(number, bytes(300))
    assert kept.size == 900
    assert kept.get(46) is None
    kept.put(47, bytes(100))
    assert kept.size == 700
    kept.put("large", bytes(401))
    assert kept.get("large") is None
    assert kept.get(49) == bytes(300)


def test_too_many_at_once_are_asked_to_come_back(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = store("Ada", "Bo", target=100)
    monkeypatch.setattr(concurrency, "PATIENCE_S", 0)
    with ExitStack() as taken:
        for number in range(AT_ONCE):
            taken.enter_context(costly.slot(Caller("", f"192.0.2.{number}")))
        busy = client.get(f"/api/v1/matches/{match.pk}/charts?round=1")
    assert busy.status_code == 503
    assert int(busy["Retry-After"]) > 0
    assert ask(client, match, "?round=1")


def test_a_caller_has_one_turn_and_a_network_yields_to_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limit = ConcurrencyLimit(2)
    hostile, also_there, other = Caller("guest:a", "x"), Caller("guest:b", "x"), Caller("", "y")

    def refused(caller: Caller) -> bool:
        monkeypatch.setattr(concurrency, "PATIENCE_S", 0)
        with suppress(BusyError), limit.slot(caller):
            return False
        return True

    with limit.slot(hostile):
        assert refused(hostile)
        assert not refused(also_there), "nobody else waits"
        limit.waiting.append(other)
        assert refused(also_there), "somebody else does"
        assert not refused(other)
        with limit.slot(other):
            assert refused(also_there)


def test_a_log_is_cut_at_few_places(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    match = store("Ada", "Bo", target=100)
    made: list[Any] = []
    real = charts._draw

    def noted(*asked: Any) -> bytes:
        made.append(asked)
        return real(*asked)

    monkeypatch.setattr(charts, "_draw", noted)
    monkeypatch.setattr(charts, "CUTS", 16)
    for until in range(1, match.lines + 20, 20):
        for which in ("1", "all"):
            client.get(f"/api/v1/matches/{match.pk}/charts?round={which}&until={until}")
    assert len(made) <= 2 * 2 * 16 < 2 * match.lines / 20
    assert len(made) == len(set(made))
