"""The ledgers of ratings, people's and bots' (docs/explanation/ratings.md): a line for each match.

It follows from the logs alone: matches are rated in the order of their ends (the start plus the
length of all rounds), and for equal ends by the record's id. `settle` rates the new matches. A
match that belongs further up, or counts no longer, makes it rate again from that place. So the
ledger is the same in whatever order matches were stored.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.lookups import Exact

from games.archive.filters import BIT_RANGES
from games.engine.editions import EDITIONS
from games.engine.message import Message
from games.models import Match, Seat
from games.people.names import MARK
from replays.jobs.kinds import Asked, Json, Kind
from replays.jobs.matches import begin_again, failed_in, over_matches
from replays.models import Rating, RatingChange, RatingLedger
from replays.players.counting import count, counted_before, recent_from, uncounted
from replays.ratings.bots import ladders
from replays.ratings.standing import BOTS, NEW, Standing, places, rated

_NO_PERSONS: Final = Q(user=None) | Q(user__account__bot=True) | Q(player__name__endswith=MARK)
"""Seats of guests, of programs, and of accounts that are deleted."""
_BATCH: Final = 1_000
_MAX_MATCHES: Final = 2_000
"""Matches in one job. The next minute's job has the rest."""
_MAX_SEATS: Final = 8_000
"""The same of those that are counted again."""


class RatedMatch(NamedTuple):
    """A match to be rated. The rest is by seat.

    `fixed`: the standings of the roster's bots on their ladder, which a match does not change.
    """

    ended_at: datetime
    record_id: str
    match: int
    players: tuple[int, ...]
    totals: tuple[int, ...]
    fixed: tuple[Standing | None, ...]


def rateable(ledger: str) -> QuerySet[Match]:
    """The matches that count: played here, public, with a result.

    Those of people are among accounts alone, none of them a program. Those of bots are among
    accounts that are bots and the roster's, without people and programs without an account.
    """
    edition = ledger.removeprefix(BOTS)
    matches = Match.objects.filter(
        edition=edition,
        origin=Match.Origin.HOSTED,
        state=Match.State.FINISHED,
        visibility=Match.Visibility.PUBLIC,
    )
    seats = Seat.objects.filter(match=OuterRef("pk"))
    if ledger == edition:
        others = seats.filter(_NO_PERSONS)
        return matches.filter(_without("bots"), ~Exists(others))
    mine = seats.filter(user__account__bot=True, player__name__endswith=MARK)
    strangers = seats.filter(temper="").exclude(user__account__bot=True)
    return matches.filter(_without("humans"), Exists(mine), ~Exists(strangers))


def _without(kind: str) -> Exact:
    return Exact(F("filter_bits").bitand(BIT_RANGES[kind].mask), 0)


def settle_all(*, recent: bool = False) -> int:
    """Bring all ledgers up to date. Returns how many matches were rated."""
    return sum(settle(f"{of}{edition}", recent=recent) for of in ("", BOTS) for edition in EDITIONS)


def outdated() -> QuerySet[Seat]:
    """Seats with lines about matches that count no longer: not public, or with an account that is
    deleted. An index has these seats alone.
    """
    return Seat.objects.filter(rated_wrongly=True)


def rebuild() -> int:
    """Rate all matches again, in one transaction. Returns how many."""
    with transaction.atomic():
        RatingChange.objects.all().delete()
        Rating.objects.all().delete()
        Seat.objects.filter(rated=True).update(rated=False)
        return settle_all()


@transaction.atomic
def settle(edition: str, *, recent: bool = False) -> int:
    """Rate an edition's matches that are not in its ledger. Returns how many were rated.

    `recent`: look for them only among the matches stored last (`replays.players.counting`), and
    for lines to delete only among those `outdated`. Of several processes that settle at once, each
    waits for the others.
    """
    RatingLedger.objects.get_or_create(edition=edition)
    RatingLedger.objects.select_for_update().get(edition=edition).save()
    ledger = RatingChange.objects.filter(edition=edition)
    of_match = RatingChange.objects.filter(match=OuterRef("pk"))
    unrated = rateable(edition).filter(~Exists(of_match))
    new = _outcomes(unrated.filter(pk__gt=recent_from()) if recent else unrated)
    counting = rateable(edition).filter(pk=OuterRef("match"))
    wrong = Q(match__in=outdated().values("match")) if recent else ~Exists(counting)
    gone = ledger.filter(wrong).order_by("ended_at").first()
    starts = [outcome.ended_at for outcome in new] + ([gone.ended_at] if gone else [])
    if not starts:
        return 0
    later = ledger.filter(ended_at__gte=min(starts))
    again = _outcomes(rateable(edition).filter(pk__in=later.values("match")))
    touched = set(later.values_list("player", flat=True))
    Seat.objects.filter(match__in=later.values("match"), rated=True).update(rated=False)
    later.delete()
    outcomes = sorted([*new, *again])
    changes = list(_rate(edition, outcomes))
    RatingChange.objects.bulk_create(changes, batch_size=_BATCH)
    _mark_rated([outcome.match for outcome in outcomes])
    _store_last(edition, touched | {change.player_id for change in changes})
    return len(outcomes)


def _mark_rated(matches: Sequence[int]) -> None:
    lines = RatingChange.objects.filter(match=OuterRef("match"), player=OuterRef("player"))
    for since in range(0, len(matches), _BATCH):
        seats = Seat.objects.filter(match__in=matches[since : since + _BATCH])
        seats.filter(Exists(lines)).update(rated=True)


def _outcomes(matches: QuerySet[Match]) -> list[RatedMatch]:
    """The results of matches. One in which a name has two seats cannot be rated."""
    rows = list(matches.values_list("pk", "record_id", "started_at", "duration_ms"))
    seats = _seats([row[0] for row in rows])
    outcomes = (
        RatedMatch(started + timedelta(milliseconds=ms), record, pk, *seats[pk])
        for pk, record, started, ms in rows
    )
    return [outcome for outcome in outcomes if len(set(outcome.players)) == len(outcome.players)]


def _seats(matches: Sequence[int]) -> dict[int, list[tuple[Any, ...]]]:
    """The players, totals and fixed standings of each match, by seat."""
    by_match: dict[int, list[tuple[int, int, Standing | None]]] = {}
    fixed_in = {edition: dict(ladder.rungs) for edition, ladder in ladders().items()}
    for since in range(0, len(matches), _BATCH):
        rows = Seat.objects.filter(match__in=matches[since : since + _BATCH]).order_by("number")
        columns = ("match_id", "player_id", "total", "temper", "level", "match__edition")
        for match, player, total, temper, level, edition in rows.values_list(*columns):
            ladder = fixed_in.get(edition, {})
            fixed = ladder.get(f"{temper}:{level}", NEW) if temper else None
            by_match.setdefault(match, []).append((player, total or 0, fixed))
    return {match: list(zip(*seats, strict=True)) for match, seats in by_match.items()}


def _rate(edition: str, outcomes: Sequence[RatedMatch]) -> Iterable[RatingChange]:
    """The lines of some matches in order, after those in the ledger."""
    now: dict[int, Standing] = {}
    for outcome in outcomes:
        known = zip(outcome.players, outcome.fixed, strict=True)
        before = [fixed or now.get(player) or _last(edition, player) for player, fixed in known]
        after = rated(before, outcome.totals)
        ends = zip(outcome.players, outcome.fixed, places(outcome.totals), after, strict=True)
        for player, fixed, place, standing in ends:
            if fixed is not None:
                continue
            now[player] = standing
            yield RatingChange(
                match_id=outcome.match,
                player_id=player,
                edition=edition,
                ended_at=outcome.ended_at,
                place=place,
                **standing._asdict(),
            )


def _last(edition: str, player: int) -> Standing:
    """A player's standing by the last line of the ledger."""
    lines = RatingChange.objects.filter(edition=edition, player=player)
    last = lines.order_by("-ended_at", "-match__record_id").values_list("mu", "sigma", "matches")
    row = last.first()
    return Standing._make(row) if row else NEW


def _store_last(edition: str, players: Iterable[int]) -> None:
    """Make these players' ratings those of their last lines."""
    standings = {player: _last(edition, player) for player in players}
    Rating.objects.filter(edition=edition, player__in=list(standings)).delete()
    Rating.objects.bulk_create(
        [
            Rating(
                player_id=player,
                edition=edition,
                provisional=standing.provisional,
                **standing._asdict(),
            )
            for player, standing in standings.items()
            if standing.matches
        ],
        batch_size=_BATCH,
    )


def close(asked: Asked, founds: Iterator[Json]) -> Json:
    """Rate the matches whose figures have just been counted."""
    settle_all(recent=True)
    return failed_in(asked, founds)


KIND: Final = Kind(over_matches(count), close)


def look_round() -> None:
    """Start the job, if matches wait for it: recent ones, then those counted by earlier measures,
    newest first. Rate again where a moderator has unlisted matches."""
    if outdated().exists():
        settle_all(recent=True)
    recent = uncounted(recent=True).values_list("pk", flat=True)[:_MAX_MATCHES]
    for waiting in (lambda: recent, lambda: counted_before(_MAX_SEATS)):
        if begin_again("players", Message("Figures and ratings of players"), waiting):
            return
