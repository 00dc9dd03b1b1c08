"""Homework as a calendar: iCalendar text (RFC 5545), an entry for each day on which one is due."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from replays.models import Homework, HomeworkCalendar
from replays.models.sharing import new_key

_OCTETS: Final = 75
"""Of a line; longer ones go on in the next, after a space."""


class Entry(NamedTuple):
    """Homework in a calendar; `address`: its page."""

    homework: Homework
    done: bool
    address: str


def token_of(account: int) -> str:
    """What opens an account's calendar; empty: nothing does yet."""
    tokens = HomeworkCalendar.objects.filter(user=account).values_list("token", flat=True)
    return tokens.first() or ""


def open_anew(account: int) -> None:
    """Give an account's calendar a link; one that it had opens nothing any more."""
    HomeworkCalendar.objects.update_or_create(user_id=account, defaults={"token": new_key()})


def opened_by(token: str) -> int | None:
    """The account whose calendar this opens."""
    return HomeworkCalendar.objects.filter(token=token).values_list("user", flat=True).first()


def calendar(entries: Iterable[Entry], host: str, now: datetime) -> str:
    """The calendar's text; `host` makes the entries' names unique in the world."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Ratuki//Homework//EN"]
    lines += ["X-WR-CALNAME:Ratuki homework"]
    for entry in entries:
        lines += _event(entry, host, now)
    folded = (part for line in [*lines, "END:VCALENDAR"] for part in _folded(line))
    return "".join(f"{line}\r\n" for line in folded)


def _event(entry: Entry, host: str, now: datetime) -> list[str]:
    homework = entry.homework
    done = "Done: " if entry.done else ""
    said = f"{homework.words}\n{entry.address}".strip()
    return [
        "BEGIN:VEVENT",
        f"UID:{homework.key}@{host}",
        f"DTSTAMP:{now:%Y%m%dT%H%M%SZ}",
        f"DTSTART;VALUE=DATE:{homework.due:%Y%m%d}",
        f"DTEND;VALUE=DATE:{homework.due + timedelta(days=1):%Y%m%d}",
        f"SUMMARY:{_text(f'{done}{homework.title} ({homework.school_class.name})')}",
        f"DESCRIPTION:{_text(said)}",
        f"URL:{entry.address}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    ]


def _text(said: str) -> str:
    """A text as a value: its commas, semicolons, backslashes and ends of lines escaped."""
    plain = "\n".join(said.splitlines())
    return re.sub(r"([\\,;])", r"\\\1", plain).replace("\n", "\\n")


def _folded(line: str) -> Iterator[str]:
    """A line in parts of at most `_OCTETS` octets, none of which cuts a character."""
    part = ""
    for character in line:
        if len((part + character).encode()) > _OCTETS:
            yield part
            part = " "
        part += character
    yield part
