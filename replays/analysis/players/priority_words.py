"""Priorities and courses in words."""

from typing import Any, Final, NamedTuple

from games.engine.message import Message, decimal, plural
from replays.analysis.players.priorities import Priority
from replays.analysis.players.progress import BACK, GONE, LESS, NOW, STILL, Course, Form, Step
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
from replays.analysis.players.spans import Gain

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


_SIZES: Final = (
    (10, Message("many points a match")),
    (4, Message("some points a match")),
    (float("-inf"), Message("a few points a match")),
)


def worth_of(gain: Gain, *, plain: bool = False) -> Message:
    """As `about 6 points a match (3 to 9)`. `plain`: for children, without an interval."""
    if not plain:
        return _WORTH.filled(_values(gain))
    return next(said for least, said in _SIZES if gain.points >= least)


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


def headline(course: Course, *, plain: bool = False) -> Message:
    """Its price now, or what was gained since it changed."""
    if course.state not in (LESS, GONE):
        return worth_of(course.latest.cost(course.kind), plain=plain)
    if plain:
        return Message("You are better at this now.")
    return _GAINED.filled(_values(course.gained))


def before_and_since(course: Course) -> Message:
    """As `Points a match: −28 before, −1 since.`"""
    before, since = round(course.before.points), round(course.since.points)
    return Message("Points a match: {before} before, {since} since.", before=before, since=since)


def together(step: Step, day: str, *, plain: bool = False) -> Message:
    """What all courses cost before a day, and since then."""
    if plain:
        return _PLAIN[step.gained.points > 0]
    said = Message(
        "Together: {before} points a match until {day}, {since} since, {count} gained "
        "({low} to {high})."
    )
    points = {"before": round(step.before.points), "since": round(step.since.points)}
    return said.filled({**points, "day": day, **_values(step.gained.gain())})


_PLAIN: Final = (
    Message("You lose more points than before."),
    Message("You lose fewer points than before."),
)
_PRACTISED: Final = (
    plural(
        "Since practice ({day}): lost {count} point more a match ({low} to {high}).",
        "Since practice ({day}): lost {count} points more a match ({low} to {high}).",
    ),
    plural(
        "Since practice ({day}): lost {count} point fewer a match ({low} to {high}).",
        "Since practice ({day}): lost {count} points fewer a match ({low} to {high}).",
    ),
)


def since_practice(step: Step, day: str, *, plain: bool = False) -> Message:
    """Whether what is practised costs less since its practice began."""
    if not step.clear:
        return Message("Since practice ({day}): no clear change.", day=day)
    less = step.gained.points > 0
    if plain:
        return _PLAIN[less]
    gain = step.gained.gain()
    sure = gain if less else Gain(-gain.points, -gain.high, -gain.low)
    return _PRACTISED[less].filled({"day": day, **_values(sure)})


FORM_TITLES: Final = {
    "difference": Message("Cards beyond an even share, a match"),
    "ahead": Message("Points above the table’s average, a match"),
}
"""Those by which form is told (`MatchFigures`)."""
_MORE: Final = Message("Clearly more since {day}: {count} ({low} to {high}).")
_LESS: Final = Message("Clearly less since {day}: {count} ({low} to {high}).")


def form_of(found: Form, day: str, *, plain: bool = False) -> Message:
    """Whether a figure has clearly changed, and since which day."""
    gained = found.gained
    if gained is None:
        return Message("No clear change.")
    if plain:
        more = gained.points > 0
        said = Message("More since {day}.") if more else Message("Less since {day}.")
        return said.filled({"day": day})
    return (_MORE if gained.points > 0 else _LESS).filled({"day": day, **_values(gained)})


def _values(gain: Gain) -> dict[str, Any]:
    return {"count": round(gain.points), "low": round(gain.low), "high": round(gain.high)}
