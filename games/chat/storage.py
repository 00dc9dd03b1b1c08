"""The chats of matches and reviews in the database."""

from collections.abc import Mapping
from datetime import timedelta
from functools import reduce
from operator import or_
from typing import Final

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
"""And everyone together in one room."""


def news(known: Mapping[str, int]) -> list[PostedLine]:
    """Later lines of these rooms, and removed ones among the last `BACKLOG` known, in order."""
    recent = (
        Q(room=room) & (Q(n__gt=n) | Q(n__gt=n - BACKLOG, hidden=True)) for room, n in known.items()
    )
    rows = ChatLine.objects.filter(reduce(or_, recent)).order_by("-pk")
    return [_posted(line) for line in reversed(rows[: BACKLOG * len(known)])]


def _posted(line: ChatLine) -> PostedLine:
    person = decode(line.person)
    account = int(person.key) if person and person.kind is Kind.ACCOUNT else None
    text = "" if line.hidden else line.text
    at = f"{line.created:%Y-%m-%dT%H:%M:%SZ}"
    return PostedLine(line.room, line.n, line.name, account, text, at, line.about)


def add(match: str, writer: Visitor, text: str) -> str:
    """Store a spectator's line. Returns why it was refused, or an empty text."""
    table = LiveTable.objects.filter(record_id=match).first()
    if table is None or not rights(writer, from_json(table.plan).access).chat:
        return "chat-off"
    return add_to(match, writer, text)


def add_to(room: str, writer: Visitor, text: str, about: int = 0) -> str:
    """Store a line of someone who may be in that room. Returns why it was refused, or nothing.

    A number is available to the next writer only once the previous line is committed, so reading by
    number misses none.
    """
    persons = [encode(person) for person in writer.persons]
    if ChatMute.objects.filter(room__in=("", room), person__in=persons).exists():
        return "muted"
    own, together = (
        ChatLine.objects.filter(person=encode(writer.person)),
        ChatLine.objects.filter(room=room),
    )
    if _at_limit(own, EACH) or _at_limit(together, TOGETHER):
        return "too-often"
    return "" if any(_append(room, writer, text, about) for _ in range(TRIES)) else "too-often"


def _at_limit(lines: QuerySet[ChatLine], limit: tuple[int, int]) -> bool:
    most, seconds = limit
    since = timezone.now() - timedelta(seconds=seconds)
    return lines.filter(created__gt=since).count() >= most


def _append(room: str, writer: Visitor, text: str, about: int) -> bool:
    lines = ChatLine.objects.filter(room=room).order_by("-n")
    n = (lines.values_list("n", flat=True).first() or 0) + 1
    who = {"person": encode(writer.person), "name": writer.name}
    try:
        with transaction.atomic():
            ChatLine.objects.create(room=room, n=n, text=text, about=about, **who)
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


def report(room: str, reporter: Visitor, n: int) -> None:
    """Report a line to the moderators. Repeating it changes nothing."""
    line = ChatLine.objects.filter(room=room, n=n).first()
    if line is not None:
        name = {"name": reporter.name}
        person = encode(reporter.person)
        ChatComplaint.objects.get_or_create(line=line, person=person, defaults=name)
