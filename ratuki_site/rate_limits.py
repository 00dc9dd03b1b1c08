"""How often one may ask for what costs: a limit on POSTs, by address and by user.

POST_LIMITS names views and how many POSTs of each are taken in so many seconds; "" stands for
all others together. Each address and each user has a count of its own, kept for that time in the
cache `paces`: for all processes together, in Redis; where that is away or there is none, in this
process (`alone`). Who is over it gets a page with status 429.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.base import BaseCache
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

SAFE: Final = ("GET", "HEAD", "OPTIONS", "TRACE")


class PaceMiddleware(MiddlewareMixin):
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
        name = name if name in settings.POST_LIMITS else ""
        most, seconds = settings.POST_LIMITS[name]
        counts = [counted(f"{name}|{who}", seconds) for who in askers(request)]
        left = max((left for count, left in counts if count > most), default=0)
        if not left:
            return None
        page = {"minutes": -(-left // 60)}
        response = render(request, "429.html", page, status=429)
        response["Retry-After"] = str(left)
        return response


def counted(key: str, seconds: int) -> tuple[int, int]:
    """How often that was asked for since the first time, and how many seconds that still counts."""
    try:
        return _count(caches["paces"], key, seconds)
    except _away():
        return _count(caches["alone"], key, seconds)


def _away() -> tuple[type[Exception], ...]:
    """What says that Redis cannot be reached, where it is used."""
    if "Redis" not in settings.CACHES["paces"]["BACKEND"]:
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


def askers(request: HttpRequest) -> Iterator[str]:
    """Who asks: an address, and a user where there is one."""
    yield f"address|{network(address_of(request))}"
    if request.user.is_authenticated:
        yield f"user|{request.user.pk}"


def address_of(request: HttpRequest) -> str:
    """The client's address, by our own proxy's word where there is one in front."""
    said = request.headers.get("X-Forwarded-For", "") if settings.SECURE_PROXY_SSL_HEADER else ""
    return said.rpartition(",")[2].strip() or request.META.get("REMOTE_ADDR", "")


def network(address: str) -> str:
    """The address; of IPv6 the first 64 bits, since one household has all of those."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(parsed, IPv6Address):
        mapped = parsed.ipv4_mapped
        return str(mapped) if mapped else parsed.exploded[:19]
    return str(parsed)
