"""Practice: missed positions come back over days, some five minutes a day.

After a match the plays to try again can be asked at once. They come back like all.

Three kinds of positions come back, each asked at the chapter that asked it first:
  - the takes that a learner missed in their matches. The largest become questions when it is their
    turn, in a drill that only the learner sees
  - the questions of their other drills, including homework
  - the questions of studies that they have missed at least once

FSRS says when, by the learner's answers. The schedule follows from the stored attempts and is
stored nowhere. It has days and no shorter steps. Positions that they may no longer see are not
asked, without a word.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from statistics import median
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from fsrs import Card, Rating, Scheduler

from games.models import Match, Seat
from games.people.visitor import Author, Reader
from replays.models import Attempt, Chapter, Study
from replays.notes.access import readable_study
from replays.notes.missed_takes import OwnMissedTake, known_of
from replays.studies import writing
from replays.studies.attempts import with_withheld
from replays.studies.chapters import MatchOf
from replays.studies.drills import MISSED_TAKES, Rounds, Seats, Span, key_of, questions
from replays.studies.questions import question_of
from replays.studies.writing import MOST_CHAPTERS

QUICK_MS: Final = 1_500
"""A right answer within this was easy."""
SLOW_MS: Final = 5_000
"""A right answer after this was hard, as is every one with a hint."""
# Without its random days: the same answers have to give the same day each time.
_SCHEDULER: Final = Scheduler(
    learning_steps=(), relearning_steps=(), maximum_interval=365, enable_fuzzing=False
)
A_DAY_S: Final = 300
NEW_A_DAY: Final = 5
"""Positions that a learner meets for the first time."""
MOST_ATTEMPTS: Final = 2_000
MOST_POSITIONS: Final = 1_000
"""The newest of each that are looked at."""
MOST_LOOKED_AT: Final = 30
"""Positions whose rights are checked: a few more than a day has time for."""
LOOK_S: Final = 10
"""For a look at what happened, after an answer."""
USUAL_S: Final = 30
_MOST_S: Final = 90
"""For an answer. A learner who takes longer has gone away."""


class Review(NamedTuple):
    """An answer, as far as it matters for when the position comes back."""

    at: datetime
    verdict: str
    ms: int | None
    hinted: bool

    @property
    def rating(self) -> Rating:
        """How well the position was known."""
        if self.verdict != Attempt.Verdict.RIGHT:
            return Rating.Again
        ms = self.ms or 0
        if self.hinted or ms > SLOW_MS:
            return Rating.Hard
        return Rating.Easy if ms <= QUICK_MS else Rating.Good


def due(reviews: Iterable[Review]) -> datetime:
    """When a position comes back after these answers, the first one first."""
    card = Card(card_id=0)
    for review in reviews:
        card, _log = _SCHEDULER.review_card(card, review.rating, review.at)
    return card.due


class Position(NamedTuple):
    """A position that is asked about. Several chapters may ask about the same."""

    match: int
    round: int
    event: int
    seat: int


class _Asked(NamedTuple):
    """A question that may come back."""

    chapter: int
    place: Position
    gone: bool
    """Whether it or its study is deleted: it is known, but not asked."""


class PastAttempt(NamedTuple):
    chapter: int
    opened: datetime
    answered: datetime | None
    verdict: str
    ms: int | None
    hinted: bool


class _Practised(NamedTuple):
    """A learner's answers at a position. `due`: when it comes back, None for a new one."""

    chapter: int
    reviews: Sequence[Review]
    open: bool
    due: datetime | None


class Practice(NamedTuple):
    """A learner's practice today."""

    questions: Sequence[Chapter]
    """One that is open, then what has been due longest, then what is new."""
    missed: Sequence[OwnMissedTake]
    """Missed takes that become questions when the practice begins."""
    each_s: int
    done: int
    """Answers today."""
    days: int
    """Of the last seven, on which they practised."""
    next: date | None
    """When the next position comes back."""

    @property
    def left(self) -> int:
        """Positions to practise today."""
        return len(self.questions) + len(self.missed)

    @property
    def minutes(self) -> int:
        return max(1, round(self.left * self.each_s / 60))


def practice_of(
    reader: Reader,
    seats: QuerySet[Seat],
    may_see: Callable[[Match], bool],
    without: Collection[int],
) -> Practice:
    """The practice of a reader who has played these seats. At most five queries.

    `may_see`: whether they may see a match, embargoes apart. `without`: the matches under one.
    """
    today = timezone.localdate()
    tried = _attempts(reader)
    asked = _questions_of(reader, {attempt.chapter for attempt in tried if _missed(attempt)})
    positions = _positions(asked, tried)
    days = [timezone.localdate(review.at) for row in positions for review in row.reviews]
    each_s = _each_s(tried)
    left = max(0, A_DAY_S // each_s - days.count(today))
    begun = sum(timezone.localdate(row.reviews[0].at) == today for row in positions if row.reviews)
    open_, again, new = _ranked(positions, today)
    shown = _askable_chapters(
        [*open_, *again, *new], {row.chapter for row in open_}, may_see, without
    )
    waiting = [shown[row.chapter] for row in (*open_, *again) if row.chapter in shown]
    waiting = waiting[: max(left, len(open_))]
    room = max(0, min(left - len(waiting), NEW_A_DAY - begun))
    fresh = [shown[row.chapter] for row in new if row.chapter in shown][:room]
    missed = _unasked(known_of(seats.exclude(match__in=without)), asked)[: room - len(fresh)]
    week = {day for day in days if today - day < timedelta(days=7)}
    later = [timezone.localdate(row.due) for row in positions if row.due]
    coming = min((day for day in later if day > today), default=None)
    return Practice([*waiting, *fresh], missed, each_s, days.count(today), len(week), coming)


def _ranked(
    positions: Iterable[_Practised], today: date
) -> tuple[list[_Practised], list[_Practised], list[_Practised]]:
    """Open, due (longest first) and new positions, at most a day's of each."""
    open_, again, new = list[_Practised](), list[tuple[datetime, _Practised]](), list[_Practised]()
    for row in positions:
        if row.open:
            open_.append(row)
        elif row.due is None:
            new.append(row)
        elif timezone.localdate(row.due) <= today:
            again.append((row.due, row))
    again.sort(key=lambda pair: pair[0])
    return open_, [row for _due, row in again[:MOST_LOOKED_AT]], new[:MOST_LOOKED_AT]


def _attempts(reader: Reader) -> list[PastAttempt]:
    """A learner's attempts with known results, the oldest first."""
    mine = Attempt.objects.filter(person__in=list(reader.persons))
    rows = with_withheld(mine).filter(held=False).order_by("-pk")
    latest = rows.values_list("chapter", "opened", "answered", "verdict", "ms", "hinted")
    return [PastAttempt._make(row) for row in latest[:MOST_ATTEMPTS]][::-1]


def _missed(attempt: PastAttempt) -> bool:
    return attempt.answered is not None and attempt.verdict != Attempt.Verdict.RIGHT


def _questions_of(reader: Reader, missed: Collection[int]) -> list[_Asked]:
    """The questions of a learner's drills, and those that they have missed in studies they read."""
    own = Q(study__drill=True, study__owner__in=list(reader.persons))
    studies = Study.objects.filter(readable_study(reader)).values("pk")
    others = Q(pk__in=missed, deleted=None, study__in=studies)
    rows = Chapter.every.filter(own | others if missed else own, question__isnull=False)
    names = ("match", "round", "event", "question__seat", "pk", "deleted", "study__deleted")
    return [
        _Asked(pk, Position(*place), gone=deleted is not None or study_deleted is not None)
        for *place, pk, deleted, study_deleted in rows.order_by("-pk").values_list(*names)[
            :MOST_POSITIONS
        ]
    ]


def _positions(asked: Iterable[_Asked], tried: Iterable[PastAttempt]) -> list[_Practised]:
    """Each position that may be asked, the first one made first."""
    attempts: dict[int, list[PastAttempt]] = {}
    for attempt in tried:
        attempts.setdefault(attempt.chapter, []).append(attempt)
    chapters: dict[Position, list[int]] = {}
    for row in asked:
        if not row.gone:
            chapters.setdefault(row.place, []).append(row.chapter)
    positions = [_practised(rows, attempts) for rows in chapters.values()]
    return sorted(positions, key=lambda row: row.chapter)


def _practised(
    chapters: Sequence[int], attempts: Mapping[int, Sequence[PastAttempt]]
) -> _Practised:
    mine = sorted(
        (attempt for chapter in chapters for attempt in attempts.get(chapter, ())),
        key=lambda attempt: attempt.opened,
    )
    reviews = [
        Review(attempt.answered, attempt.verdict, attempt.ms, attempt.hinted)
        for attempt in mine
        if attempt.answered
    ]
    reviews.sort(key=lambda review: review.at)
    at = mine[-1].chapter if mine else chapters[0]
    is_open = any(attempt.answered is None for attempt in mine)
    return _Practised(at, reviews, is_open, due(reviews) if reviews else None)


def _each_s(tried: Sequence[PastAttempt]) -> int:
    """How many seconds a position takes this person: the median of their last ones."""
    took = [
        min((attempt.answered - attempt.opened).total_seconds(), _MOST_S)
        for attempt in tried[-20:]
        if attempt.answered
    ]
    return round(median(took) if took else USUAL_S) + LOOK_S


def _askable_chapters(
    positions: Iterable[_Practised],
    open_: Collection[int],
    may_see: Callable[[Match], bool],
    without: Collection[int],
) -> dict[int, Chapter]:
    """Those of these positions' chapters that may be asked now."""
    wanted = [row.chapter for row in positions]
    rows = Chapter.objects.filter(pk__in=wanted).select_related("study", "match")
    return {
        row.pk: row
        for row in (rows.prefetch_related("match__seats") if wanted else ())
        if may_see(row.match) and (row.pk in open_ or row.match_id not in without)
    }


def _unasked(missed: Iterable[OwnMissedTake], asked: Iterable[_Asked]) -> list[OwnMissedTake]:
    """The missed takes about which no drill has a question. One that was deleted counts too."""
    events: dict[tuple[int, int], list[int]] = {}
    for row in asked:
        events.setdefault((row.place.match, row.place.round), []).append(row.place.event)
    return [
        take
        for take in missed
        if not any(
            take.span.event <= event <= take.span.until
            for event in events.get((take.match, take.span.round), ())
        )
    ]


def spans_at(missed: Iterable[OwnMissedTake]) -> list[Span]:
    return [Span(take.match, take.span.round, take.span.event, take.span.until) for take in missed]


@transaction.atomic
def ask_about(
    author: Author, spans: Sequence[Span], seats: Seats, match_of: MatchOf
) -> list[Chapter]:
    """Make missed takes in these spans questions of their player's own drill.

    Raises ValidationFault.

    Those that it has already are not added again. It has room for as many as a study. The oldest
    questions give way. Returns the questions about these takes, in their order.
    """
    openings, _left_out = questions(spans, seats, Rounds(match_of))
    key = key_of(author.person, MISSED_TAKES)
    known = Study.objects.filter(key=key, owner=author.person).first()
    made = known or writing.create(author, key, "", drill=True)
    writing.restore(made)
    made = Study.objects.select_for_update().get(pk=made.pk)  # a press at the same moment waits
    rows = Chapter.every.filter(study=made, question__isnull=False)
    asked = {(row.match_id, row.round, row.event, question_of(row)["seat"]): row for row in rows}
    about = []
    for match, opening in openings:
        chapter = asked.get((match.pk, opening.round, opening.event, opening.seat))
        if chapter is None:
            chapter = writing.append(made, opening.said(match))
            made.numbered = chapter.number
        about.append(chapter)
    for old in made.chapters.order_by("-number")[MOST_CHAPTERS:]:
        writing.drop(old, old.revision)
    return [chapter for chapter in about if chapter.deleted is None]
