"""Under which name somebody comes by a browser's session."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from types import SimpleNamespace
from typing import Any, Final, TypeVar, cast

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest

from games.people.guests import known_guest_key, known_guest_name
from games.people.person import Identity

THREADS: Final = 2
_pool: Final = ThreadPoolExecutor(THREADS, "sessions")
T = TypeVar("T")


async def in_own_thread(work: Callable[[str | None], T], session_key: str | None) -> T:
    """Ask the database about a session, where nobody's pages or commits have to wait for it."""
    ask = database_sync_to_async(work, thread_sensitive=False, executor=_pool)
    answer: T = await ask(session_key)
    return answer


def visitor(session_key: str) -> tuple[SessionBase, AbstractBaseUser | AnonymousUser]:
    """The session as it is now, and whose it is."""
    session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    return session, get_user(cast("HttpRequest", SimpleNamespace(session=session)))


async def identity_of(scope: dict[str, Any]) -> Identity | None:
    """Who is behind a connection, if there is a name. Raises DatabaseError."""
    return await in_own_thread(_identity, scope["session"].session_key)


def _identity(session_key: str | None) -> Identity | None:
    if not session_key:
        return None
    session, user = visitor(session_key)
    if user.is_authenticated:
        return Identity(f"user:{user.pk}", user.get_username(), account=True)
    key, name = known_guest_key(session), known_guest_name(session)
    return Identity(f"guest:{key}", name, account=False) if key and name else None
