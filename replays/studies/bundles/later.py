"""Importing a large study file as a job, so that no page waits for it.

The study is there from the start, unfinished. If the worker dies, the job begins again and passes
over what is stored.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from time import monotonic
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction

from games.models import Match
from games.people.visitor import Author
from replays.jobs import queue
from replays.jobs.kinds import Asked, JobFault, JobKind, Json, Part, StepResult
from replays.models import Job, Study, StudyFile
from replays.studies import unfinished
from replays.studies.bundles.exporting import MaySee
from replays.studies.bundles.importing import Import, begin, header_in, items_of
from replays.studies.bundles.parsing import Bundle, read
from replays.studies.bundles.shape import BadBundleError

KIND: Final = "study"
AT_ONCE: Final = 4_000
"""Lines of records, and 40 for each other item: that takes a page about 0.3 CPU s."""
_ITEM: Final = 40
_SAVE_S: Final = 0.5


def is_short(bundle: Bundle) -> bool:
    """Whether a file is to be imported at once."""
    lines = sum(body.count(b"\n") for body in bundle.records)
    return lines + _ITEM * len(items_of(bundle)) <= AT_ONCE


def ask(body: bytes, bundle: Bundle, author: Author, may_see: MaySee) -> Job:
    """The job that imports a file. Raises BadBundleError, TooManyJobsError."""
    made = begin(bundle, author)
    ids = [header.id for record in bundle.records if (header := header_in(record))]
    asked = {
        "study": made.key,
        "user": author.user and author.user.pk,
        "person": author.person,
        "sees": [row.pk for row in Match.objects.filter(record_id__in=ids) if may_see(row)],
        "items": len(items_of(bundle)),
    }
    title = f"Import of the study “{made.title}”"
    try:
        with transaction.atomic():
            StudyFile.objects.create(study=made, body=body)
            return queue.begin(KIND, made.key, title, asked, author)
    except BaseException:
        unfinished.discard(made)
        raise


class Imports(JobKind):
    """A file's import; the units are its items."""

    def plan(self, asked: Asked) -> Sequence[int]:
        return [asked["items"]]

    def step(self, part: Part) -> StepResult:
        made, sees = _study(part.asked), set(part.asked["sees"])
        bundle = read(io.BytesIO(bytes(StudyFile.objects.get(study=made).body)))
        work = Import(bundle, made, lambda match: match.pk in sees)
        done, saved = part.state or 0, monotonic()
        try:
            for at, item in enumerate(items_of(bundle), 1):
                work.store(*item)
                if at > done and monotonic() - saved > _SAVE_S:
                    part.save(StepResult(at, at - done, over=False))
                    done, saved = at, monotonic()
        except BadBundleError as error:
            unfinished.discard(made)
            raise JobFault(f"{error}. Nothing was stored.") from None
        return StepResult(None, part.asked["items"] - done)

    def close(self, asked: Asked, states: Iterator[Json]) -> Json:
        made, user = _study(asked), User.objects.filter(pk=asked["user"]).first()
        unfinished.finish(made, Author(asked["person"], made.by, user))
        StudyFile.objects.filter(study=made).delete()
        return {"study": made.key}


def _study(asked: Asked) -> Study:
    study = Study.objects.filter(key=asked["study"]).first()
    if study is None:
        raise JobFault("The study has been deleted.")
    return study
