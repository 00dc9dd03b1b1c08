"""The rules that all editions share: one hand, ties, what a screen shows, late tries, mistakes."""

import pytest

from games.engine.actions import DiscardOne, DrawOne, Shout, Try
from games.engine.events import Discard, Draw, End, Late, Miss, Out, Play, Tie
from games.engine.referee import Outcome
from tests.engine.rounds import BASE, Round, facts, refusals


def test_each_hand_movement_comes_one_hand_ms_after_the_one_before() -> None:
    """ "each hand movement (draw, discard, play, …) comes at least one_hand_ms after"."""
    r = Round("A1a A2a A3a", "").happen(Discard(BASE, 0, "A3a"))
    assert "one hand" in r.fault(r.draw(BASE + 119, 0))
    assert "one hand" in r.fault(r.play(BASE + 119, "A1a", 0))
    assert r.allows(r.draw(BASE + 120, 0))
    assert r.allows(r.play(BASE + 120, "A1a", 0))


def test_a_tied_play_moves_the_hand_at_its_own_time() -> None:
    """ "tied play": its owner's hand waits from the try's own time."""
    r = Round("A1a A2a A3a", "B1a B2a B3a")
    r.happen(Tie(BASE, 0, ("A1a", "B1a"), (0, 40)))
    assert r.allows(r.draw(BASE + 120, 0))
    assert "one hand" in r.fault(r.draw(BASE + 159, 1))
    assert r.allows(r.draw(BASE + 160, 1))


def test_a_try_that_came_to_nothing_moves_the_hand() -> None:
    """ "and a try that came to nothing": a late one keeps the hand as long as a play."""
    r = Round("A1a A2a A3a", "B1a B2a B3a").happen(Play(BASE, 0, "A1a", 0))
    r.happen(Late(BASE + 60, 1, "B1a", 0, None, 0))
    assert "one hand" in r.fault(Discard(BASE + 179, 1, "B2a"))
    assert r.allows(Discard(BASE + 180, 1, "B2a"))


def test_after_a_mistake_the_hand_waits_mistake_ms() -> None:
    """ "after a mistake at least mistake_ms, since the card has to be taken back"."""
    r = Round("A1a A2a A3a", "").happen(Miss(BASE, 0, "A3a", 0, None, 0))
    assert "after a mistake" in r.fault(Discard(BASE + 1_999, 0, "A3a"))
    assert r.allows(Discard(BASE + 2_000, 0, "A3a"))


def test_a_mistake_never_makes_the_hand_faster() -> None:
    """mistake_ms is there beside one_hand_ms, not in its place."""
    r = Round("A1a A2a A3a", "", mistake_ms=0).happen(Miss(BASE, 0, "A3a", 0, None, 0))
    assert "one hand" in r.fault(Discard(BASE + 119, 0, "A3a"))
    assert r.allows(Discard(BASE + 120, 0, "A3a"))


def test_it_can_be_forgiven_to_a_beginner() -> None:
    """ "a beginner, whose hand waits only tie_window_ms (but mistake_ms after a mistake)"."""
    r = Round("A1a A2a A3a", "B1a B2a B3a", beginners=[0])
    r.happen(Play(BASE, 0, "A1a", 0))
    assert "one hand" in r.fault(Play(BASE + 49, 0, "A2a", 0))
    r.happen(Play(BASE + 50, 0, "A2a", 0), Miss(BASE + 100, 0, "A3a", 1, None, 2))
    assert "after a mistake" in r.fault(r.draw(BASE + 2_099, 0))
    assert r.allows(r.draw(BASE + 2_100, 0))


def test_what_comes_too_early_leaves_no_line_and_does_not_restart_the_wait() -> None:
    """ "What comes too early or is not allowed is refused: it leaves no line and …"."""
    r = Round("A1a A2a A3a", "")
    court = r.referee()
    court.offer(BASE, DiscardOne(0, "A3a"))
    for t in (BASE, BASE + 50, BASE + 119):
        refused = court.refusal(t, DrawOne(0))
        assert (refused.rule, refused.wait_ms) == ("one-hand", BASE + 120 - t)
    assert len(facts(court.offer(BASE + 120, DrawOne(0)))) == 1


def test_what_is_not_allowed_does_not_restart_the_wait() -> None:
    """A refused movement leaves the hand free."""
    r = Round("A1a A2a A3a", "")
    court = r.referee()
    assert court.refusal(BASE, DrawOne(0)).rule == "hand-full"
    assert repr(facts(court.offer(BASE, DiscardOne(0, "A3a")))) == repr([Discard(BASE, 0, "A3a")])


def test_tries_within_the_window_are_a_tie() -> None:
    """ "tries by different seats for the same slot, less than tie_window_ms after the first"."""
    r = Round("A2a A1b A1c", "B2a B1b B1c", middle=["A1a"])
    tie = Tie(BASE, 0, ("A2a", "B2a"), (0, 49), (2, 2))
    tries = (BASE, Try(0, "A2a", 0)), (BASE + 49, Try(1, "B2a", 0))
    assert r.referee().facts(BASE + 50, *tries) == [tie]


def test_a_try_at_the_windows_end_is_no_tie() -> None:
    """ "less than": at tie_window_ms after the first it is a try of its own."""
    r = Round("A2a A1b A1c", "B2a B1b B1c", middle=["A1a"])
    tries = (BASE, Try(0, "A2a", 0)), (BASE + 50, Try(1, "B2a", 0, None, 2))
    play, late = r.referee().facts(BASE + 50, *tries)
    assert play == Play(BASE, 0, "A2a", 0, None, None, 2)
    assert repr(late) == repr(Late(BASE + 50, 1, "B2a", 0, None, 2))


def test_a_tie_is_only_of_what_fitted_what_the_first_found() -> None:
    """ "each of which could have been played on what that first one found there"."""
    r = Round("A2a A1b A1c", "B3a B1b B1c", middle=["A1a"])
    tries = (BASE, Try(0, "A2a", 0)), (BASE + 10, Try(1, "B3a", 0))
    assert r.referee().facts(BASE + 60, *tries) == [
        Play(BASE, 0, "A2a", 0, None, None, 2),
        Play(BASE + 10, 1, "B3a", 0, None, None, 2),
    ]


def test_all_tied_cards_go_to_their_owners_discard_piles() -> None:
    """ "All the tied cards go to their owners' discard piles; the slot stays as it was"."""
    r = Round("A2a A1b A1c", "B2a B1b B1c", middle=["A1a"])
    r.happen(Tie(BASE, 0, ("A2a", "B2a"), (0, 49)))
    assert r.table.discard_piles == [["A2a"], ["B2a"]]
    assert r.table.stacks[0] == ["A1a"]
    assert r.table.ended is None


def test_a_tie_is_not_optional() -> None:
    """ "Ties are not optional": what should have been tied is no play, late try or miss."""
    r = Round("A2a A1b A1c", "B2a B3a B4a", middle=["A1a"]).happen(Play(BASE, 0, "A2a", 0))
    assert "should be a tie" in r.fault(Late(BASE + 49, 1, "B2a", 0, None, 2))
    assert r.allows(Late(BASE + 50, 1, "B2a", 0, None, 2))
    assert r.allows(Play(BASE + 49, 1, "B3a", 0))


def test_a_tie_is_not_optional_behind_another_play() -> None:
    """Every earlier play counts that is less than the window away, not the last one only."""
    r = Round("A2a A1b A1c", "B3a B1b B1c", "C2a C1b C1c", middle=["A1a"])
    r.happen(Play(BASE, 0, "A2a", 0), Play(BASE + 10, 1, "B3a", 0))
    assert "should be a tie" in r.fault(Play(BASE + 49, 2, "C2a", 0))
    assert r.allows(Play(BASE + 50, 2, "C2a", 0))


@pytest.mark.parametrize("cards", [3, 2])
def test_a_mistake_without_three_cards_is_no_missed_tie(cards: int) -> None:
    """ "three in hand where the rules say so": what could not have been played is not tied."""
    r = Round("A2b A1b A1c", "B2a B1b B3a", "C1a C1b C1c", middle=["A1a A2a"], edition="gamerules")
    if cards == 2:
        r.happen(r.play(BASE - 500, "B1b", 1))
    seen = r.events
    r.happen(Play(BASE - 400, 2, "C1a", 0), Play(BASE, 0, "A2b", 0))
    miss = Miss(BASE + 10, 1, "B2a", 0, None, seen)
    if cards == 2:
        assert r.allows(miss)
    else:
        assert "should be a tie" in r.fault(miss)


def test_nobody_sees_a_play_before_its_window_is_over() -> None:
    """ "Nobody sees a play before its window is over": it is no fact until then."""
    r = Round("A2a A1b A1c", "B2a B1b B1c", middle=["A1a"])
    court = r.referee()
    assert court.offer(BASE, Try(0, "A2a", 0)) == []
    assert court.judge.due == BASE + 50
    assert court.settle(BASE + 49) == []
    assert len(court.settle(BASE + 50)) == 1


def test_the_own_plays_count_as_shown_at_once() -> None:
    """ "A player acts on what the own screen shows; the own plays count as shown at once"."""
    r = Round("A1a A2a A1c", "B2a B1b B1c")
    r.happen(Play(BASE, 0, "A1a", 0, None, None, 0), Play(BASE + 120, 0, "A2a", 0, None, None, 0))
    assert r.table.tops[0] == 2


def test_a_stale_try_was_meant_for_another_stack() -> None:
    """ "stale if another seat has started or taken a stack in that slot since"."""
    r = Round("A5a A1b A1c", "B1b B2a B3b", middle=["A1a A2a A3a A4a", "B1a B2b"])
    seen = r.events
    r.happen(r.play(BASE, "A5a", 0))
    assert "stale" in r.fault(Play(BASE + 200, 1, "B1b", 0, None, None, seen))
    assert r.allows(Play(BASE + 200, 1, "B1b", 0, None, None, seen + 1))
    tried = Try(1, "B1b", 0, None, seen)
    (fact,) = facts(r.referee().offer(BASE + 200, tried))
    assert repr(fact) == repr(Miss(BASE + 200, 1, "B1b", 0, None, seen))


def test_a_stack_grown_is_not_stale() -> None:
    """Only starting and taking make a try stale: a play onto the stack does not."""
    r = Round("A2a A1b A1c", "B3a B1b B1c", middle=["A1a"])
    seen = r.events
    r.happen(Play(BASE, 0, "A2a", 0))
    assert r.allows(Play(BASE + 60, 1, "B3a", 0, None, None, seen))


def test_what_a_seat_took_itself_is_not_stale() -> None:
    """ "another seat": the own take counts as shown at once."""
    r = Round("A5a A1b A1c", "", middle=["A1a A2a A3a A4a"])
    seen = r.events
    r.happen(r.play(BASE, "A5a", 0))
    assert r.allows(Play(BASE + 120, 0, "A1b", 0, None, None, seen))


def test_a_stale_try_is_no_part_of_a_tie() -> None:
    """ "A stale try is no part of a tie on the new stack …, even if it would fit"."""
    r = Round("A5a A2b A1c", "B2a B1b B1c", "C2a C3a C1a", middle=["A1a A2a A3a A4a"])
    seen = r.events
    r.happen(r.play(BASE, "A5a", 0), Play(BASE + 120, 0, "A1c", 0))
    tries = (BASE + 300, Try(1, "B2a", 0)), (BASE + 310, Try(2, "C2a", 0, None, seen))
    play, miss = r.referee().facts(BASE + 400, *tries)
    assert play == Play(BASE + 300, 1, "B2a", 0, None, None, r.events - 2)
    assert repr(miss) == repr(Miss(BASE + 310, 2, "C2a", 0, None, seen))


def test_a_late_try_fitted_as_the_player_saw_it_but_another_was_there_first() -> None:
    """ "late: the card fitted the slot as that player saw it, but another seat was there
    first, and now it does not fit or is stale"; "the card stays in the hand"."""
    r = Round("A2a A1b A1c", "B2a B1b B3c", middle=["A1a"])
    r.happen(Play(BASE, 0, "A2a", 0))
    late = Late(BASE + 100, 1, "B2a", 0, None, 2)
    assert "does not fit" in r.fault(Play(BASE + 100, 1, "B2a", 0, None, None, 2))
    assert "fitted what was seen" in r.fault(Miss(BASE + 100, 1, "B2a", 0, None, 2))
    assert repr(facts(r.referee().offer(BASE + 100, Try(1, "B2a", 0, None, 2)))) == repr([late])
    assert "B2a" in r.table.hands[1]


def test_late_needs_somebody_who_was_before() -> None:
    """A try that fits nothing seen is a miss, not late."""
    r = Round("A2a A1b A1c", "B2a B1b B3c", middle=["A1a"])
    assert "did not fit what was seen" in r.fault(Late(BASE, 1, "B3c", 0, None, 2))
    r.happen(Play(BASE, 0, "A2a", 0))
    assert "did not fit what was seen" in r.fault(Late(BASE + 60, 1, "B2a", 0, None, 3))


def test_what_still_fits_is_a_play_not_late() -> None:
    """A lost race that can be played after all is a play."""
    r = Round("A2a A1b A1c", "B2a B1b B2c", middle=["A1a"])
    r.happen(Play(BASE, 0, "A2a", 0), Play(BASE + 200, 0, "A1b", 0))
    assert "expected a play" in r.fault(Late(BASE + 260, 1, "B2a", 0, None, 2))
    assert "expected a play" in r.fault(Miss(BASE + 260, 1, "B2a", 0, None, 3))
    assert r.allows(Play(BASE + 260, 1, "B2a", 0, None, None, 2))


def test_a_mistake_fitted_nothing() -> None:
    """ "A mistake: the card did not fit what the player saw, and what is there now it does
    not fit either, or it was not meant for it"."""
    r = Round("A2a A4b A1c", "", middle=["A1a"])
    miss = Miss(BASE, 0, "A4b", 0, None, 2)
    assert repr(facts(r.referee().offer(BASE, Try(0, "A4b", 0)))) == repr([miss])
    assert r.table.hands[0] == ["A2a", "A4b", "A1c"]


@pytest.mark.parametrize("number", [1, 3])
def test_a_wild_tried_as_a_number_fits_only_where_it_may_stand_for_it(number: int) -> None:
    """ "A wild may be tried as a number: then it fits only where it may stand for that"."""
    r = Round("ARa A1b A1c", "", middle=["A1a A2a"], edition="hasbro-2010")
    tries = (BASE, Try(0, "ARa", 0, number))
    play = Play(BASE, 0, "ARa", 0, number, None, 4)
    assert r.referee().facts(BASE + 50, tries) == [play]


@pytest.mark.parametrize("number", [2, 4])
def test_a_wild_tried_as_a_number_that_does_not_fit_is_a_mistake(number: int) -> None:
    """The same wild would take, but it was not tried so."""
    r = Round("ARa A1b A1c", "", middle=["A1a A2a"], edition="hasbro-2010")
    miss = Miss(BASE, 0, "ARa", 0, number, 4)
    assert repr(r.referee().facts(BASE, (BASE, Try(0, "ARa", 0, number)))) == repr([miss])


def test_a_wild_tried_as_nothing_fits_wherever_any_use_is_allowed() -> None:
    """ "tried as nothing, wherever any use is allowed (and on a free slot it starts as 1)"."""
    r = Round("ARa A1b A1c", "B2a B2b B2c", middle=["A1a A2a"], edition="hasbro-2010")
    court = r.referee()
    assert court.facts(BASE + 50, (BASE, Try(0, "ARa", 1))) == [Play(BASE, 0, "ARa", 1, 1, None, 4)]
    assert r.table.tops[1] == 1


def test_too_few_cards_in_hand_are_refused_where_the_try_fits() -> None:
    """ "A try with too few cards in hand … is refused if it fits what was seen or, not being
    stale, what is there now; otherwise it is a mistake"."""
    r = Round("A2a A1b A4a", "B2a B1b B1c", middle=["A1a"], edition="gamerules")
    r.happen(Play(BASE, 1, "B2a", 0, None, None, 2), r.play(BASE + 200, "A1b", 1))
    court = r.referee()
    assert court.refusal(BASE + 400, Try(0, "A2a", 0, None, 2)).rule == "refill-first"
    assert court.refusal(BASE + 400, Try(0, "A2a", 1)).rule == "refill-first"
    seen = r.events
    tried = Try(0, "A4a", 0, None, seen)
    assert repr(facts(court.offer(BASE + 400, tried))) == repr(
        [Miss(BASE + 400, 0, "A4a", 0, None, seen)]
    )


def test_too_few_cards_are_no_fault_of_a_mistake() -> None:
    """ "whatever the hand holds": a miss needs no three cards, a late try does."""
    r = Round("A2a A1b A4a", "B2a B1b B1c", middle=["A1a"], edition="gamerules")
    r.happen(r.play(BASE, "A1b", 1), Play(BASE + 200, 1, "B2a", 0))
    assert r.allows(Miss(BASE + 400, 0, "A4a", 0, None, 3))
    assert "refill first" in r.fault(Late(BASE + 400, 0, "A2a", 0, None, 2))


def test_an_own_tie_not_shown_yet_is_no_mistake() -> None:
    """ "A player whose own card was tied there, and who has not yet been shown that, is
    refused rather than charged with a mistake"."""
    r = Round("A2a A3a A1c", "B2a B1b B1c", middle=["A1a"])
    r.happen(Tie(BASE, 0, ("A2a", "B2a"), (0, 10), (2, 2)))
    assert "own tie" in r.fault(Miss(BASE + 150, 0, "A3a", 0, None, 2))
    court = r.referee()
    assert court.refusal(BASE + 150, Try(0, "A3a", 0, None, 2)).rule == "tie-not-shown"
    (fact,) = facts(court.offer(BASE + 150, Try(0, "A3a", 0, None, 3)))
    assert isinstance(fact, Miss)


def test_an_own_play_since_does_not_show_the_own_tie() -> None:
    """ "no own card was tied on that slot after `seen` events": what was shown decides, and
    the own play, which counts as shown at once, shows nothing of the tie before it."""
    r = Round("A2a A2b A4a", "B2a B1b B1c", middle=["A1a"])
    r.happen(Tie(BASE, 0, ("A2a", "B2a"), (0, 10), (2, 2)))
    r.happen(Play(BASE + 200, 0, "A2b", 0, None, None, 2))
    assert "own tie" in r.fault(Miss(BASE + 400, 0, "A4a", 0, None, 2))
    assert r.referee().refusal(BASE + 400, Try(0, "A4a", 0, None, 2)).rule == "tie-not-shown"
    assert r.allows(Miss(BASE + 400, 0, "A4a", 0, None, 3))


@pytest.mark.parametrize("rival", [True, False])
def test_a_window_runs_to_its_end_before_the_round_does(rival: bool) -> None:
    """ "what is tied is decided first, and only then whether the round ended inside it"."""
    r = Round("A1a A2a A3a", "B1a B2a B3a", deck=[1, 1, 1, 0, 0, 0], out="empty")
    r.happen(Play(BASE, 0, "A1a", 0), Play(BASE + 200, 0, "A2a", 0))
    tries = [(BASE + 400, Try(0, "A3a", 0)), (BASE + 449, Try(1, "B3a", 0))]
    events = r.referee().facts(BASE + 450, *tries[: 1 + rival])
    assert [type(fact) for fact in events] == ([Tie] if rival else [Play, Out, End])


def test_a_try_after_the_end_counts_only_in_a_tie_begun_before_it() -> None:
    """ "A try after the end counts only as part of a tie whose first try came before the
    end": seat 0 shouts at +10, a try that ties at +20 still counts, another is refused."""

    def outcomes(late: Try) -> list[Outcome]:
        deck = [1, 1, 1, 0, 0, 0]
        r = Round("A1a A2a A3a", "B1a B2a B3a", "C1a C2a C3a", deck=deck)
        r.happen(r.play(BASE, "A1a", 0), Play(BASE, 1, "B1a", 1))
        before = (BASE + 200, Try(1, "B2a", 0)), (BASE + 210, Shout(0))
        return r.referee().outcomes(BASE + 300, *before, (BASE + 220, late))

    tie, out, end = facts(outcomes(Try(2, "C2a", 0)))
    assert tie == Tie(BASE + 200, 0, ("B2a", "C2a"), (0, 20), (2, 2))
    assert out == Out(BASE + 210, 0)
    assert isinstance(end, End)
    assert (end.t, end.reason) == (BASE + 210, "out")
    elsewhere = outcomes(Try(2, "C1a", 2))
    assert [type(fact) for fact in facts(elsewhere)] == [Play, Out, End]
    assert [refusal.rule for refusal in refusals(elsewhere)] == ["round-over"]


def test_a_seat_that_has_shouted_makes_no_movement() -> None:
    """ "A seat that has shouted OUT makes no movement until that is settled"."""
    r = Round("A1a A2a A3a", "B1a B2a B3a", deck=[1, 1, 1, 0, 0, 0])
    court = r.referee()
    court.offer(BASE, Try(1, "B1a", 0))
    court.offer(BASE + 10, Shout(0))
    assert court.refusal(BASE + 20, DiscardOne(0, "A1a")).rule == "shouted"
    assert court.refusal(BASE + 20, Shout(0)).rule == "shouted"


def test_an_out_whose_seat_gets_a_card_back_by_a_tie_is_void() -> None:
    """ "an OUT whose seat gets a card back by a tie is void and leaves no line"."""
    r = Round("A1a A2a A3a", "B1a B2a B3a", deck=[1, 1, 1, 0, 0, 0])
    court = r.referee()
    tries = (BASE, Try(0, "A1a", 0)), (BASE + 10, Shout(0)), (BASE + 20, Try(1, "B1a", 0))
    outcomes = court.outcomes(BASE + 60, *tries)
    assert facts(outcomes) == [Tie(BASE, 0, ("A1a", "B1a"), (0, 20), (0, 0))]
    assert [refusal.rule for refusal in refusals(outcomes)] == ["not-out"]
    assert repr(facts(court.offer(BASE + 150, DrawOne(0)))) == repr([Draw(BASE + 150, 0, "A1a")])
