"""A player's contested stacks: those to try again, which a rival took while the player had a 5 and
a free hand, and the best of those that the player took."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from games.engine.message import lasting, seat
from replays.analysis.account_json import ContestedStack, RivalJson
from replays.analysis.missed_takes import FREE_MS
from replays.analysis.sentences import Fact, Text, fact, say

MAX_PLAYS: Final = 3
"""Plays of one match."""


class LostStack(NamedTuple):
    """A stack that a seat could have taken, and what the seat could do."""

    stack: ContestedStack
    own: RivalJson

    @property
    def text(self) -> Text:
        """As said to the seat's player."""
        return say(self._facts())

    def _facts(self) -> Iterator[Fact]:
        stack, own = self.stack, self.own
        taker, since = seat(stack["taker"]), stack["laid_at"]
        after = lasting(stack["t"] - since)
        if stack["laid_by"] != own["seat"]:
            if stack["laid_by"] == stack["taker"]:
                yield fact("laid_and_took", player=taker, time=after)
            else:
                yield fact("laid_for", other=seat(stack["laid_by"]), player=taker, time=after)
            if own["late_ms"] is None:
                yield fact("own_had_5")
        elif own["since"] == since:
            yield fact("own_laid", player=taker, time=after)
        else:
            yield fact("own_laid_first", player=taker, time=lasting(stack["t"] - own["since"]))
        if own["late_ms"] is not None:
            yield fact("own_came_late", time=lasting(own["late_ms"]))


def lost_stacks(stacks: Iterable[ContestedStack], of: int) -> list[LostStack]:
    """A seat's, those of the most cards first, then those that were open for longest."""
    found = [
        LostStack(stack, own)
        for stack in stacks
        for own in stack["rivals"]
        if own["seat"] == of and own["free_ms"] >= FREE_MS
    ]
    return sorted(found, key=lambda lost: (-lost.stack["cards"], -lost.own["free_ms"]))[:MAX_PLAYS]


def best_stacks(stacks: Iterable[ContestedStack], of: int) -> list[ContestedStack]:
    """Those that a seat took although a rival could: of the most cards first."""
    taken = [stack for stack in stacks if stack["taker"] == of]
    return sorted(taken, key=lambda stack: -stack["cards"])[:MAX_PLAYS]
