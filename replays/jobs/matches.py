"""Jobs over many matches: `asked["matches"]` in shares, so that several workers share one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.models import Match
from replays.jobs.kinds import Asked, JobKind, Part, StepResult

SHARE: Final = 25
"""Matches in a part; a step is one match."""


class MatchesJob(JobKind):
    """A kind whose units are matches; a part's state is how many are done."""

    def each(self, match: Match) -> None:
        """What is done with one; it may be done twice."""
        raise NotImplementedError

    def plan(self, asked: Asked) -> Sequence[int]:
        return [len(share) for share in _shares(asked)]

    def step(self, part: Part) -> StepResult:
        share, done = _shares(part.asked)[part.number], part.state or 0
        match = Match.objects.filter(pk=share[done]).first()
        if match is not None:
            self.each(match)
        return StepResult(done + 1, 1, over=done + 1 == len(share))


def _shares(asked: Asked) -> list[list[int]]:
    matches = asked["matches"]
    return [matches[since : since + SHARE] for since in range(0, len(matches), SHARE)]
