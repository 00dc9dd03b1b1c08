"""The log of a match that is being played: commits, their owner, and what becomes of them."""

import re
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.archive.append import StaleWriterError, append, compact, open_match
from games.archive.packing import pack, text_of
from games.archive.store import insert, record_of
from games.engine.events import End
from games.models import AppendOnlyError, Chunk, Match
from games.people.matches import access_of
from games.people.rights import public
from games.records.log import Header, Line
from tests.web.records import record

pytestmark = pytest.mark.django_db

DERIVED = ("state", "filter_bits", "rounds", "events", "ties", "lates", "duration_ms", "winners")


def opened(lines: list[Line]) -> Match:
    assert isinstance(lines[0], Header)
    return open_match(lines[0])


def grow(match: Match, lines: list[Line], randomness: Random, epoch: int = 0) -> None:
    """Append lines in commits of one to nine."""
    seq = Match.objects.get(pk=match.pk).lines
    while lines:
        commit, lines = lines[: (size := randomness.randint(1, 9))], lines[size:]
        append(match.pk, epoch, seq, commit)
        seq += len(commit)


def test_a_grown_log_is_the_record_that_would_have_come_whole() -> None:
    lines = record("Ada", "Bo", "Cy", target=100, source="live")
    match = opened(lines)
    grow(match, lines[1:], Random(3))
    match.refresh_from_db()
    assert "".join(record_of(match)) == text_of(lines)
    whole = insert(
        [pack(record("Ada", "Bo", "Cy", target=100, source="live"))], Match.Origin.HOSTED
    )[0]
    assert [getattr(match, name) for name in DERIVED] == [getattr(whole, name) for name in DERIVED]
    assert match.lines == whole.lines
    fates = ("number", "total", "won", "player_id")
    assert list(match.seats.order_by("number").values_list(*fates)) == list(
        whole.seats.order_by("number").values_list(*fates)
    )


def test_a_writer_s_summary_reads_each_round_once() -> None:
    lines = record("Ada", "Bo", target=100, source="live")
    match, seq, known = opened(lines), 1, None
    read: list[int] = []
    ends = [place for place, line in enumerate(lines) if isinstance(line, End)]
    assert len(ends) > 2
    for end in ends:
        step = lines[seq : end + 1] + (lines[end + 1 :] if end == ends[-1] else [])
        with CaptureQueriesContext(connection) as queries:
            known = append(match.pk, 0, seq, step, known)
        text = " ".join(query["sql"] for query in queries)
        read += map(int, re.findall(r'"first_seq" > \((\d+) - "games_chunk"."lines"', text))
        seq += len(step)
    match.refresh_from_db()
    whole = insert([pack(record("Ada", "Bo", target=100, source="live"))], Match.Origin.HOSTED)[0]
    assert [getattr(match, name) for name in DERIVED] == [getattr(whole, name) for name in DERIVED]
    assert read == [1, *(end + 1 for end in ends[:-1])]


def test_each_commit_is_a_row_until_its_round_has_ended() -> None:
    lines = record(source="live")
    match = opened(lines)
    append(match.pk, 0, 1, lines[1:4])
    append(match.pk, 0, 4, lines[4:5])
    rows = match.chunks.order_by("first_seq").values_list("first_seq", "lines", "packed", "round")
    assert list(rows.all()) == [(1, 3, False, 1), (4, 1, False, 1)]
    append(match.pk, 0, 5, lines[5:])
    assert list(rows.all()) == [(1, len(lines) - 1, True, 1)]


def test_a_result_after_its_round_is_kept_beside_it() -> None:
    lines = record(source="live")
    match = opened(lines)
    append(match.pk, 0, 1, lines[1:-1])
    match.refresh_from_db()
    assert match.state == Match.State.OPEN
    append(match.pk, 0, len(lines) - 1, lines[-1:])
    match.refresh_from_db()
    assert match.state == Match.State.FINISHED
    assert "".join(record_of(match)) == text_of(lines)


def test_an_open_live_match_is_hidden_and_a_finished_one_is_not() -> None:
    lines = record(source="live")
    match = opened(lines)
    assert match.hidden
    append(match.pk, 0, 1, lines[1:])
    match.refresh_from_db()
    assert match.over
    assert not match.hidden


def test_only_the_owner_appends_and_only_at_the_end() -> None:
    lines = record(source="live")
    match = opened(lines)
    append(match.pk, 0, 1, lines[1:10])
    Match.objects.filter(pk=match.pk).update(owner_epoch=2)
    for epoch, seq in ((0, 10), (1, 10), (2, 9), (2, 11), (3, 10)):
        with pytest.raises(StaleWriterError):
            append(match.pk, epoch, seq, lines[10:12])
    append(match.pk, 2, 10, lines[10:])
    with pytest.raises(StaleWriterError):  # it is over
        append(match.pk, 2, len(lines), lines[-1:])
    match.refresh_from_db()
    assert "".join(record_of(match)) == text_of(lines)


def test_fields_for_playing_are_set_at_the_beginning() -> None:
    lines = record(source="live")
    assert isinstance(lines[0], Header)
    match = open_match(lines[0], visibility="link", token="t" * 32, owner_epoch=1)
    match.refresh_from_db()
    assert (match.visibility, match.owner_epoch, public(access_of(match))) == ("link", 1, False)
    assert match.filter_bits & 1 == 0


def test_compaction_keeps_the_rows_where_the_text_would_differ() -> None:
    """Columns hold canonical lines only; a row that was written otherwise is such a row."""
    lines = record(source="live")
    match = insert([pack(lines[:1])])[0]
    written = text_of(lines[1:]).replace('"t":', '"t": ').encode()
    half = written.index(b"\n", len(written) // 2) + 1
    seq = 1
    for body in (written[:half], written[half:]):
        count = body.count(b"\n")
        Chunk(match=match, first_seq=seq, lines=count, round=1, events=count, body=body).save()
        seq += count
    assert not compact(match, 1)
    assert [chunk.packed for chunk in match.chunks.all()] == [False, False]
    assert "".join(record_of(match)).encode() == f"{match.header}\n".encode() + written


def test_rows_are_replaced_together_or_not_at_all() -> None:
    match = insert([pack(record()[:1])])[0]
    body = text_of(record()[1:40]).encode()
    Chunk(match=match, first_seq=1, lines=39, round=1, events=38, body=body).save()
    packed = insert([pack(record())])[0].chunks.get()
    rows = match.chunks.all()
    twin = Chunk(
        match=match, first_seq=1, lines=1, round=1, events=1, packed=True, body=packed.body
    )
    with pytest.raises(AppendOnlyError):
        twin.delete()
    rows.replace_by(twin)
    assert match.chunks.get() == twin
