"""Playlists to practise: each span becomes a question, in a study that only its maker sees.

A question stops where the take became possible: in the learner's own match where they missed it,
otherwise where a player made one. Every take that is possible there is right, and it is due in the
time for which it was possible. Takes that were too quick for any player are left out.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import Sum

from games.engine.cards import FACE
from games.models import Match
from games.people.visitor import Author
from replays.analysis.chances import chances
from replays.analysis.missed_takes import could_take, is_missed_take
from replays.analysis.windows import PLAYED, Window
from replays.models import Attempt, Chapter, Playlist, Study
from replays.notes.positions import ValidationFault
from replays.stored.logs import lags_of, round_of
from replays.studies import writing
from replays.studies.chapters import ChapterFields, MatchOf
from replays.studies.questions import MOST_ANSWERS, MOST_LIMIT_MS, take_question

MAX_QUESTIONS: Final = 40
"""Questions in a drill."""
MOST_READ: Final = 25_000
"""Events of the rounds that are read for a drill. Spans in further rounds ask nothing."""
LEAST_MS: Final = 2_000
"""Nobody is given less than this, at the original speed: a position has to be read first."""
FASTEST_MS: Final = 250
"""A take that was possible for less is not asked for: no one sees it, decides and plays so fast.

Pressing one button when one light comes on takes people about 230 ms (Woods et al., Frontiers in
Human Neuroscience 9:131, 2015). Seeing which of several cards fits where takes longer.
"""
MISSED_TAKES: Final = "missed takes"
"""As a playlist: the plays of their own that a player tries again."""
Seats = Mapping[int, Collection[int]]
"""For the learner's matches, their seats there."""


class Span(NamedTuple):
    """A part of a match, from and until after so many events of a round."""

    match: int
    round: int
    event: int
    until: int


class Opening(NamedTuple):
    """Where a take became possible: the question that it makes."""

    round: int
    event: int
    seat: int
    answers: tuple[tuple[str, int], ...]
    """Cards and slots."""
    limit_ms: int

    def chapter(self, match: Match) -> dict[str, Any]:
        """As a chapter. It gets its number as title, which gives nothing away."""
        return {
            "title": "",
            "match": match.pk,
            "round": self.round,
            "event": self.event,
            "view": str(self.seat),
            "question": {**take_question(self.seat, self.answers), "limit": self.limit_ms},
        }

    def said(self, match: Match) -> ChapterFields:
        """The same without a check: it comes from the log, and each would replay its round."""
        chapter = self.chapter(match)
        del chapter["match"]
        return ChapterFields(match, None, chapter)


class RoundTakes(NamedTuple):
    """A round's windows, and those missed takes among them that their players had the time for."""

    windows: Sequence[Window] = ()
    could: Collection[Window] = ()


def opening_in(
    there: RoundTakes, span: tuple[int, int, int], seats: Collection[int]
) -> Opening | None:
    """The take to ask for in a round, in `span`: round, and from and until where.

    `seats` are the learner's own: what they missed there comes first.
    """
    inside = [window for window in _takes_in(there.windows, span) if window.ms >= FASTEST_MS]
    missed = [window for window in inside if window.seat in seats and window in there.could]
    taken = [window for window in inside if window.end == PLAYED]
    asked = max(missed, key=lambda window: window.cards, default=None) or next(iter(taken), None)
    if asked is None:
        return None
    answers = tuple(takes_at(there.windows, asked))
    limit = min(max(asked.ms, LEAST_MS), MOST_LIMIT_MS)
    return Opening(span[0], asked.span[0], asked.seat, answers, limit)


def _takes_in(windows_there: Iterable[Window], span: tuple[int, int, int]) -> list[Window]:
    """The takes that became possible in a span and that a play ended."""
    _round, event, until = span
    return [
        window
        for window in windows_there
        if window.takes and event <= window.span[0] <= until and window.play is not None
    ]


def too_quick(there: RoundTakes, span: tuple[int, int, int], seats: Collection[int]) -> bool:
    """Whether a span has takes to ask for, but all too quick for any player."""
    asked = [
        window
        for window in _takes_in(there.windows, span)
        if window.end == PLAYED or (window.seat in seats and is_missed_take(window))
    ]
    return bool(asked) and opening_in(there, span, seats) is None


def takes_at(windows_there: Iterable[Window], asked: Window) -> list[tuple[str, int]]:
    """The takes that its seat can make where it begins, one for each face and slot."""
    possible = [window for window in plays_at(windows_there, asked) if window.takes]
    once = {
        (FACE[window.card], window.slot): (window.card, window.slot)
        for window in [*possible, asked]
    }
    return list(once.values())[-MOST_ANSWERS:]


def plays_at(windows_there: Iterable[Window], asked: Window) -> list[Window]:
    """The windows of its seat that are open where it begins."""
    seat, begun = asked.seat, asked.span[0]
    return [
        each for each in windows_there if each.seat == seat and each.span[0] <= begun < each.span[1]
    ]


def create(
    author: Author, playlist: Playlist, seats: Seats, match_of: MatchOf
) -> tuple[Study, int]:
    """The drill over a playlist, which follows it: each list has one for each learner.

    After a change of the list it keeps the remaining questions, with their attempts. The number
    counts the spans that are left out now as too quick. Raises ValidationFault.
    """
    rounds = Rounds(match_of)
    asked = [span for span in spans_of(playlist) if rounds.match(span.match)]
    spans = _digest([playlist.title, FASTEST_MS, *asked])
    key = key_of(author.person, playlist.key)
    known = Study.objects.filter(key=key, owner=author.person).first()
    if known is not None and (
        _under_way(known) or (known.spans == spans and known.chapters.exists())
    ):
        writing.restore(known)
        return known, 0
    openings, left_out = questions(asked, seats, rounds)
    if not openings:
        if left_out:
            raise ValidationFault("the takes in these spans were too quick for any player")
        raise ValidationFault("no one takes anything in these spans that you may see")
    with transaction.atomic():
        title = playlist.title[:100]
        made = known or writing.create(author, key, title, drill=True)
        writing.restore(made)
        _follow(made, openings)
        Study.objects.filter(pk=made.pk).update(spans=spans)
        Study.objects.filter(pk=made.pk, worded_by="").update(title=title)
    return made, left_out


def spans_of(playlist: Playlist) -> list[Span]:
    """The spans of a playlist that a drill can ask about: what happened, no variation."""
    listed = playlist.items.filter(line=None).order_by("place")
    return [Span._make(row) for row in listed.values_list("match", "round", "event", "until")]


def key_of(person: str, playlist: str) -> str:
    """The key of a person's drill over the playlist of that key."""
    return f"drill-{_digest([person, playlist])}"


def _under_way(drill: Study) -> bool:
    """Whether a question is open: until it is answered, its match cannot be seen, nor read."""
    asked = Attempt.objects.filter(chapter__study=drill, chapter__deleted=None, answered=None)
    return drill.deleted is None and asked.exists()


def _digest(named: object) -> str:
    return sha256(json.dumps(named).encode()).hexdigest()[:32]


def _follow(drill: Study, asked: Sequence[tuple[Match, Opening]]) -> None:
    """Let a drill ask these questions, in this order."""
    known = {_asks(row): row for row in Chapter.every.filter(study=drill)}
    rows = []
    for place, (match, opening) in enumerate(asked):
        row = known.pop((match.pk, opening.round, opening.event, opening.seat), None)
        if row is None:
            row = writing.append(drill, opening.said(match))
        row.deleted, row.place = None, place
        rows.append(row)
    for row in known.values():
        if row.deleted is None:
            writing.drop(row, row.revision)
    Chapter.every.bulk_update(rows, ["deleted", "place"])


def _asks(row: Chapter) -> tuple[int, int, int, int]:
    """A chapter's question: a match, a round, an event and a seat. Seat -1: nothing."""
    return row.match_id, row.round, row.event, row.question["seat"] if row.question else -1


def questions(
    spans: Iterable[Span], seats: Seats, rounds: Rounds
) -> tuple[list[tuple[Match, Opening]], int]:
    """At most `MAX_QUESTIONS`, each once, and how many spans are left out as too quick."""
    asked: dict[tuple[int, int, int, int], tuple[Match, Opening]] = {}
    left_out = 0
    for listed in spans:
        match = rounds.match(listed.match)
        if match is None or len(asked) >= MAX_QUESTIONS:
            continue
        span, own = listed[1:], seats.get(match.pk, ())
        there = rounds.takes(match, listed.round)
        opening = opening_in(there, span, own)
        if opening is not None:
            asked.setdefault(
                (match.pk, listed.round, opening.event, opening.seat), (match, opening)
            )
        elif too_quick(there, span, own):
            left_out += 1
    return list(asked.values()), left_out


class Rounds:
    """The matches and rounds of a playlist, each read once, up to `MOST_READ` events."""

    def __init__(self, match_of: MatchOf) -> None:
        self._match_of = match_of
        self._matches: dict[int, Match | None] = {}
        self._rounds: dict[tuple[int, int], RoundTakes] = {}
        self._left = MOST_READ

    def match(self, pk: int) -> Match | None:
        """A match that its maker may see, and that is not being played."""
        if pk not in self._matches:
            match = self._match_of(pk)
            self._matches[pk] = None if match is None or match.hidden else match
        return self._matches[pk]

    def takes(self, match: Match, number: int) -> RoundTakes:
        """A round's, of which there are none if it is too long."""
        place = match.pk, number
        if place not in self._rounds:
            self._rounds[place] = self._read_round(match, number)
        return self._rounds[place]

    def _read_round(self, match: Match, number: int) -> RoundTakes:
        here = match.chunks.filter(round=number)
        events = here.aggregate(events=Sum("events"))["events"] or 0
        if not 0 < events <= self._left:
            return RoundTakes()
        self._left -= events
        read = chances(round_of(match, number), lags_of(match))
        could = {chance.window for chance in read if could_take(chance)}
        return RoundTakes([chance.window for chance in read], could)
