"""The one lookup of who is asking, from a browser's session: for pages, the API and sockets."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, TypeVar, cast

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest

from games.people.addresses import address_of, network
from games.people.guests import guest_of, keys_of, known_guest_name, tokens_of
from games.people.person import account, encode
from games.people.visitor import STRANGER, Visitor

MODERATE: Final = "games.add_chatmute"
"""The permission that makes somebody a moderator."""
THREADS: Final = 2
_pool: Final = ThreadPoolExecutor(THREADS, "sessions")
T = TypeVar("T")


def visitor_of(request: HttpRequest) -> Visitor:
    """The visitor who requests a page."""
    return _visitor(request.user, request.session)


class Asker(NamedTuple):
    """Who a limit counts: a person, and the network that a request came from."""

    person: str
    """An account, or a guest; empty for a browser that is neither."""
    network: str


def asker_of(request: HttpRequest) -> Asker:
    """Whom limits count a request for."""
    found = account(request.user.pk) if request.user.is_authenticated else guest_of(request.session)
    return Asker(encode(found), network(address_of(request)))


async def visitor_by_session(session_key: str | None) -> Visitor:
    """The visitor behind a session now. Raises DatabaseError."""
    return await in_own_thread(visitor_by_key, session_key)


async def in_own_thread(work: Callable[[str | None], T], session_key: str | None) -> T:
    """Query the database about a session, without delaying anyone's pages or commits."""
    ask = database_sync_to_async(work, thread_sensitive=False, executor=_pool)
    answer: T = await ask(session_key)
    return answer


def visitor_by_key(session_key: str | None) -> Visitor:
    """The visitor behind a session now."""
    if not session_key:
        return STRANGER
    session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    user = get_user(cast("HttpRequest", SimpleNamespace(session=session)))
    return _visitor(user, session)


def _visitor(user: AbstractBaseUser | AnonymousUser, session: SessionBase) -> Visitor:
    guest = guest_of(session)
    guests = (guest,) if guest else ()
    if not user.is_authenticated:
        return Visitor(guests, known_guest_name(session), keys_of(session), tokens_of(session))
    persons = (account(user.pk), *guests)
    return Visitor(
        persons, user.get_username(), keys_of(session), tokens_of(session), _moderates(user)
    )


def _moderates(user: Any) -> bool:
    """Whether an account is a moderator; for non-staff accounts this needs no query."""
    return bool(user.is_staff and user.has_perm(MODERATE))
