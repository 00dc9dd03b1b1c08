"""What each player can learn from a match: the costliest tries, at most seven.

Everything judged other than good is among them; and takes left to another player for no longer
than usual, while the hand was mostly free. A judgement spares these, since nobody is quicker
than usual every time; but who is slow as a rule leaves most takes so, and would hear of none.
One take is one lesson, however many cards would have made it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from replays.analysis.chances import FREE, Chance
from replays.analysis.missed_takes import taker
from replays.analysis.moments.judgements import GOOD, Judgement, missed_take
from replays.analysis.moments.swings import Swing

MOST: Final = 7
"""The most for one player."""
_DIGITS: Final = 3


def lessons(
    judged: Iterable[Judgement], missed: Iterable[tuple[Chance, Swing]], names: Sequence[str]
) -> list[Judgement]:
    """The lessons of all players, in log order.

    `judged`: the match's judgements; `missed`: its missed takes, each with the swing that closed
    it.
    """
    known = [one for one in judged if one.verdict != GOOD]
    costliest = sorted((*known, *_left(missed, names)), key=_cost, reverse=True)
    chosen: dict[int, dict[int, Judgement]] = defaultdict(dict)
    for one in costliest:
        own = chosen[one.seat]
        if len(own) < MOST:
            own.setdefault(one.seq, one)
    return sorted((one for few in chosen.values() for one in few.values()), key=_place)


def _left(missed: Iterable[tuple[Chance, Swing]], names: Sequence[str]) -> Iterator[Judgement]:
    """The takes that a seat left to another's take, its hand mostly free; of each the longest."""
    longest: dict[tuple[int, int], tuple[Chance, Swing]] = {}
    for chance, swing in missed:
        if taker(chance.window) is None or chance.cause != FREE:
            continue
        key = swing.seq, chance.window.seat
        known = longest.get(key)
        if known is None or chance.free_ms > known[0].free_ms:
            longest[key] = chance, swing
    for chance, swing in longest.values():
        yield missed_take(chance, swing, names)


def _cost(one: Judgement) -> tuple[float, float]:
    """In win probability; where that is about the same, in cards."""
    figures = one.figures
    return -round(figures.get("delta", 0), _DIGITS), figures.get("cards", 0)


def _place(one: Judgement) -> tuple[int, int]:
    return one.seq, one.seat
