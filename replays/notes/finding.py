"""Notes across matches: the reader's own, those that name them, and which matches have any."""

from collections.abc import Iterator
from typing import Final, TypeVar

from django.db.models import Q, QuerySet

from games.models import Match
from games.people.visitor import Reader
from replays.models import Note, Variation
from replays.notes.access import for_classes_of, own, readable, readable_notes, replies_to
from replays.notes.positions import ValidationFault

PAGE: Final = 50
MOST_PAGES: Final = 100
_LOOKED_AT: Final = 2_000
"""How many of the newest notes are examined for each way in which a note may be readable."""
_MOST_MATCHES: Final = 500
N = TypeVar("N", Note, Variation)
FOLDERS: Final = ("mine", "shared", "mentions")
"""The reader's own notes, those shared with this account, and those that name or answer it."""


def named(kind: type[N], match: Match, reader: Reader, key: object, name: str) -> N | None:
    """The item that a new one names. Its author must be able to see it. Raises ValidationFault."""
    if key is None:
        return None
    rows = kind._default_manager.filter(readable_notes(reader, kind), match=match, deleted=None)
    row = rows.filter(key=key).first() if isinstance(key, str) else None
    if row is None:
        raise ValidationFault("{name}: there is none", name=name)
    return row


def folder(reader: Reader, name: str) -> QuerySet[Note]:
    """The notes of a folder, latest change first. Deleted ones are in none."""
    rows = (
        Note.objects.filter(deleted=None)
        .select_related("match", "study")
        .prefetch_related("readers")
    )
    if name == "mine":
        notes = rows.filter(own(reader))
    elif name == "mentions":
        mentioned = Q(mentions=reader.account or 0) & readable(reader)
        answers = replies_to(reader) & Q(study=None, hidden=False)
        notes = rows.filter(mentioned | answers).exclude(own(reader))
    elif reader.account is None:
        notes = rows.none()
    else:
        named = Q(visibility=Note.Visibility.PEOPLE, readers=reader.account)
        shared = rows.filter(named | for_classes_of(reader.account), hidden=False)
        notes = shared.exclude(own(reader))
    return notes.distinct().order_by("-edited", "-pk")


def matching(rows: QuerySet[Note], text: str, match: int | None) -> QuerySet[Note]:
    """Notes with that text in their words or tags, on that match."""
    if match is not None:
        rows = rows.filter(match=match)
    if text:
        rows = rows.filter(Q(text__says=text) | Q(tags__says=text))
    return rows


def noted_matches(reader: Reader) -> list[int]:
    """Matches with notes that this reader may see, from a bounded number of the newest notes."""
    matches: dict[int, None] = {}
    for where in _ways(reader):
        rows = Note.objects.filter(where, deleted=None).exclude(match__state=Match.State.OPEN)
        matches.update(
            dict.fromkeys(rows.order_by("-pk").values_list("match", flat=True)[:_LOOKED_AT])
        )
    return list(matches)[:_MOST_MATCHES]


def _ways(reader: Reader) -> Iterator[Q]:
    """The ways in which a note may be readable, each found by its own index."""
    kinds = Note.Visibility
    if reader.persons:
        yield own(reader)
    if reader.account is not None:
        yield Q(visibility=kinds.PEOPLE, readers=reader.account, hidden=False)
        yield for_classes_of(reader.account) & Q(hidden=False)
    if reader.tokens:
        yield Q(visibility=kinds.LINK, token__in=list(reader.tokens), hidden=False)
    yield Q(visibility=kinds.EVERYONE, hidden=False)


def has_variations(match: Match, reader: Reader) -> bool:
    """Whether this reader may see any variation of a match. One query."""
    return Variation.objects.filter(readable(reader), match=match, deleted=None).exists()
