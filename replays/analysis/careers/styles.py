"""A player's style in words, only where its interval lies apart from everybody else's.

Over many matches even trifling differences become certain, so they must also be noticeable.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from replays.analysis.careers.figures import FIGURES, Figure
from replays.analysis.careers.intervals import Estimate, comparison

NOTICEABLE: Final = 0.05
"""The least difference shown, as a share of everybody else's figure."""
WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "cards_a_take": ("takes early", "waits for big stacks"),
    "fed": ("starves others", "feeds others"),
    "draws": ("draws little", "draws a lot"),
    "plays": ("plays slowly", "plays fast"),
    "reaction": ("reacts quickly", "reacts slowly"),
    "races": ("loses races", "wins races"),
    "missed": ("misses few takes", "misses many takes"),
    "mistakes": ("makes few mistakes", "makes many mistakes"),
}
"""What a figure below and above everybody else's is called."""


class Trait(NamedTuple):
    """A way in which somebody plays unlike the others."""

    words: str
    figure: Figure
    own: Estimate
    others: Estimate

    @property
    def evidence(self) -> str:
        """The figures behind it."""
        figure = self.figure
        return (
            f"{figure.title}: {figure.value(self.own)} ({figure.interval(self.own)}); "
            f"others {figure.value(self.others)} ({figure.interval(self.others)})"
        )


def traits(own: Mapping[str, Estimate], others: Mapping[str, Estimate]) -> list[Trait]:
    """The traits of a player, by figure; empty if no interval lies apart from the others'."""
    found = []
    for figure in FIGURES:
        mine, theirs = own.get(figure.key), others.get(figure.key)
        if figure.key not in WORDS or mine is None or theirs is None:
            continue
        side = comparison(mine, theirs)
        if side and abs(mine.value - theirs.value) >= NOTICEABLE * abs(theirs.value):
            words = WORDS[figure.key][side > 0]
            found.append(Trait(words, figure, mine, theirs))
    return found
