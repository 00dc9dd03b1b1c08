"""How quick the hands are, whose pace changes, and what the curve makes of it."""

from collections.abc import Sequence
from dataclasses import replace
from math import log
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.cards import OWNER
from games.engine.events import Discard, Draw, End, Event, Late, Miss, Play, Tie
from games.engine.table import Table, apply
from games.records.log import Header, Line
from replays.analysis.winning import inputs
from replays.analysis.winning.chance import chance
from replays.analysis.winning.pace import KINDS, Belief, after, at_first, paces, seen
from replays.analysis.winning.position import Position
from replays.timeline import Timeline
from replays.training.matches import lines, plan
from tests.narrowing import narrow
from tests.replays.matches import MATCHES, lines_of

FIVE_PLAYERS = MATCHES / "valid-hasbro-2010-5.ratuki"
MOVEMENTS = (Draw, Discard, Play, Tie, Late, Miss)


def several_rounds() -> Position:
    """Before the first deal of a match of five that may have many rounds."""
    header = narrow(Header, lines_of(FIVE_PLAYERS)[0])
    return Position(replace(header, rules=replace(header.rules, speedy=False)))


def read(record: list[Line]) -> Position:
    position = Position(narrow(Header, record[0]))
    for line in record[1:]:
        position.read(line)
        position.learn()
    return position


def known(rounds: Sequence[Sequence[int]]) -> Sequence[Belief]:
    return after(len(rounds[0]), tuple(map(tuple, rounds)))


def changing(rounds: Sequence[Sequence[int]]) -> float:
    return paces(known(rounds)).changing


FASTER = [[round(60 * 1.25**number), 60, 60, 60, 60] for number in range(10)]
TURNS = [[90, 60, 60, 60, 40], [40, 60, 60, 60, 90]] * 5

# What tells it

UNKNOWN = sum(kind.likely * kind.changing for kind in KINDS)


def test_before_anything_is_known_it_is_as_likely_as_at_any_table() -> None:
    assert sum(kind.likely for kind in KINDS) == pytest.approx(1)
    assert changing([[0, 0, 0]]) == pytest.approx(UNKNOWN)
    assert changing([[60, 60], [0, 0]]) == pytest.approx(changing([[60, 60]]))


@given(
    shares=st.lists(st.integers(60, 100), min_size=2, max_size=5),
    speeds=st.lists(st.sampled_from((1, 2, 3)), min_size=4, max_size=6),
)
def test_a_table_that_is_faster_as_a_whole_keeps_its_pace(
    shares: list[int], speeds: list[int]
) -> None:
    rounds = [[speed * share for share in shares] for speed in speeds]
    likely = [changing(rounds[:end]) for end in range(1, len(rounds) + 1)]
    assert likely == sorted(likely, reverse=True)
    assert likely[-1] < UNKNOWN / 2


@given(shares=st.lists(st.integers(60, 200), min_size=2, max_size=5), slower=st.integers(0, 4))
def test_who_is_half_as_fast_in_every_other_round_returns(shares: list[int], slower: int) -> None:
    seat = slower % len(shares)
    other = [count // 2 if at == seat else count for at, count in enumerate(shares)]
    assert changing([shares, other] * 4) == pytest.approx(0.5, abs=0.1)


def test_who_becomes_faster_and_faster_drifts() -> None:
    assert changing(FASTER) > 0.9


def test_few_movements_tell_little() -> None:
    assert changing([[60, 60], [4, 2]]) == pytest.approx(changing([[60, 60]]), abs=0.02)


def test_a_pace_that_returns_is_judged_by_all_rounds_and_one_that_drifts_by_the_latest() -> None:
    _, returns, drifts = seen(known([[60, 60]] * 6), [60, 30])
    assert drifts.mean[0] > 2 * returns.mean[0] > 0
    assert returns.now[0] > 2 * returns.mean[0]
    assert drifts.now == drifts.mean


def test_a_far_quicker_hand_is_trusted_at_once() -> None:
    """One that is a little quicker is not."""
    far, little = (paces(seen(at_first(2), [30, slow])).now[0] for slow in (10, 26))
    assert far / log(31 / 11) > 1.15 * little / log(31 / 27)


def test_who_is_away_says_nothing_of_the_others_pace() -> None:
    header = narrow(Header, lines_of(FIVE_PLAYERS)[0])
    position = Position(header)
    position.rounds = ((60, 40, 50, 50, 50), (70, 0, 60, 60, 60), (70, 0, 60, 60, 60))
    others = position.among([0, 2, 3, 4])
    assert others.beliefs == known([[60, 50, 50, 50], *[[70, 60, 60, 60]] * 2])
    assert paces(others.beliefs).changing < UNKNOWN < changing(position.rounds)


@pytest.mark.parametrize(
    ("population", "least", "most"),
    [("roster", 0.0, 0.25), ("people", 0.25, 0.75), ("drifter", 0.75, 1.0)],
)
def test_the_kinds_are_told_apart(population: str, least: float, most: float) -> None:
    plans = (plan(population, 6, index, "to 500") for index in range(6))
    chances = [paces(read(list(lines(asked))).beliefs).changing for asked in plans]
    assert sum(least <= likely <= most for likely in chances) >= 5


# What is counted


def by_round(record: list[Line]) -> list[list[int]]:
    """The movements of each hand in each round, while every hand had a card to turn over."""
    header = narrow(Header, record[0])
    table = Table(header.rules, len(header.seats))
    counted = []
    for played in Timeline.of(record).rounds:
        table.deal(played.deal)
        counts = [0] * table.seats
        for event in played.events:
            piles = zip(table.draw_piles, table.discard_piles, strict=True)
            everybody = all(draw or discard for draw, discard in piles)
            for seat in moved(event) if everybody else ():
                counts[seat] += 1
            apply(table, event)
        counted.append(counts)
    return counted


def moved(event: Event) -> list[int]:
    if isinstance(event, Tie):
        return [OWNER[card] for card in event.cards]
    return [event.seat] if isinstance(event, MOVEMENTS) else []


@pytest.mark.parametrize("path", sorted(MATCHES.glob("valid-*.ratuki")), ids=lambda path: path.stem)
def test_movements_count_while_every_hand_has_cards_to_turn_over(path: Path) -> None:
    record = lines_of(path)
    position, counted = Position(narrow(Header, record[0])), []
    for line in record[1:]:
        if isinstance(line, End):
            counted.append(position.pace)
        position.read(line)
    rounds = by_round(record)
    *ended, now = rounds if len(rounds) > len(counted) else [*rounds, [0] * position.seats]
    assert counted[-7:] == ended[-7:]
    assert position.pace == now


# What it does to the odds


def test_a_match_of_one_round_has_no_rounds_to_change_between() -> None:
    position = several_rounds()
    told = inputs.SPECTATOR.index("changing")
    assert inputs.spectator(position)[0][told] == pytest.approx(UNKNOWN)
    position.rules = replace(position.rules, speedy=True)
    assert inputs.spectator(position)[0][told] == 0


def test_the_bots_of_the_site_keep_their_pace() -> None:
    position = several_rounds()
    position.beliefs = known(FASTER)
    told = inputs.SPECTATOR.index("changing")
    assert inputs.spectator(position)[0][told] > 0.9
    position.strengths = [0.0] * 5
    assert inputs.spectator(position)[0][told] == 0


def test_a_lead_counts_for_less_where_paces_drift_than_where_they_return() -> None:
    position = several_rounds()
    position.rules = replace(position.rules, target=500)
    position.totals = [160, 60, 60, 60, 60]
    likely = []
    for rounds in (TURNS, FASTER):
        beliefs = known(rounds)
        position.beliefs = [each._replace(mean=[0.0] * 5, now=[0.0] * 5) for each in beliefs]
        likely.append(chance(position)[0])
    assert likely[0] > likely[1] + 0.1
