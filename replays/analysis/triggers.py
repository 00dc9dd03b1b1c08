"""What opened an opportunity window: the deal, an own draw or play, or another player's play."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from games.engine.cards import Card
from games.engine.events import Draw, Event, Play
from replays.analysis.windows import Window

DEAL: Final = "deal"
OWN_DRAW: Final = "own draw"
OWN_PLAY: Final = "own play"
OTHERS_PLAY: Final = "another's play"
TRIGGERS: Final = (DEAL, OWN_DRAW, OWN_PLAY, OTHERS_PLAY)


class Triggers:
    """What may have opened the windows of a round."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._plays: dict[tuple[int, int], int] = {}
        self._draws: dict[Card, set[int]] = defaultdict(set)
        for event in events:
            if isinstance(event, Play):
                self._plays[event.stack, event.t] = event.seat
            elif isinstance(event, Draw):
                self._draws[event.card].add(event.t)

    def of(self, window: Window) -> str:
        if window.since in self._draws[window.card]:
            return OWN_DRAW
        by = self._plays.get((window.slot, window.since))
        if by is None:
            return DEAL
        return OWN_PLAY if by == window.seat else OTHERS_PLAY
