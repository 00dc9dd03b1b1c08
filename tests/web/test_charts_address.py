"""The charts' address."""

from __future__ import annotations

import pytest
from django.test import Client

from games.archive.packing import pack
from games.archive.store import insert
from games.engine.events import Deal
from replays.charts import CHARTS
from tests.web.records import record, store

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", list(CHARTS))
@pytest.mark.parametrize("query", ["round=1", "round=all", "", "round=1&until=40"])
def test_a_chart_is_a_figure(client: Client, name: str, query: str) -> None:
    match = store("Ada", "Bo", target=100)
    figure = client.get(f"/matches/{match.pk}/charts/{name}?{query}").json()
    assert figure["data"]
    assert figure["layout"]


def test_a_chart_until_a_line_knows_nothing_of_what_follows(client: Client) -> None:
    lines = record("Ada", "Bo", target=100)
    whole, part = insert([pack(lines)])[0], insert([pack([*record()[:1], *lines[1:61]])])[0]
    one = client.get(f"/matches/{whole.pk}/charts/scores?round=1&until=60").json()
    other = client.get(f"/matches/{part.pk}/charts/scores?round=1").json()
    assert one["data"] == other["data"]


def test_the_second_time_a_chart_is_not_made_again(
    client: Client, django_assert_num_queries
) -> None:
    match = store()
    address = f"/matches/{match.pk}/charts/fed?round=1"
    first = client.get(address).content
    with django_assert_num_queries(1):
        assert client.get(address).content == first


def test_no_such_chart_or_round_is_a_404(client: Client) -> None:
    lines = record("Ada", "Bo", target=100)
    match = insert([pack(lines)])[0]
    rounds = sum(isinstance(line, Deal) for line in lines)
    for way in ("pie?round=1", f"scores?round={rounds + 1}", "scores?round=0"):
        assert client.get(f"/matches/{match.pk}/charts/{way}").status_code == 404
    assert client.get(f"/matches/{match.pk}/charts/scores?round=two").status_code == 400
