"""The spectators' chat in the database (for `games.live.storage.store`)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from functools import reduce
from operator import or_
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.chat.values import BACKLOG, Written
from games.models import ChatLine, ChatMute, ChatReport, LiveTable
from games.people.person import Identity
from games.tables.plan import from_json

TRIES: Final = 5
GONE: Final = "deleted account"
EACH: Final = (5, 10)
"""How many lines a person may write within how many seconds, in all chats."""
TOGETHER: Final = (20, 5)
"""And all together at one table."""


def news(known: Mapping[str, int]) -> list[Written]:
    """What is new of these matches' chats: later lines, and those taken away shortly before."""
    ends = reduce(or_, (_after(match, n) for match, n in known.items()))
    rows = ChatLine.objects.filter(ends).select_related("table").order_by("-pk")
    return [_written(line) for line in reversed(rows[: BACKLOG * len(known)])]


def _after(match: str, n: int) -> Q:
    recent = Q(n__gt=n) | Q(n__gt=n - BACKLOG, hidden=True)
    return Q(table__record_id=match) & recent


def _written(line: ChatLine) -> Written:
    account = line.person.startswith("user:")
    text = "" if line.hidden else line.text
    at = f"{line.created:%Y-%m-%dT%H:%M:%SZ}"
    return Written(line.table.record_id, line.n, line.name, account, text, at)


def add(match: str, identity: Identity, text: str) -> str:
    """Store a line; why it may not be, or nothing. A number is free for the next writer only
    once the one before is committed, so whoever asks by number misses none."""
    table = LiveTable.objects.filter(record_id=match).first()
    if table is None or not may_chat(table, identity):
        return "chat-off"
    if ChatMute.objects.filter(Q(table=None) | Q(table=table), person=identity.person).exists():
        return "muted"
    if _too_often(ChatLine.objects.filter(person=identity.person), *EACH):
        return "too-often"
    if _too_often(table.chat.all(), *TOGETHER):
        return "too-often"
    return "" if any(_append(table, identity, text) for _ in range(TRIES)) else "too-often"


def may_chat(table: LiveTable, identity: Identity) -> bool:
    """Whether that person may chat at a table: it is wished there, and who plays has no part."""
    plan = from_json(table.plan)
    return plan.chat and plan.watching and plan.seat_of(identity.person) is None


def _too_often(lines: QuerySet[ChatLine], most: int, seconds: int) -> bool:
    since = timezone.now() - timedelta(seconds=seconds)
    return lines.filter(created__gt=since).count() >= most


def _append(table: LiveTable, identity: Identity, text: str) -> bool:
    last = table.chat.order_by("-n").values_list("n", flat=True).first() or 0
    try:
        with transaction.atomic():
            table.chat.create(n=last + 1, person=identity.person, name=identity.name, text=text)
    except IntegrityError:
        return False
    return True


@transaction.atomic
def forget(person: str) -> None:
    """Empty all lines of somebody whose account is deleted, as a moderator takes lines away.

    Their numbers stay, since listeners go by them. What was reported of these lines is settled;
    what the person has reported of others stays.
    """
    lines = ChatLine.objects.filter(person=person)
    ChatReport.objects.filter(line__in=lines).delete()
    lines.update(name=GONE, text="", hidden=True)
    ChatMute.objects.filter(person=person).delete()


def report(match: str, identity: Identity, n: int) -> None:
    """Tell the moderators of a line; a second time changes nothing."""
    line = ChatLine.objects.filter(table__record_id=match, n=n).first()
    if line is not None:
        ChatReport.objects.get_or_create(line=line, person=identity.person)
