"""Homework: giving it, the pupil's page, the coach's table, and due work."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.archive.queries import SeatRow
from games.engine.message import spoken
from games.pages.problems import must_be_there
from games.pages.words import clock, reason, together
from games.people.person import account, encode
from games.people.visit import Request, Visit
from replays.classes.limits import WEEK, ClassError, today
from replays.classes.members import groups_of, pupils_of
from replays.classes.membership import COACH, told_apart
from replays.ghost_races.saving import result_of
from replays.homework import giving as given
from replays.homework.progress import (
    NOT_BEGUN,
    Progress,
    Step,
    by_homework,
    is_gone,
    not_come_first,
    progress_of,
    tally,
)
from replays.homework.sight import hidden_titles
from replays.models import ClassMember, Homework, Review, Variation
from replays.pages.classes.access import Works, coach_of, do, member_of
from replays.pages.classes.forms import KINDS, DueForm
from replays.pages.classes.tables import COLUMNS, csv_lines, row_of, state_words, step_words
from replays.pages.rendering import csv_download, private_page
from replays.pages.rows import by_points
from replays.pages.telling import named, seats_known
from replays.reviews.admission import enterable, listed
from replays.studies.drills import MAX_QUESTIONS, key_of, spans_of
from replays.studies.practice import USUAL_S

CALLED: Final = timedelta(minutes=30)
"""A review without any change for this long is not announced."""
MOST_CALLS: Final = 3


def homework_in(member: ClassMember, key: str) -> Homework:
    """Homework of a class, that is for this pupil if it is a pupil. Raises Http404."""
    rows = given.homework_of(member.school_class).filter(key=key)
    if member.role != COACH:
        rows = rows.filter(deleted=None, assignments__member=member)
    return must_be_there(rows.first(), _("there is no such homework, or it is not yours"))


@require_http_methods(["GET", "HEAD", "POST"])
def new_homework(request: Request, key: str) -> HttpResponse:
    """Give homework. `?kind=` is its kind, `?address=` names a study or chapter."""
    coach = coach_of(request.visit, key)
    pupils = pupils_of(coach.school_class)
    asked = request.GET.get("kind", "")
    kind = asked if asked in KINDS else "study"
    form = KINDS[kind][1](request.visit, pupils, request.POST or None)
    form.initial = {"address": request.GET.get("address", "")[:400], "due": today() + WEEK}
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        of = {"words": data["words"], "pupils": data["pupils"]}
        try:
            made = given.give(coach.school_class, coach.user, data["task"], data["due"], **of)
        except ClassError as error:
            form.add_error(None, reason(error))
        else:
            messages.success(request, _("Given: {title}.").format(title=made.shown_title))
            return redirect("replays:homework", key, made.key)
    context = {
        "school_class": coach.school_class,
        "form": form,
        "pupils": pupils,
        "groups": groups_of(pupils),
        "kind": kind,
        "kinds": [(name, label) for name, (label, _) in KINDS.items()],
    }
    status = 422 if form.errors else 200
    return private_page(request, "classes/new_homework", context, status)


@login_required
@require_safe
def homework_page(request: Request, key: str, homework_key: str) -> HttpResponse:
    """Homework: the work, for a pupil, or everyone's progress, for a coach."""
    member = member_of(request.visit, key)
    homework = homework_in(member, homework_key)
    if member.role == COACH:
        return _table(request, homework)
    return _to_do(request, member, homework)


def _to_do(request: Request, member: ClassMember, homework: Homework) -> HttpResponse:
    assignment = given.assignments_in([homework]).get(member=member)
    (row,) = progress_of([assignment])
    gone, following = is_gone(homework), row.next
    steps = [step for step in row.steps if step.done or not gone]
    scores = _scores(request.visit, steps)
    context = {
        "school_class": member.school_class,
        "homework": homework,
        "row": row,
        "state": state_words(row),
        "gone": gone,
        "steps": [
            (step, step_words(step), _place(member, homework, step), scores.get(step.task.number))
            for step in steps
        ],
        "next_url": following and _place(member, homework, following),
    }
    if homework.playlist:
        context["asks"] = asks = min(len(spans_of(homework.playlist)), MAX_QUESTIONS)
        context["minutes"] = max(1, round(asks * USUAL_S / 60))
    return private_page(request, "classes/to_do", context)


def _scores(visit: Visit, steps: Iterable[Step]) -> dict[int, str]:
    """By the step's number, what was played in words: `Kim 112 · Bo 90`, the winner first."""
    played = [step for step in steps if step.match]
    seats = seats_known({step.match for step in played}, visit.visitor.classes)
    kept = Variation.objects.filter(key__in=[step.race for step in played if step.race])
    races = {race.key: race for race in kept.select_related("match")}
    return {
        step.task.number: _race_words(races[step.race], seats[step.match])
        if step.race
        else _score(seats[step.match])
        for step in played
    }


def _race_words(race: Variation, seats: Sequence[SeatRow]) -> str:
    """Where a race began, and the points for its round."""
    t, points = result_of(race)
    scored = [seat._replace(total=points[seat.number], won=False) for seat in seats]
    place = _("Round {round}, {time}").format(round=race.round, time=clock(t))
    return f"{place} · {_score(scored)}"


def _score(seats: Sequence[SeatRow]) -> str:
    return " · ".join(f"{seat.name} {spoken(seat.total or 0)}" for seat in by_points(seats))


def _place(member: ClassMember, homework: Homework, step: Step) -> str:
    """Where a step is done. Empty if that is gone."""
    if is_gone(homework):
        return ""
    if homework.count:
        where = "games:lobby" if homework.kind == Homework.Kind.MATCHES else "replays:mine"
        if step.match:
            race = f"?{urlencode({'line': step.race})}" if step.race else ""
            return reverse("replays:replay", args=[step.match]) + race
        return "" if step.done else reverse(where)
    key = homework.study.key if homework.study else ""
    if homework.playlist:
        if not step.task.chapter:
            return reverse("replays:practise_playlist", args=[homework.playlist.key])
        key = key_of(encode(account(member.user_id)), homework.playlist.key)
    return reverse("replays:chapter", args=[key, step.task.number]) if key else ""


def _table(request: Request, homework: Homework) -> HttpResponse:
    rows = _rows(homework)
    here = [row.member for row in rows if row.member.left is None]
    shown, key = [row_of(row) for row in rows], homework.school_class.key
    study, last = homework.study, given.reminded(homework)
    context = {
        "school_class": homework.school_class,
        "homework": homework,
        "rows": shown,
        "waiting": [
            row for row in shown if row.progress.state == NOT_BEGUN and row.progress.member in here
        ],
        "tally": tally(rows),
        "asks": any(row.questions for row in rows),
        "gone": is_gone(homework),
        "reminded": last,
        "may_remind": last is None or last <= timezone.now() - given.REMIND_EVERY,
        "hidden": _quoted(hidden_titles(study, homework.chapter, key, here) if study else ()),
        "form": DueForm(initial={"due": homework.due}),
    }
    return private_page(request, "classes/homework", context)


def _quoted(titles: Iterable[str]) -> str:
    """As `“a” and “b”`, as HTML."""
    each = (format_html(_("“<bdi>{title}</bdi>”"), title=title) for title in titles)
    return mark_safe(together(each))  # noqa: S308 - each is escaped


@require_POST
def change_homework(request: Request, key: str, homework_key: str) -> HttpResponse:
    """Postpone homework, delete or restore it, or remind pupils, by the pressed button."""
    homework = homework_in(coach_of(request.visit, key), homework_key)
    left = [row.assignment for row in _rows(homework) if not row.finished and not row.member.left]
    reminded = ngettext("{count} pupil reminded.", "{count} pupils reminded.", len(left))
    works: Works = {
        "postpone": (
            lambda: _postpone(homework, DueForm(request.POST)),
            _("The due date has changed."),
        ),
        "delete": (lambda: given.delete(homework), _("Deleted. You can restore it here.")),
        "restore": (lambda: given.restore(homework), _("It is homework again.")),
        "remind": (
            lambda: given.remind(homework, left, request.user),
            reminded.format(count=len(left)),
        ),
    }
    do(request, works)
    return redirect("replays:homework", key, homework_key)


def _postpone(homework: Homework, form: DueForm) -> None:
    if not form.is_valid():
        raise ClassError(str(form.errors["due"][0]))
    given.postpone(homework, form.cleaned_data["due"])


def _rows(homework: Homework) -> list[Progress]:
    return not_come_first(progress_of(given.assignments_in([homework])))


@require_safe
def homework_csv(request: Request, key: str, homework_key: str = "") -> HttpResponse:
    """Everything that is known of homework, or of all homework of a class."""
    coach = coach_of(request.visit, key)
    if homework_key:
        name, rows = "homework.csv", _rows(homework_in(coach, homework_key))
    else:
        every = given.assignments_in(given.living_homework(coach.school_class))
        name, rows = "class.csv", by_homework(progress_of(every))
    return csv_download(name, COLUMNS, (line for row in rows for line in csv_lines(row)))


# --- On every page ------------------------------------------------------------------------------


def homework_due(request: Request) -> dict[str, Any]:
    """For templates: `due`, the visitor's homework that is to be done, and `calls`."""
    account = request.visit.visitor.account if hasattr(request, "visit") else None
    return {
        "due": SimpleLazyObject(lambda: open_homework(account)),
        "calls": SimpleLazyObject(lambda: calls(request.visit)),
    }


def calls(visit: Visit) -> list[tuple[str, Review, str]]:
    """The review to which each of their classes is called now, with the name of the class and its
    own. Of several, as when a coach forgot to end one, the latest."""
    since, names = timezone.now() - CALLED, visit.classes
    going = Review.objects.filter(enterable(visit.visitor), ended=False, changed__gt=since)
    called: dict[str, Review] = {}
    for review in listed(visit.visitor, going.order_by("-changed")[:MOST_CALLS]):
        called.setdefault(review.school_class, review)
    return [(names[one.school_class], one, title) for one, title in named(called.values(), names)]


def open_homework(account: int | None) -> list[tuple[Progress, str]]:
    """What an account has to do, and its state in words: what is due first first."""
    if account is None:
        return []
    rows = progress_of(given.assignments_of(account))
    todo = [row for row in rows if row.finished is None and not row.gone]
    names = told_apart(row.homework.school_class for row in todo)
    for row in todo:
        row.homework.school_class.name = names[row.homework.school_class.key]
    return [(row, state_words(row)) for row in todo]
