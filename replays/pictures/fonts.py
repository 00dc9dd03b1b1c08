"""The fonts in pictures: one of Latin letters, and more for other scripts.

They lie here, so a picture is the same on every machine. Only what none of them has is left to the
machine's own fonts.
"""

import re
from pathlib import Path
from typing import Final, NamedTuple

FILES: Final = [
    str(Path(__file__).parent / f"{name}-700.ttf") for name in ("bricolage", "dejavu", "devanagari")
]
FAMILY: Final = "'Bricolage Grotesque', 'DejaVu Sans', sans-serif"

_LATIN: Final = r" -~\xa0-\xa3\xa5-\xac\xae-ÿ–—‘’“”…−"
_MORE: Final = _LATIN + (
    r"Ā-\u036fͰ-ԯԱ-\u058f\u05b0-\u05f4\u0600-\u06ffႠ-ჿḀ-\u1fff"
    r"‐-‒―‚‛„-‥‰-›€™←-↓★☆♠-♧\ufffd"
)
_DEVANAGARI: Final = r"\u0900-\u097f\u200c\u200d◌"
_ONE_FONT: Final = re.compile(f"[{_LATIN}]*")
_RUNS: Final = re.compile(
    f"(?P<more>[{_MORE}]+)|(?P<devanagari>[{_DEVANAGARI}]+)|(?P<none>[^{_MORE}{_DEVANAGARI}]+)"
)
_FAMILIES: Final = {
    "more": "'DejaVu Sans', sans-serif",
    "devanagari": "'Noto Sans Devanagari', sans-serif",
    "none": "sans-serif",
}


class Run(NamedTuple):
    """Letters that one font has."""

    text: str
    family: str
    here: bool = True
    """Whether that font lies here."""


def runs_of(text: str) -> list[Run]:
    """A text cut into runs: where a font lacks a letter, resvg may lose all others beside it.

    A name is not set in two fonts if one has all of it.
    """
    if _ONE_FONT.fullmatch(text):
        return [Run(text, FAMILY)]
    return [
        Run(found[0], _FAMILIES[kind], kind != "none")
        for found in _RUNS.finditer(text)
        for kind in (found.lastgroup or "none",)
    ]
