"""The page of news, and the bell on every page, which counts that page's items.

The subject of a piece of news is looked up when it is shown, by the rooms that know its rights.
News that a visitor may no longer see is left out.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from functools import partial
from operator import getitem
from typing import Annotated, Any, Final, NamedTuple, assert_never

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from ninja import Router
from pydantic import AwareDatetime, Field
from typing_extensions import TypedDict

from games.models import LiveTable, Match
from games.pages.operations import RequestBody
from games.people import embargoes, mail
from games.people.rights import rights
from games.people.visit import Request, Visit
from games.tables.plan import from_json
from replays import news
from replays.homework.giving import assignments_of, coached
from replays.homework.progress import tallies_of
from replays.models import Homework, News, NewsSettings, Note, Playlist, Review, Study
from replays.notes.access import (
    for_classes_of,
    readable_notes,
    readable_playlist,
    readable_study,
)
from replays.pages.classes.homework import calls
from replays.pages.classes.tables import due_day
from replays.pages.notes.pages import address_of
from replays.pages.rendering import private_page
from replays.pages.telling import names_of
from replays.reviews.admission import enterable


class About(NamedTuple):
    """The subject of a piece of news."""

    title: object
    """May be lazy, as the bell only counts."""
    url: str
    who: object = ""
    """Shown in place of the person who did it. May be lazy."""


class NewsItem(NamedTuple):
    """A piece of news, and its subject."""

    about: About
    row: News

    @property
    def by(self) -> object:
        return self.about.who or (_(news.GONE) if self.row.by == news.GONE else self.row.by)

    @property
    def text(self) -> str:
        return self.row.get_kind_display().format(by=self.by, about=self.about.title)

    @property
    def html(self) -> SafeString:
        by = format_html("<bdi>{}</bdi>", self.by)
        link = format_html('<a href="{}"><bdi>{}</bdi></a>', self.about.url, self.about.title)
        return format_html(self.row.get_kind_display(), by=by, about=link)

    @property
    def line(self) -> object:
        """Items with the same one share a line of the page: someone's notes of a day."""
        row = self.row
        notes = row.kind in {News.Kind.NOTES, News.Kind.MENTION, News.Kind.REPLY}
        return (row.kind, row.by, row.at.date(), row.read is None) if notes else row.pk


Found = dict[str, About]
"""By the keys of the news, without those that the visitor may not see."""
LookUp = Callable[[Visit, Collection[str]], Found]
MOST_COUNTED: Final = 99
router: Final = Router(tags=["news"])


def newest(visit: Visit, **which: Any) -> list[News]:
    """The visitor's news, the newest first. One query for an account."""
    account = visit.visitor.account
    rows = News.objects.filter(user=account, **which).order_by("-at", "-pk")
    return [] if account is None else list(rows[: news.MAX_NEWS])


def visible_news(visit: Visit, rows: Collection[News]) -> list[NewsItem]:
    """These news for the visitor, without those that they may not see."""
    keys: dict[LookUp, set[str]] = defaultdict(set)
    for row in rows:
        keys[_look_up(News.Kind(row.kind))].add(row.key)
    by_look_up = {look_up: look_up(visit, of) for look_up, of in keys.items()}
    return [
        NewsItem(about, row)
        for row in rows
        if (about := by_look_up[_look_up(News.Kind(row.kind))].get(row.key))
    ]


def unread(visit: Visit) -> list[NewsItem]:
    """The visitor's unread news. One query if there are none."""
    return visible_news(visit, newest(visit, read=None))


def bell(request: Request) -> dict[str, Any]:
    """For templates: `unread_news`, their number. Looked up when a page has the bell."""
    return {"unread_news": SimpleLazyObject(lambda: _unread_count(request))}


def _unread_count(request: Request) -> str:
    """How many are unread, as the bell shows it. Empty: none."""
    if not hasattr(request, "visit") or request.path == reverse("replays:news"):
        return ""
    waiting = unread(request.visit)
    if waiting and request.path == reverse("games:home"):
        said = {review.key for _, review, _ in calls(request.visit)}
        waiting = [piece for piece in waiting if piece.row.key not in said]
    count = len(waiting)
    return f"{MOST_COUNTED}+" if count > MOST_COUNTED else str(count or "")


class SeenNews(RequestBody):
    """The newest of the news that are seen."""

    until: Annotated[AwareDatetime, Field(strict=False)]


class ReadNews(TypedDict):
    """They are read."""

    read: bool


@login_required
@require_safe
def page(request: Request) -> HttpResponse:
    """The visitor's news, newest first. Its script reports when they are seen."""
    rows = newest(request.visit)
    form = form_of(request)
    user = form and form.instance.user
    context = {
        "told": visible_news(request.visit, rows),
        "until": rows[0].at.isoformat() if any(row.read is None for row in rows) else "",
        "form": form,
        "address_confirmed": user and mail.confirmed(user.pk, user.email),
    }
    return private_page(request, "news", context)


@router.post("/news/read", url_name="read_news", response=ReadNews)
def read_news(request: Request, asked: SeenNews) -> ReadNews:
    """Mark the visitor's news as read, but what has come or happened again since."""
    news.mark_read(request.visit.visitor.account, asked.until)
    return {"read": True}


# --- Settings: notifications away from the site ---------------------------------------------------


class NewsForm(forms.ModelForm):
    class Meta:
        model = NewsSettings
        fields = ("mail",)

    def clean_mail(self) -> bool:
        """Mail goes to a confirmed address alone."""
        wanted: bool = self.cleaned_data["mail"]
        user = self.instance.user
        if wanted and not mail.confirmed(user.pk, user.email):
            raise forms.ValidationError(_("Confirm your email address first."))
        return wanted


def form_of(request: Request, said: Any = None) -> NewsForm | None:
    """The form as its account has it. None for a child's account, which has no email."""
    visitor = request.visit.visitor
    if visitor.supervised:
        return None
    user: Any = request.user
    there = NewsSettings.objects.filter(user=visitor.account).select_related("user").first()
    return NewsForm(said, instance=there or NewsSettings(user=user))


@login_required
@require_POST
def save_settings(request: Request) -> HttpResponse:
    """Save the settings. The first mail comes on the next day, with the news since now."""
    form = form_of(request, request.POST)
    assert form is not None  # the door refuses a child's
    if form.is_valid():
        row = form.save(commit=False)
        if "mail" in form.changed_data:
            row.mailed_until = timezone.now()
            row.mailed_on = row.mailed_until.date()
        row.save()
        messages.success(request, _("Saved."))
    else:
        messages.error(request, " ".join(str(errors[0]) for errors in form.errors.values()))
    return redirect("replays:news")


# --- What it is about ----------------------------------------------------------------------------


def _visible_matches(visit: Visit, matches: Iterable[int]) -> dict[int, object]:
    """Those of these matches that the visitor may see and is not playing in, by who sat there."""
    rows = embargoes.with_embargoes(Match.objects.filter(pk__in=set(matches)))
    seen = visit.reviewed(rows.prefetch_related("seats"))
    names = SimpleLazyObject(lambda: names_of(seen, visit.visitor.classes))
    return {pk: SimpleLazyObject(partial(getitem, names, pk)) for pk in seen}


def _notes(visit: Visit, keys: Collection[str]) -> Found:
    rows = Note.objects.filter(readable_notes(visit.reader), key__in=keys, deleted=None)
    notes = list(rows.select_related("study").distinct())
    names = _visible_matches(visit, (note.match_id for note in notes))
    return {
        note.key: About(names[note.match_id], address_of(note))
        for note in notes
        if note.match_id in names
    }


def _shared_notes(visit: Visit, keys: Collection[str]) -> Found:
    account = visit.visitor.account or 0
    to_them = Q(visibility=Note.Visibility.PEOPLE, readers=account) | for_classes_of(account)
    rows = Note.objects.filter(
        to_them, match__in=map(int, keys), study=None, deleted=None, hidden=False
    )
    there = rows.exclude(user=account).values_list("match", flat=True)
    names = _visible_matches(visit, there)
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
        study.key: About(study.shown_title, reverse("replays:study_page", args=[study.key]))
        for study in rows
    }


def _tables(visit: Visit, keys: Collection[str]) -> Found:
    """Open tables, and the matches of those that are over."""
    going = LiveTable.objects.filter(record_id__in=keys, over=False)
    plans = [from_json(plan) for plan in going.values_list("plan", flat=True)]
    over = embargoes.with_embargoes(Match.objects.filter(record_id__in=keys))
    of = {
        match.record_id: match.school_class
        for match in over.prefetch_related("seats")
        if visit.rights(match).see
    }
    of |= {plan.id: plan.school_class for plan in plans if rights(visit.visitor, plan.access).enter}
    classes = visit.classes
    return {
        key: About(classes.get(school_class, _("your class")), reverse("games:table", args=[key]))
        for key, school_class in of.items()
    }


def _classes(visit: Visit, keys: Collection[str]) -> Found:
    return {
        key: About(visit.classes[key], reverse("replays:school_class", args=[key]))
        for key in keys
        if key in visit.classes
    }


def _reviews(visit: Visit, keys: Collection[str]) -> Found:
    rows = Review.objects.filter(enterable(visit.visitor), key__in=keys, ended=False)
    reviews = list(rows.select_related("study").distinct())
    names = _visible_matches(visit, (review.match_id for review in reviews if review.match_id))
    return {
        review.key: About(
            review.study.shown_title if review.study else names[review.match_id or 0],
            reverse("replays:review", args=[review.key]),
        )
        for review in reviews
        if review.study or (review.match_id or 0) in names
    }


def _followed_matches(visit: Visit, keys: Collection[str]) -> Found:
    """Matches of those that the visitor follows, being played or over by now."""
    rows = Match.objects.filter(record_id__in=keys)
    matches = {pk: rest for pk, *rest in rows.values_list("pk", "record_id", "school_class")}
    names, classes = _visible_matches(visit, matches), visit.classes
    return {
        key: About(names[pk], reverse("replays:replay", args=[pk]), classes.get(school_class, ""))
        for pk, (key, school_class) in matches.items()
        if pk in names
    }


def _homework(visit: Visit, keys: Collection[str]) -> Found:
    rows = assignments_of(visit.visitor.account or 0).filter(homework__key__in=keys)
    return {
        row.homework.key: _about_homework(
            row.homework,
            _("{title}, due {day}").format(
                title=row.homework.shown_title, day=due_day(row.homework.due)
            ),
        )
        for row in rows
    }


def _about_homework(homework: Homework, title: str, who: object = "") -> About:
    where = [homework.school_class.key, homework.key]
    return About(title, reverse("replays:homework", args=where), who)


def _homework_progress(visit: Visit, keys: Collection[str]) -> Found:
    """For coaches: how many have done it by now."""
    given = coached(visit.visitor.account).filter(key__in=keys)
    by_key = {homework.key: homework for homework in given}
    counts = SimpleLazyObject(
        lambda: {
            pk: _("{some} of {all}").format(some=tally.done, all=tally.given)
            for pk, tally in tallies_of(by_key.values()).items()
        }
    )
    return {
        key: _about_homework(
            homework,
            homework.shown_title,
            SimpleLazyObject(partial(getitem, counts, homework.pk)),
        )
        for key, homework in by_key.items()
    }


def _look_up(kind: News.Kind) -> LookUp:
    """What finds the subjects of one kind, by their keys."""
    match kind:
        case News.Kind.MENTION | News.Kind.REPLY:
            return _notes
        case News.Kind.NOTES:
            return _shared_notes
        case News.Kind.PLAYLIST:
            return _playlists
        case News.Kind.STUDY:
            return _studies
        case News.Kind.TABLE:
            return _tables
        case News.Kind.REVIEW:
            return _reviews
        case News.Kind.HOMEWORK | News.Kind.REMINDER:
            return _homework
        case News.Kind.DONE:
            return _homework_progress
        case News.Kind.LIVE:
            return _followed_matches
        case News.Kind.TAKEN:
            return _classes
        case _:
            assert_never(kind)
