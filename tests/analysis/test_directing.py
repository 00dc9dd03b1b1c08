"""What a screen shows that nobody attends to."""

from __future__ import annotations

import pytest

from replays.analysis.directing import (
    AFTER_MS,
    DELAY_MS,
    RUN_UP_MS,
    SHOT_MS,
    Scene,
    Swing,
    choose,
    swings,
)
from replays.analysis.winning.series import CLOCK, PLAY, TAKE, Point


def scene(table: str, *ahead: tuple[int, float]) -> Scene:
    """A match with takes, each so many ms ahead."""
    return Scene(table, [Swing(ms, 0, size) for ms, size in ahead])


CALM, TENSE = scene("calm", (4_000, 0.02)), scene("tense", (3_000, 0.1), (8_000, 0.2))


def shown(*scenes: Scene, on: str, ms: int = SHOT_MS) -> str:
    chosen = choose(scenes, on, ms)
    return chosen.table if chosen else ""


def test_it_goes_where_most_is_about_to_change() -> None:
    assert shown(CALM, TENSE, on="calm") == "tense"
    assert shown(CALM, TENSE, on="") == "tense"
    assert shown(CALM, TENSE, on="over") == "tense"
    assert shown(on="over") == ""


def test_it_stays_for_a_while_and_where_another_match_is_hardly_better() -> None:
    assert shown(CALM, TENSE, on="calm", ms=SHOT_MS - 1) == "calm"
    assert shown(scene("calm", (9_000, 0.29)), TENSE, on="calm") == "calm"


@pytest.mark.parametrize("ahead", [RUN_UP_MS, 0, -AFTER_MS])
def test_it_never_leaves_in_the_middle_of_a_take(ahead: int) -> None:
    assert shown(scene("taking", (ahead, 0.03)), TENSE, on="taking") == "taking"
    assert shown(scene("small", (ahead, 0.01)), TENSE, on="small") == "tense"


def test_what_has_been_shown_is_no_longer_at_stake() -> None:
    assert scene("past", (0, 0.5), (-1, 0.5)).stake == 0
    assert scene("past", (0, 0.5)).seat is None


def test_swings_are_takes_at_the_screen_s_own_time() -> None:
    points = [
        Point(7, 1, 20_000, CLOCK, (), (0.5, 0.5)),
        Point(8, 1, 21_000, PLAY, (0,), (0.4, 0.6)),
        Point(9, 1, 22_000, TAKE, (1,), (0.1, 0.9)),
        Point(12, 1, 25_000, CLOCK, (), (0.2, 0.8)),
    ]
    (swing,) = swings(points, idle_ms=500)
    assert (swing.ahead_ms, swing.seat) == (DELAY_MS - 3_000 - 500, 1)
    assert swing.size == pytest.approx(0.3)
