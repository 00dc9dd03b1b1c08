"""Turning a guest's matches into an account's."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser
from django.contrib.sessions.backends.base import SessionBase

from games.models import Seat
from games.people.guests import guest_of
from games.people.person import account
from games.tables.joining import hand_over


def claimable(session: SessionBase) -> int:
    """How many seats of this session's guest no account owns yet."""
    guest = guest_of(session)
    return Seat.objects.filter(guest=guest.key, user=None).count() if guest else 0


def claim(user: AbstractBaseUser, session: SessionBase) -> int:
    """Give the guest's seats of this session, including those at tables, to an account; returns how
    many matches they were.
    """
    guest = guest_of(session)
    if guest is None:
        return 0
    hand_over(guest, account(user.pk), user.get_username())
    return Seat.objects.filter(guest=guest.key, user=None).update(user=user)
