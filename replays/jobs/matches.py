"""Jobs over many matches: `asked["matches"]` in shares, so that several workers share one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from typing import Final

from django.utils import timezone

from games.models import Match
from replays.jobs.kinds import Asked, JobKind, Part, StepResult
from replays.jobs.queue import begin
from replays.jobs.starting import SITE, latest
from replays.models import Job

SHARE: Final = 25
"""Matches in a part; a step is one match."""
SUBJECT: Final = "finished matches"
PATIENCE: Final = timedelta(hours=1)
"""How long nothing is tried again after a job has failed."""


def begin_again(kind: str, title: str, waiting: Callable[[], Iterable[int]]) -> None:
    """Begin the site's job if finished matches wait for it and the last one has not just failed."""
    before = latest(kind, SUBJECT)
    if before and before.state in Job.ACTIVE:
        return
    if before and before.state == Job.State.FAILED and before.created > timezone.now() - PATIENCE:
        return
    matches = list(waiting())
    if matches:
        begin(kind, SUBJECT, title, {"matches": matches}, SITE)


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
