"""A player's costliest weaknesses as shown: on their page, for their coach, and after a match.

Readers of a player's figures may see these. Only the player and their coaches see practice.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from games.archive.own import seats_played_by
from games.models import Match
from games.pages.words import day, words
from games.people.person import Person, encode
from games.people.visit import Request, Visit
from replays.analysis.players.priorities import FEWEST, MOST, Priority
from replays.analysis.players.priority_words import (
    STATES,
    before_and_since,
    evidence,
    headline,
    title,
    together,
    worth_of,
)
from replays.analysis.players.progress import GONE, LESS, Course, progress
from replays.analysis.players.signs import CHOICE, KINDS, LINE, MISTAKES, TAKES
from replays.analysis.players.spans import Gain
from replays.models import Attempt, Variation
from replays.models.notes import RACED
from replays.pages.courses import courses_drawn
from replays.pages.rendering import private_page
from replays.pages.strip import Strip
from replays.pages.telling import render_for
from replays.players.queries import PricedAt, priced_of
from replays.stored.judging import judged_decisions

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
        """Whether a drill over missed takes trains it."""
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
    told, current ones first, and what it costs together, once any of it has changed."""

    told: list[Shown]
    few: bool
    matches: int
    courses: list[ShownCourse]
    together: str


def shown_priorities(
    played: Sequence[PricedAt],
    *,
    persons: Sequence[Person] = (),
    match: int | None = None,
) -> Priorities:
    """The priorities of a player from their matches, oldest first.

    `persons`: whose practice counts, shown only to them and to their coaches. `match`: take the
    examples from it if possible. At most two queries.
    """
    days = _practised(persons) if persons else {}
    began = {kind: _place(played, of[0]) for kind, of in days.items() if of}
    found = progress([entry.priced for entry in played], match, began)
    advice = {one.kind: _shown(one, played) for one in found.priorities}
    drawings = courses_drawn(found.courses, [entry.at for entry in played], began)
    courses = [
        _course(course, played, drawing, days.get(course.kind, []), advice.get(course.kind))
        for course, drawing in zip(found.courses, drawings, strict=True)
    ]
    whole = ""
    if found.before and found.since and found.changed is not None:
        whole = words(together(found.before, found.since, day(played[found.changed].at)))
    return Priorities([*advice.values()], len(played) < FEWEST, len(played), courses, whole)


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
) -> ShownCourse:
    since = "" if course.changed is None else day(played[course.changed].at)
    practice = ngettext("Practised on {count} day.", "Practised on {count} days.", len(days))
    better = course.state in (LESS, GONE)
    return ShownCourse(
        kind=course.kind,
        title=words(title(course.kind)),
        state=course.state,
        says=words(STATES[course.state].filled({"day": since})),
        headline=words(headline(course)),
        estimate=course.gained if better else course.latest.cost(course.kind),
        detail=words(before_and_since(course) if better else evidence(course)),
        practice=practice.format(count=len(days)) if days else "",
        drawing=drawing,
        advice=advice,
    )


def _shown(priority: Priority, played: Sequence[PricedAt]) -> Shown:
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
        worth=words(worth_of(priority.gain)),
        evidence=words(evidence(priority)),
        watch=watch,
        race=race,
    )


@require_safe
def after_match(request: Request) -> HttpResponse:
    """Three things to try next, for a player after a match: `?match=` is the record's id.

    Their costliest kinds. With too few matches for that, their judged decisions in this one.
    `?one=yes`: the verdict and only the first thing to learn, in the dialog at the end.
    """
    visit = request.visit
    match, seat = _own_match(visit, request.GET.get("match", ""))
    one = request.GET.get("one") == "yes"
    context: dict[str, Any] = {"match": match, "seat": seat, "own": True, "one": one}
    if match is not None:
        seated = seats_played_by(visit.visitor.persons).exclude(match__in=visit.embargoed)
        played = priced_of(seated, private=True)
        spans = seated.filter(match=match).values_list("figures__spans", flat=True).first()
        context["learn"] = spans != []  # None: they are counted at the press
        shown = shown_priorities(played, persons=visit.visitor.persons, match=match.pk)
        if one:
            shown = shown._replace(told=shown.told[:1])
            context["learn"] = context["learn"] and not shown.told
        context["priorities"] = shown
        if not shown.told:
            context |= _decisions(visit, match, seat, most=1 if one else MOST)
    return private_page(request, "after_match", context)


def _own_match(visit: Visit, record: str) -> tuple[Match | None, int]:
    """The finished match of that id, and where the visitor sat in it."""
    if not visit.shows_results or not record or "\0" in record:
        return None, 0
    own = seats_played_by(visit.visitor.persons).exclude(match__in=visit.embargoed)
    asked = own.filter(match__record_id=record, match__state=Match.State.FINISHED)
    seat = asked.select_related("match").first()
    return (None, 0) if seat is None else (seat.match, seat.number)


def _decisions(visit: Visit, match: Match, seat: int, most: int) -> dict[str, Any]:
    """A seat's loss on open takes, and its costliest decisions, once they are judged."""
    judged = judged_decisions(match)
    if judged is None:
        return {}
    rows = [row for row in judged["decisions"] if row["told"] and row["seat"] == seat]
    worst = sorted(rows, key=lambda row: -row["seats"][seat]["difference"])[:most]
    found = {"lost": judged["lost"][seat], "decisions": worst}
    decisions: dict[str, Any] = render_for(visit, match, found)
    return decisions


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
