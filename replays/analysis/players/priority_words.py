"""Priorities and courses in words."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from games.engine.message import Message, decimal, plural
from replays.analysis.players.form import Form
from replays.analysis.players.priorities import Priority
from replays.analysis.players.progress import BACK, GONE, LESS, NOW, STILL, Course
from replays.analysis.players.signs import (
    CHOICE,
    DISCARDS,
    LINE,
    MISTAKES,
    PLAYS,
    SPEED,
    TAKES,
    WILDS,
)
from replays.analysis.players.spans import Gain, Mean

_SECOND_MS: Final = 1_000


class _Words(NamedTuple):
    """For a kind: advice, and the figures behind it, in units and with digits."""

    title: Message
    figures: Message
    per: float = 1
    digits: int = 1


_WORDS: Final = {
    SPEED: _Words(
        Message("Move your hand sooner"),
        Message(
            "From one movement to the next: {own} s. The others at the same tables: {others} s."
        ),
        *(_SECOND_MS, 2),
    ),
    TAKES: _Words(
        Message("Take sooner with a 5"),
        Message(
            "How long a take open to a 5 waits: {own} s. The others at the same tables: {others} s."
        ),
        _SECOND_MS,
    ),
    PLAYS: _Words(
        Message("See what fits sooner"),
        Message(
            "How long a card that fits waits: {own} s. The others at the same tables: {others} s."
        ),
        _SECOND_MS,
    ),
    WILDS: _Words(
        Message("Play your wilds sooner"),
        Message(
            "How long a wild stays in hand: {own} s. The others at the same tables: {others} s."
        ),
        *(_SECOND_MS, 0),
    ),
    CHOICE: _Words(
        Message("Take what lies open"),
        Message(
            "Cards in takes missed with a 5, a round: {own}. The others at the same tables: "
            "{others}."
        ),
    ),
    MISTAKES: _Words(
        Message("Make fewer mistakes"),
        Message("Mistakes a round: {own}. The others at the same tables: {others}."),
    ),
    DISCARDS: _Words(
        Message("Keep your 5s and wilds"),
        Message(
            "Discards of a 5 or wild, with a lower card in hand: {own} of 100. The others at the "
            "same tables: {others}."
        ),
        *(0.01, 0),
    ),
    LINE: _Words(
        Message("Get a faster connection"),
        Message("Delay of the connection: {own} ms. The others at the same tables: {others} ms."),
        digits=0,
    ),
}


def title(kind: str) -> Message:
    return _WORDS[kind].title


def evidence(of: Priority | Course) -> Message:
    """The figures behind it, as `How long a wild stays in hand: 41 s. The others …: 12 s`."""
    words = _WORDS[of.kind]
    own, others = (decimal(value / words.per, words.digits) for value in (of.own, of.others))
    return words.figures.filled({"own": own, "others": others})


_WORTH: Final = plural(
    "about {count} point a match ({low} to {high})",
    "about {count} points a match ({low} to {high})",
)


def worth_of(gain: Gain) -> Message:
    """As `about 6 points a match (3 to 9)`."""
    return _WORTH.filled(_values(gain))


STATES: Final = {
    NOW: Message("costs most now"),
    STILL: Message("still costs"),
    BACK: Message("back since {day}"),
    LESS: Message("less since {day}"),
    GONE: Message("gone since {day}"),
}
"""`day` is when it changed."""
_GAINED: Final = plural(
    "{count} point a match gained ({low} to {high})",
    "{count} points a match gained ({low} to {high})",
)


def headline(course: Course) -> Message:
    """Its price now, or what was gained since it changed."""
    if course.state in (LESS, GONE):
        return _GAINED.filled(_values(course.gained))
    return worth_of(course.latest.cost(course.kind))


def before_and_since(course: Course) -> Message:
    """As `Points a match: −28 before, −1 since.`"""
    before, since = round(course.before.points), round(course.since.points)
    return Message("Points a match: {before} before, {since} since.", before=before, since=since)


def together(before: Mean, since: Mean, day: str) -> Message:
    """What all courses cost before a day, and since then."""
    said = Message(
        "Together: {before} points a match until {day}, {since} since, {count} gained "
        "({low} to {high})."
    )
    points = {"before": round(before.points), "since": round(since.points)}
    return said.filled({**points, "day": day, **_values(since.less(before).gain())})


FORM_TITLES: Final = {
    "difference": Message("Cards beyond an even share, a match"),
    "ahead": Message("Points above the table’s average, a match"),
}
"""Those by which form is told (`MatchFigures`)."""
_MORE: Final = Message("Clearly more since {day}: {count} ({low} to {high}).")
_LESS: Final = Message("Clearly less since {day}: {count} ({low} to {high}).")


def form_of(found: Form, day: str) -> Message:
    """Whether a figure has clearly changed, and since which day."""
    gained = found.gained
    if gained is None:
        return Message("No clear change.")
    return (_MORE if gained.points > 0 else _LESS).filled({"day": day, **_values(gained)})


def _values(gain: Gain) -> dict[str, Any]:
    return {"count": round(gain.points), "low": round(gain.low), "high": round(gain.high)}
