"""A review's state as JSON for the database, and back."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter

from replays.reviews.room import State

_STATE: Final = TypeAdapter(State)


def to_json(state: State) -> dict[str, Any]:
    """Everything but the version, which has a column of its own. Each tuple is an array."""
    fields = state._asdict()
    del fields["version"]
    return fields


def from_json(version: int, value: Mapping[str, Any]) -> State:
    """The state from `to_json`'s output, which may come from another release with other fields.

    An empty object is a new review's.
    """
    fields = {name: value[name] for name in State._fields if name in value}
    return _STATE.validate_python({**fields, "version": version})
