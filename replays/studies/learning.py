"""A visitor's rights and options at a chapter: one value that every page and call asks."""

from enum import Enum
from typing import NamedTuple

from games.people.rights import Rights
from games.people.visit import Visit
from replays.models import Attempt, Chapter, Review
from replays.notes.access import writes
from replays.studies import attempts


class Stage(Enum):
    """A visitor's stage in a chapter."""

    LESSON = "lesson"
    """It asks nothing."""
    BEFORE = "before"
    """It asks, and they have not begun."""
    AT = "at"
    """They have begun: they see the match as far as the stop."""
    HELD = "held"
    """They have answered, and their class is still being asked."""
    AFTER = "after"
    ELSEWHERE = "elsewhere"
    """Another question about the match comes first."""
    ABSENT = "absent"
    """They may not see the match."""


class Extent(Enum):
    """How much of the match they see."""

    NOTHING = 0
    TO_STOP = 1
    ALL = 2


class LearnerState(NamedTuple):
    """A visitor's state in a chapter, and why."""

    chapter: Chapter
    stage: Stage
    rights: Rights
    """In its match."""
    writes: bool
    """Whether they are its study's owner or one of its writers."""
    attempt: Attempt | None
    """Their latest at its question."""
    pending: str
    """The address of the question that comes first, if they are ELSEWHERE."""
    review: Review | None
    """The one in which their class is asked this now."""
    practising: bool

    @property
    def sees(self) -> Extent:
        if self.stage in (Stage.AT, Stage.HELD):
            return Extent.TO_STOP
        may = self.stage in (Stage.LESSON, Stage.AFTER)
        may = may or (self.stage is Stage.BEFORE and self.writes)
        return Extent.ALL if may and self.rights.see else Extent.NOTHING

    @property
    def edits(self) -> bool:
        return self.writes and self.sees is Extent.ALL and not self.practising


def learner_state(visit: Visit, chapter: Chapter, *, practising: bool = False) -> LearnerState:
    """A visitor's state in a chapter that they may read. At most five queries."""
    may = visit.rights(chapter.match)
    persons, writer = visit.visitor.persons, writes(chapter.study, visit.reader)
    first = attempts.pending_question([chapter.match_id], persons) if may.embargoed else None
    attempt = attempts.latest(chapter, persons) if chapter.question else None
    review = attempts.review_asking(attempt) if attempt and first == chapter else None
    if attempt and not may.embargoed and not attempt.answered:
        first = chapter if attempts.tries_again(chapter, persons) else None
    stage = _stage(chapter, may, first, attempt, review)
    pending = attempts.question_url(first) if first and stage is Stage.ELSEWHERE else ""
    return LearnerState(chapter, stage, may, writer, attempt, pending, review, practising)


def _stage(
    chapter: Chapter,
    may: Rights,
    first: Chapter | None,
    attempt: Attempt | None,
    review: Review | None,
) -> Stage:
    """`first`: the question about the match that they have to answer first."""
    answered = attempt is not None and attempt.answered is not None
    if first not in (None, chapter):
        return Stage.ELSEWHERE
    if not may.admitted or (may.embargoed and first is None):
        return Stage.ABSENT
    if chapter.question is None:
        return Stage.LESSON
    if first is None:
        return Stage.AFTER if answered else Stage.BEFORE
    if attempt is None or (answered and review is None):
        return Stage.BEFORE  # what is left of an embargo ends with the next answer
    return Stage.HELD if answered else Stage.AT
