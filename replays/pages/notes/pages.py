"""Pages about notes and playlists: the visitor's own, and tags by player."""

import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_http_methods, require_safe
from pydantic import ValidationError

from games.models import Match
from games.pages.words import clock, sentence
from games.people.visit import Request, Visit
from games.people.visitor import Reader
from replays.models import Note, Playlist, PlaylistItem, Shared
from replays.notes.access import own
from replays.notes.fields import hashtags
from replays.notes.finding import FOLDERS, MOST_PAGES, PAGE, folder, matching
from replays.notes.hiding import why_hidden
from replays.notes.notes import Conflict
from replays.notes.playlists import ItemJson
from replays.notes.positions import SpanTimes, ValidationFault, times_of
from replays.notes.tagging import MOST_MATCHES
from replays.pages.forms import MAX_QUERY
from replays.pages.notes.access import must_own, playlist_of
from replays.pages.notes.playlists import (
    ChangedPlaylist,
    PlaylistJson,
    change_playlist,
    delete_playlist,
    fields_with,
    playlist_fields,
    shown_items,
)
from replays.pages.notes.schemas import CLASS
from replays.pages.notes.tags import as_lines, tagged_lately, tags_in
from replays.pages.rendering import csv_download, page_of, private_page
from replays.pages.telling import names_of
from replays.query_string import number_or_404, number_or_none, numbers
from replays.studies.attempts import pending_question_url

TAGS: Final = "tags"
_MOVE: Final = re.compile(r"([0-9]{1,3})(?: ([0-9]{1,3}))?")
"""A span's place in its playlist, from 0, and its new one. Without one it is removed."""
_NAMED: Final = {Shared.Visibility.PEOPLE, Shared.Visibility.CLASS}
LABELS: Final = {
    "mine": gettext_lazy("Mine"),
    "shared": gettext_lazy("Shared"),
    "mentions": pgettext_lazy("folder of notes", "To you"),
    TAGS: gettext_lazy("Tags"),
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
        "tags": [tag for tag in note.tags if tag not in hashtags(note.tags, note.text)],
    }


def _time_words(note: Note, times: SpanTimes | None) -> str:
    """A note's place in its round, as in the notes of a match."""
    if note.line_id is not None:
        return _("in a what-if")
    if times is None:
        said = _("event {event}") if note.until is None else _("event {event} to {until}")
        return said.format(event=note.event, until=note.until)
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
    mine = Playlist.objects.filter(own(request.visit.reader), deleted=None)
    rows = mine.annotate(spans=Count("items")).order_by("-edited", "pk")
    return private_page(request, "my_playlists", {"playlists": rows[:200]})


@require_http_methods(["GET", "HEAD", "POST"])
def playlist_page(request: Request, key: str) -> HttpResponse:
    """One playlist. Its owner orders, renames, shares and deletes it here."""
    visit, playlist = request.visit, playlist_of(request.visit, key)
    if request.method == "POST":
        return _changed(request, playlist)
    rows = shown_items(visit, playlist)
    fields = fields_with(visit, playlist, rows)
    names = names_of({row.match_id for row in rows}, visit.visitor.classes)
    share = fields["token"] or visit.share
    context: dict[str, Any] = {
        "playlist": fields,
        "spans": [
            {
                **_span_words(row, names[row.match_id], times),
                "url": f"{reverse('replays:replay', args=[row.match_id])}?playlist={key}&item={at}"
                + (f"#share={share}" if share else ""),
            }
            for at, (row, times) in enumerate(zip(rows, times_of(rows), strict=True), 1)
        ],
        "audiences": _audiences(visit, playlist),
        "link": request.build_absolute_uri(_address(fields)),
        "changing": fields["mine"] and not fields["unseen"] and "edit" in request.GET,
    }
    if fields["unseen"]:
        matches = playlist.items.values_list("match", flat=True)
        context["question"] = pending_question_url(matches, visit.visitor.persons)
    return private_page(request, "playlist", context)


def _address(fields: PlaylistJson) -> str:
    """A playlist's page, as it opens for its readers."""
    share = f"?share={fields['token']}" if fields["token"] else ""
    return reverse("replays:playlist_page", args=[fields["key"]]) + share


def _span_words(row: PlaylistItem, name: str, times: SpanTimes | None) -> dict[str, str]:
    if row.line_id is not None:
        place = _("{name}, round {round}, in a what-if").format(name=name, round=row.round)
    elif times is None:
        place = _("{name}, round {round}").format(name=name, round=row.round)
    else:
        span = {"round": row.round, "from": clock(times[0]), "to": clock(times[1])}
        place = _("{name}, round {round}, {from} to {to}").format(name=name, **span)
    return {"label": place} if row.label in {"", name} else {"label": row.label, "place": place}


def _audiences(visit: Visit, playlist: Playlist) -> dict[str, str]:
    """The audiences to choose from, in words: those that need no names, and the present one."""
    classes = [
        (f"{CLASS}{key}", _("Class {name}").format(name=name))
        for key, name in visit.classes.items()
    ]
    nameless = [choice for choice in Shared.Visibility.choices if choice[0] not in _NAMED]
    known = {value: str(words) for value, words in (*nameless, *classes)}
    known.setdefault(playlist.audience, playlist.get_visibility_display())
    return known


def _changed(request: Request, playlist: Playlist) -> HttpResponse:
    """Do what the owner's form says."""
    visit, asked = request.visit, request.POST
    must_own(visit, playlist)
    if "delete" in asked:
        delete_playlist(request, playlist.key)
        return redirect("replays:my_playlists")
    fields = playlist_fields(visit, playlist)
    if fields["unseen"]:
        raise PermissionDenied(_("what you can’t see would be lost"))
    at = _MOVE.fullmatch(asked.get("move", ""))
    items = _moved(fields["items"], *at.groups()) if at else fields["items"]
    said = {
        "revision": number_or_none(asked, "revision"),
        "title": asked.get("title"),
        "items": items,
    }
    if asked.get("visibility") != fields["visibility"]:
        said["visibility"] = asked.get("visibility")
    try:
        change_playlist(request, playlist.key, ChangedPlaylist.model_validate(said))
    except Conflict:
        messages.error(request, _("You have changed this playlist elsewhere. Look at it again."))
    except ValidationFault as error:
        messages.error(request, _("Not done. {detail}").format(detail=sentence(error)))
    except ValidationError:
        messages.error(request, _("That was not saved. Try again."))
    return redirect("./?edit=1" + (f"#span-{at[2] or at[1]}" if at else ""))


def _moved(items: list[ItemJson], at: str, to: str | None) -> list[ItemJson]:
    """The spans with one moved to another place from 0. None: away."""
    moving, rest = items[int(at) :][:1], [*items[: int(at)], *items[int(at) + 1 :]]
    return rest if to is None else [*rest[: int(to)], *moving, *rest[int(to) :]]
