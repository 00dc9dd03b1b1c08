"""Who is asking: pages, the API and sockets all use this one value."""

from __future__ import annotations

from typing import Final, NamedTuple

from games.people.person import Kind, Person


class Visitor(NamedTuple):
    """Somebody asking, and everything that the request proves about them."""

    persons: tuple[Person, ...] = ()
    """Every person this is: an account comes before the guest of the same browser."""
    name: str = ""
    """Their name; empty until they have given one."""
    keys: frozenset[str] = frozenset()
    """The keys of private matches that they have presented."""
    tokens: frozenset[str] = frozenset()
    """The tokens of what others share by link that they have opened."""
    moderator: bool = False

    @property
    def person(self) -> Person | None:
        """The person as whom they sit down and write."""
        return self.persons[0] if self.persons else None

    @property
    def account(self) -> bool:
        """Whether they are logged in."""
        return self.person is not None and self.person.kind is Kind.ACCOUNT

    @property
    def account_key(self) -> str:
        """What identifies their account, whatever it is called; empty if they are not logged in."""
        return self.person.key if self.person and self.account else ""

    @property
    def named(self) -> bool:
        """Whether they have both an identity and a name."""
        return bool(self.persons and self.name)

    def showing(self, key: str) -> Visitor:
        """A copy with only that key, whatever the browser has stored."""
        return self._replace(keys=frozenset((key,)) if key else frozenset())


STRANGER: Final = Visitor()
"""A visitor about whom nothing is known."""
