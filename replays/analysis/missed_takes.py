"""Missed takes: chances to take a stack that another seat's play closed."""

from __future__ import annotations

from collections.abc import Iterable

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
