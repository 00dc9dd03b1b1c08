"""A match in a list, ready to be shown: words, and a small chart of its course."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.archive.filters import BIT_RANGES, OUTCOMES
from games.archive.queries import Row, SeatRow
from games.archive.summary import LEADS, SAMPLES, read_leads
from games.engine.editions import EDITIONS
from games.engine.message import Message, spoken
from games.models import Match
from games.pages.words import day, together, words
from games.tables.house_rules import length_words
from replays.pages.forms import edition_name

_WEEK: Final = 7
LANE: Final = 10
"""A seat's share of the chart's height."""
_THIN: Final = 2.0
_STEP: Final = (LANE - 1 - _THIN) / len(LEADS)


class SeatWords(NamedTuple):
    """A seat in a list. Numbers are text, since templates are slow with numbers."""

    number: str
    name: str
    url: str
    """The player's page. Empty if the name is only from a record."""
    bot: bool
    total: str
    won: bool
    path: str
    """Its lane of the chart: a block wherever it led, higher for a larger lead."""


class MatchWords(NamedTuple):
    """A match in a list. Anything about its end is empty for viewers who hide ends."""

    id: int
    url: str
    title: str
    edition: str
    day: str
    stamp: str
    state: str
    private: bool
    """Whether lists omit it: the viewer's own matches may be private or without spectators."""
    outcome: str
    drawn: bool
    counts: str
    height: str
    lead_words: str
    origin: str
    played_for: str
    """The players for whom a bot played all of it."""
    finished_for: str
    """The others for whom a bot finished it."""
    seats: Sequence[SeatWords]
    word: str = ""  # a bookmark's


def words_of(row: Row, *, spoilers: bool) -> MatchWords:
    names = [seat.name for seat in row.seats]
    proved = row.origin != Match.Origin.UPLOADED
    seats = by_points(row.seats) if spoilers else row.seats
    counted = spoilers and (row.state != Match.State.ABANDONED or any(seat.total for seat in seats))
    lanes = _lanes(row, seats) if counted else [""] * len(names)
    return MatchWords(
        id=row.id,
        url=reverse("replays:replay", args=[row.id]),
        title=together(names),
        edition=f"{edition_name(row.edition)}, {_length(row)}",
        day=recent_day(row.started_at.date(), datetime.now(UTC).date()),
        stamp=row.started_at.isoformat(),
        state=row.state if spoilers or row.state == "open" else "",
        private=not BIT_RANGES["listed"].get(row.filter_bits),
        outcome=_outcome(row) if spoilers else "",
        drawn=spoilers and sum(seat.won for seat in row.seats) > 1,
        counts=_counts(row) if spoilers else "",
        height=str(LANE * len(names)),
        lead_words=_lead_words(row, names) if spoilers and any(lanes) else "",
        origin=came_from(row.origin, row.sender)
        or (_("simulated") if row.origin == Match.Origin.SIMULATED else ""),
        played_for=_together(row, lambda seat: spoilers and seat.absent),
        finished_for=_together(row, lambda seat: spoilers and seat.stand_in and not seat.absent),
        seats=[
            SeatWords(
                str(seat.number),
                seat.name,
                player_url(seat.name) if proved and not seat.of_class else "",
                seat.kind == "bot",
                spoken(seat.total) if counted and seat.total is not None else "",
                seat.won and spoilers,
                lane,
            )
            for seat, lane in zip(seats, lanes, strict=True)
        ],
    )


def _together(row: Row, fits: Callable[[SeatRow], bool]) -> str:
    """The names of the seats that fit."""
    return together(seat.name for seat in row.seats if fits(seat))


def _length(row: Row) -> str:
    """How long it was to last, as its header says."""
    rules = json.loads(row.header).get("rules", {})
    target = rules.get("target", EDITIONS[row.edition].target)
    return length_words(target, speedy=rules.get("speedy", False))


def recent_day(when: date, today: date) -> str:
    """`Today`, `Yesterday`, `Monday` within a week, then `3 May`. The year if it is another."""
    ago = (today - when).days
    if ago in (0, 1):
        return (_("Today"), _("Yesterday"))[ago]
    if 1 < ago < _WEEK:
        return date_format(when, "l")
    return date_format(when, _("j M")) if when.year == today.year else day(when)


@lru_cache(maxsize=4_096)
def player_url(name: str) -> str:
    return reverse("replays:player", args=[name])


def by_points(seats: Sequence[SeatRow]) -> Sequence[SeatRow]:
    """The seats, winners first."""
    return sorted(seats, key=lambda seat: (not seat.won, -(seat.total or 0)))


def _lanes(row: Row, seats: Sequence[SeatRow]) -> list[str]:
    """For each of these seats, the SVG path of the blocks in its lane of the chart."""
    lanes = [""] * len(seats)
    place = {seat.number: at for at, seat in enumerate(seats)}
    at = 0
    for sample, run in groupby(read_leads(row.lead_history)):
        width = len(list(run))
        if (lane := place.get(sample.seat)) is not None:
            height = _THIN + sample.steps * _STEP
            top = LANE * lane + (LANE - height) / 2
            lanes[lane] += f"M{at} {top:.1f}h{width}v{height:.1f}h-{width}z"
        at += width
    return lanes


def _lead_words(row: Row, names: Sequence[str]) -> str:
    """The chart in words: who led for how long."""
    led = [0] * (max(len(names), 6))
    for sample in read_leads(row.lead_history):
        led[sample.seat] += 1
    shares = sorted(zip(led, names, strict=False), reverse=True)
    parts = [
        _("{name} {percent}%").format(name=name, percent=100 * share // SAMPLES)
        for share, name in shares
        if share
    ]
    return _("Led: {shares}").format(shares=", ".join(parts)) if parts else ""


def _outcome(row: Row) -> str:
    if row.state == "open":
        return ""
    if row.state == Match.State.ABANDONED and row.rounds > 1:
        return _("abandoned, the last round does not count")
    if row.state != "finished":
        return str(Match.State(row.state).label)
    if BIT_RANGES["outcome"].get(row.filter_bits) == 1 + OUTCOMES.index("drawn"):
        return _("drawn")
    won = ngettext("won by {count} point", "won by {count} points", row.margin or 0)
    return won.format(count=row.margin) if row.margin else _("won")


def _counts(row: Row) -> str:
    if row.state == "open":
        return words(Message("round {round}", round=row.rounds + 1))  # only finished ones count
    if not row.rounds:
        return ""
    parts = [clock(row.duration_ms)]
    if row.rounds > 1:
        rounds = ngettext("{count} round", "{count} rounds", row.rounds)
        parts.append(rounds.format(count=row.rounds))
    if row.ties:
        parts.append(ngettext("{count} tie", "{count} ties", row.ties).format(count=row.ties))
    if BIT_RANGES["notes"].get(row.filter_bits):
        parts.append(_("notes"))
    return ", ".join(part.replace(" ", "\xa0") for part in parts)


def clock(ms: int) -> str:
    """A duration as h:mm:ss, without hours if there are none."""
    minutes, seconds = divmod(ms // 1_000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


# --- Where a match comes from ---------------------------------------------------------------------


UNCHECKED = gettext_lazy(
    "This record was not made here. Its names aren’t linked to accounts, and it affects no "
    "one’s results."
)


def came_from(origin: str, sender: str | None) -> str:
    """`uploaded by Kim`, `imported`. Empty if played here."""
    if origin == Match.Origin.UPLOADED:
        return _("uploaded by {sender}").format(sender=sender) if sender else _("uploaded")
    return _("imported") if origin == Match.Origin.IMPORTED else ""


def sender_of(match: Match) -> str:
    """The uploader of the match, by their name at the time. Empty if unknown."""
    upload = getattr(match, "upload", None) if match.origin == Match.Origin.UPLOADED else None
    return upload.name if upload else ""
