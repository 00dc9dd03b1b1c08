"""Pictures of positions at addresses: SVG and PNG, for anyone who may see the position.

A match that is being played shows a spectator's view, and a seat's perspective shows that seat's
view. Pictures are kept in memory, the last `KEPT` of each process. `?round=` and `?event=` choose
the position, or `?t=` the time in the round, `?line=` the variation, `?pov=` the perspective,
`?note=` the note whose marks, arrows and words are drawn. `?play=1.5.0&at=34100` points from seat
1's 5 to slot 0, and says that it is about that ms of the round.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import resvg_py
from django.http import Http404, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.archive.store import shown_header
from games.engine.cards import FACE
from games.engine.events import Deal, Event, Tie
from games.engine.perspective import Viewer, see, see_deal
from games.engine.table import Table, apply
from games.models import Match
from games.pages.words import HERE, clock, spoken_names
from games.people.rights import public
from games.people.visit import Request
from games.records.log import Header, Line
from games.records.log import Variation as RecordVariation
from replays.analysis.sentences import render_text, say
from replays.models import Note, Variation
from replays.notes.finding import named
from replays.notes.positions import ValidationFault, events_of
from replays.pages.match_log import numbered_of_round
from replays.pages.notes.api import readable_note
from replays.pages.replay_page import outcomes_of, told_of, verdict_of
from replays.pages.telling import as_known
from replays.pictures.drawing import Scene, svg_of
from replays.pictures.fonts import FILES
from replays.query_string import number_or_404
from replays.stored import reports
from replays.stored.logs import table_before

_PLAY: Final = re.compile(r"([0-4])\.([1-6])\.([0-4])")
KEPT: Final = 64
"""How many PNGs a process keeps, of about 60 kB each."""
FIRST_EVENT: Final = 40
"""The position of a picture that names none, for whom results are hidden or not known yet."""
MAX_AGE_S: Final = 3_600


class PicturedPosition(NamedTuple):
    """Which position, and whose view: a seat's, a spectator's (None), or `open` for all hands."""

    round: int
    event: int | None
    line: Variation | str | None
    """The variation along which events are counted. For the record's own, its id."""
    viewer: Viewer
    open: bool
    ended: bool = False
    """The end of the match, with its result."""
    t: int | None = None
    """If no event is named, the time in the round, in ms."""


def answered(drawn: str, match: Match, *, shared: bool, png: bool) -> HttpResponse:
    """A picture, as PNG or SVG. `shared`: whether anyone may see it."""
    if png:
        return kept(HttpResponse(_pixels(drawn), content_type="image/png"), match, shared=shared)
    response = HttpResponse(drawn, content_type="image/svg+xml")
    # Shown as a page of its own it is only a picture.
    response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    return kept(response, match, shared=shared)


@lru_cache(KEPT)
def _pixels(drawn: str) -> bytes:
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn, font_files=FILES))


def kept(response: HttpResponse, match: Match, *, shared: bool) -> HttpResponse:
    """Allow shared caches only if anyone may see the picture, and it never changes."""
    if shared and match.over:
        response["Cache-Control"] = f"public, max-age={MAX_AGE_S}"
    else:
        response["Cache-Control"] = "private, no-store"
    patch_vary_headers(response, ("Cookie",))
    return response


@require_safe
def picture(request: Request, pk: int, *, png: bool) -> HttpResponse:
    """A position as PNG or SVG. Raises Http404."""
    match, may = request.visit.match(pk)
    header = shown_header(match)
    note = readable_note(request, match)
    position = _position(request, match, header, note)
    table, coming, seq = _table(match, position)
    timed = position.event is None and not position.ended and not table.ended
    shown_ms = max(table.t, position.t or 0) if timed else table.t
    at = number_or_404(request.GET, "at", shown_ms)
    title = _("Round {round}, {time}").format(round=table.round, time=clock(at or 0))
    names = as_known(request.visit, match, [seat.name for seat in header.seats])
    marks, arrows = (note.marks, note.arrows) if note else ((), _play(request, table))
    said = _words(note) if note else ""
    if position.ended:
        told = told_of(reports.first_look(match), names)
        said = told or verdict_of(match, outcomes_of(match, names))
    elif not note and not position.line and request.visit.shows_results:
        facts = [each["text"]["say"][0] for each in reports.moments(match) if each["seq"] == seq]
        said = render_text(say(facts[:1]), spoken_names(names), HERE)
        arrows = arrows or (_ways(coming) if said else ())
    shown = [written for written in (note, position.line) if isinstance(written, Note | Variation)]
    everyone = all(
        written.visibility == Note.Visibility.EVERYONE and not written.hidden for written in shown
    )
    drawn = svg_of(Scene(table, names, title, said, marks, arrows, HERE))
    return answered(drawn, match, shared=everyone and public(may.access), png=png)


def _play(request: Request, table: Table) -> Sequence[str]:
    """An arrow for the play of a card that is seen in a hand: `?play=` its seat, face and slot."""
    asked = _PLAY.fullmatch(request.GET.get("play", ""))
    seat, face, slot = map(int, asked.groups()) if asked else (0, 0, 0)
    hand = table.hands[seat] if asked and seat < len(table.hands) else ()
    return [f"card:{card}>stack:{slot}" for card in hand if FACE.get(card) == face][:1]


def _ways(event: Event | None) -> Sequence[str]:
    """An arrow for each card that is played."""
    cards = event.cards if isinstance(event, Tie) else [getattr(event, "card", "")]
    return [f"card:{card}>stack:{getattr(event, 'stack', '')}" for card in cards]


def _words(note: Note) -> str:
    first = note.text.strip().split("\n", 1)[0]
    return " ".join(part for part in (note.glyph, first, f"– {note.by}") if part)


def _position(
    request: Request, match: Match, header: Header, note: Note | None
) -> PicturedPosition:
    """The query's position. A note is shown where it was written. Raises Http404."""
    asked, event = number_or_404(request.GET, "round"), number_or_404(request.GET, "event")
    line = _line(request, match)
    if isinstance(line, Variation):
        asked = line.round
    if note is not None:
        asked, event, line = note.round, note.event, note.line
    seats = {str(seat): seat for seat in range(len(header.seats))}
    viewer = seats.get(request.GET.get("pov", ""))
    if match.hidden:
        return PicturedPosition(asked or 1, event, line, None, False)
    opened = viewer is None and request.GET.get("pov") != "spectator"
    placed = (asked, event, line) != (None, None, None)
    if not placed and match.winners and request.visit.shows_results:
        return PicturedPosition(match.rounds, None, None, viewer, opened, ended=True)
    t = number_or_404(request.GET, "t")
    return PicturedPosition(asked or 1, event, line, viewer, opened, t=t)


def _line(request: Request, match: Match) -> Variation | str | None:
    """The variation that the query names: a stored one that this visitor may see, or an id."""
    key = request.GET.get("line")
    try:
        return named(Variation, match, request.visit.reader, key, "line")
    except ValidationFault:
        return key


def _table(match: Match, position: PicturedPosition) -> tuple[Table, Event | None, int]:
    """The table as that viewer sees it, what comes next, and its seq. Raises Http404."""
    table = table_before(match, position.round)
    numbered = list(numbered_of_round(match, position.round))
    lines = [line for _number, line in numbered]
    deal = next((line for line in lines if isinstance(line, Deal)), None)
    along = _along(lines, position.line)
    until = FIRST_EVENT if position.event is None else position.event
    if along and position.ended:
        until = len(along)
    elif along and position.event is None and position.t is not None:
        until = sum(event.t <= position.t for event in along)
    events = None if along is None else along[:until]
    if deal is None or events is None or (position.event is not None and len(events) < until):
        raise Http404(_("there is no such position"))
    table.deal(deal if position.open else see_deal(deal, position.viewer))
    for event in events:
        apply(table, event if position.open else see(event, position.viewer))
    coming = next(iter((along or [])[len(events) :]), None)
    return table, coming, numbered[0][0] + len(events) + 1


def _along(lines: list[Line], line: Variation | str | None) -> list[Event] | None:
    """The events of a round along a variation. None if it does not exist."""
    if line is None:
        return [entry for entry in lines if isinstance(entry, Event)]
    if isinstance(line, Variation):
        before, event, own = _along(lines, line.line), line.event, events_of(line)
    else:
        variation = next(
            (entry for entry in lines if isinstance(entry, RecordVariation) and entry.id == line),
            None,
        )
        if variation is None:
            return None
        before, event, own = _along(lines, variation.line), variation.event, variation.events
    return None if before is None else [*before[:event], *own]
