"""Guests: a viewer without an account is known by a secret in the own session."""

from __future__ import annotations

from secrets import randbelow, token_urlsafe

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.sessions.backends.base import SessionBase

from games.models import Seat
from games.tables import hand_over

_KEY = "guest"
_NAME = "guest_name"


def guest_key(session: SessionBase) -> str:
    """The session's guest secret, made when first asked for."""
    if _KEY not in session:
        session[_KEY] = token_urlsafe(16)
    return str(session[_KEY])


def known_guest_key(session: SessionBase) -> str:
    """The session's guest secret, or nothing where it never sat down as a guest."""
    return str(session.get(_KEY, ""))


def player_name(user: AbstractBaseUser | AnonymousUser, session: SessionBase) -> str:
    """What this viewer is called at the table: the account's name, or a guest's."""
    if user.is_authenticated:
        return user.get_username()
    if _NAME not in session:
        session[_NAME] = f"Guest {1000 + randbelow(9000)}"
    return str(session[_NAME])


def known_guest_name(session: SessionBase) -> str:
    """The name of a session's guest, or nothing where there is none yet."""
    return str(session.get(_NAME, ""))


def rename_guest(session: SessionBase, name: str) -> None:
    """Call this session's guest so from now on."""
    session[_NAME] = name


def claimable(session: SessionBase) -> int:
    """How many seats this session's guest has sat on that no account owns yet."""
    key = known_guest_key(session)
    return Seat.objects.filter(guest=key, user=None).count() if key else 0


def claim(user: AbstractBaseUser, session: SessionBase) -> int:
    """Give the guest's seats of this session to an account, those at tables too; how many
    matches they were."""
    key = known_guest_key(session)
    if not key:
        return 0
    hand_over(f"guest:{key}", f"user:{user.pk}", user.get_username())
    return Seat.objects.filter(guest=key, user=None).update(user=user)
