"""Which cards are held: how much likelier a card of each face lies in a hand than in a pile.

What `replays.analysis.judge.knowledge.HELD` was taken from: `held(500, 78)`. At random moments
of matches between the site's bots the cards of each player are dealt anew with these weights,
which are changed until as many of each face come to lie in hands as really did.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import log, prod
from random import Random
from typing import Final

from games.engine.cards import FACE, WILD
from games.engine.editions import EDITIONS
from replays.timeline import Timeline
from replays.training.matches import lines, plan

_SHARE: Final = 0.03
"""Of all positions, those that are looked at."""
_ROUNDS: Final = 2
_STEPS: Final = 12
_STRIDE: Final = 1.3
Cards = tuple[list[int], list[int]]
"""The faces in a hand, and in its piles."""


def held(matches: int, seed: int) -> dict[str, list[float]]:
    """By edition, the weight of each face (1 to 5, wild); their geometric mean is 1."""
    by_edition: dict[str, list[Cards]] = defaultdict(list)
    for index in range(matches):
        asked = plan("roster", seed, index)
        if asked.header.rules.deck == EDITIONS[asked.header.edition].deck:
            by_edition[asked.header.edition] += _cards(Timeline.of(lines(asked)), Random(index))
    return {edition: _fitted(seen) for edition, seen in sorted(by_edition.items())}


def _cards(match: Timeline, randomness: Random) -> Iterator[Cards]:
    for played in match.rounds[:_ROUNDS]:
        for _, table in played.tables():
            if randomness.random() >= _SHARE or table.ended:
                continue
            for seat, hand in enumerate(table.hands):
                piles = table.draw_piles[seat] + table.discard_piles[seat]
                if hand and piles:
                    yield [FACE[card] for card in hand], [FACE[card] for card in piles]


def _fitted(seen: Sequence[Cards]) -> list[float]:
    weights = [1.0] * WILD
    true = _counts(hand for hand, _ in seen)
    for _ in range(_STEPS):
        expected = _counts(_dealt(seen, weights))
        weights = [
            weight * (there / max(1, here)) ** _STRIDE
            for weight, there, here in zip(weights, true, expected, strict=True)
        ]
        mean = prod(weights) ** (1 / WILD)
        weights = [weight / mean for weight in weights]
    return weights


def _dealt(seen: Sequence[Cards], weights: Sequence[float]) -> Iterator[list[int]]:
    randomness = Random(5)
    for hand, piles in seen:
        cards = hand + piles
        cards.sort(key=lambda face: -log(1 - randomness.random()) / weights[face - 1])
        yield cards[: len(hand)]


def _counts(hands: Iterator[list[int]]) -> list[int]:
    counts = [0] * WILD
    for hand in hands:
        for face in hand:
            counts[face - 1] += 1
    return counts
