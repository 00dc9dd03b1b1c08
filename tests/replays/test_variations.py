"""What is made of a position by hand, by bots or against ghosts is always a true branch of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import count, pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.bots.rollout import Start
from games.bots.roster import mixed
from games.bots.simulate import Setting
from games.bots.simulate import lines as simulated
from games.engine.actions import DrawOne, Try
from games.engine.editions import EDITIONS, house_rules
from games.engine.events import Deal, Discard, Draw, End, Event, Late, Play, Tie
from games.engine.facts import Fault
from games.records.adding import with_remarks
from games.records.log import MAX_LINE_BYTES, Header, Line, Note, Remark, Seat, Variation
from games.records.notation import write_line
from replays.timeline import Timeline
from replays.variations.compare import Timing, compare, timings
from replays.variations.ghosts import Shown, asked_in
from replays.variations.lines import Lines, Place
from replays.variations.race import Race
from replays.variations.what_if import WhatIf
from replays.variations.writing import variations
from tests.engine.unruly import random_action, random_gap
from tests.records.matches import MATCHES, checked, lines, record, unruly

NAMED = Variation(1, 0, "Kim", "What if?", (), "w", None, None, ("plan",))
MATCH = lines(MATCHES / "valid-usaopoly-2009-3.ratuki")
SMALL = lines(MATCHES / "valid-v2-branches.ratuki")


def keep(known: Lines, place: Place, events: Sequence[Event], name: str) -> list[Variation]:
    """Keep a branch among the lines that are known; it is judged again on the way in."""
    made = variations(known, place, events, NAMED._replace(id=name))
    for variation in made:
        known.add(variation)
    return made


def whole(played: Sequence[Line], *made: Remark) -> bytes:
    return record(*with_remarks([line for line in played if not isinstance(line, Note)], made))


# Whatever is made passes the checker


@given(st.integers(0, 2**32))
@settings(deadline=None)
def test_branches_of_branches_made_anyhow_are_true(seed: int) -> None:
    rng = Random(seed)
    played = unruly(seed, rng.choice([0, 10, 150]))
    known, made = Lines.of(played), []
    for number in range(6):
        line = rng.choice([None, *(one.id for one in made)])
        place = Place(1, rng.randint(0, len(known.whole(Place(1, 0, line)))), line)
        if known.table(place).ended:
            continue
        what_if = WhatIf(known, place)
        for _ in range(rng.choice([1, 2, 20])):
            t = what_if.now + random_gap(rng, what_if.table.rules) - (rng.random() < 0.1)
            what_if.act(t, _any_action(rng, what_if))
            if rng.random() < 0.05:
                what_if.play_on(rng.choice([0, 60, 2_000]), seed, rng.choice([None, [0]]))
        what_if.finish()
        assert not what_if.judge.waiting
        if what_if.events:
            made += keep(known, place, what_if.events, f"v{number}")
    assert checked(whole(played, *made)).events == len(known.timeline.rounds[0].events)


def _any_action(rng: Random, what_if: WhatIf) -> Any:
    action = random_action(rng, what_if.judge)  # type: ignore[arg-type]  # asks for table, waiting
    return action._replace(seen=None) if isinstance(action, Try) else action


@given(st.integers(0, 2**32))
@settings(deadline=None, max_examples=60)
def test_races_of_anybody_are_true(seed: int) -> None:
    rng = Random(seed)
    played = unruly(seed, 200)
    known = Lines.of(played)
    place = Place(1, rng.randint(0, len(known.timeline.rounds[0].events)))
    assume(not known.table(place).ended)
    seat = rng.randrange(known.table(place).seats)
    race = Race(known, place, seat, seed)
    for _ in range(rng.choice([0, 5, 40])):
        race.step(race.now + rng.choice([0, 20, 200]))
        action = random_action(rng, race.what_if.judge)  # type: ignore[arg-type]
        race.act(race.now + random_gap(rng, race.what_if.table.rules), action)
    race.step(race.now + 5_000)
    race.what_if.finish()
    if race.what_if.events:
        made = keep(known, place, race.what_if.events, "race")
        checked(whole(played, *made))


# By hand


def small(event: int, line: str | None = None) -> WhatIf:
    return WhatIf(Lines.of(SMALL), Place(1, event, line))


def why(what_if: WhatIf) -> list[str]:
    return [refusal.rule for refusal in what_if.refusals]


def test_a_seat_plays_at_a_time_of_ones_choice() -> None:
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
    for t, action in [
        (999, DrawOne(1)),
        (1_010, DrawOne(1)),
        (1_130, DrawOne(0)),
        (1_130, Try(0, "A5b", 0)),
        (1_130, Try(0, "A5a", 7)),
        (40_000, DrawOne(1)),
    ]:
        what_if.act(t, action)
    assert why(what_if) == [
        *("too-early", "one-hand", "hand-full", "not-in-hand", "no-such-slot", "stalled"),
    ]
    assert what_if.refusals[1].wait_ms == 110
    assert "A5b is not in hand of seat 0" in what_if.refusals[3].message
    assert what_if.events == []


def test_a_tie_that_is_decided_already_is_not_undone() -> None:
    what_if = small(7)  # right after B4a on a 3 at 1000
    what_if.act(1_020, Try(0, "A2a", 0))
    assert why(what_if) == ["tie-decided"]
    assert "event 7 at 1000" in what_if.refusals[0].message
    earlier = small(6)
    earlier.act(1_060, Try(1, "B4a", 0))
    earlier.act(1_080, Try(0, "A4a", 0))
    earlier.finish()
    assert [type(event) for event in earlier.events] == [Tie]


def test_after_the_end_nothing_branches_off() -> None:
    with pytest.raises(Fault, match="round 1 has ended at event 17"):
        small(17)
    over = WhatIf(Lines.of(SMALL), Place(1, 16))
    assert [type(event) for event in over.events] == [End]
    over.act(1_700, DrawOne(0))
    assert why(over) == ["round-over"]


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (Place(2, 0), "round: expected one of the 1 played, found 2"),
        (Place(0, 0), "round: expected one of the 1 played, found 0"),
        (Place(1, 18), "event: expected 0 to 17, found 18"),
        (Place(1, -1), "event: expected 0 to 17, found -1"),
        (Place(1, 0, "nil"), "line: round 1 has no variation nil"),
        (Place(1, 10, "v"), "event: expected 0 to 9, found 10"),
    ],
)
def test_places_that_are_not_there(place: Place, words: str) -> None:
    with pytest.raises(Fault, match=words):
        WhatIf(Lines.of(SMALL), place)


def test_a_branch_goes_along_the_line_that_it_is_on() -> None:
    known = Lines.of(SMALL)
    mainline = known.whole(Place(1, 0))
    assert known.events(Place(1, 3, "x")) == mainline[:3]
    assert known.whole(Place(1, 0, "w"))[:7] == mainline[:7]
    assert known.events(Place(1, 10, "x"))[8:] == known.whole(Place(1, 0, "w"))[8:10]
    assert [known.depth(line) for line in (None, "v", "w", "x")] == [0, 1, 2, 3]


def test_of_a_long_match_the_last_rounds_are_enough() -> None:
    record = lines(MATCHES / "valid-full-match-3.ratuki")
    third = next(n for n, one in enumerate(record) if isinstance(one, Deal) and one.round == 3)
    some, all_of = Lines.of([record[0], *record[third:]]), Lines.of(record)
    place = Place(4, 100)
    assert str(some.table(place)) == str(all_of.table(place))
    made = Variation(4, 100, None, "", tuple(all_of.whole(place)[100:]), "v")
    some.add(made)
    assert some.whole(Place(4, 0, "v")) == all_of.whole(place)
    with pytest.raises(Fault, match="round: expected one of the 4 played, found 1"):
        WhatIf(some, Place(1, 0))


def test_branches_lie_sixteen_deep_at_most() -> None:
    known = Lines(Timeline.of(SMALL))
    line = None
    for depth in range(16):
        what_if = WhatIf(known, Place(1, 2, line))
        what_if.act(1_500 + depth, Try(1, "B1a", 1))
        what_if.finish()
        (made,) = keep(known, what_if.place, what_if.events, f"v{depth}")
        line = made.id
    with pytest.raises(Fault, match="at most 16 deep"):
        WhatIf(known, Place(1, 2, line))


def test_variations_of_anybody_are_judged() -> None:
    known = Lines(Timeline.of(SMALL))
    with pytest.raises(Fault, match="variation, event 1: B1a is not in hand of seat 0"):
        known.add(Variation(1, 7, None, "", (Play(1_200, 0, "B1a", 1),), "a"))
    known.add(Variation(1, 7, None, "", (Draw(1_200, 1, "B5a"),), "a"))
    with pytest.raises(Fault, match="id: not unique"):
        known.add(Variation(1, 7, None, "", (Draw(1_200, 1, "B5a"),), "a"))


# Bots


def test_bots_play_on_to_the_end_or_for_a_while() -> None:
    known = Lines.of(MATCH)
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
    assert why(longer) == ["round-over"]
    again = WhatIf(known, Place(1, 100))
    again.play_on(seed=1)
    assert again.events == longer.events


def test_only_the_seats_that_are_asked_for_play() -> None:
    what_if = WhatIf(Lines.of(MATCH), Place(1, 100))
    what_if.play_on(10_000, seats=[1])
    assert {event.seat for event in what_if.events if not isinstance(event, Tie | End)} == {1}


def test_a_branch_longer_than_a_line_is_several() -> None:
    known = Lines.of(MATCH)
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


# Ghosts


def repeated(known: Lines, place: Place, seat: int) -> Race:
    """A race in which the player does what the seat did."""
    rest = known.whole(place)[place.event :]
    race = Race(known, place, seat)
    for asked in asked_in(known.table(place), rest):
        if asked.action.seat == seat:
            race.act(asked.t, asked.action)
    race.step(rest[-1].t)
    return race


@cache
def calm(edition: str) -> tuple[Line, ...]:
    """A match in whose first round no two seats do anything in the same ms."""
    for seed in count():
        found = simulated(Setting(edition, EDITIONS[edition], mixed(3), seed), 0)
        known = Lines.of(found)
        asked = asked_in(known.table(Place(1, 0)), known.whole(Place(1, 0)))
        if len({one.t for one in asked}) == len(asked):
            return tuple(found)
    raise AssertionError


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("event", [0, 90, 301])
@pytest.mark.parametrize("edition", EDITIONS)
def test_who_does_what_the_record_says_repeats_it(edition: str, event: int, seat: int) -> None:
    known = Lines.of(calm(edition))
    race = repeated(known, Place(1, event), seat)
    race.what_if.finish()
    assert race.what_if.events == known.whole(Place(1, 0))[event:]


def test_ghosts_follow_the_line_of_the_place() -> None:
    known = Lines.of(SMALL)
    race = Race(known, Place(1, 8, "w"), 0)
    race.step(1_400)
    assert race.what_if.events[:2] == [*known.whole(Place(1, 0, "w"))[8:10]]


def test_a_ghost_is_replaced_when_its_play_is_contradicted() -> None:
    race = Race(Lines.of(SMALL), Place(1, 7), 1)  # seat 0 will take slot 0 with A5a at 1100
    news = race.act(1_000, Try(1, "B1a", 1))
    assert [refusal.rule for refusal in news.refusals] == ["one-hand"]
    race.act(1_120, Try(1, "B3a", 0))
    news = race.step(1_200)
    assert [type(event) for event in news.events] == [Tie]
    assert race.step(1_339).taken_over == []  # its draw at 1220 is what it was
    news = race.step(1_340)
    assert [(one.seat, one.t, one.reason.rule) for one in news.taken_over] == [
        (0, 1_340, "not-meant")  # A1b started a stack here
    ]


def test_a_ghost_whose_slot_shows_something_else_does_not_mean_it_any_more() -> None:
    known = Lines.of(SMALL)
    race = Race(known, Place(1, 2), 1)  # seat 0 laid A3a on a 2 at 820: it never gets there
    news = race.step(900)
    assert [(one.seat, one.reason.rule) for one in news.taken_over] == [(0, "not-meant")]


def test_bots_take_over_when_the_record_is_over() -> None:
    race = Race(Lines.of(SMALL), Place(1, 14), 0)  # seat 0 says OUT at 1700: now it does not
    news = race.step(1_701)
    assert [(one.seat, one.t, one.reason.rule) for one in news.taken_over] == [
        (1, 1_700, "record-over")
    ]
    assert race.due is not None
    assert not race.over


def test_a_race_is_told_once_and_says_when_to_look_again() -> None:
    race = Race(Lines.of(MATCH), Place(1, 90), 0)
    told: list[Event] = []
    for _ in range(400):
        if race.due is None:
            break
        news = race.step(race.due)
        assert not news.refusals
        told += news.events
    assert race.over
    assert told == race.what_if.events
    assert race.step(race.now) == ([], [], [])


def test_nobody_plays_another_seat_in_a_race() -> None:
    news = Race(Lines.of(SMALL), Place(1, 7), 1).act(1_050, DrawOne(0))
    assert [refusal.rule for refusal in news.refusals] == ["other-seat"]
    with pytest.raises(Fault, match="seat: expected 0 to 1, found 2"):
        Race(Lines.of(SMALL), Place(1, 7), 2)


def small_match(*decks: str, events: Sequence[Event], **house: Any) -> Lines:
    """A match of one unfinished round, dealt and played like that, and true."""
    counts = [sum(card[1] == face for card in decks[0].split()) for face in "12345R"]
    rules = house_rules("usaopoly-2009", {"deck": counts, **house})
    head = Header("m", "usaopoly-2009", rules, tuple(Seat(deck[0], "human") for deck in decks))
    played = [head, Deal(1, tuple(tuple(deck.split()) for deck in decks)), *events]
    assert checked(record(*played))
    return Lines.of(played)


def test_a_ghost_that_draws_another_card_is_replaced() -> None:
    known = small_match(
        *("A1a A2a A3a A1b", "B1a B2a B3a B1b"),
        events=[
            Play(100, 0, "A1a", 0, seen=0),
            Draw(300, 0, "A1b"),
            Play(500, 0, "A2a", 0, seen=2),
            Discard(700, 0, "A3a"),
            Draw(900, 0, "A3a"),
        ],
        refill_before_discard=False,
    )
    race = Race(known, Place(1, 0), 1)
    race.act(510, Try(1, "B2a", 0))  # a tie, so A2a lies on the pile where A3a comes to lie
    race.step(899)
    assert race.taken_over == []
    race.step(900)
    assert [(one.seat, one.reason.rule) for one in race.taken_over] == [(0, "other-card")]


def test_a_ghost_that_is_refused_is_replaced() -> None:
    known = small_match(
        *("ARa A1a A2a A3a", "B1a B2a B3a BRa", "C1a CRa C2a C3a"),
        events=[
            Play(100, 2, "C1a", 0, seen=0),
            Play(1_000, 2, "CRa", 0, takes=2, seen=1),
            Play(1_040, 1, "B1a", 0, seen=2),
            Late(1_060, 0, "ARa", 0, None, 1),  # stale before B1a, which a branch cannot tell
        ],
        wild_starts=True,
    )
    race = Race(known, Place(1, 3), 1)
    race.step(1_060)
    assert race.taken_over[0][:2] == (0, 1_060)
    assert race.taken_over[0].reason.rule == "tie-decided"


def test_a_ghost_has_seen_what_it_would_have_seen_by_then() -> None:
    played = Lines.of(SMALL).whole(Place(1, 0))
    public = Start(Lines.of(SMALL).table(Place(1, 7)), played[:7]).public
    shown = Shown(played, public)
    assert [shown.seen(count) for count in (None, 3, 7)] == [None, 3, 7]
    for event in (Draw(1_010, 1, "B5a"), played[7]):  # seat 1 draws earlier than it did
        public.settled(event)
    assert [shown.seen(count) for count in (7, 8, 9)] == [7, 9, 9]


def test_tempo_is_measured_up_to_the_place_and_without_variations() -> None:
    known = Lines.of(MATCH)
    what_if = WhatIf(known, Place(1, 100))
    what_if.play_on(ms=20_000)
    keep(known, what_if.place, what_if.events, "v")
    at = known.tempos(Place(1, 100))
    assert known.tempos(Place(1, 110, "v")) == at
    assert known.tempos(Place(1, 60, "v")) == known.tempos(Place(1, 60)) != at
    longer = Lines.of(lines(MATCHES / "valid-full-match-3.ratuki"))
    first = Lines(Timeline.of(lines(MATCHES / "valid-full-match-3.ratuki")[:200]))
    assert longer.tempos(Place(1, 150)) == first.tempos(Place(1, 150))
    assert longer.tempos(Place(2, 0)) != longer.tempos(Place(1, 0)) == (1.0, 1.0, 1.0)


# Comparing


def test_what_happened_beside_what_happens_instead() -> None:
    known = Lines.of(SMALL)
    place = Place(1, 7)
    what_if = small(7)
    what_if.act(1_130, Try(0, "A5a", 0))
    what_if.act(1_150, Try(1, "B3a", 0))
    what_if.finish()
    found = compare(known, place, what_if.events)
    assert found.since == 1_000
    assert found.happened.end == "out"
    assert found.instead.end is None
    assert found.happened.at(1_100).taken == (5, 0)
    assert found.instead.at(1_130).taken == (0, 0)
    assert found.happened.at(999) == found.happened.standings[0] == found.instead.standings[0]
    assert found.happened.standings[-1].scores == (5, -2)
    assert found.axis == sorted({*found.axis, 1_000, 1_130, 1_700})
    before, after = (side.standings[-1].scores for side in (found.happened, found.instead))
    assert found.gained == (after[0] - before[0], after[1] - before[1])


def test_each_card_is_once_somewhere_on_both_sides() -> None:
    known = Lines.of(MATCH)
    what_if = WhatIf(known, Place(1, 60))
    what_if.play_on(seed=3)
    found = compare(known, what_if.place, what_if.events)
    cards = sum(map(len, known.timeline.rounds[0].deal.decks))
    for side in (found.happened, found.instead):
        for one in side.standings:
            assert sum(map(sum, (one.taken, one.left, one.hand, one.middle))) == cards


def test_a_seats_times_stand_beside_the_originals() -> None:
    old = [Play(100, 0, "A1a", 0), Draw(300, 0, "A2a"), Tie(400, 0, ("B1a", "A2a"), (0, 10))]
    new = [Draw(90, 1, "B2a"), Play(160, 0, "A1a", 0), Draw(280, 0, "A2a"), Draw(500, 0, "A3a")]
    assert timings(0, old, new) == [
        Timing("play", "A1a", 100, 160),
        Timing("draw", "A2a", 300, 280),
        Timing("tie", "A2a", 410, None),
        Timing("draw", "A3a", None, 500),
    ]
