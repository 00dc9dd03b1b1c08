"""The input of a win probability, updated by reading a log line by line.

A `Position` has only counts. A spectator knows all of them, since they come from the public parts
of events. `StackPosition` also knows the center stacks.
Neither rereads anything, so both can follow a match that is still being played.

Habits (how much a seat moves, how often it takes) change only with `learn`, not with each event, so
a play is judged by its effect, not by the habits that it reveals.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, ClassVar, Final, NamedTuple, Self, TypeVar

from games.bots.roster import bots_of
from games.engine.cards import FACE, OWNER, WILD
from games.engine.editions import Rules
from games.engine.events import Deal, Discard, Draw, End, Late, Miss, Play, Tie
from games.engine.table import HAND
from games.records.log import Header, Line
from replays.analysis.winning.pace import Belief, a_round_later, after, at_first

FIVE: Final = 5
STRENGTHS: Final = {
    "taker": (-1.31, -0.47, 0.22, 0.96, 1.52),
    "builder": (-1.47, -0.56, 0.1, 0.76, 1.4),
    "starver": (-1.26, -0.52, 0.26, 0.79, 1.36),
    "runner": (-1.7, -0.89, -0.22, 0.34, 1.0),
    "first-fit": (-1.6, -0.71, -0.07, 0.64, 1.43),
}
"""The ratings of the bots at each level (docs/explanation/ratings.md), averaged over the editions.
Their mean is 0, their standard deviation 1."""
Number = TypeVar("Number", int, float)


class Habits(NamedTuple):
    """Counts for each seat."""

    moves: Sequence[float]
    """Hand movements."""
    pace: Sequence[float]
    """Those of this round while every hand had cards to turn over."""
    takes: Sequence[float]
    """Stacks taken."""


class Position:
    """Counts for each seat, during a round or between two."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.rules = rules = header.rules
        self.seats = seats = len(header.seats)
        self.deck = sum(rules.deck)
        self.stood_in = header.source == "live"
        """Whether a bot plays on before long for who is away, as at the tables of the site."""
        self.strengths = strengths_of(header)
        """What is known of the players. Empty unless all are."""
        self.totals = [0] * seats
        """The scores of the rounds before this one."""
        self.moves = [0] * seats
        """Hand movements in the whole match so far."""
        self.pace = [0] * seats
        """Those of this round while every hand had cards to turn over."""
        self.takes = [0] * seats
        """Stacks taken in the whole match so far."""
        self.moved_at = [0] * seats
        """How many movements all hands had made when this one last moved, or had no card to turn
        over."""
        self.habits = Habits(self.moves[:], self.pace[:], self.takes[:])
        """The counts as they were when `learn` was last called."""
        self._known_at = self.moved_at[:]
        self.rounds: tuple[tuple[int, ...], ...] = ()
        """`pace` in the rounds before this one."""
        self.beliefs: Sequence[Belief] = at_first(seats)
        """What is known of the paces from the rounds before this one."""
        self._clear()

    def _clear(self) -> None:
        held = min(HAND, self.deck)
        self.scored = [0] * self.seats
        """Cards in the score pile."""
        self.piles = [self.deck - held] * self.seats
        """Cards in draw and discard pile together."""
        self.hands = [held] * self.seats
        """Cards in hand."""
        self.takers = [self.rules.deck[FIVE - 1] + self.rules.deck[WILD - 1]] * self.seats
        """5s and wilds that have not been played yet, wherever they are."""

    @property
    def standing(self) -> list[int]:
        """Each seat's points if the round ended now."""
        parts = zip(self.totals, self.scored, self.piles, strict=True)
        return [total + scored - pile for total, scored, pile in parts]

    def read(self, line: Line) -> None:
        """Take the log's next line. Remarks and the result change nothing."""
        change = self._READ.get(type(line))
        if change is not None:
            change(self, line)

    def learn(self) -> None:
        self.habits, moved = Habits(self.moves[:], self.pace[:], self.takes[:]), sum(self.moves)
        since = zip(self.moved_at, self.piles, strict=True)
        self._known_at = [at if pile else moved for at, pile in since]

    def missed(self) -> list[float]:
        """For each seat, the movements of each other hand since its own last one, as far as it
        had cards to turn over, by the habits."""
        moved, others = sum(self.habits[0]), self.seats - 1
        return [(moved - at) / others for at in self._known_at]

    def copy(self) -> Position:
        twin = copy(self)
        twin.totals, twin.moved_at, twin.pace = self.totals[:], self.moved_at[:], self.pace[:]
        twin.moves, twin.takes = self.moves[:], self.takes[:]
        twin.scored, twin.piles = self.scored[:], self.piles[:]
        twin.hands, twin.takers = self.hands[:], self.takers[:]
        return twin

    def with_take(self, seat: int, cards: int) -> Position:
        """The position as it would be if a 5 or wild of this seat had just taken so many cards."""
        other = copy(self)
        other.scored, other.hands, other.takers = self.scored[:], self.hands[:], self.takers[:]
        other.scored[seat] += cards
        other.hands[seat] -= 1
        other.takers[seat] -= 1
        return other

    def among(self, seats: Sequence[int]) -> Self:
        """The position with only these seats at the table, to be judged, not read on."""

        def of(column: Sequence[Number]) -> list[Number]:
            return [column[seat] for seat in seats]

        other = copy(self)
        other.seats, other.totals, other.scored = len(seats), of(self.totals), of(self.scored)
        other.piles, other.hands, other.takers = of(self.piles), of(self.hands), of(self.takers)
        other.habits = Habits(*map(of, self.habits))
        rounds = tuple(tuple(of(pace)) for pace in self.rounds)
        other.rounds, other.beliefs = rounds, after(len(seats), rounds)
        other.strengths = of(self.strengths) if self.strengths else []
        return other

    def _deal(self, _deal: Deal) -> None:
        self._clear()

    def _play(self, play: Play) -> None:
        seat = play.seat
        self._move(seat)
        self.hands[seat] -= 1
        if FACE[play.card] >= FIVE:
            self.takers[seat] -= 1
        if play.takes is not None:
            self.scored[seat] += play.takes
            self.takes[seat] += 1

    def _draw(self, draw: Draw) -> None:
        self._move(draw.seat)
        self.hands[draw.seat] += 1
        self.piles[draw.seat] -= 1

    def _discard(self, discard: Discard) -> None:
        self._move(discard.seat)
        self.hands[discard.seat] -= 1
        self.piles[discard.seat] += 1

    def _tie(self, tie: Tie) -> None:
        for card in tie.cards:
            seat = OWNER[card]
            self._move(seat)
            self.hands[seat] -= 1
            self.piles[seat] += 1

    def _tried(self, tried: Late | Miss) -> None:
        self._move(tried.seat)

    def _move(self, seat: int) -> None:
        self.moves[seat] += 1
        self.moved_at[seat] = sum(self.moves)
        if all(self.piles):
            self.pace[seat] += 1

    def _end(self, end: End) -> None:
        """The cards are as they will be at the next deal."""
        moved = sum(self.moves)
        for seat, pile in enumerate(self.piles):
            if not pile:
                self.moved_at[seat] = moved
        self._known_at = self.moved_at[:]
        self.rounds = (*self.rounds, tuple(self.pace))
        self.beliefs = a_round_later(self.beliefs, self.pace)
        self.pace = [0] * self.seats
        self.habits = self.habits._replace(pace=self.pace[:])
        self.totals = list(end.totals)
        self._clear()

    _READ: ClassVar[dict[type, Callable[[Any, Any], None]]] = {
        Deal: _deal,
        Play: _play,
        Draw: _draw,
        Discard: _discard,
        Tie: _tie,
        Late: _tried,
        Miss: _tried,
        End: _end,
    }


def strengths_of(header: Header) -> list[float]:
    """For each seat its player's strength. Empty unless all are known.

    A person's strength is not known, nor a bot's that the record does not name.
    """
    specs = [spec for spec in bots_of(header) if spec and spec.temper in STRENGTHS]
    known = len(specs) == len(header.seats)
    return [STRENGTHS[spec.temper][spec.level - 1] for spec in specs] if known else []


class StackPosition(Position):
    """A position with the center stacks too."""

    def _clear(self) -> None:
        super()._clear()
        self.tops = [0] * self.seats
        self.heights = [0] * self.seats

    def _play(self, play: Play) -> None:
        super()._play(play)
        if play.takes is None:
            self.tops[play.stack] = play.number or FACE[play.card]
            self.heights[play.stack] += 1
        else:
            self.tops[play.stack] = self.heights[play.stack] = 0

    _READ: ClassVar[dict[type, Callable[[Any, Any], None]]] = {
        **Position._READ,  # noqa: SLF001
        Play: _play,
    }


class Stakes:
    """Follows the plays of one round.

    A tie's line does not give the numbers of its wilds. So where they may be played as a number,
    wilds are not known to take.
    """

    def __init__(self, rules: Rules) -> None:
        self._certain = {FIVE} if rules.wild_as_number else {FIVE, WILD}
        self._heights: dict[int, int] = defaultdict(int)

    def read(self, play: Play) -> None:
        self._heights[play.stack] = 0 if play.takes is not None else self._heights[play.stack] + 1

    def of(self, tie: Tie) -> int:
        """The cards that each tied card alone would have taken, itself included. 0 unless all of
        them would have taken."""
        height = self._heights[tie.stack]
        taking = height and all(FACE[card] in self._certain for card in tie.cards)
        return height + 1 if taking else 0
