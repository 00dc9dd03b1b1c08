"""A match's report as one self-contained page: to send, to keep, to print.

The charts are the site's own, drawn by its scripts; those, its style and Plotly's bundle are
inside. The page's policy forbids loading or sending anything.
"""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from replays.analysis.findings import Findings
from replays.analysis.insight import insight_of
from replays.analysis.marks import SIGNS
from replays.analysis.player_table import COLUMNS
from replays.analysis.players.points_words import TITLES, points_json
from replays.charts import CHARTS, drawn
from replays.charts.course import Course
from replays.pictures.captions import clock

_POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:"
)
_STYLES: Final = (
    *("games/style/base.css", "replays/charts/charts.css"),
    "replays/charts/report.css",
)
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
Cell = str | float | int | None


def page(findings: Findings) -> str:
    course = Course.of(findings.timeline)
    told = points_json(findings.points_by_seat, findings.names)
    context = {
        "policy": _POLICY,
        "title": f"Ratuki: {', '.join(findings.names)}",
        "facts": [*findings.facts, *([findings.stall["text"]] if findings.stall else [])],
        "moments": [f"{_place(moment)}: {moment.text}" for moment in findings.moments],
        "names": list(zip(SIGNS, findings.names, strict=False)),
        "players": _players(findings),
        "points": {
            "columns": ("Player", "Points", *TITLES.values()),
            "rows": [
                (findings.names[row["seat"]], *map(_minus, (row["score"], *row["parts"].values())))
                for row in told
            ],
        },
        "drawings": {
            "names": findings.names,
            "figures": {name: drawn(name, course) for name in CHARTS},
            "curve": insight_of(findings.curve, ())["curve"],
        },
        "races": [(_place(race), findings.words_of(race)) for race in findings.race_cards],
        **{name: mark_safe(text) for name, text in _own_files().items()},  # noqa: S308
    }
    return render_to_string("replays/report.html", context)


@cache
def _own_files() -> dict[str, str]:
    """The site's style, with its typeface inside, its script, and Plotly's bundle."""
    storage: Any = staticfiles_storage
    font = "bricolage-700.woff2"
    data = base64.b64encode(_source(f"games/style/{font}").read_bytes()).decode()
    style = "".join(map(storage.whole, _STYLES)).replace(font, f"data:font/woff2;base64,{data}")
    plotly = next(_source("replays/charts/vendor").glob("plotly-*.js"))
    script = storage.whole("replays/charts/report.js")
    return {"style": style, "script": script, "plotly": plotly.read_text(encoding="utf-8")}


def _source(name: str) -> Path:
    return Path(str(finders.find(name)))


def _place(at: Any) -> str:
    return f"Round {at.round}, {clock(at.t)}"


def _minus(points: float) -> str:
    return str(points).replace("-", "−")


def _players(findings: Findings) -> dict[str, Any]:
    rows = [
        (findings.names[row.seat], *(_shown(name, row.cells[name].value) for name in COLUMNS))
        for row in findings.players
    ]
    return {"columns": ("Player", *_HEADINGS.values()), "rows": rows}


def _shown(name: str, value: float | None) -> Cell:
    if value is None:
        return None
    if name == "unplayed_share":
        return f"{100 * value:.0f}%"
    return round(value, 1) if name in ("cards_a_take", "plays_a_minute") else round(value)
