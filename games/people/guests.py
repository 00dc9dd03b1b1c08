"""Guests: a viewer without an account is known by a secret in the own session."""

from __future__ import annotations

from secrets import randbelow, token_urlsafe

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.sessions.backends.base import SessionBase

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
