"""Pages of studies: lists, and one study with its table of contents."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Final, NamedTuple

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods

from games.pages.words import sentence
from games.people.visit import Request
from replays.models import Study
from replays.models.studies import chapter_title
from replays.notes.hiding import why_hidden
from replays.notes.positions import ValidationFault
from replays.pages.rendering import private_page
from replays.pages.studies.access import pending_questions, study_of, study_to_write
from replays.pages.studies.schemas import study_fields
from replays.pages.studies.tables import first_pictures
from replays.query_string import number_or_404
from replays.studies import writing
from replays.studies.writing import deleted_chapters

PAGE: Final = 100
_DOES: Final = ("up", "down", "restore")


class ChapterRow(NamedTuple):
    """A chapter in a table of contents."""

    number: int
    title: str
    group: str
    asks: bool
    url: str


class Heading(NamedTuple):
    """Chapters in a row with the same group. `items` are list items for the page."""

    group: str
    chapters: Sequence[ChapterRow]
    items: str


def contents_of(study: Study, asked: Mapping[int, int] | None = None) -> list[ChapterRow]:
    """A study's chapters in order. One query, and no more per chapter than the page shows.

    `asked`: the matches about which everything is hidden, even titles, and the chapter that asks
    about each.
    """
    asked = asked or {}
    asks = Q(question__isnull=False)
    rows = study.chapters.annotate(asks=asks).order_by("place", "number")
    home = reverse("replays:study_page", args=[study.key])
    shown = rows.values_list("pk", "number", "title", "place", "group", "asks", "match")
    return [
        ChapterRow(
            number,
            _("Chapter {place}").format(place=at)
            if asked.get(match, pk) != pk
            else chapter_title(title, place, study.owner),
            group,
            asks,
            f"{home}{number}/",
        )
        for at, (pk, number, title, place, group, asks, match) in enumerate(shown, 1)
    ]


def headings(entries: Iterable[ChapterRow], item: Callable[[ChapterRow], str]) -> list[Heading]:
    """The table of contents, by groups. `item`: a chapter's list item, as safe HTML.

    Items are made here: a template takes ten times as long, for a hundred chapters too long.
    """
    groups = ((group, list(rows)) for group, rows in groupby(entries, lambda row: row.group))
    return [
        Heading(group, rows, mark_safe("".join(map(item, rows))))  # noqa: S308 - each is safe
        for group, rows in groups
    ]


def _row(entry: ChapterRow, *, writer: bool, ends: Sequence[int]) -> str:
    """A chapter on its study's page. `ends`: the numbers of the first and the last one."""
    row = (
        '<li class="chapter-row row framed"><a id="chapter-{}" href="{}"><bdi>{}</bdi></a>{}{}</li>'
    )
    moves = _moves(entry, ends) if writer else ""
    asks = _asks(entry, writer=writer)
    return format_html(row, entry.number, entry.url, entry.title, asks, moves)


def _moves(entry: ChapterRow, ends: Sequence[int]) -> str:
    move = (
        '<button class="button small quiet" form="chapters" name="{}" value="{}"'
        ' aria-label="{}: {}"{}>{}</button>'
    )
    buttons = []
    for do, word, end in zip(("up", "down"), (_("Up"), _("Down")), ends, strict=True):
        shut = " disabled" if entry.number == end else ""
        buttons.append(format_html(move, do, entry.number, word, entry.title, shut, word))
    return format_html('<span class="push">{} {}</span>', *buttons)


def _asks(entry: ChapterRow, *, writer: bool) -> str:
    if not entry.asks:
        return ""
    chip = format_html(' <span class="chip">{}</span>', pgettext("chapter", "question"))
    link = format_html(' <a class="small" href="{}results/">{}</a>', entry.url, _("answers"))
    return chip + link if writer else chip


@require_http_methods(["GET", "HEAD", "POST"])
def study_page(request: Request, key: str) -> HttpResponse:
    """One study. Its writers edit it here."""
    if request.method == "POST":
        return _pressed(request, study_to_write(request.visit, key))
    study = study_of(request.visit, key)
    reader = request.visit.reader
    entries = contents_of(study, pending_questions(request.visit, study))
    chapters = [
        {"number": row.number, "title": row.title, "group": row.group, "question": row.asks}
        for row in entries
    ]
    fields = study_fields(study, reader)
    writer = fields["may_write"]
    ends = [entries[at].number for at in (0, -1) if entries]
    by = {"account": request.visit.visitor.account_key}
    context = {
        "study": study,
        "writers": fields.get("writers", []),
        "data": {**fields, "chapters": chapters, "classes": request.visit.classes, **by},
        "headings": headings(entries, partial(_row, writer=writer, ends=ends)),
        "picture": first_pictures([study.pk], request.visit).get(study.pk),
        "writer": writer,
        "why_hidden": why_hidden(study),
        "deleted": deleted_chapters(study) if writer else [],
    }
    return private_page(request, "studies/study", context)


def _pressed(request: Request, study: Study) -> HttpResponse:
    """Move a chapter, or restore a deleted one, and show it on the page."""
    do = next((each for each in _DOES if each in request.POST), "up")
    number = number_or_404(request.POST, do) or 0
    try:
        if do == "restore":
            writing.restore_chapter(study, number)
        else:
            writing.move(study, number, 1 if do == "down" else -1)
    except ValidationFault as error:
        messages.error(request, _("Not done. {detail}").format(detail=sentence(error)))
    page = reverse("replays:study_page", args=[study.key])
    return redirect(f"{page}#chapter-{number}")
