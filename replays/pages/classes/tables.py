"""How far a class is, as rows of a table and of a file."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Final, NamedTuple

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from games.engine.message import Message, decimal
from games.pages.times import time_of_day
from games.pages.words import together, words
from replays.homework.progress import BEGUN, DONE, NOT_BEGUN, Progress, Step
from replays.models import Attempt
from replays.pages.rendering import Cell
from replays.pages.studies.results import with_attempts

COLUMNS: Final = (
    *("homework", "due", "pupil", "account", "state", "late", "step", "title", "begun", "done"),
    *("first_answer", "attempts", "hinted", "from_start_s", "from_stop_s"),
)
_MOST_NAMED: Final = 3
LATE: Final = "bad"
"""The look of what is late."""
_LOOKS: Final = {NOT_BEGUN: "", BEGUN: "", DONE: "good"}
_STATES: Final = {
    NOT_BEGUN: (gettext_lazy("not begun"), gettext_lazy("not begun, late")),
    BEGUN: (gettext_lazy("begun"), gettext_lazy("begun, late")),
    DONE: (gettext_lazy("done"), gettext_lazy("done, late")),
}
"""Each state in words: in time, and late."""


class Row(NamedTuple):
    """A pupil in a coach's table, in words. `tone`: the look of the state. `missing`: the chapters
    that are still to do, once one is done."""

    progress: Progress
    state: str
    tone: str
    steps: str
    missing: str
    right: str
    from_start: str
    from_stop: str
    last: str


def due_day(day: date) -> str:
    """`Fri 27 Nov 2026`."""
    return date_format(day, _("D j M Y"))


def state_words(row: Progress) -> str:
    """The state, and whether that is too late."""
    return str(_STATES[row.state][row.late and not row.gone])


def row_of(row: Progress) -> Row:
    questions = len(row.questions)
    late = row.late and row.state != DONE
    return Row(
        row,
        state_words(row),
        LATE if late else _LOOKS[row.state],
        _("{some} of {all}").format(some=row.done, all=len(row.steps)),
        _missing(row) if row.done else "",
        _("{some} of {all}").format(some=row.right, all=questions) if questions else "",
        _seconds(row.from_start_s),
        _seconds(row.from_stop_s),
        time_of_day(row.last) if row.last else "",
    )


def _missing(row: Progress) -> str:
    left = [step.task.title for step in row.steps if step.done is None and step.task.chapter]
    named, more = left[:_MOST_NAMED], len(left[_MOST_NAMED:])
    if more == 1:
        named = left
    elif more:
        named.append(ngettext("{count} more", "{count} more", more).format(count=more))
    return _("Still to do: {titles}").format(titles=together(named)) if left else ""


def step_words(step: Step) -> str:
    if step.done is None:
        return _("begun") if step.begun else ""
    if not step.task.asks:
        return pgettext("chapter", "read") if step.task.chapter else _("done")
    first = str(Attempt.Verdict(step.verdict).label) if step.verdict else _("answered")
    if step.attempts < 2:
        return first
    return with_attempts(first, step.attempts)


def csv_lines(row: Progress) -> Iterable[list[Cell]]:
    """What is known of a pupil's homework: a line for each step."""
    head: list[Cell] = [
        row.homework.shown_title,
        row.homework.due.isoformat(),
        row.member.name,
        row.member.user.get_username(),
        row.state,
        "late" if row.late else "",
    ]
    if not row.steps:
        yield [*head, *([""] * (len(COLUMNS) - len(head)))]
    for step in row.steps:
        yield [*head, *_step_cells(step)]


def _step_cells(step: Step) -> list[Cell]:
    return [
        step.task.number,
        step.task.title,
        _moment(step.begun),
        _moment(step.done),
        step.verdict,
        step.attempts,
        "yes" if step.hinted else "",
        None if step.from_start_ms is None else step.from_start_ms / 1_000,
        None if step.from_stop_ms is None else step.from_stop_ms / 1_000,
    ]


def _moment(at: datetime | None) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ") if at else ""


def _seconds(value: float | None) -> str:
    return words(Message("{seconds} s", seconds=decimal(value))) if value else ""
