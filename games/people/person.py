"""A person's identity, as a value. Nothing else in the program knows how a person is stored.

In the database, in plans and between processes a person is the text `user:7`, `guest:<key>` or
`token:<hash>`. No person is the empty text. `encode` and `decode` are the only conversions.
"""

from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple


class Kind(StrEnum):
    """How the site knows a person. The values are stored."""

    ACCOUNT = "user"
    GUEST = "guest"
    """A browser without an account, identified by the secret in its session."""
    TOKEN = "token"  # noqa: S105 - a kind, no secret
    """A program with a seat's token. Only the token's hash is known here."""


class Person(NamedTuple):
    """One person: an account by its number, a guest by a secret, a program by a hash."""

    kind: Kind
    key: str


def account(pk: int) -> Person:
    return Person(Kind.ACCOUNT, str(pk))


def guest(key: str) -> Person:
    """The person whose session has this secret."""
    return Person(Kind.GUEST, key)


def bearer(token: str) -> Person:
    return Person(Kind.TOKEN, sha256(token.encode()).hexdigest())


def encode(person: Person | None) -> str:
    """The stored form. Empty without a person."""
    return f"{person.kind.value}:{person.key}" if person else ""


def decode(text: str) -> Person | None:
    """The person of a stored form, None for the empty one. Raises ValueError."""
    if not text:
        return None
    kind, _, key = text.partition(":")
    return Person(Kind(kind), key)
