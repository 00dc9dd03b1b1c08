"""A try made differently: judged by the referee, and what playing on makes of it."""

import json
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.actions import Refusal
from games.engine.cards import FACE, OWNER
from games.engine.events import Event, Late, Miss, Play, Tie
from games.engine.facts import Fault
from replays.analysis.findings import Findings
from replays.analysis.judge.judge import (
    ERRORS,
    LEAST,
    TRY_STAGES,
    Judge,
    Outcome,
    SeatOutcome,
    later_take,
)
from replays.analysis.judge.playing import Change, TryAt, other_cards
from replays.analysis.judge.tally import Batch, Tallies, Tally
from replays.analysis.judge.words import change_of, changes, row
from replays.analysis.lag import lags
from replays.analysis.leaving import STAYED, left_at
from replays.analysis.race_cards import LATE, race_cards
from replays.analysis.sentences import render_text, say
from replays.analysis.winning.series import curve_and_befores, series
from replays.timeline import Timeline
from replays.training.matches import lines, plan
from replays.variations.lines import MatchLines, Place

seeds = st.integers(0, 2**32)


@cache
def match(seed: int) -> Timeline:
    return Timeline.of(lines(plan("roster", seed, 0)))


@cache
def judge_of(seed: int) -> Judge:
    return Judge(match(seed), lags(match(seed)))


def tries(known: Timeline) -> list[tuple[TryAt, Event]]:
    """The tries of the first round."""
    tried: list[tuple[TryAt, Event]] = []
    for number, event in enumerate(known.rounds[0].events, 1):
        if isinstance(event, Tie):
            tried += [(TryAt(1, number, OWNER[card]), event) for card in event.cards]
        elif isinstance(event, Play | Late | Miss):
            tried.append((TryAt(1, number, event.seat), event))
    return tried


def outcome_of(seed: int, at: TryAt, change: Change) -> Event | Refusal | None:
    return judge_of(seed).about(at, change).became


@settings(max_examples=4, deadline=None)
@given(seeds)
def test_an_unchanged_try_has_its_outcome(seed: int) -> None:
    for at, event in tries(match(seed))[::7]:
        assert outcome_of(seed, at, Change()) == event


@settings(max_examples=4, deadline=None)
@given(seeds)
def test_flip_times_are_what_the_referee_makes_of_them(seed: int) -> None:
    played = match(seed).rounds[0]
    for race in race_cards(played, lags(match(seed)))[:12]:
        if race.flip_ms is None:
            continue
        mover = race.attempts[1 if race.kind == LATE else 0].seat
        at = TryAt(1, played.seqs.index(race.seq) + 1, mover)
        almost = outcome_of(seed, at, Change(1 - race.flip_ms))
        flipped = outcome_of(seed, at, Change(-race.flip_ms))
        late = race.kind == LATE
        assert isinstance(almost, Late if late else Tie)
        ties = late and played.header.rules.tie_window_ms > 0
        assert isinstance(flipped, Tie if ties else Play)


def first_take(known: Timeline, cards: int = 6) -> tuple[TryAt, Play]:
    return next(
        (at, event)
        for at, event in tries(known)
        if isinstance(event, Play) and (event.takes or 0) >= cards
    )


def test_batches_add_up_to_the_same_rollouts() -> None:
    question = judge_of(5).about(first_take(match(5))[0], Change(skip=True))
    whole = question.run(Batch(0, 6, seed=3))
    parts = question.run(Batch(0, 2, seed=3)).add(question.run(Batch(2, 4, seed=3)))
    for tally, other in zip(whole, parts, strict=True):
        assert tally.rollouts == other.rollouts == 6
        assert tally.wins == pytest.approx(other.wins)
        assert tally.points == other.points
        assert sum(tally.wins) == pytest.approx(6)
    assert Tallies.of_json(json.loads(json.dumps(whole.as_json()))).as_json() == whole.as_json()


def test_a_take_not_made_costs_points_and_begins_where_the_moment_and_the_bar_do() -> None:
    known = match(5)
    at, _ = first_take(known, 8)
    question = judge_of(5).about(at, Change(skip=True))
    render_text = row(known.rounds[0], question, question.run(Batch(0, 100)))
    assert render_text["points"] < 0
    seq = known.rounds[0].seqs[at.event - 1]
    shown = curve_and_befores(series(known, detailed=True))
    last = [point for point in shown if point.seq < seq][-1]
    (swing,) = (swing for swing in Findings(known).swings if swing.seq == seq)
    assert tuple(seat["before"] for seat in render_text["seats"]) == last.p == swing.before
    assert tuple(seat["played"] for seat in render_text["seats"]) == swing.after
    assert sum(seat["difference"] for seat in render_text["seats"]) == pytest.approx(0, abs=0.02)


def test_a_take_not_made_says_why_its_moment_says_another_number() -> None:
    known = match(5)
    at, take = first_take(known, 8)
    question = judge_of(5).about(at, Change(skip=True))
    tallies = question.run(Batch(0, 20))
    without = question.outcome(tallies).without
    assert without is not None
    assert sum(tallies.as_played.takes) == 0  # it is about the other way
    taker = max(range(len(known.names)), key=lambda seat: tallies.instead.takes[seat])
    count = tallies.instead.takes[taker]
    assert without == (taker, count / 20, tallies.instead.take_ms[taker] // count)
    (said,) = row(known.rounds[0], question, tallies)["text"]["say"]
    seq = known.rounds[0].seqs[at.event - 1]
    (swing,) = (swing for swing in Findings(known).swings if swing.seq == seq)
    shown = (said[1]["before"][1], said[1]["after"][1])
    assert shown == swing.chances(take.seat)
    assert said[0] == ("taken_anyway" if taker == take.seat else "taken_instead")


def test_a_stack_that_was_left_is_taken_by_the_first_who_takes_it_from_then_on() -> None:
    left = Play(1_000, 0, "A5a", 2, takes=6)
    before, elsewhere = left._replace(t=900), left._replace(t=1_100, stack=1)
    covered, late = left._replace(t=1_200, takes=None), left._replace(t=1_900)
    taken = Play(1_500, 1, "B5a", 2, takes=7)
    assert later_take(left, (before, elsewhere, covered, taken, late)) == taken
    assert later_take(left, (before, elsewhere, covered)) is None


def test_a_take_made_later_does_not_say_who_takes_the_stack_instead() -> None:
    at, _ = first_take(match(5))
    question = judge_of(5).about(at, Change(50))
    assert question.outcome(question.run(Batch(0, 4))).without is None


def test_both_ways_of_one_moment_have_the_same_level() -> None:
    at, _ = first_take(match(5))
    changes = (Change(), Change(50), Change(skip=True))
    assert len({judge_of(5).about(at, change).before for change in changes}) == 1


def test_a_difference_is_told_from_three_points_and_three_errors_on() -> None:
    question = judge_of(5).about(first_take(match(5))[0], Change(50))
    base = question.played[question.seat]
    for gain, spread, clear in ((0.3, 0.1, True), (LEAST - 0.01, 0.0, False), (0.05, 0.4, False)):
        tallies = Tallies(Tally(4), Tally(4))
        for number in range(40):
            p = 0.3 + spread * (number % 2)
            for tally, more in zip(tallies, (0, gain), strict=True):
                chances = [0.0] * 4
                chances[question.seat] = p + more
                tally.add((1, 2, 3, 4), chances)
        outcome = question.outcome(tallies)
        seat = outcome.seats[question.seat]
        assert outcome.is_significant is clear
        assert seat.difference == pytest.approx(min(gain, 1 - base))
        assert seat.low >= -base
        assert clear == (gain >= LEAST and gain >= ERRORS * tallies.win(question.seat).error)


def test_rollouts_go_on_until_it_is_clear() -> None:
    question = judge_of(5).about(first_take(match(5), 8)[0], Change(skip=True))
    assert question.due(None) == TRY_STAGES[0]
    tallies = question.run(Batch(0, 60))
    assert question.due(tallies) == TRY_STAGES[0] - 60
    whole = Tallies(*(Tally(4) for _ in range(2)))
    for _ in range(TRY_STAGES[-1]):
        for tally in whole:
            tally.add((0,) * 4, (0.25,) * 4)
    assert question.due(whole) == 0


def test_the_figure_in_words() -> None:
    def words(
        base: float, difference: float, wide: float, *, clear: bool, played: float | None = None
    ) -> str:
        ended = base if played is None else played
        seat = SeatOutcome(base, ended, difference, difference - wide, difference + wide)
        other = SeatOutcome(1 - base, 1 - ended, 0, 0, 0)
        outcome = Outcome(300, 0, None, clear, 0, 0, (seat, other))
        return render_text(say(change_of(outcome, 0)), ["P1"])

    assert words(0.2, 0.07, 0.02, clear=True) == (
        "P1’s chance to win: +7 percentage points (5 to 9), 20% → 27%."
    )
    assert words(0.5, -0.01, 0.03, clear=False) == (
        "No clear difference for P1’s chance to win: −1 percentage point (−4 to 2), 50% → 49%."
    )
    assert words(0.52, -0.07, 0.03, clear=True, played=0.58) == (
        "P1’s chance to win: −7 percentage points (−10 to −4), 51% instead of 58%."
    )
    assert words(0.52, 0.01, 0.01, clear=False, played=0.58) == (
        "No clear difference for P1’s chance to win: +1 percentage point (0 to 2), "
        "59% instead of 58%."
    )


def test_another_card_is_judged_like_a_try_with_it() -> None:
    known = MatchLines(match(5))
    at, others = next(
        (at, cards)
        for at, event in tries(match(5))
        if isinstance(event, Play) and (cards := other_cards(known, at))
    )
    card, slot = others[0]
    assert isinstance(outcome_of(5, at, Change(card=card, slot=slot)), Play | Tie)
    hidden = match(5).rounds[0].deal.decks[at.seat][-1]
    assert isinstance(outcome_of(5, at, Change(card=hidden)), Refusal)


def test_of_cards_alike_one_is_offered() -> None:
    played = match(5)
    known = MatchLines(played)
    repeated = 0
    for at, _ in tries(played):
        offered = [(FACE[card], slot) for card, slot in other_cards(known, at)]
        assert len(offered) == len(set(offered))
        hand = known.table(Place(at.round, at.event - 1)).hands[at.seat]
        alike = [card for card in hand if [FACE[other] for other in hand].count(FACE[card]) > 1]
        repeated += any(face in {FACE[card] for card in alike} for face, _ in offered)
    assert repeated, "such hands are among them"


def test_only_a_try_can_be_changed() -> None:
    at, _ = tries(match(5))[0]
    for wrong in (at._replace(seat=3 - at.seat), at._replace(event=0), TryAt(99, 1, 0)):
        with pytest.raises(Fault):
            judge_of(5).about(wrong, Change())
    with pytest.raises(Fault, match="ms"):
        judge_of(5).about(at, Change(-5_000))


def test_whoever_has_left_does_not_play_on() -> None:
    known = Timeline.of(lines(plan("leaver", 4, 1)))
    judge, last = Judge(known, [None] * len(known.names)), known.rounds[-1]
    gone = next(seat for seat, left in enumerate(left_at(known)) if left != STAYED)
    number = max(n for n, event in enumerate(last.events, 1) if isinstance(event, Play))
    play = last.events[number - 1]
    assert isinstance(play, Play)
    question = judge.about(TryAt(last.number, number, play.seat), Change())
    tally = question.ways[0].tally(Batch(0, 10))
    assert tally.win(gone).mean < 0.02


def test_the_effect_on_every_seat_is_told_who_acts_first() -> None:
    """The actor's chance may stay where it is while another's falls."""
    seats = (
        SeatOutcome(0.40, 0.40, -0.16, -0.20, -0.12),
        SeatOutcome(0.07, 0.07, 0.01, -0.01, 0.03),
        SeatOutcome(0.53, 0.53, 0.15, -0.02, 0.32),
    )
    outcome = Outcome(100, 1, None, False, 0.0, 1.0, seats)
    assert [render_text(text, ["Kim", "Bruno", "Pim"]) for text in changes(outcome)] == [
        "No clear difference for Bruno’s chance to win: +1 percentage point (−1 to 3), 7% → 8%.",
        "Kim’s chance to win: −16 percentage points (−20 to −12), 40% → 24%.",
        "No clear difference for Pim’s chance to win: +15 percentage points (−2 to 32), 53% → 68%.",
    ]
