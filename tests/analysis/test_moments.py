"""Moments and judgements: what they add up to, what they rest on, how they are worded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.cards import FACE
from games.engine.events import Late, Miss, Play, Tie
from games.engine.fitting import takes
from games.engine.table import apply
from games.records.log import Line
from replays.analysis.moments import MOST, Moment, moments, wording
from replays.analysis.moments.judgements import (
    ERRORS,
    GOOD,
    MISSED_TAKE,
    MISTAKE,
    judgements,
)
from replays.analysis.moments.leads import lead_changes, standing_at
from replays.analysis.moments.soon import soon_ms
from replays.analysis.moments.swings import swings
from replays.analysis.winning import inputs
from replays.analysis.winning.network import model
from replays.analysis.winning.pace import judged
from replays.analysis.winning.position import FIVE, Position
from replays.analysis.winning.series import CLOCK, DEAL, HANDS, TAKE, TIE, Point, curve, series
from replays.timeline import Timeline
from replays.training.matches import lines, plan
from tests.replays.matches import FILES, lines_of

seeds = st.integers(0, 2**32)


def timeline(seed: int, population: str = "roster") -> Timeline:
    return Timeline.of(lines(plan(population, seed, 0)))


def line_at(match: Timeline, seq: int) -> Line:
    for played in match.rounds:
        if seq in played.seqs:
            return played.events[played.seqs.index(seq)]
    raise AssertionError(f"no event has seq {seq}")


@settings(max_examples=6, deadline=None)
@given(seeds)
def test_all_steps_add_up_to_last_minus_first(seed: int) -> None:
    match = timeline(seed)
    points = series(match, detailed=True)
    listed = {(one.seq, one.cause): one for one in swings(match, points)}
    shown = curve(points)
    for seat in range(len(match.names)):
        told = sum(one.change(seat) for one in listed.values())
        rest = sum(
            point.p[seat] - last.p[seat]
            for last, point in pairwise(points)
            if (point.seq, point.cause) not in listed
        )
        assert told + rest == pytest.approx(shown[-1].p[seat] - shown[0].p[seat])


@settings(max_examples=6, deadline=None)
@given(seeds)
def test_a_swing_is_of_one_event_alone(seed: int) -> None:
    """Between the two points of a swing stands its event and nothing else."""
    match = timeline(seed)
    points = series(match, detailed=True)
    for last, point in pairwise(points):
        if point.cause in ("play", "take", "tie"):
            assert last.cause in (HANDS, DEAL, "clock")
            assert last.seq < point.seq
            assert last.seq == point.seq - 1


@settings(max_examples=8, deadline=None)
@given(seeds, st.sampled_from(["roster", "alien", "stranger"]))
def test_three_to_seven_moments_are_shown_the_most_important_first(
    seed: int, population: str
) -> None:
    match = timeline(seed, population)
    found = moments(match)
    assert 3 <= len(found) <= MOST
    sizes = [abs(one.delta) for one in found]
    assert sizes == sorted(sizes, reverse=True)
    assert len({(one.seq, one.kind) for one in found}) == len(found)
    for one in found:
        assert 0 < one.seq <= match.seq
        assert one.text.endswith(".")
        assert match.names[one.seats[0]] in one.text
        ends = one.seq in (match.seq, match.seq - 1)
        assert one.kind != "out" or ends or len(found) == 3


@settings(max_examples=8, deadline=None)
@given(seeds)
def test_the_greatest_take_is_among_them(seed: int) -> None:
    match = timeline(seed)
    points = series(match, detailed=True)
    takes = [one for one in swings(match, points) if one.cause == TAKE]
    greatest = max(takes, key=lambda one: abs(one.change(one.seats[0])))
    found = moments(match, points)
    told = {one.seq for one in found}
    fed = greatest.facts.fed.seq if greatest.facts and greatest.facts.fed else None
    size = abs(greatest.change(greatest.seats[0]))
    others = [one for one in found if one.kind in ("play", "tie", "out")]
    bigger = [one for one in others if abs(one.delta) >= size]
    assert greatest.seq in told or fed in told or len(bigger) >= 2


def test_a_tie_of_takers_is_as_large_as_the_take_that_it_cost() -> None:
    match = timeline(9)
    known = [one for one in swings(match, series(match, detailed=True)) if one.cause == TIE]
    expected: dict[int, tuple[int, int | None]] = {}
    for played in match.rounds:
        table = played.table()
        for place, (event, seq) in enumerate(zip(played.events, played.seqs, strict=True)):
            if isinstance(event, Tie) and (height := len(table.stacks[event.stack])):
                top = table.tops[event.stack]
                later = (one for one in played.events[place:] if isinstance(one, Play))
                took = [one.seat for one in later if one.stack == event.stack and one.takes]
                if all(takes(top, FACE[card], None) for card in event.cards):
                    expected[seq] = height + 1, took[0] if took else None
            apply(table, event)
    stakes = {one.seq: (one.stake.cards, one.stake.taker) for one in known if one.stake}
    assert stakes == expected
    costliest = max((one for one in known if one.stake), key=lambda one: one.lost)
    lost, seat = costliest.lost
    (told,) = [one for one in moments(match) if one.seq == costliest.seq]
    assert (told.kind, told.seats[0], told.delta) == ("tie", seat, -lost)
    assert f"either alone would have taken {expected[told.seq][0]} cards; " in told.text
    assert f"with the take {wording.percent(costliest.after[seat] + lost)})" in told.text


def test_a_take_that_did_not_happen_is_judged_like_one_that_did() -> None:
    match = timeline(4)
    points = {one.seq: one for one in series(match, detailed=True) if one.cause in (TAKE, TIE)}
    position, network, ties = Position(match.header), model("spectator"), 0

    def instead(seat: int, cards: int) -> Sequence[float]:
        return judged(
            position.with_take(seat, cards),
            lambda table: network.probabilities(inputs.spectator(table)),
        )

    for played in match.rounds:
        position.read(played.deal)
        heights = [0] * len(match.names)
        for event, seq in zip(played.events, played.seqs, strict=True):
            position.learn()
            point = points.get(seq)
            if isinstance(event, Play) and event.takes is not None and point:
                assert instead(event.seat, event.takes) == pytest.approx(point.p)
            elif isinstance(event, Tie) and point and point.instead:
                ties += 1
                height = heights[event.stack] + 1
                p = [instead(seat, height)[seat] for seat in point.seats]
                assert p == pytest.approx(point.instead)
            if isinstance(event, Play):
                heights[event.stack] += 1
                if event.takes is not None:
                    heights[event.stack] = 0
            position.read(event)
    assert ties


@settings(max_examples=6, deadline=None)
@given(seeds)
def test_judgements_rest_on_their_figures(seed: int) -> None:
    match = timeline(seed)
    known = swings(match, series(match, detailed=True))
    found = judgements(match, known)
    beaten = {one.seq: {late.seat for late in one.facts.beaten} for one in known if one.facts}
    misses = [e for played in match.rounds for e in played.events if isinstance(e, Miss)]
    assert sum(one.verdict == MISTAKE for one in found) == len(misses)
    for one in found:
        event = line_at(match, one.seq)
        if one.verdict == MISSED_TAKE:
            assert isinstance(event, Play)
            assert event.takes == one.figures["cards"] + 1
            assert one.figures["free_ms"] > one.figures["usual_ms"]
            assert event.seat != one.seat
            assert (" ms late: " in one.text) == (one.seat in beaten[one.seq])
        elif one.verdict == GOOD:
            assert one.figures["delta"] > ERRORS * one.figures["standard_error"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_any_match_has_moments_or_none(path: Path) -> None:
    match = Timeline.of(lines_of(path))
    found = moments(match)
    assert all(isinstance(one, Moment) for one in found)
    assert len(found) <= MOST


def test_a_match_that_has_only_begun_has_no_moment() -> None:
    whole = list(lines(plan("roster", 1, 0)))
    assert moments(Timeline.of(whole[:1])) == []
    assert moments(Timeline.of(whole[:2])) == []


@settings(max_examples=4, deadline=None)
@given(seeds)
def test_the_reasons_for_a_take_are_in_the_log(seed: int) -> None:
    match = timeline(seed)
    for swing in swings(match, series(match, detailed=True)):
        facts = swing.facts
        if facts is None or swing.cause != TAKE:
            continue
        if facts.fed:
            below = line_at(match, facts.fed.seq)
            assert isinstance(below, Play)
            assert (below.stack, FACE[facts.play.card]) == (facts.play.stack, FIVE)
            assert below.seat == facts.fed.seat != facts.play.seat
        for late in facts.beaten:
            tried = line_at(match, late.seq)
            assert isinstance(tried, Late)
            assert FACE[tried.card] >= FIVE
        for ready in facts.ready:
            assert ready.chance.free_ms > ready.usual_ms
            assert ready.chance.window.takes
        seats = [ready.chance.window.seat for ready in facts.ready]
        assert len({facts.play.seat, *seats}) == 1 + len(seats)


def slowed(match: Timeline, times: int) -> Timeline:
    """The same match, everything as many times as slow."""
    found: list[Line] = [match.header]
    for played in match.rounds:
        found += [played.deal, *(event._replace(t=times * event.t) for event in played.events)]
    return Timeline.of(found)


def test_what_is_soon_depends_on_the_tempo_of_the_table() -> None:
    match = timeline(3)
    quick, slow = (
        [one.facts.fed for one in swings(one, series(one, detailed=True)) if one.facts]
        for one in (match, slowed(match, 4))
    )
    soon = [fed.soon for fed in quick if fed]
    assert 0 < soon.count(False) < soon.count(True)
    same = [one.soon == other.soon for one, other in zip(quick, slow, strict=True) if one and other]
    assert sum(same) >= 0.9 * len(same)


def test_what_is_soon_depends_on_the_line() -> None:
    match = timeline(3)
    even = soon_ms(match, [100.0] * len(match.names))
    lagging = soon_ms(match, [1_000.0, *[100.0] * (len(match.names) - 1)])
    assert lagging[0] - lagging[1] == 900 > even[0] - even[1] == 0


def test_standings_count_the_round_so_far() -> None:
    for played in timeline(3).rounds:
        assert played.end is not None
        for seq in played.seqs[-2:]:
            assert standing_at(played, seq) == list(played.end.totals)


def test_a_comeback_was_clearly_behind() -> None:
    for seed in range(12):
        match = timeline(seed)
        points = curve(series(match, detailed=True))
        for one in moments(match):
            if one.kind == "comeback":
                (low,) = [point for point in points if (point.seq, point.t) == (one.seq, one.t)][:1]
                assert low.p[one.seats[0]] < 0.4 / len(match.names)
                assert max(low.p) >= 0.5
                behind = re.search(r"(\d+) points behind", one.text)
                assert behind
                assert int(behind[1]) >= 10


def test_the_lead_changes_only_clearly() -> None:
    def at(*p: float) -> Point:
        return Point(1, 1, 0, DEAL, (), p)

    steps = [at(0.5, 0.5), at(0.53, 0.47), at(0.495, 0.505), at(0.47, 0.53), at(0.46, 0.54)]
    (change,) = lead_changes([*steps])
    assert (change.leader, change.led) == (1, 0)
    assert (change.last, change.point) == (steps[2], steps[3])


def test_a_lead_is_told_of_what_somebody_did() -> None:
    """Between two steps of the clock the model only learns, say who is quick: that is no moment."""
    match = Timeline.of(lines(plan("roster", 468023, 12)))
    change = lead_changes(curve(series(match, detailed=True)))[-1]
    assert change.point.cause == CLOCK
    assert change.point.p[change.leader] - change.last.p[change.leader] > 0.15
    found = moments(match)
    assert found
    assert not any(one.kind == "lead" or "led from then on" in one.text for one in found)


@pytest.mark.parametrize(
    ("probability", "told"),
    [(0, "0%"), (0.004, "under 1%"), (0.42, "42%"), (0.996, "over 99%"), (1, "100%")],
)
def test_only_certainties_are_worded_as_certain(probability: float, told: str) -> None:
    assert wording.percent(probability) == told
