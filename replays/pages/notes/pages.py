"""Pages about notes and playlists: the visitor's own, and tags by player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from games.models import Match
from games.pages.words import clock
from games.people.visit import Request, Visit
from games.people.visitor import Reader
from replays.models import Note, Playlist
from replays.notes.access import own
from replays.notes.finding import FOLDERS, MOST_PAGES, PAGE, folder, matching
from replays.notes.hiding import why_hidden
from replays.notes.positions import SpanTimes, times_of
from replays.notes.tagging import MOST_MATCHES
from replays.pages.forms import MAX_QUERY
from replays.pages.notes.access import playlist_of
from replays.pages.notes.playlists import fields_with, shown_items
from replays.pages.notes.tags import as_lines, tagged_lately, tags_in
from replays.pages.rendering import csv_download, page_of, private_page
from replays.pages.telling import names_of
from replays.query_string import number_or_404, numbers
from replays.studies.attempts import pending_question_url

TAGS: Final = "tags"
LABELS: Final = {
    "mine": gettext_lazy("Mine"),
    "shared": gettext_lazy("Shared"),
    "mentions": gettext_lazy("Mentions and replies"),
    TAGS: gettext_lazy("Tags by player"),
}


# --- Notes -----------------------------------------------------------------------------------


@require_safe
def my_notes(request: Request) -> HttpResponse:
    """A folder of notes across matches, newest first, with search. `?folder=tags`: their tags by
    player, in the matches that are named or in those tagged lately."""
    reader = request.visit.reader
    name = request.GET.get("folder", "mine")
    if name == TAGS:
        matches = _asked_for(request)
        found = {"folders": LABELS.items(), "folder": TAGS, **tags_in(request.visit, matches)}
        query = urlencode([("match", match.pk) for match in matches])
        address = f"{reverse('replays:tags_csv')}?{query}"
        return private_page(request, "my_notes", {**found, "csv": address})
    name = name if name in FOLDERS else "mine"
    text = request.GET.get("q", "").replace("\0", "").strip()[:MAX_QUERY]
    match = number_or_404(request.GET, "match")
    page = number_or_404(request.GET, "page", 1) or 1
    if page > MOST_PAGES:
        raise Http404(_("page: there are fewer pages"))
    listed, more = page_of(matching(folder(reader, name), text, match), page, PAGE)
    context = {
        "folders": LABELS.items(),
        "folder": name,
        "text": text,
        "match": match,
        "groups": _by_match(request.visit, listed, reader),
        "next_page": page + 1 if more and page < MOST_PAGES else None,
        "page": page,
        "account": reader.account is not None,
    }
    return private_page(request, "my_notes", context)


@require_safe
def old_table(request: Request) -> HttpResponse:
    """The former address of tags by player."""
    asked = request.GET.copy()
    asked["folder"] = TAGS
    return redirect(f"{reverse('replays:my_notes')}?{asked.urlencode()}", permanent=True)


@require_safe
def tags_csv(request: Request) -> HttpResponse:
    """The same table as a file."""
    return csv_download("tags.csv", *as_lines(tags_in(request.visit, _asked_for(request))["tags"]))


def _asked_for(request: Request) -> list[Match]:
    """The matches that the query names. None: those that the visitor has tagged lately."""
    some = list(dict.fromkeys(numbers(request.GET, "match")))[:MOST_MATCHES]
    known = Match.objects.in_bulk(some)
    return [known[pk] for pk in some if pk in known] if some else tagged_lately(request.visit)


def _by_match(visit: Visit, listed: Sequence[Note], reader: Reader) -> list[dict[str, Any]]:
    """Notes grouped by match, leaving out matches in which this visitor is playing."""
    seen = visit.reviewed(note.match for note in listed)
    names = names_of(seen, visit.visitor.classes)
    shown = [note for note in listed if note.match_id in seen]
    groups: dict[int, list[dict[str, Any]]] = {}
    for note, times in zip(shown, times_of(shown), strict=True):
        words = {**_words(visit, note, reader), "when": _time_words(note, times)}
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


def _time_words(note: Note, times: SpanTimes | None) -> str:
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
