"""The rules of a review: who leads, who may change what, and that repeating changes nothing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replays.reviews.room import (
    MOST_MOMENTS,
    Change,
    Dismiss,
    DrawMarks,
    Finish,
    Hand,
    Lower,
    Move,
    Mute,
    Noted,
    Pass,
    RaisedHand,
    RefusedError,
    ReviewPosition,
    State,
    Succeed,
    Suggest,
    TakeLead,
    change,
    committed,
    lender,
    successor,
)
from replays.reviews.state_json import from_json, to_json
from tests.reviews.rooms import moved

HERE = ReviewPosition(1, 5)
members = st.integers(1, 4)
positions = st.builds(
    ReviewPosition, st.integers(1, 3), st.integers(0, 5), st.sampled_from(["", "v1"])
)
marks = st.lists(st.sampled_from(["stack:0", "seat:1", "card:A1a"]), max_size=3).map(tuple)
arrows = st.lists(st.sampled_from(["seat:0>stack:1"]), max_size=1).map(tuple)
changes: st.SearchStrategy[Change] = st.one_of(
    st.builds(moved, st.integers(0, 9), playing=st.booleans()),
    st.builds(DrawMarks, positions, marks, arrows),
    st.builds(Suggest, st.sampled_from("abcdef"), positions, marks, arrows, st.just("look")),
    st.builds(Dismiss, st.integers(1, 6)),
    st.builds(Hand, st.booleans(), st.booleans()),
    st.builds(Lower, members),
    st.builds(Pass, members),
    st.just(TakeLead()),
    st.builds(Succeed, members, members),
    st.builds(Mute, members, st.booleans()),
    st.builds(Noted, st.sampled_from(["n1", "n2"])),
)


def after(*steps: tuple[int, Change], state: State | None = None) -> State:
    """The state after these changes, each of a member, each committed."""
    state = state or State()
    for by, wanted in steps:
        state = committed(change(state, by, wanted))
    return state


def refused(state: State, by: int, wanted: Change) -> str:
    with pytest.raises(RefusedError) as error:
        change(state, by, wanted)
    return str(error.value.args[0])


def test_only_the_leader_moves_and_draws() -> None:
    state = State()
    assert refused(state, 2, moved(3)) == "not-leader"
    assert refused(state, 2, DrawMarks(HERE, ("stack:0",), ())) == "not-leader"
    assert after((1, moved(3))).place.position.event == 3


def test_what_is_drawn_belongs_to_its_position() -> None:
    state = after(
        (1, DrawMarks(HERE, ("stack:0",), ())),
        (1, DrawMarks(ReviewPosition(1, 6), ("seat:0",), ())),
    )
    assert [moment.marks for moment in state.moments] == [("stack:0",), ("seat:0",)]
    state = after((1, DrawMarks(HERE, ("stack:1",), ("seat:0>stack:1",))), state=state)
    assert [(moment.n, moment.marks) for moment in state.moments] == [
        (1, ("stack:1",)),
        (2, ("seat:0",)),
    ]
    state = after((1, DrawMarks(HERE, (), ())), state=state)
    assert [moment.n for moment in state.moments] == [2]
    assert change(state, 1, DrawMarks(HERE, (), ())) is state


def test_a_suggestion_sent_again_is_one() -> None:
    suggest = Suggest("x", HERE, (), (), "here")
    state = after((2, suggest))
    assert change(state, 2, suggest) is state
    assert state.moments[0].text == "here"


def test_a_moment_is_dismissed_by_its_author_and_the_leader() -> None:
    state = after((2, Suggest("x", HERE, (), (), "here")))
    assert refused(state, 3, Dismiss(1)) == "not-leader"
    assert refused(state, 1, Dismiss(9)) == "no-such"
    for by in (1, 2):
        dismissed = after((by, Dismiss(1)), state=state)
        assert dismissed.moments == ()
        assert change(dismissed, 3, Dismiss(1)) is dismissed


def test_the_number_of_moments_is_limited() -> None:
    state = State()
    for n in range(MOST_MOMENTS):
        state = after((2, Suggest(f"s{n}", HERE, (), (), "")), state=state)
    assert refused(state, 2, Suggest("more", HERE, (), (), "")) == "full"


def test_the_lead_is_handed_over_and_taken_back() -> None:
    asked = after((2, Hand(raised=True, lead=True)), (3, Hand(raised=True)))
    led = after((1, Pass(2)), state=asked)
    assert led.leader == 2
    assert led.hands == (RaisedHand(3),)
    assert refused(led, 3, Pass(3)) == "not-leader"
    assert refused(led, 3, TakeLead()) == "not-owner"
    assert after((1, TakeLead()), state=led).leader == 1
    assert after((2, Pass(3)), state=led).leader == 3


def test_the_leader_and_the_owner_lower_any_hand_and_others_only_their_own() -> None:
    raised = after((2, Hand(True)), (3, Hand(True, lead=True)), (1, Pass(4)))
    for by in (1, 4):
        assert after((by, Lower(3)), state=raised).hands == (RaisedHand(2),)
    assert refused(raised, 2, Lower(3)) == "not-leader"
    assert after((3, Lower(3)), state=raised).hands == (RaisedHand(2),)
    assert change(raised, 4, Lower(9)) is raised


def test_the_lead_passes_in_order_when_the_leader_is_gone() -> None:
    state = after((1, Pass(2)), (4, Hand(raised=True)), (3, Hand(raised=True, lead=True)))
    assert successor(state, [1, 3, 4]) == 1
    assert successor(state, [3, 4, 5]) == 3
    assert successor(state, [4, 5]) == 4
    assert successor(state, [5, 6]) == 5
    assert successor(state, []) is None
    assert change(state, 0, Succeed(gone=3, to=4)) is state


def test_a_lead_passed_on_is_lent_until_who_had_gone_or_the_owner_is_back() -> None:
    kept = after((1, Pass(2)))
    assert lender(kept, [1, 2, 3]) is None, "handed over, not lent"
    lent = after((0, Succeed(gone=2, to=3)), (3, Pass(4)), state=kept)
    assert [lender(lent, here) for here in ([3, 4], [2, 4], [1, 2, 4])] == [None, 2, 2]
    assert lender(lent, [1, 4]) == 1
    back = after((0, Succeed(gone=4, to=2)), state=lent)
    assert (back.leader, back.lent) == (2, 0)
    for step in ((1, TakeLead()), (1, Pass(3))):
        assert lender(after(step, state=lent), [1, 2, 3, 4]) is None
    silent = after((1, Mute(2, True)), state=lent)
    assert lender(silent, [2, 4]) is None


def test_a_muted_member_never_leads() -> None:
    state = after((1, Mute(2, True)))
    assert refused(state, 1, Pass(2)) == "silenced"
    assert successor(state._replace(leader=3), [2, 4]) == 4
    assert successor(state, [2]) is None
    assert change(state, 0, Succeed(gone=1, to=2)) is state
    led = after((1, Pass(3)), (1, Mute(3, True)), state=state)
    assert (led.leader, led.muted) == (1, (2, 3))
    assert after((1, Mute(2, False)), (1, Pass(2)), state=led).leader == 2


def test_only_its_owner_ends_a_review_for_good() -> None:
    state = after((1, moved(3, playing=True)), (1, Pass(2)))
    assert refused(state, 2, Finish()) == "not-owner"
    ended = after((1, Finish()), state=state)
    assert not ended.place.playing
    assert refused(ended, 2, moved(5)) == "ended"
    assert change(ended, 1, Finish()) is ended


def test_a_muted_member_says_nothing_in_any_way_until_the_owner_unmutes_them() -> None:
    state = after((2, Hand(True)), (1, Mute(2, True)))
    assert state.hands == ()
    ways = (Suggest("a", HERE, (), (), "look"), Hand(True), Noted("n1"))
    assert [refused(state, 2, wanted) for wanted in ways] == ["muted"] * 3
    assert refused(state, 2, Mute(2, False)) == "not-owner"
    assert refused(state, 1, Mute(1, True)) == "no-such"
    heard = after((1, Mute(2, False)), (2, Noted("n1")), state=state)
    assert [key for _, key in heard.noted] == ["n1"]


@given(st.lists(st.tuples(members, changes), max_size=30))
def test_whatever_is_asked_repeats_without_effect_and_survives_storing(
    steps: list[tuple[int, Change]],
) -> None:
    state = State()
    for by, wanted in steps:
        try:
            new = change(state, by, wanted)
        except RefusedError:
            continue
        if isinstance(wanted, Move | DrawMarks | Suggest | Hand | Lower | TakeLead):
            again = change(new, by, wanted)
            assert again._replace(placed=0, led=0, listed=0) == new._replace(
                placed=0, led=0, listed=0
            )
        state = new if new is state else committed(new)
        assert state.leader in range(1, 5)
        stored = json.loads(json.dumps(to_json(state)))
        assert from_json(state.version, stored) == state
