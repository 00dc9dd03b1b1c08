"""Pages for playing: the home page, the lobby, a table."""

from dataclasses import replace
from http import HTTPStatus
from typing import Any, NamedTuple

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.bots.roster import TEMPERS, BotSpec
from games.engine.editions import DEFAULT_EDITION, EDITIONS
from games.engine.fitting import every_use
from games.pages.forms import LEVELS, NameForm, TableForm
from games.pages.invitations import MAX_INVITATION, invitation, invited, qr_of
from games.pages.problems import must_be_there
from games.pages.watching import goal_of, public_wall, seats_shown
from games.pages.words import reason
from games.people import door, embargoes
from games.people.addresses import network_hash
from games.people.classes import register
from games.people.guests import known_guest_name
from games.people.rights import Rights, rights
from games.people.visit import Request, Visit
from games.tables import joining, lobby, opening
from games.tables.guided import guided_plan
from games.tables.lobby import TableSummary
from games.tables.plan import ALL, EMPTY_MS, NoSeatError, Plan
from games.tables.seats import TooManySeatsError

QUICK_LEVEL = 2
FIRST_LEVEL = 1
"""The bots' level in a visitor's first match, for learning the game."""
_SEATED = ("seat_", "level_")
"""What an address may choose in the form for a new table."""
QUICK = "quick_level"
"""The session key for the level last played against bots alone."""


def home(request: Request) -> HttpResponse:
    if request.visit.closed():
        return render(request, "closed.html", {"why": door.MEMBERS})
    return render(request, "games/home.html", public_wall(1))


@require_safe
def play(request: Request) -> HttpResponse:
    return _lobby(request, NameForm(initial={"name": known_guest_name(request.session)}))


def _lobby(request: Request, name_form: NameForm, status: int = HTTPStatus.OK) -> HttpResponse:
    visitor = request.visit.visitor
    mine = lobby.mine(visitor.persons, visitor.classes)
    own = {table.id for table in mine}
    playing = () if request.visit.closed() else lobby.playing()
    context = {
        "waiting": [table for table in lobby.waiting() if table.id not in own],
        "playing": [table for table in playing if table.id not in own],
        "mine": mine,
        "name_form": name_form,
        "target": EDITIONS[DEFAULT_EDITION].target,
    }
    return render(request, "games/lobby.html", context, status=status)


@require_http_methods(["GET", "POST"])
def rename(request: Request) -> HttpResponse:
    if request.method != "POST":  # a refused name's page in another language
        return redirect("games:lobby")
    form = NameForm(request.POST)
    if not form.is_valid():
        return _lobby(request, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    request.visit.rename_guest(form.cleaned_data["name"])
    return redirect("games:lobby")


@require_POST
def quick(request: Request) -> HttpResponse:
    """Start at once against three bots: slow ones in a first match, then at the requested level."""
    first = QUICK not in request.session
    level = _quick_level(request)
    request.session[QUICK] = max(level, QUICK_LEVEL) if first else level
    plan = opening.planned(DEFAULT_EDITION, 4).sit(*request.visit.player(), beginner=first)
    bots = [BotSpec(temper, level) for temper in list(TEMPERS)[:3]]
    return _open(request, replace(opening.with_bots(plan, bots), adaptive=True))


@require_POST
def guided(request: Request) -> HttpResponse:
    """A first round with the rules told as they are needed: the one left, or a new one."""
    visit = request.visit
    left = next((one for one in lobby.mine(visit.visitor.persons) if one.plan.guided), None)
    if left is None:
        return _open(request, guided_plan(*visit.player()))
    visit.remember_key(left.id, left.plan.key)
    return redirect("games:table", left.id)


def _quick_level(request: Request) -> int:
    """The requested level, otherwise the last one."""
    usual = request.session.get(QUICK, FIRST_LEVEL)
    change = {"stronger": 1, "weaker": -1}.get(request.POST.get("change", ""), 0)
    return min(max(usual + change, LEVELS[0][0]), LEVELS[-1][0])


@require_http_methods(["GET", "POST"])
def new(request: Request) -> HttpResponse:
    asked = {key: value for key, value in request.GET.items() if key.startswith(_SEATED)}
    form = TableForm(request.POST or None, initial=asked, classes=request.visit.classes)
    if request.method == "POST" and form.is_valid():
        return _open(request, form.plan(*request.visit.player()))
    return render(request, "games/new.html", {"form": form})


def _open(request: Request, plan: Plan) -> HttpResponse:
    if request.visit.visitor.supervised and not (plan.school_class or plan.guided):
        plan = opening.against_bots_alone(plan, QUICK_LEVEL + 1)
    try:
        opening.open_table(plan, network_hash(request.visit.caller.network))
    except (TooManySeatsError, opening.TooManyTablesError) as error:
        messages.error(request, reason(error))
        return redirect("games:lobby")
    if plan.key:
        request.visit.remember_key(plan.id, plan.key)
    return redirect("games:table", plan.id)


@require_safe
def table(request: Request, table_id: str) -> HttpResponse:
    """A table: the visitor's own seat, or free seats. Otherwise a link to watch it."""
    try:
        shown, may = _table_or_404(request.visit, table_id)
    except Http404:
        match = lobby.past_match(table_id)
        if match is None or not request.visit.rights(match).enter:
            raise Http404(_("no such table")) from None
        return redirect("replays:replay", match.pk)
    if shown.plan.school_class and not shown.begun and not shown.people:
        return _seated_again(request, shown.plan.school_class)
    number = lobby.match_number(table_id)
    if number is not None and not may.play:
        return redirect("replays:replay", number)
    shown, called = _in_class(request.visit, shown)
    at_once = may.seat is not None and (shown.plan.guided or shown.plan.adaptive)
    page = {**_page(shown, may.seat, number), "called": called, "at_once": at_once}
    context = {
        "table": shown,
        "seat": may.seat,
        "page": page,
        "at_once": at_once,
        "keeps": may.keep,
        "guest_name": known_guest_name(request.session),
        **_inviting(request, shown, may.seat),
    }
    return render(request, "games/table.html", context)


def _in_class(visit: Visit, shown: TableSummary) -> tuple[TableSummary, dict[str, str]]:
    """The table under the names that the visitor's class uses, and these by the public names."""
    plan = shown.plan
    if plan.school_class not in visit.visitor.classes:
        return shown, {}
    people = register().called(plan.school_class)
    seated = lobby.under_names(shown, people)
    names = {
        place.name: own.name
        for place, own in zip(plan.places, seated.plan.places, strict=True)
        if place.name != own.name
    }
    # Before the deal, any member may still sit down while the page is open.
    called = {} if shown.begun else {one.username: one.name for one in people if one.here}
    return seated, called | names


@require_safe
def replay(request: Request, table_id: str) -> HttpResponse:
    _table_or_404(request.visit, table_id)
    number = must_be_there(lobby.match_number(table_id), _("nothing has been played here"))
    address, place = reverse("replays:replay", args=[number]), request.GET.urlencode()
    return redirect(f"{address}?{place}" if place else address)


def _seated_again(request: Request, school_class: str) -> HttpResponse:
    """From a table that a coach has emptied to the one at which its visitor sits now."""
    mine = lobby.mine(request.visit.visitor.persons)
    again = [own for own in mine if own.plan.school_class == school_class and not own.begun]
    if again:
        messages.info(request, _("Your coach has seated the class again. This is your new table."))
        return redirect("games:table", again[0].id)
    messages.info(
        request, _("Your coach has closed that table. You have no seat at another one yet.")
    )
    return redirect("games:lobby")


def _page(shown: TableSummary, seat: int | None, match: int | None) -> dict[str, Any]:
    """The data for the page's script. `match`: the one played there, once it has begun."""
    plan = shown.plan
    return {
        "id": shown.id,
        "seat": seat,
        "key": plan.key,
        "watching": plan.watching,
        "seats": seats_shown(plan),
        "uses": every_use(plan.rules),
        "rules": _times(plan, seat),
        "guided": plan.guided,
        "waits": plan.begins == ALL,
        "replay": reverse("games:replay", args=[shown.id]),
        "log": reverse("api:log", args=[match]) if match else "",
        "watch": reverse("games:table", args=[shown.id]),
        "table": reverse("games:table", args=["ID"]),
        "lobby": reverse("games:lobby"),
        "log_in": reverse("accounts:log_in"),
    }


def _times(plan: Plan, seat: int | None) -> dict[str, Any]:
    """The rules that the page needs. `gap_ms`: between two movements of that seat."""
    rules = plan.rules
    beginner = seat is not None and plan.places[seat].beginner
    return {
        "out": rules.out,
        **goal_of(plan),
        "gap_ms": rules.tie_window_ms if beginner else rules.one_hand_ms,
        "mistake_ms": rules.mistake_ms,
        "empty_minutes": EMPTY_MS // 60_000,
    }


def _inviting(request: Request, shown: TableSummary, seat: int | None) -> dict[str, Any]:
    """The link for friends, with a QR code for phones, while friends can still join."""
    plan = shown.plan
    if seat is None or plan.guided or shown.begun or not (shown.free or plan.key):
        return {}
    here = request.build_absolute_uri(reverse("games:table", args=[plan.id]))
    link = invitation(request, plan.id, plan.key) if plan.key else here
    return {"invitation": link, "qr": qr_of(link)}


@require_http_methods(["GET", "POST"])
def join(request: Request) -> HttpResponse:
    """Where an invitation leads. The page's script posts the part after the #."""
    if request.method == "POST":
        table_id, key, path = invited(request.POST.get("invitation", "")[:MAX_INVITATION])
        if not key or key != lobby.key_of(table_id):
            return render(request, "games/join.html", {"dead": True}, status=HTTPStatus.NOT_FOUND)
        request.visit.remember_key(table_id, key)
        return redirect(path) if path else redirect("games:table", table_id)
    return render(request, "games/join.html")


@require_POST
def sit(request: Request, table_id: str) -> HttpResponse:
    """Sit in the first free seat. A guest may give a name."""
    may = _table_or_404(request.visit, table_id)[1]
    if not may.sit and not may.play:
        raise PermissionDenied(_("this account may sit only at tables of its class"))
    fault = _take_name(request)
    if fault:
        messages.error(request, fault)
        return redirect("games:table", table_id)
    try:
        joining.sit(table_id, *request.visit.player())
    except (NoSeatError, TooManySeatsError) as error:
        messages.error(request, reason(error))
    return redirect("games:table", table_id)


def _take_name(request: Request) -> str:
    """Set a guest's name from the form. Returns why it was refused, if so."""
    name = request.POST.get("name", "").strip()
    if request.user.is_authenticated or name in ("", known_guest_name(request.session)):
        return ""
    form = NameForm({"name": name})
    if not form.is_valid():
        return str(form.errors["name"][0])
    request.visit.rename_guest(form.cleaned_data["name"])
    return ""


@require_POST
def stand_up(request: Request, table_id: str) -> HttpResponse:
    """Leave a table before its first deal."""
    shown, may = _table_or_404(request.visit, table_id)
    try:
        for person in may.visitor.persons:
            if shown.plan.seat_of(person) is not None:
                joining.stand_up(table_id, person)
    except NoSeatError as error:
        messages.error(request, reason(error))
    return redirect("games:lobby")


@require_POST
def fill(request: Request, table_id: str) -> HttpResponse:
    """Fill the free seats with bots. Only for those seated."""
    may = _table_or_404(request.visit, table_id)[1]
    if not may.play:
        raise Http404(_("not at this table"))
    try:
        joining.change(table_id, lambda plan: opening.bots_for(plan, QUICK_LEVEL + 1))
    except NoSeatError as error:
        messages.error(request, reason(error))
    return redirect("games:table", table_id)


@require_POST
def new_link(request: Request, table_id: str) -> HttpResponse:
    """Replace a private table's key. The old one no longer opens anything."""
    shown, may = _table_or_404(request.visit, table_id)
    if not shown.plan.key or not may.keep:
        raise Http404(_("not this viewer's table"))
    try:
        plan = joining.change(table_id, opening.with_new_key)
    except NoSeatError as error:
        messages.error(request, reason(error))
    else:
        request.visit.remember_key(table_id, plan.key)
        messages.success(request, _("There is a new link. The old one no longer works."))
    return redirect("games:table", table_id)


def _table_or_404(visit: Visit, table_id: str) -> tuple[TableSummary, Rights]:
    """The table, if this visitor may see it, and their rights there."""
    shown = must_be_there(lobby.table_of(table_id), _("no such table"))
    may = rights(visit.visitor, shown.plan.access)
    if not may.enter or embargoes.holds(table_id, may.visitor.persons):
        raise Http404(_("no such table"))
    return shown, may


class OwnTable(NamedTuple):
    address: str
    left: bool
    """Whether a bot plays there for the visitor."""


def own_table(request: Request) -> dict[str, Any]:
    """For templates: `own_table`, the visitor's table, or None on pages that show it."""
    return {"own_table": SimpleLazyObject(lambda: _own_table(request))}


def _own_table(request: Request) -> OwnTable | None:
    persons = request.visit.visitor.persons if hasattr(request, "visit") else ()
    for table in lobby.mine(persons, most=1):
        address = reverse("games:table", args=[table.id])
        if request.path not in (address, reverse("games:lobby"), reverse("replays:mine")):
            return OwnTable(address, table.left)
    return None
