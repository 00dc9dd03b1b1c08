"""Playlists (docs/reference/notes.md)."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated, Final

from django.utils import timezone
from ninja import Router, Status
from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from games.engine.events import MAX_ROUNDS
from games.engine.message import Message
from games.pages.operations import Key, RequestBody, Title
from games.pages.problems import Refused, conflict
from games.people.visit import Request, Visit
from games.records.shape import one_line
from replays.models import Playlist, PlaylistItem
from replays.notes import playlists
from replays.notes.access import own
from replays.notes.playlists import ItemJson
from replays.pages.notes.access import must_own, playlist_of
from replays.pages.notes.schemas import Deleted, Shares

MOST_LABEL: Final = 200
_MOST_LISTED: Final = 200
_MAX_BIGINT: Final = 10**15
router: Final = Router(tags=["playlists"])

Place = Annotated[int, Field(ge=0, le=_MAX_BIGINT)]
MatchNumber = Annotated[int, Field(ge=1, le=_MAX_BIGINT)]


def _label(words: str | None) -> str:
    return one_line(words, "label", MOST_LABEL, Message("a label")) if words else ""


class Item(RequestBody):
    """A span of a match. `line` and `note` are keys."""

    match: MatchNumber
    round: Annotated[int, Field(ge=1, le=MAX_ROUNDS)]
    event: Place
    until: Place
    label: Annotated[str | None, AfterValidator(_label)] = ""
    line: str | None = None
    note: str | None = None


class NewPlaylist(RequestBody):
    """A playlist, at first for its owner alone."""

    key: Key
    title: Title
    items: Annotated[list[Item], Field(max_length=playlists.MOST_ITEMS)] = []


class ChangedPlaylist(Shares):
    """The whole list as it is to be."""

    revision: int
    title: Title
    items: Annotated[list[Item], Field(max_length=playlists.MOST_ITEMS)] = []


class PlaylistRow(TypedDict):
    """A playlist in a list."""

    key: str
    title: str
    visibility: str
    revision: int


class PlaylistJson(TypedDict):
    """A playlist for one visitor. `unseen`: how many of its items they may not see."""

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


class Playlists(TypedDict):
    """The visitor's playlists, those changed last first."""

    playlists: list[PlaylistRow]


@router.get("/playlists", url_name="playlists", response=Playlists)
def list_playlists(request: Request) -> Playlists:
    """The visitor's playlists."""
    mine = Playlist.objects.filter(own(request.visit.reader), deleted=None)
    rows: list[PlaylistRow] = [
        {"key": row.key, "title": row.title, "visibility": row.audience, "revision": row.revision}
        for row in mine.order_by("-edited", "pk")[:_MOST_LISTED]
    ]
    return {"playlists": rows}


@router.post("/playlists", url_name="playlists", response={201: PlaylistJson})
def add_playlist(request: Request, asked: NewPlaylist) -> Status[PlaylistJson]:
    """Add a playlist."""
    made = playlists.create(
        request.visit.sign(),
        asked.key,
        asked.title,
        [dict(span) for span in asked.items],
        reader=request.visit.reader,
        match_of=request.visit.reviewable,
    )
    return Status(HTTPStatus.CREATED, playlist_fields(request.visit, made))


@router.get("/playlists/{slug:key}", url_name="playlist", response=PlaylistJson)
def read_playlist(request: Request, key: str) -> PlaylistJson:
    """One playlist: its spans, where this reader may see the matches."""
    return playlist_fields(request.visit, playlist_of(request.visit, key))


@router.put("/playlists/{slug:key}", url_name="playlist", response=PlaylistJson)
def change_playlist(request: Request, key: str, asked: ChangedPlaylist) -> PlaylistJson:
    """Replace a playlist."""
    visit = request.visit
    playlist = playlist_of(visit, key)
    must_own(visit, playlist)
    changed = playlists.change(
        playlist,
        asked.revision,
        asked.title,
        [dict(span) for span in asked.items],
        asked.sharing(visit),
        reader=visit.reader,
        match_of=visit.reviewable,
    )
    return playlist_fields(visit, changed)


def overtaken(visit: Visit, other: Playlist) -> Refused:
    """The conflict when the playlist's owner has changed it in another tab."""
    return conflict(playlist_fields(visit, other), other.by, other.edited, you=True)


@router.delete("/playlists/{slug:key}", url_name="playlist", response=Deleted)
def delete_playlist(request: Request, key: str) -> Deleted:
    """Delete a playlist."""
    playlist = playlist_of(request.visit, key)
    must_own(request.visit, playlist)
    Playlist.objects.filter(pk=playlist.pk).update(deleted=timezone.now())
    return {"deleted": True}


def shown_items(visit: Visit, playlist: Playlist) -> list[PlaylistItem]:
    """The spans in matches that this visitor may see, in order."""
    rows = list(playlist.items.select_related("match", "line", "note").order_by("place"))
    seen = visit.reviewed(row.match for row in rows)
    return [row for row in rows if row.match_id in seen]


def playlist_fields(visit: Visit, playlist: Playlist) -> PlaylistJson:
    """A playlist as far as this visitor may see its matches."""
    return fields_with(visit, playlist, shown_items(visit, playlist))


def fields_with(visit: Visit, playlist: Playlist, items: Sequence[PlaylistItem]) -> PlaylistJson:
    """A playlist with these items, which this visitor may see."""
    mine = playlist.owner in visit.reader.persons
    return {
        "key": playlist.key,
        "title": playlist.title,
        "by": playlist.by,
        "mine": mine,
        "visibility": playlist.audience,
        "revision": playlist.revision,
        "token": playlist.token if mine and playlist.visibility == "link" else "",
        "items": [_item(row) for row in items],
        "unseen": playlist.items.count() - len(items),
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
    if row.note and not row.note.deleted:  # one that is gone could not be named in a change
        item["note"] = row.note.key
    return item
