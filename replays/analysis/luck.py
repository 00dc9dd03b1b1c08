"""The luck of the draw: what each drawn card changed, judged with all cards known.

It is the drawer's win probability with the card drawn, minus the mean over the cards still in
that draw pile. A pile that was once the discard pile has a known order, so drawing from it is
not luck. This needs a log that hides nothing.

Draws earn no credit, so they are kept apart from the moments; only the largest are listed,
since their sum would mean nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from heapq import nlargest
from typing import Final, NamedTuple

from games.engine.cards import FACE, Card
from games.engine.events import Draw
from games.engine.table import HAND
from replays.analysis.winning.inputs import SPECTATOR, all_cards
from replays.analysis.winning.network import model
from replays.analysis.winning.position import OpenPosition
from replays.timeline import Round, Timeline

MOST: Final = 3


class Luck(NamedTuple):
    """A lucky or unlucky draw; `delta`: the estimated change of its seat's win probability."""

    seq: int
    round: int
    t: int
    seat: int
    card: Card
    delta: float


def luckiest(timeline: Timeline, most: int = MOST) -> list[Luck]:
    """The draws that changed most, largest first."""
    position = OpenPosition(timeline.header)
    luck = [draw for played in timeline.rounds for draw in luck_of(position, played)]
    return largest(luck, most)


def largest(luck: Iterable[Luck], most: int = MOST) -> list[Luck]:
    """Those that changed most, largest first; of equal ones the earlier."""
    return nlargest(most, luck, key=lambda draw: abs(draw.delta))


def luck_of(position: OpenPosition, played: Round) -> list[Luck]:
    """The luck of each of a round's draws; the position has read the rounds before it."""
    position.read(played.deal)
    piles = [Counter(FACE[card] for card in deck[HAND:]) for deck in played.deal.decks]
    luck: list[Luck] = []
    for event, seq in zip(played.events, played.seqs, strict=True):
        position.read(event)
        if isinstance(event, Draw) and piles[event.seat]:
            position.learn()
            delta = _luck(position, event, piles[event.seat])
            luck.append(Luck(seq, played.number, event.t, event.seat, event.card, delta))
    return luck


def _luck(position: OpenPosition, draw: Draw, pile: Counter[int]) -> float:
    """What the drawn card changed compared with its pile's mean; it is removed from the pile."""
    seat, drawn = draw.seat, FACE[draw.card]
    hand, inputs, rows = position.faces[seat], all_cards(position), []
    whatever = inputs[seat][: len(SPECTATOR)]  # the same with any card drawn
    for face in pile:
        hand[-1] = face
        rows.append([*whatever, *position.hand(seat)])
    hand[-1] = drawn
    chances = model("all_cards").probabilities_of(seat, inputs, rows)
    worth = dict(zip(pile, chances, strict=True))
    mean = sum(worth[face] * count for face, count in pile.items()) / pile.total()
    pile[drawn] -= 1
    pile += Counter()  # drops faces with no cards left
    return worth[drawn] - mean
