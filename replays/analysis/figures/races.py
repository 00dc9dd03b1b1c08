"""Races: by how much each was lost, and how little would have changed it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from replays.analysis.figures.chart import MOST_ROWS, Axis, Chart, Json, clock, shortened
from replays.analysis.findings import Findings
from replays.analysis.marks import COLOURS, SYMBOLS, escape, label
from replays.analysis.race_cards import TIE, RaceCard

TITLE: Final = "Races"


def races(findings: Findings) -> Chart:
    """A mark for each try that was late or tied, by how many ms it was behind."""
    axis, found = Axis(findings.timeline), findings.race_cards
    rows, left_out = shortened([_row(one, findings.names) for one in found])
    window = findings.timeline.header.rules.tie_window_ms
    ties = sum(one.kind == TIE for one in found)
    return Chart(
        name="races",
        title=TITLE,
        says=(
            f"How many ms each loser was behind: {len(found)} races, {ties} of them ties "
            f"(within {window} ms). The lower, the closer."
        ),
        data=[
            _marks(axis, found[:MOST_ROWS], seat, findings.names)
            for seat in range(len(findings.names))
        ],
        layout=axis.layout(TITLE, yaxis={"title": {"text": "ms behind"}, "rangemode": "tozero"}),
        columns=(
            *("round", "time", "stack", "kind", "first", "behind", "ms behind"),
            *("cards", "flip time, ms", "with equal connections (estimate)"),
        ),
        rows=rows,
        left_out=left_out,
    )


def _row(one: RaceCard, names: tuple[str, ...]) -> tuple[str | float | int | None, ...]:
    first, *others = (names[attempt.seat] for attempt in one.attempts)
    equal = one.equal_lines
    verdict = names[equal] if isinstance(equal, int) else equal
    return (
        one.round,
        clock(one.t),
        one.slot + 1,
        one.kind,
        first,
        ", ".join(others),
        one.attempts[-1].margin_ms,
        one.cards,
        one.flip_ms,
        verdict,
    )


def _marks(axis: Axis, found: Sequence[RaceCard], seat: int, names: tuple[str, ...]) -> Json:
    """The races that a seat lost."""
    lost = [(one, attempt) for one in found for attempt in one.attempts[1:] if attempt.seat == seat]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": f"{label(seat, names[seat])} behind",
        "meta": {"seat": seat},
        "x": [axis.at(one.round, attempt.t) for one, attempt in lost],
        "y": [attempt.margin_ms for _, attempt in lost],
        "customdata": [one.seq for one, _ in lost],
        "text": [f"behind {escape(names[one.attempts[0].seat])}" for one, _ in lost],
        "marker": {"color": COLOURS[seat], "symbol": SYMBOLS[seat], "size": 9},
        "hovertemplate": "%{text}, %{y} ms<extra></extra>",
    }
