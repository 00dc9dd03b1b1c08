"""A review's state as JSON for the database, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from replays.reviews.room import LeaderPlace, RaisedHand, ReviewMoment, ReviewPosition, State


class StateJson(TypedDict):
    """The fields of `State`; each tuple in it, such as a hand, is the array of its values."""

    leader: int
    place: Sequence[Any]
    hands: Sequence[Sequence[Any]]
    moments: Sequence[Sequence[Any]]
    counted: int
    noted: Sequence[Sequence[Any]]
    ended: bool
    placed: int
    led: int
    listed: int
    study: bool
    muted: Sequence[int]


def to_json(state: State) -> StateJson:
    """Everything but the version, which has a column of its own."""
    return {
        "leader": state.leader,
        "place": list(state.place),
        "hands": [list(hand) for hand in state.hands],
        "moments": [list(moment) for moment in state.moments],
        "counted": state.counted,
        "noted": [list(note) for note in state.noted],
        "ended": state.ended,
        "placed": state.placed,
        "led": state.led,
        "listed": state.listed,
        "study": state.study,
        "muted": list(state.muted),
    }


def from_json(version: int, value: Mapping[str, Any]) -> State:
    """The state from `to_json`'s output, which may come from an older release with fewer fields.

    An empty object is a new review's.
    """
    if not value:
        return State(version)
    place, moments = value["place"], value["moments"]
    return State(
        version=version,
        leader=value["leader"],
        place=LeaderPlace(ReviewPosition(*place[0]), *place[1:]),
        hands=tuple(RaisedHand(*hand) for hand in value["hands"]),
        moments=tuple(_moment(*moment) for moment in moments),
        counted=value["counted"],
        noted=tuple((number, key) for number, key in value["noted"]),
        ended=value["ended"],
        placed=value["placed"],
        led=value["led"],
        listed=value["listed"],
        study=value.get("study", False),
        muted=tuple(value.get("muted", ())),
    )


def _moment(
    n: int, by: int, position: list[Any], marks: list[str], arrows: list[str], *rest: Any
) -> ReviewMoment:
    return ReviewMoment(n, by, ReviewPosition(*position), tuple(marks), tuple(arrows), *rest)
