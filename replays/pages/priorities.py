"""A player's costliest weaknesses as shown: on their page, for their coach, and after a match.

Readers of a player's figures may see these. Only the player and their coaches see practice.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.db.models import Min
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.archive.own import seats_played_by
from games.models import Match
from games.pages.words import day, words
from games.people.person import Person, encode
from games.people.visit import Request, Visit
from replays.analysis.players.priorities import FEWEST, MOST, Priority, change, priorities
from replays.analysis.players.priority_words import change_of, evidence, title, worth_of
from replays.analysis.players.signs import CHOICE, LINE, MISTAKES, TAKES
from replays.models import Attempt, Variation
from replays.models.notes import RACED
from replays.pages.rendering import private_page
from replays.pages.telling import told_to
from replays.players.queries import PricedAt, priced_of
from replays.stored.judging import judged_decisions

_DRILLED: Final = (TAKES, CHOICE)
"""What a drill over missed takes trains;"""
_UNTRAINED: Final = (LINE, MISTAKES)
"""what racing ghosts does not: it trains the others."""


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
    moved: str
    """Whether it changed since its drill. Empty before that."""

    @property
    def drilled(self) -> bool:
        """Whether a drill over missed takes trains it."""
        return self.kind in _DRILLED


class Priorities(NamedTuple):
    """Advice, the costliest first. `few`: there are too few matches for any."""

    told: list[Shown]
    few: bool
    matches: int


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
    listed = priorities([entry.priced for entry in played], match)
    since = _practised(persons, {priority.kind for priority in listed}) if persons else {}
    told = [_shown(priority, played, since.get(priority.kind)) for priority in listed]
    return Priorities(told, len(played) < FEWEST, len(played))


def _practised(persons: Sequence[Person], kinds: set[str]) -> dict[str, datetime]:
    """By kind, when its practice began."""
    drilled = first_drill(persons) if kinds.intersection(_DRILLED) else None
    raced = first_race(persons) if kinds.difference(_DRILLED, _UNTRAINED) else None
    since = {kind: drilled if kind in _DRILLED else raced for kind in kinds.difference(_UNTRAINED)}
    return {kind: at for kind, at in since.items() if at is not None}


def _shown(priority: Priority, played: Sequence[PricedAt], since: datetime | None) -> Shown:
    cost, match = priority.cost, priority.shown.match
    watch = race = moved = ""
    if cost.round:
        place = {"round": cost.round, "seq": cost.seq}
        watch = f"{reverse('replays:replay', args=[match])}?{urlencode(place)}"
    if cost.round and priority.kind not in (*_DRILLED, *_UNTRAINED):
        seat = next(entry.number for entry in played if entry.priced.match == match)
        place = {"round": cost.round, "event": cost.event, "seat": seat}
        race = f"{reverse('replays:ghost_race', args=[match])}?{urlencode(place)}"
    if since is not None:
        before = [entry.priced for entry in played if entry.at < since]
        after = [entry.priced for entry in played if entry.at >= since]
        first = _("First practised on {day}.").format(day=day(since))
        moved = f"{first} {words(change_of(change(before, after, priority.kind)))}"
    return Shown(
        kind=priority.kind,
        title=words(title(priority.kind)),
        worth=words(worth_of(priority.gain)),
        evidence=words(evidence(priority)),
        watch=watch,
        race=race,
        moved=moved,
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
    decisions: dict[str, Any] = told_to(visit, match, found)
    return decisions


# --- When they first practised --------------------------------------------------------------------


def first_drill(persons: Sequence[Person]) -> datetime | None:
    """When they first answered a drill over takes that were missed. One query."""
    of_drills = Attempt.objects.filter(chapter__study__drill=True, person__in=_names(persons))
    first: datetime | None = of_drills.aggregate(first=Min("answered"))["first"]
    return first


def first_race(persons: Sequence[Person]) -> datetime | None:
    """When they first kept a ghost race. One query."""
    raced = Variation.objects.filter(owner__in=_names(persons), tags__0=RACED)
    first: datetime | None = raced.aggregate(first=Min("created"))["first"]
    return first


def _names(persons: Sequence[Person]) -> list[str]:
    return [encode(person) for person in persons]
