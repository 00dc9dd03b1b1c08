"""The log of a match being played: it grows by commits, one chunk each.

When a round has ended, its commits are replaced by one packed chunk (`compact`), and the
match's summary for lists is updated.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.db import transaction

from games.archive.packing import ChunkFields, chunk_fields, lines_of, runs, text_of
from games.archive.store import header_of, insert_match, summarise
from games.archive.summary import Summary
from games.engine.events import Deal, End, Event
from games.models import Chunk, Match
from games.records.digests import digest_after, first_digest
from games.records.log import FAIR_VERSION, Header, Line, Result


class StaleWriterError(RuntimeError):
    """The match has a new owner or its log a different length. Nothing was written."""


@transaction.atomic
def open_match(header: Header, **live: object) -> Match:
    """Begin the log of a match to be played. `live`: fields of Match for playing."""
    return insert_match(header, live)


class LogPosition(NamedTuple):
    """A writer's place in its log: the round and, unless inside a round, the summary so far."""

    round: int
    summary: Summary | None = None


def append(
    match_id: int,
    epoch: int,
    first_seq: int,
    lines: Sequence[Line],
    known: LogPosition | None = None,
) -> LogPosition:
    """Commit the next lines of an open match: one chunk, or several if rounds begin among them.

    `known`: the result of the last append. Without it, it is read from the log. Raises
    StaleWriterError unless the match is open, `epoch` is its owner's, and its log ends right before
    `first_seq`.
    """
    mine = Match.objects.filter(
        pk=match_id, owner_epoch=epoch, lines=first_seq, state=Match.State.OPEN
    )
    with transaction.atomic(savepoint=False):
        if mine.update(lines=first_seq + len(lines)):
            return _extend(Match(pk=match_id), first_seq, lines, known)
    raise StaleWriterError(f"match {match_id}: not the writer of line {first_seq}")


def _extend(
    match: Match, first_seq: int, lines: Sequence[Line], known: LogPosition | None
) -> LogPosition:
    number, summary = known or LogPosition(round_of(match))
    for run in runs(lines):
        number = run[0].round if isinstance(run[0], Deal) else number
        _commit(match, first_seq, number, run)
        first_seq += len(run)
    if any(isinstance(line, End | Result) for line in lines):
        summary = summarise(Match.objects.get(pk=match.pk), summary)
        if not isinstance(lines[-1], End | Result):
            summary = None  # it has read part of a round that will be read again
    return LogPosition(number, summary)


def round_of(match: Match) -> int:
    """The round that a log has reached. 0 before the first deal."""
    last = match.chunks.order_by("first_seq").values_list("round", flat=True).last()
    return last or 0


def _commit(match: Match, first_seq: int, number: int, lines: Sequence[Line]) -> None:
    events = sum(isinstance(line, Event) for line in lines)
    body = text_of(lines).encode()
    part = ChunkFields(first_seq, len(lines), number, events, 0, False, body)
    Chunk(match=match, **part._asdict()).save()
    if any(type(line) is End for line in lines):
        compact(match, number)


def lines_since(match: Match, seq: int) -> list[Line]:
    """The lines since `seq`, with it. None if the log was being packed meanwhile, so ask again."""
    before = match.chunks.filter(first_seq__lte=seq).order_by("first_seq").last()
    if before is None:
        return []
    chunks = list(match.chunks.filter(first_seq__gte=before.first_seq).order_by("first_seq"))
    if not chunks or chunks[0].first_seq > seq:
        return []
    lines = [
        line
        for chunk in chunks
        for line in lines_of(chunk.first_seq, chunk.packed, bytes(chunk.body))
    ]
    return lines[seq - chunks[0].first_seq :]


@transaction.atomic
def compact(match: Match, number: int) -> bool:
    """Replace a finished round's commits by one packed chunk.

    Returns False and changes nothing unless the chunk unpacks to exactly the same text.
    """
    rows = match.chunks.filter(round=number, packed=False).order_by("first_seq")
    chunks = list(rows)
    text = b"".join(bytes(chunk.body) for chunk in chunks)
    first = chunks[0].first_seq
    lines = lines_of(first, False, text)
    part = chunk_fields(first, number, lines)
    if not part.packed or text_of(lines_of(first, True, part.body)).encode() != text:
        return False
    before = digest_before(match, first)
    digest = digest_after(before, lines) if before else None
    rows.replace_by(Chunk(match=match, **part._asdict(), digest=digest))
    return True


def digest_before(match: Match, seq: int) -> bytes:
    """The log's digest before the line `seq`, a deal. Empty if an earlier release began the log.

    Its viewers got no digests, and to compute it now would mean reading the whole log.
    """
    known = match.chunks.filter(first_seq__lt=seq, digest__isnull=False).order_by("first_seq")
    last = known.values_list("digest", "first_seq", "lines").last()
    if last is not None:
        digest, first, lines = last
        return _digest_of_rest(match, bytes(digest or b""), first + lines, seq)
    header = header_of(Match.objects.only("header").get(pk=match.pk))
    if header.version != FAIR_VERSION:
        return b""
    return _digest_of_rest(match, first_digest(header), 1, seq)


def _digest_of_rest(match: Match, digest: bytes, start: int, end: int) -> bytes:
    """The digest after these lines too: there are some only if a round could not be packed."""
    lines = lines_since(match, start)[: end - start] if start < end else []
    return digest_after(digest, lines)
