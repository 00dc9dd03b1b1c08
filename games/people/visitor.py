"""The visitor, as plain values: as a visitor, as a reader, as an author."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from games.people.person import Kind, Person, bearer, encode


class Reader(NamedTuple):
    """A reader of other people's work: the stored persons, an account, opened links."""

    persons: Collection[str] = ()
    account: int | None = None
    tokens: Collection[str] = ()
    moderator: bool = False


class Author(NamedTuple):
    """An author, or a person who requests work: the stored person, the name, and any account."""

    person: str = ""
    """Empty for strangers."""
    name: str = ""
    user: Any = None


class Visitor(NamedTuple):
    """A visitor, and everything that the request proves about them."""

    persons: tuple[Person, ...] = ()
    """Every person this is: an account comes before the guest of the same browser."""
    name: str = ""
    """Their name. Empty until they have given one."""
    keys: frozenset[str] = frozenset()
    """The keys of private matches that they have presented."""
    tokens: frozenset[str] = frozenset()
    """The tokens of share links that they have opened."""
    moderator: bool = False
    classes: Collection[str] = ()
    """The keys of the classes that they are in now. May be lazy."""
    supervised: bool = False
    """Whether it is a child's account, made by a coach: no one outside the class meets it."""

    @property
    def person(self) -> Person | None:
        """The person as whom they sit down and write."""
        return self.persons[0] if self.persons else None

    @property
    def account(self) -> int | None:
        """Their account, if they are logged in."""
        person = self.person
        return int(person.key) if person is not None and person.kind is Kind.ACCOUNT else None

    @property
    def account_key(self) -> str:
        """Identifies their account, whatever its name. Empty if they are not logged in."""
        return str(self.account or "")

    @property
    def named(self) -> bool:
        """Whether they have both an identity and a name."""
        return bool(self.persons and self.name)

    @property
    def shown(self) -> bool:
        """Whether they may speak and be shown by name to everyone present."""
        return self.named and not self.supervised

    @property
    def reader(self) -> Reader:
        """The same person as a reader of other people's work."""
        persons = [encode(person) for person in self.persons]
        return Reader(persons, self.account, self.tokens, self.moderator)

    def showing(self, key: str) -> Visitor:
        """A copy with only that key, whatever the browser has stored."""
        return self._replace(keys=frozenset((key,)) if key else frozenset())


STRANGER: Final = Visitor()
"""A visitor about whom nothing is known."""


def holder(authorization: str) -> Visitor:
    """The holder of the seat's token in such a header, if any. Only its hash is ever stored."""
    scheme, _, token = authorization.partition(" ")
    known = scheme.lower() == "bearer" and 16 <= len(token) <= 128
    return Visitor((bearer(token),)) if known else STRANGER
