"""Tables for programs: list, open, look at, join (docs/reference/api.md).

A program has no session: its rights come from a seat's token, which it receives once, when it
sits down. So cookies are ignored, and no other site can make a browser request anything here.
"""

from dataclasses import asdict, replace
from http import HTTPStatus
from secrets import compare_digest, token_urlsafe
from typing import Annotated, Any, Final, Literal, NamedTuple, NotRequired

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from ninja import Router, Status
from pydantic import Field
from typing_extensions import TypedDict

from games.bots.roster import bot_spec
from games.engine.cards import SEATS
from games.engine.editions import DEFAULT_EDITION
from games.models import LiveTable
from games.pages.forms import free_name
from games.pages.operations import RequestBody, let_bodies_have, secret_of
from games.pages.problems import Refused
from games.people import embargoes
from games.people.addresses import network_hash
from games.people.bots import bot_named
from games.people.names import MARK, is_marked
from games.people.person import Person, bearer
from games.people.rights import rights
from games.people.visit import Request
from games.people.visitor import STRANGER, Visitor, holder
from games.records import shape
from games.records.strict import Malformed
from games.tables import joining, lobby, opening
from games.tables.lobby import TableSummary
from games.tables.plan import IDLE_MS, NoSeatError, Plan, from_json

MAX_BYTES: Final = 4_096
MAX_NAME: Final = 24
_ONE_SEAT: Final[dict[str, Any]] = {"security": [{}, {"seat": []}]}
_NO_TABLE: Final = gettext_lazy("no such table")
_ANYBODY: Final[dict[str, Any]] = {"security": [{}]}

router = Router(tags=["tables"])
for _name_of_operation in ("tables", "join"):
    let_bodies_have(_name_of_operation, MAX_BYTES)


class SeatJson(TypedDict):
    """A seat. The name and kind are null while it is free."""

    name: str | None
    kind: str | None


class TableJson(TypedDict):
    """A table. `log` and `record` are paths on this site once cards have been dealt."""

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
    number: int | None
    """Of its match, once cards have been dealt."""
    log: str | None
    record: str | None


class Tables(TypedDict):
    """The public tables with free seats, and those being played. 24 of each at most."""

    waiting: list[TableJson]
    playing: list[TableJson]


class Seated(TypedDict):
    """The seat of a program that has sat down. The token is never shown again."""

    id: str
    seat: int
    token: NotRequired[str]
    """The seat's. A bot that comes with its account's token needs no other."""
    socket: str
    key: NotRequired[str]
    """The key of an invite-only table."""


Name = Annotated[str, Field(max_length=MAX_NAME)]
Text = Annotated[str, Field(max_length=64)]
Plays = Literal["program", "person"]
"""The player with the seat's token. A program is a bot in records, ratings and on the screen."""


class OpenTable(RequestBody):
    """A new table. The program sits in its first seat, and bots in the next ones."""

    name: Name = ""
    plays: Plays = "program"
    edition: Text = DEFAULT_EDITION
    seats: Annotated[int, Field(ge=2, le=SEATS)] | None = None
    bots: list[Text] = []
    rules: dict[str, Any] = {}
    private: bool = False
    bot_after_ms: Annotated[int, Field(ge=0, le=IDLE_MS[1])] | None = None


class Join(RequestBody):
    """The player who sits down, the seat, and the key if the table is invite-only."""

    name: Name = ""
    """Needed by a program without an account."""
    plays: Plays = "program"
    seat: Annotated[int, Field(ge=0, lt=SEATS)] | None = None
    key: Text | None = None


@router.get("/tables", url_name="tables", response=Tables, openapi_extra=_ANYBODY)
def list_tables(request: Request) -> Tables:
    """The public tables with free seats, and those being played."""
    return {
        "waiting": list(map(_table_json, lobby.waiting())),
        "playing": [] if request.visit.closed() else list(map(_table_json, lobby.playing())),
    }


@router.post("/tables", url_name="tables", response={201: Seated}, openapi_extra=_ANYBODY)
def open_table(request: Request, asked: OpenTable) -> Status[Seated]:
    """Open a table and sit in its first seat."""
    who = _player_of(request, asked)
    plan = _plan_for(asked)
    plan = replace(plan, id=secret_of(request, "id", 9) or plan.id)
    bots = [bot_spec(spec) for spec in asked.bots]
    plan = opening.with_bots(plan.sit(who.person, who.name, 0, by_hand=_by_hand(asked)), bots)
    try:
        opening.open_table(
            plan,
            network_hash(request.visit.caller.network),
            program=not _has_program_token(request),
        )
    except IntegrityError:  # the same request has opened it
        plan = _plan_of(plan.id)
        if plan.seat_of(who.person) is None:
            raise Refused(_("this request opened a table whose seat has since been left")) from None
    return _seat_response(plan, who)


@router.get(
    "/tables/{slug:table_id}", url_name="table", response=TableJson, openapi_extra=_ONE_SEAT
)
def show_table(request: Request, table_id: str) -> TableJson:
    """A table: public ones for anyone, private ones for players with a seat there, by a token."""
    shown = _visible_table(table_id, _program(request))
    # Cookies give no rights here. They do show that a reader has a question to answer first.
    if embargoes.holds(table_id, request.visit.visitor.persons):
        raise LiveTable.DoesNotExist(_NO_TABLE)
    return _table_json(shown)


@router.post(
    "/tables/{slug:table_id}/join", url_name="join", response={201: Seated}, openapi_extra=_ANYBODY
)
def join_table(request: Request, table_id: str, asked: Join) -> Status[Seated]:
    """Sit down. The response contains the seat's token, which is never shown again."""
    who = _player_of(request, asked)
    _visible_table(table_id, who.visitor.showing(asked.key or ""))
    try:
        plan = joining.sit(table_id, who.person, who.name, asked.seat, by_hand=_by_hand(asked))
    except NoSeatError:
        plan = _plan_of(table_id)
        if plan.seat_of(who.person) is None:
            raise
    return _seat_response(plan, who)


@router.post(
    "/tables/{slug:table_id}/leave", url_name="leave", response=TableJson, openapi_extra=_ONE_SEAT
)
def leave_table(request: Request, table_id: str) -> TableJson:
    """Give up a seat before the first deal. A player of a match leaves on its socket."""
    seated = _program(request)
    shown = _visible_table(table_id, seated)
    mine = [person for person in seated.persons if shown.plan.seat_of(person) is not None]
    if not mine:
        raise Refused(_("you do not sit at this table"))
    joining.stand_up(table_id, mine[0])
    return _table_json(_visible_table(table_id, seated.showing(shown.plan.key)))


class _Who(NamedTuple):
    """The player who sits down: a bot's account, or a program that gets a token of its own."""

    person: Person
    name: str
    token: str = ""
    visitor: Visitor = STRANGER


def _player_of(request: Request, asked: OpenTable | Join) -> _Who:
    """Raises Malformed."""
    if request.visit.token:
        person, name = request.visit.player()
        return _Who(person, name, visitor=request.visit.visitor)
    if not asked.name:
        raise Malformed("name: missing")
    token = secret_of(request, "token", 24) or token_urlsafe(24)
    return _Who(bearer(token), _name_of(asked), token)


def _plan_for(asked: OpenTable) -> Plan:
    """The requested table, with free seats. Raises Malformed, RulesError, RosterError."""
    bots = len(asked.bots)
    seats = asked.seats or min(SEATS, max(2, 1 + bots))
    if bots >= seats:
        raise Malformed("bots: expected at most {most} beside the first seat", most=seats - 1)
    plan = opening.planned(asked.edition, seats, asked.rules, private=asked.private)
    waits = asked.bot_after_ms
    if waits and waits < IDLE_MS[0]:
        raise Malformed(
            "bot_after_ms: expected {least} to {most}, or 0, found {found}",
            least=IDLE_MS[0],
            most=IDLE_MS[1],
            found=waits,
        )
    return plan if waits is None else replace(plan, bot_after_ms=waits)


def _plan_of(table_id: str) -> Plan:
    """A table's plan now. Raises DoesNotExist."""
    return from_json(LiveTable.objects.get(record_id=table_id).plan)


def _has_program_token(request: Request) -> bool:
    """Whether the site has given this program a token to open many tables."""
    scheme, _blank, sent = request.headers.get("Authorization", "").partition(" ")
    known = settings.PROGRAM_TOKEN
    return bool(known) and scheme == "Bearer" and compare_digest(sent.encode(), known.encode())


def _by_hand(asked: OpenTable | Join) -> bool:
    return asked.plays == "person"


def _name_of(asked: OpenTable | Join) -> str:
    """The name as shown: a program's marked, a person's unique. Raises Malformed."""
    words = shape.one_line(asked.name, "name", MAX_NAME).strip()
    if not _by_hand(asked):
        words = words.removesuffix(MARK.strip()).strip()
        if is_marked(f"x {words}"):
            raise Malformed("name: leave out the mark of a bot, which the site adds")
        if bot_named(words):
            raise Malformed("name: that is a bot's account. Ask with its token")
        return shape.name_of_player(words + MARK, "name")
    try:
        return free_name(words)
    except ValidationError as error:
        raise Malformed("name: {value}", value=error.message) from None


def _program(request: Request) -> Visitor:
    """The visitor behind an account's token, or a seat's. Cookies don't count."""
    by_seat = holder(request.headers.get("Authorization", ""))
    return request.visit.visitor if request.visit.token else by_seat


def _visible_table(table_id: str, visitor: Visitor) -> TableSummary:
    """The table, if the visitor may see it. Raises DoesNotExist."""
    shown = lobby.table_of(table_id)
    if shown is None or not rights(visitor, shown.plan.access).enter:
        raise LiveTable.DoesNotExist(_NO_TABLE)
    return shown


def _seat_response(plan: Plan, who: _Who) -> Status[Seated]:
    seat = plan.seat_of(who.person)
    assert seat is not None
    said: Seated = {"id": plan.id, "seat": seat, "socket": socket_of(plan.id)}
    if who.token:
        said["token"] = who.token
    if plan.key:
        said["key"] = plan.key
    return Status(HTTPStatus.CREATED, said)


def socket_of(table: str) -> str:
    """Where a program plays at a table."""
    return f"/ws/bots/{table}/"


def _table_json(shown: TableSummary) -> TableJson:
    plan = shown.plan
    number = lobby.match_number(shown.id) if shown.begun else None
    return {
        "id": shown.id,
        "edition": plan.edition,
        "rules": asdict(plan.rules),
        "bot_after_ms": plan.bot_after_ms,
        "seats": [
            {"name": place.name or None, "kind": place.shown_kind or None} for place in plan.places
        ],
        "free": shown.free,
        "phase": shown.phase,
        "round": shown.round,
        "totals": list(shown.totals),
        "watching": shown.watching,
        "number": number,
        "log": None if number is None else reverse("api:log", args=[number]),
        "record": None if number is None else reverse("replays:record", args=[number]),
    }
