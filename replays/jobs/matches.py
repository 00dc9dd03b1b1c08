"""Jobs over many matches, in shares, so that several workers share one."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import chain
from typing import Any, Final

from django.utils import timezone

from games.engine.message import Message
from games.live.storage.availability import UNAVAILABLE
from games.models import Match
from replays.jobs.kinds import Asked, Json, Share, Step
from replays.jobs.starting import SITE, begin, under_way
from replays.models import Job

SHARE: Final = 25
SUBJECT: Final = "finished matches"
PATIENCE: Final = timedelta(hours=1)
"""How long a match that failed is left alone."""
_log: Final = logging.getLogger(__name__)


def begin_again(kind: str, title: Message, waiting: Callable[[], Iterable[int]]) -> Job | None:
    """The site's job: under way, or begun if finished matches wait for it, other than those that
    just failed."""
    if job := under_way(kind, SUBJECT):
        return job
    lately = Job.objects.filter(kind=kind, created__gt=timezone.now() - PATIENCE)
    results = lately.values_list("result", flat=True)
    failed = {pk for result in results if result for pk in result["failed"]}
    matches = [pk for pk in waiting() if pk not in failed]
    return begin_for(kind, SUBJECT, title, matches) if matches else None


def begin_for(kind: str, subject: str, title: Message, matches: Sequence[int]) -> Job:
    """A job of the site's over these matches."""
    return begin(kind, subject, title, {}, shares_of(matches), by=SITE)


def shares_of(matches: Sequence[int], size: int = 0) -> list[Share]:
    """Some of the matches for each part."""
    size = size or SHARE
    shares = [list(matches[since : since + size]) for since in range(0, len(matches), size)]
    return [Share(share, len(share)) for share in shares]


def over_matches(act: Callable[[Match], object]) -> Callable[[Asked, Json, Json, Step], Json]:
    """Do something with each match of a share. It may be done twice. Finds those that failed."""

    def do(asked: Asked, share: Json, found: Json, step: Step) -> Json:
        done, failed = found or (0, list[int]())
        for at in range(done, len(share)):
            match = Match.objects.filter(pk=share[at]).first()
            if match is not None and not _succeeded(act, match):
                failed.append(match.pk)
            step(1, [at + 1, failed])
        return [len(share), failed]

    return do


def _succeeded(act: Callable[[Match], object], match: Match) -> bool:
    """Whether it went well. One match keeps no other from its turn."""
    try:
        act(match)
    except UNAVAILABLE:  # the part is done again, and the match is none that failed
        raise
    except Exception:  # noqa: BLE001 - logged
        _log.exception("match %s failed", match.pk)
        return False
    return True


def failed_in(asked: Asked, founds: Iterator[Json]) -> dict[str, Any]:
    """The job's result: the matches that failed."""
    return {"failed": list(chain.from_iterable(failed for _, failed in founds))}
