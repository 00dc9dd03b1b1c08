"""How often one may ask for what costs: a limit on POSTs, by address and by user.

POST_LIMITS names views and how many POSTs of each are taken in so many seconds; "" stands for
all others together. POST_LIMITS_AS names views that are counted with another one. Each address and
each user has a count of its own, and each name that somebody tries to log in by
(LOG_IN_LIMIT_BY_NAME), from however many addresses. Counts are kept for that time in the
cache `rate_limits`: for all processes together, in Redis; where that is away or there is none, in
this process (`local_rate_limits`). Who is over it gets a page with status 429.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any, Final

from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.base import BaseCache
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from games.people.addresses import address_of, network

LOG_IN: Final = "accounts:log_in"
SAFE: Final = ("GET", "HEAD", "OPTIONS", "TRACE")


class RateLimitMiddleware(MiddlewareMixin):
    """Stands after authentication and CSRF, so that only what a view would take is counted."""

    def process_view(
        self,
        request: HttpRequest,
        _view: Callable[..., HttpResponseBase],
        _args: tuple[Any, ...],
        _kwargs: dict[str, Any],
    ) -> HttpResponse | None:
        """Count a POST; a page that says when to come back, if it is one too many."""
        if request.method in SAFE:
            return None
        name = request.resolver_match.view_name if request.resolver_match else ""
        name = settings.POST_LIMITS_AS.get(name, name)
        name = name if name in settings.POST_LIMITS else ""
        limit = settings.POST_LIMITS[name]
        lefts = [over(f"{name}|{who}", *limit) for who in counted_clients(request)]
        if name == LOG_IN:
            lefts.append(over(f"{name}|{tried(request)}", *settings.LOG_IN_LIMIT_BY_NAME))
        left = max(lefts)
        if not left:
            return None
        page = {"minutes": -(-left // 60)}
        response = render(request, "429.html", page, status=429)
        response["Retry-After"] = str(left)
        return response


def over(key: str, most: int, seconds: int) -> int:
    """Count once more; how many seconds to wait, if it is once too often."""
    count, left = counted(key, seconds)
    return left if count > most else 0


def counted(key: str, seconds: int) -> tuple[int, int]:
    """How often that was asked for since the first time, and how many seconds that still counts."""
    try:
        return _count(caches["rate_limits"], key, seconds)
    except _away():
        return _count(caches["local_rate_limits"], key, seconds)


def _away() -> tuple[type[Exception], ...]:
    """What says that Redis cannot be reached, where it is used."""
    if "Redis" not in settings.CACHES["rate_limits"]["BACKEND"]:
        return ()
    from redis.exceptions import RedisError

    return (RedisError,)


def _count(cache: BaseCache, key: str, seconds: int) -> tuple[int, int]:
    now = time.time()
    since = float(cache.get_or_set(f"{key}|since", now, seconds) or now)
    left = max(1, round(since + seconds - now))
    if cache.add(key, 1, left):
        return 1, left
    try:
        return int(cache.incr(key)), left
    except ValueError:  # it has just run out
        return 1, left


def tried(request: HttpRequest) -> str:
    """The name that somebody tries to log in by, as a key that holds no odd characters."""
    name = request.POST.get("username", "").casefold()
    return f"name|{sha256(name.encode(errors='replace')).hexdigest()}"


def counted_clients(request: HttpRequest) -> Iterator[str]:
    """Who asks: an address, and a user where there is one."""
    yield f"address|{network(address_of(request))}"
    if request.user.is_authenticated:
        yield f"user|{request.user.pk}"


def locked(
    request: HttpRequest, _response: HttpResponse | None = None, _credentials: Any = None
) -> HttpResponse:
    """The page for who has given a wrong password too often (AXES_LOCKOUT_CALLABLE)."""
    hours = settings.AXES_COOLOFF_TIME
    response = render(request, "registration/locked.html", status=429)
    response["Retry-After"] = str(hours * 3_600)
    return response
