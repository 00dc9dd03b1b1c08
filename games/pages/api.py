"""Tables for programs: list, open, look at, join (docs/protocol.md). JSON in and out.

A program has no session: its rights come from a seat's token, which it receives once, when it
sits down. So cookies are ignored, and no other site can make a browser request anything here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from http import HTTPStatus
from secrets import token_urlsafe
from typing import Any, Final, TypedDict

from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.bots.roster import BotSpec, bot_spec
from games.engine.cards import SEATS
from games.engine.editions import DEFAULT_EDITION
from games.models import LiveTable
from games.people import embargoes
from games.people.addresses import address_of, network
from games.people.person import bearer
from games.people.repeats import secret_of
from games.people.rights import rights
from games.people.sessions import visitor_of
from games.people.visitor import STRANGER, Visitor
from games.records import shape
from games.records.shape import Fields
from games.records.strict import Malformed, decode
from games.tables import joining, lobby, opening
from games.tables.lobby import TableSummary
from games.tables.plan import IDLE_MS, NoSeatError, Plan, from_json
from games.tables.seats import TooManySeatsError

MAX_BYTES: Final = 4_096
MAX_NAME: Final = 24
MARK: Final = " (bot)"
"""Suffix of every program's name, so that nobody takes it for a person."""


def _refusal(message: str, status: HTTPStatus) -> JsonResponse:
    return JsonResponse({"error": message}, status=status)


def _answering(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Report errors in a request as JSON."""

    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except LiveTable.DoesNotExist:
            return _refusal("no such table", HTTPStatus.NOT_FOUND)
        except opening.TooManyTablesError as error:
            refusal = _refusal(str(error), HTTPStatus.TOO_MANY_REQUESTS)
            refusal["Retry-After"] = "60"
            return refusal
        except (NoSeatError, TooManySeatsError) as error:
            return _refusal(str(error), HTTPStatus.CONFLICT)
        except ValueError as error:  # Malformed, RosterError and RulesError say what and where
            return _refusal(str(error), HTTPStatus.BAD_REQUEST)

    return answer


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@_answering
def tables(request: HttpRequest) -> HttpResponse:
    """GET: the public tables with free seats, and those being played. POST: open one."""
    if request.method == "POST":
        return _open(request)
    lists = {"waiting": lobby.waiting(), "playing": lobby.playing()}
    return JsonResponse({name: list(map(_shown, found)) for name, found in lists.items()})


@require_safe
@_answering
def table(request: HttpRequest, table_id: str) -> HttpResponse:
    """A table: public ones for anyone, private ones for holders of a token for one of its seats."""
    shown = _entered(table_id, _visitor(request))
    # Cookies give no rights here, but whoever has a question to answer first is known by them.
    if embargoes.holds(table_id, visitor_of(request).persons):
        raise LiveTable.DoesNotExist
    return JsonResponse(_shown(shown))


@csrf_exempt
@require_POST
@_answering
def join(request: HttpRequest, table_id: str) -> HttpResponse:
    """Sit down; the response contains the seat's token, which is never shown again."""
    fields = _fields(request)
    name = _name(fields)
    seat = shape.optional_whole(fields.get("seat"), "seat", 0, SEATS - 1)
    key = fields.get("key")
    fields.done()
    visitor = STRANGER.showing("" if key is None else shape.text(key, "key", 64))
    _entered(table_id, visitor)
    token = secret_of(request, "token", 24) or token_urlsafe(24)
    try:
        plan = joining.sit(table_id, bearer(token), name, seat)
    except NoSeatError:
        plan = _plan_of(table_id)
        if plan.seat_of(bearer(token)) is None:
            raise
    return _seated(plan, token)


def _open(request: HttpRequest) -> HttpResponse:
    """Open a table and sit in its first seat."""
    fields = _fields(request)
    name = _name(fields)
    edition = fields.get("edition")
    count = shape.optional_whole(fields.get("seats"), "seats", 2, SEATS)
    bots = _bots(fields.get("bots"))
    rules = fields.get("rules")
    private = fields.get("private")
    bot_after_ms = shape.optional_whole(fields.get("bot_after_ms"), "bot_after_ms", 0, IDLE_MS[1])
    fields.done()
    seats = count or min(SEATS, max(2, 1 + len(bots)))
    if len(bots) >= seats:
        raise Malformed(f"bots: expected at most {seats - 1} beside the first seat")
    plan = opening.planned(
        DEFAULT_EDITION if edition is None else shape.text(edition, "edition", 64),
        seats,
        _rules(rules),
        private=private is not None and shape.flag(private, "private"),
    )
    if bot_after_ms is not None:
        plan = replace(plan, bot_after_ms=bot_after_ms)
    plan = replace(plan, id=secret_of(request, "id", 9) or plan.id)
    token = secret_of(request, "token", 24) or token_urlsafe(24)
    plan = opening.with_bots(plan.sit(bearer(token), name, 0), bots)
    try:
        opening.open_table(plan, network(address_of(request)))
    except IntegrityError:  # the same request has opened it
        plan = _plan_of(plan.id)
        if plan.seat_of(bearer(token)) is None:
            raise NoSeatError("this request opened a table, and its seat was left") from None
    return _seated(plan, token)


def _plan_of(table_id: str) -> Plan:
    """A table's plan now. Raises DoesNotExist."""
    return from_json(LiveTable.objects.get(record_id=table_id).plan)


def _fields(request: HttpRequest) -> Fields:
    """The request's JSON object. Raises Malformed."""
    if int(request.headers.get("Content-Length") or 0) > MAX_BYTES:
        raise Malformed(f"request: expected at most {MAX_BYTES} bytes")
    return Fields(decode(request.body), "request")


def _name(fields: Fields) -> str:
    name = shape.one_line(fields.need("name"), "name", MAX_NAME)
    return shape.name_of_player(name.removesuffix(MARK.strip()).strip() + MARK, "name")


def _bots(value: Any) -> list[BotSpec]:
    if value is None:
        return []
    return [bot_spec(shape.text(one, "bots", 64)) for one in shape.listed(value, "bots")]


def _rules(value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if type(value) is not dict:
        raise Malformed("rules: expected an object of rules and their values")
    return value


def _visitor(request: HttpRequest) -> Visitor:
    """The holder of the token in the request's header, if any."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return Visitor((bearer(token),)) if scheme.lower() == "bearer" and token else STRANGER


def _entered(table_id: str, visitor: Visitor) -> TableSummary:
    """The table, if the visitor may see it. Raises DoesNotExist."""
    shown = lobby.table_of(table_id)
    if shown is None or not rights(visitor, shown.plan.access).enter:
        raise LiveTable.DoesNotExist
    return shown


def _seated(plan: Plan, token: str) -> JsonResponse:
    seat = plan.seat_of(bearer(token))
    fields = {"id": plan.id, "seat": seat, "token": token, "socket": f"/ws/bots/{plan.id}/"}
    fields |= {"key": plan.key} if plan.key else {}
    return JsonResponse(fields, status=HTTPStatus.CREATED)


class SeatJson(TypedDict):
    """A seat; the name and kind are null while it is free."""

    name: str | None
    kind: str | None


class TableJson(TypedDict):
    """A table; `log` and `record` are paths on this site once cards have been dealt."""

    id: str
    edition: str
    rules: dict[str, Any]
    """Every rule in force."""
    bot_after_ms: int
    seats: list[SeatJson]
    free: int
    phase: str
    round: int
    totals: list[int]
    watching: int
    log: str | None
    record: str | None


def _shown(shown: TableSummary) -> TableJson:
    plan = shown.plan
    number = lobby.match_number(shown.id) if shown.begun else None
    return {
        "id": shown.id,
        "edition": plan.edition,
        "rules": asdict(plan.rules),
        "bot_after_ms": plan.bot_after_ms,
        "seats": [
            {"name": place.name or None, "kind": place.kind or None} for place in plan.places
        ],
        "free": shown.free,
        "phase": shown.phase,
        "round": shown.round,
        "totals": list(shown.totals),
        "watching": shown.watching,
        "log": None if number is None else reverse("replays:log", args=[number]),
        "record": None if number is None else reverse("replays:record", args=[number]),
    }
