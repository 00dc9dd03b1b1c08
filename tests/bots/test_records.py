"""What bots play is without fault, and the same for the same seed."""

from hashlib import sha256
from heapq import heapify, heapreplace
from random import Random

import pytest

from games.bots.roster import TEMPERS, BotSpec, mixed, seat_bot
from games.bots.simulate import header, lines, play, rounds
from games.bots.view import PublicEvents
from games.engine.dealing import shuffled
from games.engine.editions import EDITIONS
from games.engine.events import FULL_ROUND, MAX_EVENTS, MAX_ROUNDS, Deal, End, Play
from games.engine.perspective import see, see_deal
from games.engine.referee import Referee, Settled
from games.engine.scoring import winners
from games.engine.table import Table, apply
from games.records.log import Header, Result
from tests.bots.tables import checked, setting, text
from tests.narrowing import narrow, present

HOUSE = {
    "no ties": {"tie_window_ms": 0},
    "long ties": {"tie_window_ms": 400, "one_hand_ms": 400},
    "wilds for all": {"wild_starts": True, "wild_as_number": True},
    "empty": {"out": "empty"},
    "shout": {"out": "shout", "wild_as_number": True},
    "refill": {"refill_before_play": True, "refill_before_discard": False},
    "loose": {"refill_before_play": False, "refill_before_discard": False},
    "floor": {"floor_at_zero": True},
    "slow hands": {"one_hand_ms": 1_500},
    "fast hands": {"one_hand_ms": 0, "tie_window_ms": 0, "mistake_ms": 0},
    "no stall": {"stall_ms": 0},
    "speedy": {"speedy": True},
    "longer": {"target": 200},
    "small decks": {"deck": [2, 2, 2, 2, 2, 1], "target": 100},
    "many wilds": {"deck": [3, 3, 3, 3, 3, 6]},
}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("edition", EDITIONS)
def test_records_of_all_editions_are_valid(edition, seats):
    for index in range(4):
        record = lines(setting(edition, mixed(seats)), index)
        report = checked(record)
        assert type(record[-1]) is Result
        assert report.rounds == sum(type(line) is Deal for line in record)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("house", HOUSE.values(), ids=HOUSE)
def test_records_under_house_rules_are_valid(edition, house):
    checked(lines(setting(edition, mixed(4), **house), 0))


@pytest.mark.parametrize("temper", TEMPERS)
@pytest.mark.parametrize("level", [1, 5])
def test_four_of_a_temper_play_to_an_end(temper, level):
    record = lines(setting("hasbro-2010", [BotSpec(temper, level)] * 4), 0)
    checked(record)
    assert narrow(Result, record[-1]).winners


def test_beginners_are_forgiven_their_fast_hand():
    specs = [BotSpec("runner", 5, beginner=True), BotSpec("taker", 5)]
    slow = setting(specs=specs, one_hand_ms=900)
    checked(lines(slow, 0))
    assert header(slow, 0).seats[0].beginner


def test_speedy_matches_are_one_round():
    assert len(list(rounds(setting(speedy=True), 0))) == 1


def test_a_round_that_nobody_can_begin_is_blocked_and_the_match_left_undecided():
    record = lines(setting(deck=[0, 0, 0, 0, 0, 3]), 0)
    ends = [line for line in record if type(line) is End]
    assert {end.reason for end in ends} == {"blocked"}
    assert len(ends) == MAX_ROUNDS
    checked(record)


def test_a_match_that_rules_make_endless_is_decided_by_its_last_round():
    record = lines(setting(one_hand_ms=600_000, stall_ms=1_000), 0)
    checked(record)
    end = narrow(End, record[-2])
    assert end.reason == "stalled"
    assert record[-1] == Result(winners(end), end.totals)


def test_a_round_that_is_full_is_abandoned():
    match = setting(specs=[BotSpec("taker")] * 2, stall_ms=0)
    table, public = Table(match.rules, 2), PublicEvents(match.rules, 2)
    bots = [seat_bot(spec, table, public, 0, Random(5)) for spec in match.specs]
    table.deal(shuffled(match.rules, 2, 1, Random(5)))
    table.events = FULL_ROUND - 5
    play(table, public, bots)
    assert narrow(End, public.events[-1]).reason == "abandoned"
    assert FULL_ROUND < table.events <= MAX_EVENTS


def test_a_standoff_without_a_stall_breaks():
    for temper in TEMPERS:
        match = setting(specs=[BotSpec(temper)] * 2, stall_ms=0, speedy=True)
        record = lines(match, 0)
        checked(record)
        assert narrow(End, record[-2]).reason != "abandoned"


def test_tries_say_what_was_seen_and_lag_behind():
    behind = [
        place - present(event.seen)
        for each_round in rounds(setting(), 0)
        for place, event in enumerate(each_round.events)
        if type(event) is Play
    ]
    assert min(behind) >= 0
    assert sum(behind) / len(behind) > 0.5


# The same seed gives the same records; a bot needs no more than its seat may see.


def test_the_same_setting_gives_the_same_bytes():
    assert text(lines(setting(), 3)) == text(lines(setting(), 3))


def test_each_index_and_seed_is_a_match_of_its_own():
    matches = [lines(setting(seed=seed), index) for seed in (1, 2) for index in (0, 1)]
    assert len({narrow(Header, match[0]).id for match in matches}) == 4
    assert len({narrow(Deal, match[1]).decks for match in matches}) == 4


def test_the_id_tells_settings_apart():
    settings = [
        setting(),
        setting("gamerules"),
        setting(target=150),
        setting(specs=mixed(3)),
        setting(specs=[BotSpec("taker", 4), *mixed(4)[1:]]),
    ]
    assert len({header(chosen, 0).id for chosen in settings}) == len(settings)


def redacted(chosen, deal, seats_of_bots):
    """Play a round with each bot at a table that is folded from what its seat may see."""
    seats = len(chosen.specs)
    truth, public = Table(chosen.rules, seats), PublicEvents(chosen.rules, seats)
    truth.deal(deal)
    own = [Table(chosen.rules, seats) for _ in range(seats)]
    for seat, table in enumerate(own):
        table.deal(see_deal(deal, seat))
    bots = [
        seat_bot(chosen.specs[seat], own[seat], public, seat, Random(source))
        for seat, source in enumerate(seats_of_bots)
    ]
    referee = Referee(truth)

    def publish(outcomes):
        for outcome in outcomes:
            if isinstance(outcome, Settled):
                for seat, table in enumerate(own):
                    apply(table, see(outcome.event, seat))
                public.settled(outcome.event)

    publish(referee.settle(0))
    queue = [(bot.begin(0), seat) for seat, bot in enumerate(bots)]
    heapify(queue)
    while not truth.ended:
        now, seat = queue[0]
        publish(referee.settle(now))
        if truth.ended:
            break
        action, again = bots[seat].think(now)
        if action is not None:
            publish(referee.offer(now, action))
        heapreplace(queue, (again, seat))
    return public.events


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seats", [2, 4, 5])
def test_bots_play_the_same_on_redacted_tables(edition, seats):
    for index in range(3):
        chosen = setting(edition, mixed(seats), speedy=True)
        (played,) = rounds(chosen, index)
        source = Random(f"ratuki {chosen.seed}/{index}")
        seeds = [source.getrandbits(64) for _ in range(seats)]
        assert redacted(chosen, played.deal, seeds) == played.events


@pytest.mark.parametrize(
    ("edition", "digest"),
    [
        ("usaopoly-2009", "8cf5e83147782aad"),
        ("hasbro-2010", "217c8f7b18ce6d3f"),
        ("gamerules", "d25ae8cc0b460c4a"),
    ],
)
def test_these_matches_are_known_byte_for_byte(edition, digest):
    """On every machine, compiled or not; a new digest needs a reason, such as another temper."""
    hashed = sha256()
    for seats in (2, 3, 4, 5):
        chosen = setting(edition, mixed(seats, level=seats), seed=7)
        hashed.update(text(lines(chosen, seats)))
    assert hashed.hexdigest()[:16] == digest
