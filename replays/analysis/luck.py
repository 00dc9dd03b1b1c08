"""The luck of the draws: what each drawn card changed, judged from all cards.

It is the drawer's win probability with the card that came, minus the mean of what it would
have been with each of the cards that still lay in that draw pile. A pile that was the discard
pile once lies in a known order: drawing from it is no luck. It needs a log that hides nothing.

Draws are nobody's merit, so they stand apart from the moments; only the greatest are told,
since the sum of all would say nothing.
"""

from __future__ import annotations

from collections import Counter
from heapq import nlargest
from typing import Final, NamedTuple

from games.engine.cards import FACE, Card
from games.engine.events import Draw
from games.engine.table import HAND
from replays.analysis.winning.inputs import all_cards
from replays.analysis.winning.network import model
from replays.analysis.winning.position import OpenPosition
from replays.timeline import Timeline

MOST: Final = 3
MOST_DRAWS: Final = 5_000
"""So many are looked at, some 25 rounds: judging all cards is dear, and matches may be long."""


class Luck(NamedTuple):
    """A lucky or unlucky draw; `delta`: of its seat's win probability, estimated."""

    seq: int
    round: int
    t: int
    seat: int
    card: Card
    delta: float


def luckiest(timeline: Timeline, most: int = MOST) -> list[Luck]:
    """The draws that changed most, the greatest first."""
    position = OpenPosition(timeline.header)
    found: list[Luck] = []
    looked = 0
    for played in timeline.rounds:
        position.read(played.deal)
        piles = [Counter(FACE[card] for card in deck[HAND:]) for deck in played.deal.decks]
        for event, seq in zip(played.events, played.seqs, strict=True):
            position.read(event)
            if isinstance(event, Draw) and piles[event.seat] and looked < MOST_DRAWS:
                looked += 1
                position.learn()
                delta = _luck(position, event, piles[event.seat])
                found.append(Luck(seq, played.number, event.t, event.seat, event.card, delta))
                found = nlargest(most, found, key=lambda one: abs(one.delta))
    return found


def _luck(position: OpenPosition, draw: Draw, pile: Counter[int]) -> float:
    """What the card drawn changed against the mean of its pile; it is taken from the pile."""
    hand, drawn = position.faces[draw.seat], FACE[draw.card]
    network, told = model("all_cards"), {}
    for face in pile:
        hand[-1] = face
        told[face] = network.probabilities(all_cards(position))[draw.seat]
    hand[-1] = drawn
    mean = sum(told[face] * count for face, count in pile.items()) / pile.total()
    pile[drawn] -= 1
    pile += Counter()  # drops the faces that are gone
    return told[drawn] - mean
