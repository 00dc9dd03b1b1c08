"""Pages of studies: lists, one study with its table of contents, and one for printing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from http import HTTPStatus
from itertools import groupby
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from games.people.matches import rights_in
from replays.annotations.access import writes
from replays.models import Chapter, Note, Study
from replays.pages.notes.asked import blind, reader_of
from replays.pages.notes.pages import linked_to, names_of
from replays.pages.studies.asked import study_fields, study_of
from replays.pages.viewer import may_show
from replays.studies.attempts import unanswered
from replays.studies.versions import deleted_chapters

PAGE: Final = 100


class ChapterRow(NamedTuple):
    """A chapter in a table of contents."""

    number: int
    title: str
    group: str
    asks: bool
    url: str


class Heading(NamedTuple):
    """Chapters in a row with the same group; `items` are list items for the page."""

    group: str
    chapters: Sequence[ChapterRow]
    items: str


def private_page(
    request: HttpRequest, name: str, context: dict[str, Any], status: int = HTTPStatus.OK
) -> HttpResponse:
    """A page of studies for this visitor alone."""
    response = render(request, f"replays/studies/{name}.html", context, status=status)
    add_never_cache_headers(response)
    return response


def contents_of(study: Study) -> list[ChapterRow]:
    """A study's chapters in order. One query, and no more per chapter than the page shows."""
    rows = study.chapters.order_by("place", "number")
    home = reverse("replays:study_page", args=[study.key])
    return [
        ChapterRow(number, title, group, not empty, f"{home}{number}/")
        for number, title, group, empty in rows.values_list(
            "number", "title", "group", "question__isnull"
        )
    ]


def headings(entries: Iterable[ChapterRow], item: Callable[[ChapterRow], str]) -> list[Heading]:
    """The table of contents, by groups; `item`: a chapter's list item, as safe HTML.

    Items are made here: a template takes ten times as long, for a hundred chapters too long.
    """
    groups = ((group, list(rows)) for group, rows in groupby(entries, lambda one: one.group))
    return [
        Heading(group, rows, mark_safe("".join(map(item, rows))))  # noqa: S308 - each is safe
        for group, rows in groups
    ]


def _row(entry: ChapterRow, *, writer: bool) -> str:
    """A chapter on its study's page."""
    row = '<li class="chapter-row" data-number="{}"><a href="{}"><bdi>{}</bdi></a>{}</li>'
    return format_html(row, entry.number, entry.url, entry.title, _asks(entry, writer=writer))


def _asks(entry: ChapterRow, *, writer: bool) -> str:
    if not entry.asks:
        return ""
    chip = mark_safe(' <span class="chip">question</span>')
    link = format_html(' <a class="small" href="{}results/">answers</a>', entry.url)
    return chip + link if writer else chip


@require_safe
def study_page(request: HttpRequest, key: str) -> HttpResponse:
    """One study; who may write it edits it here."""
    found = study_of(request, key)
    reader = reader_of(request)
    entries = contents_of(found)
    chapters = [
        {"number": row.number, "title": row.title, "group": row.group, "question": row.asks}
        for row in entries
    ]
    told = {**study_fields(found, reader), "chapters": chapters, "csrf": get_token(request)}
    context = {
        "study": found,
        "told": told,
        "headings": headings(entries, partial(_row, writer=told["may_write"])),
        "writer": told["may_write"],
        "deleted": deleted_chapters(found) if told["may_write"] else [],
    }
    return private_page(request, "study", context)


@require_safe
def print_page(request: HttpRequest, key: str) -> HttpResponse:
    """The whole study on one page, with the notes of its chapters."""
    found = study_of(request, key)
    reader = reader_of(request)
    writer = writes(found, reader)
    chapters = list(found.chapters.select_related("match", "line").order_by("place", "number"))
    seen: dict[int, bool] = {}
    for row in chapters:
        if row.match_id not in seen:
            seen[row.match_id] = not blind(rights_in(request, row.match))
    asked = [] if writer else unanswered(chapters, reader.persons)
    kept = {row.match_id for row in asked}
    notes = _notes_of(found, {pk for pk, may in seen.items() if may}) if may_show(request) else []
    names = names_of({pk for pk, may in seen.items() if may})
    sections = [
        {
            "chapter": row,
            "notes": [] if row.match_id in kept else _linked(found, row, _within(notes, row)),
            "html": linked_to(_address(found, row), row.html),
            "players": names.get(row.match_id, ""),
            "picture": _picture(row) if seen[row.match_id] else "",
        }
        for row in chapters
    ]
    context = {"study": found, "sections": sections, "notes_kept": not may_show(request)}
    return private_page(request, "print", context)


def _address(study: Study, chapter: Chapter) -> str:
    return reverse("replays:chapter", args=[study.key, chapter.number])


def _linked(study: Study, chapter: Chapter, notes: Iterable[Note]) -> list[tuple[Note, str]]:
    """Notes with their text, whose moments and cards lead to the chapter."""
    return [(note, linked_to(_address(study, chapter), note.html)) for note in notes]


def _picture(chapter: Chapter) -> str:
    """The address of a picture of the chapter's position."""
    query = {"round": str(chapter.round), "event": str(chapter.event)}
    if chapter.line is not None:
        query["line"] = chapter.line.key
    if chapter.view != "all":
        query["pov"] = chapter.view
    return f"{reverse('replays:picture_svg', args=[chapter.match_id])}?{urlencode(query)}"


def _notes_of(study: Study, matches: set[int]) -> list[Note]:
    rows = Note.objects.filter(study=study, match__in=matches, deleted=None, hidden=False)
    return list(rows.order_by("round", "event", "pk"))


def _within(notes: Iterable[Note], chapter: Chapter) -> list[Note]:
    """The notes inside a chapter's span, or those from its position on in the round."""
    return [
        note
        for note in notes
        if note.match_id == chapter.match_id
        and note.round == chapter.round
        and note.event >= chapter.event
        and (chapter.until is None or note.event <= chapter.until)
    ]
