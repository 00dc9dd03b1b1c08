"""A match's report as one self-contained page: to send, to keep, to print.

Plotly's bundle is included; the page's policy forbids loading or sending anything. Every chart
has its sentence above and its numbers below, for readers who cannot point.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Final

from replays.analysis.figures import CHARTS
from replays.analysis.figures.chart import MOST_ROWS, Cell, Chart, clock
from replays.analysis.findings import Findings
from replays.analysis.moments.wording import face
from replays.analysis.player_table import COLUMNS

_POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
)
_CONFIG: Final = {"displaylogo": False, "responsive": True, "showSendToCloud": False}
_STYLE: Final = """
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid #8885; }
th, td { overflow-wrap: normal; }
th:first-child, td:first-child { text-align: left; }
@media (width < 40rem) {
  td:first-child { overflow-wrap: anywhere; min-width: 7rem; }
}
.wide { overflow-x: auto; } .chart { height: 24rem; }
@media (width < 40rem) { .chart { height: 28rem; } }
.note { color: light-dark(#555, #aaa); } li { margin: .3rem 0; }
"""
_DRAW: Final = """
const narrow = matchMedia('(width < 40rem)'), dark = matchMedia('(prefers-color-scheme: dark)');
const fewer = (axis) => (narrow.matches && axis.ticktext && axis.title?.text?.includes('min:s'))
  ? { ticktext: axis.ticktext.map((text, at) => at % 3 ? '' : text) } : {};
function styled(layout) {
  const color = getComputedStyle(document.body).color, none = 'rgba(0,0,0,0)';
  const line = '#88888855', lines = { gridcolor: line, zerolinecolor: line, linecolor: line };
  const axes = ['xaxis', 'yaxis'].map((name) => [name,
    { ...layout[name], ...lines, ...fewer(layout[name] ?? {}), automargin: true,
      title: { ...layout[name]?.title, standoff: 8 } }]);
  const legend = { ...layout.legend, yref: 'container', y: 0, yanchor: 'bottom' };
  return { ...layout, ...Object.fromEntries(axes), legend, font: { color },
    paper_bgcolor: none, plot_bgcolor: none, margin: { l: 50, r: 12, t: 12, b: 40 } };
}
function draw() {
  for (const box of document.querySelectorAll('.chart')) {
    const figure = JSON.parse(document.getElementById(box.dataset.from).textContent);
    Plotly.react(box, figure.data, styled(figure.layout), figure.config);
  }
}
draw();
for (const media of [narrow, dark]) media.addEventListener('change', draw);
// Printed, a page has a light background.
addEventListener('beforeprint', draw);
addEventListener('afterprint', draw);
"""
_HEADINGS: Final = dict(
    zip(
        COLUMNS,
        (
            *("Points", "Takes", "Cards per take", "Late", "Ties", "Mistakes", "Missed takes"),
            *("in separate moments", "Reaction, ms", "Reaction net of lag, ms", "Plays per minute"),
            "Time with a playable card",
        ),
        strict=True,
    )
)


def page(findings: Findings) -> str:
    """The whole page as HTML."""
    names = ", ".join(findings.names)
    title = escape(f"Ratuki: {names}")
    charts = [make(findings) for make in CHARTS.values()]
    return "".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">',
            f"<title>{title}</title><style>{_STYLE}</style></head><body><main>",
            f"<h1>{title}</h1>",
            *_summary(findings),
            *(part for chart in charts for part in _chart(chart)),
            *_races(findings),
            "</main>",
            f"<script>{_plotly()}</script><script>{_DRAW}</script></body></html>\n",
        ]
    )


def _plotly() -> str:
    """Plotly's bundle, in the version that made the figures."""
    import plotly

    bundle = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    return bundle.read_text(encoding="utf-8")


def _summary(findings: Findings) -> Iterable[str]:
    yield "<ul>"
    stall = [findings.stall["text"]] if findings.stall else []
    yield from (f"<li>{escape(fact)}</li>" for fact in (*findings.facts, *stall))
    yield "</ul><h2>What mattered</h2>"
    yield '<p class="note">Win probabilities are estimates by a model trained on matches '
    yield "between bots; people may play differently.</p><ol>"
    for one in findings.moments:
        place = f"Round {one.round}, {clock(one.t)}"
        yield f"<li>{escape(place)}: {escape(one.text)}</li>"
    yield "</ol>"
    yield from _luck(findings)
    yield "<h2>Players</h2>"
    rows: list[tuple[Cell, ...]] = []
    for row in findings.players:
        cells = [_shown(name, row.cells[name].value) for name in COLUMNS]
        rows.append((findings.names[row.seat], *cells))
    yield _table(("Player", *_HEADINGS.values()), rows)


def _luck(findings: Findings) -> Iterable[str]:
    if not findings.luck:
        return
    yield "<h2>Luck of the draw</h2><ul>"
    for one in findings.luck:
        name = findings.names[one.seat]
        change = f"{100 * one.delta:+.0f}%".replace("-", "−")
        drew = f"Round {one.round}, {clock(one.t)}: {name} drew {face(one.card)}"
        text = (
            f"{drew}, {change} win probability against the average card of that pile (estimated)."
        )
        yield f"<li>{escape(text)}</li>"
    yield "</ul>"


def _chart(chart: Chart) -> Iterable[str]:
    untitled = {name: value for name, value in chart.layout.items() if name != "title"}
    figure = {"data": chart.data, "layout": untitled, "config": _CONFIG}
    yield f"<section><h2>{escape(chart.title)}</h2><p>{escape(chart.says)}</p>"
    yield f'<div class="chart" data-from="figure-{chart.name}"></div>'
    yield f'<script type="application/json" id="figure-{chart.name}">{_json(figure)}</script>'
    more = f"<p>{chart.left_out} more rows are left out.</p>" if chart.left_out else ""
    yield f"<details><summary>Its numbers</summary>{_table(chart.columns, chart.rows)}{more}"
    yield "</details></section>"


def _races(findings: Findings) -> Iterable[str]:
    """Each race in words, with the estimated verdict on equal lines and the flip time."""
    races = findings.race_cards
    if not races:
        return
    yield "<section><h2>Each race in words</h2><details><summary>The races</summary><ol>"
    for race in races[:MOST_ROWS]:
        words = findings.words_of(race)
        yield f"<li>Round {race.round}, {clock(race.t)}: {escape(words.result)} "
        yield f"{escape(words.decided)} {escape(words.screens)}<br>"
        yield f"<b>On equal lines:</b> {escape(words.equal_lines)}<br>"
        yield f"<b>What would have changed it:</b> {escape(words.flip)}</li>"
    yield "</ol>"
    if len(races) > MOST_ROWS:
        yield f"<p>{len(races) - MOST_ROWS} more races are left out.</p>"
    yield "</details></section>"


def _json(value: object) -> str:
    """JSON that no `</script>` in a name can end."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{_text(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return (
        '<div class="wide" tabindex="0" role="region" aria-label="Table"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _text(cell: Cell) -> str:
    return "–" if cell is None else escape(str(cell))


def _shown(name: str, value: float | None) -> Cell:
    if value is None:
        return None
    if name == "unplayed_share":
        return f"{100 * value:.0f}%"
    return round(value, 1) if name in ("cards_a_take", "plays_a_minute") else round(value)
