"""Why a chance to win changed: the split adds up, and what may be said of it."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.events import Event
from games.records.log import Header
from replays.analysis.winning.inputs import spectator
from replays.analysis.winning.network import model
from replays.analysis.winning.parts import causes, equals, named, parts, quickness
from replays.analysis.winning.position import Position
from replays.training.matches import POPULATIONS, lines, plan


@cache
def positions(population: str, seed: int) -> list[Position]:
    """Those of a match, every few lines."""
    header, *log = lines(plan(population, seed, 0))
    assert isinstance(header, Header)
    position, found = Position(header), list[Position]()
    for number, line in enumerate(log):
        position.read(line)
        if number % 25 == 0 and isinstance(line, Event):
            position.learn()
            found.append(position.copy())
    return found


def judged(position: Position) -> list[float]:
    return model("spectator").probabilities(spectator(position))


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(POPULATIONS), st.integers(0, 4), st.data())
def test_the_parts_add_up(population: str, seed: int, data: st.DataObject) -> None:
    known = positions(population, seed)
    before, after = (data.draw(st.sampled_from(known)) for _ in range(2))
    seat = data.draw(st.integers(0, before.seats - 1))
    found = parts(before, after, seat)
    change = judged(after)[seat] - judged(before)[seat]
    assert sum(found.values()) == pytest.approx(change, abs=1e-12)
    backwards = parts(after, before, seat)
    assert backwards == pytest.approx({name: -part for name, part in found.items()}, abs=1e-12)
    whole = [parts(before, after, each) for each in range(before.seats)]
    for name in found:
        assert sum(part[name] for part in whole) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("population", POPULATIONS)
def test_equals_all_have_the_same_chance(population: str) -> None:
    position = positions(population, 0)[-1]
    start = equals(position)
    assert judged(start) == pytest.approx([1 / start.seats] * start.seats)
    assert ("strength" in parts(start, position, 0)) == bool(position.strengths)


def test_what_did_not_change_has_no_part() -> None:
    before = positions("stranger", 0)[3]
    after = before.copy()
    after.takers = [0, *before.takers[1:]]
    found = parts(before, after, 0)
    assert found.pop("fives") < 0
    assert set(found.values()) == {0}


PARTS = {"cards": 0.1, "fives": -0.04, "pace": 0.3, "taking": 0.0, "time": 0.02}


def test_a_pace_is_said_only_if_it_is_clear_and_the_same_way() -> None:
    assert next(iter(named(PARTS, 2.5))) == "pace"
    assert "pace" not in named(PARTS, 1.9)
    assert "pace" not in named(PARTS, -2.5)
    position = positions("stranger", 0)[-1]
    most = max(range(position.seats), key=position.habits.moves.__getitem__)
    assert quickness(position, most) > 0
    assert quickness(equals(position), most) == 0


def test_a_cause_is_most_of_a_change() -> None:
    assert causes(PARTS, 0.38, 3) == {"pace": 0.3}
    assert causes({**PARTS, "pace": 0.0}, 0.08, 0) == {"cards": 0.1}
    assert causes({**PARTS, "cards": 0.06, "fives": 0.05}, 0.2, 0) == {"cards": 0.06, "fives": 0.05}
    assert causes(PARTS, 0.38, 0) == {}, "most of it would be the pace, which is not clear"
