"""Which card fits on which: the rules of the center stacks as one small table.

A top is 0 for a free slot, otherwise the number 1 to 4 of its top card.
- A 1 starts a stack, and so does a wild where `wild_starts`.
- A number fits on a top exactly one higher or lower. So a 5 goes on a 4, and takes.
- A wild fits on any stack and takes it. Where `wild_as_number` it may stay instead, as a
  number 1 to 4 that is one above or below the top.
"""

from functools import cache
from typing import Final

from games.engine.cards import WILD
from games.engine.editions import Rules

FREE: Final = 0
TOPS: Final = range(5)
STAYING: Final = range(1, 5)
"""The possible numbers of a card that stays on a stack."""


def fits(rules: Rules, top: int, face: int, number: int | None = None) -> bool:
    """Whether a face fits on a top. `number`: a wild's declared number, None for any use."""
    if face != WILD:
        return number is None and (face == 1 if top == FREE else abs(face - top) == 1)
    if top == FREE:
        return rules.wild_starts and number in (None, 1)
    if number is None:
        return True
    return rules.wild_as_number and number in STAYING and abs(number - top) == 1


@cache
def fit_masks(wild_starts: bool) -> tuple[int, ...]:
    """For each top, a bit mask (1 << face) of the faces that fit in some use."""
    rules = Rules(wild_starts=wild_starts)
    return tuple(
        sum(1 << face for face in range(1, WILD + 1) if fits(rules, top, face)) for top in TOPS
    )


def uses(rules: Rules, top: int, face: int) -> tuple[int | None, ...]:
    """The ways to play a face on a top: None as itself, or a wild's number."""
    if face == WILD and top == FREE:
        return (1,) if rules.wild_starts else ()
    return tuple(number for number in (None, *STAYING) if fits(rules, top, face, number))


def takes(top: int, face: int, number: int | None) -> bool:
    """Whether a face that fits takes the stack instead of staying on it.

    All that matters about the top is whether it is `FREE`.
    """
    return face == 5 or (face == WILD and top != FREE and number is None)


def every_use(rules: Rules) -> list[list[list[int | None]]]:
    """`every_use(rules)[top][face]`: the uses of that face on that top, for a viewer's hints.

    Plain data, so that a browser can show fitting cards without knowing the rules.
    """
    return [[[], *(list(uses(rules, top, face)) for face in range(1, WILD + 1))] for top in TOPS]
