"""Who asks: a page, the API and a socket all know their visitor by this one value."""

from __future__ import annotations

from typing import Final, NamedTuple

from games.people.person import Kind, Person


class Visitor(NamedTuple):
    """Somebody who asks, and all that the request proves of them."""

    persons: tuple[Person, ...] = ()
    """Everybody that this is: an account comes before the guest of the same browser."""
    name: str = ""
    """What they are called; empty while they have not said."""
    keys: frozenset[str] = frozenset()
    """The keys of matches by link that they have shown."""
    moderator: bool = False

    @property
    def person(self) -> Person | None:
        """As whom they sit down and write."""
        return self.persons[0] if self.persons else None

    @property
    def account(self) -> bool:
        """Whether they are logged in."""
        return self.person is not None and self.person.kind is Kind.ACCOUNT

    @property
    def named(self) -> bool:
        """Whether they can be answered for by name."""
        return bool(self.persons and self.name)

    def showing(self, key: str) -> Visitor:
        """With that key only, whatever their browser has kept."""
        return self._replace(keys=frozenset((key,)) if key else frozenset())


STRANGER: Final = Visitor()
"""Nothing is known of them."""
