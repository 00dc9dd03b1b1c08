"""The shared state of a review, and the rights to change it.

The rules of this file:

- Exactly one member leads. The owner, who started the review and is member 1, leads first.
- Only the leader moves the others (`Move`) and draws for them (`DrawMarks`).
- The lead is handed over (`Pass`), taken back by the owner (`TakeLead`), or passed on when the
  leader is gone (`Succeed`, when `replays.reviews.gathering` says so). Then it is only lent: it
  goes back to that leader, or to the owner, whoever comes back first. A muted member never leads:
  muting the leader gives the lead back to the owner.
- Drawings belong to their position, and suggestions too: together they are the
  review's moments. Drawing again at a position replaces the old drawing. Drawing nothing
  removes it.
- Members raise and lower their own hand. The leader and the owner lower anyone's (`Lower`).
- Only the owner ends a review, then nothing in it changes any more. Only the owner mutes
  members, who then suggest nothing, show no one their notes as they write, and raise no hand.
- In a review of a study every position is in one of its chapters, in one of a match in none.
- Repeating a change changes nothing, so anything that may have been lost can be sent again.

`change` is pure: it gets a state and returns the next one, or the same one if nothing changes. Each
part of a state has the version in which it changed last.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field

from games.live.host.client_frames import Flag, Number, client_frame

MemberNumber = Annotated[int, Field(strict=True, ge=1, le=100_000)]
OWNER: Final = 1
"""The number of the member who started the review."""
MOST_MOMENTS: Final = 100
MOST_NOTED: Final = 20
"""How many of the latest notes a state names."""
REFUSALS: Final = {
    "ended": "the review has ended",
    "not-leader": "only the leader can do that",
    "not-owner": "only the person who started the review can do that",
    "nameless": "choose a name first",
    "no-such": "there is no such moment or person here",
    "full": f"a review has at most {MOST_MOMENTS} moments",
    "muted": "you are muted in this review",
    "silenced": "somebody who is muted cannot lead",
    "too-often": "too many at once: wait a moment",
}


class RefusedError(Exception):
    """The change is not allowed. `args[0]` is one of REFUSALS."""


class ReviewPosition(NamedTuple):
    """A position in the match. `line` is a variation's key, empty on the mainline.

    In a review of a study, `chapter` is the number of the chapter whose match it is. Otherwise 0.
    """

    round: int
    event: int
    line: str = ""
    chapter: int = 0


class LeaderPlace(NamedTuple):
    """Where the leader is, and how the leader's clock runs."""

    position: ReviewPosition = ReviewPosition(1, 0)
    t: int = 0
    """ms in the round."""
    playing: bool = False
    following: bool = False
    """Whether the leader follows the end of a match that is being played."""
    smart: bool = False
    speed: int = 100
    """In per cent."""
    view: str = "all"
    """The perspective: `all`, `spectator` or a seat's number."""
    id: str = ""
    """The leader's own name for this move."""
    at: int = 0
    """When it arrived, in ms on the wall clock."""


class ReviewMoment(NamedTuple):
    """A position that the leader drew on (`drawn`) or a member suggested with a comment."""

    n: int
    by: int
    position: ReviewPosition
    marks: tuple[str, ...] = ()
    arrows: tuple[str, ...] = ()
    text: str = ""
    id: str = ""
    """A suggestion's name, given by its client. Empty for the leader's drawings."""
    version: int = 0

    @property
    def drawn(self) -> bool:
        return not self.id


class RaisedHand(NamedTuple):
    """A member who wants to say something or, with `lead`, to lead."""

    member: int
    lead: bool = False


class State(NamedTuple):
    """The shared state of a review."""

    version: int = 0
    leader: int = OWNER
    place: LeaderPlace = LeaderPlace()
    hands: tuple[RaisedHand, ...] = ()
    moments: tuple[ReviewMoment, ...] = ()
    counted: int = 0
    """The number of the latest moment."""
    noted: tuple[tuple[int, str], ...] = ()
    """The latest notes written by members: the version, and the note's key."""
    ended: bool = False
    placed: int = 0
    led: int = 0
    listed: int = 0
    """In which versions the place, the leader, a hand or a mute, and the moments changed last."""
    study: bool = False
    """Whether this is a review of a study."""
    muted: tuple[int, ...] = ()
    lent: int = 0
    """Who has gone, so that the leader leads in their place. 0: nobody."""


# --- What members ask for ----------------------------------------------------------------------


class Move(NamedTuple):
    """The leader is there now."""

    place: LeaderPlace


class DrawMarks(NamedTuple):
    """These marks and arrows, and no others, are drawn at a position."""

    position: ReviewPosition
    marks: tuple[str, ...]
    arrows: tuple[str, ...]


class Suggest(NamedTuple):
    """A member suggests a position to the leader."""

    id: str
    position: ReviewPosition
    marks: tuple[str, ...]
    arrows: tuple[str, ...]
    text: str


@client_frame
class Dismiss:
    """Removes a moment."""

    n: Number
    type: Literal["dismiss"] = "dismiss"


@client_frame
class Hand:
    """Raises or lowers a hand; with lead, asks to lead."""

    raised: Flag
    lead: Flag = False
    type: Literal["hand"] = "hand"


@client_frame
class Lower:
    """The leader or the owner lowers a member's hand."""

    member: Annotated[MemberNumber, Field(alias="n")]
    type: Literal["lower"] = "lower"


@client_frame
class Pass:
    """Hands the lead over."""

    to: MemberNumber
    type: Literal["pass"] = "pass"


@client_frame
class TakeLead:
    """The owner takes the lead."""

    type: Literal["lead"] = "lead"


class Succeed(NamedTuple):
    """`gone` has left, so `to` leads now. Never asked for by a member."""

    gone: int
    to: int


@client_frame
class Mute:
    """The owner mutes a member, who then says nothing, or unmutes them."""

    member: Annotated[MemberNumber, Field(alias="n")]
    muted: Flag
    type: Literal["mute"] = "mute"


@client_frame
class Noted:
    """A note of the sender's on the match has been saved."""

    key: Annotated[str, Field(pattern="^[A-Za-z0-9_-]{1,64}$")]
    type: Literal["noted"] = "noted"


@client_frame
class Finish:
    """The owner ends the review."""

    type: Literal["finish"] = "finish"


Change = (
    Move
    | DrawMarks
    | Suggest
    | Dismiss
    | Hand
    | Lower
    | Pass
    | TakeLead
    | Succeed
    | Mute
    | Noted
    | Finish
)


def change(state: State, by: int, wanted: Change) -> State:
    """The state after a change by member `by`, still with its version. Raises RefusedError."""
    if state.ended:
        if isinstance(wanted, Finish):
            return state
        raise RefusedError("ended")
    return _CHANGES[type(wanted)](state, by, wanted)


def committed(state: State) -> State:
    """A changed state as it is stored: one version on."""
    return state._replace(version=state.version + 1)


def lender(state: State, here: Collection[int]) -> int | None:
    """Who is back and gets the lead that was passed on while they were gone."""
    lenders = (state.lent, OWNER) if state.lent else ()
    return next(
        (member for member in lenders if member in here and member not in state.muted), None
    )


def successor(state: State, here: Sequence[int]) -> int | None:
    """The next leader after a leader has gone: the owner, a request, a raised hand, the first."""
    asked = sorted(state.hands, key=lambda hand: not hand.lead)
    order = (OWNER, *(hand.member for hand in asked), *sorted(here))
    barred = {state.leader, *state.muted}
    return next((member for member in order if member in here and member not in barred), None)


# --- How each changes the state ----------------------------------------------------------------


def _need(holds: object, code: str) -> None:
    if not holds:
        raise RefusedError(code)


def _need_leader(state: State, by: int) -> None:
    _need(by == state.leader, "not-leader")


def _need_fitting(state: State, position: ReviewPosition) -> None:
    _need(bool(position.chapter) == state.study, "no-such")


def _move(state: State, by: int, wanted: Move) -> State:
    _need_leader(state, by)
    _need_fitting(state, wanted.place.position)
    if wanted.place == state.place:
        return state
    return state._replace(place=wanted.place, placed=state.version + 1)


def _draw(state: State, by: int, wanted: DrawMarks) -> State:
    _need_leader(state, by)
    _need_fitting(state, wanted.position)
    there = (
        moment for moment in state.moments if moment.drawn and moment.position == wanted.position
    )
    before = next(there, None)
    if not (wanted.marks or wanted.arrows):
        return _without(state, before) if before else state
    if before is None:
        return _added(state, ReviewMoment(0, by, wanted.position, wanted.marks, wanted.arrows))
    drawn = before._replace(marks=wanted.marks, arrows=wanted.arrows)
    return state if drawn == before else _with(state, drawn)


def _suggest(state: State, by: int, wanted: Suggest) -> State:
    _need(by not in state.muted, "muted")
    _need_fitting(state, wanted.position)
    if any(known.id == wanted.id for known in state.moments):
        return state
    moment = ReviewMoment(
        0, by, wanted.position, wanted.marks, wanted.arrows, wanted.text, wanted.id
    )
    return _added(state, moment)


def _added(state: State, moment: ReviewMoment) -> State:
    _need(len(state.moments) < MOST_MOMENTS, "full")
    n, version = state.counted + 1, state.version + 1
    moments = (*state.moments, moment._replace(n=n, version=version))
    return state._replace(moments=moments, counted=n, listed=version)


def _with(state: State, moment: ReviewMoment) -> State:
    version = state.version + 1
    changed = moment._replace(version=version)
    moments = tuple(changed if known.n == moment.n else known for known in state.moments)
    return state._replace(moments=moments, listed=version)


def _without(state: State, moment: ReviewMoment) -> State:
    moments = tuple(known for known in state.moments if known.n != moment.n)
    return state._replace(moments=moments, listed=state.version + 1)


def _dismiss(state: State, by: int, wanted: Dismiss) -> State:
    moment = next((known for known in state.moments if known.n == wanted.n), None)
    if moment is None:
        _need(wanted.n <= state.counted, "no-such")
        return state  # it has been dismissed already
    _need(by in (moment.by, state.leader), "not-leader")
    return _without(state, moment)


def _hand(state: State, by: int, wanted: Hand) -> State:
    if wanted.raised:
        _need(by not in state.muted, "muted")
    others = tuple(hand for hand in state.hands if hand.member != by)
    hand = RaisedHand(by, wanted.lead)
    hands = (*others, hand) if wanted.raised else others
    same = hands == state.hands or (wanted.raised and hand in state.hands)
    return state if same else state._replace(hands=hands, led=state.version + 1)


def _lower(state: State, by: int, wanted: Lower) -> State:
    if by not in (wanted.member, OWNER):
        _need_leader(state, by)
    return _hand(state, wanted.member, Hand(raised=False))


def _pass(state: State, by: int, wanted: Pass) -> State:
    if wanted.to == state.leader:
        return state
    if by != OWNER:
        _need_leader(state, by)
    _need(wanted.to not in state.muted, "silenced")
    return _led_by(state if by != OWNER else state._replace(lent=0), wanted.to)


def _lead(state: State, by: int, _wish: TakeLead) -> State:
    _need(by == OWNER, "not-owner")
    return state if state.leader == by else _led_by(state, by)


def _succeed(state: State, _by: int, wanted: Succeed) -> State:
    passes = state.leader == wanted.gone and wanted.to not in state.muted
    lent = state._replace(lent=state.lent or wanted.gone)
    return _led_by(lent, wanted.to) if passes else state


def _led_by(state: State, member: int) -> State:
    """That member leads, from where the review is."""
    hands = tuple(hand for hand in state.hands if hand.member != member)
    lent = 0 if member in (OWNER, state.lent) else state.lent
    return state._replace(leader=member, hands=hands, led=state.version + 1, lent=lent)


def _mute(state: State, by: int, wanted: Mute) -> State:
    _need(by == OWNER, "not-owner")
    _need(wanted.member != OWNER, "no-such")
    if wanted.muted == (wanted.member in state.muted):
        return state
    muted = tuple(sorted({*state.muted} ^ {wanted.member}))
    hands = tuple(hand for hand in state.hands if hand.member not in muted)
    changed = state._replace(muted=muted, hands=hands, led=state.version + 1)
    return _led_by(changed, OWNER) if state.leader in muted else changed


def _noted(state: State, by: int, wanted: Noted) -> State:
    _need(by not in state.muted, "muted")
    noted = (*state.noted, (state.version + 1, wanted.key))
    return state._replace(noted=noted[-MOST_NOTED:])


def _finish(state: State, by: int, _wish: Finish) -> State:
    _need(by == OWNER, "not-owner")
    still = state.place._replace(playing=False, following=False)
    return state._replace(ended=True, place=still, placed=state.version + 1)


_CHANGES: Final[dict[type[Any], Callable[[State, int, Any], State]]] = {
    Move: _move,
    DrawMarks: _draw,
    Suggest: _suggest,
    Dismiss: _dismiss,
    Hand: _hand,
    Lower: _lower,
    Pass: _pass,
    TakeLead: _lead,
    Succeed: _succeed,
    Mute: _mute,
    Noted: _noted,
    Finish: _finish,
}
