"""Form: whether a player's matches have clearly become better or worse, and since when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from replays.analysis.players.progress import LATEST, changes
from replays.analysis.players.spans import Gain, Spans

_WINDOWS: Final = (LATEST, 2 * LATEST, 3 * LATEST)
"""The latest matches, as many as each of these, are compared with all before."""
_SD: Final = 20.0
"""The spread of such values over matches between equals."""


class Form(NamedTuple):
    """Values of matches in the order of time, and the last clear change."""

    values: Spans
    changed: int | None
    """Since which match, counted from 0. None: nothing clearly changed."""
    gained: Gain | None
    """By how much they are higher since then."""


def form(values: Sequence[float]) -> Form | None:
    """None for fewer than twice `LATEST` matches."""
    if len(values) < 2 * LATEST:
        return None
    spans = Spans(values, [_SD * _SD] * len(values))
    found = changes(spans, windows=_WINDOWS)
    if not found:
        return Form(spans, None, None)
    *earlier, changed = [0, *found]
    since = spans.mean(changed, len(spans))
    return Form(spans, changed, since.less(spans.mean(earlier[-1], changed)).gain())
