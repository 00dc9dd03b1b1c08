"""Storing records whole, and what is derived from them."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import ProtectedError

from games.archive import filters, summary
from games.archive.packing import pack, text_of
from games.archive.store import insert, log_of, players_named, read_record, record_of, summarise
from games.engine.events import Late
from games.models import AppendOnlyError, Chunk, Match, Player, Seat
from games.people.names import skeleton
from games.records.log import Result
from tests.hostile_records import late_flood
from tests.narrowing import present
from tests.web.records import MATCHES, record, rounds, store, ties, with_note

pytestmark = pytest.mark.django_db


def export(match: Match) -> bytes:
    return "".join(record_of(match)).encode()


def import_files(*paths: Path | str) -> tuple[str, str]:
    """What the command says on both channels."""
    out, err = StringIO(), StringIO()
    try:
        call_command("import_records", *map(str, paths), stdout=out, stderr=err)
    except CommandError as error:
        err.write(str(error))
    return out.getvalue(), err.getvalue()


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_export_after_import_is_the_same_byte_for_byte(path: Path) -> None:
    import_files(path)
    match = Match.objects.get()
    out = StringIO()
    call_command("export_record", match.record_id, stdout=out)
    assert out.getvalue().encode() == path.read_bytes() == export(match)


def test_another_record_of_an_id_that_is_there_is_told_apart(tmp_path: Path) -> None:
    first, other = tmp_path / "a.ratuki", tmp_path / "b.ratuki"
    first.write_bytes(text_of(record("Ada", "Bo", id="one")).encode())
    other.write_bytes(text_of(with_note(record("Ada", "Bo", id="one"))).encode())
    import_files(first)
    out, err = import_files(other)
    number = Match.objects.get().pk
    differs = f"differs from the record that is match {number} already (one); nothing was changed"
    assert (out, err) == ("", f"{other}: {differs}\n1 of 1 files could not be imported")
    assert export(Match.objects.get()) == first.read_bytes()


def test_header_tags_notes_and_house_rules_survive(tmp_path: Path) -> None:
    lines = with_note(record("Ада", "波", tags=(("event", "Finals"), ("zz", "é"))))
    path = tmp_path / "a.ratuki"
    path.write_bytes(text_of(lines).encode())
    assert "match " in import_files(path)[0]
    assert export(Match.objects.get()) == path.read_bytes()


def test_an_unfinished_round_is_packed_too() -> None:
    lines = record()[:40]
    match = insert([pack(lines)])[0]
    assert match.state == Match.State.UNFINISHED
    assert not match.hidden
    assert {seat.total for seat in match.seats.all()} == {None}
    assert [chunk.packed for chunk in match.chunks.all()] == [True]
    assert export(match) == text_of(lines).encode()


def test_a_full_round_takes_little() -> None:
    lines = late_flood(5_990, finished=False)
    match = insert([pack(lines)])[0]
    assert len(text_of(lines)) > 350_000
    assert sum(len(chunk.body) for chunk in match.chunks.all()) < 25_000
    assert export(match) == text_of(lines).encode()


def test_a_header_alone_can_be_stored() -> None:
    match = insert([pack(record()[:1])])[0]
    assert (match.rounds, match.lines) == (0, 1)
    assert list(log_of(match)) == []


def test_each_finished_round_is_one_packed_row() -> None:
    lines = record("Ada", "Bo", "Cy", target=100)
    match = insert([pack(lines)])[0]
    chunks = list(match.chunks.order_by("first_seq"))
    assert len(chunks) == rounds(lines) == match.rounds > 1
    assert all(chunk.packed and chunk.duration_ms for chunk in chunks)
    assert sum(chunk.lines for chunk in chunks) + 1 == match.lines == len(lines)
    assert sum(len(chunk.body) for chunk in chunks) < 4 * match.events


def test_a_match_that_is_there_is_left_alone_and_said_so() -> None:
    import_files(MATCHES[0])
    before = Match.objects.get()
    out, err = import_files(MATCHES[0])
    assert "left alone" in out
    assert before.record_id in out
    assert not err
    assert Match.objects.get().created == before.created


def test_a_faulty_file_stores_nothing_and_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.ratuki"
    whole = MATCHES[0].read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*whole[:30], b'{"t":1}\n', *whole[30:]]))
    out, err = import_files(path, MATCHES[1], tmp_path / "missing.ratuki")
    assert f"{path}:31: " in err
    assert "missing.ratuki: No such file" in err
    assert "2 of 3 files" in err
    assert str(MATCHES[1]) in out
    assert Match.objects.count() == 1


def test_a_fault_found_at_the_end_stores_nothing(tmp_path: Path) -> None:
    text = text_of([*record(), Result((0, 1), (1, 1))])
    path = tmp_path / "bad.ratuki"
    path.write_text(text)
    assert ":" in import_files(path)[1]
    assert not Match.objects.exists()
    assert not Chunk.objects.exists()


def test_records_are_inserted_all_or_none() -> None:
    first = pack(record(id="same"))
    with pytest.raises(IntegrityError), transaction.atomic():
        insert([pack(record()), first, first])
    assert not Match.objects.exists()


def test_reading_a_record_gives_report_and_chunks() -> None:
    lines = record()
    report, packed = read_record(BytesIO(text_of(lines).encode()))
    assert report.events == packed.summary.events
    assert packed == packed._replace(chunks=pack(lines).chunks)


# --- What is derived ----------------------------------------------------------------------


def test_what_lists_need_is_derived_from_the_log() -> None:
    lines = record("Ada", "Bo", "Cy", kinds=("human", "bot", "bot"), target=100)
    match = insert([pack(lines)])[0]
    result = next(line for line in lines if isinstance(line, Result))
    assert match.ties == ties(lines)
    assert match.lates == sum(isinstance(line, Late) for line in lines)
    assert match.winners == sum(1 << seat for seat in result.winners)
    totals = sorted(result.totals, reverse=True)
    assert match.margin == totals[0] - totals[1]
    seats = list(match.seats.in_order())
    assert [(seat.name, seat.total) for seat in seats] == [
        *zip(("Ada", "Bo", "Cy"), result.totals, strict=True)
    ]
    assert [seat.number for seat in seats if seat.won] == list(result.winners)
    assert filters.BIT_RANGES["seats"].get(match.filter_bits) == 3
    assert filters.BIT_RANGES["humans"].get(match.filter_bits) == 1
    assert filters.BIT_RANGES["outcome"].get(match.filter_bits) == 1


def test_the_course_ends_with_the_winner_in_the_lead() -> None:
    match = store("Ada", "Bo", target=100)
    samples = summary.read_leads(match.lead_history)
    assert len(samples) == summary.SAMPLES
    assert 1 << samples[-1].seat == match.winners
    assert samples[-1].steps == sum(present(match.margin) >= points for points in summary.LEADS)


def test_the_date_is_the_headers_or_else_now() -> None:
    dated = store(started_at="2020-02-29T23:59:59Z")
    assert dated.started_at == datetime(2020, 2, 29, 23, 59, 59, tzinfo=UTC)
    assert dated.day == (dated.started_at - datetime(1970, 1, 1, tzinfo=UTC)).days
    assert (datetime.now(UTC) - store().started_at).total_seconds() < 60


def test_summaries_are_rebuilt_from_the_log() -> None:
    match, other = store("Ada", "Bo"), store("Cy", "Dee", seed=2)
    wanted = Match.objects.values().get(pk=match.pk)
    seats = list(match.seats.order_by("number").values())
    Match.objects.update(
        rounds=99, lead_history="", filter_bits=0, winners=None, state="open", margin=3
    )
    Seat.objects.update(total=None, won=False)
    Match.objects.filter(pk=match.pk).update(state="unfinished")
    summarise(Match.objects.get(pk=match.pk))
    assert Match.objects.values().get(pk=match.pk) == wanted
    assert list(match.seats.order_by("number").values()) == seats
    assert Match.objects.get(pk=other.pk).rounds == 99


def test_rebuilding_costs_the_same_queries_whatever_the_length(django_assert_num_queries) -> None:
    short, long = store("Ada", "Bo"), store("Ada", "Bo", target=150)
    for match in (short, long):
        with django_assert_num_queries(7):
            summarise(match)


def test_players_share_a_name_and_are_found_whatever_the_case() -> None:
    store("ÄDA", "Bo")
    store("ÄDA", "äda")
    assert Player.objects.get(name="ÄDA").seats.count() == 2
    assert set(Player.objects.filter(skeleton=skeleton("Äda")).values_list("name", flat=True)) == {
        "ÄDA",
        "äda",
    }
    assert players_named([]) == {}


def test_export_takes_the_number_in_the_address_too_and_says_if_there_is_no_match() -> None:
    match, out = store(), StringIO()
    call_command("export_record", str(match.pk), stdout=out)
    assert out.getvalue().encode() == export(match)
    for name in ("nobody", str(match.pk + 7), "9" * 30):
        with pytest.raises(CommandError, match="no match"):
            call_command("export_record", name)


def test_a_match_being_played_is_exported_only_with_its_secrets_asked_for() -> None:
    match, out = store(), StringIO()
    Match.objects.filter(pk=match.pk).update(state=Match.State.OPEN, source="live")
    with pytest.raises(CommandError, match="would tell hidden cards and seeds"):
        call_command("export_record", str(match.pk), stdout=out)
    assert not out.getvalue()
    call_command("export_record", str(match.pk), "--hidden", stdout=out)
    assert out.getvalue().startswith('{"ratuki"')


def test_an_export_whose_reader_leaves_ends_quietly() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as out, pytest.raises(SystemExit, match="1"):
        call_command("export_record", str(store().pk), stdout=out)


# --- The log is never changed ---------------------------------------------------------------


def changes(chunk: Chunk) -> dict[str, Callable[[], object]]:
    """The ordinary ways in which the ORM would change or delete a row."""
    everything = Chunk.objects.all()
    return {
        "save": chunk.save,
        "save some": lambda: chunk.save(update_fields=["body"]),
        "delete": chunk.delete,
        "queryset update": lambda: everything.update(lines=1),
        "manager update": lambda: Chunk.objects.update(lines=1),
        "filtered update": lambda: everything.filter(pk=chunk.pk).update(lines=1),
        "queryset delete": everything.delete,
        "bulk update": lambda: Chunk.objects.bulk_update([chunk], ["body"]),
        "update or create": lambda: Chunk.objects.update_or_create(pk=chunk.pk, lines=1),
        "upsert": lambda: Chunk.objects.bulk_create(
            [chunk], update_conflicts=True, update_fields=["body"], unique_fields=["id"]
        ),
        "through the match": lambda: chunk.match.chunks.update(lines=1),
        "delete through the match": lambda: chunk.match.chunks.all().delete(),
        "base manager": lambda: Chunk._base_manager.update(lines=1),
    }


@pytest.mark.parametrize("way", list(changes(Chunk())))
def test_log_rows_are_neither_changed_nor_deleted(way: str) -> None:
    chunk = store().chunks.get()
    before = Chunk.objects.values().get()
    chunk.body = b"other"
    with pytest.raises(AppendOnlyError):
        changes(chunk)[way]()
    assert Chunk.objects.values().get() == before


def test_a_match_with_a_log_cannot_be_deleted() -> None:
    match = store()
    with pytest.raises(ProtectedError):
        match.delete()
    with pytest.raises(ProtectedError):
        Match.objects.all().delete()


def test_the_database_itself_refuses_to_change_a_line() -> None:
    store()
    with (
        pytest.raises(DatabaseError, match="never changed"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("UPDATE games_chunk SET lines = 1")


async def test_the_asynchronous_ways_are_closed_too() -> None:
    for way in (Chunk.objects.aupdate, Chunk.objects.all().adelete):
        with pytest.raises(AppendOnlyError):
            await way(lines=1)
