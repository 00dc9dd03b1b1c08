"""Rooms above this one that store people's work: called when a guest gets an account, and daily.

Each module in the setting KEEPERS is a `Keeper`. Rows deleted with an account's row in the database
need no keeper.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, cast

from django.conf import settings
from django.db.models import Model, OuterRef
from django.db.models.expressions import Exists

from games.people.person import Person, encode


class Keeper(Protocol):
    """A module that stores people's work."""

    def work_of(self, guest: Person) -> list[str]:
        """A guest's work, in words such as "2 notes"."""

    def hand_over(self, guest: Person, account: Person) -> None:
        """Make it an account's."""

    def needing(self, account: Person) -> list[str]:
        """The things that only that account looks after, by name."""

    def forget(self, account: Person, name: str) -> None:
        """Delete what only an account that has just been deleted could reach, and its name."""

    def tidy(self, days: int) -> None:
        """Delete data that is no longer needed."""


def keepers() -> list[Keeper]:
    return [cast("Keeper", import_module(name)) for name in settings.KEEPERS]


def move(
    kind: type[Model], field: str, old: Person, new: Person, once: Sequence[str] = (), **more: int
) -> None:
    """Make one person's rows another's. If each may have `once` one only, the other's stay.

    `more`: other fields to set on the rows.
    """
    rows = kind._default_manager.filter(**{field: encode(old)})
    if once:
        same = {name: OuterRef(name) for name in once}
        theirs = kind._default_manager.filter(**{field: encode(new)}, **same)
        rows.filter(Exists(theirs)).delete()
    rows.update(**{field: encode(new)}, **more)
