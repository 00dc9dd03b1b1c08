"""Habits: what is counted of them, and that only those are told that predict."""

from __future__ import annotations

from random import Random

import pytest

from games.engine.cards import FACE
from games.engine.events import Late, Play, Tie
from replays.analysis.careers.alike import most_like, rates
from replays.analysis.careers.habits import (
    FOURS,
    PLAYS,
    TAKES,
    WILDS,
    WORDS,
    Habit,
    Habits,
    habits,
    told,
)
from replays.analysis.lag import lags
from replays.timeline import Timeline
from replays.training.matches import lines, plan

USUAL: Habits = {kind: Habit(10_000, 10_000_000) for kind in WORDS}


def matches(count: int, seed: int = 1, **pace: float) -> list[dict[str, Habit]]:
    """Of a player who tries a thing so many times a second, of whom chance decides the rest."""
    randomness = Random(seed)
    return [
        {kind: Habit(round(randomness.gauss(30 * pace.get(kind, 1), 3)), 30_000) for kind in WORDS}
        for _ in range(count)
    ]


def test_every_try_counts_and_time_in_which_it_was_possible() -> None:
    timeline = Timeline.of(lines(plan("roster", 11, 0)))
    by_seat = habits(timeline, lags(timeline))
    events = [event for played in timeline.rounds for event in played.events]
    tried = [event.card for event in events if isinstance(event, Play | Late)]
    tried += [card for event in events if isinstance(event, Tie) for card in event.cards]
    for kind, faces in ((TAKES, {5}), (FOURS, {4}), (WILDS, {6}), (PLAYS, {1, 2, 3})):
        assert sum(own[kind].times for own in by_seat) == sum(FACE[card] in faces for card in tried)
    whole = sum(played.duration_ms for played in timeline.rounds)
    for own in by_seat:
        assert all(0 <= own[kind].ms <= whole for kind in (TAKES, FOURS, PLAYS))
        assert own[WILDS].ms <= 3 * whole


def test_a_habit_is_told_in_words_once_it_predicts() -> None:
    assert told(matches(4, takes=2), USUAL) == [], "too few matches"
    (takes,) = told(matches(8, takes=2), USUAL)
    assert takes.kind == TAKES
    assert takes.gain > 0
    assert takes.words.startswith("takes after 5")
    assert takes.evidence == "usual: 1.0 s"
    (keeps,) = told(matches(8, fours=0.3), USUAL)
    assert "starves others" in keeps.words


def test_nothing_is_told_of_who_plays_as_all_do_or_now_so_and_now_so() -> None:
    assert sum(bool(told(matches(6, seed), USUAL)) for seed in range(200)) <= 10
    changing = [match for pace in (0.5, 2, 0.5, 2, 0.5, 2) for match in matches(1, 3, wilds=pace)]
    assert told(changing, USUAL) == []
    never = [{kind: Habit(0, 0) for kind in WORDS}] * 6
    assert told(never, USUAL) == []


@pytest.mark.parametrize("bot", ["starver:1", "builder:5", "taker:3"])
def test_the_bot_that_plays_alike_is_found_by_its_own_rates(bot: str) -> None:
    own = {kind: Habit(round(rate * 1_000_000), 1_000_000) for kind, rate in rates()[bot].items()}
    assert most_like([own]) == bot
    assert len(rates()) == 25
    assert all(rate > 0 for by_kind in rates().values() for rate in by_kind.values())
