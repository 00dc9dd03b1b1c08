"""Pages of playing: the first page, the lobby, a table."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.bots.roster import TEMPERS, Sitter
from games.engine.editions import DEFAULT_EDITION
from games.engine.fitting import every_use
from games.pages.forms import NameForm, TableForm
from games.pages.watching import seats_of, wall_of
from games.people.guests import guest_key, known_guest_key, player_name, rename_guest
from games.tables import joining, lobby
from games.tables.lobby import Shown
from games.tables.plan import NoSeatError, Plan
from games.tables.seats import TooManyError

KEYS = "keys"
"""The session's dictionary of tables by link that this viewer may come to, with their keys."""
OPENED = "matches"
"""The session's list of matches by link that this viewer may look back at."""
QUICK_LEVEL = 2
MOST_KEYS = 50


def home(request: HttpRequest) -> HttpResponse:
    """The first page, with what is going on."""
    return render(request, "games/home.html", wall_of(1))


@require_safe
def play(request: HttpRequest) -> HttpResponse:
    """The lobby."""
    return _lobby(request, NameForm(initial={"name": _name(request)}))


def _lobby(request: HttpRequest, name_form: NameForm, status: int = HTTPStatus.OK) -> HttpResponse:
    context = {
        "waiting": lobby.waiting(),
        "playing": lobby.playing(),
        "mine": lobby.mine(persons(request)),
        "name_form": name_form,
    }
    return render(request, "games/lobby.html", context, status=status)


@require_POST
def rename(request: HttpRequest) -> HttpResponse:
    """A guest's name from now on."""
    form = NameForm(request.POST)
    if not form.is_valid():
        return _lobby(request, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    rename_guest(request.session, form.cleaned_data["name"])
    return redirect("games:lobby")


@require_POST
def quick(request: HttpRequest) -> HttpResponse:
    """Three bots, at once."""
    plan = joining.planned(DEFAULT_EDITION, 4).sit(person(request), _name(request))
    bots = [Sitter(temper, QUICK_LEVEL) for temper in list(TEMPERS)[:3]]
    return _open(request, joining.with_bots(plan, bots))


@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """A table of one's own."""
    form = TableForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        return _open(request, form.plan(person(request), _name(request)))
    return render(request, "games/new.html", {"form": form})


def _open(request: HttpRequest, plan: Plan) -> HttpResponse:
    try:
        joining.open_table(plan)
    except TooManyError as error:
        messages.error(request, str(error))
        return redirect("games:lobby")
    if plan.key:
        _remember_key(request, plan.id, plan.key)
    return redirect("games:table", plan.id)


@require_safe
def table(request: HttpRequest, table_id: str) -> HttpResponse:
    """A table: the own seat, or free seats to sit down in; else the way to watch it."""
    try:
        shown = _table_or_404(request, table_id)
    except Http404:
        return _to_past(request, table_id)
    seat = _own_seat(request, shown.plan)
    number = lobby.match_number(table_id)
    if number is not None and seat is None:
        return _to_replay(request, shown.plan.key, number)
    context = {
        "table": shown,
        "seat": seat,
        "page": _page(shown, seat),
        "keeps": shown.plan.keeper in persons(request),
        "invitation": _invitation(request, shown.plan) if shown.plan.key else "",
    }
    return render(request, "games/table.html", context)


@require_safe
def replay(request: HttpRequest, table_id: str) -> HttpResponse:
    """To the match that was, or is, played at a table."""
    shown = _table_or_404(request, table_id)
    number = lobby.match_number(table_id)
    if number is None:
        raise Http404("nothing has been played here")
    return _to_replay(request, shown.plan.key, number)


def _to_past(request: HttpRequest, table_id: str) -> HttpResponse:
    """To the match of a table that is forgotten by now."""
    number, key = lobby.past_match(table_id) or (None, "")
    if number is None or not _has_key(request, key):
        raise Http404("no such table")
    return _to_replay(request, key, number)


def _to_replay(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """To a match's page; who came to a match by its link may open it from now on."""
    opened = request.session.get(OPENED, [])
    if key and number not in opened:
        request.session[OPENED] = [*opened, number][-MOST_KEYS:]
    return redirect("replays:replay", number)


def _page(shown: Shown, seat: int | None) -> dict[str, Any]:
    """What the page's script needs to know."""
    plan = shown.plan
    return {
        "id": shown.id,
        "seat": seat,
        "key": plan.key,
        "watching": plan.watching,
        "seats": seats_of(plan),
        "uses": every_use(plan.rules),
        "rules": _times(plan, seat),
        "replay": reverse("games:replay", args=[shown.id]),
        "watch": reverse("games:table", args=[shown.id]),
        "table": reverse("games:table", args=["ID"]),
        "lobby": reverse("games:lobby"),
    }


def _times(plan: Plan, seat: int | None) -> dict[str, Any]:
    """What the page has to know of the rules; `gap_ms`: between two movements of that seat."""
    rules = plan.rules
    beginner = seat is not None and plan.places[seat].beginner
    return {
        "out": rules.out,
        "target": rules.target,
        "speedy": rules.speedy,
        "gap_ms": rules.tie_window_ms if beginner else rules.one_hand_ms,
        "mistake_ms": rules.mistake_ms,
    }


def _invitation(request: HttpRequest, plan: Plan) -> str:
    """The link for friends; its key stands behind the #, so no server's log ever has it."""
    return f"{request.build_absolute_uri(reverse('games:join'))}#{plan.id}.{plan.key}"


@require_http_methods(["GET", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    """Where an invitation leads; the page's script posts what stands behind the #."""
    if request.method == "POST":
        table_id, _, key = request.POST.get("invitation", "").replace("\0", "").partition(".")
        if not key or key != lobby.key_of(table_id):
            raise Http404("no such invitation")
        _remember_key(request, table_id, key)
        return redirect("games:table", table_id)
    return render(request, "games/join.html")


@require_POST
def sit(request: HttpRequest, table_id: str) -> HttpResponse:
    """Sit down in the first free seat."""
    _table_or_404(request, table_id)
    try:
        joining.sit(table_id, person(request), _name(request))
    except (NoSeatError, TooManyError) as error:
        messages.error(request, str(error))
    return redirect("games:table", table_id)


@require_POST
def stand_up(request: HttpRequest, table_id: str) -> HttpResponse:
    """Leave a table before its first deal."""
    shown = _table_or_404(request, table_id)
    mine = [one for one in persons(request) if shown.plan.seat_of(one) is not None]
    try:
        for one in mine:
            joining.stand_up(table_id, one)
    except NoSeatError as error:
        messages.error(request, str(error))
    return redirect("games:lobby")


@require_POST
def fill(request: HttpRequest, table_id: str) -> HttpResponse:
    """Let bots take the free seats; only who sits there may ask for it."""
    shown = _table_or_404(request, table_id)
    if _own_seat(request, shown.plan) is None:
        raise Http404("not at this table")
    try:
        joining.change(table_id, lambda plan: joining.bots_for(plan, QUICK_LEVEL + 1))
    except NoSeatError as error:
        messages.error(request, str(error))
    return redirect("games:table", table_id)


@require_POST
def new_link(request: HttpRequest, table_id: str) -> HttpResponse:
    """Another key for a table by link; what was opened by the old one is closed."""
    shown = _table_or_404(request, table_id)
    if not shown.plan.key or shown.plan.keeper not in persons(request):
        raise Http404("not this viewer's table")
    try:
        plan = joining.change(table_id, joining.with_new_key)
    except NoSeatError as error:
        messages.error(request, str(error))
    else:
        _remember_key(request, table_id, plan.key)
        messages.success(request, "There is a new link. The old one does not work any more.")
    return redirect("games:table", table_id)


# Who asks


def persons(request: HttpRequest) -> list[str]:
    """All that this viewer is at a table: the account, and the guest of this browser."""
    user = [f"user:{request.user.pk}"] if request.user.is_authenticated else []
    key = known_guest_key(request.session)
    return [*user, f"guest:{key}"] if key else user


def person(request: HttpRequest) -> str:
    """What this viewer sits down as."""
    if request.user.is_authenticated:
        return f"user:{request.user.pk}"
    return f"guest:{guest_key(request.session)}"


def _name(request: HttpRequest) -> str:
    return player_name(request.user, request.session)


def _own_seat(request: HttpRequest, plan: Plan) -> int | None:
    seats = (plan.seat_of(one) for one in persons(request))
    return next((seat for seat in seats if seat is not None), None)


def _table_or_404(request: HttpRequest, table_id: str) -> Shown:
    """The table, if this viewer may know of it."""
    shown = lobby.table_of(table_id)
    if shown is None:
        raise Http404("no such table")
    if not _has_key(request, shown.plan.key) and _own_seat(request, shown.plan) is None:
        raise Http404("no such table")
    return shown


def _has_key(request: HttpRequest, key: str) -> bool:
    """Whether this viewer was let in where that key opens; a rematch has the same one."""
    return not key or key in request.session.get(KEYS, {}).values()


def _remember_key(request: HttpRequest, table_id: str, key: str) -> None:
    keys = {**request.session.get(KEYS, {}), table_id: key}
    request.session[KEYS] = dict(list(keys.items())[-MOST_KEYS:])
