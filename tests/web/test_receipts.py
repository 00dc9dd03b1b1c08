"""A receipt is compared with the record of its match."""

import json
from io import BytesIO
from typing import Any

import pytest
from django.test import Client

from games.archive.moderation import show
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


def ask(client: Client, receipt: Any) -> tuple[int, Any]:
    body = json.dumps(receipt)
    response = client.post("/api/v1/receipts", body, content_type="application/json")
    return response.status_code, response.json()


def test_a_receipt_agrees_with_its_record(
    client: Client, match: Match, desk: ReceiptedDesk
) -> None:
    for keeper in desk.keepers:
        receipt = keeper.receipt()
        actions = len(receipt["actions"])
        expected = {"lines": len(desk.lines), "actions": actions, "differences": []}
        assert ask(client, receipt) == (200, expected)


def test_a_difference_is_named_by_its_line(
    client: Client, match: Match, desk: ReceiptedDesk
) -> None:
    receipt = desk.keepers[1].receipt()
    ((first, digits),) = receipt["digests"]
    receipt["digests"] = [[first, f"{digits[:80]}00000000{digits[88:]}"]]
    status, body = ask(client, receipt)
    assert (status, [difference["line"] for difference in body["differences"]]) == (200, [11])
    assert ask(client, {**receipt, "match": "another"})[0] == 404


def test_a_match_that_only_its_players_may_see_is_not_found(
    client: Client, match: Match, desk: ReceiptedDesk
) -> None:
    show(match, Match.Visibility.LINK)
    assert ask(client, desk.keepers[0].receipt())[0] == 404


def test_what_is_no_receipt_is_refused(client: Client, match: Match) -> None:
    status, body = ask(client, {"receipt": 1})
    assert (status, body["detail"]) == (422, "receipt: missing key 'seat'")
    status, body = ask(client, "x" * 2**20)
    assert (status, body["detail"][:16]) == (413, "body: expected a")
    assert client.get("/api/v1/receipts").status_code == 405


def test_results_stay_hidden(client: Client, match: Match, desk: ReceiptedDesk) -> None:
    client.cookies["spoilers"] = "off"
    status, body = ask(client, desk.keepers[0].receipt())
    assert (status, body["detail"]) == (403, "results are hidden")
