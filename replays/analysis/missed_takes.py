"""Missed takes: chances to take a stack that another seat's play closed."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from games.engine.message import Message, decimal, plural, seat
from replays.analysis.chances import Chance
from replays.analysis.report_json import MissedTakeJson
from replays.analysis.windows import CLOSED, Window

FREE_MS: Final = 500
"""A player is told of a missed take only if it was on their screen, and their hand was free, for so
long: seeing a card among several, deciding and playing it takes people that."""


def missed_takes(windows: Iterable[Window]) -> list[Window]:
    """The windows that would have taken but were closed by another seat, in the given order."""
    return [window for window in windows if is_missed_take(window)]


def is_missed_take(window: Window) -> bool:
    """Whether it would have taken, and another seat closed it."""
    closed = window.takes and window.end == CLOSED
    return closed and window.play is not None and window.play.seat != window.seat


def could_take(missed: Chance) -> bool:
    """Whether the player of a missed take had the time for it."""
    return is_missed_take(missed.window) and missed.free_ms >= FREE_MS


def separate_moments(missed: Sequence[Window]) -> list[int]:
    """For each of these missed takes of one round, the number of its moment, from 1.

    Those of a seat that were open at the same time, or one right after the other, are one: a wild
    in hand starts counting again with every card that lands on any stack.
    """
    numbers, number, seat, end = [0] * len(missed), 0, -1, -1
    order = sorted(range(len(missed)), key=lambda at: (missed[at].seat, *missed[at].order))
    for at in order:
        window = missed[at]
        if window.seat != seat or window.since > end:
            number, seat, end = number + 1, window.seat, window.until
        numbers[at], end = number, max(end, window.until)
    return numbers


def taker(window: Window) -> int | None:
    """The seat whose take closed the window. None if it closed otherwise."""
    play = window.play
    return None if play is None or play.takes is None else play.seat


_WHY: Final = {
    "not shown": Message("For most of that time your screen did not show it yet."),
    "hand busy": Message("For most of that time your hand was busy."),
    "free": Message("Your hand was free for {seconds} s."),
}


def cost_of(take: MissedTakeJson) -> Iterator[Message]:
    """The cost of a missed take and its reason, addressed to its player."""
    seconds = decimal((take["to"] - take["from"]) / 1_000)
    if take["taker"] is None:
        yield Message(
            "The take was open for {seconds} s, then another card closed it.", seconds=seconds
        )
    else:
        yield plural(
            "The take was open for {seconds} s, then {player} took the {count} card.",
            "The take was open for {seconds} s, then {player} took the {count} cards.",
            seconds=seconds,
            player=seat(take["taker"]),
            count=take["cards"],
        )
    if not take["points"]:
        yield Message("That hardly changed your chance to win.")
    elif take["points"] > 0:
        yield plural(
            "That raised your chance to win by {count} percentage point.",
            "That raised your chance to win by {count} percentage points.",
            count=take["points"],
        )
    else:
        yield plural(
            "That lowered your chance to win by {count} percentage point.",
            "That lowered your chance to win by {count} percentage points.",
            count=-take["points"],
        )
    yield _WHY[take["cause"]].filled({"seconds": decimal(take["free_ms"] / 1_000)})
