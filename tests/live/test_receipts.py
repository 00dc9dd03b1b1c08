"""Receipts against records: no honest record differs, and every tampering is found."""

import json
import os
from functools import cache
from io import BytesIO
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.archive.packing import text_of
from games.engine.events import MAX_EVENTS
from games.records.check import check
from games.records.log import RecordFault
from games.records.receipts import (
    MOST_ACTIONS,
    MOST_DIFFERENCES,
    Difference,
    Receipt,
    compare,
    parse_receipt,
)
from games.records.strict import Malformed
from tests.hostile_records import miss_flood
from tests.live.receipted import ReceiptedDesk, all_differences, played
from tests.live.tampering import HIDDEN, TAMPERINGS, Lines, do, give_play_away, read, where, written

HONEST = int(os.environ.get("HONEST", "16"))
FLOOD = "flood-0-True"


def test_no_receipt_of_an_honest_match_differs() -> None:
    takeovers = answered = refused = 0
    for seed in range(HONEST):
        desk = played(seed, rounds=2)
        desk.check()
        assert all_differences(desk) == []
        takeovers += desk.takeovers
        for receipt in desk.receipts():
            answered += sum(action.seq is not None for action in receipt.actions)
            refused += sum(
                action.refused is not None and action.t is not None for action in receipt.actions
            )
            assert receipt.seq == len(desk.lines) - 1
    assert takeovers > 3
    assert answered > 500
    assert refused > 500


# Tampering


@cache
def desk() -> ReceiptedDesk:
    """A match with everything in it that is tampered with below."""
    whole = played(4, rounds=3)
    whole.check()
    return whole


def record() -> Lines:
    return read(desk().record)


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_tampering_is_named_by_the_command_with_anybodys_receipt(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = record()
    place = TAMPERINGS[name](lines)
    file, receipt = tmp_path / "m.ratuki", tmp_path / "m.receipt"
    file.write_bytes(written(lines))
    for keeper in desk().keepers:
        receipt.write_text(json.dumps(keeper.receipt()))
        with pytest.raises(SystemExit):
            call_command("verify", str(file), receipt=str(receipt))
        said = capsys.readouterr().out
        assert f"{file}:{place + 1}: " in said
        sent = "not the line that was sent while the match was played"
        assert (f"{file}:{place + 1}: {sent}" in said) is (name not in HIDDEN)


@pytest.mark.parametrize("name", sorted(HIDDEN))
def test_what_nobody_saw_is_found_without_any_receipt(name: str, tmp_path: Path) -> None:
    lines = record()
    place = TAMPERINGS[name](lines)
    with pytest.raises(RecordFault) as fault:
        check(BytesIO(written(lines)))
    assert fault.value.line == place + 1


def test_a_play_given_to_another_seat_is_missed_by_its_own() -> None:
    lines = record()
    place = give_play_away(lines)
    owner = record()[place]["seat"]
    (own,) = (receipt for receipt in desk().receipts() if receipt.seat == owner)
    said = [
        difference.message
        for difference in compare(own, BytesIO(written(lines)))
        if difference.line == place + 1
    ]
    assert any(message.startswith("expected the action") for message in said)


def test_a_changed_header_is_found() -> None:
    lines = record()
    lines[0]["seats"][0]["name"] = "Nobody"
    assert {difference.line for difference in _all(lines)} == {1}


def test_a_shortened_record_is_found() -> None:
    lines = record()[:-1]
    (difference, *_) = _all(lines)
    assert difference == Difference(
        len(lines) + 1,
        f"expected another line, found the end: the receipt has seen {len(lines) + 1} lines",
    )


def test_a_refused_action_that_happened_after_all_is_found() -> None:
    lines = record()
    place = where(lines, lambda line: line.get("do") == "draw" and line["seat"] == 0)
    draw = lines[place]
    (own,) = (receipt for receipt in desk().receipts() if receipt.seat == draw["seat"])
    (asked,) = (action for action in own.actions if action.seq == place)
    lied = own._replace(actions=(asked._replace(seq=None, refused="one-hand"),))
    (told,) = compare(lied, BytesIO(written(lines)))
    assert told.line == place + 1
    assert f"the action {asked.id} (draw {draw['card']}) was refused (one-hand)" in told.message


def test_what_a_bot_did_in_the_seat_is_not_held_against_the_record() -> None:
    lines = record()
    place = where(lines, lambda line: line.get("do") == "draw" and line["seat"] == 0)
    (own,) = (receipt for receipt in desk().receipts() if receipt.seat == 0)
    (asked,) = (action for action in own.actions if action.seq == place)
    refused = own._replace(actions=(asked._replace(seq=None, refused="not-seated"),))
    assert compare(refused, BytesIO(written(lines))) == []


def test_a_receipt_of_more_actions_than_a_page_keeps_is_refused() -> None:
    action = {"id": "a", "round": 1, "do": "out", "t": 1, "refused": "x"}
    said = {"receipt": 1, "match": "m", "seat": 0, "seq": 1, "digest": "0" * 32, "digests": []}
    parse_receipt(json.dumps({**said, "actions": [action] * 5_000}).encode())
    with pytest.raises(Malformed, match="actions: expected at most 5,000, found 5,001"):
        parse_receipt(json.dumps({**said, "actions": [action] * 5_001}).encode())


def flooded(**changes: Any) -> tuple[Receipt, BytesIO]:
    """A receipt of as many actions as one may have, all the same, and a record as full of mistakes
    as one may be."""
    record_file = BytesIO(text_of(miss_flood(MAX_EVENTS - 2)).encode())
    assert check(record_file).header.id == FLOOD
    record_file.seek(0)
    said = {"round": 1, "do": "play", "card": "A1a", "stack": 0, "t": 0, **changes}
    actions = [{"id": f"a{number}", **said} for number in range(MOST_ACTIONS)]
    receipt = {"receipt": 1, "match": FLOOD, "seat": 1, "seq": 0, "digest": "0" * 32}
    raw = json.dumps({**receipt, "digests": [], "actions": actions})
    return parse_receipt(raw.encode()), record_file


def test_the_longest_receipt_is_compared_at_once_with_the_fullest_round() -> None:
    receipt, record_file = flooded(refused="x")
    began = process_time()
    found = compare(receipt, record_file)
    assert process_time() - began < 2
    assert [difference.line for difference in found] == [1]


@pytest.mark.parametrize("change", [{"card": "B1a", "refused": "x"}, {"seq": 1}])
def test_only_some_differences_are_said_and_lines_quoted_in_short(change: dict[str, Any]) -> None:
    found = compare(*flooded(**change))
    assert len(found) == MOST_DIFFERENCES
    assert max(len(difference.message) for difference in found) < 250


def test_a_receipt_without_every_line_names_the_lines_between() -> None:
    lines = record()
    place = where(lines, do("play"))
    lines[place]["t"] += 1
    whole = desk().receipts()[0]
    thin = {seq: digits for seq, digits in whole.lines.items() if seq % 5 == 0}
    (difference,) = compare(whole._replace(lines=thin), BytesIO(written(lines)))
    assert difference.line <= place + 1 <= int(difference.message.split(" to ")[1].split(" ")[0])


def test_notes_and_variations_in_the_file_do_not_count() -> None:
    lines = record()
    note = {"note": {"round": 1, "event": 0, "text": "Here we go."}}
    lines.insert(5, note)
    lines.append(note)
    assert _all(lines) == []


def _all(lines: Lines) -> list[Difference]:
    file = written(lines)
    return [
        difference
        for receipt in desk().receipts()
        for difference in compare(receipt, BytesIO(file))
    ]


# The file and the command


def kept(**changes: Any) -> bytes:
    """A receipt's file."""
    receipt = {**desk().keepers[1].receipt(), **changes}
    return json.dumps({key: value for key, value in receipt.items() if value != "gone"}).encode()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"receipt": 2}, "receipt: expected a whole number 1 to 1"),
        ({"match": "a b"}, "match: expected 1 to 64"),
        ({"seat": 5}, "seat: expected a whole number 0 to 4"),
        ({"digest": "00"}, "digest: expected 16 bytes"),
        ({"digests": [[1, "00"]]}, "digests: expected 8 digits"),
        ({"digests": [7]}, "digests: expected"),
        ({"actions": [{"id": "a"}]}, "missing key 'round'"),
        ({"actions": "gone"}, "missing key 'actions'"),
        ({"more": 1}, "unknown key"),
    ],
)
def test_a_faulty_receipt_is_refused(changes: dict[str, Any], message: str) -> None:
    assert isinstance(parse_receipt(kept()), Receipt)
    with pytest.raises(Malformed, match=message):
        parse_receipt(kept(**changes))


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    record_file, receipt = tmp_path / "m.ratuki", tmp_path / "m.receipt"
    record_file.write_bytes(desk().record)
    receipt.write_bytes(kept())
    return record_file, receipt


def test_the_command_says_that_a_record_agrees(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    record_file, receipt = files
    call_command("verify", str(record_file), receipt=str(receipt))
    valid, agrees = capsys.readouterr().out.splitlines()
    assert valid.startswith(f"{record_file}: valid")
    assert agrees.startswith(f"{record_file}: agrees with the receipt: {len(desk().lines)} lines, ")


def test_the_command_refuses_what_is_no_receipt_or_not_one_file(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    record_file, receipt = files
    with pytest.raises(CommandError, match="one FILE"):
        call_command("verify", str(record_file), str(record_file), receipt=str(receipt))
    with pytest.raises(CommandError, match="not JSON"):
        call_command("verify", str(record_file), receipt=str(record_file))
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("verify", str(record_file), receipt=str(tmp_path / "nothing"))
    other = json.loads(kept()) | {"match": "another"}
    receipt.write_text(json.dumps(other))
    with pytest.raises(SystemExit):
        call_command("verify", str(record_file), receipt=str(receipt))
