"""Reactions: how long each card played had been playable where it went."""

from __future__ import annotations

from collections.abc import Iterable

from replays.analysis.windows import PLAYED, Window


def reaction_ms(windows: Iterable[Window], seats: int) -> list[list[int]]:
    """For each seat, the ms from a window's start to the play that ended it.

    `windows` are in the order in which they ended, which is the order of the plays.
    """
    reactions: list[list[int]] = [[] for _ in range(seats)]
    for window in windows:
        if window.end == PLAYED:
            reactions[window.seat].append(window.until - window.since)
    return reactions
