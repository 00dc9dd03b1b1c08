"""The match that a command is asked about: a file, or stored, by its number or its record's id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.core.management import CommandError

from games.management.commands.export_record import find
from games.management.schema import need_database
from games.records.log import RecordFault
from replays.analysis import read
from replays.stored.logs import lags_of, timeline_of
from replays.timeline import Timeline

WANTED: Final = "the match's number (as in its URL), the record's id, or a .ratuki file"


class MeasuredMatch(NamedTuple):
    """A match, and each seat's measured lag in ms. None where it was not measured."""

    timeline: Timeline
    lags: Sequence[float | None] | None


def measured_match(name: str, purpose: str) -> MeasuredMatch:
    """The match. `purpose`: a use that would reveal hidden cards while it is being played.

    Raises CommandError if there is none, if it is faulty, or if it is being played.
    """
    if name.endswith(".ratuki"):
        try:
            return MeasuredMatch(read(name), None)
        except RecordFault as fault:
            raise CommandError(f"{name}:{fault}") from None
        except OSError as error:
            raise CommandError(f"{name}: cannot be read: {error.strerror or error}") from None
    need_database()
    match = find(name)
    if match.hidden:
        raise CommandError(
            f"match {name} is still being played: {purpose} would reveal hidden cards"
        )
    return MeasuredMatch(timeline_of(match), lags_of(match))
