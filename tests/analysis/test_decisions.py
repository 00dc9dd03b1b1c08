"""Decisions: which takes were open to whom, and what passing them up cost, as the seat knew it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

import pytest

from games.engine.cards import FACE, Card
from games.engine.events import Deal, Discard, Draw, Event, Late, Miss, Play, Tie
from games.engine.perspective import see, see_deal
from replays.analysis.chances import chances
from replays.analysis.judge.judge import LEAST, STAGES, Judge, Question
from replays.analysis.judge.knowledge import HELD, Knowledge
from replays.analysis.judge.tally import Batch, Tallies, Tally
from replays.analysis.judge.words import (
    JudgedJson,
    lost,
    take_row,
    take_text,
    together,
)
from replays.analysis.lag import lags
from replays.analysis.open_takes import OpenTake, open_takes
from replays.analysis.sentences import render_text
from replays.timeline import Round, Timeline
from tests.analysis.rounds import a_round
from tests.replays.matches import timeline_of

LAGS = (100.0, 100.0)


def found_in(timeline: Timeline, seats: Sequence[float] = LAGS) -> list[OpenTake]:
    return [take for take in open_takes(timeline.rounds[0], seats) if take.seat == 0]


def away(t: int, card: Card = "A2a") -> Discard:
    return Discard(t, 0, card)


def test_a_take_that_was_open_is_passed_up_by_another_movement() -> None:
    (take,) = found_in(a_round(away(2_700)))
    assert (take.card, take.slot, take.cards, take.open_ms) == ("A5a", 0, 6, 700)
    assert (take.t, take.since) == (2_700, 2_300)
    assert take.known == take.event - 1 == take.top_event


@pytest.mark.parametrize(
    "later",
    [
        [away(2_450)],  # nobody could have seen it
        [Discard(2_600, 1, "B1b"), Play(2_650, 1, "B3c", 0), away(2_800)],  # changed meanwhile
        [away(2_700), Play(3_300, 0, "A5a", 0, takes=7)],  # the hand went for it next
        [away(2_700), Late(3_300, 0, "A5a", 0, None, 0)],
        [Late(2_700, 0, "A5a", 0, None, 0)],  # no such choice
        [Miss(2_700, 0, "A1a", 0, None, 0)],
    ],
)
def test_a_choice_that_was_not_there_is_none(later: list[Event]) -> None:
    if isinstance(later[0], Discard) and later[0].seat:
        later = [Draw(2_500, 1, "B1b"), Draw(2_630, 1, "B3c"), *later]
        later.sort(key=lambda event: event.t)
    assert not any(take.t == later[-1].t for take in found_in(a_round(*later)))
    if not isinstance(later[-1], Late | Play):
        assert not found_in(a_round(*later))


def test_a_slow_screen_shows_it_later() -> None:
    match = a_round(away(2_700))
    assert found_in(match, (640.0, 100.0))
    assert not found_in(match, (660.0, 100.0))


def test_who_put_the_top_card_there_knows_it_at_once() -> None:
    match = a_round(
        Play(3_000, 0, "A3a", 0), Play(3_130, 0, "A4a", 0), away(3_300), hand="A3a A4a A5a"
    )
    match.rounds[0].events[-1] = Draw(3_300, 0, "A1a")
    passed = [take for take in found_in(match) if take.t == 3_300]
    assert [(take.cards, take.since, take.open_ms) for take in passed] == [(8, 3_130, 170)]


def test_a_card_just_drawn_is_not_known_yet() -> None:
    def drawn_at(t: int) -> list[OpenTake]:
        match = a_round(away(2_300, "A1b"), Draw(t, 0, "A5a"), away(3_000), hand="A1b A1a A2a")
        return found_in(match)

    assert [take.t for take in drawn_at(2_500)] == [3_000]
    assert not drawn_at(2_501)


def test_a_larger_take_passed_up_for_a_smaller_one() -> None:
    small: list[Event] = [Play(2_200, 0, "A1a", 1), Draw(2_400, 0, "A2b"), Play(2_600, 0, "A2a", 1)]
    match = a_round(*small, Play(4_000, 0, "ARa", 1, takes=3), hand="ARa A1a A2a")
    assert [(take.slot, take.cards) for take in found_in(match) if take.t == 4_000] == [(0, 6)]
    match = a_round(*small, Play(4_000, 0, "ARa", 0, takes=7), hand="ARa A1a A2a")
    assert not [take for take in found_in(match) if take.t == 4_000]


def test_a_5_rather_than_a_wild_and_no_small_stacks() -> None:
    (take,) = found_in(a_round(away(2_700), hand="ARa A5a A2a"))
    assert take.card == "A5a"
    match = a_round(away(2_700))
    match.rounds[0].events[:] = [*match.rounds[0].events[:4], away(2_700)]
    assert not found_in(match)


def test_nothing_is_open_to_a_hand_that_must_be_refilled() -> None:
    missing: list[Event] = [away(2_200, "A1a"), away(2_700)]
    assert not found_in(a_round(*missing, edition="hasbro-2010"))
    assert found_in(a_round(*missing))


# What a seat could know


@cache
def recorded(name: str) -> tuple[Timeline, tuple[float | None, ...]]:
    match = timeline_of(name)
    return match, tuple(lags(match))


NAMES = ("valid-full-match-3", "valid-hasbro-2010-5", "valid-gamerules-2", "valid-usaopoly-2009-3")


def recorded_takes() -> Iterator[tuple[Timeline, Round, OpenTake]]:
    for name in NAMES:
        match, delays = recorded(name)
        for played in match.rounds[:2]:
            for take in list(open_takes(played, delays))[:6]:
                yield match, played, take


def test_what_is_dealt_anew_could_be_true() -> None:
    """All that the seat could see is the same, and every card is there once."""
    for _, played, take in recorded_takes():
        true = played.table(take.known)
        knowledge = Knowledge(played, take.seat, take.known)
        for seed in range(3):
            table = knowledge.dealt(Random(seed))
            assert table.hands[take.seat] == true.hands[take.seat]
            assert (table.stacks, table.score_piles) == (true.stacks, true.score_piles)
            assert (table.tops, table.free, table.t) == (true.tops, true.free, true.t)
            assert (table.pool, table.faces) == (true.pool, true.faces)
            for places, dealt in _places(true, table):
                assert list(map(len, places)) == list(map(len, dealt))
            for owner in range(table.seats):
                left = [*table.hands[owner], *table.draw_piles[owner], *table.discard_piles[owner]]
                before = [*true.hands[owner], *true.draw_piles[owner], *true.discard_piles[owner]]
                assert sorted(left) == sorted(before)


def _places(true, table) -> list[tuple]:
    names = ("hands", "draw_piles", "discard_piles")
    return [(getattr(true, name), getattr(table, name)) for name in names]


def test_a_5_lies_in_a_hand_rather_than_in_a_pile() -> None:
    knowledge = Knowledge(a_round().rounds[0], 0, 0)
    tables = [knowledge.dealt(Random(seed)) for seed in range(400)]
    held = Counter(FACE[card] for table in tables for card in table.hands[1])
    piled = Counter(FACE[card] for table in tables for card in table.draw_piles[1])
    weights = HELD["usaopoly-2009"]
    odds = (held[5] / piled[5]) / (held[2] / piled[2])
    assert odds == pytest.approx(weights[4] / weights[1], rel=0.35)
    assert [table.hands[0] for table in tables] == [["A5a", "A1a", "A2a"]] * 400


def test_hidden_cards_do_not_change_a_verdict() -> None:
    """Cards that the seat could not tell apart change places: it decided the same, and so do we."""
    swapped = 0
    for match, played, passed in recorded_takes():
        other = _with_other_cards(played, passed)
        if other is None:
            continue
        twin = Timeline.of([match.header])
        twin.rounds = [*match.rounds]
        twin.rounds[twin.rounds.index(played)] = other
        again = next(take for take in open_takes(other, (0,) * 5) if take.event == passed.event)
        assert again[:-1] == passed[:-1]
        asked = [Judge(timeline, (0,) * 5).about_take(passed) for timeline in (match, twin)]
        ours, theirs = (each.outcome(each.run(Batch(0, 6, seed=7))) for each in asked)
        assert ours == theirs
        swapped += 1
    assert swapped >= 8


def _with_other_cards(played: Round, take: OpenTake) -> Round | None:
    """The round up to the movement, with the first and the last hidden card of each deck
    exchanged; None if there are none."""
    before = played.events[: take.event - 1]
    table = played.table(take.known)
    seen = {card for event in before for card in _cards(see(event, take.seat))}
    seen |= {card for deck in see_deal(played.deal, take.seat).decks for card in deck}
    names: dict[Card, Card] = {}
    for owner in range(table.seats):
        left = [*table.hands[owner], *table.draw_piles[owner], *table.discard_piles[owner]]
        hidden = [card for card in left if card not in seen]
        if len(hidden) > 1:
            names |= {hidden[0]: hidden[-1], hidden[-1]: hidden[0]}
    decks = tuple(tuple(names.get(card, card) for card in deck) for deck in played.deal.decks)
    other = Round(played.header, Deal(played.number, decks), played.seq, played.before)
    for event, seq in zip(played.events[: take.event], played.seqs, strict=False):
        other.add(_renamed(event, names), seq)
    shown = [see(event, take.seat) for event in other.events[:-1]]
    assert shown == [see(event, take.seat) for event in before]
    assert see_deal(other.deal, take.seat).decks == see_deal(played.deal, take.seat).decks
    return other if other.deal.decks != played.deal.decks else None


def _cards(event: Event) -> tuple[Card, ...]:
    if isinstance(event, Tie):
        return event.cards
    return (event.card,) if isinstance(event, Play | Draw | Discard | Late | Miss) else ()


def _renamed(event: Event, names: dict[Card, Card]) -> Event:
    if isinstance(event, Draw | Discard | Late | Miss):
        return event._replace(card=names.get(event.card, event.card))
    return event


# Verdicts


def test_a_large_take_passed_up_costs_points() -> None:
    match = a_round(away(2_700), edition="hasbro-2010")
    judge = Judge(match, LAGS)
    (take,) = judge.to_judge(match.rounds[0])
    question = judge.about_take(take)
    verdict = question.run(Batch(0, 120))
    points, win = verdict.scored(0), verdict.win(0)
    assert 1 < points.mean < 7
    assert points.mean > 4 * points.error
    again = Judge(match, LAGS).about_take(take)
    assert question.judged().as_json() == again.judged().as_json()
    other = question.judged(seed=1)
    assert other.as_json() != question.judged().as_json()
    assert abs(other.win(0).mean - win.mean) < 4 * (other.win(0).error + win.error)


def test_a_take_is_judged_only_if_its_player_had_half_a_second_for_it() -> None:
    match, delays = recorded("valid-full-match-3")
    judge, had, short = Judge(match, delays), 0, 0
    for played in match.rounds:
        asked = judge.to_judge(played)
        for take in open_takes(played, delays):
            (free,) = [
                take.t - each.shown - sum(max(0, min(to, take.t) - at) for at, to in each.busy)
                for each in chances(played, delays)
                if (each.window.seat, each.window.slot) == (take.seat, take.slot)
                and each.window.card == take.card
                and each.window.span[0] < take.event <= each.window.span[1]
            ]
            had += take in asked
            short += free < 500
            assert free >= 500 or take not in asked
    assert had
    assert short


def test_what_comes_later_does_not_change_a_verdict() -> None:
    match, delays = recorded("valid-full-match-3")
    take = next(open_takes(match.rounds[1], delays))
    cut = timeline_of("valid-full-match-3", match.rounds[1].seqs[take.event - 1])
    ours, theirs = (Judge(each, delays).about_take(take) for each in (cut, match))
    assert ours.before == theirs.before
    assert ours.run(Batch(0, 9)).as_json() == theirs.run(Batch(0, 9)).as_json()


def test_a_what_if_of_a_passed_up_take_is_its_decision() -> None:
    match, delays = recorded("valid-full-match-3")
    judge = Judge(match, delays)
    take = next(open_takes(match.rounds[1], delays))
    question = judge.about_take(take)
    asked = judge.about(question.at, question.change)
    assert asked.take == take
    assert asked.run(Batch(0, 5)).as_json() == question.run(Batch(0, 5)).as_json()


@cache
def judged() -> tuple[Timeline, list[tuple[Question, Tallies]]]:
    """The decisions of one round of a match."""
    match, delays = recorded("valid-full-match-3")
    judge = Judge(match, delays)
    asked = [judge.about_take(take) for take in judge.to_judge(match.rounds[-1])]
    return match, [(question, question.judged()) for question in asked]


def test_only_an_open_verdict_is_played_on_for_longer() -> None:
    _, decided = judged()
    assert {tallies.rollouts for _, tallies in decided} <= set(STAGES)
    for question, tallies in decided:
        gain, error = tallies.win(question.seat)
        if tallies.rollouts < STAGES[-1]:
            assert abs(gain - LEAST) > 2 * error
        if tallies.rollouts == STAGES[0]:
            assert not question.outcome(tallies).is_significant
        if question.outcome(tallies).is_significant:
            assert gain >= 3 * error


def tallied(gain: float, spread: float) -> Tallies:
    """As if the take had brought seat 0 so much."""
    tallies = Tallies(Tally(2), Tally(2))
    for number in range(100):
        p = 0.3 + spread * (number % 2)
        for tally, more in zip(tallies, (0, gain), strict=True):
            tally.add((2, 2), (p + more, 1 - p - more))
    return tallies


def test_two_movements_that_pass_up_one_take_are_told_once() -> None:
    match = a_round(away(2_700), away(3_900, "A1a"))
    both = found_in(match)
    assert len(both) == 2
    judge, played = Judge(match, LAGS), match.rounds[0]

    def clear(*gains: float, spread: float = 0.01) -> list[bool]:
        rows: list[JudgedJson] = []
        for take, gain in zip(both, gains, strict=False):
            question, tallies = judge.about_take(take), tallied(gain, spread)
            rows.append(take_row(played, question, tallies, rows))
        return [row["told"] for row in rows]

    assert clear(0.1, 0.1) == [True, False]
    assert clear(0.02, 0.1) == [False, True]
    assert clear(0.1, spread=0.6) == [False]


def test_a_players_figure_is_the_points_lost_told_or_not() -> None:
    figure = lost([(4, 1), (-1, 1)])
    assert (figure["decisions"], figure["points"], figure["error"]) == (2, 3, 1.41)
    words = render_text(figure["text"])
    assert words == "3.0 points lost on missed takes (0.2 to 5.8), in 2 decisions"
    assert render_text(lost([])["text"]) == "no missed take"


# Words


@pytest.mark.parametrize(
    ("later", "hand", "words"),
    [
        (
            [away(2_700), Play(3_500, 1, "B5a", 0, takes=7)],
            "A5a A5b A2a",
            (
                "For 0.7 s, 7 cards could be taken on stack 1. Ann had 2 fives that could take "
                "them. Instead, Ann discarded a 2. Bea took 7 cards 0.8 s later."
            ),
        ),
        (
            [away(2_700)],
            "A5a ARa A2a",
            (
                "For 0.7 s, 7 cards could be taken on stack 1. Ann had a 5 that could take them. "
                "Ann had a wild that could take them. Instead, Ann discarded a 2. No one took them."
            ),
        ),
        (
            [Play(3_000, 0, "A3a", 0), Draw(3_100, 0, "A1a"), Play(3_100, 1, "B2b", 0)],
            "A3a ARa A2a",
            (
                "Ann put a 3 on stack 1: 8 cards to take. Ann had a wild that could take them. "
                "Instead, Ann drew. Bea put a 2 on them at the same time."
            ),
        ),
    ],
)
def test_sentences(later: list[Event], hand: str, words: str) -> None:
    if isinstance(later[-1], Play):
        later = [Draw(2_650, 1, later[-1].card), *later]
        later.sort(key=lambda event: event.t)
    match = a_round(*later, hand=hand)
    take = found_in(match)[-1]
    assert render_text(take_text(match.rounds[0], take), match.names) == words


def test_the_report_of_a_match() -> None:
    match, decided = judged()
    played, rows = match.rounds[-1], list[JudgedJson]()
    for question, tallies in decided:
        rows.append(take_row(played, question, tallies, rows))
    report = together(rows, 3)
    shown = report["decisions"]
    assert [decision["seq"] for decision in shown] == sorted(decision["seq"] for decision in shown)
    assert any(decision["told"] for decision in shown)
    for decision in shown:
        mine = decision["seats"][decision["seat"]]
        assert not decision["told"] or mine["difference"] >= LEAST
        text = render_text(decision["figures"][0], match.names)
        before, after = map(int, re.findall(r"(\d+)% → (\d+)%", text)[0])
        assert decision["by"] == after - before
        event = played.events[decision["event"] - 1]
        assert isinstance(event, Play | Draw | Discard)
        assert (event.seat, event.t) == (decision["seat"], decision["t"])
    for seat, figure in enumerate(report["lost"]):
        own = [decision["points"] for decision in shown if decision["seat"] == seat]
        assert figure["decisions"] == len(own)
        assert figure["points"] == pytest.approx(sum(own), abs=0.01)
