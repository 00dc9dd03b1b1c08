"""What players can learn from: whom they fed, what they left, and how often that was."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.bots import simulate
from games.bots.roster import bot_spec
from games.engine.cards import FACE
from games.engine.editions import EDITIONS
from games.engine.events import Play
from games.engine.fitting import fits
from games.engine.table import Table
from replays.analysis import Findings
from replays.analysis.chances import FREE
from replays.analysis.match_report import match_report
from replays.analysis.missed_takes import separate_moments, taker
from replays.analysis.moments.judgements import DUBIOUS, ERRORS, FEED, GOOD, MISSED_TAKE
from replays.analysis.moments.lessons import EACH
from replays.analysis.moments.wording import SOON_MS, cards, chance, face
from replays.analysis.windows import CLOSED, Window
from replays.timeline import Round, Timeline

EDITION = "usaopoly-2009"
BEGINNER = 0


@cache
def findings() -> Findings:
    """A beginner among bots that are much quicker."""
    seats = ("first-fit:1:beginner", "taker:3", "starver:3", "builder:3")
    specs = tuple(map(bot_spec, seats))
    setting = simulate.Setting(EDITION, EDITIONS[EDITION], specs, 5)
    return Findings(Timeline.of(simulate.lines(setting, 0)))


def before(played: Round, seq: int) -> Table:
    return played.table(played.seqs.index(seq))


def fed_takes() -> dict[int, tuple[Round, Play, Play]]:
    """Each play that another player took with a 5 at once: by its seq, with that take."""
    found = {}
    for played in findings().timeline.rounds:
        last: dict[int, tuple[int, Play]] = {}
        for event, seq in zip(played.events, played.seqs, strict=True):
            if not isinstance(event, Play):
                continue
            below = last.get(event.stack)
            if event.takes and FACE[event.card] == 5 and below:
                under, laid = below
                if laid.seat != event.seat and event.t - laid.t <= SOON_MS:
                    found[under] = played, laid, event
            last[event.stack] = seq, event
    return found


def test_a_play_that_let_another_take_at_once_is_judged_for_who_played_it() -> None:
    fed = fed_takes()
    judged = {one.seq: one for one in findings().judgements if one.verdict in (DUBIOUS, FEED)}
    assert judged
    assert judged.keys() <= fed.keys()
    swings = {one.seq: one for one in findings().swings}
    for seq, (played, laid, take) in fed.items():
        table = before(played, seq)
        safer = {
            f"{face(card)} on stack {slot + 1} would have been safer"
            for card in table.hands[laid.seat]
            for slot, top in enumerate(table.tops)
            if FACE[card] < 4 and fits(table.rules, top, FACE[card])
        }
        after = swings[played.seqs[played.events.index(take)]]
        cost = after.change(laid.seat) + (0 if safer else swings[seq].change(laid.seat))
        assert (seq in judged) == (cost < 0)
        if seq not in judged:
            continue
        one, figures = judged[seq], judged[seq].figures
        assert (one.seat, one.t, figures["cards"]) == (laid.seat, laid.t, take.takes)
        assert figures["delta"] == pytest.approx(cost)
        assert (one.verdict == DUBIOUS) == (cost < -ERRORS * figures["standard_error"])
        names = findings().names
        assert f"{names[take.seat]} took {cards(take.takes or 0)} " in one.text
        assert ("with a 5 in hand too" in one.text) == any(
            FACE[card] == 5 for card in table.hands[laid.seat]
        )
        told = any(words in one.text for words in safer)
        assert told if safer else "nothing safer fitted" in one.text


def test_the_costliest_of_each_kind_are_there_to_learn_from() -> None:
    found, names = findings().lessons, findings().names
    kinds = Counter((one.seat, one.verdict) for one in found)
    assert max(kinds.values()) == EACH
    assert len({(one.seq, one.seat, one.verdict) for one in found}) == len(found)
    assert all(one.verdict != GOOD for one in found)
    for seat in range(len(names)):
        judged = Counter(
            one.verdict
            for one in findings().judgements
            if one.seat == seat and one.verdict not in (GOOD, MISSED_TAKE)
        )
        for kind, count in judged.items():
            assert kinds[seat, kind] == min(count, EACH)


def test_who_is_slow_as_a_rule_learns_of_missed_takes_too() -> None:
    """A beginner hardly ever has a hand free for longer than usual."""
    judged = [
        one for one in findings().judgements if one.seat == BEGINNER and one.verdict == MISSED_TAKE
    ]
    learned = [
        one for one in findings().lessons if one.seat == BEGINNER and one.verdict == MISSED_TAKE
    ]
    assert len(judged) < EACH == len(learned)
    left = [
        one
        for one in findings().missed
        if one.chance.window.seat == BEGINNER
        and taker(one.chance.window) is not None
        and one.chance.cause == FREE
    ]
    there = {one.seq for one in left} | {one.seq for one in judged}
    assert {one.seq for one in learned} <= there
    least = max(one.figures["delta"] for one in learned)
    rest = {one.seq for one in left} - {one.seq for one in learned}
    assert all(one.delta >= least - 0.001 for one in left if one.seq in rest)


def test_the_report_has_the_lessons() -> None:
    told = match_report(findings())["lessons"]
    assert [(one["seq"], one["seat"], one["text"]) for one in told] == [
        (one.seq, one.seat, one.text) for one in findings().lessons
    ]


# How many separate moments


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.integers(0, 60), max_size=16))
def test_takes_missed_at_once_or_one_after_the_other_are_one_moment(edges: list[int]) -> None:
    spans = [sorted(pair) for pair in zip(edges[::2], edges[1::2], strict=False)]
    missed = [Window(0, "A5a", 0, since, until, CLOSED, True, 3) for since, until in spans]
    halves = {half for since, until in spans for half in range(2 * since, 2 * until + 1)}
    starts = [half for half in halves if half - 1 not in halves]
    assert separate_moments(missed) == len(starts)


def test_the_players_table_has_them_beside_the_count() -> None:
    for row in findings().players:
        moments, count = row.cells["missed_moments"].value, row.cells["missed_takes"].value
        assert moments is not None
        assert count is not None
        assert 0 < moments < count


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (0.4, 0.54, "40% to 54%"),
        (0.846, 0.8541, "84.6% to 85.4%"),
        (0.991, 0.998, "99.1% to 99.8%"),
        (0.852, 0.853, "85% before and after"),
        (0.003, 0.001, "under 1% before and after"),
        (0.004, 0, "under 1% to 0%"),
    ],
)
def test_a_change_is_told_as_finely_as_it_shows(before: float, after: float, told: str) -> None:
    assert chance(before, after) == f"win probability {told}, estimated"
