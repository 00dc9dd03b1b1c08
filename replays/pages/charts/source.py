"""What charts are drawn from: a round's own lines or, if it is long, its stored outline.

A whole match is read from its lines up to `LONG_MATCH`, then from outlines. Nothing else is
read for a chart, however long the log is. (A long round without an outline was stored by an
older release: it is left out, with a note, until `rebuild_summaries` has run.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.archive import outlines
from games.archive.packing import LONG_MATCH, LONG_ROUND
from games.archive.store import shown_header
from games.engine.events import Deal, Event
from games.engine.perspective import SPECTATOR, see
from games.models import Match
from games.records.outline import FULL, Outline, cut, outline
from replays.charts.course import Course, Share, share
from replays.pages.match_log import numbered_of_round


class _Size(NamedTuple):
    """A round's size, according to the database."""

    round: int
    first_seq: int
    events: int


CUTS: Final = 64
"""A log or round is cut at least at so many places, at most at twice as many."""


def shown_until(match: Match, number: int | None, until: int | None) -> int | None:
    """Up to which line charts are drawn for whoever has seen line `until`; None: all there are.

    It is the newest line, or one of few at which logs are cut, so that most charts are made once.
    """
    if until is None or until >= match.lines - 1:
        return None
    first, end = 0, match.lines
    if number is not None:
        starts = match.chunks.filter(round__in=(number, number + 1)).order_by("first_seq")
        first_seqs = dict(reversed(starts.values_list("round", "first_seq")))
        first, end = first_seqs.get(number, 0), first_seqs.get(number + 1, match.lines)
        if until >= end - 1:
            return None
    step = 1 << max(0, ((end - first) // CUTS).bit_length() - 1)
    return max(first, until - until % step) if until >= first else until


def course_of(match: Match, number: int | None, until: int | None) -> Course:
    """A round of the match, or (None) all of it, up to and including line `until`.

    Raises LookupError if there is no such round.
    """
    sizes = [size for size in _sizes(match, number) if until is None or size.first_seq <= until]
    if number is not None and not sizes:
        raise LookupError(f"no round {number}")
    most = Share(FULL, FULL) if number is not None else share(len(sizes))
    rounds = list(_outlines(match, sizes, most, until))
    whole = number is None
    return Course(shown_header(match), rounds, whole=whole, missing=len(sizes) - len(rounds))


def _sizes(match: Match, number: int | None) -> list[_Size]:
    rows = match.chunks.filter(round__gt=0).order_by("first_seq")
    if number is not None:
        rows = rows.filter(round=number)
    sizes: dict[int, _Size] = {}
    for round_number, first_seq, events in rows.values_list("round", "first_seq", "events"):
        known = sizes.get(round_number, _Size(round_number, first_seq, 0))
        sizes[round_number] = known._replace(events=known.events + events)
    return list(sizes.values())


def _outlines(
    match: Match, sizes: Sequence[_Size], most: Share, until: int | None
) -> Iterator[Outline]:
    """The rounds in order, up to the first that cannot be drawn."""
    rows = match.outlines.filter(round__in=[sizes[0].round]) if len(sizes) == 1 else match.outlines
    kept = dict(rows.values_list("round", "body"))  # in one query; each is about a kilobyte
    alone, room = len(sizes) == 1, LONG_MATCH + LONG_ROUND
    for size in sizes:
        last = size is sizes[-1]
        long = size.events > LONG_ROUND
        if size.round in kept and (long or not (alone or (last and until))):
            yield _kept(match, bytes(kept[size.round]), most, until if last else None)
        elif long or size.events > room:
            return
        else:
            room -= size.events
            yield _read(match, size.round, most, until)


def _kept(match: Match, body: bytes, most: Share, until: int | None) -> Outline:
    whole = outlines.read(body, *(most if until is None else Share(FULL, FULL)))
    if match.hidden:
        snapshots = (m._replace(event=m.event and see(m.event, SPECTATOR)) for m in whole.snapshots)
        whole = whole._replace(snapshots=tuple(snapshots))
    return whole if until is None else cut(whole, until)


def _read(match: Match, number: int, most: Share, until: int | None) -> Outline:
    rows: list[tuple[int, Event]] = []
    deal, first = None, 0
    for seq, line in numbered_of_round(match, number):
        if until is not None and seq > until:
            break
        if isinstance(line, Deal):
            deal, first = line, seq
        elif isinstance(line, Event):
            rows.append((seq, line))
    assert deal is not None
    return outline(deal, first, rows, *most)
