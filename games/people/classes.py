"""Classes as an audience: asked of the module above this room that the setting CLASSES names."""

from collections.abc import Collection
from importlib import import_module
from typing import Final, NamedTuple, Protocol, cast

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase


class Called(NamedTuple):
    """An account, and its name in a class. `here`: it is still a member."""

    account: int
    username: str
    name: str
    here: bool


class Register(Protocol):
    """The members of classes."""

    def classes_of(self, account: int) -> dict[str, str]:
        """The names of the classes that an account is in now, by key."""

    def out_of_reach(self, accounts: Collection[int], by: int | None) -> set[int]:
        """The children's accounts among these that this account does not coach."""

    def called(self, school_class: str) -> list[Called]:
        """The names of members in the class of that key, and of former ones."""

    def invited_to(self, invitation: str) -> object | None:
        """The class that an invitation opens, if it opens one."""

    def table_opened(self, school_class: str, table_id: str, by: str, account: int | None) -> None:
        """Tell the class of that key that one of its accounts has opened a table for it."""


INVITATION: Final = "class_invitation"
"""The session's key for the invitation to a class that its visitor has followed last."""


def invites(session: SessionBase) -> bool:
    """Whether this browser has followed a class's link. Asked where sign-up is by invitation."""
    return register().invited_to(session.get(INVITATION, "")) is not None


def register() -> Register:
    """The module that looks up classes: the setting CLASSES."""
    return cast("Register", import_module(settings.CLASSES))


def classes_of(account: int) -> dict[str, str]:
    """The names of the classes that an account is in now, by key. One query."""
    return register().classes_of(account)


def out_of_reach(accounts: Collection[int], by: int | None) -> set[int]:
    """The children's accounts among these that this account does not coach.

    Only a coach writes to a child alone, or calls it. One query, two if there are children.
    """
    return register().out_of_reach(accounts, by)
