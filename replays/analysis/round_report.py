"""One round in detail: each chance with its cause, players' opportunities, each card's life."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from replays.analysis.card_lives import card_lives
from replays.analysis.chances import Chance, Span, chances
from replays.analysis.missed_takes import is_missed_take, missed_takes, separate_moments, taker
from replays.analysis.report_json import ChanceJson, HandJson, RoundReport, ScreenJson
from replays.analysis.screens import Arrivals, Way, screens
from replays.timeline import Round

MOST: Final = 1_000
"""Chances listed. Takes come first, then those with the longest `free_ms`."""


def round_report(
    played: Round, lags: Sequence[float | None], ways: Sequence[Way | None] = ()
) -> RoundReport:
    """A round's report. Times are ms in the round. When something was shown is an estimate."""
    every = chances(played, lags)
    listed = sorted(every, key=lambda chance: (not chance.window.takes, -chance.free_ms))[:MOST]
    hands = [_hand(every, seat) for seat in range(len(played.header.seats))]
    lives = card_lives(played)
    return {
        "round": played.number,
        "duration_ms": played.duration_ms,
        "chances": [
            _chance(chance) for chance in sorted(listed, key=lambda chance: chance.window.order)
        ],
        "hands": hands,
        "lives": {card: list(stages) for card, stages in lives.items()},
        "screens": [_screen(screen) for screen in screens(played, ways)],
    }


def _screen(arrived: Arrivals | None) -> ScreenJson | None:
    return arrived and {"low": arrived.low, "likely": arrived.likely, "high": arrived.high}


def _chance(chance: Chance) -> ChanceJson:
    window = chance.window
    busy = sum(to - since for since, to in chance.busy)
    return {
        "seat": window.seat,
        "card": window.card,
        "slot": window.slot,
        "from": window.since,
        "shown": chance.shown,
        "to": window.until,
        "end": window.end,
        "takes": window.takes,
        "missed": is_missed_take(window),
        "cards": window.counted,
        "taker": taker(window),
        "busy_ms": busy,
        "free_ms": chance.free_ms,
        "cause": chance.cause,
    }


def _hand(every: Iterable[Chance], seat: int) -> HandJson:
    """A seat's spans `[from, to, state]`, and its ms in each state."""
    mine = [chance for chance in every if chance.window.seat == seat]
    spans = _merged(mine)
    unseen, busy, free = (
        sum(to - since for since, to, state in spans if state == at) for at in range(3)
    )
    return {
        "spans": spans,
        "unseen_ms": unseen,
        "busy_ms": busy,
        "free_ms": free,
        "missed_takes": max(
            separate_moments(missed_takes(chance.window for chance in mine)), default=0
        ),
    }


def _merged(seat_chances: Iterable[Chance]) -> list[tuple[int, int, int]]:
    """The spans in which at least one card was playable, each with the best state of them all."""
    steps: list[tuple[int, int, int]] = []
    for chance in seat_chances:
        parts: tuple[Sequence[Span], ...] = (
            ((chance.window.since, chance.shown),),
            chance.busy,
            chance.free,
        )
        for state, spans in enumerate(parts):
            for since, to in spans:
                if since < to:
                    steps += [(since, state, 1), (to, state, -1)]
    open_now, merged = [0, 0, 0], list[tuple[int, int, int]]()
    steps.sort()
    for (t, state, by), (after, _, _) in pairwise([*steps, (steps[-1][0], 0, 0)] if steps else []):
        open_now[state] += by
        best = max((at for at in range(3) if open_now[at]), default=None)
        if best is None or after == t:
            continue
        if merged and merged[-1][1] == t and merged[-1][2] == best:
            merged[-1] = merged[-1][0], after, best
        else:
            merged.append((t, after, best))
    return merged
