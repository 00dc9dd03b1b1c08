"""Ghost races: ghosts do what the record says, until the race contradicts it."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.bots.rollout import published
from games.engine.actions import DrawOne, Try
from games.engine.editions import EDITIONS, house_rules
from games.engine.events import Deal, Discard, Draw, Event, Late, Miss, Play, Tie
from games.engine.facts import Fault
from games.records.log import Header, Seat
from replays.variations.ghost_race import GhostRace
from replays.variations.lines import MatchLines, Place
from replays.variations.requested import Shown, asked_in
from tests.engine.unruly import random_action, random_gap
from tests.records.matches import checked, record, unruly
from tests.variations.branches import MATCH, SMALL, calm, keep, whole


@given(st.integers(0, 2**32))
@settings(deadline=None, max_examples=60)
def test_any_race_makes_valid_events(seed: int) -> None:
    rng = Random(seed)
    played = unruly(seed, 200)
    known = MatchLines.of(played)
    place = Place(1, rng.randint(0, len(known.timeline.rounds[0].events)))
    assume(not known.table(place).ended)
    seat = rng.randrange(known.table(place).seats)
    race = GhostRace(known, place, seat, seed)
    for _ in range(rng.choice([0, 5, 40])):
        race.step(race.now + rng.choice([0, 20, 200]))
        action = random_action(rng, race.what_if.judge)  # type: ignore[arg-type]
        race.act(race.now + random_gap(rng, race.what_if.table.rules), action)
    race.step(race.now + 5_000)
    race.what_if.finish()
    if race.what_if.events:
        made = keep(known, place, race.what_if.events, "race")
        checked(whole(played, *made))


def repeated(known: MatchLines, place: Place, seat: int) -> GhostRace:
    """A race in which the player does what the seat did."""
    rest = known.whole(place)[place.event :]
    race = GhostRace(known, place, seat)
    for asked in asked_in(known.table(place), rest):
        if asked.action.seat == seat:
            race.act(asked.t, asked.action)
    race.step(rest[-1].t)
    return race


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("event", [0, 90, 301])
@pytest.mark.parametrize("edition", EDITIONS)
def test_doing_what_the_record_says_repeats_it(edition: str, event: int, seat: int) -> None:
    known = MatchLines.of(calm(edition))
    race = repeated(known, Place(1, event), seat)
    race.what_if.finish()
    assert race.what_if.events == known.whole(Place(1, 0))[event:]


def test_ghosts_follow_the_line_of_the_place() -> None:
    known = MatchLines.of(SMALL)
    race = GhostRace(known, Place(1, 8, "w"), 0)
    race.step(1_400)
    assert race.what_if.events[:2] == [*known.whole(Place(1, 0, "w"))[8:10]]


def test_a_ghost_is_replaced_when_its_play_is_contradicted() -> None:
    race = GhostRace(MatchLines.of(SMALL), Place(1, 7), 1)  # seat 0 takes slot 0 with A5a at 1100
    news = race.act(1_000, Try(1, "B1a", 1))
    assert [refusal.rule for refusal in news.refusals] == ["one-hand"]
    race.act(1_120, Try(1, "B3a", 0))
    news = race.step(1_200)
    assert [type(event) for event in news.events] == [Tie]
    assert race.step(1_339).taken_over == []  # its draw at 1220 is what it was
    news = race.step(1_340)
    assert [(ghost.seat, ghost.t, ghost.reason.rule) for ghost in news.taken_over] == [
        (0, 1_340, "not-meant")  # A1b started a stack here
    ]


def test_a_ghost_is_replaced_when_its_slot_shows_something_else() -> None:
    known = MatchLines.of(SMALL)
    race = GhostRace(known, Place(1, 2), 1)  # seat 0 laid A3a on a 2 at 820: it never gets there
    news = race.step(900)
    assert [(ghost.seat, ghost.reason.rule) for ghost in news.taken_over] == [(0, "not-meant")]


def test_bots_take_over_when_the_record_is_over() -> None:
    race = GhostRace(MatchLines.of(SMALL), Place(1, 14), 0)  # no OUT of seat 0 at 1700
    news = race.step(1_701)
    assert [(ghost.seat, ghost.t, ghost.reason.rule) for ghost in news.taken_over] == [
        (1, 1_700, "record-over")
    ]
    assert race.due is not None
    assert not race.over


def test_a_race_reports_each_event_once_and_says_when_the_next_is_due() -> None:
    race = GhostRace(MatchLines.of(MATCH), Place(1, 90), 0)
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
    news = GhostRace(MatchLines.of(SMALL), Place(1, 7), 1).act(1_050, DrawOne(0))
    assert [refusal.rule for refusal in news.refusals] == ["other-seat"]
    with pytest.raises(Fault, match="seat: expected 0 to 1, found 2"):
        GhostRace(MatchLines.of(SMALL), Place(1, 7), 2)


def small_match(*decks: str, events: Sequence[Event], **house: Any) -> MatchLines:
    """A match of one unfinished round, dealt and played like that, and true."""
    counts = [sum(card[1] == face for card in decks[0].split()) for face in "12345R"]
    rules = house_rules("usaopoly-2009", {"deck": counts, **house})
    head = Header("m", "usaopoly-2009", rules, tuple(Seat(deck[0], "human") for deck in decks))
    played = [head, Deal(1, tuple(tuple(deck.split()) for deck in decks)), *events]
    assert checked(record(*played))
    return MatchLines.of(played)


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
    race = GhostRace(known, Place(1, 0), 1)
    race.act(510, Try(1, "B2a", 0))  # a tie, so A2a lies on the pile where A3a comes to lie
    race.step(899)
    assert race.taken_over == []
    race.step(900)
    assert [(ghost.seat, ghost.reason.rule) for ghost in race.taken_over] == [(0, "other-card")]


def test_a_ghost_that_is_refused_is_replaced() -> None:
    known = small_match(
        *("ARa A1a A2a A3a", "B1a B2a B3a BRa", "C1a CRa C2a C3a"),
        events=[
            Play(100, 2, "C1a", 0, seen=0),
            Miss(140, 0, "ARa", 0, 4, 1),  # a referee would refuse it until the window is over
        ],
        wild_starts=True,
    )
    race = GhostRace(known, Place(1, 1), 1)
    race.step(140)
    assert race.taken_over[0][:2] == (0, 140)
    assert race.taken_over[0].reason.rule == "tie-decided"


def test_a_ghost_whose_try_was_stale_is_late_again() -> None:
    late = Late(1_060, 0, "ARa", 0, None, 1)  # stale before B1a, so no part of a tie with it
    known = small_match(
        *("ARa A1a A2a A3a", "B1a B2a B3a BRa", "C1a CRa C2a C3a"),
        events=[
            Play(100, 2, "C1a", 0, seen=0),
            Play(1_000, 2, "CRa", 0, takes=2, seen=1),
            Play(1_040, 1, "B1a", 0, seen=2),
            late,
        ],
        wild_starts=True,
    )
    race = GhostRace(known, Place(1, 3), 1)
    assert race.step(1_060).events == [late]


def test_a_ghost_has_seen_what_it_would_have_seen_by_then() -> None:
    played = MatchLines.of(SMALL).whole(Place(1, 0))
    public = published(MatchLines.of(SMALL).table(Place(1, 7)), played[:7])
    shown = Shown(played, public)
    assert [shown.seen(count) for count in (None, 3, 7)] == [None, 3, 7]
    for event in (Draw(1_010, 1, "B5a"), played[7]):  # seat 1 draws earlier than it did
        public.settled(event)
    assert [shown.seen(count) for count in (7, 8, 9)] == [7, 9, 9]
