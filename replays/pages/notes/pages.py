"""Pages about notes and playlists: the visitor's own, and the table of tags."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from games.models import Match
from games.pages.words import clock, day
from games.people.visit import Request, Visit
from games.people.visitor import Reader
from replays.models import Note, Playlist
from replays.notes import tagging
from replays.notes.access import own
from replays.notes.finding import FOLDERS, MOST_PAGES, PAGE, folder, matching
from replays.notes.hiding import why_hidden
from replays.notes.positions import SpanTimes, times_of
from replays.pages.forms import MAX_QUERY
from replays.pages.notes.access import playlist_of
from replays.pages.notes.playlists import fields_with, shown_items
from replays.pages.rendering import page_of, private_page
from replays.pages.telling import names_in, seats_known
from replays.query_string import number_or_404, numbers
from replays.studies.attempts import pending_question_url

_OFFERED: Final = 25
LABELS: Final = {
    "mine": gettext_lazy("Mine"),
    "shared": gettext_lazy("Shared"),
    "mentions": gettext_lazy("Mentions and replies"),
}


# --- Notes -----------------------------------------------------------------------------------


@require_safe
def my_notes(request: Request) -> HttpResponse:
    """A folder of notes across matches, newest first, with search."""
    reader = request.visit.reader
    name = request.GET.get("folder", "mine")
    name = name if name in FOLDERS else "mine"
    text = request.GET.get("q", "").replace("\0", "").strip()[:MAX_QUERY]
    match = number_or_404(request.GET, "match")
    page = number_or_404(request.GET, "page", 1) or 1
    if page > MOST_PAGES:
        raise Http404(_("page: there are fewer pages"))
    listed, more = page_of(matching(folder(reader, name), text, match), page, PAGE)
    context = {
        "folders": [(choice, LABELS[choice]) for choice in FOLDERS],
        "folder": name,
        "text": text,
        "match": match,
        "groups": _by_match(request.visit, listed, reader),
        "next_page": page + 1 if more and page < MOST_PAGES else None,
        "page": page,
        "account": reader.account is not None,
    }
    return private_page(request, "my_notes", context)


def _by_match(visit: Visit, listed: Sequence[Note], reader: Reader) -> list[dict[str, Any]]:
    """Notes grouped by match, leaving out matches in which this visitor is playing."""
    seen = visit.reviewed(note.match for note in listed)
    names = names_of(seen, visit.visitor.classes)
    shown = [note for note in listed if note.match_id in seen]
    groups: dict[int, list[dict[str, Any]]] = {}
    for note, times in zip(shown, times_of(shown), strict=True):
        words = {**_words(visit, note, reader), "when": _when(note, times)}
        groups.setdefault(note.match_id, []).append(words)
    return [{"match": pk, "title": names[pk], "notes": notes} for pk, notes in groups.items()]


def _words(visit: Visit, note: Note, reader: Reader) -> dict[str, Any]:
    """A note as the page shows it. Others' words may reveal how a match ended."""
    mine = note.owner in reader.persons
    url = reverse("replays:replay", args=[note.match_id])
    return {
        "note": note,
        "url": address_of(note),
        "html": linked_to(url, note.html) if mine or visit.shows_results else "",
        "kept_back": not (mine or visit.shows_results),
        "mine": mine,
        "why_hidden": why_hidden(note) if mine else None,
    }


def _when(note: Note, times: SpanTimes | None) -> str:
    """A note's place in its round, as in the notes of a match."""
    if note.line_id is not None:
        return _("in a what-if")
    if times is None:
        if note.until is None:
            return _("event {event}").format(event=note.event)
        return _("event {event} to {until}").format(event=note.event, until=note.until)
    ends = times[:1] if note.until is None else times
    return " – ".join(map(clock, ends))


def address_of(note: Note) -> str:
    """Where a note is shown: a study's notes are not on the match's own page."""
    if note.study is not None:
        return reverse("replays:study_page", args=[note.study.key])
    return f"{reverse('replays:replay', args=[note.match_id])}#note={note.key}"


def linked_to(url: str, html: str) -> str:
    """A note's HTML, with the moments and cards in it leading to the match from anywhere."""
    return html.replace('href="?', f'href="{url}?')


def names_of(matches: Collection[int], classes: Collection[str]) -> dict[int, str]:
    """The players of each match, in words. In matches of these classes, by the class's names."""
    seats = seats_known(matches, classes)
    names = {pk: [seat.name for seat in seats.get(pk, ())] for pk in matches}
    return {pk: " · ".join(names[pk]) or f"match {pk}" for pk in matches}


def titles_of(matches: Sequence[int], classes: Collection[str]) -> dict[int, str]:
    """The players of each match, and its day."""
    days = dict(Match.objects.filter(pk__in=matches).values_list("pk", "started_at"))
    names = names_of(matches, classes)
    return {pk: f"{name}, {day(days[pk])}" for pk, name in names.items() if pk in days}


# --- The table of tags -----------------------------------------------------------------------


@require_safe
def tag_table(request: Request) -> HttpResponse:
    """Tags by players over the requested matches, and a choice of matches."""
    reader = request.visit.reader
    some = list(dict.fromkeys(numbers(request.GET, "match")))[: tagging.MOST_MATCHES]
    known = Match.objects.in_bulk(some)
    asked = [known[pk] for pk in some if pk in known]
    matches = [match for match in asked if request.visit.rights(match).review]
    classes = request.visit.visitor.classes
    names = titles_of([match.pk for match in matches], classes)
    matrix = None
    if matches and request.visit.shows_results:
        seated = {match.pk: names_in(match, request.visit) for match in matches}
        matrix = tagging.matrix(seated, reader)
    spans = _spans(matrix, names) if matrix else {}
    context = {
        "chosen": list(names.items()),
        "offered": list(titles_of(_tagged(request.visit, reader, set(names)), classes).items()),
        "matrix": _table(matrix, spans) if matrix else [],
        "spans": spans,
        "kept_back": bool(matches) and not request.visit.shows_results,
    }
    return private_page(request, "tag_table", context)


def _tagged(visit: Visit, reader: Reader, chosen: set[int]) -> list[int]:
    """Further matches on which this visitor has recently tagged something."""
    rows = Note.objects.filter(own(reader), deleted=None).exclude(tags=[]).order_by("-edited")
    lately = list(dict.fromkeys(rows.values_list("match", flat=True)[:500]))
    offered = [pk for pk in lately if pk not in chosen][:_OFFERED]
    known = Match.objects.in_bulk(offered)
    return [pk for pk in offered if visit.rights(known[pk]).review]


Spans = dict[str, list[dict[str, Any]]]
"""The playlist items of each cell of the table, by the cell's key."""


Row = tuple[str, str, list[tuple[str, str, int]], int]
"""A tag, how its cells' keys begin, each player's cell (key, name, count), and the total."""


def _table(matrix: tagging.Matrix, spans: Spans) -> list[Row]:
    """The rows of the table. A note about two players is one of all."""
    rows: list[Row] = []
    for row, tag in enumerate(matrix.tags):
        cells = [(f"{row}.{at}", name) for at, name in enumerate(matrix.players)]
        counts = [(key, name, len(spans.get(key, ()))) for key, name in cells]
        notes = {span["note"] for key, _name in cells for span in spans.get(key, ())}
        rows.append((tag, f"{row}.", counts, len(notes)))
    return rows


def _spans(matrix: tagging.Matrix, names: dict[int, str]) -> Spans:
    return {
        f"{matrix.tags.index(tag)}.{matrix.players.index(player)}": [
            {
                "match": note.match_id,
                "round": note.round,
                "event": note.event,
                "until": note.event if note.until is None else note.until,
                "label": f"{tag}{player and f', {player}'} ({names[note.match_id]})"[:200],
                "note": note.key,
            }
            for note in notes
            if note.line_id is None
        ]
        for (tag, player), notes in matrix.cells.items()
    }


# --- Playlists -------------------------------------------------------------------------------


@require_safe
def my_playlists(request: Request) -> HttpResponse:
    rows = Playlist.objects.filter(own(request.visit.reader), deleted=None).order_by(
        "-edited", "pk"
    )
    return private_page(request, "my_playlists", {"playlists": rows[:200]})


@require_safe
def playlist_page(request: Request, key: str) -> HttpResponse:
    """One playlist. Its owner orders, renames and shares it here."""
    playlist = playlist_of(request.visit, key)
    items = shown_items(request.visit, playlist)
    names = names_of({item.match_id for item in items}, request.visit.visitor.classes)
    begin_end = {
        f"{item.match_id} {item.round} {item.event} {item.until}": times
        for item, times in zip(items, times_of(items), strict=True)
        if times is not None
    }
    fields = {**fields_with(request.visit, playlist, items), "names": names, "times": begin_end}
    by = {"account": request.visit.visitor.account_key}
    context: dict[str, Any] = {"playlist": {**fields, "classes": request.visit.classes, **by}}
    if fields["unseen"]:
        matches = playlist.items.values_list("match", flat=True)
        context["question"] = pending_question_url(matches, request.visit.visitor.persons)
    return private_page(request, "playlist", context)
