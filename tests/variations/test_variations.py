"""Variations and a branch beside what happened."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import scoring
from games.engine.actions import Action, DrawOne, Try
from games.engine.events import Deal, Draw, End, Event, Miss, Play, Tie
from games.engine.facts import Fault
from games.records.log import MAX_LINE_BYTES, Variation
from games.records.notation import write_line
from replays.timeline import Timeline
from replays.variations.compare import Movement, scores_after, timings
from replays.variations.lines import MatchLines, Place
from replays.variations.what_if import WhatIf
from replays.variations.writing import variations
from tests.engine.unruly import random_gap
from tests.records.matches import MATCHES, checked, lines, unruly
from tests.variations.branches import MATCH, NAMED, SMALL, any_action, keep, small, whole, why

# Whatever is made passes the checker


@given(st.integers(0, 2**32))
@settings(deadline=None)
def test_any_branches_of_branches_are_valid(seed: int) -> None:
    rng = Random(seed)
    played = unruly(seed, rng.choice([0, 10, 150]))
    known = MatchLines.of(played)
    made: list[Variation] = []
    for number in range(6):
        line = rng.choice([None, *(variation.id for variation in made)])
        place = Place(1, rng.randint(0, len(known.whole(Place(1, 0, line)))), line)
        if known.table(place).ended:
            continue
        what_if = WhatIf(known, place)
        for _ in range(rng.choice([1, 2, 20])):
            t = what_if.now + random_gap(rng, what_if.table.rules) - (rng.random() < 0.1)
            what_if.act(t, any_action(rng, what_if))
            if rng.random() < 0.05:
                what_if.play_on(rng.choice([0, 60, 2_000]), seed, rng.choice([None, [0]]))
        what_if.finish()
        assert not what_if.judge.waiting
        if what_if.events:
            made += keep(known, place, what_if.events, f"v{number}")
    assert checked(whole(played, *made)).events == len(known.timeline.rounds[0].events)


# By hand


def test_a_seat_plays_at_any_chosen_time() -> None:
    what_if = small(7)
    what_if.act(1_090, Try(0, "A5a", 0))
    assert what_if.events == []
    what_if.finish()
    assert what_if.events == [Play(1_090, 0, "A5a", 0, None, 5, 7)]


def test_two_tries_within_the_window_tie() -> None:
    what_if = small(7)
    what_if.act(1_130, Try(0, "A5a", 0))
    what_if.act(1_150, Try(1, "B3a", 0))
    what_if.finish()
    assert what_if.events == [Tie(1_130, 0, ("A5a", "B3a"), (0, 20), (7, 7))]


def test_a_refused_play_says_why_and_changes_nothing() -> None:
    what_if = small(7)
    tries: list[tuple[int, Action]] = [
        (999, DrawOne(1)),
        (1_010, DrawOne(1)),
        (1_130, DrawOne(0)),
        (1_130, Try(0, "A5b", 0)),
        (1_130, Try(0, "A5a", 7)),
        (40_000, DrawOne(1)),
    ]
    for t, action in tries:
        what_if.act(t, action)
    assert why(what_if) == [
        *("too-early", "one-hand", "hand-full", "not-in-hand", "no-such-slot", "stalled")
    ]
    assert what_if.refusals[1].wait_ms == 110
    assert "A5b is not in hand of seat 0" in str(what_if.refusals[3].message)
    assert what_if.events == []


def test_a_tie_that_is_decided_already_is_not_undone() -> None:
    what_if = small(7)  # right after B4a on a 3 at 1000
    what_if.act(1_020, Try(0, "A2a", 0))
    assert why(what_if) == ["tie-decided"]
    assert "event 7 at 1000" in str(what_if.refusals[0].message)
    earlier = small(6)
    earlier.act(1_060, Try(1, "B4a", 0))
    earlier.act(1_080, Try(0, "A4a", 0))
    earlier.finish()
    assert [type(event) for event in earlier.events] == [Tie]


def test_a_try_that_was_stale_before_could_not_have_tied() -> None:
    known = MatchLines.of(SMALL)
    first = WhatIf(known, Place(1, 1))  # right after seat 0 started slot 0
    first.act(620, Try(0, "A2a", 0))
    first.finish()
    keep(known, Place(1, 1), first.events, "second")
    for seen, outcome in ((1, []), (0, [Miss])):
        what_if = WhatIf(known, Place(1, 2, "second"))
        what_if.act(640, Try(1, "B2a", 0, seen=seen))
        what_if.finish()
        assert [type(event) for event in what_if.events] == outcome
        assert why(what_if) == ([] if outcome else ["tie-decided"])


def test_after_the_end_nothing_branches_off() -> None:
    with pytest.raises(Fault, match="round 1 has ended at event 17"):
        small(17)
    over = WhatIf(MatchLines.of(SMALL), Place(1, 16))
    assert [type(event) for event in over.events] == [End]
    over.act(1_700, DrawOne(0))
    assert why(over) == ["round-over"]


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (Place(2, 0), "round: expected one of the 1 played, found 2"),
        (Place(0, 0), "round: expected one of the 1 played, found 0"),
        (Place(1, 18), "event: expected 0 to 17, found 18"),
        (Place(1, -1), "event: expected 0 to 17, found −1"),
        (Place(1, 0, "nil"), "line: round 1 has no variation nil"),
        (Place(1, 10, "v"), "event: expected 0 to 9, found 10"),
    ],
)
def test_positions_that_do_not_exist(place: Place, words: str) -> None:
    with pytest.raises(Fault, match=words):
        WhatIf(MatchLines.of(SMALL), place)


def test_a_branch_goes_along_the_line_that_it_is_on() -> None:
    known = MatchLines.of(SMALL)
    mainline = known.whole(Place(1, 0))
    assert known.events(Place(1, 3, "x")) == mainline[:3]
    assert known.whole(Place(1, 0, "w"))[:7] == mainline[:7]
    assert known.events(Place(1, 10, "x"))[8:] == known.whole(Place(1, 0, "w"))[8:10]
    assert [known.depth(line) for line in (None, "v", "w", "x")] == [0, 1, 2, 3]


def test_of_a_long_match_the_last_rounds_are_enough() -> None:
    record = lines(MATCHES / "valid-full-match-3.ratuki")
    third = next(n for n, line in enumerate(record) if isinstance(line, Deal) and line.round == 3)
    some, all_of = MatchLines.of([record[0], *record[third:]]), MatchLines.of(record)
    place = Place(4, 100)
    assert str(some.table(place)) == str(all_of.table(place))
    made = Variation(4, 100, None, "", tuple(all_of.whole(place)[100:]), "v")
    some.add(made)
    assert some.whole(Place(4, 0, "v")) == all_of.whole(place)
    with pytest.raises(Fault, match="round: expected one of the 4 played, found 1"):
        WhatIf(some, Place(1, 0))


def test_branches_lie_sixteen_deep_at_most() -> None:
    known = MatchLines(Timeline.of(SMALL))
    line = None
    for depth in range(16):
        what_if = WhatIf(known, Place(1, 2, line))
        what_if.act(1_500 + depth, Try(1, "B1a", 1))
        what_if.finish()
        (made,) = keep(known, what_if.place, what_if.events, f"v{depth}")
        line = made.id
    with pytest.raises(Fault, match="at most 16 deep"):
        WhatIf(known, Place(1, 2, line))


def test_anyones_variations_are_judged() -> None:
    known = MatchLines(Timeline.of(SMALL))
    with pytest.raises(Fault, match="variation, event 1: B1a is not in hand of seat 0"):
        known.add(Variation(1, 7, None, "", (Play(1_200, 0, "B1a", 1),), "a"))
    known.add(Variation(1, 7, None, "", (Draw(1_200, 1, "B5a"),), "a"))
    with pytest.raises(Fault, match="id: not unique"):
        known.add(Variation(1, 7, None, "", (Draw(1_200, 1, "B5a"),), "a"))


# Bots


def test_bots_play_on_to_the_end_or_for_a_while() -> None:
    known = MatchLines.of(MATCH)
    short = WhatIf(known, Place(1, 100))
    short.play_on(3_000, seed=1)
    assert short.events
    assert short.events[-1].t <= short.now
    assert not short.table.ended
    longer = WhatIf(known, Place(1, 100))
    longer.play_on(seed=1)
    assert isinstance(longer.events[-1], End)
    assert longer.now == longer.events[-1].t
    longer.wait(longer.now + 1)
    longer.act(longer.now, DrawOne(0))
    assert why(longer)[-1] == "round-over"
    again = WhatIf(known, Place(1, 100))
    again.play_on(seed=1)
    assert again.events == longer.events


def test_only_the_seats_that_are_asked_for_play() -> None:
    what_if = WhatIf(MatchLines.of(MATCH), Place(1, 100))
    what_if.play_on(10_000, seats=[1])
    assert {event.seat for event in what_if.events if not isinstance(event, Tie | End)} == {1}


def test_a_branch_longer_than_a_line_is_several() -> None:
    known = MatchLines.of(MATCH)
    what_if = WhatIf(known, Place(1, 0))
    what_if.play_on(seed=2)
    events = what_if.events
    remark = NAMED._replace(text="\x00" * 4_000)
    words = len(write_line(remark._replace(events=(events[0],))).encode())
    assert words > 20_000
    made = variations(known, what_if.place, events, remark)
    more = [*events[:-1]] * (1 + 2 * MAX_LINE_BYTES // sum(len(write_line(e)) for e in events))
    parts = variations(known, what_if.place, more, remark)
    assert len(parts) > len(made)
    assert all(len(write_line(part).encode()) <= MAX_LINE_BYTES for part in parts)
    assert [event for part in parts for event in part.events] == more
    for before, part in pairwise(parts):
        assert (part.line, part.event) == (before.id, before.event + len(before.events))
    with pytest.raises(Fault, match="must have one"):
        variations(known, what_if.place, more, remark._replace(id=None))
    with pytest.raises(Fault, match="at most 16 deep"):
        variations(known, what_if.place, more * 9, remark)


def test_tempo_is_measured_up_to_the_place_and_without_variations() -> None:
    known = MatchLines.of(MATCH)
    what_if = WhatIf(known, Place(1, 100))
    what_if.play_on(ms=20_000)
    keep(known, what_if.place, what_if.events, "v")
    at = known.players(Place(1, 100)).tempos
    assert known.players(Place(1, 110, "v")).tempos == at
    assert known.players(Place(1, 60, "v")).tempos == known.players(Place(1, 60)).tempos != at
    longer = MatchLines.of(lines(MATCHES / "valid-full-match-3.ratuki"))
    first = MatchLines(Timeline.of(lines(MATCHES / "valid-full-match-3.ratuki")[:200]))
    assert longer.players(Place(1, 150)).tempos == first.players(Place(1, 150)).tempos
    assert (
        longer.players(Place(2, 0)).tempos != longer.players(Place(1, 0)).tempos == (1.0, 1.0, 1.0)
    )


def test_a_branch_has_scores_beside_those_of_the_match() -> None:
    place = Place(1, 7)
    known, what_if = MatchLines.of(SMALL), small(7)
    what_if.act(1_130, Try(0, "A5a", 0))
    what_if.act(1_150, Try(1, "B3a", 0))
    what_if.finish()
    rest = known.whole(place)[7:]
    assert scores_after(known.table(place), rest) == (5, -2)
    assert scores_after(known.table(place), []) == scoring.round_scores(known.table(place))
    assert scores_after(known.table(place), what_if.events) == scoring.round_scores(what_if.table)


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
