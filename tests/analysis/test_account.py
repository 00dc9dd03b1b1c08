"""Where scores came from, as docs/reference/measures.md defines it ("The account of a match")."""

import json
from math import sqrt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.events import Draw, End, Event, Late, Play
from replays.analysis.account import GONE_MS, READY_MS, Taken, accounts, contested, taken_stacks
from replays.analysis.measures import measures
from replays.analysis.windows import windows
from replays.timeline import Timeline
from replays.training.matches import POPULATIONS, lines, plan
from tests.analysis.rounds import a_round
from tests.replays.matches import MATCHES, timeline_of

EXPECTED: dict[str, list[dict[str, Any]]] = json.loads((MATCHES / "account.json").read_text())


def stacks(timeline: Timeline) -> list[Taken]:
    return taken_stacks(timeline, [windows(played) for played in timeline.rounds])


@pytest.mark.parametrize("name", EXPECTED)
def test_the_accounts_are_the_expected_ones(name: str) -> None:
    told = measures(timeline_of(name.removesuffix(".ratuki")))["match"]["account"]
    assert [list(seat) for seat in told] == [list(seat) for seat in EXPECTED[name]]
    for seat, expected in zip(told, EXPECTED[name], strict=True):
        assert seat == pytest.approx(expected, abs=1e-6)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(POPULATIONS), st.integers(0, 2**32))
def test_an_account_adds_up(population: str, seed: int) -> None:
    timeline = Timeline.of(lines(plan(population, seed, 0)))
    taken = stacks(timeline)
    seats = accounts(timeline, taken)
    for seat in seats:
        assert seat.score == seat.rivals + seat.alone + seat.wilds + seat.left
        assert 0 <= seat.won <= seat.could
    if not timeline.header.rules.floor_at_zero:
        assert all(seat.left <= 0 for seat in seats)
    assert sum(seat.rivals - seat.share for seat in seats) == pytest.approx(0, abs=1e-9)
    assert sum(seat.won for seat in seats) == len(contested(taken))
    assert [seat.score for seat in seats] == list(timeline.totals)


def a_race(*later: Event, ready: int = 2_100, late: int = 3_150) -> Timeline:
    """Bea has laid a 4 and draws a 5 at `ready`. Ann takes the seven cards at 3 s."""
    return a_round(
        Draw(ready, 1, "B5a"),
        Play(3_000, 0, "A5a", 0, takes=7),
        Late(late, 1, "B5a", 0, None, 0),
        *later,
        End(90_000, "stalled", (-1, -9), (-1, -9)),
    )


def test_a_stack_says_who_could_take_it_and_who_came_late() -> None:
    (stack,) = stacks(a_race())
    assert (stack.taker, stack.laid_by, stack.laid_at, stack.cards) == (0, 1, 2_000, 7)
    assert stack.could == (0, 1)
    assert stack.late == {1: 150}
    ann, bea = accounts(a_race(), [stack])
    assert (ann.rivals, ann.left, ann.could, ann.won) == (7, -8, 1, 1)
    assert (bea.rivals, bea.left, bea.could, bea.won) == (0, -9, 1, 0)
    assert (ann.share, ann.luck) == pytest.approx((3.5, sqrt(49 / 4)))


@pytest.mark.parametrize("ms", [READY_MS, READY_MS - 1])
def test_a_5_could_take_once_it_has_fitted_for_long_enough(ms: int) -> None:
    (stack,) = stacks(a_race(ready=3_000 - ms))
    assert (1 in stack.could) is (ms == READY_MS)


@pytest.mark.parametrize("gone", [GONE_MS, GONE_MS + 1])
def test_a_seat_that_left_is_no_rival(gone: int) -> None:
    """Bea draws the 5 and never moves again, and Ann plays on for a minute, or a little longer."""
    race = a_race(Play(2_100 + gone, 0, "A1a", 1))
    played = race.rounds[0]
    late = next(at for at, event in enumerate(played.events) if isinstance(event, Late))
    del played.events[late], played.seqs[late]
    (stack,) = stacks(race)
    assert (1 in stack.could) is (gone == GONE_MS)


def test_rounds_that_do_not_count_are_in_no_account() -> None:
    race = a_race()
    played = race.rounds[0]
    played.events[-1] = End(90_000, "abandoned", (0, 0), (0, 0))
    assert stacks(race) == []
    assert {seat.score for seat in accounts(race, [])} == {0}
    assert {seat.score for seat in accounts(a_round(), stacks(a_round()))} == {0}
