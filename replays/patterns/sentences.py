"""A hit in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from games.engine.cards import WILD
from games.records.plural import counted
from replays.patterns import language
from replays.patterns.matching import Hit
from replays.patterns.occurrences import KINDS, NOBODY, Occurrence


def sentence(hit: Hit, names: Sequence[str], who: str) -> str:
    """What happened, as `Ada left a 5 on a 4 for 1.4 s.`; `who`: those who did."""
    said = f"{who} {_said(hit.first, names)}"
    if hit.last == hit.first:
        return f"{said}."
    return f"{said}; then {names[hit.last.seat]} {_said(hit.last, names)}."


def _said(one: Occurrence, names: Sequence[str]) -> str:
    return _SAYINGS[KINDS[one.kind]](one, names)


def _left(one: Occurrence, names: Sequence[str]) -> str:
    ended = "" if one.other == NOBODY else f" until {names[one.other]} played there"
    if one.other == one.seat:
        ended = " and played another card there"
    what = "missed a take with" if one.missed else "left"
    return f"{what} {_card(one)} {_on(one)} for {_seconds(one.ms)}{ended}"


def _took(one: Occurrence, names: Sequence[str]) -> str:
    fed = "" if one.other in (NOBODY, one.seat) else f", fed by {names[one.other]}"
    return f"took {counted(one.cards, 'card')} with {_card(one)}{fed}"


_SAYINGS: Final[dict[str, Callable[[Occurrence, Sequence[str]], str]]] = {
    language.LEFT: _left,
    language.PLAYED: lambda one, names: f"played {_card(one)} {_on(one)} after {_seconds(one.ms)}",
    language.TOOK: _took,
    language.LATE: lambda one, names: (
        f"was {_seconds(one.ms)} later than {names[one.other]} with {_card(one)} {_on(one)}"
    ),
    language.TIED: lambda one, names: (
        f"tied {_on(one)}, {one.players} players within {_seconds(one.ms)}"
    ),
    language.MISTAKE: lambda one, names: f"tried {_card(one)} {_on(one)}, where it did not fit",
    language.DREW: lambda one, names: f"drew {_card(one)}",
    language.DISCARDED: lambda one, names: f"discarded {_card(one)}",
    language.OUT: lambda one, names: "was OUT",
}


def _card(one: Occurrence) -> str:
    return "a wild" if one.face == WILD else f"a {one.face}"


def _on(one: Occurrence) -> str:
    return f"on a {one.top}" if one.top else f"on empty slot {one.slot + 1}"


def _seconds(ms: int) -> str:
    return f"{ms} ms" if ms < 1_000 else f"{ms / 1_000:.1f} s"
