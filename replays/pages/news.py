"""The page of news, and the bell on every page.

What a piece of news is about is looked up when it is shown, by the rooms that say who may see it;
what somebody may no longer see is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import HttpResponse
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.views.decorators.http import require_safe

from games.models import LiveTable, Match
from games.people import embargoes
from games.people.rights import rights
from games.people.visit import Request, Visit
from games.tables.plan import from_json
from replays import news
from replays.annotations.access import (
    for_classes_of,
    readable_notes,
    readable_playlist,
    readable_study,
)
from replays.classes.homework import assignments_in, assignments_of
from replays.classes.progress import progress_of
from replays.models import ClassMember, Homework, News, Note, Playlist, Review, Study
from replays.pages.classes.tables import day_words
from replays.pages.notes.pages import address_of, names_of
from replays.pages.rendering import fetched_in_advance, private_page
from replays.reviews.admission import enterable


class About(NamedTuple):
    """What a piece of news is about."""

    title: str
    url: str
    who: str = ""
    """In place of whoever did it."""


class Told(NamedTuple):
    """A piece of news, in words."""

    about: About
    by: str
    did: str
    at: datetime
    unread: bool


Found = dict[str, About]
"""By the keys of the news; without what the visitor may not see."""


def bell(request: Request) -> dict[str, Any]:
    """For templates: `unread_news`, how many; looked up when a page has the bell."""
    account = request.visit.visitor.account if hasattr(request, "visit") else None
    return {"unread_news": SimpleLazyObject(lambda: news.unread(account))}


@login_required
@require_safe
def page(request: Request) -> HttpResponse:
    """What the visitor has been told, the newest first; it is read from now on."""
    account = request.visit.visitor.account or 0
    rows = list(News.objects.filter(user=account).order_by("-at", "-pk")[: news.MOST])
    found = {
        kind: look_up(request.visit, {row.key for row in rows if row.kind == kind})
        for kind, look_up in _LOOK_UP.items()
        if any(row.kind == kind for row in rows)
    }
    told = [
        Told(about, about.who or row.by, row.get_kind_display(), row.at, row.read is None)
        for row in rows
        if (about := found[News.Kind(row.kind)].get(row.key))
    ]
    if not fetched_in_advance(request):
        news.mark_read(rows)
    return private_page(request, "news", {"told": told})


# --- What it is about ----------------------------------------------------------------------------


def _seen(visit: Visit, matches: Iterable[int]) -> dict[int, str]:
    """Those of these matches that the visitor may see and is not playing in, by who sat there."""
    rows = embargoes.with_embargoes(Match.objects.filter(pk__in=set(matches)))
    return names_of(visit.reviewed(rows.prefetch_related("seats")))


def _notes(visit: Visit, keys: Collection[str]) -> Found:
    rows = Note.objects.filter(readable_notes(visit.reader), key__in=keys, deleted=None)
    found = list(rows.select_related("study").distinct())
    names = _seen(visit, (one.match_id for one in found))
    return {
        one.key: About(names[one.match_id], address_of(one))
        for one in found
        if one.match_id in names
    }


def _shared_notes(visit: Visit, keys: Collection[str]) -> Found:
    account = visit.visitor.account or 0
    to_them = Q(visibility=Note.Visibility.PEOPLE, readers=account) | for_classes_of(account)
    rows = Note.objects.filter(
        to_them, match__in=map(int, keys), study=None, deleted=None, hidden=False
    )
    there = rows.exclude(user=account).values_list("match", flat=True)
    names = _seen(visit, there)
    return {
        str(pk): About(name, reverse("replays:replay", args=[pk])) for pk, name in names.items()
    }


def _playlists(visit: Visit, keys: Collection[str]) -> Found:
    rows = Playlist.objects.filter(readable_playlist(visit.reader), key__in=keys)
    return {
        key: About(title, reverse("replays:playlist_page", args=[key]))
        for key, title in rows.values_list("key", "title")
    }


def _studies(visit: Visit, keys: Collection[str]) -> Found:
    rows = Study.objects.filter(readable_study(visit.reader), key__in=keys)
    return {
        key: About(title, reverse("replays:study_page", args=[key]))
        for key, title in rows.values_list("key", "title")
    }


def _tables(visit: Visit, keys: Collection[str]) -> Found:
    """Open tables; of those that are over, their matches."""
    going = LiveTable.objects.filter(record_id__in=keys, over=False)
    plans = [from_json(plan) for plan in going.values_list("plan", flat=True)]
    over = embargoes.with_embargoes(Match.objects.filter(record_id__in=keys))
    of = {
        one.record_id: one.school_class
        for one in over.prefetch_related("seats")
        if visit.rights(one).see
    }
    of |= {one.id: one.school_class for one in plans if rights(visit.visitor, one.access).enter}
    classes = visit.classes
    return {
        key: About(classes.get(school_class, "your class"), reverse("games:table", args=[key]))
        for key, school_class in of.items()
    }


def _reviews(visit: Visit, keys: Collection[str]) -> Found:
    rows = Review.objects.filter(enterable(visit.visitor), key__in=keys, ended=False)
    found = list(rows.select_related("study").distinct())
    names = _seen(visit, (one.match_id for one in found if one.match_id))
    titles = {
        one.key: one.study.title if one.study else names.get(one.match_id or 0) for one in found
    }
    return {
        key: About(title, reverse("replays:review", args=[key]))
        for key, title in titles.items()
        if title
    }


def _homework(visit: Visit, keys: Collection[str]) -> Found:
    rows = assignments_of(visit.visitor.account or 0).filter(homework__key__in=keys)
    return {
        row.homework.key: _about_homework(row.homework, f", due {day_words(row.homework.due)}")
        for row in rows
    }


def _about_homework(homework: Homework, more: str = "", who: str = "") -> About:
    where = [homework.school_class.key, homework.key]
    return About(f"{homework.title}{more}", reverse("replays:homework", args=where), who)


def _done(visit: Visit, keys: Collection[str]) -> Found:
    """For coaches: how many have done it by now."""
    coaching = ClassMember.objects.filter(
        user=visit.visitor.account, role=ClassMember.Role.COACH, left=None
    )
    given = Homework.objects.filter(
        key__in=keys,
        deleted=None,
        school_class__deleted=None,
        school_class__in=coaching.values("school_class"),
    )
    states: dict[str, list[bool]] = {}
    homework: dict[str, Homework] = {}
    for row in progress_of(assignments_in(given).filter(member__left=None)):
        homework[row.homework.key] = row.homework
        states.setdefault(row.homework.key, []).append(row.finished is not None)
    return {
        key: _about_homework(homework[key], who=f"{sum(done)} of {len(done)}")
        for key, done in states.items()
    }


_LOOK_UP: Final[dict[News.Kind, Callable[[Visit, Collection[str]], Found]]] = {
    News.Kind.MENTION: _notes,
    News.Kind.REPLY: _notes,
    News.Kind.NOTES: _shared_notes,
    News.Kind.PLAYLIST: _playlists,
    News.Kind.STUDY: _studies,
    News.Kind.TABLE: _tables,
    News.Kind.REVIEW: _reviews,
    News.Kind.HOMEWORK: _homework,
    News.Kind.REMINDER: _homework,
    News.Kind.DONE: _done,
}
