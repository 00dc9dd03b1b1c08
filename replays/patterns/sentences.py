"""A hit in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from games.engine.cards import WILD
from games.records.plural import counted
from replays.patterns import query
from replays.patterns.matching import Hit
from replays.patterns.occurrences import KINDS, NOBODY, Occurrence


def sentence(hit: Hit, names: Sequence[str], who: str) -> str:
    """What happened, as `Ada left a 5 on a 4 for 1.4 s.`; `who`: those who did."""
    said = f"{who} {_said(hit.first, names)}"
    if hit.last == hit.first:
        return f"{said}."
    return f"{said}; then {names[hit.last.seat]} {_said(hit.last, names)}."


def _said(occurrence: Occurrence, names: Sequence[str]) -> str:
    return _SAYINGS[KINDS[occurrence.kind]](occurrence, names)


def _left(occurrence: Occurrence, names: Sequence[str]) -> str:
    ended = "" if occurrence.other == NOBODY else f" until {names[occurrence.other]} played there"
    if occurrence.other == occurrence.seat:
        ended = " and played another card there"
    what = "missed a take with" if occurrence.missed else "left"
    return f"{what} {_card(occurrence)} {_on(occurrence)} for {_seconds(occurrence.ms)}{ended}"


def _took(occurrence: Occurrence, names: Sequence[str]) -> str:
    fed = (
        ""
        if occurrence.other in (NOBODY, occurrence.seat)
        else f", fed by {names[occurrence.other]}"
    )
    return f"took {counted(occurrence.cards, 'card')} with {_card(occurrence)}{fed}"


_SAYINGS: Final[dict[str, Callable[[Occurrence, Sequence[str]], str]]] = {
    query.LEFT: _left,
    query.PLAYED: lambda occurrence, names: (
        f"played {_card(occurrence)} {_on(occurrence)} after {_seconds(occurrence.ms)}"
    ),
    query.TOOK: _took,
    query.LATE: lambda occurrence, names: (
        f"was {_seconds(occurrence.ms)} later than {names[occurrence.other]}"
        f" with {_card(occurrence)} {_on(occurrence)}"
    ),
    query.TIED: lambda occurrence, names: (
        f"tied {_on(occurrence)}, {occurrence.players} players within {_seconds(occurrence.ms)}"
    ),
    query.MISTAKE: lambda occurrence, names: (
        f"tried {_card(occurrence)} {_on(occurrence)}, where it did not fit"
    ),
    query.DREW: lambda occurrence, names: f"drew {_card(occurrence)}",
    query.DISCARDED: lambda occurrence, names: f"discarded {_card(occurrence)}",
    query.OUT: lambda occurrence, names: "was OUT",
}


def _card(occurrence: Occurrence) -> str:
    return "a wild" if occurrence.face == WILD else f"a {occurrence.face}"


def _on(occurrence: Occurrence) -> str:
    return f"on a {occurrence.top}" if occurrence.top else f"on empty slot {occurrence.slot + 1}"


def _seconds(ms: int) -> str:
    return f"{ms} ms" if ms < 1_000 else f"{ms / 1_000:.1f} s"
