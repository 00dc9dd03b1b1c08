"""Playing on from a position with takers of known skills."""

from collections.abc import Iterator, Sequence
from random import Random

from games.bots.rollout import play_on, published
from games.bots.simulate import MAX_ROUND_MS
from games.bots.skill import Skill, network_lag
from games.bots.taker import Taker
from games.bots.view import View
from games.engine.events import Event
from games.engine.referee import Judge
from games.engine.table import Table


class Start:
    """A position to play on from: its table, which is left unchanged, and its round so far."""

    def __init__(self, table: Table, events: Sequence[Event]) -> None:
        self.table = table
        self.public = published(table, events)

    def rollout(
        self, skills: Sequence[Skill], randomness: Random, until: int = MAX_ROUND_MS
    ) -> list[Event]:
        """What happens next if takers of these skills play up to `until` (ms in the round)."""
        table, public = self.table.copy(), self.public.copy()
        known = len(public.events)
        judge = Judge(table, public.settled, lambda _refusal: None)
        judge.settle(table.t)
        views = [
            View(table, public, seat, skill.lag + network_lag(randomness))
            for seat, skill in enumerate(skills)
        ]
        bots = [Taker(view, skills[view.seat], randomness) for view in views]
        play_on(judge, bots, randomness, until)
        return public.events[known:]

    def rollouts(
        self, skills: Sequence[Skill], count: int, seed: int = 0, until: int = MAX_ROUND_MS
    ) -> Iterator[list[Event]]:
        """`count` rollouts; the same seed gives the same ones."""
        for number in range(count):
            yield self.rollout(skills, Random(f"ratuki {seed}/{number}"), until)
