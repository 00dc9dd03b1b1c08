"""A pupil over weeks: what they have done of their homework."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from statistics import median
from typing import Final, NamedTuple

from replays.homework.progress import Progress, Step
from replays.models import Attempt

MOST_WEEKS: Final = 52


class Week(NamedTuple):
    """A week from Monday: what was done in it."""

    monday: date
    steps: int
    """Of homework: chapters read, questions answered."""
    answered: int
    right: int
    """Of the first answers."""
    seconds: float | None
    """Their median from the stop."""
    matches: int
    """Played here, for homework or not."""


def weeks_of(rows: Iterable[Progress], played: Iterable[datetime]) -> list[Week]:
    """The weeks in which something was done, the latest first."""
    steps: dict[date, list[Step]] = {}
    for step in (step for row in rows for step in row.steps):
        if step.done:
            steps.setdefault(_monday(step.done), []).append(step)
    matches = [_monday(at) for at in played]
    mondays = sorted({*steps, *matches}, reverse=True)[:MOST_WEEKS]
    return [_week(monday, steps.get(monday, []), matches.count(monday)) for monday in mondays]


def _monday(at: datetime) -> date:
    return at.date() - timedelta(days=at.weekday())


def _week(monday: date, steps: Sequence[Step], matches: int) -> Week:
    answers = [step for step in steps if step.task.asks]
    right = sum(step.verdict == Attempt.Verdict.RIGHT for step in answers)
    times = [step.from_stop_ms for step in answers if step.from_stop_ms is not None]
    middle = round(median(times) / 1_000, 1) if times else None
    return Week(monday, len(steps), len(answers), right, middle, matches)
