"""Rounds set up for a test: a middle that was really played, and the hands that are asked for.

Times of a test begin at `BASE`; by then the middle lies and every hand is free.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from games.engine.actions import Action, DiscardOne, DrawOne, Refusal, Shout, Try
from games.engine.cards import DECK_LETTERS, FACE, deck_of
from games.engine.editions import house_rules
from games.engine.events import Deal, Draw, Event, Late, Miss, Play
from games.engine.facts import Fault, verify
from games.engine.fitting import fits, takes, uses
from games.engine.referee import Outcome, Referee, Settled
from games.engine.table import Table, apply
from tests.engine.legal import legal_actions

BASE = 10_000
STEP = 600


def owner(card: str) -> int:
    """The seat whose deck the card is of."""
    return DECK_LETTERS.index(card[0])


def state(table: Table) -> dict[str, str]:
    """Everything that a table knows, by name; its classes may be compiled, so `vars` won't do."""
    names = [name for name in dir(table) if not name.startswith("_")]
    known = {name: getattr(table, name) for name in names}
    return {name: repr(value) for name, value in known.items() if not callable(value)}


class Round:
    """A table with these hands (codes, three a seat) and these stacks (codes, bottom first)."""

    def __init__(
        self,
        *hands: str,
        middle: Sequence[str] = (),
        edition: str = "usaopoly-2009",
        beginners: Sequence[int] = (),
        **overrides: Any,
    ) -> None:
        rules = house_rules(edition, overrides)
        stacks = [stack.split() for stack in middle]
        laid = [card for stack in stacks for card in stack]
        decks = [
            _stacked(deck_of(seat, rules.deck), [c for c in laid if owner(c) == seat], hand.split())
            for seat, hand in enumerate(hands)
        ]
        self.table = Table(rules, len(hands), beginners)
        self.table.deal(Deal(1, tuple(decks)))
        t = 0
        for slot, stack in enumerate(stacks):
            for card in stack:
                t += STEP
                self._lay(t, slot, card)
        assert t < BASE - STEP

    def _lay(self, t: int, slot: int, card: str) -> None:
        self.happen(self.play(t, card, slot))
        seat = owner(card)
        if self.table.draw_piles[seat]:
            self.happen(self.draw(t + STEP // 2, seat))

    # Events as they would be true

    def play(
        self, t: int, card: str, slot: int, number: int | None = None, seen: int | None = None
    ) -> Play:
        """The play, with the `takes` and `as` that are due where it fits."""
        top, face = self.table.tops[slot], FACE[card]
        numbers = uses(self.table.rules, top, face)
        if number is None and numbers:
            number = numbers[0]
        taken = None
        if fits(self.table.rules, top, face, number) and takes(top, face, number):
            taken = len(self.table.stacks[slot]) + 1
        return Play(t, owner(card), card, slot, number, taken, seen)

    def draw(self, t: int, seat: int) -> Draw:
        return Draw(t, seat, self.table.draw_piles[seat][-1])

    def late(self, t: int, card: str, slot: int, seen: int, number: int | None = None) -> Late:
        return Late(t, owner(card), card, slot, number, seen)

    def miss(self, t: int, card: str, slot: int, seen: int, number: int | None = None) -> Miss:
        return Miss(t, owner(card), card, slot, number, seen)

    @property
    def events(self) -> int:
        return self.table.events

    # What comes of them

    def happen(self, *events: Event) -> Round:
        """Each is verified, then applied."""
        for event in events:
            verify(self.table, event)
            apply(self.table, event)
        return self

    def fault(self, event: Event) -> str:
        """What `verify` says against the event."""
        before = str(self.table)
        with pytest.raises(Fault) as caught:
            verify(self.table, event)
        assert str(self.table) == before
        return str(caught.value)

    def allows(self, event: Event) -> bool:
        """Whether `verify` has nothing against the event."""
        verify(self.table, event)
        return True

    def legal(self, seat: int) -> list[Action]:
        return legal_actions(self.table, seat)

    def tries(self, seat: int) -> set[tuple[str, int, int | None]]:
        """What a seat may lay: (card, slot, number)."""
        return {
            (action.card, action.stack, action.number)
            for action in self.legal(seat)
            if isinstance(action, Try)
        }

    def discards(self, seat: int) -> set[str]:
        return {action.card for action in self.legal(seat) if isinstance(action, DiscardOne)}

    def may_draw(self, seat: int) -> bool:
        return any(isinstance(action, DrawOne) for action in self.legal(seat))

    def may_shout(self, seat: int) -> bool:
        return any(isinstance(action, Shout) for action in self.legal(seat))

    def referee(self) -> Court:
        return Court(self.table)


class Court:
    """A Referee whose facts are verified on a table of their own before they count."""

    def __init__(self, table: Table) -> None:
        self._witness = table.copy()
        self.judge = Referee(table)

    def offer(self, t: int, action: Action) -> list[Outcome]:
        return self._witnessed(self.judge.offer(t, action))

    def settle(self, now: int) -> list[Outcome]:
        return self._witnessed(self.judge.settle(now))

    def outcomes(self, until: int, *tries: tuple[int, Action]) -> list[Outcome]:
        """What comes of these actions, each at its t, settled until then."""
        offered = [outcome for t, action in tries for outcome in self.offer(t, action)]
        return offered + self.settle(until)

    def facts(self, until: int, *tries: tuple[int, Action]) -> list[Event]:
        """The facts among that."""
        return facts(self.outcomes(until, *tries))

    def refusal(self, t: int, action: Action) -> Refusal:
        """The refusal that is the whole answer to the action."""
        (outcome,) = self.offer(t, action)
        assert isinstance(outcome, Refusal)
        assert repr(outcome.action) == repr(action)
        return outcome

    def _witnessed(self, outcomes: list[Outcome]) -> list[Outcome]:
        for outcome in outcomes:
            if isinstance(outcome, Settled):
                verify(self._witness, outcome.event)
                apply(self._witness, outcome.event)
        return outcomes


def facts(outcomes: Sequence[Outcome]) -> list[Event]:
    return [outcome.event for outcome in outcomes if isinstance(outcome, Settled)]


def refusals(outcomes: Sequence[Outcome]) -> list[Refusal]:
    return [outcome for outcome in outcomes if isinstance(outcome, Refusal)]


def _stacked(deck: Sequence[str], *first: Sequence[str]) -> tuple[str, ...]:
    """The deck with these cards on top of it, in their order."""
    top = [card for cards in first for card in cards]
    assert set(top) <= set(deck), "the test asks for cards that the deck has not"
    return (*top, *(card for card in deck if card not in top))
