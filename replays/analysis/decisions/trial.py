"""A passed-up take as a what-if: the same rollouts as its verdict, so the two say the same."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.cards import FACE, Card
from games.engine.events import Play
from replays.analysis.decisions.judging import CUT_MS, Judging, Ways
from replays.analysis.open_takes import OpenTake, open_takes
from replays.analysis.trials import Batch, Tallies
from replays.timeline import Timeline


class TakeTrial:
    """As `Trial`, of a take that was open to a movement; rollouts are cut after `cut_ms`."""

    cut_ms = CUT_MS

    def __init__(self, timeline: Timeline, take: OpenTake) -> None:
        self.names = timeline.names
        self.seat = take.seat
        self.outcome = Play(take.t, take.seat, take.card, take.slot, takes=take.cards + 1)
        """What would have become of the take, unless somebody else was quicker."""
        self._ways: Ways = Judging(timeline).ways(take)

    def run(self, batch: Batch) -> Tallies:
        """Play a batch of rollouts of each way."""
        return self._ways.run(batch)

    def judged(self, seed: int = 0) -> Tallies:
        """As many rollouts as its verdict takes."""
        return self._ways.judged(seed)


def take_trial(
    timeline: Timeline,
    lags: Sequence[float | None],
    where: tuple[int, int],
    card: Card,
    slot: int,
) -> TakeTrial | None:
    """The what-if of this take at an event of a round; None if it was not the one passed up."""
    number, event = where
    played = next((candidate for candidate in timeline.rounds if candidate.number == number), None)
    for take in open_takes(played, lags) if played else ():
        if (take.event, take.slot, FACE[take.card]) == (event, slot, FACE[card]):
            return TakeTrial(timeline, take)
    return None
