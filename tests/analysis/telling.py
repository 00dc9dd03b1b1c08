"""Facts of a text by their kinds, for tests that hold them against the log."""

from collections.abc import Mapping
from typing import Any


def by_kind(text: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The values of each fact; a kind occurs once in most texts."""
    return dict(text["say"])
