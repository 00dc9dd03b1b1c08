"""One match of each kind and one visitor of each kind, for the matrix of rights.

In every match Ada has an account and seat 0, Bo is a guest in seat 1, seat 2 belongs to a
token, seat 3 is free before the deal and a bot's after it. Bo opened the tables.
"""

from dataclasses import replace
from importlib import import_module
from itertools import count
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import Permission, User

from games.engine.events import End
from games.live.host.leases import Lease
from games.live.host.requests import LogEntry, Step
from games.live.storage.commits import Commits
from games.models import LiveTable, Match
from games.people.person import account, bearer, guest
from games.people.visitor import Author
from games.records.log import Header
from games.records.log import Note as RecordNote
from games.tables import seats
from games.tables.plan import OPEN_DELAY_MS, Plan, new_plan
from games.tables.state import FINISHED, ROUND
from replays.models import Note
from replays.notes import notes
from replays.notes.audience import Sharing
from replays.reviews import storage as reviews
from replays.stored import reports
from tests.services import Site
from tests.web.records import played

KEY: Final = "the-key-of-all-matches-by-link"
TOKEN: Final = "the-token-of-the-seat-of-a-program"
KINDS: Final = ("public", "link", "quiet")
"""Listed; by link only; listed, without spectators. A fourth kind, `class`, has visitors of its own
(`tests.people.test_class_matrix`)."""
STAGES: Final = ("seating", "open", "over")
VISITORS: Final = (
    "stranger",
    "guest elsewhere",
    "account elsewhere",
    "holder of link",
    "guest who plays",
    "account who plays",
    "seat's token",
    "moderator",
)
_numbers = count(1)


def rows_for(given: dict[str, list[str]]) -> dict[str, list[str]]:
    """The cells of each visitor. A table names only those who get something else than others."""
    given = {
        f"{kind} who plays": given.get("who plays", []) for kind in ("guest", "account")
    } | given
    return {visitor: given.get(visitor) or given["others"] for visitor in VISITORS}


def plan_of(
    match: str, kind: str, ada: User, school_class: str = "", delay_ms: int = OPEN_DELAY_MS
) -> Plan:
    """A table of that kind with its people; `school_class`: the key of the class that it is for.

    `delay_ms`: how late open hands are shown.
    """
    plan = new_plan(match, "usaopoly-2009", 4, {"speedy": True})
    plan = plan.sit(account(ada.pk), "Ada").sit(guest("bo"), "Bo").sit(bearer(TOKEN), "Program")
    return replace(
        plan,
        maker=guest("bo"),
        key=KEY if kind == "link" else "",
        school_class=school_class,
        watching=kind != "quiet",
        open_delay_ms=delay_ms,
    )


def build(
    kind: str, stage: str, ada: User, school_class: str = "", delay_ms: int = OPEN_DELAY_MS
) -> tuple[str, int]:
    """A match of that kind at that stage: its table's id, and its number, 0 before the deal."""
    plan = plan_of(f"{kind}-{stage}-{next(_numbers)}", kind, ada, school_class, delay_ms)
    table = seats.create(plan, limited=False)
    if stage == "seating":
        return plan.id, 0
    lines = played(4, "usaopoly-2009", 1)
    assert isinstance(lines[0], Header)
    end = next(at for at, line in enumerate(lines) if isinstance(line, End))
    shown = lines[1:] if stage == "over" else lines[1:end]
    lease = Lease(table.pk, plan.id, 0)
    full = plan.seat_bot("taker", 3, "A bot")
    Commits().append(
        lease,
        full,
        1,
        Step(tuple(LogEntry(line) for line in shown), header=full.header("2026-11-21T10:00:00Z")),
    )
    LiveTable.objects.filter(pk=table.pk).update(
        over=stage == "over", phase=FINISHED if stage == "over" else ROUND
    )
    return plan.id, Match.objects.get(record_id=plan.id).pk


def analyse(match: int) -> None:
    """Store the report of a match, if it is over."""
    row = Match.objects.get(pk=match)
    if row.over:
        reports.make(row)


def note_on(match: int) -> str:
    """The key of a note for everybody by Bo, on the first line of play."""
    said = RecordNote(1, 1, text="Well seen.")
    author, sharing = Author("guest:bo", "Bo"), Sharing(Note.Visibility.EVERYONE)
    key = f"note-on-match-{match:08}"
    return notes.write(author, Match.objects.get(pk=match), said, sharing, key=key).key


def review_of(match: int) -> str:
    """The key of a review of a match, started by Eve."""
    return reviews.start(Match.objects.get(pk=match), Author("guest:eve", "Eve")).key


def people() -> dict[str, User]:
    """The accounts, by name; the moderator has no more than the permission to moderate."""
    users = {name: User.objects.create_user(name) for name in ("Ada", "Kim", "Mo")}
    users["Mo"].is_staff = True
    users["Mo"].save()
    users["Mo"].user_permissions.add(Permission.objects.get(codename="add_chatmute"))
    return dict(users)


def session_of(visitor: str, users: dict[str, User]) -> str:
    """The key of that visitor's session; empty for a visitor without one."""
    sessions: dict[str, dict[str, Any]] = {
        "guest elsewhere": {"guest": "eve", "guest_name": "Eve"},
        "account elsewhere": _logged_in(users["Kim"]),
        "holder of link": {"keys": {"any": KEY}},
        "guest who plays": {"guest": "bo", "guest_name": "Bo"},
        "account who plays": _logged_in(users["Ada"]),
        "moderator": _logged_in(users["Mo"]),
    }
    values = sessions.get(visitor)
    if not values:
        return ""
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session.update(values)
    session.save()
    return str(session.session_key)


def _logged_in(user: User) -> dict[str, str]:
    return {
        SESSION_KEY: str(user.pk),
        HASH_SESSION_KEY: user.get_session_auth_hash(),
        BACKEND_SESSION_KEY: "django.contrib.auth.backends.ModelBackend",
    }


def headers_of(site: Site, visitor: str, session: str) -> dict[str, str]:
    """What that visitor's browser, or program, sends."""
    cookie = {"Cookie": f"sessionid={session}"} if session else {}
    token = {"Authorization": f"Bearer {TOKEN}"} if visitor == "seat's token" else {}
    return {"Origin": site.url, **cookie, **token}
