"""Win probability: what it is judged from, the network, the series of a match."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.events import Deal, End, Event, Play, Tie
from games.engine.perspective import SPECTATOR as ONLOOKER
from games.engine.perspective import see, see_deal
from games.engine.scoring import end, winners
from games.engine.table import Table, apply
from games.records.log import Header, Line, Result
from replays.analysis import winning
from replays.analysis.leaving import STAYED, left_at
from replays.analysis.winning import inputs
from replays.analysis.winning.absence import HALVED, USUAL, ended_as_it_stands, judged, weighed
from replays.analysis.winning.chance import chance
from replays.analysis.winning.network import MODELS, Network, digest, model, rounded
from replays.analysis.winning.pace import after, at_first
from replays.analysis.winning.position import Position, StackPosition
from replays.analysis.winning.series import (
    CLOCK,
    CURVE,
    END,
    PLAY,
    STEP_MS,
    TAKE,
    TIE,
    Point,
    Series,
    around,
    curve,
    curve_and_befores,
    series,
)
from replays.timeline import Timeline
from replays.training.matches import POPULATIONS, lines, plan
from tests.narrowing import narrow
from tests.replays.matches import FILES, MATCHES, lines_of

seeds = st.integers(0, 2**32)


def played(seed: int, population: str = "roster") -> list[Line]:
    return list(lines(plan(population, seed, 0)))


def points_of(record: list[Line], *, detailed: bool = False) -> list[Point]:
    return series(Timeline.of(record), detailed=detailed)


def as_seen(line: Line) -> Line:
    """The line as a spectator gets it."""
    if isinstance(line, Deal):
        return see_deal(line, ONLOOKER)
    return see(line, ONLOOKER) if isinstance(line, Event) else line


# What is known of a position


@settings(max_examples=6, deadline=None)
@given(seeds)
def test_counts_are_those_of_the_table(seed: int) -> None:
    record = played(seed)
    header = narrow(Header, record[0])
    position, table = StackPosition(header), Table(header.rules, len(header.seats))
    for line in record[1:]:
        position.read(line)
        if isinstance(line, Deal):
            table.deal(line)
        elif not isinstance(line, Event) or isinstance(line, End):
            continue
        else:
            apply(table, line)
        assert position.hands == [len(hand) for hand in table.hands]
        assert position.scored == [len(pile) for pile in table.score_piles]
        assert position.tops == table.tops
        assert position.heights == [len(stack) for stack in table.stacks]
        left = zip(table.draw_piles, table.discard_piles, strict=True)
        assert position.piles == [len(draw) + len(discard) for draw, discard in left]


@settings(max_examples=6, deadline=None)
@given(seeds)
def test_a_spectator_knows_enough(seed: int) -> None:
    """The probabilities of the redacted log are those of the log."""
    record = played(seed)
    assert points_of(record) == points_of([as_seen(line) for line in record])


@pytest.mark.parametrize("name", ["valid-hasbro-2010-5", "valid-gamerules-3"])
def test_the_curve_says_of_a_position_what_anyone_is_told_of_it(name: str) -> None:
    match = Timeline.of(lines_of(MATCHES / f"{name}.ratuki"))
    points = {point.seq: point.p for point in series(match) if point.cause == TAKE}
    position, compared = Position(match.header), 0
    for played in match.rounds:
        position.read(played.deal)
        for event, seq in zip(played.events, played.seqs, strict=True):
            if isinstance(event, Play):
                position.learn()
            position.read(event)
            if seq in points:
                assert rounded(chance(position), 4) == list(points[seq])
                compared += 1
    assert compared > 5


def test_inputs_are_named() -> None:
    record = played(1)
    position = Position(narrow(Header, record[0]))
    position.read(record[1])
    assert {len(row) for row in inputs.spectator(position)} == {len(inputs.SPECTATOR)}


def test_a_seat_is_compared_with_the_best_and_the_mean_of_the_others() -> None:
    position = Position(narrow(Header, played(3)[0]))
    position.takers = [3, 5, 1, 2, 4][: position.seats]
    rows = inputs.spectator(position)
    best, mean = (inputs.SPECTATOR.index(f"takers_{which}") for which in ("best", "mean"))
    others = position.takers[1:]
    assert rows[0][best] == 3 - max(others)
    assert rows[0][mean] == pytest.approx(3 - sum(others) / len(others))


def test_a_lead_is_worth_more_the_nearer_the_target_and_tempo_less() -> None:
    position = Position(narrow(Header, played(3)[0]))
    lead, pull = (inputs.SPECTATOR.index(name) for name in ("lead_best", "pull_best"))
    position.totals[0], position.pace[0] = 30, 60
    position.learn()
    rows = []
    for target in (100, 1_000):
        position.rules = replace(position.rules, speedy=False, target=target)
        rows.append(inputs.spectator(position)[0])
    assert rows[0][lead] > 2 * rows[1][lead] > 0
    assert rows[1][pull] > 2 * rows[0][pull] > 0


# The network


def test_shipped_models_say_what_they_are() -> None:
    for path in MODELS.glob("*.json"):
        about = model(path.stem).about
        assert about["model"] == path.stem
        assert {"seed", "engine", "measures", "digest", "loss", "matches"} <= about.keys()
        assert path.stat().st_size < 18_000


def test_a_model_that_was_changed_is_refused() -> None:
    told = json.loads((MODELS / "spectator.json").read_text())
    told["coefficients"]["known"]["sharpness"] += 1
    with pytest.raises(ValueError, match="digest"):
        Network(told)


def test_a_model_of_other_inputs_is_refused() -> None:
    told = json.loads((MODELS / "spectator.json").read_text())
    with pytest.raises(ValueError, match="inputs"):
        Network({**told, "inputs": told["inputs"][1:]})
    assert told["digest"] == digest(told["coefficients"])


def sharpened(position: Position, by: float) -> list[float]:
    """What a model with the shipped coefficients but that sharpness tells."""
    told = json.loads((MODELS / "spectator.json").read_text())
    for layers in told["coefficients"].values():
        layers["sharpness"] = by
    told["digest"] = digest(told["coefficients"])
    return Network(told).probabilities(inputs.spectator(position))


def long_and_steady() -> Position:
    """A match to 1,000 in which one seat is faster than the others and all keep their pace."""
    header = narrow(Header, played(3)[0])
    position = Position(header)
    position.rules = replace(header.rules, speedy=False, target=1_000)
    moved = [50, *[30] * (position.seats - 1)]
    position.beliefs = after(position.seats, (tuple(moved),) * 9)
    position.pace, position.moves = moved, [10 * count for count in moved]
    position.learn()
    return position


def at_its_end(position: Position) -> None:
    position.totals = [position.rules.target] * position.seats


def in_its_first_round(position: Position) -> None:
    position.beliefs = at_first(position.seats)


def at_the_same_pace(position: Position) -> None:
    in_its_first_round(position)
    position.pace = [30] * position.seats
    position.learn()


@pytest.mark.parametrize("known", [True, False])
def test_chances_are_sharper_where_paces_differ_and_stay_and_much_is_to_come(known: bool) -> None:
    position = long_and_steady()
    assert position.strengths
    position.strengths = position.strengths if known else []
    assert max(sharpened(position, 0.5)) > max(sharpened(position, 0)) + 0.01


@pytest.mark.parametrize("otherwise", [at_its_end, in_its_first_round, at_the_same_pace])
def test_otherwise_they_are_not(otherwise: Callable[[Position], None]) -> None:
    position = long_and_steady()
    position.strengths = []
    otherwise(position)
    assert sharpened(position, 0.5) == pytest.approx(sharpened(position, 0))


def test_one_round_has_a_network_of_its_own() -> None:
    told = json.loads((MODELS / "spectator.json").read_text())
    networks = told["coefficients"]["known"]
    networks["one_round"] = networks["to_target"]
    told["digest"] = digest(told["coefficients"])
    position = Position(narrow(Header, played(3)[0]))
    position.totals[0] = 20
    for speedy in (True, False):
        position.rules = replace(position.rules, speedy=speedy)
        rows = inputs.spectator(position)
        alike = Network(told).probabilities(rows) == model("spectator").probabilities(rows)
        assert alike != speedy


# The series


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@pytest.mark.parametrize("detailed", [False, True])
def test_probabilities_sum_to_one(path: Path, detailed: bool) -> None:
    for point in points_of(lines_of(path), detailed=detailed):
        assert sum(point.p) == pytest.approx(1)
        assert min(point.p) >= 0


@given(st.lists(st.integers(1, 10**6), min_size=2, max_size=5), st.integers(2, 4))
def test_rounded_probabilities_sum_to_one_too(weights: list[int], digits: int) -> None:
    exact = [weight / sum(weights) for weight in weights]
    told = rounded(exact, digits)
    assert sum(told) == pytest.approx(1, abs=1e-12)
    assert told == pytest.approx(exact, abs=len(exact) * 10**-digits)
    assert all(told)  # what is possible is never 0
    assert rounded(told, digits) == told


@settings(max_examples=5, deadline=None)
@given(seeds, st.sampled_from(POPULATIONS))
def test_the_curve_has_a_point_at_deals_takes_ends_and_every_two_seconds(
    seed: int, population: str
) -> None:
    record = played(seed, population)
    points = points_of(record)
    assert {point.cause for point in points} <= CURVE
    assert [(p.round, p.t) for p in points] == sorted((p.round, p.t) for p in points)
    assert [p.seq for p in points] == sorted(p.seq for p in points)
    marked = {p.seq for p in points if p.cause != CLOCK}
    assert marked == {seq for seq, line in enumerate(record) if deserves_a_point(line)}
    for line in record:
        if isinstance(line, End):
            number = max(p.round for p in points if p.seq <= record.index(line))
            clock = [p.t for p in points if p.round == number and p.cause == CLOCK]
            assert clock == list(range(STEP_MS, line.t, STEP_MS))


def deserves_a_point(line: Line) -> bool:
    return isinstance(line, Deal | End) or (isinstance(line, Play) and line.takes is not None)


@settings(max_examples=5, deadline=None)
@given(seeds)
def test_a_detailed_series_has_the_same_curve_and_the_chances_before_a_take(seed: int) -> None:
    record = played(seed)
    points = points_of(record, detailed=True)
    assert curve(points) == points_of(record)
    told = curve_and_befores(points)
    assert [point for point in told if point.cause in CURVE] == curve(points)
    for cause in (TAKE, TIE, END):
        befores = [
            before.p
            for before, point in pairwise(points)
            if point.cause == cause and before.seq < point.seq
        ]
        assert befores == [around(told, point.seq)[0] for point in points if point.cause == cause]


def test_the_page_shows_a_play_that_changed_much_and_the_chances_right_before_it() -> None:
    def at(seq: int, cause: str, mine: float) -> Point:
        return Point(seq, 1, 100 * seq, cause, (0,), (mine, 1 - mine))

    dealt, small = at(1, CLOCK, 0.5), at(2, PLAY, 0.55)
    least, large, last = at(3, PLAY, 0.57), at(4, PLAY, 0.7), at(5, CLOCK, 0.7)
    told = curve_and_befores([dealt, small, least, large, last])
    assert told == [dealt, least, large, last]
    assert around(told, 4) == (least.p, large.p)
    assert around(told, 2) == (dealt.p, dealt.p)


@settings(max_examples=5, deadline=None)
@given(seeds)
def test_reading_on_gives_what_rereading_gives_and_ends_with_the_result(seed: int) -> None:
    record = played(seed)
    whole = points_of(record)
    growing = Series(narrow(Header, record[0]))
    for seq, line in enumerate(record):
        growing.add(line, seq)
        assert growing.points == whole[: len(growing.points)]
    result = record[-1]
    assert isinstance(result, Result)
    share = 1 / len(result.winners)
    seats = range(len(narrow(Header, record[0]).seats))
    wanted = [share if seat in result.winners else 0.0 for seat in seats]
    assert list(whole[-1].p) == rounded(wanted, 4)


def test_days_of_silence_do_not_make_endless_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(winning.series, "MOST_CLOCK_POINTS", 500)
    record = played(5)
    header, deal = narrow(Header, record[0]), narrow(Deal, record[1])
    header = replace(header, rules=replace(header.rules, stall_ms=0))
    day, reading, nothing = 86_000_000, Series(header), (0,) * len(header.seats)
    for number in range(1, 4):
        reading.add(deal._replace(round=number), number)
        reading.add(End(day, "abandoned", nothing, nothing), number)
    assert 500 < len(reading.points) < 520


def quiet_end(seed: int) -> tuple[list[Point], End]:
    """A speedy match whose only round ends in a stall, after half of its events."""
    header, deal, *rest = lines(plan("roster", seed, 0))
    assert isinstance(header, Header)
    rules = replace(header.rules, speedy=True, stall_ms=30_000)
    table = Table(rules, len(header.seats))
    assert isinstance(deal, Deal)
    table.deal(deal)
    events = [line for line in rest[:150] if isinstance(line, Event)]
    while not isinstance(events[-1], Play):
        events.pop()
    for event in events:
        apply(table, event)
    last = end(table, events[-1].t + rules.stall_ms, "stalled")
    return series(Timeline.of([replace(header, rules=rules), deal, *events, last])), last


@pytest.mark.parametrize("seed", range(4))
def test_the_longer_nobody_plays_the_more_counts_what_an_end_would_bring(seed: int) -> None:
    points, last = quiet_end(seed)
    won = winners(last)
    since = last.t - 30_000
    quiet = [point for point in points if since < point.t < last.t]
    chances = [round(sum(point.p[seat] for seat in won), 9) for point in quiet]
    assert len(chances) >= 14
    assert chances == sorted(chances)
    assert chances[-1] > 0.86
    assert sum(points[-1].p[seat] for seat in won) == pytest.approx(1)


def test_a_round_whose_end_decides_nothing_is_judged_as_ever() -> None:
    header = played(1)[0]
    assert isinstance(header, Header)
    position = Position(replace(header, rules=replace(header.rules, speedy=False)))
    assert ended_as_it_stands(position) is None
    assert weighed((0.3, 0.7), position, 29_000) == (0.3, 0.7)


# Who is away


def waited_for(record: list[Line]) -> list[Point]:
    """The points of the same match if it was a live one, where a bot plays on for the absent."""
    header, *rest = record
    return points_of([replace(narrow(Header, header), source="live"), *rest])


@pytest.mark.parametrize("index", [1, 3, 8])
def test_who_left_has_hardly_a_chance_after_fifteen_seconds(index: int) -> None:
    record = list(lines(plan("leaver", 4, index)))
    seat, (number, t) = next(
        left for left in enumerate(left_at(Timeline.of(record))) if left[1] != STAYED
    )
    later = [
        point for point in points_of(record)[:-1] if point.round == number and point.t > t + 15_000
    ]
    assert later
    assert max(point.p[seat] for point in later) < 0.05
    assert all(sum(point.p) == pytest.approx(1) for point in later)


def test_who_comes_back_has_their_chance_again() -> None:
    record = list(lines(plan("stand_in", 4, 2)))
    told, never_away = points_of(record), waited_for(record)
    away = [place for place, point in enumerate(told) if point != never_away[place]]
    assert len(away) >= 5
    seat = min(range(len(told[0].p)), key=lambda seat: told[away[-1]].p[seat])
    first, last = told[away[0]], told[away[-1]]
    assert last.t - first.t < 20_000
    assert last.p[seat] < never_away[away[-1]].p[seat] / 4
    assert told[away[-1] + 1].round == last.round
    assert told[away[-1] + 1 :] == never_away[away[-1] + 1 :]


def at_the_table(index: int, missed: float, kind: type[Position] = Position) -> Position:
    """A match that somebody leaves, once they have missed so many movements of each other."""
    header, *record = lines(plan("leaver", 4, index))
    position = kind(narrow(Header, header))
    for line in record:
        position.read(line)
        position.learn()
        if max(position.missed()) > missed:
            return position
    raise AssertionError("nobody left")


def spectators_chances(position: Position) -> list[float]:
    return model("spectator").probabilities(inputs.spectator(position))


@pytest.mark.parametrize("index", [1, 3, 8])
def test_who_is_gone_is_no_measure_for_the_others(index: int) -> None:
    position = at_the_table(index, 40)
    gone = max(range(position.seats), key=position.missed().__getitem__)
    chances = judged(position, spectators_chances)
    position.totals[gone] += 60
    position.takers[gone] = 0
    takes = [count + 9 * (seat == gone) for seat, count in enumerate(position.habits.takes)]
    position.habits = position.habits._replace(takes=takes)
    assert judged(position, spectators_chances) == chances
    assert chances[gone] == 0
    others = [seat for seat in range(position.seats) if seat != gone]
    if len(others) > 1:
        there = spectators_chances(position.among(others))
        assert [chances[seat] for seat in others] == pytest.approx(there)


def test_chances_with_and_without_the_absent_count_by_how_likely_they_are_there() -> None:
    position = Position(next(header for header in headers() if len(header.seats) == 3))
    position.moves = [20, 20, 20]
    position.moved_at = [60, 60 - 2 * (USUAL + HALVED), 60 - 2 * (USUAL + 2 * HALVED)]
    position.learn()
    chances = judged(position, lambda table: [1 / table.seats] * table.seats)
    everybody, without_the_third, alone = 1 / 4, 1 / 4, 1 / 2
    third = everybody / 3
    second = third + without_the_third / 2
    assert chances == pytest.approx([second + alone, second, third])


def headers() -> Iterator[Header]:
    return (plan("roster", 4, index).header for index in range(99))


@pytest.mark.parametrize("seed", [1, 5, 6])
def test_who_has_no_cards_to_turn_over_is_not_away(seed: int) -> None:
    record = played(seed)
    position = Position(narrow(Header, record[0]))
    rested = 0.0
    for line in record[1:]:
        position.read(line)
        position.learn()
        rested = max(rested, rest_of(position))
    assert rested > 10
    assert points_of(record) == waited_for(record)


def test_a_tie_that_gives_a_hand_its_card_back_does_not_make_it_absent() -> None:
    position = Position(next(header for header in headers() if len(header.seats) == 3))
    position.piles, position.hands = [0, 30, 30], [2, 5, 5]
    position.moves, position.moved_at = [20, 60, 60], [20, 140, 139]
    position.learn()
    assert position.missed() == [0, 0, 0.5]
    position.read(Tie(50_000, 0, ("A3a", "B3b"), (0, 20)))
    assert position.piles[0] == 1
    assert position.missed() == [0, 0, 0.5]


def rest_of(position: Position) -> float:
    """The most movements that have passed a hand by, whatever cards it had."""
    return (sum(position.moves) - min(position.moved_at)) / (position.seats - 1)
