"""A review's state as JSON for the database, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from replays.reviews.room import LeaderPlace, RaisedHand, ReviewMoment, ReviewPosition, State


def to_json(state: State) -> dict[str, Any]:
    """Everything but the version, which has a column of its own. Each tuple is an array."""
    fields = state._asdict()
    del fields["version"]
    return fields


def from_json(version: int, value: Mapping[str, Any]) -> State:
    """The state from `to_json`'s output, which may come from another release with other fields.

    An empty object is a new review's.
    """
    if not value:
        return State(version)
    fields = {name: value[name] for name in State._fields if name in value}
    position, *place = value["place"]
    return State(**fields)._replace(
        version=version,
        place=LeaderPlace(ReviewPosition(*position), *place),
        hands=tuple(RaisedHand(*hand) for hand in value["hands"]),
        moments=tuple(_moment(*moment) for moment in value["moments"]),
        noted=tuple((number, key) for number, key in value["noted"]),
        muted=tuple(value.get("muted", ())),
    )


def _moment(
    n: int, by: int, position: list[Any], marks: list[str], arrows: list[str], *rest: Any
) -> ReviewMoment:
    return ReviewMoment(n, by, ReviewPosition(*position), tuple(marks), tuple(arrows), *rest)
