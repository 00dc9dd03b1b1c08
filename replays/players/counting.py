"""Counting matches that are over into `SeatFigures`: once for each log and version of the measures.

Uploaded records are not counted: they prove nothing about their players. The site's owner imports
the others. Abandoned ones are counted for their missed takes. A player's figures leave them out.
"""

from collections.abc import Iterator
from typing import Final

from django.db.models import Exists, Max, OuterRef, QuerySet

from games.models import Match, Seat
from replays.analysis.players.counts import Counts, SeatCounts, seat_counts
from replays.analysis.versions import MEASURES_VERSION
from replays.models import SeatFigures
from replays.stored.logs import lags_of, timeline_of

COUNTED: Final = (Match.Origin.HOSTED, Match.Origin.SIMULATED, Match.Origin.IMPORTED)
RECENT: Final = 10_000
"""How many numbers of matches back a recent one may lie."""


def countable() -> QuerySet[Match]:
    """Matches that are over, abandoned ones too."""
    return Match.objects.exclude(state=Match.State.OPEN).filter(origin__in=COUNTED)


def uncounted(*, recent: bool = False) -> QuerySet[Match]:
    """Matches that are over, without figures of the current measures, newest first.

    `recent`: only among the matches stored last, at a cost that does not grow with the archive.
    """
    current = SeatFigures.objects.filter(seat__match=OuterRef("pk"), version=MEASURES_VERSION)
    over = countable()
    if recent:
        over = over.filter(pk__gt=recent_from())
    return over.filter(~Exists(current)).order_by("-pk")


def counted_before(most: int) -> list[int]:
    """The newest matches whose figures are of earlier measures, about so many seats' worth."""
    older = SeatFigures.objects.filter(version__lt=MEASURES_VERSION)
    version = older.aggregate(last=Max("version"))["last"]
    # By version: after two changes, those counted between them are the newest.
    seats = older.filter(version=version).order_by("-seat").values_list("seat__match", flat=True)
    return list(dict.fromkeys(seats[:most]))


def recent_from() -> int:
    """The number that those of recent matches exceed."""
    newest: int = Match.objects.aggregate(newest=Max("pk"))["newest"] or 0
    return newest - RECENT


def count_missing(most: int | None = None) -> Iterator[Match]:
    """Count the uncounted matches, or the newest `most` of them. Yields each once it is stored."""
    for pk in list(uncounted().values_list("pk", flat=True)[:most]):
        match = Match.objects.get(pk=pk)
        count(match)
        yield match


def count(match: Match) -> None:
    """Store what each seat of a match contributes, replacing what was stored before."""
    counts = seat_counts(timeline_of(match), lags_of(match))
    SeatFigures.objects.bulk_create(
        [
            _row(seat, of_seat)
            for seat, of_seat in zip(match.seats.order_by("number"), counts, strict=True)
        ],
        update_conflicts=True,
        unique_fields=["seat"],
        update_fields=["version", "points", "spans", "costs", *Counts._fields],
    )


def _row(seat: Seat, of_seat: SeatCounts) -> SeatFigures:
    return SeatFigures(
        seat=seat,
        version=MEASURES_VERSION,
        points=of_seat.points,
        spans=[list(span) for span in of_seat.spans],
        costs={kind: list(cost) for kind, cost in of_seat.costs.items()},
        **of_seat.counts._asdict(),
    )
