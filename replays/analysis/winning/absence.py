"""Absent players: a seat that stays still, though it has cards to turn over.

A player with nothing to play turns over a card, until all are in the hand. So the network, which
knows habits only over the whole match, need not wait for a leaver's to fade. It is asked with and
without the absent, since absent players are no measure for the others. A player who moves again is
judged as ever.

Records don't show who is connected. At the site's own tables no one counts as absent: there a bot
soon takes over for an absent player, so the seat keeps its chance.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from replays.analysis.winning.position import Position

USUAL: Final = 5
"""How many movements of each other player someone at the table may miss."""
HALVED: Final = 3
"""After how many more it is half as likely that they are still there."""
UNLIKELY: Final = 0.001
"""Below this probability of being there, a player is gone."""


def judged(position: Position, network: Callable[[Position], Sequence[float]]) -> Sequence[float]:
    """The network's probabilities with and without those who seem away, each by how likely.

    A player who has missed more is never there without those who have missed less.
    """
    away = sorted(missing(position))
    if not away:
        return network(position)
    blended, here, before = [0.0] * position.seats, list(range(position.seats)), 0.0
    for there, seat in away:
        _add(blended, there - before, here, position, network)
        here.remove(seat)
        before = there
    _add(blended, 1 - before, here, position, network)
    return blended


def missing(position: Position) -> Iterator[tuple[float, int]]:
    """The seats that seem away, with their chance to be there. Never the last to move."""
    for seat, missed in enumerate([] if position.stood_in else position.missed()):
        if missed > USUAL:
            there = 0.5 ** ((missed - USUAL) / HALVED)
            yield there if there >= UNLIKELY else 0.0, seat


def _add(
    blended: list[float],
    share: float,
    here: Sequence[int],
    position: Position,
    network: Callable[[Position], Sequence[float]],
) -> None:
    """Add that share of the probabilities with only these seats. The last one there wins."""
    if share:
        p = network(position.among(here)) if len(here) > 1 else (1.0,)
        for seat, chance in zip(here, p, strict=True):
            blended[seat] += share * chance


# Nobody plays


def ended_as_it_stands(position: Position) -> tuple[float, ...] | None:
    """Each seat's share of the win if the round ended now. None if the match would go on."""
    rules, floor = position.rules, 0 if position.rules.floor_at_zero else -position.deck
    columns = zip(position.totals, position.scored, position.piles, strict=True)
    totals = [total + max(floor, scored - pile) for total, scored, pile in columns]
    best = max(totals)
    if not rules.speedy and best < rules.target:
        return None
    winners = totals.count(best)
    return tuple((total == best) / winners for total in totals)


def likely_end(quiet_ms: int, stall_ms: int) -> float:
    """How likely a round ends without another play that had none for so long.

    In 240 simulated matches it was .03 after 4 s of 30, .15 after 12, .44 after 20, .90 after
    28. The square is .02, .16, .44 and .87.
    """
    return min(1.0, quiet_ms / stall_ms) ** 2 if stall_ms else 0.0


def weighed(p: Sequence[float], position: Position, quiet_ms: int) -> tuple[float, ...]:
    """The network's probabilities and the result of an end now, each by its likelihood."""
    share = likely_end(quiet_ms, position.rules.stall_ms)
    ended = ended_as_it_stands(position) if share else None
    if ended is None:
        return tuple(p)
    return tuple((1 - share) * chance + share * end for chance, end in zip(p, ended, strict=True))
