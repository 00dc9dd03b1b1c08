"""Charts as SVG pictures: the figures that the page draws with Plotly, in the board's colours.

Only charts along time or rounds are drawn. A trace's `meta` says whose it is and what it stands
for, as for `chartstyle.js`. Words are large enough for a chat's small preview.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from textwrap import wrap
from typing import Any, Final, NamedTuple

from replays.analysis.marks import SIGNS
from replays.pictures.art import DECKS, colour, style_sheet, symbols, themed
from replays.pictures.drawing import Box, Drawn, cut, escaped, wide
from replays.pictures.fonts import FAMILY

Json = dict[str, Any]
SIZES: Final = {"wide": (1200, 630), "square": (1080, 1080), "mid": (1000, 640), "tall": (540, 720)}
"""`mid` and `tall` are for embeds."""
_NARROW: Final = 800
_WORDS: Final = 20
_NAMES: Final = 9, 5
"""So many ems of a name are at its row, and in a narrow picture."""
_BEFORE: Final = 26
"""From a player's mark to the name, in px."""
_SMALLEST: Final = 13, 16
"""Of numbers in bars, and of those in a narrow picture."""
_BETWEEN: Final = 10
"""Between the numbers in a bar, at least. All in px."""
_LARGER: Final = 1.6
"""Marks, lines and shifts beside those on the page."""
_DASHES: Final = {"dash": "16 10", "dot": "4 8", "dashdot": "16 8 4 8", "longdash": "28 10"}
_STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)


class Scale(NamedTuple):
    """An axis: the values at its ends, and where those are in the picture."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def chart_svg(figure: Json, names: Sequence[str], shape: str) -> str:
    """The figure with its title and its sentences. `shape`: one of `SIZES`."""
    plot = _Plot(figure, *SIZES[shape])
    said = [unescape(sentence) for sentence in plot.layout["meta"].get("says", ())]
    plot.head([_shortened(sentence, names) for sentence in said])
    plot.draw()
    edges = [
        f".edge-{deck}{{stroke: {colour(f'deck-{deck}')}; fill: none}}"
        f".on-{deck}{{fill: {colour(f'deck-{deck}-ink')}}}"
        for deck in range(DECKS)
    ]
    edges += [f".edge{{stroke: {colour('ink-soft')}; fill: none}}"]
    marks = "".join(symbols()[f"mark-{deck}"] for deck in range(DECKS))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {plot.width} {plot.height}" '
        f'width="{plot.width}" height="{plot.height}" font-family="{FAMILY}" font-weight="700">'
        f"<title>{escaped('. '.join([plot.title, ' '.join(said)]).strip())}</title>"
        f"<style>{style_sheet()}{themed(edges)}</style><defs>{marks}</defs>"
        f'<rect width="{plot.width}" height="{plot.height}" class="panel"/>'
        f"{''.join(plot.drawn.parts)}</svg>"
    )


class _Plot:
    """A figure being drawn."""

    def __init__(self, figure: Json, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.narrow = width < _NARROW
        self.edge = 24 if self.narrow else 40
        self.data, self.layout = figure["data"], figure["layout"]
        self.title = unescape(self.layout["title"]["text"])
        self.drawn = Drawn()
        self.top = 0.0
        self.taken: list[Box] = []
        """Where numbers are already."""

    def head(self, sentences: list[str]) -> None:
        """The title, and as many sentences as have room."""
        room, y = self.width - 2 * self.edge, self.edge + 32.0
        size = min(44, room / wide(self.title))
        self.drawn.words(self.title, self.edge, y, size=size, fill="ink")
        if not self.narrow:
            end = self.width - self.edge
            self.drawn.words("Ratuki", end, y - 6, size=28, fill="ink-soft", anchor="end")
        most = 2 if self.width > self.height else 3 if self.narrow else 4
        letters = int(room / 14.5)
        while len(sentences) > 1 and len(wrap(" ".join(sentences), letters)) > most:
            sentences.pop()
        lines = wrap(" ".join(sentences), letters, max_lines=most, placeholder="…")
        for at, line in enumerate(lines):
            self.drawn.words(line, self.edge, y + 40 + 32 * at, size=25, fill="ink")
        self.top = y + 24 + 32 * len(lines)

    # --- Axes ---------------------------------------------------------------------------------

    def draw(self) -> None:
        notes = self.layout["annotations"]
        ends = [self._room(note["text"]) for note in notes if note.get("x") == 1]
        margin = 12 + max(ends, default=0)
        self.floor = self.height - self.edge - 26
        self.scales = {name: self._scale(name) for name in ("y", "y2")}
        sides = [self._room(text) for name in self.scales for _, text in self._side(name)]
        self.left = self.edge + 12 + max(sides, default=0)
        self.right = self.width - self.edge - margin
        self.scales |= {name: self._scale(name) for name in ("x", "x2")}
        self._ticks()
        for shape in self.layout["shapes"]:
            self._level(shape)
        for trace in self.data:
            self._trace(trace)
        if "yaxis2" in self.layout:  # no number covers the strip of the leader
            lanes, top = len(self.layout["yaxis2"]["tickvals"]), self.scales["y"].high
            strip = self.scales["y"].at(lanes + (top - lanes) / 4)  # half of a half of the rest
            self.taken.append(Box(self.left, strip - 4, self.right - self.left, 8))
        self._numbers([trace for trace in self.data if "text" in trace.get("mode", "")])
        for note in notes:
            self._note(note)

    def _scale(self, name: str) -> Scale:
        axis = self.layout.get(f"{name[0]}axis{name[1:]}", {})
        low, high = axis.get("range", (0, 1))
        if name.startswith("x"):
            return Scale(low, high, self.left, self.right)
        # The bars above need so much for their words, whatever share they have on the page.
        rows = self.layout.get("yaxis2")
        top, between = self.top + 34, 46 if rows else 0
        share = rows["domain"][1] - rows["domain"][0] if rows else 0
        least = 42 if self.narrow else 26
        bars = max(share * (self.floor - top), least * len(rows["tickvals"]) if rows else 0)
        ends = (top + bars, top) if name == "y2" else (self.floor, top + bars + between)
        return Scale(low, high, *ends)

    def _ticks(self) -> None:
        x, axis = self.scales["x"], self.layout["xaxis"]
        ticks = list(zip(axis["tickvals"], axis["ticktext"], strict=True))
        room = max([wide(text) for _, text in ticks], default=0) * _WORDS + 16
        every = max(1, -(-int(len(ticks) * room) // int(self.right - self.left)))
        for value, text in ticks[::every]:
            self._words(text, x.at(value), self.floor + 28, fill="ink-soft", anchor="middle")
        unit = axis["title"]["text"] if "cells" in self.layout["meta"] else ""
        self._words(unit, self.left - 12, self.floor + 28, fill="ink-soft", anchor="end")
        for name in ("y", "y2"):
            for value, text in self._side(name):
                y = self.scales[name].at(value)
                if text[0] in SIGNS:
                    self._player(text, self.edge, y, self.left - 12)
                else:
                    self._words(text, self.left - 12, y + 7, fill="ink-soft", anchor="end")
                if "tickvals" not in self.layout["yaxis"]:
                    self._line(self.left, y, self.right, y, 'stroke-opacity=".2"')
        if words := self.layout["yaxis"]["title"]["text"]:
            self._words(words, self.left, self.top + 22, fill="ink-soft")

    def _side(self, name: str) -> list[tuple[float, str]]:
        """The values along a y axis, and as words. Round ones, if it has none of its own."""
        axis = self.layout.get(f"yaxis{name[1:]}")
        if axis and axis.get("tickvals"):
            return list(zip(axis["tickvals"], axis["ticktext"], strict=True))
        return list(_nice(self.scales[name])) if axis else []

    def _level(self, shape: Json) -> None:
        x, y = self.scales.get(shape["xref"]), self.scales[shape["yref"]]
        ends = (x.at(shape["x0"]), x.at(shape["x1"])) if x else (self.left, self.right)
        strength = 'stroke-width="3"' if shape["name"] == "base" else 'stroke-opacity=".4"'
        self._line(ends[0], y.at(shape["y0"]), ends[1], y.at(shape["y1"]), strength)

    # --- Traces -------------------------------------------------------------------------------

    def _of(self, trace: Json) -> tuple[Scale, Scale]:
        return self.scales[trace.get("xaxis", "x")], self.scales[trace.get("yaxis", "y")]

    def _trace(self, trace: Json) -> None:
        meta, (x, y) = trace.get("meta", {}), self._of(trace)
        seat = None if meta.get("grey") else meta.get("seat")
        for stroke in _strokes(trace) if "lines" in trace["mode"] else ():
            path = "M" + "L".join(f"{x.at(a):.1f} {y.at(b):.1f}" for a, b in stroke)
            if trace.get("fill"):
                share = meta.get("share", 0.82 if seat is not None else 0.3)
                look = f'class="{"ink-soft" if seat is None else f"deck-{seat}"}"'
                self.drawn.add(f'<path d="{path}Z" {look} fill-opacity="{share}"/>')
            if meta.get("outline") or not trace.get("fill"):
                self._stroke(path, trace, seat)
        if "markers" in trace["mode"]:
            self._marks(trace, seat)

    def _stroke(self, path: str, trace: Json, seat: int | None) -> None:
        line: Json = trace["line"] if not trace.get("fill") else {"width": 1}
        dash = _DASHES.get(line.get("dash", ""), "")
        self.drawn.add(
            f'<path d="{path}" class="edge{"" if seat is None else f"-{seat}"}" '
            f'stroke-width="{line.get("width", 2) * _LARGER:.1f}" stroke-dasharray="{dash}"/>'
        )

    def _marks(self, trace: Json, seat: int | None) -> None:
        x, y = self._of(trace)
        sizes = trace["marker"]["size"]
        for at, (a, b) in enumerate(zip(trace["x"], trace["y"], strict=True)):
            size = (sizes[at] if isinstance(sizes, list) else sizes) * _LARGER
            if seat is not None:
                self._mark(seat, x.at(a), y.at(b), size)
                continue
            ring = (
                "a6 6 0 1 1-12 0a6 6 0 1 1 12 0"
                if trace["meta"].get("ring")
                else "m-6-6-12 12m0-12 12 12"
            )
            path = f"M{x.at(a) + 6:.1f} {y.at(b):.1f}{ring}"
            self.drawn.add(f'<path d="{path}" class="edge" stroke-width="3"/>')

    def _mark(self, seat: int, x: float, y: float, size: float, look: str = "") -> None:
        at = f'x="{x - size / 2:.1f}" y="{y - size / 2:.1f}" width="{size:.1f}" height="{size:.1f}"'
        self.drawn.add(f'<use href="#mark-{seat}" {at} class="{look or f"deck-{seat}"}"/>')

    # --- Words --------------------------------------------------------------------------------

    def _numbers(self, traces: Iterable[Json]) -> None:
        """The numbers beside marks and bars: the greatest first, those that have room."""
        places = []
        for trace in traces:
            (x, y), meta = self._of(trace), trace.get("meta", {})
            if "pieces" in meta:
                self._pieces(trace, x, y)
                continue
            sides = trace.get("textposition", "middle center")
            size: float = _WORDS
            if meta.get("nets") and trace["text"]:  # all or none
                room = (x.at(1) - x.at(0) - 6) / max(map(wide, trace["text"]))
                size = min(_WORDS, room, (y.at(0) - y.at(1)) / 2 - 4)
            if size < _SMALLEST[0]:
                continue
            for at, text in enumerate(map(unescape, trace["text"])):
                side = sides if isinstance(sides, str) else sides[at]
                place = x.at(trace["x"][at]), y.at(trace["y"][at]), size
                cards = abs(int("".join(filter(str.isdigit, text)) or 0))
                places.append(((bool(meta.get("sums")), cards), text, side, place))
        for _first, text, side, place in sorted(places, key=lambda p: p[0], reverse=True):
            self._number(text.strip("\u00a0"), side, *place)

    def _number(self, text: str, side: str, x: float, y: float, size: float) -> None:
        up, across = side.split()
        y += {"top": -2, "bottom": 2 + size * 0.72}.get(up, size * 0.36)
        width = wide(text) * size
        x += {"right": 12, "left": -12}.get(across, 0)
        anchor = {"right": "start", "left": "end"}.get(across, "middle")
        left = x - width * {"start": 0, "middle": 0.5, "end": 1}[anchor]
        box = Box(left - 2, y - size, width + 4, size + 2)
        if not any(_meet(box, other) for other in self.taken):
            self.taken.append(box)
            self.drawn.words(text, x, y, size=size, fill="ink", anchor=anchor)

    def _pieces(self, trace: Json, x: Scale, y: Scale) -> None:
        """The cards in each piece of a bar, with the mark of the other player, where they fit."""
        for at, piece in enumerate(trace["meta"]["pieces"]):
            own = piece["taker"] == piece["owner"]
            ink = "ink" if own else f"on-{piece['seat']}"
            middle, text = x.at(trace["x"][at]), f"{piece['cards']}"
            room = abs(x.at(piece["cards"]) - x.at(0))
            size = min(18, (room - _BETWEEN) / wide(text))
            if not own and room - wide(text) * 18 > 22:
                middle += 9
                left = middle - wide(text) * 9 - 10
                self._mark(piece["seat"], left, y.at(trace["y"][at]), 15, ink)
            if size >= _SMALLEST[self.narrow]:
                low = y.at(trace["y"][at]) + 7
                self.drawn.words(text, middle, low, size=size, fill=ink, anchor="middle")

    def _note(self, note: Json) -> None:
        x, y = self.scales.get(note["xref"]), self.scales[note["yref"]].at(note["y"])
        across = x.at(note["x"]) if x else self.left + note["x"] * (self.right - self.left)
        anchor = {"left": "start", "right": "end"}[note["xanchor"]]
        if note["name"].startswith("part"):
            words = self.layout["meta"].get("short", {}).get(note["name"], note["text"])
            left = across + note.get("xshift", 0)
            if note["xref"] == "paper" and anchor == "end" and self.narrow:  # above the names
                left, anchor = self.edge + _BEFORE, "start"
            size = min(_WORDS, (self.width - left) / wide(words)) if anchor == "start" else _WORDS
            self.drawn.words(
                unescape(words), left, y - 8, size=size, fill="ink-soft", anchor=anchor
            )
            return
        self._player(note["text"], across + 12, y, self.width - self.edge)

    def _label(self, text: str) -> list[str]:
        """A player's name, and their number, if there is one."""
        name, *number = unescape(text[2:]).split("\u00a0")
        return [cut(name, _NAMES[self.narrow]), *number]

    def _room(self, text: str) -> float:
        """The px that words in the margin need."""
        if text[0] not in SIGNS:
            return wide(text) * _WORDS
        parts = [wide(part) for part in self._label(text)]
        ems = max(parts) if self.narrow else sum(parts) + 1.5 * (len(parts) - 1)
        return _BEFORE + ems * _WORDS

    def _player(self, text: str, x: float, y: float, end: float) -> None:
        """A player's mark, name and number, which is below a narrow one's name, or at the end."""
        self._mark(SIGNS.index(text[0]), x + 9, y, 18)
        (name, *number), low = self._label(text), y + _WORDS * 0.36
        lift = _WORDS / 2 if number and self.narrow else 0
        self._words(name, x + _BEFORE, low - lift, fill="ink")
        for words in number:
            side = (x + _BEFORE, "start") if self.narrow else (end, "end")
            self._words(words, side[0], low + lift, fill="ink", anchor=side[1])

    def _words(self, text: str, x: float, y: float, *, fill: str, anchor: str = "start") -> None:
        self.drawn.words(text, x, y, size=_WORDS, fill=fill, anchor=anchor)

    def _line(self, x: float, y: float, to_x: float, to_y: float, look: str) -> None:
        line = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
        self.drawn.add(f'<line {line} class="edge" {look}/>')


def _shortened(sentence: str, names: Sequence[str]) -> str:
    """With long names cut, so that the rest has room."""
    for name in names:
        sentence = sentence.replace(name, cut(name, _NAMES[0]))
    return sentence


def _strokes(trace: Json) -> Iterator[list[tuple[float, float]]]:
    """A trace's lines between its gaps."""
    stroke: list[tuple[float, float]] = []
    stairs = trace.get("line", {}).get("shape") == "hv"
    for x, y in zip([*trace["x"], None], [*trace["y"], None], strict=True):
        if x is None and stroke:
            yield stroke
            stroke = []
        elif x is not None:
            stroke += [(x, stroke[-1][1])] if stairs and stroke else []
            stroke.append((x, y))


def _nice(scale: Scale) -> Iterator[tuple[float, str]]:
    """A few round values of an axis without any of its own."""
    room = scale.high - scale.low
    step = next((step for step in _STEPS if room / step <= 6), _STEPS[-1])
    first = int(scale.low // step) + 1
    for value in range(first * step, int(scale.high) + 1, step):
        yield value, f"{value}".replace("-", "−")


def _meet(one: Box, other: Box) -> bool:
    across = one.x < other.x + other.width and other.x < one.x + one.width
    return across and one.y < other.y + other.height and other.y < one.y + one.height
