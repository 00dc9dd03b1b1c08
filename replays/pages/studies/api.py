"""Studies and chapters for programs, above all their own pages (docs/studies.md)."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponseBase
from django.middleware.csrf import get_token

from games.people.matches import rights_in
from replays.annotations.access import writable_study
from replays.annotations.notes import Conflict
from replays.annotations.positions import Unfit
from replays.models import Chapter, Study
from replays.pages.json_api import answer, body_of, json_view
from replays.pages.json_api import conflict as conflict_with
from replays.pages.notes.asked import (
    author_of,
    key_in,
    must_own,
    reader_of,
    revision_in,
    sharing_in,
    watched,
)
from replays.pages.studies.asked import (
    asked_of,
    chapter_json,
    chapter_of,
    may_write,
    must_write,
    study_json,
    study_of,
    writers_in,
)
from replays.studies import chapters, copying, versions, writing
from replays.studies.attempts import place, unanswered

_OFFERED = 200


@json_view("GET", "POST")
def studies(request: HttpRequest) -> HttpResponseBase:
    """GET: the studies that the requester may change, without drills. POST: add one."""
    if request.method == "POST":
        body = body_of(request)
        made = writing.create(
            author_of(request), key_in(body), body.get("title"), body.get("text", "")
        )
        return answer(study_json(made, reader_of(request)), HTTPStatus.CREATED)
    rows = Study.objects.filter(writable_study(reader_of(request)), drill=False).distinct()
    listed = [
        {"key": row.key, "title": row.title, "revision": row.revision}
        for row in rows.order_by("-edited", "pk")[:_OFFERED]
    ]
    return answer({"studies": listed, "csrf": get_token(request)})


@json_view("GET", "PUT", "DELETE")
def study(request: HttpRequest, key: str) -> HttpResponseBase:
    """One study with its table of contents; PUT changes its title, introduction and people.

    With `as_of` title and introduction go back to those of an earlier revision.
    """
    found, reader = study_of(request, key), reader_of(request)
    if request.method == "GET":
        return answer(study_json(found, reader, asked_of(request, found)))
    must_write(request, found)
    body = body_of(request)
    try:
        if request.method == "DELETE":
            must_own(request, found)
            writing.remove(found, revision_in(body))
            return answer({"deleted": True})
        if "as_of" in body:
            body = {**body, **versions.as_of(found, body["as_of"])}
        sharing, writers = sharing_in(body), writers_in(body)
        if sharing is not None or writers is not None:
            must_own(request, found)
        changed = writing.change(
            found,
            revision_in(body),
            body.get("title", found.title),
            body.get("text", found.text),
            sharing=sharing,
            writers=writers,
            by=author_of(request).name,
            typed="as_of" not in body,
        )
        return answer(study_json(changed, reader))
    except Conflict as conflict:
        return _study_conflict(request, conflict.args[0], body)


@json_view("GET")
def study_history(request: HttpRequest, key: str) -> HttpResponseBase:
    """A study's earlier titles and introductions, newest first, for its writers."""
    found = study_of(request, key)
    must_write(request, found)
    return answer({"history": [version._asdict() for version in versions.history(found)]})


@json_view("POST")
def copy_study(request: HttpRequest, key: str) -> HttpResponseBase:
    """Copy what the requester may see, without questions they have not yet answered."""
    found = study_of(request, key)

    asked = unanswered(found.chapters.all(), reader_of(request).persons)
    kept = set() if may_write(request, found) else {row.pk for row in asked}

    def may_see(chapter: Chapter) -> bool:
        return chapter.pk not in kept and rights_in(request, chapter.match).see

    made = copying.copy(found, author_of(request), may_see)
    return answer(study_json(made, reader_of(request)), HTTPStatus.CREATED)


@json_view("POST", "PUT")
def study_chapters(request: HttpRequest, key: str) -> HttpResponseBase:
    """POST: a new chapter. PUT: the order and groups of all chapters, based on what `was`."""
    found = study_of(request, key)
    must_write(request, found)
    body = body_of(request)
    if request.method == "PUT":
        try:
            writing.arrange(found, body.get("chapters"), body.get("was"))
        except Conflict as conflict:
            now = study_json(found, reader_of(request))
            return conflict_with(now, "", conflict.args[0].edited, you=False)
        return answer(study_json(found, reader_of(request)))
    said = chapters.parse(body, reader_of(request), lambda pk: watched(request, pk))
    made = writing.add(found, said, author_of(request).name)
    return answer(chapter_json(made, writer=True), HTTPStatus.CREATED)


@json_view("GET", "PUT", "DELETE")
def study_chapter(request: HttpRequest, key: str, number: int) -> HttpResponseBase:
    """One chapter; PUT replaces the fields that it names, or goes back `as_of` a revision."""
    found = chapter_of(request, key, number)
    if request.method == "GET":
        writer = may_write(request, found.study)
        asks = asked_of(request, found.study).get(found.match_id)
        if asks not in (None, place(found)):
            raise Http404("there is no such chapter")
        return answer(chapter_json(found, writer=writer))
    must_write(request, found.study)
    body = body_of(request)
    revision = revision_in(body)
    try:
        if request.method == "DELETE":
            writing.drop(found, revision)
            return answer({"deleted": True})
        asked = {name: value for name, value in body.items() if name != "revision"}
        if "as_of" in asked:
            asked = versions.as_of(found, asked["as_of"])
        if found.revision != revision:
            return _chapter_conflict(request, found)
        said = chapters.parse(
            {**chapters.fields_of(found), **asked},
            reader_of(request),
            lambda pk: watched(request, pk),
        )
        by, typed = author_of(request).name, "as_of" not in body
        changed = writing.amend(found, revision, said, by, typed=typed)
        return answer(chapter_json(changed, writer=True))
    except Conflict as conflict:
        return _chapter_conflict(request, conflict.args[0])
    except Chapter.DoesNotExist:
        raise Unfit("the chapter has been deleted") from None


@json_view("GET")
def chapter_history(request: HttpRequest, key: str, number: int) -> HttpResponseBase:
    """A chapter's earlier versions, newest first, for the study's writers."""
    found = chapter_of(request, key, number)
    must_write(request, found.study)
    return answer({"history": [version._asdict() for version in versions.history(found)]})


@json_view("POST")
def restore_chapter(request: HttpRequest, key: str, number: int) -> HttpResponseBase:
    """Restore a deleted chapter."""
    found = study_of(request, key)
    must_write(request, found)
    return answer(chapter_json(versions.restore(found, number), writer=True))


def _study_conflict(
    request: HttpRequest, other: Study, body: Mapping[str, object]
) -> HttpResponseBase:
    """Writers change its words, only its owner whom it is for."""
    by, at = other.by, other.edited
    if {"title", "text"} & body.keys() and other.worded:
        by, at = other.worded_by, other.worded
    now = study_json(other, reader_of(request))
    return conflict_with(now, by, at, you=by == author_of(request).name)


def _chapter_conflict(request: HttpRequest, other: Chapter) -> HttpResponseBase:
    now, by = chapter_json(other, writer=True), other.by
    return conflict_with(now, by, other.edited, you=by == author_of(request).name)
