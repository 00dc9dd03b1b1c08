"""How large a class may be, what things in it may be called, and on which days work may be due.

A day counts until it is over everywhere on Earth: until noon of the next one in UTC. Nobody is late
on the day itself, wherever they are.
"""

from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine.message import Message
from games.pages.words import sentence
from games.people.names import is_marked
from games.records.shape import legible, one_line, without_marks
from games.records.strict import Malformed

MOST_MEMBERS: Final = 100
"""Coaches and pupils of a class."""
MOST_CLASSES: Final = 50
"""Classes that one account may be in."""
LONGEST_CLASS: Final = 100
LONGEST_NAME: Final = 60
LONGEST_GROUP: Final = 40
WEEK: Final = timedelta(days=7)
"""Until homework is due, unless its coach chooses another day."""
LAST_DAY: Final = timedelta(days=730)
"""How far ahead a day may be. A later one is a slip of the pen."""


class ClassError(ValueError):
    """Something that a class does not allow. The message, a sentence, says why."""


def one_name(text: str, most: int, kind: str) -> str:
    """A name on one line, without invisible characters. `kind`: its owner. Raises ClassError.

    Marks that come with pasted text, of the byte order or of direction, are taken out.
    """
    plain = " ".join(without_marks(text).split())
    if not plain:
        raise ClassError(_("Enter a name."))
    if len(plain) > most:
        raise ClassError(
            _("At most {most} characters, not {count}: {plain}…").format(
                most=most, count=len(plain), plain=plain[:20]
            )
        )
    try:
        return legible(one_line(plain, kind, most, Message("a name")), kind)
    except Malformed as error:
        raise ClassError(sentence(error)) from None


def name_of_member(text: str) -> str:
    """What a class calls one of its people. Raises ClassError."""
    name = one_name(text, LONGEST_NAME, _("A pupil"))
    if is_marked(name):
        raise ClassError(_("Only bots are marked as bots. Choose another name."))
    return name


def ends(day: date) -> datetime:
    """When a day is over everywhere."""
    return datetime.combine(day + timedelta(days=1), time(12), UTC)


def today() -> date:
    """The first day that is not over everywhere."""
    return (timezone.now() - timedelta(hours=12)).date()


def verify_day(day: date) -> None:
    """Raise ClassError unless homework can be due on that day."""
    if day < today():
        raise ClassError(_("That day is past. Choose today or later."))
    if day > today() + LAST_DAY:
        raise ClassError(_("That day is more than two years away."))
