"""Priorities in words."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from games.engine.message import Message, decimal, plural
from replays.analysis.players.priorities import Gain, Priority
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
            "Cards in takes passed up with a 5, a round: {own}. The others at the same tables: "
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


def evidence(priority: Priority) -> Message:
    """The figures behind it, as `How long a wild stays in hand: 41 s. The others …: 12 s`."""
    words = _WORDS[priority.kind]
    own, others = (
        decimal(value / words.per, words.digits) for value in (priority.own, priority.others)
    )
    return words.figures.filled({"own": own, "others": others})


_WORTH: Final = plural(
    "about {count} point a match ({low} to {high})",
    "about {count} points a match ({low} to {high})",
)
_COSTS_LESS: Final = plural(
    "It costs {count} point a match less ({low} to {high} gained).",
    "It costs {count} points a match less ({low} to {high} gained).",
)
_COSTS_MORE: Final = plural(
    "It costs {count} point a match more ({low} to {high} gained).",
    "It costs {count} points a match more ({low} to {high} gained).",
)
_UNCLEAR_LESS: Final = plural(
    "No clear change: it costs {count} point a match less ({low} to {high} gained).",
    "No clear change: it costs {count} points a match less ({low} to {high} gained).",
)
_UNCLEAR_MORE: Final = plural(
    "No clear change: it costs {count} point a match more ({low} to {high} gained).",
    "No clear change: it costs {count} points a match more ({low} to {high} gained).",
)


def worth_of(gain: Gain) -> Message:
    """As `about 6 points a match (3 to 9)`."""
    return _WORTH.filled(_values(gain))


def change_of(moved: Gain | None) -> Message:
    """Whether it changed with practice."""
    if moved is None:
        return Message("Too few matches before or after to tell.")
    less, clear = moved.points > 0, moved.low > 0 or moved.high < 0
    known = (_COSTS_LESS if less else _COSTS_MORE) if clear else None
    return (known or (_UNCLEAR_LESS if less else _UNCLEAR_MORE)).filled(_values(moved))


def _values(gain: Gain) -> dict[str, Any]:
    low, high = round(gain.low), round(gain.high)
    return {"count": abs(round(gain.points)), "low": low, "high": high}
