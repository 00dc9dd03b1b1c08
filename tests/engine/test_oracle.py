"""`facts.verify` against the oracle: they must agree about every event, true or false."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.events import Deal, End, Event
from games.engine.facts import Fault, verify
from games.engine.table import Table, apply
from games.records.log import Header
from tests.engine import oracle, random_events, unruly
from tests.engine.history import Game
from tests.engine.unruly import Setting
from tests.narrowing import narrow
from tests.records.matches import VALID, lines, rounds

SEEDS = st.integers(0, 2**32)
LONGEST = 800
"""So many events of a round are held against the oracle, which goes through all before each."""


def verified(setting: Setting, events: Sequence[Event]) -> int | None:
    """The index of the first event that `verify` does not accept."""
    table = setting.table()
    for index, event in enumerate(events):
        if not verifies(table, event):
            return index
        apply(table, event)
    return None


def verifies(table: Table, event: Event) -> bool:
    try:
        verify(table, event)
    except Fault:
        return False
    return True


@given(SEEDS)
def test_they_agree_on_the_referees_facts(seed: int) -> None:
    """Both accept whatever unruly seats bring the Referee to."""
    rng = Random(seed)
    played = unruly.play_unruly(rng, unruly.random_setting(rng), 60)
    assert verified(played.setting, played.events) is None
    assert oracle.first_fault(played.setting, played.events) is None


@given(SEEDS)
def test_they_agree_on_the_first_fault_of_a_log_with_one_change(seed: int) -> None:
    """A time, a field, a line, a kind is changed: the same first fault, or none in both."""
    rng = Random(seed)
    played = unruly.play_unruly(rng, unruly.random_setting(rng), 60)
    if not played.events:
        return
    for _ in range(6):
        log, changed = random_events.mutated(rng, played.events)
        log = log[: changed + 25]
        fault = oracle.first_fault(played.setting, log, start=min(changed, len(log)))
        assert verified(played.setting, log) == (fault and fault[0]), fault


@given(SEEDS)
def test_they_agree_on_whatever_comes_next(seed: int) -> None:
    """From the deal on, events that might be true are offered to both; the true ones happen.

    This goes where no Referee goes: lines without `seen`, late tries that say little.
    """
    rng = Random(seed)
    setting = unruly.random_setting(rng)
    table = setting.table()
    past: list[Event] = []
    for _ in range(120):
        event = random_events.random_event(rng, table)
        why = oracle.fault(setting, past, event)
        accepted = verifies(table, event)
        assert accepted is (why is None), (event, why)
        if accepted and (not isinstance(event, End) or rng.random() < 0.3):
            apply(table, event)
            past.append(event)


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.stem)
def test_the_oracle_accepts_every_recorded_match(path: Path) -> None:
    """A round at a time, as the file gives them."""
    header = narrow(Header, lines(path)[0])
    totals = (0,) * len(header.seats)
    beginners = tuple(seat for seat, who in enumerate(header.seats) if who.beginner)
    for deal, *rest in rounds(path):
        events = [line for line in rest if isinstance(line, Event)]
        game = Game(header.rules, len(header.seats), narrow(Deal, deal), beginners, totals)
        assert oracle.first_fault(game, events[:LONGEST]) is None
        if events and isinstance(events[-1], End):
            totals = events[-1].totals
