"""What the server says in a review: frames as text (docs/reference/reviews.md)."""

import json
from collections.abc import Container, Mapping, Sequence
from typing import Any, Final, NamedTuple, NotRequired, TypedDict, cast

from games.live.fanout.close_codes import VERSION
from games.live.fanout.frames import error
from replays.reviews.room import OWNER, REFUSALS, LeaderPlace, ReviewMoment, ReviewPosition, State

_encode: Final = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, separators=(",", ":")
).encode


class Who(NamedTuple):
    """A member as the others see them."""

    name: str
    account: int | None = None
    """The account's number, which is never shown."""


class Here(NamedTuple):
    """The people present: members by name, the total, and those who look around by themselves."""

    named: tuple[int, ...] = ()
    total: int = 0
    detached: tuple[int, ...] = ()
    total_detached: int = 0


def welcome(key: str, you: int, window: int, *, chat: bool) -> str:
    """The answer to a hello. `you`: the member's number, 0 for someone without a name."""
    return _encode(
        {
            "type": "welcome",
            "v": VERSION,
            "review": key,
            "you": you or None,
            "window": window,
            "chat": chat,
        }
    )


class PlaceFields(TypedDict):
    """Where the leader is. For a `withheld` chapter or match, only its number."""

    round: int
    event: int
    line: str
    chapter: int
    t: int
    playing: bool
    following: bool
    smart: bool
    speed: int
    view: str
    id: str
    at: int
    withheld: NotRequired[bool]


class HandFields(TypedDict):
    """A raised hand."""

    n: int
    name: str
    lead: bool


class MomentFields(TypedDict):
    """A moment, and who drew or suggested it."""

    n: int
    by: str
    member: int
    drawn: bool
    round: int
    event: int
    line: str
    chapter: int
    marks: Sequence[str]
    arrows: Sequence[str]
    text: str


class MomentsFields(TypedDict):
    """The moments that are new or have changed, and the numbers of all."""

    changed: list[MomentFields]
    all: list[int]


class PersonFields(TypedDict):
    """A member who is here."""

    n: int
    name: str
    account: bool
    detached: bool


class Parts(TypedDict, total=False):
    """The parts of a `review` frame. Each only if it has changed."""

    place: PlaceFields
    owner: int
    leader: int
    leader_name: str
    hands: list[HandFields]
    muted: list[int]
    moments: MomentsFields
    people: list[PersonFields]
    here: int
    detached: int
    answered: int
    ended: bool


Withheld = Container[int]
"""The chapters of which a member gets nothing but the numbers."""


def news(seq: int, now: int, parts: Parts) -> str:
    """The changes. `now`: on the wall clock, as in the place."""
    return _encode({"type": "review", "seq": seq, "now": now, **parts})


def state_parts(
    state: State, since: int, members: Mapping[int, Who], withheld: Withheld = ()
) -> Parts:
    """The parts of a state that changed after version `since`."""
    parts: Parts = {}
    if state.placed > since or since < 0:
        parts["place"] = _place(state.place, withheld)
    if state.led > since or since < 0:
        parts["owner"], parts["leader"] = OWNER, state.leader
        parts["leader_name"] = _name(members, state.leader)
        parts["hands"] = [
            {"n": hand.member, "name": _name(members, hand.member), "lead": hand.lead}
            for hand in state.hands
        ]
        parts["muted"] = list(state.muted)
    if state.listed > since or since < 0:
        shown = [moment for moment in state.moments if moment.position.chapter not in withheld]
        parts["moments"] = {
            "changed": [_moment(moment, members) for moment in shown if moment.version > since],
            "all": [moment.n for moment in shown],
        }
    if state.ended:
        parts["ended"] = True
    return parts


def here_part(here: Here, members: Mapping[int, Who]) -> Parts:
    people: list[PersonFields] = [
        {
            "n": n,
            "name": _name(members, n),
            "account": n in members and members[n].account is not None,
            "detached": n in here.detached,
        }
        for n in here.named
    ]
    return {"people": people, "here": here.total, "detached": here.total_detached}


def _name(members: Mapping[int, Who], n: int) -> str:
    who = members.get(n)
    return who.name if who else "somebody"


def _place(place: LeaderPlace, withheld: Withheld) -> PlaceFields:
    chapter = place.position.chapter
    if chapter in withheld:
        nowhere = LeaderPlace(ReviewPosition(1, 0, chapter=chapter))
        return {**_place(nowhere, ()), "withheld": True}
    fields = place._asdict()
    return cast("PlaceFields", {**fields.pop("position")._asdict(), **fields})


def _moment(moment: ReviewMoment, members: Mapping[int, Who]) -> MomentFields:
    return {
        "n": moment.n,
        "by": _name(members, moment.by),
        "member": moment.by,
        "drawn": moment.drawn,
        "round": moment.position.round,
        "event": moment.position.event,
        "line": moment.position.line,
        "chapter": moment.position.chapter,
        "marks": moment.marks,
        "arrows": moment.arrows,
        "text": moment.text,
    }


def note(match: int, text: str) -> str:
    """A note was saved on that match. `text` is its JSON."""
    return f'{{"type":"note","match":{match},"note":{text}}}'


def refusal(code: str) -> str:
    """A change was refused."""
    return error(code, REFUSALS[code])


def encode(value: Mapping[str, Any]) -> str:
    """JSON as short as in frames."""
    return _encode(value)
