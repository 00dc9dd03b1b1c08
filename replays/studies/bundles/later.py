"""Importing a large study file as a job, so that no page waits for it.

The study is there from the start, unfinished. If the worker dies, the job begins again and passes
over what is stored.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction

from games.engine.message import Message, message_of
from games.models import Match
from games.people.visitor import Author
from replays.jobs.kinds import Asked, JobFault, Json, Kind, Share, Step
from replays.jobs.starting import begin as begin_job
from replays.models import Job, Study, StudyFile
from replays.studies import unfinished
from replays.studies.bundles.exporting import MaySee
from replays.studies.bundles.importing import Import, begin, header_in, items_of
from replays.studies.bundles.parsing import Bundle, read
from replays.studies.bundles.shape import BadBundleError

AT_ONCE: Final = 4_000
"""Lines of records, and 40 for each other item: that takes a page about 0.3 CPU s."""
_ITEM: Final = 40


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
    }
    title = Message("Import of the study “{title}”", title=made.title)
    try:
        with transaction.atomic():
            StudyFile.objects.create(study=made, body=body)
            shares = [Share(None, len(items_of(bundle)))]
            return begin_job("study", made.key, title, asked, shares, by=author)
    except BaseException:
        unfinished.discard(made)
        raise


def store(asked: Asked, share: Json, found: Json, step: Step) -> None:
    """Store the items of a file, over what is stored already."""
    made, sees = _study(asked), set(asked["sees"])
    bundle = read(io.BytesIO(bytes(StudyFile.objects.get(study=made).body)))
    work = Import(bundle, made, lambda match: match.pk in sees)
    try:
        for item in items_of(bundle):
            work.store(*item)
            step()
    except BadBundleError as error:
        unfinished.discard(made)
        raise JobFault("{error}. Nothing was stored.", error=message_of(error)) from None


def close(asked: Asked, founds: Iterator[Json]) -> Json:
    made, user = _study(asked), User.objects.filter(pk=asked["user"]).first()
    unfinished.finish(made, Author(asked["person"], made.by, user))
    StudyFile.objects.filter(study=made).delete()
    return {"study": made.key}


KIND: Final = Kind(store, close)


def _study(asked: Asked) -> Study:
    study = Study.objects.filter(key=asked["study"]).first()
    if study is None:
        raise JobFault("The study has been deleted.")
    return study
