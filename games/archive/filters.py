"""A match's traits packed into one whole number, so that filters combine in one index.

A list of matches is read from an index of its sort key that also has the filter bits. So any
combination of filters is one comparison, `filter_bits & mask = value`, which does not read the
match itself. The bits, lowest first:

listed 1, ties 1, notes 1, humans 1, bots 1, seats 3, edition 4, length 2, closeness 2,
outcome 2, a human won 1, a bot won 1, from elsewhere 1.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple


class BitRange(NamedTuple):
    """Where a trait is in the number: its lowest bit and its number of bits."""

    low: int
    bits: int

    @property
    def mask(self) -> int:
        return (1 << self.bits) - 1 << self.low

    def put(self, value: int) -> int:
        """The number with this value in these bits and 0 elsewhere."""
        if value >> self.bits:
            raise ValueError(f"{value} does not fit into {self.bits} bits")
        return value << self.low

    def get(self, filter_bits: int) -> int:
        return (filter_bits & self.mask) >> self.low


BIT_RANGES: Final[Mapping[str, BitRange]] = {
    "listed": BitRange(0, 1),
    "ties": BitRange(1, 1),
    "notes": BitRange(2, 1),
    "humans": BitRange(3, 1),
    "bots": BitRange(4, 1),
    "seats": BitRange(5, 3),
    "edition": BitRange(8, 4),
    "length": BitRange(12, 2),
    "closeness": BitRange(14, 2),
    "outcome": BitRange(16, 2),
    "human_won": BitRange(18, 1),
    "bot_won": BitRange(19, 1),
    "elsewhere": BitRange(20, 1),
}

LENGTHS: Final = ("short", "medium", "long")
"""Under 5 minutes, under 15, and longer. 0 in the filter bits means not over."""
_LENGTH_ENDS: Final = (300_000, 900_000)
CLOSENESS: Final = ("close", "clear", "runaway")
"""Won by at most 5 points, at most 20, and more. 0 means that no one won or drew."""
_CLOSENESS_ENDS: Final = (5, 20)
OUTCOMES: Final = ("won", "drawn", "abandoned")
"""0 means not over."""


def pack(values: Mapping[str, int]) -> int:
    """The filter bits as one number, from values by name. Missing ones are 0."""
    return sum(BIT_RANGES[name].put(value) for name, value in values.items())


def mask_of(values: Mapping[str, int]) -> int:
    """The bits that a filter on these values tests."""
    return sum(BIT_RANGES[name].mask for name in values)


def length_class(duration_ms: int) -> int:
    """1 + the place in `LENGTHS` of a match of that duration."""
    return 1 + sum(duration_ms >= end for end in _LENGTH_ENDS)


def closeness_class(margin: int) -> int:
    """1 + the place in `CLOSENESS` of a match won by that margin."""
    return 1 + sum(margin > end for end in _CLOSENESS_ENDS)
