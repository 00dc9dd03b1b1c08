"""Drills over playlists: each span becomes a question, in a study that only its maker sees.

A question stops where the take became possible: in the learner's own match where they missed it,
otherwise where somebody made one. Every take that is possible there is right, and it is due in
the time for which it was possible.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import Sum

from games.engine.cards import FACE
from games.models import Match
from replays.analysis.missed_takes import is_missed_take
from replays.analysis.windows import PLAYED, Window, windows
from replays.annotations.notes import Author
from replays.annotations.positions import Unfit
from replays.models import Attempt, Chapter, Playlist, PlaylistItem, Study
from replays.stored.logs import round_of
from replays.studies import writing
from replays.studies.chapters import MatchOf, Said
from replays.studies.questions import (
    MOST_ANSWERS,
    MOST_LIMIT_MS,
    Answer,
    Question,
    verify_short,
)

MOST: Final = 40
"""Questions in a drill."""
MOST_READ: Final = 25_000
"""Events of the rounds that are read for a drill; spans in further rounds ask nothing."""
LEAST_MS: Final = 2_000
"""Nobody is given less than this, at the original speed: a position has to be read first."""
_TITLE: Final = re.compile(r"Question \d+")
Seats = Mapping[int, Collection[int]]
"""For the matches in which somebody played, their seats there."""


class Opening(NamedTuple):
    """Where a take became possible: the question that it makes."""

    round: int
    event: int
    seat: int
    answers: tuple[tuple[str, int], ...]
    """Cards and slots."""
    limit_ms: int

    def chapter(self, match: Match, number: int) -> dict[str, Any]:
        """As a chapter; its title gives nothing away."""
        question = Question(
            seat=self.seat,
            timed=True,
            limit=self.limit_ms,
            answers=[Answer(do="play", card=card, stack=slot) for card, slot in self.answers],
            hint="",
            right="",
            wrong="",
            late="",
        )
        return {
            "title": _title(number),
            "match": match.pk,
            "round": self.round,
            "event": self.event,
            "view": str(self.seat),
            "question": question,
        }


def _title(number: int) -> str:
    return f"Question {number}"


def opening_in(
    found: Sequence[Window], span: tuple[int, int, int], seats: Collection[int]
) -> Opening | None:
    """The take to ask for among a round's windows, in `span`: round, and from and until where.

    `seats` are the learner's own: what they missed there comes first.
    """
    number, event, until = span
    inside = [
        one for one in found if one.takes and event <= one.span[0] <= until and one.play is not None
    ]
    missed = [one for one in inside if one.seat in seats and is_missed_take(one)]
    taken = [one for one in inside if one.end == PLAYED]
    asked = max(missed, key=lambda one: one.cards, default=None) or next(iter(taken), None)
    if asked is None:
        return None
    answers = tuple(_takes_at(found, asked))
    length = asked.until - asked.since
    limit = min(max(length, LEAST_MS), MOST_LIMIT_MS)
    return Opening(number, asked.span[0], asked.seat, answers, limit)


def _takes_at(found: Iterable[Window], asked: Window) -> list[tuple[str, int]]:
    """The takes that its seat can make where it begins, one for each face and slot."""
    begun = asked.span[0]
    possible = [
        one
        for one in found
        if one.takes and one.seat == asked.seat and one.span[0] <= begun < one.span[1]
    ]
    once = {(FACE[one.card], one.slot): (one.card, one.slot) for one in [*possible, asked]}
    return list(once.values())[-MOST_ANSWERS:]


def create(author: Author, playlist: Playlist, seats: Seats, match_of: MatchOf) -> Study:
    """The drill over a playlist, which follows it: each list has one for each learner.

    Of a changed list it keeps the questions that remain, with the attempts at them. Raises Unfit.
    """
    rounds = _Rounds(match_of)
    listed = playlist.items.filter(line=None).order_by("place")
    items = [one for one in listed if rounds.match(one.match_id)]
    spans = _digest([[one.match_id, one.round, one.event, one.until] for one in items])
    key = f"drill-{_digest([author.person, playlist.key])}"
    known = Study.objects.filter(key=key, owner=author.person).first()
    if known is not None and (_under_way(known) or _asks_all(known, spans)):
        writing.restore(known)
        return known
    questions = list(_questions(items, seats, rounds))
    if not questions:
        raise Unfit("nobody takes anything in these spans that you may see")
    with transaction.atomic():
        title = f"Drill: {playlist.title}"[:100]
        made = known or writing.create(author, key, title, _words(playlist), drill=True)
        writing.restore(made)
        _follow(made, questions)
        Study.objects.filter(pk=made.pk).update(spans=spans)
    return made


def _under_way(drill: Study) -> bool:
    """Whether a question is open: until it is answered, its match cannot be seen, nor read."""
    asked = Attempt.objects.filter(chapter__study=drill, chapter__deleted=None, answered=None)
    return drill.deleted is None and asked.exists()


def _asks_all(drill: Study, spans: str) -> bool:
    return drill.spans == spans and drill.chapters.exists()


def _digest(named: object) -> str:
    return sha256(json.dumps(named).encode()).hexdigest()[:32]


def _follow(drill: Study, questions: Sequence[tuple[Match, Opening]]) -> None:
    """Let a drill ask these questions, in this order."""
    known = {_asks(row): row for row in Chapter.every.filter(study=drill)}
    rows = []
    for number, (match, opening) in enumerate(questions, 1):
        row = known.pop((match.pk, opening.round, opening.event, opening.seat), None)
        if row is None:
            row = writing.append(drill, _said(match, opening.chapter(match, number)))
        row.deleted, row.place = None, number
        if _TITLE.fullmatch(row.title):
            row.title = _title(number)
        rows.append(row)
    for row in known.values():
        if row.deleted is None:
            writing.drop(row, row.revision)
    Chapter.every.bulk_update(rows, ["deleted", "place", "title"])


def _asks(row: Chapter) -> tuple[int, int, int, int]:
    """What a chapter asks about: a match, a round, an event and a seat; seat -1: nothing."""
    return row.match_id, row.round, row.event, row.question["seat"] if row.question else -1


def _said(match: Match, chapter: dict[str, Any]) -> Said:
    """A chapter without a check: it comes from the log, and each would replay its round again."""
    return Said(match, None, {name: chapter[name] for name in chapter if name != "match"})


def _words(playlist: Playlist) -> str:
    what = "where a take became possible, and is due while it was"
    return f"Questions from the playlist “{playlist.title}”: each stops {what}."


def _questions(
    items: Iterable[PlaylistItem], seats: Seats, rounds: _Rounds
) -> Iterator[tuple[Match, Opening]]:
    """At most `MOST` questions, each once."""
    asked: set[tuple[int, int, int, int]] = set()
    for item in items:
        if len(asked) >= MOST:
            return
        match = rounds.match(item.match_id)
        if match is None:
            continue
        span = item.round, item.event, item.until
        found = opening_in(rounds.windows(match, item.round), span, seats.get(match.pk, ()))
        if found is None or (match.pk, item.round, found.event, found.seat) in asked:
            continue
        asked.add((match.pk, item.round, found.event, found.seat))
        yield match, found


class _Rounds:
    """The matches and rounds of a playlist, each read once, up to `MOST_READ` events."""

    def __init__(self, match_of: MatchOf) -> None:
        self._match_of = match_of
        self._matches: dict[int, Match | None] = {}
        self._rounds: dict[tuple[int, int], list[Window]] = {}
        self._left = MOST_READ

    def match(self, pk: int) -> Match | None:
        """A match that its maker may see, and that is not being played."""
        if pk not in self._matches:
            found = self._match_of(pk)
            self._matches[pk] = None if found is None or found.hidden else found
        return self._matches[pk]

    def windows(self, match: Match, number: int) -> list[Window]:
        """A round's windows; none of a round that is too long."""
        place = match.pk, number
        if place not in self._rounds:
            self._rounds[place] = self._read(match, number)
        return self._rounds[place]

    def _read(self, match: Match, number: int) -> list[Window]:
        here = match.chunks.filter(round=number)
        events = here.aggregate(events=Sum("events"))["events"] or 0
        if not 0 < events <= self._left:
            return []
        try:
            verify_short(match, number)
        except Unfit:
            return []
        self._left -= events
        return windows(round_of(match, number))
