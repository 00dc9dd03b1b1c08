"""What costs a player most: its signs in a match, and when it is told."""

from random import Random

import pytest

from games.bots.roster import BotSpec
from games.engine.events import Discard
from replays.analysis.lag import lags
from replays.analysis.players.priorities import FEWEST, MAX_PRIORITIES, Priced, priorities
from replays.analysis.players.priority_words import evidence, worth_of
from replays.analysis.players.signs import DISCARDS, KINDS, SPEED, TAKES, signs
from replays.analysis.players.spans import Gain
from replays.analysis.players.worth import Cost, costs, worth
from replays.timeline import Timeline
from replays.training.weaknesses import Weakness, played
from tests.analysis.rounds import a_round

TAKER = BotSpec("taker")
SLOW = Weakness(takes=0.8)


@pytest.fixture(scope="module")
def slow() -> Timeline:
    """A match in which the first seat is slow to take with a 5."""
    return played("slow", "usaopoly-2009", [(TAKER, SLOW), *[(TAKER, Weakness())] * 3])


def test_a_sign_compares_with_the_table(slow: Timeline) -> None:
    by_seat = signs(slow, lags(slow))
    for kind in KINDS:
        assert sum(seat[kind].value for seat in by_seat) == pytest.approx(0, abs=1e-9)
    takes = [seat[TAKES] for seat in by_seat]
    assert takes[0].value == max(sign.value for sign in takes)
    assert takes[0].own > 2 * takes[0].others, "free ms for each take"


def test_it_shows_where_it_can_be_watched(slow: Timeline) -> None:
    for seat in signs(slow, lags(slow)):
        for sign in seat.values():
            if sign.where:
                played = slow.rounds[sign.where.round - 1]
                at = [played.seq, *played.seqs][sign.where.event]
                assert at == sign.where.seq


def test_costs_are_whole_points_of_the_match(slow: Timeline) -> None:
    by_seat = costs(slow, lags(slow))
    assert min(range(4), key=lambda seat: by_seat[seat][TAKES].points) == 0
    assert by_seat[0][TAKES].points < -20
    assert len(worth().points) == len(worth().usual) == len(worth().spread) == len(KINDS)


def test_5s_and_wilds_that_are_thrown_away_cost_points() -> None:
    """Only where a lower card was in hand: with nothing else, one of them has to go."""
    throws = [(TAKER, Weakness(discards=0.5)), *[(TAKER, Weakness())] * 2]
    match = played("throws", "usaopoly-2009", throws)
    first, *others = signs(match, lags(match))
    assert first[DISCARDS].own == pytest.approx(0.5, abs=0.15)
    assert all(other[DISCARDS].own == 0 for other in others), "takers keep them to the last"
    assert first[DISCARDS].where is not None
    own, *_ = costs(match, lags(match))
    assert own[DISCARDS].points < -1
    only = a_round(Discard(2_700, 0, "A5a"), hand="A5a A5b ARa")
    assert signs(only, [None, None])[0][DISCARDS].where is None


def matches(count: int, kind: str = TAKES, points: float = -30.0, seed: int = 1) -> list[Priced]:
    """Matches in which one kind costs so many points, beside chance."""
    randomness = Random(seed)
    priced = []
    for match in range(count):
        chance = {name: randomness.gauss(0, 1) * worth().spread[n] for n, name in enumerate(KINDS)}
        chance[kind] += points
        shown = {name: Cost(value, 1800, 1100, 1, 4, 5) for name, value in chance.items()}
        priced.append(Priced(match, 3, shown))
    return priced


def test_what_costs_most_is_told_with_its_interval() -> None:
    told = priorities(matches(10))[0]
    assert told.kind == TAKES
    assert told.gain.low < told.gain.points < told.gain.high
    assert 15 < told.gain.points < 40
    assert str(evidence(told)) == (
        "How long a take open to a 5 waits: 1.8 s. The others at the same tables: 1.1 s."
    )
    assert len(priorities(matches(10))) <= MAX_PRIORITIES


def test_too_few_matches_tell_nothing() -> None:
    assert FEWEST == 8
    assert not priorities(matches(FEWEST - 1))
    assert priorities(matches(FEWEST))


def test_intervals_hold_the_error_of_the_price() -> None:
    gain = priorities(matches(100))[0].gain
    price = worth().errors[KINDS.index(TAKES)]
    assert gain.high - gain.points > 1.9 * price * gain.points


def test_chance_is_not_told() -> None:
    false = [bool(priorities(matches(10, points=0.0, seed=seed))) for seed in range(200)]
    assert sum(false) <= 12


def test_what_others_of_the_same_strength_lose_too_is_not_told() -> None:
    shares = zip(KINDS, worth().usual, strict=True)
    usual = {kind: Cost(-60 * share, 1, 1, 1, 1, 1) for kind, share in shares}
    assert not priorities([Priced(match, 3, usual) for match in range(20)])


def test_a_slow_hand_alone_is_not_taken_for_usual() -> None:
    """Strength is told by the other kinds, of which takes tell little, being mostly chance."""
    told = priorities(matches(10, SPEED, -20))[0]
    assert told.kind == SPEED
    assert told.gain.points == pytest.approx(20, abs=4)


def test_it_showed_in_the_asked_match_or_where_it_cost_most() -> None:
    priced = matches(10)
    worst = min(priced, key=lambda match: match.costs[TAKES].points)
    assert priorities(priced)[0].shown == worst
    assert priorities(priced, match=3)[0].shown.match == 3


def test_words_say_how_sure_it_is() -> None:
    assert str(worth_of(Gain(6.2, 2.8, 9.1))) == "about 6 points a match (3 to 9)"


def test_what_costs_others_as_much_is_no_weakness() -> None:
    """Of a player who is far better otherwise, a hand like the others' is no advice."""
    played = [
        one._replace(costs={name: cost._replace(points=20.0) for name, cost in one.costs.items()})
        for one in matches(20)
    ]
    alike = [
        one._replace(costs={**one.costs, SPEED: one.costs[SPEED]._replace(points=0.0)})
        for one in played
    ]
    assert one_kind_is_beyond(alike), "less than its share of the strength"
    assert priorities(alike) == []


def one_kind_is_beyond(played: list[Priced]) -> bool:
    place = KINDS.index(SPEED)
    return all(one.beyond()[place] < -2 for one in played)
