"""What a guest has played becomes an account's."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser
from django.contrib.sessions.backends.base import SessionBase

from games.models import Seat
from games.people.guests import known_guest_key
from games.tables.joining import hand_over


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
