"""Classes as an audience: asked of the module above this room that the setting CLASSES names."""

from __future__ import annotations

from importlib import import_module
from typing import Protocol, cast

from django.conf import settings


class Register(Protocol):
    """Who is in which class."""

    def classes_of(self, account: int) -> dict[str, str]:
        """The names of the classes that an account is in now, by key."""

    def classmates(self, account: int | None) -> set[int]:
        """The accounts that share a class with this one."""

    def table_opened(self, school_class: str, table_id: str, by: str, account: int | None) -> None:
        """Tell the class of that key that one of its accounts has opened a table for it."""


def register() -> Register:
    """The module that knows."""
    return cast("Register", import_module(settings.CLASSES))


def classes_of(account: int) -> dict[str, str]:
    """The names of the classes that an account is in now, by key. One query."""
    return register().classes_of(account)


def classmates(account: int | None) -> set[int]:
    """The accounts that share a class with this one. One query, none for nobody."""
    return register().classmates(account)
