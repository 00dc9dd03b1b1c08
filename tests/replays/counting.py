"""A kind of job for tests: counts, and does what it is told at a number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.db import IntegrityError

from replays.jobs.kinds import Asked, JobFault, JobKind, Json, Part, StepResult


class Counting(JobKind):
    """`parts`: how far to count in each; `fault`, `error`, `refused`: at which number it fails."""

    def plan(self, asked: Asked) -> Sequence[int]:
        return asked["parts"]

    def step(self, part: Part) -> StepResult:
        counted = [*(part.state or []), len(part.state or [])]
        if part.asked.get("fault") == len(counted):
            raise JobFault("It cannot be counted any further.")
        if part.asked.get("error") == len(counted):
            raise ZeroDivisionError
        if part.asked.get("refused") == len(counted):
            raise IntegrityError
        return StepResult(counted, 1, len(counted) == part.asked["parts"][part.number])

    def close(self, asked: Asked, states: Iterator[Json]) -> Any:
        return list(states)
