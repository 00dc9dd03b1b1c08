"""One round in detail: nothing is counted twice, and nothing grows without end."""

from __future__ import annotations

import json
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.cards import deck_of
from games.engine.editions import house_rules
from games.engine.events import Deal, Discard, Draw
from games.records.log import Header, Seat
from replays.analysis.chances import chances
from replays.analysis.lag import lags
from replays.analysis.missed_takes import missed_takes, separate_moments
from replays.analysis.round_chances import covered
from replays.analysis.round_report import MOST, round_report
from replays.analysis.windows import windows
from replays.timeline import Timeline
from replays.training.matches import lines, plan


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 2**32))
def test_each_hand_is_in_one_state_at_a_time(seed: int) -> None:
    timeline = Timeline.of(lines(plan("roster", seed, 0)))
    played, known = timeline.rounds[0], lags(timeline)
    told = round_report(played, known)
    open_windows = windows(played)
    for seat, hand in enumerate(told["hands"]):
        spans = hand["spans"]
        assert all(span[1] <= other[0] for span, other in pairwise(spans))
        whole = covered(
            (window.since, window.until) for window in open_windows if window.seat == seat
        )
        assert hand["unseen_ms"] + hand["busy_ms"] + hand["free_ms"] == whole
        longest = max(
            chance.free_ms for chance in chances(played, known) if chance.window.seat == seat
        )
        assert hand["free_ms"] >= longest
    missed = missed_takes(open_windows)
    assert len([chance for chance in told["chances"] if chance["missed"]]) == len(missed)
    counts = [hand["missed_takes"] for hand in told["hands"]]
    assert counts == [
        len(set(separate_moments([window for window in missed if window.seat == seat])))
        for seat in range(len(counts))
    ]


def test_every_card_begins_in_its_deck_and_ends_somewhere() -> None:
    timeline = Timeline.of(lines(plan("roster", 2, 0)))
    played = timeline.rounds[0]
    lives = round_report(played, lags(timeline))["lives"]
    assert sorted(lives) == sorted(card for deck in played.deal.decks for card in deck)
    for stages in lives.values():
        assert stages[0][2] in {"deck", "hand"}
        assert [stage[1] for stage in stages] == sorted(stage[1] for stage in stages)
    taken = sum(stages[-1][2] == "taken" for stages in lives.values())
    assert taken == sum(getattr(event, "takes", None) or 0 for event in played.events)


def test_a_round_of_endless_discards_is_cut() -> None:
    rules = house_rules("usaopoly-2009", {"one_hand_ms": 0, "tie_window_ms": 0, "stall_ms": 0})
    decks = tuple(tuple(deck_of(seat, rules.deck)) for seat in range(2))
    timeline = Timeline(Header("endless", "usaopoly-2009", rules, (Seat("A", "human"),) * 2))
    timeline.add(Deal(1, decks))
    piles = [list(deck[3:]) for deck in decks]
    hands = [list(deck[:3]) for deck in decks]
    aside: list[list[str]] = [[], []]
    for number in range(3_000):
        seat = number % 2
        card = hands[seat].pop(0)
        timeline.add(Discard(number * 2, seat, card))
        aside[seat].insert(0, card)
        if not piles[seat]:
            piles[seat], aside[seat] = aside[seat], []
        hands[seat].append(piles[seat].pop(0))
        timeline.add(Draw(number * 2 + 1, seat, hands[seat][-1]))
        if not piles[seat]:
            piles[seat], aside[seat] = aside[seat], []
    told = round_report(timeline.rounds[0], [None, None])
    assert len(told["chances"]) <= MOST
    assert len(json.dumps(told)) < 1_000_000
