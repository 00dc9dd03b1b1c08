"""Which ghost race a request asks for, and whether this visitor may have it.

The match comes from `replays.pages.viewer.match_of`, like that of every other page: whatever is
hidden from a visitor there cannot be raced either.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final, NamedTuple, cast

from django.conf import settings
from django.contrib.auth import get_user
from django.http import Http404, HttpRequest, QueryDict

from games.engine.facts import Fault
from games.models import Match
from games.people.person import encode
from games.people.rights import Rights
from games.people.sessions import visitor_of
from replays.annotations.finding import named
from replays.annotations.positions import Unfit
from replays.annotations.record_lines import as_records
from replays.ghost_races.state import GhostRaceOutcome
from replays.ghost_races.table import SLOW
from replays.models import Variation
from replays.models.sharing import new_key
from replays.pages.ghost_races.keeping import kept, words_of
from replays.pages.notes.asked import asker_of, reader_of
from replays.pages.viewer import BadNumberError, match_of, number
from replays.stored.lines import lines_to
from replays.variations.ghost_race import GhostRace
from replays.variations.lines import MatchLines, Place

MOST_DEPTH: Final = 16


class NoGhostRaceError(ValueError):
    """There can be no such race; the message says why."""


class Wanted(NamedTuple):
    """A race as the URL asks for it; `slow`: how many times slower than the record."""

    place: Place
    seat: int
    slow: int


class OpenedGhostRace(NamedTuple):
    """A race that may begin; `person`: whose it is, among this process's races."""

    match: Match
    race: GhostRace
    slow: int
    person: str


def request_of(scope: dict[str, Any]) -> HttpRequest:
    """A socket's opening as the request of a page: with its session as it is now.

    Each call looks the session up again, so a visitor who has logged out is found logged out.
    """
    request = HttpRequest()
    request.method, request.path = "GET", scope["path"]
    request.GET = QueryDict(scope["query_string"])
    request.COOKIES = dict(scope.get("cookies", {}))
    key = scope["session"].session_key
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    request.user = cast("Any", get_user(request))
    return request


def wanted(request: HttpRequest) -> Wanted:
    """What the query asks for. Raises NoGhostRaceError."""
    try:
        round_number, event, seat = (
            number(request, name, default)
            for name, default in (("round", 1), ("event", 0), ("seat", 0))
        )
        slow = number(request, "slow", 1)
    except BadNumberError as error:
        raise NoGhostRaceError(str(error)) from None
    if slow not in SLOW:
        raise NoGhostRaceError(f"slow: expected one of {', '.join(map(str, SLOW))}")
    place = Place(round_number or 0, event or 0, request.GET.get("line") or None)
    return Wanted(place, seat or 0, slow)


def raced_match(request: HttpRequest, pk: int) -> tuple[Match, Rights]:
    """The match, if this visitor may race in it. Raises Http404, NoGhostRaceError."""
    match, may = match_of(request, pk)
    if match.hidden:
        raise NoGhostRaceError("this match is still being played")
    return match, may


def verify_seen(scope: dict[str, Any], pk: int) -> None:
    """Raise Http404 or NoGhostRaceError unless a socket's visitor may race in a match now."""
    raced_match(request_of(scope), pk)


def opened(scope: dict[str, Any], pk: int) -> OpenedGhostRace:
    """The race that a socket asks for. Raises Http404, NoGhostRaceError."""
    request = request_of(scope)
    match, _ = raced_match(request, pk)
    asked = wanted(request)
    try:
        lines = lines_to(match, asked.place.round)
        _add_line(lines, match, request, asked.place.line)
        race = GhostRace(lines, asked.place, asked.seat)
    except (Fault, Unfit) as fault:
        raise NoGhostRaceError(str(fault)) from None
    return OpenedGhostRace(match, race, asked.slow, _person(request))


def _add_line(lines: MatchLines, match: Match, request: HttpRequest, key: str | None) -> None:
    """Add a stored variation that this visitor may see, after those that it branches from."""
    above: list[Variation] = []
    line = named(Variation, match, reader_of(request), key, "line")
    while line is not None and len(above) < MOST_DEPTH:
        above.append(line)
        line = line.line
    for one in as_records(reversed(above)):
        lines.add(cast("Any", one))


def _person(request: HttpRequest) -> str:
    """Whose race it is; an unknown visitor is a person of their own."""
    person = visitor_of(request).person
    return encode(person) if person else f"stranger:{new_key()}"


def finished(
    scope: dict[str, Any], found: OpenedGhostRace, outcome: GhostRaceOutcome, lag: int | None
) -> GhostRaceOutcome:
    """The outcome, kept as the visitor's own variation, if they have a name to keep it under."""
    request = request_of(scope)
    author = asker_of(request)
    try:
        _, may = raced_match(request, found.match.pk)
    except (Http404, NoGhostRaceError):
        return outcome
    if not may.annotate:
        author = None
    return kept(outcome, found.race, found.match, author, words_of(found.race, found.slow, lag))
