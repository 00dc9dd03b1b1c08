"""How a seat looks in every chart: never distinguished by colour alone.

A trace's `meta` (or a shape's `meta` or `name`) says which seat it shows. The page colours it like
that seat's deck in the current theme. The colours here are for other readers.
"""

from bisect import bisect
from itertools import accumulate
from typing import Final
from unicodedata import bidirectional, east_asian_width

COLOURS: Final = ("#3b7dd8", "#e08a1e", "#1f9e77", "#c2569b", "#8a8420")
SIGNS: Final = "●▲■◆★"
SYMBOLS: Final = ("circle", "triangle-up", "square", "diamond", "star")
WEIGHTS: Final = (1, 1.25, 1, 1, 1.35)
"""The symbols' scale factors, so that all look equally large."""
PATTERNS: Final = ("", "/", ".", "x", "-")
DASHES: Final = ("solid", "dash", "dot", "dashdot", "longdash")
SHORT: Final = 14
"""The longest name that a label shows whole, in letters of usual width."""


def escape(text: str) -> str:
    """Text escaped so that Plotly finds no markup in it."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def label(seat: int, name: str) -> str:
    """The seat's mark and its player's name, shortened, for axes and line ends."""
    name = name.replace("\u00a0", " ")  # the number beside it is after one
    ends = list(accumulate(map(_width, name)))
    short = name if not ends or ends[-1] <= SHORT else f"{name[: bisect(ends, SHORT - 1)]}…"
    return f"{SIGNS[seat]} {isolated(escape(short))}"


def isolated(name: str) -> str:
    """A right-to-left name, isolated so that the text beside it keeps its direction."""
    turns = any(bidirectional(letter) in {"R", "AL"} for letter in name)
    return f"\u2068{name}\u2069" if turns else name


def _width(letter: str) -> float:
    """About how wide it is, in letters of usual width."""
    if east_asian_width(letter) in "FW":
        return 1.8
    return 1.5 if letter in "MWmw@%" else 1
