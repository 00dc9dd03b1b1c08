"""What players can learn from: whom they fed, what they left, and how often that was."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from operator import attrgetter
from statistics import median

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.bots import simulate
from games.bots.roster import bot_spec
from games.engine.editions import EDITIONS
from games.engine.message import often, points_between
from replays.analysis import Findings
from replays.analysis.chances import FREE, Chance
from replays.analysis.match_report import match_report
from replays.analysis.missed_takes import separate_moments, taker
from replays.analysis.moments.judgements import MISSED_TAKE, MISTAKE, Judgement, missed_take
from replays.analysis.moments.lessons import MAX_LESSONS
from replays.analysis.moments.lessons import lessons as chosen
from replays.analysis.moments.wording import NOTICEABLE, chance
from replays.analysis.open_takes import LEAST_CARDS
from replays.analysis.race_cards import LATE
from replays.analysis.sentences import render_text, say
from replays.analysis.windows import CLOSED, PLAYED, Window
from replays.timeline import Timeline
from tests.analysis.telling import by_kind
from tests.narrowing import present

EDITION = "usaopoly-2009"
BEGINNER, BUILDER = 0, 3


@cache
def findings() -> Findings:
    """A beginner among bots that are much quicker."""
    seats = ("first-fit:1:beginner", "taker:3", "starver:3", "builder:3")
    specs = tuple(map(bot_spec, seats))
    setting = simulate.Setting(EDITION, EDITIONS[EDITION], specs, 5)
    return Findings(Timeline.of(simulate.lines(setting, 0)))


def test_nobody_is_blamed_for_what_others_made_of_a_play() -> None:
    verdicts = {judgement.verdict for judgement in (*findings().judgements, *findings().lessons)}
    assert verdicts == {MISSED_TAKE, MISTAKE}


def test_each_cause_is_one_lesson_the_costliest_first() -> None:
    lessons = findings().lessons
    seats = Counter(lesson.seat for lesson in lessons)
    assert 1 < max(seats.values()) <= MAX_LESSONS
    assert len({(lesson.seq, lesson.seat) for lesson in lessons}) == len(lessons)
    assert [lesson.seat for lesson in lessons] == sorted(lesson.seat for lesson in lessons)
    starts = [
        (lesson.seat, lesson.text["say"][0].kind)
        for lesson in lessons
        if lesson.figures["times"] > 1
    ]
    assert starts
    assert len(set(starts)) == len(starts)
    kept = [judged for judged in judged_or_left(BEGINNER) if kept_a_5(judged)]
    (render_text,) = [lesson for lesson in lessons if lesson.seat == BEGINNER and kept_a_5(lesson)]
    assert render_text.figures["times"] == len(kept)
    assert all(judged.figures["delta"] > -NOTICEABLE for judged in kept)
    assert render_text.figures["cards"] == max(judged.figures["cards"] for judged in kept)
    first, then, *_ = render_text.text["say"]
    assert first == ("kept_a_5", {"player": ("seat", BEGINNER), "times": often(len(kept))})
    assert then.kind == "costliest"


def late(judged: Judgement) -> bool:
    return "missed_late" in by_kind(judged.text)


def kept_a_5(judged: Judgement) -> bool:
    missed = by_kind(judged.text).get("missed_left")
    return missed is not None and missed["card"] == ("card", 5)


def test_a_lesson_claims_no_more_than_its_figures_show() -> None:
    """No small stack left, no cost where there was none, no costliest among equals."""
    lessons = findings().lessons
    left = [lesson for lesson in lessons if lesson.verdict == MISSED_TAKE]
    assert min(lesson.figures["cards"] for lesson in left) >= LEAST_CARDS
    for lesson in left:
        kinds = by_kind(lesson.text).keys()
        changed = any(kind.startswith("chance") for kind in kinds)
        assert changed == (lesson.figures["delta"] <= -NOTICEABLE)
    assert {lesson.figures["delta"] <= -NOTICEABLE for lesson in left} == {True, False}
    mistakes = [
        lesson for lesson in lessons if lesson.verdict == MISTAKE and lesson.figures["times"] > 1
    ]
    assert mistakes
    for lesson in mistakes:
        assert ("costliest" in by_kind(lesson.text)) == ("cards" in lesson.figures)


def test_what_costs_most_points_comes_first() -> None:
    """By points, whatever it changed in the chance to win."""
    lessons = [lesson for lesson in findings().lessons if lesson.seat == BUILDER]
    worth = [
        1.3 * lesson.figures["times"]
        if lesson.verdict == MISTAKE
        else (0.4 if late(lesson) else 0.6 if kept_a_5(lesson) else 0.2) * lesson.figures["cards"]
        for lesson in lessons
    ]
    assert len(worth) > 1
    assert worth == sorted(worth, reverse=True)


def test_what_cost_little_is_no_lesson() -> None:
    """Less than two points, or less than half a point a round."""
    whole = findings()
    assert len(whole.timeline.rounds) == 4
    lost = [
        judged.seat
        for judged in whole.judgements
        if judged.verdict == MISTAKE and "cards" in judged.figures
    ]
    render_text = [lesson.seat for lesson in whole.lessons if lesson.verdict == MISTAKE]
    assert Counter(lost)[render_text[0]] > 1, "two mistakes cost 2.6 points"
    assert 1 in Counter(lost).values(), "one costs 1.3"
    assert all(Counter(lost)[seat] > 1 for seat in render_text)
    usual = [chance for of_round in whole.round_chances for chance in of_round.listed]
    assert chosen(whole.judgements, [], usual, 4)
    assert not chosen(whole.judgements, [], usual, 6)


def test_a_mistake_is_a_lesson_only_if_it_lost_a_take() -> None:
    mistakes = [lesson for lesson in findings().lessons if lesson.verdict == MISTAKE]
    assert all("lost_meanwhile" in by_kind(lesson.text) for lesson in mistakes)


def judged_or_left(seat: int) -> list[Judgement]:
    """What there is to say of each take that a seat left, before one of each cause is chosen."""
    whole = findings()
    swing_at = {swing.seq: swing for swing in whole.swings}
    usual = median(
        open_chance.window.until - open_chance.window.since
        for of_round in whole.round_chances
        for open_chance in of_round.listed
        if open_chance.window.end == PLAYED
    )
    longest: dict[int, Chance] = {}
    for lost in whole.missed:
        chance = lost.chance
        left = taker(chance.window) is not None and chance.cause == FREE
        tried = any(late.seat == seat for late in present(swing_at[lost.seq].facts).beaten)
        left = left and chance.window.cards >= LEAST_CARDS
        if chance.window.seat == seat and left and not tried and chance.free_ms > usual:
            longest[lost.seq] = max(
                chance, longest.get(lost.seq, chance), key=attrgetter("free_ms")
            )
    return [missed_take(freest, swing_at[seq]) for seq, freest in longest.items()]


def test_who_was_first_on_equal_lines_is_not_blamed() -> None:
    """The same match, with the loser of each race on a line that explains it."""
    whole = findings()
    late = [race for race in whole.race_cards if race.kind == LATE and race.takes]
    blamed = {
        (judged.seq, judged.seat) for judged in whole.judgements if judged.verdict == MISSED_TAKE
    }
    race = next(race for race in late if (race.play_seq, race.attempts[-1].seat) in blamed)
    lags = [0.0] * len(whole.names)
    lags[race.attempts[-1].seat] = 2_000.0
    lagging = Findings(whole.timeline, lags)
    (same,) = [card for card in lagging.race_cards if card.seq == race.seq]
    assert same.equal_lines == race.attempts[-1].seat
    render_text = {(judged.seq, judged.seat) for judged in (*lagging.judgements, *lagging.lessons)}
    assert (race.play_seq, race.attempts[-1].seat) not in render_text


def test_the_report_has_the_lessons() -> None:
    render_text = match_report(findings())["lessons"]
    assert [(lesson["seq"], lesson["seat"], lesson["text"]) for lesson in render_text] == [
        (lesson.seq, lesson.seat, lesson.text) for lesson in findings().lessons
    ]


# How many separate moments


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.integers(0, 60), max_size=16))
def test_takes_missed_at_once_or_one_after_the_other_are_one_moment(edges: list[int]) -> None:
    spans = [sorted(pair) for pair in zip(edges[::2], edges[1::2], strict=False)]
    missed = [Window(0, "A5a", 0, since, until, CLOSED, True, 3) for since, until in spans]
    halves = {half for since, until in spans for half in range(2 * since, 2 * until + 1)}
    starts = [half for half in halves if half - 1 not in halves]
    assert max(separate_moments(missed), default=0) == len(starts)


def test_the_players_table_has_them_beside_the_count() -> None:
    for row in findings().players:
        moments, count = row.cells["missed_moments"].value, row.cells["missed_takes"].value
        assert moments is not None
        assert count is not None
        assert 0 < moments < count


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (0.4, 0.54, "40% → 54%"),
        (0.376, 0.2449, "38% → 24%"),
        (0.846, 0.8541, "85% before and after"),
        (0.991, 0.998, "over 99% before and after"),
        (0.852, 0.853, "85% before and after"),
        (0.003, 0.001, "under 1% before and after"),
        (0.004, 0, "under 1% → 0%"),
    ],
)
def test_a_change_in_points_is_that_of_the_shares_in_words(
    before: float, after: float, words: str
) -> None:
    assert render_text(say(chance(before, after))) == f"Chance to win: {words}."
    numbers = [int(number) for number in re.findall(r"\d+", words.replace("under 1%", "0%"))]
    assert points_between(before, after) == numbers[-1] - numbers[0]
