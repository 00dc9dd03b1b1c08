"""The players' table: one row per seat."""

from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Any, Final, cast

from games.engine.events import Play
from replays.analysis.actions import actions
from replays.analysis.missed_takes import missed_takes, separate_moments
from replays.analysis.report_json import PlayerCells
from replays.analysis.round_chances import RoundChances
from replays.analysis.windows import PLAYED
from replays.timeline import Timeline

_DIGITS: Final = 4


def player_table(timeline: Timeline, known: Sequence[RoundChances]) -> list[PlayerCells]:
    """One row per seat. None: unknown. `known`: each round's chances."""
    return [
        cast(PlayerCells, _row(seat, done, timeline, known))
        for seat, done in enumerate(_done(timeline))
    ]


def public_table(timeline: Timeline) -> list[PlayerCells]:
    """The columns shown during the match, from a log that may hide the hands. The others need the
    hands, mean little yet, or are on the board, which is never behind."""
    return [
        cast(PlayerCells, {"seat": seat, **_public(done)})
        for seat, done in enumerate(_done(timeline))
    ]


def _done(timeline: Timeline) -> list[Counter[str]]:
    """For each seat, how often it did what (`actions`), its takes, and the cards in them."""
    counts = [Counter[str]() for _ in timeline.names]
    for played in timeline.rounds:
        for count, done in zip(counts, actions(played.events, len(counts)), strict=True):
            count.update(done)
        for event in played.events:
            if isinstance(event, Play) and event.takes is not None:
                counts[event.seat].update(takes=1, cards=event.takes)
    return counts


def _public(done: Counter[str]) -> dict[str, Any]:
    return {
        "takes": done["takes"],
        "cards_a_take": _ratio(done["cards"], done["takes"]),
        "late": done["late"],
        "ties": done["tied"],
        "misses": done["miss"],
    }


def _row(
    seat: int, done: Counter[str], timeline: Timeline, known: Sequence[RoundChances]
) -> dict[str, Any]:
    duration = sum(played.duration_ms for played in timeline.rounds)
    windows = [
        [chance.window for chance in of_round.listed if chance.window.seat == seat]
        for of_round in known
    ]
    missed = list(map(missed_takes, windows))
    reactions = [each.ms for of_round in windows for each in of_round if each.end == PLAYED]
    return {
        "seat": seat,
        "points": timeline.totals[seat],
        **_public(done),
        "missed_takes": sum(map(len, missed)),
        "missed_moments": sum(max(separate_moments(takes), default=0) for takes in missed),
        "reaction_ms": median(reactions) if reactions else None,
        "plays_a_minute": _ratio(60_000 * done["play"], duration),
        "unplayed_share": _ratio(sum(of_round.open_ms[seat] for of_round in known), duration),
    }


def _ratio(top: int, bottom: int) -> float | None:
    return round(top / bottom, _DIGITS) if bottom else None
