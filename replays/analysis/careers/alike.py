"""Which of the site's bots plays most like somebody, by their habits.

How soon each of them does what its hand could do was counted in simulated matches
(`replays.training.habits`); the closest is the one by whose rates what the player did is likeliest.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from math import log
from pathlib import Path
from typing import Final

from replays.analysis.careers.habits import WORDS, Habits, summed

FILE: Final = Path(__file__).parent / "alike.json"


@cache
def rates() -> dict[str, dict[str, float]]:
    """For each bot, as its seat is written, the tries a ms of each habit."""
    by_bot: dict[str, dict[str, float]] = json.loads(FILE.read_text(encoding="utf-8"))
    return by_bot


def most_like(own: Sequence[Habits]) -> str:
    """The bot that plays most like these matches, as `temper:level`."""
    whole = summed(own)

    def likely(bot: str) -> float:
        pairs = ((whole[kind], rates()[bot][kind]) for kind in WORDS)
        return sum(done.times * log(rate) - done.ms * rate for done, rate in pairs)

    return max(rates(), key=likely)
