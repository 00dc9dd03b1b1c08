"""A whole study on one page, for paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Final, NamedTuple
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from games.archive.queries import SeatRow, seats_by_match
from games.archive.store import lines_of_rounds
from games.engine.events import Event
from games.models import Match
from games.pages.words import clock
from games.people.visit import Request
from replays.models import Chapter, Note, Study
from replays.notes.access import writes
from replays.pages.notes.pages import linked_to
from replays.pages.rendering import private_page
from replays.pages.studies.access import pending_questions, study_of
from replays.studies.attempts import unanswered
from replays.studies.questions import question_of

TimeOf = Callable[[Match, int, int], str]
MOST_NOTES: Final = 500
"""Printed with a study. A note inside the spans of several chapters counts in each.

Four times as many are looked at.
"""


class PrintedNote(NamedTuple):
    """A note, when it is, and its text, whose moments and cards lead to the chapter."""

    note: Note
    time: str
    html: str


class Section(NamedTuple):
    """A chapter on paper. `time` and `picture` are empty for a visitor who may not know them.

    `asked`: the player whose move the chapter asks for. Empty: it asks nothing.
    """

    chapter: Chapter
    players: str
    time: str
    picture: str
    asked: str
    html: str
    notes: Sequence[PrintedNote]


@require_safe
def print_page(request: Request, key: str) -> HttpResponse:
    """The whole study on one page, with the notes of its chapters."""
    study = study_of(request.visit, key)
    reader = request.visit.reader
    chapters = list(study.chapters.select_related("match", "line").order_by("place", "number"))
    first = pending_questions(request.visit, study)
    for place, row in enumerate(chapters, 1):
        if first.get(row.match_id, row.pk) != row.pk:  # its title might give the answer away
            row.title, row.text, row.html = _("Chapter {place}").format(place=place), "", ""
    seen = request.visit.reviewed(row.match for row in chapters)
    asked = [] if writes(study, reader) else unanswered(chapters, reader.persons)
    # From a match that a question is about, nothing after a stop is shown: no times either.
    free = seen - {row.match_id for row in asked}
    notes = _notes_of(study, free) if request.visit.shows_results else []
    every = ((row.pk, note) for row in chapters for note in _within(notes, row))
    within = list(islice(every, MOST_NOTES + 1))
    seats = seats_by_match(seen)
    time_of = _times()
    sections = [
        Section(
            row,
            " · ".join(seat.name for seat in seats[row.match_id]),
            _span(row, time_of) if row.match_id in free else "",
            _picture(row) if row.match_id in seen else "",
            _asked(row, seats[row.match_id]),
            linked_to(_address(study, row), row.shown_html),
            [
                _printed(study, row, note, time_of)
                for chapter, note in within[:MOST_NOTES]
                if chapter == row.pk
            ],
        )
        for row in chapters
    ]
    context = {
        "study": study,
        "sections": sections,
        "notes_kept": not request.visit.shows_results,
        "most_notes": MOST_NOTES if len(within) > MOST_NOTES else 0,
    }
    return private_page(request, "studies/print", context)


def _asked(chapter: Chapter, seats: Sequence[SeatRow]) -> str:
    """The player to move, for a chapter with a question."""
    if not chapter.question:
        return ""
    seat = question_of(chapter)["seat"]
    return seats[seat].name if seat < len(seats) else pgettext("player", "you")


def _times() -> TimeOf:
    """When so many events of a round had happened, as m:ss.t. Reads each round once."""
    known: dict[tuple[int, int], Sequence[int]] = {}

    def time_of(match: Match, number: int, event: int) -> str:
        place = match.pk, number
        if place not in known:
            lines = lines_of_rounds(match, number, number)
            known[place] = [0, *(line.t for line in lines if isinstance(line, Event))]
        times = known[place]
        return clock(times[min(event, len(times) - 1)])

    return time_of


def _span(chapter: Chapter, time_of: TimeOf) -> str:
    """When a chapter is. Along a variation, when that leaves the match."""
    if chapter.line is not None:
        left = min(chapter.event, chapter.line.event)
        time = time_of(chapter.match, chapter.round, left)
        if not time:
            return _("in a variation")
        return _("{time}, in a variation").format(time=time)
    begins = time_of(chapter.match, chapter.round, chapter.event)
    if chapter.until is None or not begins:
        return begins
    ends = time_of(chapter.match, chapter.round, chapter.until)
    return _("{begins} to {ends}").format(begins=begins, ends=ends)


def _printed(study: Study, chapter: Chapter, note: Note, time_of: TimeOf) -> PrintedNote:
    if note.line_id is not None:
        time = _("In a variation")
    else:
        ends = [note.event] if note.until is None else [note.event, note.until]
        times = [time_of(chapter.match, note.round, event) for event in ends]
        time = times[0]
        if time and len(times) > 1:
            time = _("{begins} to {ends}").format(begins=time, ends=times[1])
    return PrintedNote(note, time, linked_to(_address(study, chapter), note.html))


def _address(study: Study, chapter: Chapter) -> str:
    return reverse("replays:chapter", args=[study.key, chapter.number])


def _picture(chapter: Chapter) -> str:
    """The address of a picture of the chapter's position."""
    query = {"round": str(chapter.round), "event": str(chapter.event)}
    if chapter.line is not None:
        query["line"] = chapter.line.key
    if chapter.view != "all":
        query["pov"] = chapter.view
    return f"{reverse('replays:picture_svg', args=[chapter.match_id])}?{urlencode(query)}"


def _notes_of(study: Study, matches: set[int]) -> list[Note]:
    rows = Note.objects.filter(study=study, match__in=matches, deleted=None, hidden=False)
    return list(rows.order_by("round", "event", "pk")[: 4 * MOST_NOTES])


def _within(notes: Iterable[Note], chapter: Chapter) -> list[Note]:
    """The notes inside a chapter's span, or after its position in the round."""
    return [
        note
        for note in notes
        if note.match_id == chapter.match_id
        and note.round == chapter.round
        and note.event >= chapter.event
        and (chapter.until is None or note.event <= chapter.until)
    ]
