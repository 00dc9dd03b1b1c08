"""What the server says in a review: frames as text (docs/reviews.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from games.live.fanout.close_codes import VERSION
from games.live.fanout.frames import error
from replays.reviews.parsing import PointerPath
from replays.reviews.room import OWNER, REFUSALS, LeaderPlace, ReviewMoment, State

_encode: Final = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, separators=(",", ":")
).encode


class Who(NamedTuple):
    """A member as the others see them."""

    name: str
    account: int | None = None
    """The account's number, which is shown to nobody."""


class Here(NamedTuple):
    """Who is here now: the members shown by name, and how many people in all."""

    named: tuple[int, ...]
    total: int


def welcome(key: str, you: int, window: int, *, chat: bool) -> str:
    """The answer to a hello; `you`: the member's number, 0 for somebody without a name."""
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


def news(seq: int, now: int, parts: Mapping[str, Any]) -> str:
    """What has changed; `now`: on the wall clock, as in the place."""
    return _encode({"type": "review", "seq": seq, "now": now, **parts})


def state_parts(state: State, since: int, members: Mapping[int, Who]) -> dict[str, Any]:
    """The parts of a state that changed after version `since`."""
    parts: dict[str, Any] = {}
    if state.placed > since or since < 0:
        parts["place"] = _place(state.place)
    if state.led > since or since < 0:
        parts["owner"], parts["leader"] = OWNER, state.leader
        parts["leader_name"] = _name(members, state.leader)
        parts["hands"] = [
            {"n": hand.member, "name": _name(members, hand.member), "lead": hand.lead}
            for hand in state.hands
        ]
    if state.listed > since or since < 0:
        new = [one for one in state.moments if one.version > since]
        parts["moments"] = {
            "changed": [_moment(one, members) for one in new],
            "all": [one.n for one in state.moments],
        }
    if state.ended:
        parts["ended"] = True
    return parts


def here_part(here: Here, members: Mapping[int, Who]) -> dict[str, Any]:
    """Who is here."""
    people = [
        {"n": n, "name": _name(members, n), "account": _is_account(members, n)} for n in here.named
    ]
    return {"people": people, "here": here.total}


def _name(members: Mapping[int, Who], n: int) -> str:
    who = members.get(n)
    return who.name if who else "somebody"


def _is_account(members: Mapping[int, Who], n: int) -> bool:
    who = members.get(n)
    return who is not None and who.account is not None


def _place(place: LeaderPlace) -> dict[str, Any]:
    fields = place._asdict()
    position = fields.pop("position")
    return {**position._asdict(), **fields}


def _moment(moment: ReviewMoment, members: Mapping[int, Who]) -> dict[str, Any]:
    return {
        "n": moment.n,
        "by": _name(members, moment.by),
        "member": moment.by,
        "drawn": moment.drawn,
        **moment.position._asdict(),
        "marks": moment.marks,
        "arrows": moment.arrows,
        "text": moment.text,
    }


def pointer(steps: PointerPath) -> str:
    """How the leader's pointer has moved."""
    return _encode({"type": "pointer", "path": steps.path})


def note(text: str) -> str:
    """A note was saved on the match; `text` is its JSON."""
    return f'{{"type":"note","note":{text}}}'


def refusal(code: str) -> str:
    """A change was refused."""
    return error(code, REFUSALS[code])


def encode(value: Mapping[str, Any] | Sequence[Any]) -> str:
    """JSON as short as in frames."""
    return _encode(value)
