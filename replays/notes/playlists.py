"""Playlists: spans of matches, played one after another in a chosen order."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NotRequired

from django.db import transaction
from typing_extensions import TypedDict

from games.models import Match
from games.people.visitor import Author, Reader
from games.records.log import Note as RecordNote
from replays.models import News, Note, Playlist, PlaylistItem, Variation
from replays.news import tell
from replays.notes.audience import Sharing, accounts_of
from replays.notes.finding import named
from replays.notes.notes import Conflict
from replays.notes.positions import ExtentOf, ValidationFault, extent_of, verify_note

MOST_ITEMS: Final = 200
MOST_LISTS: Final = 200
"""Playlists per person."""
MatchOf = Callable[[int], Match | None]
"""A match by its number, if the list's maker may see it."""


class ItemJson(TypedDict):
    """A span of a playlist, as the API sends and takes it. `line` and `note` are keys."""

    match: int
    round: int
    event: int
    until: int
    label: str
    line: NotRequired[str]
    note: NotRequired[str]


def create(
    author: Author,
    key: str,
    title: str,
    items: Sequence[Mapping[str, Any]],
    *,
    reader: Reader,
    match_of: MatchOf,
) -> Playlist:
    """Create a playlist, at first visible only to its owner. Raises ValidationFault."""
    if Playlist.objects.filter(owner=author.person).count() >= MOST_LISTS:
        raise ValidationFault("at most {most} playlists per person", most=MOST_LISTS)
    rows = _rows(items, reader, match_of)
    with transaction.atomic():
        playlist, new = Playlist.objects.get_or_create(
            key=key,
            owner=author.person,
            defaults={"title": title, "by": author.name, "user": author.user},
        )
        if new:
            _replace_items(playlist, rows)
    return playlist


def change(
    playlist: Playlist,
    revision: int,
    title: str,
    items: Sequence[Mapping[str, Any]],
    sharing: Sharing | None,
    *,
    reader: Reader,
    match_of: MatchOf,
) -> Playlist:
    """Replace the whole list. Raises ValidationFault, Conflict."""
    rows = _rows(items, reader, match_of)
    with transaction.atomic():
        current = Playlist.objects.select_for_update().get(pk=playlist.pk)
        if current.revision != revision:
            raise Conflict(current)
        current.title, current.revision = title, revision + 1
        before = accounts_of(current)
        if sharing is not None:
            sharing.put(current)
            current.readers.set(sharing.readers)
        current.save()
        new_readers = accounts_of(current) - before
        tell(new_readers, News.Kind.PLAYLIST, current.key, Author(current.owner, current.by))
        _replace_items(current, rows)
    return current


def _replace_items(playlist: Playlist, rows: Sequence[PlaylistItem]) -> None:
    playlist.items.all().delete()
    for place, row in enumerate(rows):
        row.playlist, row.place = playlist, place
    PlaylistItem.objects.bulk_create(rows)


def _rows(
    items: Sequence[Mapping[str, Any]], reader: Reader, match_of: MatchOf
) -> list[PlaylistItem]:
    matches, extents = cache(match_of), cache(extent_of)  # many spans are of the same round
    return [
        _row(item, f"items, {count}", reader, matches, extents)
        for count, item in enumerate(items, 1)
    ]


def _row(
    item: Mapping[str, Any], name: str, reader: Reader, match_of: MatchOf, extents: ExtentOf
) -> PlaylistItem:
    match = match_of(item["match"])
    if match is None:
        raise ValidationFault("{name}: there is no such match", name=name)
    said = {key: item[key] for key in ("round", "event", "until")}
    line = named(Variation, match, reader, item.get("line"), f"{name}, line")
    note = named(Note, match, reader, item.get("note"), f"{name}, note")
    extent = extents(match, said["round"])
    until = None if said["until"] == said["event"] else said["until"]  # a note may have no span
    verify_note(extent, RecordNote(**{**said, "until": until}, text="-"), line, None)
    return PlaylistItem(match=match, line=line, note=note, label=item.get("label") or "", **said)
