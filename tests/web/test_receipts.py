"""A receipt sent to a match's page is held against its record."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest
from django.test import Client

from games.archive.store import insert, read_record
from games.models import Match
from tests.live.receipted import ReceiptedDesk, played

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def desk() -> ReceiptedDesk:
    whole = played(4, rounds=3)
    whole.receipts()  # the spectator's last batch has come
    return whole


@pytest.fixture
def match(desk: ReceiptedDesk) -> Match:
    """The match, as it is stored when it is over."""
    _, packed = read_record(BytesIO(desk.record))
    (stored,) = insert([packed])
    return stored


def ask(client: Client, match: Match, receipt: Any) -> tuple[int, Any]:
    address = f"/api/v1/matches/{match.pk}/receipt"
    response = client.post(address, json.dumps(receipt), content_type="application/json")
    return response.status_code, response.json()


def test_a_receipt_agrees_with_its_record(
    client: Client, match: Match, desk: ReceiptedDesk
) -> None:
    for keeper in desk.keepers:
        receipt = keeper.receipt()
        actions = len(receipt["actions"])
        expected = {"lines": len(desk.lines), "actions": actions, "differences": []}
        assert ask(client, match, receipt) == (200, expected)


def test_a_difference_is_named_by_its_line(
    client: Client, match: Match, desk: ReceiptedDesk
) -> None:
    receipt = desk.keepers[1].receipt()
    ((first, digits),) = receipt["digests"]
    receipt["digests"] = [[first, f"{digits[:80]}00000000{digits[88:]}"]]
    status, body = ask(client, match, receipt)
    assert (status, [difference["line"] for difference in body["differences"]]) == (200, [11])
    (other,) = ask(client, match, {**receipt, "match": "another"})[1]["differences"]
    assert other["message"] == "the receipt is of match another, found unruly"


def test_what_is_no_receipt_is_refused(client: Client, match: Match) -> None:
    status, body = ask(client, match, {"receipt": 1})
    assert (status, body["detail"]) == (422, "receipt: missing key 'seat'")
    status, body = ask(client, match, "x" * 2**20)
    assert (status, body["detail"][:16]) == (413, "body: expected a")
    assert client.get(f"/api/v1/matches/{match.pk}/receipt").status_code == 405


def test_results_stay_hidden(client: Client, match: Match, desk: ReceiptedDesk) -> None:
    client.cookies["spoilers"] = "off"
    status, body = ask(client, match, desk.keepers[0].receipt())
    assert (status, body["detail"]) == (403, "results are hidden")
