"""How a seat looks in every chart: never distinguished by colour alone.

A trace's `meta` (or a shape's `meta` or `name`) says which seat it shows; the page colours it
like that seat's deck in the current theme. The colours here are for other readers.
"""

from __future__ import annotations

from typing import Final

COLOURS: Final = ("#3b7dd8", "#e08a1e", "#1f9e77", "#c2569b", "#8a8420")
SIGNS: Final = "●▲■◆★"
SYMBOLS: Final = ("circle", "triangle-up", "square", "diamond", "star")
WEIGHTS: Final = (1, 1.25, 1, 1, 1.35)
"""The symbols' scale factors, so that all look equally large."""
PATTERNS: Final = ("", "/", ".", "x", "-")
DASHES: Final = ("solid", "dash", "dot", "dashdot", "longdash")
SHORT: Final = 14


def escape(text: str) -> str:
    """Text escaped so that Plotly finds no markup in it."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def signed(score: int) -> str:
    """`+3`, `−2` or `0`."""
    return f"{score:+}".replace("-", "−") if score else "0"


def label(seat: int, name: str) -> str:
    """The seat's mark and its player's name, shortened, for axes and line ends."""
    short = name if len(name) <= SHORT else f"{name[: SHORT - 1]}…"
    return f"{SIGNS[seat]} {escape(short)}"
