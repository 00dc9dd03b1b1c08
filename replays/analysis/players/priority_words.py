"""Priorities in words."""

from __future__ import annotations

from typing import Final, NamedTuple

from replays.analysis.players.priorities import Gain, Priority
from replays.analysis.players.signs import CHOICE, LINE, MISTAKES, PLAYS, SPEED, TAKES, WILDS

_SECOND_MS: Final = 1_000


class _Words(NamedTuple):
    """Of a kind: what to try, and the figure behind it in its unit."""

    title: str
    figure: str
    unit: str
    per: float = 1
    digits: int = 1


_WORDS: Final = {
    SPEED: _Words("Move your hand sooner", "from one movement to the next", " s", _SECOND_MS, 2),
    TAKES: _Words("Take sooner with a 5", "how long a take open to a 5 waits", " s", _SECOND_MS),
    PLAYS: _Words("See what fits sooner", "how long a card that fits waits", " s", _SECOND_MS),
    WILDS: _Words("Play your wilds sooner", "how long a wild stays in hand", " s", _SECOND_MS, 0),
    CHOICE: _Words("Take what lies open", "cards in takes passed up with a 5, a round", ""),
    MISTAKES: _Words("Make fewer mistakes", "mistakes a round", ""),
    LINE: _Words("Get a faster connection", "lag of the connection", " ms", digits=0),
}


def title(kind: str) -> str:
    return _WORDS[kind].title


def evidence(priority: Priority) -> str:
    """The figures behind it, as `How long a wild stays in hand: 41 s; the others …: 12 s`."""
    words = _WORDS[priority.kind]
    own, others = (
        f"{value / words.per:.{words.digits}f}{words.unit}"
        for value in (priority.own, priority.others)
    )
    return f"{words.figure.capitalize()}: {own}; the others at the same tables: {others}"


def worth_said(gain: Gain) -> str:
    """As `about 6 points a match (3 to 9)`."""
    return f"about {gain.points:.0f} points a match ({_edges(gain)})"


def moved_said(moved: Gain | None) -> str:
    """Whether it changed with practice."""
    if moved is None:
        return "too few matches before or after to tell"
    change = f"{abs(moved.points):.0f} points a match {'less' if moved.points > 0 else 'more'}"
    clear = moved.low > 0 or moved.high < 0
    said = f"it costs {change}" if clear else f"no clear change: it costs {change}"
    return f"{said} ({_edges(moved)} gained)"


def _edges(gain: Gain) -> str:
    return f"{gain.low:.0f} to {gain.high:.0f}".replace("-", "−")
