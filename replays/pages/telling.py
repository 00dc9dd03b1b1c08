"""A match's stored facts, in the words of their reader.

A class has its own names for its pupils. Only its present members read them, in its matches.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from games.archive.queries import Row, SeatRow, seats_by_match
from games.archive.store import header_of, shown_header
from games.models import Match
from games.pages.words import HERE, day
from games.people.visit import Visit
from replays.analysis.sentences import with_words
from replays.classes import membership
from replays.models import Review


def names_in(match: Match, visit: Visit) -> list[str]:
    """The players of a match by seat, as this visitor knows them. One query, or three."""
    return as_known(visit, match, [seat.name for seat in shown_header(match).seats])


def as_known(visit: Visit, match: Match, names: list[str]) -> list[str]:
    """These names, or the class's own. Two queries in a match of the visitor's class, else none."""
    return membership.as_known(visit.visitor.classes, match, names)


def class_names(visit: Visit, match: Match) -> list[str]:
    """The names for the match's record in a class that the visitor is in, else none: as stored."""
    if not match.school_class:
        return []
    return as_known(visit, match, [seat.name for seat in header_of(match).seats])


def seats_known(matches: Collection[int], classes: Collection[str]) -> dict[int, list[SeatRow]]:
    """The seats of each match, in matches of these classes under the class's names.

    One query, three with classes.
    """
    seats = seats_by_match(matches)
    called = membership.names_at(matches, classes) if matches and classes else {}
    return {pk: [_under_class_name(seat, called) for seat in rows] for pk, rows in seats.items()}


def rows_known(visit: Visit, rows: Sequence[Row]) -> list[Row]:
    """The rows of a list with the names that this visitor knows. Two queries in a class."""
    classes = visit.visitor.classes
    called = membership.names_at([row.id for row in rows], classes) if rows and classes else {}
    return [
        row._replace(seats=[_under_class_name(seat, called) for seat in row.seats]) for row in rows
    ]


def names_of(matches: Collection[int], classes: Collection[str]) -> dict[int, str]:
    """The players of each match, in words. In matches of these classes, by the class's names."""
    seats = seats_known(matches, classes)
    names = {pk: [seat.name for seat in seats.get(pk, ())] for pk in matches}
    return {pk: " · ".join(names[pk]) or f"match {pk}" for pk in matches}


def named(reviews: Collection[Review], classes: Collection[str]) -> list[tuple[Review, str]]:
    """Each of these with the title of its study, or the players of its match."""
    names = names_of({each.match_id for each in reviews if each.match_id}, classes)
    return [
        (each, each.study.shown_title if each.study else names.get(each.match_id or 0, ""))
        for each in reviews
    ]


def titles_of(matches: Sequence[int], classes: Collection[str]) -> dict[int, str]:
    """The players of each match, and its day."""
    days = dict(Match.objects.filter(pk__in=matches).values_list("pk", "started_at"))
    names = names_of(matches, classes)
    return {pk: f"{name}, {day(days[pk])}" for pk, name in names.items() if pk in days}


def _under_class_name(seat: SeatRow, called: Mapping[tuple[int, int], str]) -> SeatRow:
    own = called.get((seat.match, seat.number))
    return seat if own is None else seat._replace(name=own, of_class=True)


def render(value: Any, names: Sequence[str]) -> Any:
    """A JSON value with its texts in words, in the reader's language."""
    return with_words(value, names, HERE)


def render_for(visit: Visit, match: Match, value: Any) -> Any:
    """The same with the players' names as this visitor knows them."""
    return render(value, names_in(match, visit))
