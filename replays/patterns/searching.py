"""Searching matches for a pattern: a job, a few matches in each part.

A search looks at the newest matches that its owner may see, up to `MOST_MATCHES`. It counts all
places of each player, and keeps the first of each match to show.

So that even the first search reads stored data, workers look for finished matches once a minute
(`JOBS_EVERY_MINUTE` in the settings) and store their occurrences, another job.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import chain
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.archive.own import latest_seats
from games.archive.queries import listed
from games.engine.message import Message
from games.models import Match, Seat
from games.people.classes import classes_of
from games.people.embargoes import with_embargoes
from games.people.matches import access_of, person_of
from games.people.names import skeleton
from games.people.person import Person, decode, encode
from games.people.rights import rights
from games.people.visitor import Author, Visitor
from replays.analysis.versions import MEASURES_VERSION
from replays.jobs import kinds
from replays.jobs.kinds import Asked, JobFault, Json, Step
from replays.jobs.matches import begin_again, failed_in, over_matches, shares_of
from replays.jobs.starting import begin
from replays.models import PatternSearch, StoredOccurrences
from replays.patterns.matching import Hit, Players, Row, hits, kinds_of, together_in
from replays.patterns.occurrences import KINDS, NOBODY, Occurrence
from replays.patterns.query import OPEN, PLAYED, PatternQuery
from replays.patterns.storing import CURRENT, keep, occurrences_in

MOST_MATCHES: Final = 1_000
MOST_SHOWN: Final = 500
"""Places kept to show, over all matches."""
MOST_A_MATCH: Final = 25
SOON_MS: Final = 2_000
"""The time in which open takes are taken or closed."""
_MOST_DELETED: Final = 1_000
"""Matches whose occurrences are deleted at once."""
MOST_KEPT: Final = 200
"""Searches of one person, or of all strangers, before their oldest is deleted."""
_PART: Final = 50
_STEP: Final = 25
"""Matches in a part of the job, and in a step."""


def search(query: PatternQuery, by: Author, persons: Sequence[Person]) -> PatternSearch:
    """Begin a search for a person, done at once without a match. Raises TooManyJobsError."""
    matches = candidates(query, persons)
    begun = PatternSearch(
        owner=by.person,
        user=by.user,
        query=query.fields,
        matches=len(matches),
    )
    asked = {
        "search": begun.key,
        "query": begun.query,
        "persons": [encode(person) for person in persons],
    }
    with transaction.atomic():
        if matches:
            begun.job = begin(
                "pattern",
                begun.key,
                Message("Pattern: {pattern}", pattern=query.said),
                asked,
                shares_of(matches, _PART),
                by=by,
            )
        else:
            begun.found = []
        begun.save()
        own = PatternSearch.objects.filter(owner=begun.owner)
        kept = own.order_by("-pk").values_list("pk", flat=True)
        last = kept[MOST_KEPT - 1 : MOST_KEPT].first()
        if last is not None:
            own.filter(pk__lt=last).delete()
    return begun


def candidates(query: PatternQuery, persons: Sequence[Person]) -> list[int]:
    """The newest matches to search: public ones and the asker's own, if a player is named only
    that player's."""
    wanted = _visible_matches(persons)
    if query.by == "me":
        wanted = wanted.filter(pk__in=_own(persons))
    elif query.player:
        seats = Seat.objects.filter(player__skeleton=skeleton(query.player))
        wanted = wanted.filter(pk__in=seats.values("match"))
    if query.days:
        wanted = wanted.filter(started_at__gte=timezone.now() - timedelta(query.days))
    return list(wanted.order_by("-started_at", "-pk").values_list("pk", flat=True)[:MOST_MATCHES])


def searched(persons: Sequence[Person]) -> int:
    """How many matches a search covers that names no player."""
    return _visible_matches(persons)[:MOST_MATCHES].count()


def _visible_matches(persons: Sequence[Person]) -> QuerySet[Match]:
    seen = listed() | Q(pk__in=_own(persons))
    return Match.objects.filter(seen).exclude(state=Match.State.OPEN)


def _own(persons: Iterable[Person]) -> QuerySet[Any]:
    """The latest matches in which these persons had a seat."""
    return latest_seats(persons).values("match")


def players_of(matches: Iterable[Match], persons: Iterable[Person]) -> dict[int, Players]:
    """The players of each match, for conditions. One query."""
    asking, by_match = set(persons), dict[int, Players]()
    seats = Seat.objects.filter(match__in=list(matches)).order_by("match", "number")
    for match, name, kind, user, key in seats.values_list(
        "match", "player__name", "kind", "user", "guest"
    ):
        players = by_match.setdefault(match, Players([], [], []))
        players.names.append(name)
        players.bots.append(kind == "bot")
        players.me.append(person_of(user, key) in asking)
    return by_match


Found = list[Any]
"""Of one match: its number, the moments of each seat, the hits to show as pairs of rows, all
moments, and `OpenTakes`."""


def look(asked: Asked, matches: Json, found: Json, step: Step) -> Json:
    """Search a share of the matches."""
    rows: list[Found]
    done, rows = found or (0, [])
    query = PatternQuery.model_validate(asked["query"])
    persons = [person for text in asked["persons"] if (person := decode(text))]
    for since in range(done, len(matches), _STEP):
        some = matches[since : since + _STEP]
        rows += rows_of(some, query, persons)
        step(len(some), [since + len(some), rows])
    return [len(matches), rows]


def close(asked: Asked, founds: Iterator[Json]) -> Json:
    rows = list(chain.from_iterable(rows for _, rows in founds))
    room = MOST_SHOWN
    for row in rows:
        row[2] = row[2][: max(0, room)]
        room -= len(row[2])
    search = PatternSearch.objects.filter(key=asked["search"])
    if not search.update(found=rows, measures=MEASURES_VERSION):
        raise JobFault("The pattern has been deleted.")
    return {"places": sum(row[3] for row in rows)}


KIND: Final = kinds.Kind(look, close)


def _visitor(persons: Sequence[Person]) -> Visitor:
    visitor = Visitor(tuple(persons))
    return (
        visitor
        if visitor.account is None
        else visitor._replace(classes=classes_of(visitor.account))
    )


def rows_of(asked: Sequence[int], query: PatternQuery, persons: Sequence[Person]) -> list[Found]:
    """The results in some matches, in that order. Three queries, and more for private ones."""
    stored = with_embargoes(Match.objects.all()).in_bulk(asked)
    visitor = _visitor(persons)
    seen = [
        match
        for pk in asked
        if (match := stored.get(pk)) and match.over
        if rights(visitor, access_of(match)).see
    ]
    sat = players_of(seen, persons)
    return [
        _find_in_match(match, rows, query, sat[match.pk])
        for match, rows in occurrences_in(seen, kinds_of(query))
    ]


def _find_in_match(
    match: Match, rows: Iterable[Row], query: PatternQuery, players: Players
) -> Found:
    counts = [0] * len(players.names)
    shown: list[Any] = []
    moments = together_in(hits(query, rows, players))
    for alike in moments:
        for seat in {hit.first.seat for hit in alike}:
            counts[seat] += 1
        if len(shown) < MOST_A_MATCH:
            shown += [[list(hit.first), list(hit.last)] for hit in alike]
    return [match.pk, counts, shown, len(moments), *_open_takes(query, moments)]


class OpenTakes(NamedTuple):
    """How many takes were open to a player, and how many of them ended within `SOON_MS`."""

    all: int = 0
    taken: int = 0
    closed: int = 0
    """By another player."""


def _open_takes(query: PatternQuery, moments: Iterable[Iterable[Hit]]) -> Iterator[OpenTakes]:
    """Those of a match, if the search is about them."""
    if query.what == OPEN:
        every = [hit.first for alike in moments for hit in alike]
        soon = [one for one in every if one.ms < SOON_MS]
        taken = sum(one.kind == KINDS.index(PLAYED) for one in soon)
        closed = sum(one.other not in (NOBODY, one.seat) for one in soon)
        yield OpenTakes(len(every), taken, closed)


class MatchOccurrences(NamedTuple):
    """A search's results in one match."""

    match: int
    counts: list[int]
    """Each seat's."""
    hits: list[Hit]
    """Those kept to show."""
    moments: int
    """All of them. One that several players share is one."""
    open_takes: OpenTakes


def found_by(search: PatternSearch) -> list[MatchOccurrences]:
    """The results, by match, newest first. Empty while the search goes on."""
    return [
        MatchOccurrences(
            pk,
            counts,
            [Hit(Occurrence(*first), Occurrence(*last)) for first, last in shown],
            more[0] if more else sum(counts),  # searches of earlier releases have none
            OpenTakes(*more[1]) if len(more) > 1 else OpenTakes(),
        )
        for pk, counts, shown, *more in search.found or []
    ]


def prepare(match: Match) -> None:
    """Store the occurrences of a match."""
    if match.over:
        keep(match)


OCCURRENCES: Final = kinds.Kind(over_matches(prepare), failed_in)


def unprepared() -> list[int]:
    """Those of the matches stored last that are over and not stored for searches, newest first."""
    stored = StoredOccurrences.objects.filter(match=OuterRef("pk"), version=CURRENT)
    over = Match.objects.filter(pk__gt=_newest() - MOST_MATCHES)
    waiting = over.exclude(state=Match.State.OPEN).filter(~Exists(stored)).order_by("-pk")
    return list(waiting.values_list("pk", flat=True))


def _newest() -> int:
    return Match.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def look_round() -> None:
    """Start the job, if matches wait for it. Delete what was stored of older matches: a search that
    comes to them computes it again."""
    begin_again("occurrences", Message("Finished matches for searches"), unprepared)
    older = StoredOccurrences.objects.filter(match__lte=_newest() - MOST_MATCHES)
    some = older.order_by("match").values_list("pk", flat=True)[:_MOST_DELETED]
    StoredOccurrences.objects.filter(pk__in=list(some)).delete()
