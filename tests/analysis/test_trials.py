"""A try made differently: judged by the referee, and what rollouts make of it."""

from __future__ import annotations

import json
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.actions import Refusal
from games.engine.cards import OWNER
from games.engine.events import Event, Late, Miss, Play, Tie
from games.engine.facts import Fault
from replays.analysis.lag import lags
from replays.analysis.race_cards import LATE, race_cards
from replays.analysis.trials import Batch, Tallies, Tally, Trial, summary
from replays.timeline import Timeline
from replays.training.matches import lines, plan
from replays.variations.alternative import Alternative, Change, TryAt, other_cards
from replays.variations.lines import MatchLines

seeds = st.integers(0, 2**32)


@cache
def match(seed: int) -> MatchLines:
    return MatchLines(Timeline.of(lines(plan("roster", seed, 0))))


def tries(known: MatchLines) -> list[tuple[TryAt, Event]]:
    """The tries of the first round."""
    tried: list[tuple[TryAt, Event]] = []
    for number, event in enumerate(known.timeline.rounds[0].events, 1):
        if isinstance(event, Tie):
            tried += [(TryAt(1, number, OWNER[card]), event) for card in event.cards]
        elif isinstance(event, Play | Late | Miss):
            tried.append((TryAt(1, number, event.seat), event))
    return tried


@settings(max_examples=4, deadline=None)
@given(seeds)
def test_an_unchanged_try_has_its_outcome(seed: int) -> None:
    known = match(seed)
    measured = lags(known.timeline)
    for where, event in tries(known):
        assert Alternative(known, where, Change(), measured).outcome() == event


@settings(max_examples=4, deadline=None)
@given(seeds)
def test_flip_times_are_what_the_referee_makes_of_them(seed: int) -> None:
    known = match(seed)
    played = known.timeline.rounds[0]
    for race in race_cards(played, lags(known.timeline)):
        if race.flip_ms is None:
            continue
        mover = race.attempts[1 if race.kind == LATE else 0].seat
        where = TryAt(1, played.seqs.index(race.seq) + 1, mover)
        almost = Alternative(known, where, Change(1 - race.flip_ms)).outcome()
        flipped = Alternative(known, where, Change(-race.flip_ms)).outcome()
        late = race.kind == LATE
        assert isinstance(almost, Late if late else Tie)
        ties = late and known.timeline.header.rules.tie_window_ms > 0
        assert isinstance(flipped, Tie if ties else Play)


def first_take(known: MatchLines, cards: int = 6) -> tuple[TryAt, Play]:
    return next(
        (where, event)
        for where, event in tries(known)
        if isinstance(event, Play) and (event.takes or 0) >= cards
    )


def test_batches_add_up_to_the_same_rollouts() -> None:
    known = match(5)
    trial = Trial(known, first_take(known)[0], Change(skipped=True))
    whole = trial.run(Batch(0, 6, seed=3))
    parts = trial.run(Batch(0, 2, seed=3)) + trial.run(Batch(2, 4, seed=3))
    for tally, other in zip(whole, parts, strict=True):
        assert tally.rollouts == other.rollouts == 6
        assert tally.points == other.points
        assert tally.wins == pytest.approx(other.wins)
        assert Tally.of_json(json.loads(json.dumps(tally.as_json()))).points == tally.points
        assert sum(tally.wins) == pytest.approx(6)
        assert sum(tally.best) == pytest.approx(6)


def test_a_take_not_made_costs_points_and_says_so() -> None:
    known = match(5)
    where, take = first_take(known, 8)
    trial = Trial(known, where, Change(skipped=True))
    told = summary(trial, trial.run(Batch(0, 60)))
    was, now = (estimate["mean"] for estimate in told["seats"][take.seat]["points"])
    assert now < was
    assert "would not play then" in told["outcome"]
    assert known.timeline.names[take.seat] in told["text"]


def test_below_two_standard_errors_there_is_no_clear_difference() -> None:
    known = match(5)
    trial = Trial(known, first_take(known)[0], Change(50))
    close, apart = Tallies(Tally(4), Tally(4)), Tallies(Tally(4), Tally(4))
    for number in range(40):
        for tallies, gain in ((close, 0.01), (apart, 0.3)):
            p = 0.3 + 0.1 * (number % 2)
            tallies.as_played.add((1, 2, 3, 4), [p, 0, 0, 1 - p])
            tallies.instead.add((1, 2, 3, 4), [p + gain, 0, 0, 1 - p - gain])
    assert {seat["clear"] for seat in summary(trial, close)["seats"]} == {False}
    seats = summary(trial, apart)["seats"]
    assert [seat["clear"] for seat in seats] == [True, False, False, True]
    assert seats[0]["difference"] == pytest.approx(0.3)


def test_another_card_is_judged_like_a_try_with_it() -> None:
    known = match(5)
    where, others = next(
        (where, cards)
        for where, event in tries(known)
        if isinstance(event, Play) and (cards := other_cards(known, where))
    )
    card, slot = others[0]
    outcome = Alternative(known, where, Change(card=card, stack=slot)).outcome()
    assert isinstance(outcome, Play | Tie)
    hidden = known.timeline.rounds[0].deal.decks[where.seat][-1]
    refused = Alternative(known, where, Change(card=hidden)).outcome()
    assert isinstance(refused, Refusal)


def test_only_a_try_can_be_changed() -> None:
    known = match(5)
    where, _ = tries(known)[0]
    for wrong in (where._replace(seat=3 - where.seat), where._replace(event=0), TryAt(99, 1, 0)):
        with pytest.raises(Fault):
            Alternative(known, wrong, Change())
    with pytest.raises(Fault, match="ms"):
        Alternative(known, where, Change(-5_000))
