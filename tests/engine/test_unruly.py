"""What holds whatever the seats do: any actions, at any times, under any rules."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.engine import rules as law
from games.engine import scoring
from games.engine.actions import Refusal
from games.engine.cards import deck_of
from games.engine.events import End, Event
from games.engine.facts import Fault, verify
from games.engine.referee import Outcome, Referee, Settled
from games.engine.table import HAND, Table, apply
from tests.engine import unruly
from tests.engine.digests import digest
from tests.engine.legal import legal_actions
from tests.engine.rounds import state
from tests.engine.unruly import Setting

SEEDS = st.integers(0, 2**32)


def assert_sound(setting: Setting, table: Table) -> None:
    """What is true of every position of every round."""
    places = (table.hands, table.draw_piles, table.discard_piles, table.score_piles, table.stacks)
    cards = sorted(card for place in places for pile in place for card in pile)
    rules = setting.rules
    assert cards == sorted(c for seat in range(table.seats) for c in deck_of(seat, rules.deck))
    for seat in range(table.seats):
        assert len(table.hands[seat]) <= HAND
        assert table.draw_piles[seat] or not table.discard_piles[seat]
        own = (*table.hands[seat], *table.draw_piles[seat], *table.discard_piles[seat])
        assert {card[0] for card in own} <= {"ABCDE"[seat]}
    for top, stack in zip(table.tops, table.stacks, strict=True):
        assert 0 <= top <= 4
        assert bool(top) == bool(stack)
        assert not any(card[1] == "5" for card in stack)
    counted = sum(map(len, table.hands)) + sum(map(len, table.stacks))
    held = sum(len(taken) for taken in table.score_piles)
    piles = sum(map(len, table.draw_piles)) + sum(map(len, table.discard_piles))
    assert held + piles + counted == table.seats * sum(rules.deck)
    assert sum(scoring.raw_scores(table)) == held - piles


class UnrulySeats(RuleBasedStateMachine):
    """A Referee, and a witness who gets the facts only and checks each before it happens."""

    @initialize(seed=SEEDS)
    def deal(self, seed: int) -> None:
        self.setting = unruly.random_setting(Random(seed))
        self.referee = Referee(self.setting.table())
        self.witness = self.setting.table()
        self.events: list[Event] = []
        self.open: list[str] = []
        self.t = 0

    @rule(seed=SEEDS)
    def act(self, seed: int) -> None:
        rng = Random(seed)
        self.t += unruly.random_gap(rng, self.setting.rules)
        self.hear(self.referee.settle(self.t))
        before = state(self.referee.table)
        action = unruly.random_action(rng, self.referee)
        self.open.append(repr(action))
        outcomes = self.referee.offer(self.t, action)
        if not any(isinstance(outcome, Settled) for outcome in outcomes):
            assert state(self.referee.table) == before
        self.hear(outcomes)

    @rule(ms=st.integers(0, 40_000))
    def wait(self, ms: int) -> None:
        self.t += ms
        self.hear(self.referee.settle(self.t))

    @rule()
    @precondition(lambda self: self.referee.due is not None)
    def wait_until_due(self) -> None:
        due = self.referee.due
        assert due is not None
        self.t = max(self.t, due)
        facts = self.referee.settle(self.t)
        assert facts, "nothing came of what was due"
        self.hear(facts)

    def hear(self, outcomes: list[Outcome]) -> None:
        for outcome in outcomes:
            answered = outcome.actions if isinstance(outcome, Settled) else (outcome.action,)
            for action in answered:
                self.open.remove(repr(action))
            if isinstance(outcome, Settled):
                verify(self.witness, outcome.event)
                apply(self.witness, outcome.event)
                self.events.append(outcome.event)
                assert_sound(self.setting, self.witness)

    @invariant()
    def the_log_says_it_all(self) -> None:
        if not hasattr(self, "witness"):
            return
        assert digest(self.witness) == digest(self.referee.table)
        assert state(self.witness) == state(self.referee.table)

    @invariant()
    def every_action_is_answered_once(self) -> None:
        if hasattr(self, "witness"):
            assert sorted(self.open) == sorted(map(repr, self.referee.waiting))

    @invariant()
    def after_the_end_nothing_is_due(self) -> None:
        if hasattr(self, "witness") and self.witness.ended:
            assert self.referee.due is None
            assert not self.referee.waiting
            assert isinstance(self.events[-1], End)

    def teardown(self) -> None:
        if hasattr(self, "witness"):
            table = unruly.replay(self.setting, tuple(self.events))
            assert digest(table) == digest(self.referee.table)


TestUnrulySeats = UnrulySeats.TestCase


@given(SEEDS)
def test_rounds_of_unruly_seats(seed: int) -> None:
    """Long rounds: every fact is true before it happens, every position is sound."""
    rng = Random(seed)
    played = unruly.play_unruly(rng, unruly.random_setting(rng), 400)
    table = played.setting.table()
    for event in played.events:
        verify(table, event)
        apply(table, event)
        assert_sound(played.setting, table)


@given(SEEDS)
def test_the_same_actions_give_the_same_facts(seed: int) -> None:
    """However often one asks in between, and again from the start."""
    rng = Random(seed)
    setting = unruly.random_setting(rng)
    played = unruly.play_unruly(Random(seed + 1), setting, 80)
    again = unruly.play_unruly(Random(seed + 1), setting, 80)
    assert repr(played) == repr(again)
    often = unruly.play_unruly(Random(seed + 1), setting, 80, asking=Random(seed))
    assert repr(often.events) == repr(played.events)


@given(SEEDS)
def test_the_round_can_be_taken_over_at_any_event(seed: int) -> None:
    """A table made of the log so far is the same as the one that was there, and goes on."""
    rng = Random(seed)
    played = unruly.play_unruly(rng, unruly.random_setting(rng), 80)
    kept = played.events[: rng.randint(0, len(played.events))]
    table = unruly.replay(played.setting, kept)
    referee = Referee(table)
    witness = table.copy()
    outcomes = referee.settle(max(table.t, referee.due or 0))
    for outcome in outcomes:
        if isinstance(outcome, Settled):
            verify(witness, outcome.event)
            apply(witness, outcome.event)
    assert digest(witness) == digest(table)


@given(SEEDS)
def test_what_is_legal_is_accepted_and_nothing_else(seed: int) -> None:
    """`legal_actions` against the Referee, on a table where all hands are free."""
    rng = Random(seed)
    played = unruly.play_unruly(rng, unruly.random_setting(rng), 60)
    table = unruly.replay(played.setting, played.events)
    later = max([table.t, *table.free])
    stall = law.stall_at(table)
    if table.ended or law.demanded(table) or (stall is not None and later + 250 >= stall):
        return
    for seat in range(table.seats):
        legal = set(map(repr, legal_actions(table, seat)))
        for action in unruly.possible_actions(table, seat):
            court = Referee(table.copy())
            outcomes = court.offer(later, action) + court.settle(later + 200)
            happened = unruly.did_happen(outcomes, action)
            assert happened is (repr(unruly.plainly(table, action)) in legal), action


@given(SEEDS)
def test_no_refusal_is_unjust(seed: int) -> None:
    """Where nothing else waits, what is refused could not have been any fact at all."""
    rng = Random(seed)
    setting = unruly.random_setting(rng)
    referee = Referee(setting.table())
    t = 0
    for _ in range(100):
        t += unruly.random_gap(rng, setting.rules)
        referee.settle(t)
        if referee.table.ended:
            return
        before, waiting = referee.table.copy(), referee.waiting
        action = unruly.random_action(rng, referee)
        outcomes = referee.offer(t, action)
        if not waiting and any(isinstance(outcome, Refusal) for outcome in outcomes):
            for event in unruly.facts_of(before, t, action):
                with pytest.raises(Fault):
                    verify(before, event)
