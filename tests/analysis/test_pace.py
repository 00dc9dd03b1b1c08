"""Whose pace changes from round to round, and what the curve makes of it."""

from __future__ import annotations

from dataclasses import replace
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
from replays.analysis.winning.pace import CHANGING, changing
from replays.analysis.winning.position import LATEST, STILL, Habits, Position
from replays.timeline import Timeline
from replays.training.matches import lines, plan
from tests.narrowing import narrow
from tests.replays.matches import MATCHES, lines_of

FIVE_PLAYERS = MATCHES / "valid-hasbro-2010-5.ratuki"
TEMPO = inputs.SPECTATOR.index("tempo")
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


# What tells it


def test_before_anything_is_known_it_is_as_likely_as_at_any_table() -> None:
    assert changing([]) == pytest.approx(CHANGING)
    assert changing([[0, 0, 0]]) == pytest.approx(CHANGING)
    assert changing([[90, 40, 70], [0, 0, 0]]) == pytest.approx(CHANGING)


@given(
    shares=st.lists(st.integers(60, 200), min_size=2, max_size=5),
    speeds=st.lists(st.sampled_from((1, 2, 3)), min_size=3, max_size=6),
)
def test_a_table_that_is_faster_as_a_whole_keeps_its_pace(
    shares: list[int], speeds: list[int]
) -> None:
    rounds = [[speed * share for share in shares] for speed in speeds]
    likely = [changing(rounds[:end]) for end in range(1, len(rounds) + 1)]
    assert likely == sorted(likely, reverse=True)
    assert likely[-1] < 0.06


@given(shares=st.lists(st.integers(60, 200), min_size=2, max_size=5), slower=st.integers(0, 4))
def test_who_is_half_as_fast_in_every_other_round_changes(shares: list[int], slower: int) -> None:
    seat = slower % len(shares)
    other = [count // 2 if at == seat else count for at, count in enumerate(shares)]
    assert changing([shares, other, shares, other]) > 0.9


def test_few_movements_tell_little() -> None:
    assert changing([[60, 60], [4, 2]]) == pytest.approx(CHANGING, abs=0.02)


@pytest.mark.parametrize("population", ["roster", "drifter"])
def test_tables_that_change_are_told_from_those_that_do_not(population: str) -> None:
    chances = [changing(read(list(lines(plan(population, 6, index)))).paces) for index in range(16)]
    certain = sum(likely > 0.5 for likely in chances)
    assert certain <= 1 if population == "roster" else certain >= 11


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
    *paces, now = read(record).paces
    rounds = by_round(record)
    ended = rounds[: sum(isinstance(line, End) for line in record)]
    assert paces == ended[-(LATEST - 1) :]
    assert now == (rounds[-1] if len(rounds) > len(ended) else [0] * len(now))


def test_the_latest_habits_count_most() -> None:
    record = lines_of(FIVE_PLAYERS)
    position = Position(narrow(Header, record[0]))
    old, faded = [0.0] * 5, [0.0] * 5
    for line in record[1:]:
        position.read(line)
        position.learn()
        if isinstance(line, End):
            now = position.habits[0]
            faded = [STILL * (f + n - o) for f, n, o in zip(faded, now, old, strict=True)]
            old = list(now)
            assert position.latest_habits(1)[0] == pytest.approx(faded)
            assert position.latest_habits(0)[0] == now
    assert min(faded) > 0


# What it does to the odds


def test_a_match_of_one_round_has_no_rounds_to_change_between() -> None:
    position = several_rounds()
    told = inputs.SPECTATOR.index("changing")
    assert inputs.spectator(position)[0][told] == pytest.approx(CHANGING)
    position.rules = replace(position.rules, speedy=True)
    assert inputs.spectator(position)[0][told] == 0


def test_where_the_pace_changes_only_the_latest_counts_and_less_is_sure() -> None:
    position = several_rounds()
    position.stood_in = True
    position.moves = position.even = [210, 150, 180, 180, 180]
    position.learn()
    lasting = chance(position)
    position.forgotten = Habits([130, 60, 120, 120, 120], [130, 60, 120, 120, 120], [0] * 5)
    position.paces = [[90, 30, 60, 60, 60], [30, 90, 60, 60, 60], [90, 30, 60, 60, 60]]
    assert inputs.spectator(position)[1][TEMPO] > inputs.spectator(position)[0][TEMPO]
    assert lasting[0] > lasting[1]
    assert max(chance(position)) < max(lasting)
