"""The Referee: windows, ties, their chains, what waits, what is refused and when it is due."""

from typing import Any

import pytest

from games.engine.actions import Abandon, Action, DiscardOne, DrawOne, Refusal, Shout, Try
from games.engine.events import FULL_ROUND, MAX_EVENTS, MAX_T, Draw, End, Late, Miss, Out, Play, Tie
from games.engine.message import Message
from games.engine.referee import Referee, Settled, ended
from games.engine.table import apply
from tests.engine.rounds import BASE, Round, facts, refusals

ONE_OF_EACH = [1, 1, 1, 0, 0, 0]


def ones(seats: int, **overrides: Any) -> Round:
    """Everybody holds 1, 2, 3 and may start a stack."""
    return Round(*(f"{deck}1a {deck}2a {deck}3a" for deck in "ABCDE"[:seats]), **overrides)


def test_time_must_not_fall() -> None:
    court = ones(2).referee()
    court.settle(BASE)
    with pytest.raises(ValueError, match="time must not fall: 10000 was reached, found 9999"):
        court.settle(BASE - 1)
    with pytest.raises(ValueError, match="time must not fall"):
        court.offer(BASE - 1, DrawOne(0))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_ties_of_two_to_five_seats(seats: int) -> None:
    """All at the same ms, in the order in which they came."""
    r = ones(5)
    court = r.referee()
    order = [3, 0, 4, 1, 2][:seats]
    for seat in order:
        assert court.offer(BASE, Try(seat, f"{'ABCDE'[seat]}1a", 2)) == []
    (outcome,) = court.settle(BASE + 50)
    assert isinstance(outcome, Settled)
    cards = tuple(f"{'ABCDE'[seat]}1a" for seat in order)
    assert outcome.event == Tie(BASE, 2, cards, (0,) * seats, (0,) * seats)
    assert [action.seat for action in outcome.actions] == order
    assert r.table.tops == [0] * 5


def test_the_window_counts_from_the_first_try_only() -> None:
    """A third try after the window is not drawn in by the second."""
    r = ones(3)
    tries = [(BASE + 30 * seat, Try(seat, f"{'ABC'[seat]}1a", 0)) for seat in range(3)]
    tie, play = r.referee().facts(BASE + 200, *tries)
    assert tie == Tie(BASE, 0, ("A1a", "B1a"), (0, 30), (0, 0))
    assert play == Play(BASE + 60, 2, "C1a", 0, None, None, 1)


def test_a_chain_of_windows() -> None:
    """What did not fit what the first found opens a window of its own, at its own time."""
    r = Round("A2a A1b A1c", "B3a B1b B1c", "C3a C1b C1c", middle=["A1a"])
    events = r.referee().facts(
        BASE + 200,
        (BASE, Try(0, "A2a", 0)),
        (BASE + 40, Try(1, "B3a", 0)),
        (BASE + 70, Try(2, "C3a", 0)),
    )
    assert events == [
        Play(BASE, 0, "A2a", 0, None, None, 2),
        Tie(BASE + 40, 0, ("B3a", "C3a"), (0, 30), (2, 3)),
    ]


def test_a_try_on_a_card_that_was_tied_away_is_a_mistake() -> None:
    """Seat 2 reckons with the 2 of seat 0, which is tied: its 3 fits nothing."""
    r = Round("A2a A1b A1c", "B2a B1b B1c", "C3a C1b C1c", middle=["A1a"])
    tie, miss = r.referee().facts(
        BASE + 50,
        (BASE, Try(0, "A2a", 0)),
        (BASE + 10, Try(2, "C3a", 0)),
        (BASE + 20, Try(1, "B2a", 0)),
    )
    assert tie == Tie(BASE, 0, ("A2a", "B2a"), (0, 20), (2, 2))
    assert repr(miss) == repr(Miss(BASE + 10, 2, "C3a", 0, None, 2))


def test_a_take_and_a_start_in_one_window() -> None:
    """The 1 fits no 4, so it is no tie; and it is stale on the slot that the 5 freed."""
    r = Round("A5a A1b A1c", "B1a B2b B3c", middle=["A1a A2a A3a A4a"])
    seen = r.events
    play, miss = r.referee().facts(
        BASE + 100, (BASE, Try(0, "A5a", 0)), (BASE + 10, Try(1, "B1a", 0))
    )
    assert play == Play(BASE, 0, "A5a", 0, None, 5, seen)
    assert repr(miss) == repr(Miss(BASE + 10, 1, "B1a", 0, None, seen))


def test_two_5s_at_once_are_tied() -> None:
    """Nobody takes what two would take at once."""
    r = Round("A5a A1b A1c", "B5a B2b B3c", middle=["A1a A2a A3a A4a"])
    (tie,) = r.referee().facts(BASE + 100, (BASE, Try(0, "A5a", 0)), (BASE + 49, Try(1, "B5a", 0)))
    assert isinstance(tie, Tie)
    assert len(r.table.stacks[0]) == 4


def test_a_wild_tried_as_a_number_ties_only_where_that_fits() -> None:
    """As a 4 it fits no 2, so the 3 is played; tried as nothing it would have tied."""
    hands = ("A3b A1b A1c", "BRa B2b B3c")
    tries = ((BASE, Try(0, "A3b", 0)), (BASE + 10, Try(1, "BRa", 0, 4)))
    r = Round(*hands, middle=["A1a A2a"], edition="hasbro-2010")
    play, stays = r.referee().facts(BASE + 100, *tries)
    assert play == Play(BASE, 0, "A3b", 0, None, None, 4)
    assert stays == Play(BASE + 10, 1, "BRa", 0, 4, None, 4)
    r = Round(*hands, middle=["A1a A2a"], edition="hasbro-2010")
    (tie,) = r.referee().facts(BASE + 100, tries[0], (BASE + 10, Try(1, "BRa", 0)))
    assert isinstance(tie, Tie)


def test_a_try_without_three_cards_is_no_part_of_a_tie() -> None:
    """It is refused, and the other is a play."""
    r = ones(2, edition="gamerules").happen(Play(BASE, 0, "A1a", 0))
    tries = (BASE + 200, Try(1, "B2a", 0)), (BASE + 210, Try(0, "A2a", 0))
    outcomes = r.referee().outcomes(BASE + 300, *tries)
    assert facts(outcomes) == [Play(BASE + 200, 1, "B2a", 0, None, None, 1)]
    (refused,) = refusals(outcomes)
    assert (refused.rule, refused.action) == ("refill-first", Try(0, "A2a", 0))


def test_late_or_miss_by_what_was_seen() -> None:
    """The same card at the same time: a lost race if the screen lagged, else a mistake."""
    for seen, kind in ((2, Late), (3, Miss), (None, Miss)):
        r = Round("A2a A1b A1c", "B2a B1b B3c", middle=["A1a"])
        r.happen(Play(BASE, 0, "A2a", 0))
        (fact,) = r.referee().facts(BASE + 100, (BASE + 100, Try(1, "B2a", 0, None, seen)))
        assert type(fact) is kind


def test_seen_is_not_believed_below_the_seats_last_try() -> None:
    """`seen` never falls for one seat; a screen does not forget."""
    r = ones(2).happen(Play(BASE, 1, "B1a", 1), Play(BASE + 60, 0, "A1a", 0, None, None, 1))
    for said in (0, -7):
        (play,) = r.referee().facts(BASE + 250, (BASE + 200, Try(0, "A2a", 0, None, said)))
        assert isinstance(play, Play)
        assert play.seen == 1
        r = ones(2).happen(Play(BASE, 1, "B1a", 1), Play(BASE + 60, 0, "A1a", 0, None, None, 1))


def test_what_has_no_window_waits_behind_a_window() -> None:
    """Facts are logged in the order of their t: a draw waits for a try before it."""
    r = ones(2).happen(Play(BASE, 1, "B1a", 1))
    court = r.referee()
    assert court.offer(BASE + 200, Try(0, "A1a", 0)) == []
    assert court.offer(BASE + 210, DrawOne(1)) == []
    assert court.judge.waiting == (Try(0, "A1a", 0), DrawOne(1))
    assert [type(fact) for fact in facts(court.settle(BASE + 250))] == [Play, Draw]
    assert not court.judge.waiting


def test_a_hand_with_an_undecided_movement_is_not_free() -> None:
    """Refused, with the ms until it may be."""
    court = ones(2).referee()
    court.offer(BASE, Try(0, "A1a", 0))
    refused = court.refusal(BASE + 20, Try(0, "A2a", 0))
    assert (refused.rule, refused.wait_ms) == ("one-hand", 100)
    assert refused.message
    assert len(facts(court.settle(BASE + 120))) == 1


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        (DrawOne(2), "no-such-seat"),
        (DrawOne(-1), "no-such-seat"),
        (Shout(7), "no-such-seat"),
        (Try(5, "A1a", 0), "no-such-seat"),
        (DrawOne(0), "hand-full"),
        (DiscardOne(0, "A4a"), "not-in-hand"),
        (DiscardOne(0, ""), "not-in-hand"),
        (DiscardOne(0, "A?"), "not-in-hand"),
        (Try(0, "B1a", 0), "not-in-hand"),
        (Try(0, "nonsense", 0), "not-in-hand"),
        (Try(0, "nonsense", 0, 1), "not-wild"),
        (Try(0, "A1a", 2), "no-such-slot"),
        (Try(0, "A1a", -1), "no-such-slot"),
        (Try(0, "A1a", 0, 1), "not-wild"),
        (Shout(0), "not-out"),
    ],
)
def test_a_refusal_says_which_rule_and_why(action: Action, rule: str) -> None:
    """It changes nothing, and the hand stays free."""
    r = ones(2)
    before = str(r.table)
    court = r.referee()
    refused = court.refusal(BASE, action)
    assert refused.rule == rule
    assert refused.message
    assert refused.wait_ms == 0
    assert str(r.table) == before
    assert len(facts(court.offer(BASE, DiscardOne(0, "A1a")))) == 1


def test_an_unfounded_shout_does_not_hold_the_hand() -> None:
    """Behind another seat's window too, it is refused on arrival."""
    r = ones(2)
    court = r.referee()
    court.offer(BASE, Try(1, "B1a", 0))
    assert court.refusal(BASE + 5, Shout(0)).rule == "not-out"
    court.offer(BASE + 6, DiscardOne(0, "A1a"))
    assert len(court.judge.waiting) == 2


def test_a_shout_behind_the_own_undecided_draw_waits() -> None:
    """The draw of the last card is not decided yet, so the shout may still be right."""
    r = ones(2, deck=[2, 1, 1, 0, 0, 0])
    r.happen(r.play(BASE, "A1a", 0))
    court = r.referee()
    court.offer(BASE + 200, Try(1, "B1a", 1))
    court.offer(BASE + 210, DrawOne(0))
    court.offer(BASE + 220, Shout(0))
    events = facts(court.settle(BASE + 250))
    assert [type(fact) for fact in events] == [Play, Draw, Out, End]


def test_stalled_at_the_exact_ms_with_a_window_open() -> None:
    """A try one ms before the deadline is a play; one at the deadline comes too late."""
    r = ones(2)
    court = r.referee()
    court.offer(29_999, Try(0, "A1a", 0))
    assert court.judge.due == 30_049
    (play,) = facts(court.settle(30_049))
    assert play.t == 29_999
    assert court.judge.due == 59_999
    outcomes = court.offer(59_999, Try(0, "A2a", 0))
    assert [type(fact) for fact in facts(outcomes)] == [End]
    assert facts(outcomes)[0].t == 59_999
    assert [refusal.rule for refusal in refusals(outcomes)] == ["round-over"]


def test_a_tie_over_the_deadline_does_not_save_the_round() -> None:
    """Its first try came before the end, and a tie is no play: stalled at the exact ms."""
    r = ones(3)
    tries = (29_980, Try(0, "A1a", 0)), (30_010, Try(1, "B1a", 0)), (30_015, Try(2, "C1a", 1))
    outcomes = r.referee().outcomes(30_030, *tries)
    tie, end = facts(outcomes)
    assert tie == Tie(29_980, 0, ("A1a", "B1a"), (0, 30), (0, 0))
    assert isinstance(end, End)
    assert (end.t, end.reason) == (30_000, "stalled")
    assert [refusal.action for refusal in refusals(outcomes)] == [Try(2, "C1a", 1)]


def test_blocked_in_a_shout_edition_before_the_shout() -> None:
    """The shout came first to the ear, but the play before it blocks the round."""
    r = ones(2, deck=ONE_OF_EACH)
    for step, card in enumerate(["A1a", "A2a", "B1a", "B2a"]):
        r.happen(r.play(BASE + 200 * step, card, 0))
    tries = (BASE + 900, Try(0, "A3a", 0)), (BASE + 910, Shout(1))
    outcomes = r.referee().outcomes(BASE + 1_000, *tries)
    assert facts(outcomes)[1] == End(BASE + 900, "blocked", (0, 0), (0, 0))
    assert [refusal.rule for refusal in refusals(outcomes)] == ["round-over"]


def test_abandoning_waits_for_what_came_before() -> None:
    """A play before it counts, a try after it does not."""
    r = ones(2)
    tries = (BASE, Try(0, "A1a", 0)), (BASE + 10, Abandon()), (BASE + 20, Try(1, "B1a", 1))
    outcomes = r.referee().outcomes(BASE + 50, *tries)
    play, end = facts(outcomes)
    assert isinstance(play, Play)
    assert end == End(BASE + 10, "abandoned", (0, 0), (0, 0))
    assert ended(outcomes) == end
    assert refusals(outcomes) == [
        Refusal(Try(1, "B1a", 1), "round-over", Message("the round is over"))
    ]


def test_a_round_longer_than_a_day_can_only_be_abandoned() -> None:
    """No line of a record has a later t, so nothing else is left; nothing stalls either."""
    court = ones(2, stall_ms=0).referee()
    court.settle(MAX_T + 5)
    assert court.refusal(MAX_T + 5, Try(0, "A1a", 0)).rule == "round-too-long"
    (end,) = facts(court.offer(MAX_T + 9, Abandon()))
    assert (end.t, end) == (MAX_T, End(MAX_T, "abandoned", (0, 0), (0, 0)))
    late = ones(2)
    late.table.last_play = MAX_T - 1
    assert late.referee().judge.due is None
    assert late.referee().settle(2 * MAX_T) == []


def test_a_round_that_is_full_can_only_be_abandoned() -> None:
    """What is not settled yet still finds room, and so does the end."""
    table = ones(2, stall_ms=0).table
    table.events = FULL_ROUND - 1
    referee = Referee(table)
    assert referee.offer(BASE, Try(0, "A1a", 0)) == []
    table.events += 1
    (refusal,) = refusals(referee.offer(BASE + 1, Try(1, "B1a", 1)))
    assert refusal.rule == "round-too-long"
    _, end = facts(referee.offer(BASE + 50, Abandon()))
    assert end == End(BASE + 50, "abandoned", (0, 0), (0, 0))
    assert FULL_ROUND < table.events < MAX_EVENTS


def test_ended_is_none_while_the_round_goes_on() -> None:
    r = ones(2)
    assert ended(r.referee().offer(BASE, DiscardOne(0, "A1a"))) is None


@pytest.mark.parametrize("edition", ["usaopoly-2009", "hasbro-2010"])
def test_taken_over_in_the_middle_of_a_line_of_facts(edition: str) -> None:
    """A log may stop between a play and the OUT or end that it demands: both are due."""
    r = Round("A1a A2a A3a", "B1a B2a B3a", deck=ONE_OF_EACH, edition=edition)
    for step, card in enumerate(["A1a", "A2a", "B1a", "B2a", "A3a"]):
        apply(r.table, r.play(BASE + 200 * step, card, 0))
    court = r.referee()
    assert court.judge.due == BASE + 800
    events = facts(court.settle(BASE + 5_000))
    expected = [End] if edition == "usaopoly-2009" else [Out, End]
    assert [type(fact) for fact in events] == expected
    assert {fact.t for fact in events} == {BASE + 800}


def test_it_does_not_matter_how_often_one_asks() -> None:
    """Settling every ms and settling at the end give the same facts."""
    tries = [(BASE + 7 * step, Try(step % 3, f"{'ABC'[step % 3]}1a", 0)) for step in range(9)]
    patient = ones(3).referee().facts(BASE + 500, *tries)
    r = ones(3)
    court = r.referee()
    events = []
    for now in range(BASE, BASE + 501):
        for t, action in tries:
            if t == now:
                events += facts(court.offer(t, action))
        events += facts(court.settle(now))
    assert events == patient


def test_a_referee_leaves_no_trace_on_a_table_it_only_watches() -> None:
    """A waiting try has changed nothing: the table is what was settled."""
    r = ones(2)
    referee = Referee(r.table)
    before = str(r.table)
    referee.offer(BASE, Try(0, "A1a", 0))
    assert str(r.table) == before


def test_a_wild_that_missed_a_tie_as_its_number_has_no_part_in_the_next() -> None:
    """The first tie would count any use of it; a record could not tell them apart."""
    r = Round(
        "A2a A3a A4a", "B1a BRa B4a", "C1b C3a C4a", middle=["C1a C2a C3b"], edition="hasbro-2010"
    )
    court = r.referee()
    events = court.facts(
        BASE + 120,
        (BASE, Try(0, "A2a", 0)),
        (BASE + 20, Try(1, "BRa", 0, 1)),
        (BASE + 40, Try(2, "C1b", 0)),
    )
    assert [type(fact) for fact in events] == [Play, Play]
    assert events[1][:5] == (BASE + 40, 2, "C1b", 0, None)


def test_a_wild_alone_may_still_be_played_as_its_number() -> None:
    """On a play's line its number is told, so nothing is in doubt."""
    r = Round("A2a A3a A4a", "B1a BRa B4a", middle=["B1b B2a B3b"], edition="hasbro-2010")
    tries = (BASE, Try(0, "A2a", 0)), (BASE + 20, Try(1, "BRa", 0, 1))
    events = r.referee().facts(BASE + 120, *tries)
    assert [type(fact) for fact in events] == [Play, Play]
    assert events[1][:5] == (BASE + 20, 1, "BRa", 0, 1)
