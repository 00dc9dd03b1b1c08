"""A match's report as one self-contained page: to send, to keep, to print.

Plotly's bundle is included; the page's policy forbids loading or sending anything. Every chart
has its sentence above and its numbers below, for readers who cannot point.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from replays.analysis.figures import CHARTS
from replays.analysis.figures.chart import MOST_ROWS, Cell, Chart, clock
from replays.analysis.findings import Findings
from replays.analysis.moments.wording import face
from replays.analysis.player_table import COLUMNS

_POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:"
)
_CONFIG: Final = {"displaylogo": False, "responsive": True, "showSendToCloud": False}
_HEADINGS: Final = dict(
    zip(
        COLUMNS,
        (
            *("Points", "Takes", "Cards per take", "Late", "Ties", "Mistakes", "Missed takes"),
            *("in separate moments", "Reaction, ms", "Reaction without lag, ms"),
            *("Plays per minute", "Playable time unused"),
        ),
        strict=True,
    )
)


def page(findings: Findings) -> str:
    """The whole page as HTML."""
    races = findings.race_cards
    stall = [findings.stall["text"]] if findings.stall else []
    context = {
        "policy": _POLICY,
        "title": f"Ratuki: {', '.join(findings.names)}",
        "facts": [*findings.facts, *stall],
        "moments": [f"{_place(one)}: {one.text}" for one in findings.moments],
        "luck": _luck(findings),
        "players": _players(findings),
        "charts": [_chart(make(findings)) for make in CHARTS.values()],
        "races": [(_place(race), findings.words_of(race)) for race in races[:MOST_ROWS]],
        "more_races": max(0, len(races) - MOST_ROWS),
        "tokens": mark_safe(_tokens()),  # noqa: S308 - the site's own file
        "plotly": mark_safe(_plotly()),  # noqa: S308 - the library's own file
    }
    return render_to_string("replays/report.html", context)


def _tokens() -> str:
    """The site's typeface, sizes and colours, with the typeface inside."""
    style = Path(str(finders.find("games/style/tokens.css")))
    font = "bricolage-700.woff2"
    data = base64.b64encode((style.parent / font).read_bytes()).decode()
    return style.read_text(encoding="utf-8").replace(font, f"data:font/woff2;base64,{data}")


def _plotly() -> str:
    """Plotly's bundle, in the version that made the figures."""
    import plotly

    bundle = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    return bundle.read_text(encoding="utf-8")


def _place(one: Any) -> str:
    return f"Round {one.round}, {clock(one.t)}"


def _luck(findings: Findings) -> list[str]:
    said = []
    for one in findings.luck:
        change = f"{100 * one.delta:+.0f}%".replace("-", "−")
        drew = f"{_place(one)}: {findings.names[one.seat]} drew {face(one.card)}"
        average = "win probability against the average card of that pile (estimated)."
        said.append(f"{drew}, {change} {average}")
    return said


def _players(findings: Findings) -> dict[str, Any]:
    rows = [
        (findings.names[row.seat], *(_shown(name, row.cells[name].value) for name in COLUMNS))
        for row in findings.players
    ]
    return {"columns": ("Player", *_HEADINGS.values()), "rows": rows}


def _chart(chart: Chart) -> dict[str, Any]:
    untitled = {name: value for name, value in chart.layout.items() if name != "title"}
    return {
        "id": f"figure-{chart.name}",
        "title": chart.title,
        "says": chart.says,
        "figure": {"data": chart.data, "layout": untitled, "config": _CONFIG},
        "table": {"columns": chart.columns, "rows": chart.rows},
        "left_out": chart.left_out,
    }


def _shown(name: str, value: float | None) -> Cell:
    if value is None:
        return None
    if name == "unplayed_share":
        return f"{100 * value:.0f}%"
    return round(value, 1) if name in ("cards_a_take", "plays_a_minute") else round(value)
