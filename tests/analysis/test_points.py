"""Where the points come from, what moves which of them, and what mistakes cost."""

from collections.abc import Sequence
from statistics import fmean

import pytest

from games.engine.cards import FACE
from games.engine.events import Discard, Draw, End, Event, Miss, Play
from games.engine.fitting import fits, takes
from replays.analysis.lag import lags
from replays.analysis.moments.judgements import MISTAKE, judgements, lost_meanwhile
from replays.analysis.players import points as parts_of_points
from replays.analysis.players.points import (
    OF_KINDS,
    TAKERS,
    Points,
    price_error,
)
from replays.analysis.players.signs import KINDS
from replays.analysis.players.worth import costs, worth
from replays.analysis.sentences import render_text
from replays.timeline import Timeline
from replays.training.matches import lines, plan
from tests.analysis.rounds import a_round
from tests.replays.matches import FILES, lines_of

EVEN = (100.0, 100.0)


def ended(*later: Event, scores: tuple[int, int] = (3, -5), hand: str = "A5a A1a A2a") -> Timeline:
    return a_round(*later, End(20_000, "stalled", scores, scores), hand=hand)


def points(match: Timeline, lag_ms: Sequence[float | None] | None = None) -> list[Points]:
    return parts_of_points.points(match, costs(match, lag_ms or lags(match)))


@pytest.mark.parametrize("index", range(6))
def test_the_parts_add_up_to_the_points(index: int) -> None:
    match = Timeline.of(lines(plan("roster", 77, index)))
    by_seat = points(match)
    assert [own.score for own in by_seat] == pytest.approx(list(match.totals))
    for name in Points._fields[1:]:
        assert sum(getattr(own, name) for own in by_seat) == pytest.approx(0, abs=0.1)


def test_each_weakness_is_in_one_part() -> None:
    listed = [kind for kinds in OF_KINDS.values() for kind in kinds]
    assert sorted(listed) == sorted(KINDS)
    assert price_error("noticing") == max(
        error
        for kind, error in zip(KINDS, worth().errors, strict=True)
        if kind in {"takes", "plays"}
    )
    assert price_error("rest") == 0


def test_a_round_that_is_not_over_has_no_points_yet() -> None:
    assert points(a_round(), EVEN) == []


def test_a_shorter_lag_is_worth_points_where_stacks_are_taken_and_an_unknown_one_none() -> None:
    take = Play(2_700, 0, "A5a", 0, takes=7)
    ann, bea = points(ended(take), (50.0, 150.0))
    assert ann.line == pytest.approx(-bea.line)
    assert ann.line > 0
    unknown, even, no_take = (
        points(match, lag_ms)[0].line
        for match, lag_ms in (
            (ended(take), (50.0, None)),
            (ended(take), EVEN),
            (ended(), (50.0, 150.0)),
        )
    )
    assert unknown == pytest.approx(even, abs=0.02)
    assert max(unknown, even, no_take) < ann.line / 2


def test_the_quicker_hand_wins_by_speed() -> None:
    slow = Discard(4_000, 0, "A1a"), Draw(8_000, 0, "A3a"), Discard(12_000, 0, "A2a")
    ann, bea = points(ended(*slow), EVEN)
    assert ann.speed < -1 < 1 < bea.speed
    assert ann.table == bea.table == -1


def test_a_take_that_was_passed_up_is_lost_by_choice() -> None:
    ann, bea = points(ended(Discard(2_700, 0, "A2a")), EVEN)
    other, _ = points(ended(), EVEN)
    assert ann.choice == pytest.approx(-bea.choice)
    assert ann.choice < other.choice


def test_luck_is_what_was_dealt_and_drawn_and_nothing_else() -> None:
    with_five, _ = points(ended(hand="A5a A1a A2a"), EVEN)
    without, _ = points(ended(hand="A3a A1a A2a"), EVEN)
    with_wild, _ = points(ended(hand="ARa A1a A2a"), EVEN)
    assert with_five.cards - without.cards == pytest.approx(TAKERS[5] / 2)
    assert with_wild.cards < without.cards < with_five.cards
    drawn = Discard(2_300, 0, "A2a"), Draw(2_700, 0, "A3a")
    after, _ = points(ended(*drawn, hand="A1a A1b A2a"), EVEN)
    before, _ = points(ended(drawn[0], hand="A1a A1b A2a"), EVEN)
    assert after.cards < before.cards, "a five could have taken"


def test_luck_is_the_same_whoever_plays_well() -> None:
    luck = [
        own.cards
        for index in range(30)
        for match in [Timeline.of(lines(plan("roster", 78, index)))]
        for own in points(match)
    ]
    assert abs(fmean(luck)) < 1e-6


MISTAKEN = Miss(2_700, 0, "A1a", 0, None, 9)


def said(*later: Event, hand: str = "A5a A1a A2a") -> list[str]:
    match = a_round(Draw(2_600, 1, "B1b"), *later, hand=hand)
    found = [judged["text"] for judged in judgements(match, ()) if judged["verdict"] == MISTAKE]
    return [render_text(text, match.names) for text in found]


def test_a_mistake_names_the_take_lost_meanwhile() -> None:
    tried = "Ann tried a 1 on stack 1, where it didn’t fit."
    took = Play(3_600, 1, "B1b", 0, takes=7)
    (text,) = said(MISTAKEN, took)
    assert text == f"{tried} 0.9 s later Bea took 7 cards that Ann could have taken."
    assert said(MISTAKEN) == [tried]
    assert said(MISTAKEN, took._replace(t=4_700)) == [tried]
    assert said(MISTAKEN, took, hand="A4a A1a A2a") == [tried]


def test_in_recorded_matches_the_hand_could_have_taken_it() -> None:
    for path in FILES:
        for played in Timeline.of(lines_of(path)).rounds:
            for place, play in lost_meanwhile(played).items():
                miss = played.events[place]
                assert isinstance(miss, Miss)
                assert miss.t < play.t < miss.t + played.header.rules.mistake_ms
                assert play.seat != miss.seat
                before = played.table(played.events.index(play))
                top = before.tops[play.stack]
                faces = [FACE[card] for card in before.hands[miss.seat]]
                assert any(
                    fits(before.rules, top, face) and takes(top, face, None) for face in faces
                )
