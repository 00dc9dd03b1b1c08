"""The bots' ladder as a job: a part for each edition, a few matches in each step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from games.people.visitor import Author
from replays.jobs.kinds import Asked, JobKind, Json, Part, StepResult
from replays.jobs.queue import begin
from replays.models import Job
from replays.ratings.bots import play, rungs, store
from replays.ratings.standing import Standing

KIND: Final = "ladder"
PLAYERS: Final = Author("site:bots")
"""Not the site itself: its other jobs, which people wait for, are served in turn with this one."""
STEP: Final = 5
"""Matches in a step: some tenths of a second."""


class Climbing(JobKind):
    """Play the ladders of some editions; the units are matches."""

    def plan(self, asked: Asked) -> Sequence[int]:
        return [asked["matches"]] * len(asked["editions"])

    def step(self, part: Part) -> StepResult:
        state, matches = part.state or {"done": 0, "now": {}}, part.asked["matches"]
        now = {bot: Standing(*standing) for bot, standing in state["now"].items()}
        since, until = state["done"], min(state["done"] + STEP, matches)
        for index in range(since, until):
            play(part.asked["editions"][part.number], part.asked["seed"], index, now)
        return StepResult({"done": until, "now": now}, until - since, over=until == matches)

    def close(self, asked: Asked, states: Iterator[Json]) -> Json:
        for edition, state in zip(asked["editions"], states, strict=True):
            now = {bot: Standing(*standing) for bot, standing in state["now"].items()}
            store(edition, rungs(now), asked["matches"], asked["seed"])
        return None


def ask(editions: Sequence[str], matches: int, seed: int) -> Job:
    """The job that plays these ladders."""
    asked = {"editions": list(editions), "matches": matches, "seed": seed}
    return begin(KIND, "bots", "The ladder of bots", asked, PLAYERS)
