"""The spectators' chat in the database (for `games.live.storage.store`)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from functools import reduce
from operator import or_
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.chat.values import BACKLOG, PostedLine
from games.models import ChatComplaint, ChatLine, ChatMute, LiveTable
from games.people.person import Kind, Person, decode, encode
from games.people.rights import rights
from games.people.visitor import Visitor
from games.tables.plan import from_json

TRIES: Final = 5
GONE: Final = "deleted account"
EACH: Final = (5, 10)
"""How many lines one person may write within how many seconds, in all chats."""
TOGETHER: Final = (20, 5)
"""And everyone together at one table."""


def news(known: Mapping[str, int]) -> list[PostedLine]:
    """What is new in these chats (`newest`)."""
    rows = newest(ChatLine.objects.select_related("table"), "table__record_id", known)
    return [_written(line) for line in rows]


def newest(lines: QuerySet[Any], key: str, known: Mapping[str, int]) -> list[Any]:
    """Later lines of these chats, and removed ones among the last `BACKLOG` known, in order."""
    recent = (
        Q(**{key: chat}) & (Q(n__gt=n) | Q(n__gt=n - BACKLOG, hidden=True))
        for chat, n in known.items()
    )
    rows = lines.filter(reduce(or_, recent)).order_by("-pk")
    return list(reversed(rows[: BACKLOG * len(known)]))


def _written(line: ChatLine) -> PostedLine:
    person = decode(line.person)
    account = person is not None and person.kind is Kind.ACCOUNT
    return posted(line, line.table.record_id, line.name, account=account)


def posted(line: Any, chat: str, name: str, *, account: bool, about: int = 0) -> PostedLine:
    """A stored line, as its listeners get it."""
    text = "" if line.hidden else line.text
    at = f"{line.created:%Y-%m-%dT%H:%M:%SZ}"
    return PostedLine(chat, line.n, name, account, text, at, about)


def add(match: str, writer: Visitor, text: str) -> str:
    """Store a line; returns why it was refused, or an empty text. A number is available to the next
    writer only once the previous line is committed, so reading by number misses none.
    """
    table = LiveTable.objects.filter(record_id=match).first()
    if table is None or not rights(writer, from_json(table.plan).access).chat:
        return "chat-off"
    person = encode(writer.person)
    if _muted(writer, table):
        return "muted"
    if too_often(ChatLine.objects.filter(person=person), table.chat.all()):
        return "too-often"
    return "" if any(_append(table, writer, text) for _ in range(TRIES)) else "too-often"


def _muted(writer: Visitor, table: LiveTable) -> bool:
    """Whether any person behind the browser is muted: logging in is no way round."""
    persons = [encode(person) for person in writer.persons]
    return ChatMute.objects.filter(Q(table=None) | Q(table=table), person__in=persons).exists()


def too_often(own: QuerySet[Any], together: QuerySet[Any]) -> bool:
    """Whether a person, or everyone together in a chat, has just written as much as is allowed."""
    now = timezone.now()
    return any(
        lines.filter(created__gt=now - timedelta(seconds=seconds)).count() >= most
        for lines, (most, seconds) in ((own, EACH), (together, TOGETHER))
    )


def _append(table: LiveTable, writer: Visitor, text: str) -> bool:
    last = table.chat.order_by("-n").values_list("n", flat=True).first() or 0
    try:
        with transaction.atomic():
            table.chat.create(n=last + 1, person=encode(writer.person), name=writer.name, text=text)
    except IntegrityError:
        return False
    return True


@transaction.atomic
def forget(person: Person) -> None:
    """Empty all lines of a person whose account is deleted, as if a moderator had removed them.

    Their numbers stay, since listeners rely on them. Complaints about these lines are deleted,
    and those made by the person lose the name.
    """
    lines = ChatLine.objects.filter(person=encode(person))
    ChatComplaint.objects.filter(line__in=lines).delete()
    lines.update(name=GONE, text="", hidden=True)
    ChatComplaint.objects.filter(person=encode(person)).update(name=GONE)
    ChatMute.objects.filter(person=encode(person)).delete()


def report(match: str, reporter: Visitor, n: int) -> None:
    """Report a line to the moderators; repeating it changes nothing."""
    line = ChatLine.objects.filter(table__record_id=match, n=n).first()
    if line is not None:
        name = {"name": reporter.name}
        person = encode(reporter.person)
        ChatComplaint.objects.get_or_create(line=line, person=person, defaults=name)
