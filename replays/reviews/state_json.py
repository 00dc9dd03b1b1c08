"""A review's state as JSON for the database, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from replays.reviews.room import LeaderPlace, RaisedHand, ReviewMoment, ReviewPosition, State


def to_json(state: State) -> dict[str, Any]:
    """Everything but the version, which has a column of its own."""
    return {
        **state._asdict(),
        "place": list(state.place),
        "hands": [list(hand) for hand in state.hands],
        "moments": [list(moment) for moment in state.moments],
        "noted": [list(note) for note in state.noted],
    }


def from_json(version: int, value: Mapping[str, Any]) -> State:
    """The state that `to_json` wrote; an empty object is a new review's."""
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
