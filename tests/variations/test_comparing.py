"""A branch beside what happened."""

from __future__ import annotations

from games.engine.actions import Try
from games.engine.events import Draw, Event, Play, Tie
from replays.variations.compare import Movement, compare, timings
from replays.variations.lines import MatchLines, Place
from replays.variations.what_if import WhatIf
from tests.variations.branches import MATCH, SMALL, small


def test_what_happened_beside_what_happens_instead() -> None:
    known = MatchLines.of(SMALL)
    place = Place(1, 7)
    what_if = small(7)
    what_if.act(1_130, Try(0, "A5a", 0))
    what_if.act(1_150, Try(1, "B3a", 0))
    what_if.finish()
    sides = compare(known, place, what_if.events)
    assert sides.since == 1_000
    assert sides.happened.end == "out"
    assert sides.instead.end is None
    assert sides.happened.at(1_100).taken == (5, 0)
    assert sides.instead.at(1_130).taken == (0, 0)
    assert sides.happened.at(999) == sides.happened.standings[0] == sides.instead.standings[0]
    assert sides.happened.standings[-1].scores == (5, -2)
    before, after = (side.standings[-1].scores for side in (sides.happened, sides.instead))
    assert sides.gained == (after[0] - before[0], after[1] - before[1])


def test_each_card_is_once_somewhere_on_both_sides() -> None:
    known = MatchLines.of(MATCH)
    what_if = WhatIf(known, Place(1, 60))
    what_if.play_on(seed=3)
    sides = compare(known, what_if.place, what_if.events)
    cards = sum(map(len, known.timeline.rounds[0].deal.decks))
    for side in (sides.happened, sides.instead):
        for standing in side.standings:
            assert (
                sum(map(sum, (standing.taken, standing.left, standing.hand, standing.middle)))
                == cards
            )


def test_a_seats_times_stand_beside_the_originals() -> None:
    old: list[Event] = [
        Play(100, 0, "A1a", 0),
        Draw(300, 0, "A2a"),
        Tie(400, 0, ("B1a", "A2a"), (0, 10)),
    ]
    new: list[Event] = [
        Draw(90, 1, "B2a"),
        Play(160, 0, "A1a", 0),
        Draw(280, 0, "A2a"),
        Draw(500, 0, "A3a"),
    ]
    assert timings(0, old, new) == [
        Movement("play", "A1a", 100, 160),
        Movement("draw", "A2a", 300, 280),
        Movement("tie", "A2a", 410, None),
        Movement("draw", "A3a", None, 500),
    ]
