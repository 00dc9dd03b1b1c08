"""Where the points come from: each seat's score in parts that add up to it exactly.

`table` is a seat's average there. The other parts compare a seat with the others at the table:
- `speed`: faster or slower movements
- `noticing`: seeing sooner or later what can be taken or played
- `choice`: fewer missed takes with a 5, wilds kept for shorter, and fewer 5s and wilds discarded
- `mistakes`: fewer or more of them
- `cards`: the luck of the deal and the draws
- `line`: a shorter or longer lag (on the screen: the connection)
- `rest`: the remainder, including the temper

All but `cards` are the costs of weaknesses (`worth`), so a player's points and their costliest
weaknesses are the same numbers. They are estimates, measured on bots. Their sum is exact.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from games.engine.cards import FACE, WILD
from games.engine.events import Draw, End
from games.engine.fitting import fit_masks
from games.engine.message import Message
from games.engine.scoring import ABANDONED
from games.engine.table import HAND
from replays.analysis.players.signs import (
    CHOICE,
    DISCARDS,
    KINDS,
    LINE,
    MISTAKES,
    PLAYS,
    SPEED,
    TAKES,
    WILDS,
)
from replays.analysis.players.worth import Cost, worth
from replays.analysis.winning.position import FIVE, StackPosition
from replays.timeline import Round, Timeline

TITLES: Final = {
    "table": Message("Table’s average"),
    "speed": Message("Speed"),
    "noticing": Message("Takes and plays"),
    "choice": Message("Choice"),
    "mistakes": Message("Mistakes"),
    "cards": Message("Cards"),
    "line": Message("Connection"),
    "rest": Message("The rest"),
}
"""The title of each part in tables."""
TAKERS: Final = {FIVE: 0.3, WILD: -1.6}
"""Points for having drawn such a card. A wild that waits in hand is in the way."""
TAKEN: Final = 0.33
"""Points for each card of the largest stack that such a card could have taken at once."""
OF_KINDS: Final[dict[str, tuple[str, ...]]] = {
    "speed": (SPEED,),
    "noticing": (TAKES, PLAYS),
    "choice": (CHOICE, WILDS, DISCARDS),
    "mistakes": (MISTAKES,),
    "line": (LINE,),
}
"""The weaknesses that each part includes."""


def price_error(part: str) -> float:
    """The standard error of a part's worth, as a share of it."""
    errors = [worth().errors[KINDS.index(kind)] for kind in OF_KINDS.get(part, ())]
    return max(errors, default=0.0)


class Points(NamedTuple):
    """A score in its parts, as above."""

    table: float = 0.0
    speed: float = 0.0
    noticing: float = 0.0
    choice: float = 0.0
    mistakes: float = 0.0
    cards: float = 0.0
    line: float = 0.0
    rest: float = 0.0

    @property
    def score(self) -> float:
        return sum(self)


def points(timeline: Timeline, costs: Sequence[Mapping[str, Cost]]) -> list[Points]:
    """The parts of each seat's score in all finished rounds. None before one is finished.

    `costs`: the cost of each kind of weakness to each seat.
    """
    position, seats = StackPosition(timeline.header), len(timeline.names)
    finished, scores, cards = 0, [0] * seats, [0.0] * seats
    for played in timeline.rounds:
        luck = _luck(position, played)
        last = played.events[-1] if played.events else None
        if isinstance(last, End) and last.reason != ABANDONED:
            finished += 1
            scores = list(map(sum, zip(scores, last.scores, strict=True)))
            cards = list(map(sum, zip(cards, luck, strict=True)))
    if not finished:
        return []
    table = fmean(scores)
    return [_parted(*of_seat, table) for of_seat in zip(scores, cards, costs, strict=True)]


def _parted(score: int, cards: float, cost: Mapping[str, Cost], table: float) -> Points:
    parts = {part: sum(cost[kind].points for kind in kinds) for part, kinds in OF_KINDS.items()}
    rest = score - table - cards - sum(parts.values())
    return Points(table=table, cards=cards, rest=rest, **parts)


def _luck(position: StackPosition, played: Round) -> list[float]:
    """The worth of each seat's deal and draws, less the average of such cards and the others' luck.
    A recycled pile is in a known order."""
    position.read(played.deal)
    worth = _Worth(position)
    luck = [worth.of_hand(deck) for deck in map(_faces, played.deal.decks)]
    piles = [Counter(_faces(deck)[HAND:]) for deck in played.deal.decks]
    for event in played.events:
        if isinstance(event, Draw) and piles[event.seat].total():
            luck[event.seat] += worth.drawn(FACE[event.card], piles[event.seat])
        position.read(event)
    mean = fmean(luck)
    return [own - mean for own in luck]


def _faces(cards: Sequence[str]) -> list[int]:
    return [FACE[card] for card in cards]


class _Worth:
    """The worth of a card to the player who draws it, with the stacks as they are."""

    def __init__(self, position: StackPosition) -> None:
        self._position = position
        self._masks = fit_masks(position.rules.wild_starts)

    def of_hand(self, deck: Sequence[int]) -> float:
        """The cards dealt to a hand, less as many average ones."""
        worth = [TAKERS.get(face, 0.0) for face in deck]
        held = worth[:HAND]
        return sum(held) - len(held) * fmean(worth)

    def drawn(self, face: int, pile: Counter[int]) -> float:
        """A card of a pile, less its average one. Removes it from the pile."""
        worth = {taker: self._of(taker) for taker in TAKERS}
        mean = sum(worth[taker] * pile[taker] for taker in worth) / pile.total()
        pile[face] -= 1
        return worth.get(face, 0.0) - mean

    def _of(self, taker: int) -> float:
        tops, heights = self._position.tops, self._position.heights
        stacks = (h for top, h in zip(tops, heights, strict=True) if top and self._fits(top, taker))
        return TAKERS[taker] + TAKEN * max(stacks, default=0)

    def _fits(self, top: int, face: int) -> int:
        return self._masks[top] >> face & 1
