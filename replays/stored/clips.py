"""Clips (`replays.pictures.clip`) as jobs. A clip can be made again, so it is kept for a week."""

from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Final, NamedTuple

from django.utils import timezone
from django.utils.translation import get_language, override

from games.archive.store import lines_of_rounds, shown_header
from games.engine.events import Deal, Event
from games.engine.facts import Fault
from games.engine.message import Message
from games.models import Match
from games.pages.words import HERE
from games.people.visitor import Author
from replays.jobs.kinds import Asked, Json, Kind, Share, Step
from replays.jobs.starting import begin, latest_job
from replays.models import Clip, Job
from replays.pictures.clip import LONGEST_MS, Span, pictures, webp
from replays.stored.logs import match_of, table_before

KEPT: Final = timedelta(days=7)
MOST_KEPT: Final = 500
"""They have at most 1 MB each. The oldest go first."""
_LAST_FAULT: Final = timedelta(minutes=1)
_PART: Final = 32
"""Half of a subject."""


class AskedSpan(NamedTuple):
    """The span of a clip, and its view: a seat, `all` hands or a `spectator`."""

    round: int
    event: int
    until: int
    view: str

    def of(self, match: Match) -> Span:
        """Raises Fault."""
        lines = list(lines_of_rounds(match, self.round, self.round))
        deal = next((line for line in lines if isinstance(line, Deal)), None)
        events = [line for line in lines if isinstance(line, Event)]
        if deal is None or not self.event < self.until <= len(events):
            raise Fault("expected a round of the match, and events of it")
        viewer = int(self.view) if self.view.isdigit() else None
        span = Span(deal, events, self.event, self.until, viewer, self.view == "all")
        if span.time(self.until) - span.time(self.event) > LONGEST_MS:
            raise Fault("a clip has at most {seconds} s", seconds=LONGEST_MS // 1_000)
        return span


def clip_or_job(match: Match, asked: AskedSpan, by: Author) -> Clip | Job:
    """The clip, or the job that makes it. Raises Fault and TooManyJobsError."""
    what = [match.record_id, str(match.created), *asked, get_language()]
    subject = _digest(what)[:_PART] + names_digest(match)
    if clip := Clip.objects.filter(subject=subject).first():
        return clip
    job = latest_job("clip", subject)
    if job and (job.state in Job.ACTIVE or (job.fault and _lately(job))):
        return job
    frames = len(asked.of(match).frames())
    title = Message("Clip of match {match}, round {round}", match=match.pk, round=asked.round)
    about = {"match": match.pk, "subject": subject, "language": get_language(), "span": asked}
    return begin("clip", subject, title, about, [Share(None, frames)], by=by)


def clip_of(match: Match, key: str) -> Clip | None:
    """The clip with that key. None without one, or if it shows a name that a player had before."""
    clip = Clip.objects.filter(match=match, key=key).first()
    return clip if clip and clip.subject.endswith(names_digest(match)) else None


def names_digest(match: Match) -> str:
    """The end of a clip's subject."""
    return _digest([seat.name for seat in shown_header(match).seats])[:_PART]


def _digest(what: Sequence[object]) -> str:
    return sha256(repr(what).encode()).hexdigest()


def _lately(job: Job) -> bool:
    """Whether a job ended so shortly ago that the person still waits, and is to read why."""
    return job.ended is not None and job.ended > timezone.now() - _LAST_FAULT


def make(asked: Asked, share: Json, found: Json, step: Step) -> Json:
    """Make and keep the clip. A unit is a frame. Raises JobFault."""
    match = match_of(asked)
    names = [seat.name for seat in shown_header(match).seats]
    span = AskedSpan(*asked["span"])
    frames = []
    with override(asked["language"]):
        for frame in pictures(span.of(match), table_before(match, span.round), names, HERE):
            frames.append(frame)
            step()
    body = webp(frames)
    Clip.objects.update_or_create(subject=asked["subject"], defaults={"match": match, "body": body})
    beyond = Clip.objects.order_by("-pk").values_list("pk", flat=True)[MOST_KEPT:]
    Clip.objects.filter(pk__in=list(beyond)).delete()
    return None


KIND: Final = Kind(make)


def forget_old() -> None:
    """Delete clips after a week."""
    Clip.objects.filter(created__lt=timezone.now() - KEPT).delete()
