"""Tag buttons, the matrix of tags and playlists, for programs (docs/notes.md)."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, TypedDict

from django.http import HttpRequest, HttpResponseBase
from django.middleware.csrf import get_token
from django.utils import timezone
from django.views.decorators.gzip import gzip_page

from games.people.matches import rights_in
from replays.annotations import playlists, tagging
from replays.annotations.access import own
from replays.annotations.notes import Conflict
from replays.annotations.playlists import ItemJson
from replays.annotations.positions import Unfit
from replays.models import Note, Playlist, PlaylistItem
from replays.pages.json_api import answer, body_of, json_view
from replays.pages.json_api import conflict as conflict_with
from replays.pages.notes.asked import (
    author_of,
    blind,
    key_in,
    must_own,
    playlist_of,
    reader_of,
    revision_in,
    sharing_in,
    watched,
)
from replays.pages.viewer import may_show, numbers


@json_view("GET", "PUT")
def buttons(request: HttpRequest) -> HttpResponseBase:
    """The requester's tag panel; PUT replaces it."""
    if request.method == "PUT":
        tagging.set_buttons(author_of(request), body_of(request).get("buttons"))
    found = tagging.buttons_of(reader_of(request))
    return answer({"buttons": found, "csrf": get_token(request)})


@gzip_page
@json_view("GET")
def matrix(request: HttpRequest) -> HttpResponseBase:
    """Tags by players over some matches (one or more `?match=`), with their spans."""
    asked = numbers(request, "match")
    if not 1 <= len(asked) <= tagging.MOST_MATCHES:
        raise Unfit(f"match: expected 1 to {tagging.MOST_MATCHES} numbers of matches")
    if not may_show(request):
        raise Unfit("the matrix would reveal results, which you have hidden")
    matches = [match for pk in asked if (match := watched(request, pk)) is not None]
    found = tagging.matrix(matches, reader_of(request))
    cells = [
        {"tag": tag, "player": player, "spans": [_span(note) for note in notes]}
        for (tag, player), notes in found.cells.items()
    ]
    return answer({"players": found.players, "tags": found.tags, "cells": cells})


def _span(note: Note) -> dict[str, Any]:
    until = note.event if note.until is None else note.until
    place = {"match": note.match_id, "round": note.round, "event": note.event, "until": until}
    return {"note": note.key, **place}


@json_view("GET", "POST")
def all_playlists(request: HttpRequest) -> HttpResponseBase:
    """GET: the requester's playlists. POST: add one."""
    if request.method == "POST":
        return _created(request)
    reader = reader_of(request)
    rows = Playlist.objects.filter(own(reader), deleted=None).order_by("-edited", "pk")[:200]
    items = [
        {"key": row.key, "title": row.title, "visibility": row.visibility, "revision": row.revision}
        for row in rows
    ]
    return answer({"playlists": items, "csrf": get_token(request)})


def _created(request: HttpRequest) -> HttpResponseBase:
    author = author_of(request)
    body = body_of(request)
    made = playlists.create(
        author,
        key_in(body),
        body.get("title"),
        body.get("items", []),
        reader=reader_of(request),
        match_of=lambda pk: watched(request, pk),
    )
    return answer(playlist_fields(request, made), HTTPStatus.CREATED)


@json_view("GET", "PUT", "DELETE")
def playlist(request: HttpRequest, key: str) -> HttpResponseBase:
    """One playlist: its spans, where this reader may see the matches."""
    found = playlist_of(request, key)
    if request.method == "GET":
        return answer(playlist_fields(request, found))
    must_own(request, found)
    if request.method == "DELETE":
        Playlist.objects.filter(pk=found.pk).update(deleted=timezone.now())
        return answer({"deleted": True})
    return _changed(request, found)


def _changed(request: HttpRequest, found: Playlist) -> HttpResponseBase:
    body = body_of(request)
    try:
        changed = playlists.change(
            found,
            revision_in(body),
            body.get("title"),
            body.get("items", []),
            sharing_in(body),
            reader=reader_of(request),
            match_of=lambda pk: watched(request, pk),
        )
    except Conflict as conflict:
        other = conflict.args[0]
        return conflict_with(playlist_fields(request, other), other.by, other.edited, you=True)
    return answer(playlist_fields(request, changed))


def shown_items(request: HttpRequest, found: Playlist) -> list[PlaylistItem]:
    """The spans in matches that this visitor may see, in order."""
    seen: dict[int, bool] = {}
    rows = found.items.select_related("match", "line", "note").order_by("place")
    for row in rows:
        if row.match_id not in seen:
            seen[row.match_id] = not blind(rights_in(request, row.match))
    return [row for row in rows if seen[row.match_id]]


class PlaylistJson(TypedDict):
    """A playlist for one visitor; `unseen`: how many of its items they may not see."""

    key: str
    title: str
    by: str
    mine: bool
    visibility: str
    revision: int
    token: str
    """For its owner, if it is shared by link."""
    items: list[ItemJson]
    unseen: int


def playlist_fields(request: HttpRequest, found: Playlist) -> PlaylistJson:
    """A playlist as far as this visitor may see its matches."""
    return fields_with(request, found, shown_items(request, found))


def fields_with(
    request: HttpRequest, found: Playlist, items: Sequence[PlaylistItem]
) -> PlaylistJson:
    """A playlist with these items, which this visitor may see."""
    mine = found.owner in reader_of(request).persons
    return {
        "key": found.key,
        "title": found.title,
        "by": found.by,
        "mine": mine,
        "visibility": found.visibility,
        "revision": found.revision,
        "token": found.token if mine and found.visibility == "link" else "",
        "items": [_item(row) for row in items],
        "unseen": found.items.count() - len(items),
    }


def _item(row: PlaylistItem) -> ItemJson:
    item: ItemJson = {
        "match": row.match_id,
        "round": row.round,
        "event": row.event,
        "until": row.until,
        "label": row.label,
    }
    if row.line:
        item["line"] = row.line.key
    if row.note:
        item["note"] = row.note.key
    return item
