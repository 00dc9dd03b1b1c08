"""The replay page's first data of a match, before it requests the log."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, NamedTuple

from games.archive.packing import decompress
from games.archive.store import shown_header
from games.models import Match
from games.pages.words import HERE, day, spoken_names
from games.people.visit import Visit
from games.records.log import FAIR_VERSION, Header, Seat
from games.tables.guided import DEALS
from replays.analysis.sentences import render_text, say
from replays.analysis.verdict import outcome, own_outcome
from replays.pages.telling import as_known
from replays.stored import reports

Json = dict[str, Any]


def replay_of(visit: Visit, match: Match, urls: dict[str, str], *, spoilers: bool) -> Json:
    """The replay page's first data. Without `spoilers` it reveals nothing about the end.

    A page may add `opening`: the seq of the play before which it opens. 0: none is known, it opens
    at the deal.
    """
    header = shown_header(match)
    names = as_known(visit, match, [seat.name for seat in header.seats])
    page: Json = {
        "id": match.pk,
        "edition": match.edition,
        "rules": asdict(header.rules),
        "seats": list(map(_seat, header.seats, names)),
        "started_at": header.started_at,
        "spoilers": spoilers,
        "urls": urls,
    }
    if spoilers:
        page["rounds"] = rounds_of(match)
        page["seq"] = match.lines - 1
        page["finished"] = match.over
        page["result"] = winners_of(match)
    return page


def played_on(started_at: str | None) -> str:
    """The day of an ISO time, as the lists of matches write it. Empty if unknown."""
    return day(datetime.fromisoformat(started_at)) if started_at else ""


def _seat(seat: Seat, name: str) -> Json:
    return {"name": name, "kind": seat.kind, **({"beginner": True} if seat.beginner else {})}


class SeatOutcome(NamedTuple):
    """How a match ended for a seat. `lag_ms`: the median, measured in live matches only."""

    name: str
    total: int | None
    stand_in: bool
    """Whether a bot finished it."""
    lag_ms: int | None


def outcomes_of(match: Match, names: Sequence[str]) -> list[SeatOutcome]:
    """Each seat's of a finished match. Empty before."""
    if not match.over:
        return []
    fields = ("total", "stand_in", "lag_ms")
    seats = zip(names, match.seats.in_order().values_list(*fields), strict=True)
    return [SeatOutcome(name, *seat) for name, seat in seats]


def dealt_fairly(match: Match, header: Header) -> bool:
    """Whether the match is over, and its deals are among those that can be checked."""
    checkable = header.version == FAIR_VERSION and DEALS not in header.tags
    return match.over and not match.from_elsewhere and checkable


def verdict_of(match: Match, seats: Sequence[SeatOutcome], own: int | None = None) -> str:
    """How a finished match ended. Empty if unknown. `own`: said to that seat's player; no draw."""
    won, totals = winners_of(match), [seat.total for seat in seats if seat.total is not None]
    if won is None or not totals:
        return ""
    found = outcome(totals, won) if own is None else own_outcome(totals, won, own)
    return render_text(say(found or ()), spoken_names([seat.name for seat in seats]), HERE)


def told_of(look: reports.FirstLook | None, names: Sequence[str], own: int | None = None) -> str:
    """As `verdict_of`, or who leads, with the reason. Empty without a stored report."""
    said = say() if look is None else look.verdict if own is None else look.own_verdicts[own]
    return render_text(said, spoken_names(names), HERE)


def winners_of(match: Match) -> list[int] | None:
    """The winning seats. None without a result."""
    if match.winners is None:
        return None
    return [seat for seat in range(match.seat_count) if match.winners >> seat & 1]


def rounds_of(match: Match) -> list[Json]:
    """Where each round is in the log (`seq` of its deal), and how long it is."""
    rounds: dict[int, Json] = {}
    fields = ("round", "first_seq", "events", "duration_ms", "packed")
    for number, seq, events, ms, packed in match.chunks.order_by("first_seq").values_list(*fields):
        extent = rounds.setdefault(
            number,
            {"round": number, "seq": seq, "events": 0, "duration_ms": 0, "finished": False},
        )
        extent["events"] += events
        extent["duration_ms"] += ms
        extent["finished"] |= packed or ms > 0
    _measure_last(match, rounds)
    return list(rounds.values())


def _measure_last(match: Match, rounds: dict[int, Json]) -> None:
    """Set an unfinished round's duration to its time so far. Only the last can be one."""
    last = rounds.get(max(rounds, default=0))
    if last and match.state == Match.State.UNFINISHED and not last["duration_ms"]:
        last["finished"] = False
    if last and not last["finished"]:
        before = sum(extent["duration_ms"] for extent in rounds.values())
        last["duration_ms"] = max(0, match.duration_ms - before)


def first_chunk(match: Match, round_number: int | None, seq: int | None) -> Json | None:
    """A round as it is stored, for the page to start with: that one, the one with `seq`, or the
    first. The seq of its deal, and its columns."""
    packed = match.chunks.filter(packed=True).order_by("first_seq")
    chunk = None
    if match.hidden:
        return None
    if round_number is not None:
        chunk = packed.filter(round=round_number).first()
    elif seq is not None:
        chunk = packed.filter(first_seq__lte=seq).last()
    chunk = chunk or packed.first()
    if chunk is None:
        return None
    return {"seq": chunk.first_seq, "packed": decompress(bytes(chunk.body))}
