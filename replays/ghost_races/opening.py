"""Which ghost race a request asks for, and whether this visitor may have it.

The match comes from the visit, as on every page: whatever is hidden from a visitor there cannot be
raced either.
"""

from typing import Any, Final, NamedTuple, cast

from django.http import Http404, QueryDict

from games.archive.store import shown_header, under_names
from games.engine.facts import Fault
from games.engine.message import WordedError, message_of
from games.models import Match
from games.people.door import NO_GUESTS
from games.people.person import encode
from games.people.rights import Rights
from games.people.visit import Visit
from games.records.log import Header
from replays.classes.membership import as_known
from replays.ghost_races.saving import saved_outcome, words_of
from replays.ghost_races.state import GhostRaceOutcome
from replays.ghost_races.table import SLOW
from replays.models import Variation
from replays.models.sharing import new_key
from replays.notes.finding import named
from replays.notes.positions import ValidationFault
from replays.notes.record_lines import as_records
from replays.query_string import BadNumberError, number
from replays.stored.logs import lines_to
from replays.variations.ghost_race import GhostRace
from replays.variations.lines import MatchLines, Place

MOST_DEPTH: Final = 16


class NoGhostRaceError(WordedError):
    """There can be no such race. The message says why."""


class Wanted(NamedTuple):
    """A race as the URL requests it. `slow`: how many times slower than the record."""

    place: Place
    seat: int
    slow: int


class OpenedGhostRace(NamedTuple):
    """A race that may begin. `person`: whose it is, among this process's races."""

    match: Match
    race: GhostRace
    slow: int
    person: str


def wanted(query: QueryDict) -> Wanted:
    """The query's race. Raises NoGhostRaceError."""
    try:
        round_number, event, seat = (
            number(query, name, default)
            for name, default in (("round", 1), ("event", 0), ("seat", 0))
        )
        slow = number(query, "slow", 1)
    except BadNumberError as error:
        raise NoGhostRaceError(message_of(error)) from None
    if slow not in SLOW:
        raise NoGhostRaceError("slow: expected one of {values}", values=", ".join(map(str, SLOW)))
    place = Place(round_number or 0, event or 0, query.get("line") or None)
    return Wanted(place, seat or 0, slow)


def raced_match(visit: Visit, pk: int) -> tuple[Match, Rights]:
    """The match, if this visitor may race in it. Raises Http404, NoGhostRaceError."""
    if visit.closed(plays=True):
        raise NoGhostRaceError(str(NO_GUESTS))
    match, may = visit.match(pk)
    if match.hidden:
        raise NoGhostRaceError("this match is still being played")
    return match, may


def header_for(visit: Visit, match: Match) -> Header:
    """The match's header with the names that this visitor knows."""
    header = shown_header(match)
    names = [seat.name for seat in header.seats]
    return under_names(header, as_known(visit.visitor.classes, match, names))


def keeps(visit: Visit, may: Rights) -> bool:
    """Whether a race is kept with the visitor's account, or guest. A child's is its own alone."""
    return visit.visitor.named and (may.annotate or (visit.visitor.supervised and may.review))


def opened(visit: Visit, query: QueryDict, pk: int) -> OpenedGhostRace:
    """The race that a socket asks for. Raises Http404, NoGhostRaceError."""
    match = raced_match(visit, pk)[0]
    asked = wanted(query)
    try:
        lines = lines_to(match, asked.place.round, header_for(visit, match))
        _add_line(lines, match, visit, asked.place.line)
        race = GhostRace(lines, asked.place, asked.seat)
    except (Fault, ValidationFault) as fault:
        raise NoGhostRaceError(message_of(fault)) from None
    person = visit.visitor.person
    return OpenedGhostRace(
        match, race, asked.slow, encode(person) if person else f"stranger:{new_key()}"
    )


def _add_line(lines: MatchLines, match: Match, visit: Visit, key: str | None) -> None:
    """Add a stored variation that this visitor may see, after those that it branches from."""
    above: list[Variation] = []
    line = named(Variation, match, visit.reader, key, "line")
    while line is not None and len(above) < MOST_DEPTH:
        above.append(line)
        line = line.line
    for remark in as_records(reversed(above)):
        lines.add(cast("Any", remark))


def finished(
    visit: Visit, opening: OpenedGhostRace, outcome: GhostRaceOutcome, lag: int | None
) -> GhostRaceOutcome:
    """The outcome, kept as the visitor's own variation, if they have a name to keep it under."""
    try:
        may = raced_match(visit, opening.match.pk)[1]
    except (Http404, NoGhostRaceError):
        return outcome
    author = visit.author if keeps(visit, may) else None
    return saved_outcome(
        outcome, opening.race, opening.match, author, words_of(opening.race, opening.slow, lag)
    )
