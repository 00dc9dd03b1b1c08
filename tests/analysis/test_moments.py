"""Moments and judgements: what they add up to, what they rest on, how they are worded."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.bots.roster import BotSpec
from games.bots.simulate import Setting
from games.bots.simulate import lines as simulated
from games.engine.cards import FACE
from games.engine.editions import EDITIONS
from games.engine.events import Miss, Play, Tie
from games.engine.fitting import takes
from games.engine.message import share
from games.engine.table import apply
from games.records.log import Header, Line
from replays.analysis import Findings
from replays.analysis.moments import MAX_MOMENTS, moments
from replays.analysis.moments.judgements import MISSED_TAKE, MISTAKE
from replays.analysis.moments.leads import lead_changes, standing_at
from replays.analysis.moments.swings import soon_ms
from replays.analysis.sentences import render_text
from replays.analysis.winning.chance import chance
from replays.analysis.winning.network import in_percent
from replays.analysis.winning.position import Position
from replays.analysis.winning.series import (
    CLOCK,
    DEAL,
    HANDS,
    TAKE,
    TIE,
    Point,
    around,
    curve,
    curve_and_befores,
)
from replays.timeline import Timeline
from replays.training.matches import lines, plan
from tests.analysis.telling import by_kind
from tests.narrowing import narrow

EDITION = "usaopoly-2009"
every_match = pytest.mark.parametrize("seed", range(5))
"""Some matches that several tests look at, read once."""


@cache
def timeline(seed: int, population: str = "roster") -> Timeline:
    return Timeline.of(lines(plan(population, seed, 0)))


@cache
def found(seed: int, population: str = "roster") -> Findings:
    return Findings(timeline(seed, population))


def line_at(match: Timeline, seq: int) -> Line:
    for played in match.rounds:
        if seq in played.seqs:
            return played.events[played.seqs.index(seq)]
    raise AssertionError(f"no event has seq {seq}")


@every_match
def test_each_step_is_of_one_event_and_all_add_up_to_last_minus_first(seed: int) -> None:
    match, points = timeline(seed), found(seed).points
    listed = {(swing.seq, swing.cause): swing for swing in found(seed).swings}
    for last, point in pairwise(points):
        if point.cause in ("play", "take", "tie"):
            assert last.cause in (HANDS, DEAL, "clock")
            assert last.seq == point.seq - 1
    shown = curve(points)
    for seat in range(len(match.names)):
        render_text = sum(swing.change(seat) for swing in listed.values())
        rest = sum(
            point.p[seat] - last.p[seat]
            for last, point in pairwise(points)
            if (point.seq, point.cause) not in listed
        )
        assert render_text + rest == pytest.approx(shown[-1].p[seat] - shown[0].p[seat])


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["roster", "alien", "stranger"]))
@example(166, "alien")  # the play that fed had helped the taker by more than the take
def test_at_most_seven_moments_are_shown_the_most_important_first(
    seed: int, population: str
) -> None:
    match, shown = timeline(seed, population), found(seed, population).moments
    plays = [abs(moment.delta) for moment in shown if moment.kind not in ("run", "result")]
    assert len(plays) <= MAX_MOMENTS
    assert len(shown) <= 3 or round(min(plays), 9) >= 0.03, "less is filling"
    sizes = [abs(moment.delta) for moment in shown]
    assert sizes == sorted(sizes, reverse=True)
    assert len({(moment.seq, moment.kind) for moment in shown}) == len(shown)
    for moment in shown:
        assert 0 < moment.seq <= match.seq
        assert render_text(moment.text, match.names).endswith(".")
        assert match.names[moment.seats[0]] in render_text(moment.text, match.names)
        ends = moment.seq in (match.seq, match.seq - 1)
        assert moment.kind != "out" or ends


@every_match
def test_the_greatest_take_is_among_them(seed: int) -> None:
    takes = [swing for swing in found(seed).swings if swing.cause == TAKE]
    greatest = max(takes, key=lambda swing: abs(swing.change(swing.seats[0])))
    shown = found(seed).moments
    places = {moment.seq for moment in shown}
    fed = greatest.facts.fed.seq if greatest.facts and greatest.facts.fed else None
    size = abs(greatest.change(greatest.seats[0]))
    others = [moment for moment in shown if moment.kind in ("play", "tie", "out")]
    bigger = [moment for moment in others if abs(moment.delta) >= size]
    assert greatest.seq in places or fed in places or len(bigger) >= 2 or size < 0.03


def test_a_tie_of_takers_is_as_large_as_the_take_that_it_cost() -> None:
    match = timeline(9)
    known = [swing for swing in found(9).swings if swing.cause == TIE]
    expected: dict[int, tuple[int, int | None]] = {}
    for played in match.rounds:
        table = played.table()
        for place, (event, seq) in enumerate(zip(played.events, played.seqs, strict=True)):
            if isinstance(event, Tie) and (height := len(table.stacks[event.stack])):
                top = table.tops[event.stack]
                later = (play for play in played.events[place:] if isinstance(play, Play))
                took = [play.seat for play in later if play.stack == event.stack and play.takes]
                if all(takes(top, FACE[card], None) for card in event.cards):
                    expected[seq] = height + 1, took[0] if took else None
            apply(table, event)
    stakes = {swing.seq: (swing.stake.cards, swing.stake.taker) for swing in known if swing.stake}
    assert stakes == expected
    costliest = max((swing for swing in known if swing.stake), key=lambda swing: swing.lost)
    lost, seat = costliest.lost
    (moment,) = [moment for moment in found(9).moments if moment.seq == costliest.seq]
    assert (moment.kind, moment.seats[0]) == ("tie", seat)
    assert moment.delta == pytest.approx(-lost, abs=0.01)
    facts = by_kind(moment.text)
    assert facts["either_alone"] == {"count": expected[moment.seq][0]}
    assert facts["with_take"]["instead"] == share(costliest.after[seat] + lost)


def test_a_take_that_did_not_happen_is_judged_like_one_that_did() -> None:
    match = timeline(4)
    points = {point.seq: point for point in found(4).points if point.cause in (TAKE, TIE)}
    position, ties = Position(match.header), 0

    def instead(seat: int, cards: int) -> Sequence[float]:
        return chance(position.with_take(seat, cards))

    for played in match.rounds:
        position.read(played.deal)
        heights = [0] * len(match.names)
        for event, seq in zip(played.events, played.seqs, strict=True):
            position.learn()
            point = points.get(seq)
            if isinstance(event, Play) and event.takes is not None and point:
                assert instead(event.seat, event.takes) == pytest.approx(point.p, abs=1e-4)
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


@every_match
def test_judgements_rest_on_their_figures(seed: int) -> None:
    match = timeline(seed)
    beaten = {
        swing.seq: {late.seat for late in swing.facts.beaten}
        for swing in found(seed).swings
        if swing.facts
    }
    misses = [e for played in match.rounds for e in played.events if isinstance(e, Miss)]
    assert sum(judgement["verdict"] == MISTAKE for judgement in found(seed).judgements) == len(
        misses
    )
    for judgement in found(seed).judgements:
        event = line_at(match, judgement["seq"])
        if judgement["verdict"] == MISSED_TAKE:
            assert isinstance(event, Play)
            assert event.takes == judgement["figures"]["cards"]
            assert judgement["figures"]["free_ms"] > judgement["figures"]["usual_ms"]
            assert event.seat != judgement["seat"]
            late = "missed_late" in by_kind(judgement["text"])
            assert late == (judgement["seat"] in beaten[judgement["seq"]])


def test_a_match_that_has_only_begun_has_no_moment() -> None:
    whole = list(lines(plan("roster", 1, 0)))
    assert Findings(Timeline.of(whole[:1])).moments == []
    assert Findings(Timeline.of(whole[:2])).moments == []


def slowed(match: Timeline, times: int) -> Timeline:
    """The same match, everything as many times as slow."""
    log: list[Line] = [match.header]
    for played in match.rounds:
        log += [played.deal, *(event._replace(t=times * event.t) for event in played.events)]
    return Timeline.of(log)


def test_what_is_soon_depends_on_the_tempo_of_the_table() -> None:
    match = timeline(3)
    quick, slow = (
        [swing.facts.fed for swing in Findings(table).swings if swing.facts]
        for table in (match, slowed(match, 4))
    )
    soon = [fed.soon for fed in quick if fed]
    assert 0 < soon.count(False) < soon.count(True)
    same = [fed.soon == other.soon for fed, other in zip(quick, slow, strict=True) if fed and other]
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


@pytest.mark.parametrize("seed", [15, 26, 42])
def test_a_comeback_was_clearly_behind(seed: int) -> None:
    match, points = timeline(seed, "alien"), found(seed, "alien").points
    (moment,) = [moment for moment in found(seed, "alien").moments if moment.kind == "comeback"]
    place = moment.seq, moment.t
    low = next(point for point in curve(points) if (point.seq, point.t) == place)
    assert low.p[moment.seats[0]] < 0.4 / len(match.names)
    assert max(low.p) >= 0.5
    assert by_kind(moment.text)["comeback"]["count"] >= 10
    gained = [values for kind, values in moment.text["say"] if kind == "gained"]
    assert 1 <= len(gained) <= 2, "it says how"
    assert all(values["after"][1] - values["before"][1] >= 0.05 for values in gained)


@every_match
def test_a_moment_begins_at_the_chance_that_the_page_shows_right_before_it(seed: int) -> None:
    shown = curve_and_befores(found(seed).points)
    for moment in found(seed).moments:
        if moment.kind in ("comeback", "left", "run"):
            continue  # a place on the curve, and a stretch of it
        before = in_percent(around(shown, moment.seq)[0])[moment.seats[0]]
        assert before == moment.chances[moment.kind == TIE], moment.kind


def test_the_lead_changes_only_clearly() -> None:
    def at(*p: float) -> Point:
        return Point(1, 1, 0, DEAL, (), p)

    steps = [at(0.5, 0.5), at(0.53, 0.47), at(0.495, 0.505), at(0.47, 0.53), at(0.46, 0.54)]
    (change,) = lead_changes([*steps])
    assert (change.leader, change.led) == (1, 0)
    assert (change.last, change.point) == (steps[2], steps[3])


def test_a_lead_is_told_of_what_somebody_did() -> None:
    """Between two steps of the clock the model only learns, say who is quick: that is no moment."""
    header, *record = lines(plan("roster", 468023, 12))
    match = Timeline.of([replace(narrow(Header, header), tags=()), *record])
    change = lead_changes(Findings(match).curve)[-1]
    assert change.point.cause == CLOCK
    assert change.point.p[change.leader] - change.last.p[change.leader] > 0.1
    shown = Findings(match).moments
    assert shown
    assert not any(moment.kind == "lead" or "favourite" in by_kind(moment.text) for moment in shown)


@pytest.mark.parametrize("seed", range(4))
def test_runs_are_what_the_key_plays_leave_and_the_result_comes_last(seed: int) -> None:
    whole = found(seed)
    (winner,) = whole.timeline.result.winners if whole.timeline.result else ()
    render_text = sorted(whole.moments, key=lambda moment: moment.seq)
    assert render_text[-1].seq == whole.curve[-1].seq
    assert render_text[-1].chances[1] == 1
    listed = [moment for moment in render_text if moment.kind == "run"]
    assert len(listed) <= 3
    assert {moment.seats for moment in listed} <= {(winner,)}
    assert all(abs(moment.delta) >= 0.095 for moment in listed)
    without = moments(whole.timeline, whole.points, whole.swings)
    assert {moment.kind for moment in without} == {m.kind for m in render_text} - {"run"}


def test_a_match_that_was_settled_all_along_has_its_largest_takes() -> None:
    """A level 5 against beginners: no play changes the chance by three points."""
    seated = BotSpec("taker", 5), BotSpec("taker", 1), BotSpec("runner", 1)
    setting = Setting(EDITION, EDITIONS[EDITION], seated, 4)
    whole = Findings(Timeline.of(simulated(setting, 0)))
    taken = [
        event.takes
        for played in whole.timeline.rounds
        for event in played.events
        if isinstance(event, Play) and event.takes
    ]
    render_text = [by_kind(moment.text) for moment in whole.moments if moment.kind != "result"]
    assert sorted(facts["took"]["count"] for facts in render_text) == sorted(taken)[-2:]


@every_match
def test_while_a_match_is_played_a_take_needs_a_change_or_many_cards(seed: int) -> None:
    log = list(lines(plan("roster", seed, 0)))
    for end in range(60, 200, 20):
        so_far = Findings(Timeline.of(log[:end]))
        for moment in so_far.moments:
            if moment.kind == "take" and abs(moment.delta) < 0.03:
                assert by_kind(moment.text)["took"]["count"] >= 8
