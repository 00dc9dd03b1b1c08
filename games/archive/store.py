"""Where matches are stored and read back.

A record arrives whole (`insert`). A match being played starts with its header (`insert_match`) and
grows in `games.archive.append`. The summary that lists need is derived from the log (`summarise`).
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import BinaryIO

from django.db import transaction
from django.db.models import F

from games.archive.filters import BIT_RANGES
from games.archive.packing import PackedRecord, Packer, lines_of, text_of
from games.archive.summary import Summary
from games.bots.roster import APART, persona_named
from games.models import Chunk, Match, Player, PlayerAlias, Seat
from games.people.matches import access_of
from games.people.names import skeleton
from games.people.rights import public
from games.records.check import CheckedRecord, check
from games.records.log import Header, Line
from games.records.notation import parse_line, write_line

_DAY_S = 86_400


# --- Reading ----------------------------------------------------------------------------


def header_of(match: Match) -> Header:
    header = parse_line(match.header.encode(), 1)
    assert isinstance(header, Header)
    return header


def shown_header(match: Match) -> Header:
    """The match's header as pages show it: with the players' current names. One query."""
    names = match.seats.in_order().values_list("player__name", flat=True)
    return under_names(header_of(match), list(names))


def under_names(header: Header, names: Sequence[str]) -> Header:
    """The header with these names of its seats."""
    seats = (seat._replace(name=name) for seat, name in zip(header.seats, names, strict=True))
    return replace(header, seats=tuple(seats))


def log_of(match: Match) -> Iterator[Line]:
    """All lines of a match's log in order, without the header."""
    for lines in _runs_of(match, 1):
        yield from lines


def lines_of_rounds(match: Match, first: int, last: int) -> Iterator[Line]:
    """The lines of some rounds in order, including anything after the end of the last one."""
    chunks = match.chunks.filter(round__range=(first, last)).order_by("first_seq")
    for chunk in chunks.iterator(chunk_size=8):
        yield from lines_of(chunk.first_seq, chunk.packed, bytes(chunk.body))


def _runs_of(match: Match, first_seq: int) -> Iterator[list[Line]]:
    """The lines of each chunk (all of one round), starting with the one that has `first_seq`."""
    chunks = match.chunks.filter(first_seq__gt=first_seq - F("lines"))
    for chunk in chunks.order_by("first_seq").iterator(chunk_size=8):
        yield lines_of(chunk.first_seq, chunk.packed, bytes(chunk.body))


def record_of(match: Match, names: Sequence[str] = ()) -> Iterator[str]:
    """The record's text. `names`: of its seats, in place of those in its header."""
    header = write_line(under_names(header_of(match), names)) if names else match.header
    yield f"{header}\n"
    for chunk in match.chunks.order_by("first_seq").iterator(chunk_size=8):
        if chunk.packed:
            yield text_of(lines_of(chunk.first_seq, True, bytes(chunk.body)))
        else:
            yield bytes(chunk.body).decode()


def says_the_same(match: Match, packed: PackedRecord) -> bool:
    """Whether a record equals, line by line, the one stored as this match."""
    if match.header != packed.header or match.lines != packed.summary.lines:
        return False
    given = (
        text_of(lines_of(chunk.first_seq, chunk.packed, chunk.body)) for chunk in packed.chunks
    )
    stored, sent = hashlib.sha256(), hashlib.sha256(f"{packed.header}\n".encode())
    for text in record_of(match):
        stored.update(text.encode())
    for text in given:
        sent.update(text.encode())
    return stored.digest() == sent.digest()


# --- Whole records ----------------------------------------------------------------------


def read_record(file: BinaryIO) -> tuple[CheckedRecord, PackedRecord]:
    """Check a record and pack it. Raises RecordFault."""
    packer: Packer | None = None

    def each(line: Line) -> None:
        nonlocal packer
        if packer is None:
            assert isinstance(line, Header)
            packer = Packer(line)
        else:
            packer.take(line)

    report = check(file, each)
    assert packer is not None
    return report, packer.done()


@transaction.atomic
def insert(
    records: Sequence[PackedRecord], origin: Match.Origin = Match.Origin.IMPORTED
) -> list[Match]:
    """Store whole records, all or none. Those without a result are never continued.

    `origin`: where they come from, which a record cannot say about itself. Raises IntegrityError if
    a match with the same id exists.
    """
    now = datetime.now(UTC)
    matches = [_match(record.header, record.summary, now) for record in records]
    for match, record in zip(matches, records, strict=True):
        match.origin = origin
        _summarise(match, record.summary, being_played=False)
        match.lines = record.summary.lines
    Match.objects.bulk_create(matches)
    _add_seats(matches, [record.summary for record in records])
    Chunk.objects.bulk_create(
        Chunk(match=match, **chunk_fields._asdict())
        for match, record in zip(matches, records, strict=True)
        for chunk_fields in record.chunks
    )
    return matches


def insert_match(header: Header, live: Mapping[str, object]) -> Match:
    """Store the beginning of a match to be played. `live`: its fields for playing."""
    summary = Summary(header)
    match = _match(write_line(header), summary, datetime.now(UTC))
    match.origin = Match.Origin.HOSTED
    for name, value in live.items():
        setattr(match, name, value)
    _summarise(match, summary, being_played=True)
    match.save(force_insert=True)
    _add_seats([match], [summary])
    return match


def _match(header: str, summary: Summary, now: datetime) -> Match:
    head = summary.header
    stamp = datetime.fromisoformat(head.started_at) if head.started_at else now
    return Match(
        record_id=head.id,
        header=header,
        edition=head.edition,
        seat_count=len(head.seats),
        source=head.source or "",
        started_at=stamp.replace(microsecond=0),
        day=int(stamp.timestamp() // _DAY_S),
    )


def _add_seats(matches: Sequence[Match], summaries: Sequence[Summary]) -> None:
    seats = [seat for summary in summaries for seat in summary.header.seats]
    players = players_named({seat.name for seat in seats})
    of_bots = players | _renamed_bots({seat.name for seat in seats if seat.kind == "bot"})
    Seat.objects.bulk_create(
        Seat(
            match=match,
            number=number,
            player_id=(of_bots if seat.kind == "bot" else players)[seat.name],
            kind=seat.kind,
            beginner=seat.beginner,
            started_at=match.started_at,
            origin=match.origin,
            shown=shown_of(match),
            **_fate(summary, number),
        )
        for match, summary in zip(matches, summaries, strict=True)
        for number, seat in enumerate(summary.header.seats)
    )


def players_named(names: Iterable[str]) -> dict[str, int]:
    """Each name's player, also by a renamed player's old names. Missing ones are created."""
    wanted = sorted(names)
    known = _player_ids(wanted)
    missing = [name for name in wanted if name not in known]
    if missing:
        made = (Player(name=name, skeleton=skeleton(name)) for name in missing)
        Player.objects.bulk_create(made, ignore_conflicts=True)
        known |= _player_ids(missing)
    return known


def _renamed_bots(names: Iterable[str]) -> dict[str, int]:
    """Players of those site's bots whose names people had first, by the names of the bots.

    They are known by an alias, since any record can name a player.
    """
    apart = {name + APART: name for name in names if persona_named(name)}
    if not apart:
        return {}
    rows = PlayerAlias.objects.filter(name__in=apart).values_list("name", "player_id")
    return {apart[alias]: player for alias, player in rows}


def _player_ids(names: Sequence[str]) -> dict[str, int]:
    aliases = PlayerAlias.objects.filter(name__in=names).values_list("name", "player_id")
    return dict([*Player.objects.filter(name__in=names).values_list("name", "pk"), *aliases])


# --- Summaries --------------------------------------------------------------------------


def _summarise(match: Match, summary: Summary, *, being_played: bool) -> None:
    match.state = _state(summary, being_played)
    match.filter_bits = summary.filter_bits(
        public(access_of(match)), elsewhere=match.from_elsewhere
    )
    match.rounds = summary.rounds
    match.events = summary.events
    match.ties = summary.ties
    match.lates = summary.lates
    match.duration_ms = summary.duration_ms
    match.winners = summary.result and sum(1 << seat for seat in summary.result.winners)
    match.margin = summary.margin
    match.lead_history = summary.lead_history


DERIVED = (
    "state", "filter_bits", "rounds", "events", "ties", "lates", "duration_ms", "winners", "margin",
    "lead_history",
)  # fmt: skip


def _state(summary: Summary, being_played: bool) -> Match.State:
    if summary.result:
        return Match.State.ABANDONED if summary.abandoned else Match.State.FINISHED
    return Match.State.OPEN if being_played else Match.State.UNFINISHED


def shown_of(match: Match) -> Seat.Shown:
    """What pages of players show of a match."""
    if not BIT_RANGES["listed"].get(match.filter_bits):
        return Seat.Shown.NOTHING
    finished = match.state == Match.State.FINISHED
    return Seat.Shown.RESULT if finished else Seat.Shown.MATCH


def _fate(summary: Summary, number: int) -> dict[str, int | bool | None]:
    won = summary.result is not None and number in summary.result.winners
    return {"total": summary.totals[number] if summary.ended else None, "won": won}


@transaction.atomic
def summarise(match: Match, summary: Summary | None = None) -> Summary:
    """Derive a match's summary for lists from its log, and store it.

    `summary`: covers the log up to the end of some round. Only the rest is read.
    """
    summary = summary or Summary(header_of(match))
    for lines in _runs_of(match, summary.lines):
        summary.read(lines)
    _summarise(match, summary, being_played=match.state == Match.State.OPEN)
    match.save(update_fields=DERIVED)
    for seat in match.seats.all():
        fate = _fate(summary, seat.number)
        Seat.objects.filter(pk=seat.pk).update(shown=shown_of(match), **fate)
    return summary
