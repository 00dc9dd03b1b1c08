"""Decisions: which takes were open to whom, and what passing them up cost, as the seat knew it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from random import Random

import pytest

from games.engine.cards import FACE, Card
from games.engine.events import Deal, Discard, Draw, Event, Late, Miss, Play, Tie
from games.engine.perspective import see, see_deal
from replays.analysis.decisions.findings import Decision, decisions, lost, to_judge
from replays.analysis.decisions.judging import LEAST, STAGES, DecisionCost, Estimate, Judging
from replays.analysis.decisions.knowledge import HELD, Knowledge
from replays.analysis.decisions.report import DecisionJson, lost_words, row, together
from replays.analysis.decisions.wording import sentence
from replays.analysis.lag import lags
from replays.analysis.open_takes import OpenTake, open_takes
from replays.analysis.trials import Batch
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
        ways = [Judging(timeline).ways(passed) for timeline in (match, twin)]
        ours, theirs = (each.found(each.run(Batch(0, 6, seed=7))) for each in ways)
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
    match = a_round(away(2_700))
    (take,) = to_judge(Judging(match), match.rounds[0], LAGS)
    ways = Judging(match).ways(take)
    verdict = ways.found(ways.run(Batch(0, 120)))
    assert 1 < verdict.points.cost < 7
    assert verdict.points.cost > 4 * verdict.points.error
    assert ways.cost() == Judging(match).ways(take).cost()
    other = ways.cost(seed=1)
    assert other != ways.cost()
    assert abs(other.win.cost - verdict.win.cost) < 4 * (other.win.error + verdict.win.error)


def test_what_comes_later_does_not_change_a_verdict() -> None:
    match, delays = recorded("valid-full-match-3")
    take = next(open_takes(match.rounds[1], delays))
    cut = timeline_of("valid-full-match-3", match.rounds[1].seqs[take.event - 1])
    ours, theirs = (Judging(each).ways(take).run(Batch(0, 9)) for each in (cut, match))
    assert [tally.as_json() for tally in ours] == [tally.as_json() for tally in theirs]


@cache
def judged() -> tuple[Timeline, list[Decision]]:
    """The decisions of one round of a match."""
    match, delays = recorded("valid-full-match-3")
    return match, list(decisions(Judging(match), match.rounds[-1], delays))


def test_only_an_open_verdict_is_played_on_for_longer() -> None:
    _, decided = judged()
    assert {decision.cost.rollouts for decision in decided} <= set(STAGES)
    for decision in decided:
        far = abs(decision.cost.win.cost - LEAST) > 2 * decision.cost.win.error
        if decision.cost.rollouts < STAGES[-1]:
            assert far
        if decision.cost.rollouts == STAGES[0]:
            assert not decision.cost.told
        if decision.cost.told:
            assert decision.cost.win.cost >= 3 * decision.cost.win.error


def _decision(take: OpenTake, cost: float, points: float, error: float = 0.01) -> Decision:
    return Decision(
        take, DecisionCost(100, Estimate(0.3, 0.3 + cost, error), Estimate(2, 2 + points, 1))
    )


def listed(
    played: Round, decided: Iterable[Decision], names: Sequence[str] = ("Ann", "Bea")
) -> list[DecisionJson]:
    rows: list[DecisionJson] = []
    for decision in decided:
        rows.append(row(played, decision, names, rows))
    return rows


def test_two_movements_that_pass_up_one_take_are_told_once() -> None:
    both = found_in(a_round(away(2_700), away(3_900, "A1a")))
    assert len(both) == 2
    played = a_round(away(2_700), away(3_900, "A1a")).rounds[0]

    def told(*costs: float, error: float = 0.01) -> list[bool]:
        judged = [_decision(take, cost, 4, error) for take, cost in zip(both, costs, strict=False)]
        return [decision["told"] for decision in listed(played, judged)]

    assert told(0.1, 0.1) == [True, False]
    assert told(0.02, 0.1) == [False, True]
    assert told(0.1, error=0.04) == [False]


def test_a_players_figure_is_the_points_lost_told_or_not() -> None:
    passed = found_in(a_round(away(2_700), away(3_900, "A1a")))
    judged = [_decision(passed[0], 0.1, 4), _decision(passed[1], 0.0, -1)]
    figure = lost((decision.cost.points.cost, decision.cost.points.error) for decision in judged)
    assert figure[:2] == (2, 3)
    assert figure.error == pytest.approx(2**0.5)
    assert lost_words(figure) == "3.0 points lost on open takes (0.2 to 5.8), in 2 decisions"
    assert lost_words(lost([])) == "no take passed up"


# Words


@pytest.mark.parametrize(
    ("later", "hand", "words"),
    [
        (
            [away(2_700), Play(3_500, 1, "B5a", 0, takes=7)],
            "A5a A5b A2a",
            "6 cards, open for 0.7 s, two 5s in hand: Ann discarded a 2; Bea took 7, 0.8 s later.",
        ),
        (
            [away(2_700)],
            "A5a ARa A2a",
            "6 cards, open for 0.7 s, a 5 and a wild in hand: Ann discarded a 2; nobody took it.",
        ),
        (
            [Play(3_000, 0, "A3a", 0), Draw(3_100, 0, "A1a"), Play(3_100, 1, "B2b", 0)],
            "A3a ARa A2a",
            (
                "Ann put a 3 on 6 cards, holding a wild, and drew first; "
                "Bea put a 2 on it at the same time."
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
    assert sentence(match.rounds[0], take, match.names) == words


def test_the_report_of_a_match() -> None:
    match, decided = judged()
    report = together(listed(match.rounds[-1], decided, match.names), 3)
    shown = report["decisions"]
    assert [decision["seq"] for decision in shown] == sorted(decision["seq"] for decision in shown)
    assert any(decision["told"] for decision in shown)
    for decision in shown:
        assert not decision["told"] or decision["delta"] <= -LEAST
        assert decision["delta"] == pytest.approx(decision["win"][0] - decision["win"][1], abs=2e-4)
        event = match.rounds[-1].events[decision["event"] - 1]
        assert isinstance(event, Play | Draw | Discard)
        assert (event.seat, event.t) == (decision["seat"], decision["t"])
    for seat, figure in enumerate(report["lost"]):
        own = [decision["points_delta"] for decision in shown if decision["seat"] == seat]
        assert figure["decisions"] == len(own)
        assert figure["points"] == pytest.approx(-sum(own), abs=0.01)
