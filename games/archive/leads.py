"""A match's leads in a few characters: the leader and the lead, from start to end.

The match's time is divided into `SAMPLES` equal pieces. Each is one character of `ALPHABET`, which
encodes the leader at the end of that piece (a seat, or none if the lead is shared) and the lead in
steps (`LEADS`). Only for drawing in lists. Nothing is computed from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

SAMPLES: Final = 40
LEVEL: Final = 5
"""In place of a seat without a sole leader."""
LEADS: Final = (1, 3, 6, 10, 15, 21, 28, 36, 45)
"""The leads, in points, at which the chart goes up one step, from 0 to 9."""
_STEPS: Final = len(LEADS) + 1
ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz01234567"


class Lead(NamedTuple):
    """From `t` (ms since the match began) on, `seat` leads by `points`."""

    t: int
    seat: int
    points: int


class LeadSample(NamedTuple):
    """The leader (a seat or `LEVEL`), and the lead in steps."""

    seat: int
    steps: int


def write(leads: Sequence[Lead], duration_ms: int) -> str:
    """The lead history of a match of that duration, from its leads in chronological order."""
    samples, place = [], 0
    for number in range(1, SAMPLES + 1):
        until = duration_ms * number // SAMPLES
        while place + 1 < len(leads) and leads[place + 1].t <= until:
            place += 1
        samples.append(_letter(leads[place]) if leads else ALPHABET[LEVEL * _STEPS])
    return "".join(samples)


def _letter(lead: Lead) -> str:
    return ALPHABET[lead.seat * _STEPS + sum(lead.points >= points for points in LEADS)]


def read(text: str) -> list[LeadSample]:
    return [LeadSample(*divmod(ALPHABET.index(letter), _STEPS)) for letter in text]
