"""Whether a note or variation is possible at its position, by the record format's own rules.

This repeats the record checker's checks (`games.records.remarks`) on a stored match: position,
span, marks, and the line and note referred to.
"""

import json
from collections.abc import Callable, Iterable
from functools import partial, reduce
from operator import or_
from typing import NamedTuple

from django.db.models import Max, Q, Sum

from games.archive.packing import lines_of
from games.archive.store import header_of, lines_of_rounds
from games.engine.cards import OWNER, deck_of
from games.engine.events import Deal, End, Event
from games.engine.facts import Fault
from games.engine.message import WordedError, message_of
from games.engine.table import Table, apply
from games.models import Match
from games.models.matches import Chunk
from games.records.check import new_table
from games.records.log import MAX_LINE_BYTES, Header, Line, Note, Variation
from games.records.notation import write_line
from games.records.parsing import event_from
from games.records.remarks import Branch, Remarks
from replays import models
from replays.variations.lines import apply_verified


class ValidationFault(WordedError):  # noqa: N818 - what was sent is, and that is no error of ours
    """It is not possible there. The message says why."""


# --- What is stored of the match -------------------------------------------------------------


class Extent(NamedTuple):
    """A match, and the rounds and events that remarks can refer to."""

    match: Match
    header: Header
    counts: list[int]
    """The number of events in each round up to the one referred to."""
    ended: int
    """How many rounds have ended."""
    lines: Callable[[int], Iterable[Line]]
    """The lines of a round."""


ExtentOf = Callable[[Match, int], Extent]


def _lines(match: Match, number: int) -> tuple[Line, ...]:
    return tuple(lines_of_rounds(match, number, number))


def extent_of(match: Match, round_number: int) -> Extent:
    """A match's contents up to a round. Raises ValidationFault if there is no such round."""
    rows = match.chunks.filter(round__gt=0)
    last = rows.aggregate(last=Max("round"))["last"] or 0
    if not 1 <= round_number <= last:
        raise ValidationFault(
            "round: expected one of the {last} of this match, found {found}",
            last=last,
            found=round_number,
        )
    here = rows.filter(round=round_number)
    events = here.aggregate(events=Sum("events"))["events"] or 0
    over = round_number < last or _has_ended(match, round_number)
    counts = [0] * (round_number - 1) + [events]
    ended = round_number if over else round_number - 1
    return Extent(match, header_of(match), counts, ended, partial(_lines, match))


def _has_ended(match: Match, last_round: int) -> bool:
    """Whether the last round of a match has. That of an unfinished record may stop anywhere."""
    if match.state == match.State.UNFINISHED:
        return any(isinstance(line, End) for line in _lines(match, last_round))
    return match.over or match.chunks.filter(round=last_round, packed=True).exists()


def table_at(extent: Extent, event: int, line: models.Variation | None = None) -> Table:
    """The table after that many events of its last round, along a variation if one is given."""
    if line is None:
        return _mainline(extent, event)
    table = table_at(extent, min(event, line.event), line.line)
    for made in events_of(line)[: max(0, event - line.event)]:
        apply(table, made)
    return table


def _mainline(extent: Extent, event: int) -> Table:
    number = len(extent.counts)
    table = new_table(extent.header)
    before = [line for line in extent.lines(number - 1) if isinstance(line, End)]
    if before:
        table.totals = before[-1].totals
    for line in extent.lines(number):
        if isinstance(line, Deal):
            table.deal(line)
        elif table.events >= event:
            break
        elif isinstance(line, Event):
            apply(table, line)
    return table


def events_of(variation: models.Variation) -> tuple[Event, ...]:
    """A stored variation's own events."""
    return tuple(map(event_from, json.loads(variation.events)))


# --- Notes and variations ----------------------------------------------------------------------


def verify_note(
    extent: Extent, note: Note, line: models.Variation | None, reply: models.Note | None
) -> None:
    """Raise ValidationFault unless the note is possible in the match and reveals nothing hidden."""
    remarks = _remarks(extent, line)
    along, answered = line.key if line else None, reply.key if reply else None
    try:
        if reply is not None:
            remarks.take(_answered_note(reply), extent.counts, extent.ended)
        remarks.take(note._replace(line=along, reply=answered), extent.counts, extent.ended)
    except Fault as fault:
        raise ValidationFault(message_of(fault)) from None
    if extent.match.hidden:
        _verify_visible(extent, note)


def verify_variation(
    extent: Extent, variation: Variation, line: models.Variation | None
) -> tuple[Table, str]:
    """The table at its end, and its events as canonical JSON.

    Raises ValidationFault if it is impossible.
    """
    if len(write_line(variation).encode()) > MAX_LINE_BYTES:
        raise ValidationFault("events: they are more than fit in a line of a record")
    remarks = _remarks(extent, line)
    try:
        along = line.key if line else None
        remarks.take(variation._replace(line=along), extent.counts, extent.ended)
        table = table_at(extent, variation.event, line)
        apply_verified(table, variation.events)
    except Fault as fault:
        raise ValidationFault(message_of(fault)) from None
    return table, f"[{','.join(map(write_line, variation.events))}]"


def _remarks(extent: Extent, line: models.Variation | None) -> Remarks:
    """The checker of remarks, knowing the line referred to."""
    remarks = Remarks(2, lambda mark: _exists(extent.header, mark))
    if line is not None:
        above = line.line.key if line.line else None
        branch = Branch(line.round, above, line.event, line.length, line.ended, line.depth)
        remarks.branches[line.key] = branch
    return remarks


def _answered_note(note: models.Note) -> Note:
    """A stored note as the one being answered: only its position matters."""
    line = note.line.key if note.line else None
    return Note(note.round, note.event, text="-", id=note.key, line=line)


def _exists(header: Header, mark: str) -> bool:
    kind, name = mark.split(":")
    if kind != "card":
        return int(name) < len(header.seats)
    seat = OWNER[name]
    return seat < len(header.seats) and name in deck_of(seat, header.rules.deck)


def _verify_visible(extent: Extent, note: Note) -> None:
    """In a match being played, only visible cards can be pointed at."""
    table = table_at(extent, note.event)
    shown = {card for cards in (*table.stacks, *table.score_piles) for card in cards}
    for mark in (*note.marks, *(end for arrow in note.arrows for end in arrow.split(">"))):
        kind, name = mark.split(":")
        if kind == "card" and name not in shown:
            raise ValidationFault(
                "marks: {mark} is hidden while the match is being played", mark=mark
            )


class SpanTimes(NamedTuple):
    """A span's begin and end, in ms of its round. For one position, twice the same."""

    begins: int
    ends: int


def times_of(items: Iterable[models.PlaylistItem | models.Note]) -> list[SpanTimes | None]:
    """Each span's times. None in a variation."""
    rows = list(items)
    clocks = _clocks(dict.fromkeys((row.match_id, row.round) for row in rows if not row.line_id))
    return [
        None if row.line_id else _times(row, clocks.get((row.match_id, row.round))) for row in rows
    ]


def _times(row: models.PlaylistItem | models.Note, clock: list[int] | None) -> SpanTimes | None:
    until = row.event if row.until is None else row.until
    if clock is None or max(row.event, until) >= len(clock):
        return None
    return SpanTimes(clock[row.event], clock[until])


def _clocks(rounds: Iterable[tuple[int, int]]) -> dict[tuple[int, int], list[int]]:
    """For each match and round the time after so many events. Place 0 is the deal. One query."""
    wanted = [Q(match=match, round=number) for match, number in rounds]
    if not wanted:
        return {}
    clocks: dict[tuple[int, int], list[int]] = {}
    chunks = Chunk.objects.filter(reduce(or_, wanted)).order_by("first_seq")
    for chunk in chunks.iterator(chunk_size=8):
        lines = lines_of(chunk.first_seq, chunk.packed, bytes(chunk.body))
        times = [line.t for line in lines if isinstance(line, Event)]
        clocks.setdefault((chunk.match_id, chunk.round), [0]).extend(times)
    return clocks
