"""A player's costliest weaknesses as shown: on their page, for their coach, and after a match.

Readers of a player's figures may see these. Only the player and their coaches see practice.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import ngettext

from games.engine.message import Message
from games.pages.words import day, words
from games.people.person import Person, encode
from replays.analysis.players.priorities import FEWEST, Priority
from replays.analysis.players.priority_words import (
    STATES,
    before_and_since,
    evidence,
    headline,
    since_practice,
    title,
    together,
    worth_of,
)
from replays.analysis.players.progress import GONE, LESS, Course, Step, progress
from replays.analysis.players.signs import CHOICE, KINDS, LINE, MISTAKES, TAKES
from replays.analysis.players.spans import Gain
from replays.models import Attempt, Variation
from replays.models.notes import RACED
from replays.pages.courses import courses_drawn
from replays.pages.strip import Strip
from replays.players.queries import PricedAt

_DRILLED: Final = (TAKES, CHOICE)
"""What a drill over missed takes trains."""
_UNTRAINED: Final = (LINE, MISTAKES)
"""What racing ghosts doesn't train. It trains the others."""


class Shown(NamedTuple):
    """A priority in words, an example, and its drill."""

    kind: str
    title: str
    worth: str
    evidence: str
    watch: str
    """The address of the clearest moment. Empty if there is none."""
    race: str
    """That of racing the ghosts from there."""

    @property
    def drilled(self) -> bool:
        """Whether Practise trains it, which asks about missed takes."""
        return self.kind in _DRILLED


class ShownCourse(NamedTuple):
    """A weakness since it was first told, in words, and its drawing. `advice`: what to do now."""

    kind: str
    title: str
    state: str
    says: str
    headline: str
    estimate: Gain
    """The same as numbers."""
    detail: str
    practice: str
    drawing: Strip | None
    advice: Shown | None

    @property
    def improved(self) -> bool:
        return self.state in (LESS, GONE)


class Priorities(NamedTuple):
    """Advice, the costliest first. `few`: there are too few matches for any. All that was ever
    told, current ones first. What it costs together, once any of it has changed, and what it costs
    since practice."""

    told: list[Shown]
    few: bool
    matches: int
    courses: list[ShownCourse]
    together: str
    practised: str


def shown_priorities(
    played: Sequence[PricedAt],
    *,
    persons: Sequence[Person] = (),
    match: int | None = None,
    plain: bool = False,
) -> Priorities:
    """The priorities of a player from their matches, oldest first.

    `persons`: whose practice counts, shown only to them and to their coaches. `match`: take the
    examples from it if possible. `plain`: in words for children. At most two queries.
    """
    days = _practised(persons) if persons else {}
    began = {kind: _place(played, of[0]) for kind, of in days.items() if of}
    found = progress([entry.priced for entry in played], match, began)
    advice = {one.kind: _priority_row(one, played, plain=plain) for one in found.priorities}
    drawings = courses_drawn(found.courses, [entry.at for entry in played], began)
    courses = [
        _course(
            course,
            played,
            None if plain else drawing,
            days.get(course.kind, []),
            advice.get(course.kind),
            plain=plain,
        )
        for course, drawing in zip(found.courses, drawings, strict=True)
    ]

    def since(step: Step | None, say: Callable[..., Message]) -> str:
        return words(say(step, day(played[step.match].at), plain=plain)) if step else ""

    few, whole = len(played) < FEWEST, since(found.together, together)
    practised = since(found.practised, since_practice)
    return Priorities([*advice.values()], few, len(played), courses, whole, practised)


def _place(played: Sequence[PricedAt], when: datetime) -> int:
    """How many matches were before it."""
    return bisect_left(played, when, key=lambda entry: entry.at)


def _practised(persons: Sequence[Person]) -> dict[str, list[datetime]]:
    """By kind, the days on which it was practised."""
    drilled, raced = drill_days(persons), race_days(persons)
    return {
        kind: drilled if kind in _DRILLED else raced for kind in KINDS if kind not in _UNTRAINED
    }


def _course(
    course: Course,
    played: Sequence[PricedAt],
    drawing: Strip | None,
    days: Sequence[datetime],
    advice: Shown | None,
    *,
    plain: bool,
) -> ShownCourse:
    since = "" if course.changed is None else day(played[course.changed].at)
    practice = ngettext("Practised on {count} day.", "Practised on {count} days.", len(days))
    better = course.state in (LESS, GONE)
    return ShownCourse(
        kind=course.kind,
        title=words(title(course.kind)),
        state=course.state,
        says=words(STATES[course.state].filled({"day": since})),
        headline=words(headline(course, plain=plain)),
        estimate=course.gained if better else course.latest.cost(course.kind),
        detail=words(before_and_since(course) if better and not plain else evidence(course)),
        practice=practice.format(count=len(days)) if days else "",
        drawing=drawing,
        advice=advice,
    )


def _priority_row(priority: Priority, played: Sequence[PricedAt], *, plain: bool) -> Shown:
    cost, match = priority.cost, priority.shown.match
    watch = race = ""
    if cost.round:
        place = {"round": cost.round, "seq": cost.seq}
        watch = f"{reverse('replays:replay', args=[match])}?{urlencode(place)}"
    if cost.round and priority.kind not in (*_DRILLED, *_UNTRAINED):
        seat = next(entry.number for entry in played if entry.priced.match == match)
        place = {"round": cost.round, "event": cost.event, "seat": seat}
        race = f"{reverse('replays:ghost_race', args=[match])}?{urlencode(place)}"
    return Shown(
        kind=priority.kind,
        title=words(title(priority.kind)),
        worth=words(worth_of(priority.gain, plain=plain)),
        evidence=words(evidence(priority)),
        watch=watch,
        race=race,
    )


# --- When they practised --------------------------------------------------------------------------


def drill_days(persons: Sequence[Person]) -> list[datetime]:
    """The days on which they answered a drill over takes that were missed. One query."""
    answers = Attempt.objects.filter(chapter__study__drill=True, person__in=_names(persons))
    return list(answers.datetimes("answered", "day"))


def race_days(persons: Sequence[Person]) -> list[datetime]:
    """The days on which they kept a ghost race. One query."""
    raced = Variation.objects.filter(owner__in=_names(persons), tags__0=RACED)
    return list(raced.datetimes("created", "day"))


def _names(persons: Sequence[Person]) -> list[str]:
    return [encode(person) for person in persons]
