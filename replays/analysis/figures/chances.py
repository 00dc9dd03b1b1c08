"""Missed takes as lanes by seat, divided by cause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from replays.analysis.chances import BUSY, FREE, UNSEEN, Chance
from replays.analysis.figures.chart import MOST_ROWS, Axis, Chart, Json, clock, shortened
from replays.analysis.findings import Findings, Missed
from replays.analysis.marks import label

TITLE: Final = "Missed takes"
_LOOK: Final = {UNSEEN: ("#9aa0a6", 4), BUSY: ("#e08a1e", 8), FREE: ("#c0392b", 12)}
"""The colour and width of each cause: distinguishable by width alone."""
_WORDS: Final = {UNSEEN: "not shown yet", BUSY: "hand busy", FREE: "in hand and free"}


def missed(findings: Findings) -> Chart:
    """A strip for each take that somebody could have made before another player closed it."""
    axis, lost = Axis(findings.timeline), findings.missed
    rows, left_out = shortened([_row(one, findings.names) for one in lost])
    free = sum(one.chance.free_ms > 0 for one in lost)
    return Chart(
        name="missed",
        title=TITLE,
        says=(
            f"Takes that another's play closed: {len(lost)} in all, {free} of them with the "
            "card in hand and the hand free for a while (the thick strips)."
        ),
        data=[_strips(axis, lost[:MOST_ROWS], cause) for cause in _LOOK],
        layout=axis.layout(
            TITLE,
            yaxis={
                "tickmode": "array",
                "tickvals": list(range(len(findings.names))),
                "ticktext": [label(seat, name) for seat, name in enumerate(findings.names)],
                "range": [len(findings.names) - 0.5, -0.5],
                "zeroline": False,
                "automargin": True,
            },
        ),
        columns=("round", "time", "player", "card", "stack", "cards", "cause", "free ms"),
        rows=rows,
        left_out=left_out,
    )


def _row(lost: Missed, names: tuple[str, ...]) -> tuple[str | float | int | None, ...]:
    chance, window = lost.chance, lost.chance.window
    return (
        lost.round,
        clock(window.since),
        names[window.seat],
        window.card,
        window.slot + 1,
        window.cards,
        _WORDS[chance.cause],
        chance.free_ms,
    )


def _strips(axis: Axis, lost: list[Missed], cause: str) -> Json:
    """One trace for all strips of a cause, separated by gaps."""
    x: list[int | None] = []
    y: list[int | None] = []
    for one in lost:
        for since, to in _parts(one.chance, cause):
            x += [axis.at(one.round, since), axis.at(one.round, to), None]
            y += [one.chance.window.seat, one.chance.window.seat, None]
    colour, width = _LOOK[cause]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": _WORDS[cause],
        "x": x,
        "y": y,
        "line": {"color": colour, "width": width},
        "hoverinfo": "skip",
    }


def _parts(chance: Chance, cause: str) -> Iterator[tuple[int, int]]:
    if cause == FREE:
        yield from chance.free
    elif cause == BUSY:
        yield from chance.busy
    elif chance.shown > chance.window.since:
        yield chance.window.since, chance.shown
