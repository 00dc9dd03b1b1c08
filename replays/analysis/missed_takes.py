"""Missed takes: chances to take a stack that another seat's play closed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from games.records.plural import counted
from replays.analysis.report_json import MissedTakeJson
from replays.analysis.windows import CLOSED, Window


def missed_takes(windows: Iterable[Window]) -> list[Window]:
    """The windows that would have taken but were closed by another seat, in the given order."""
    return [window for window in windows if is_missed_take(window)]


def is_missed_take(window: Window) -> bool:
    """Whether it would have taken, and another seat closed it."""
    closed = window.takes and window.end == CLOSED
    return closed and window.play is not None and window.play.seat != window.seat


def separate_moments(missed: Iterable[Window]) -> int:
    """How many separate moments these missed takes of one seat in one round were.

    Those that were open at the same time, or one right after the other, are one: a wild in hand
    starts counting again with every card that lands on any stack.
    """
    count, end = 0, -1
    for since, until in sorted((window.since, window.until) for window in missed):
        count += since > end
        end = max(end, until)
    return count


def taker(window: Window) -> int | None:
    """The seat that took the stack with the play that closed the window; None if it did not."""
    play = window.play
    return None if play is None or play.takes is None else play.seat


_LEAST: Final = 0.005
"""A smaller change of the chance to win is not worth a figure."""
_WHY: Final = {
    "not shown": "For most of that time your screen did not show it yet.",
    "hand busy": "For most of that time your hand was busy.",
    "free": "Your hand was free for {free}.",
}


def cost_words(take: MissedTakeJson, names: Sequence[str]) -> str:
    """What a missed take cost its player and why, said to that player."""
    open_s, free_s = (take["to"] - take["from"]) / 1_000, take["free_ms"] / 1_000
    size = counted(take["cards"], "card")
    gone = "then another card closed it"
    if take["taker"] is not None:
        gone = f"then {names[take['taker']]} took the {size}"
    cost = "That hardly changed your chance to win."
    if abs(take["delta"]) >= _LEAST:
        points = f"{100 * take['delta']:+.1f}".replace("-", "−")
        cost = f"That changed your chance to win by {points} points."
    why = _WHY[take["cause"]].format(free=f"{free_s:.1f} s")
    return f"The take was open for {open_s:.1f} s, {gone}. {cost} {why}"
