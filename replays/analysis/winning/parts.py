"""Why a chance to win changed: an exact split between two positions (Shapley).

The inputs come in groups. Each group's part is its effect on the network's chance, averaged over
all orders in which the groups can pass from one position to the other. So the parts add up to the
whole change. What absence and stalls change besides is not in it.
"""

from collections.abc import Callable, Sequence
from copy import copy
from math import factorial, log, sqrt
from typing import Final

from replays.analysis.winning.inputs import spectator
from replays.analysis.winning.network import model
from replays.analysis.winning.pace import SPREAD
from replays.analysis.winning.position import Position

CLEAR: Final = 2.0
"""From so many standard errors on a hand is quicker or slower than the others."""


_HALF: Final = 0.5


def _cards(to: Position, of: Position) -> None:
    to.piles, to.hands = of.piles, of.hands
    to.scored = _scored(of.standing, to)


def _scored(standing: Sequence[int], at: Position) -> list[int]:
    """The score piles that make this standing there: the totals belong to `time`."""
    columns = zip(standing, at.totals, at.piles, strict=True)
    return [points - total + pile for points, total, pile in columns]


def _fives(to: Position, of: Position) -> None:
    to.takers = of.takers


def _pace(to: Position, of: Position) -> None:
    to.beliefs = of.beliefs
    to.habits = of.habits._replace(takes=to.habits.takes)


def _taking(to: Position, of: Position) -> None:
    to.habits = to.habits._replace(takes=of.habits.takes)


def _time(to: Position, of: Position) -> None:
    standing = to.standing
    to.totals = of.totals
    to.scored = _scored(standing, to)


def _strength(to: Position, of: Position) -> None:
    to.strengths = of.strengths


GROUPS: Final[dict[str, Callable[[Position, Position], None]]] = {
    "cards": _cards,
    "fives": _fives,
    "pace": _pace,
    "taking": _taking,
    "time": _time,
    "strength": _strength,
}
"""Each takes its counts over from another position. `cards`: points if the round ended now, and
cards left. `fives`: 5s and wilds still to play. `taking`: takes per move. `time`: points to go."""


def parts(before: Position, after: Position, seat: int) -> dict[str, float]:
    """By group, what it changed of the seat's chance to win."""
    names = [name for name in GROUPS if name != "strength" or before.strengths != after.strengths]
    count, network = len(names), model("spectator")
    chances = []
    for chosen in range(1 << count):
        mixed = copy(before)
        for at, name in enumerate(names):
            if chosen >> at & 1:
                GROUPS[name](mixed, after)
        chances.append(network.probabilities(spectator(mixed))[seat])
    found = dict.fromkeys(names, 0.0)
    for chosen, chance in enumerate(chances):
        size = chosen.bit_count()
        for at, name in enumerate(names):
            if not chosen >> at & 1:
                weight = factorial(size) * factorial(count - 1 - size) / factorial(count)
                found[name] += weight * (chances[chosen | 1 << at] - chance)
    return found


def equals(position: Position) -> Position:
    """The first deal of that match, with players who are all alike."""
    start = Position(position.header)
    start.strengths = [0.0] * len(position.strengths)
    return start


def quickness(position: Position, seat: int) -> float:
    """How much quicker or slower a hand is than the others on average, in standard errors."""
    moves = position.habits.moves
    own, others = moves[seat], sum(moves) - moves[seat]
    if not own or not others:
        return 0.0
    mean = others / (position.seats - 1)
    return log(own / mean) / sqrt(SPREAD * (1 / own + 1 / others))


def named(found: dict[str, float], quick: float) -> dict[str, float]:
    """The parts that may be said, largest first. `quick`: as `quickness` says."""
    sure = quick * found["pace"] > 0 and abs(quick) >= CLEAR
    said = {name: part for name, part in found.items() if name != "pace" or sure}
    return dict(sorted(said.items(), key=lambda entry: -abs(entry[1])))


def causes(found: dict[str, float], change: float, quick: float) -> dict[str, float]:
    """The causes of a change: the largest part if it is half of it, otherwise the two largest. None
    if they are less than half."""
    (first, part), *others = named(found, quick).items()
    said = {first: part} if part / change >= _HALF else dict([(first, part), *others[:1]])
    return said if sum(said.values()) / change >= _HALF else {}
