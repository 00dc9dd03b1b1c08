"""Rate limits: how many requests a person and an address may make to costly views.

POST_LIMITS names views and how many POSTs each accepts within so many seconds. "" is for all others
together. GET_LIMITS does so for the few views that are costly to read. POST_LIMITS_AS names views
that share another one's count. Each account and each guest is counted, and each address, which may
be a whole class: it may ask ADDRESS_TIMES as often. So is each name used for logging in
(LOG_IN_LIMIT_BY_NAME), from any number of addresses. OUTCOME_LIMITS counts only forms with a
certain response: accounts that an address has made, and wrong passwords. Visitors who have followed
a class's link sign up beyond the first of these. Counts are kept for that time in the cache
`rate_limits`, shared by all processes through Redis. If Redis is unavailable or unused, they are in
this process (`local_rate_limits`). Requests over a limit get a page with status 429.
"""

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from hashlib import sha256
from http import HTTPStatus
from math import ceil
from typing import Any, Final, NamedTuple

from axes.models import AccessAttempt
from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.base import BaseCache
from django.db.models import Max
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

from games.pages.problems import Limit, for_program, problem
from games.people.addresses import for_log_ins
from games.people.classes import invites
from games.people.names import skeleton
from games.people.passwords import digest_under
from games.people.visit import Request

LOG_IN: Final = "accounts:log_in"
SIGN_UP: Final = "accounts:sign_up"
LONGEST_NAME: Final = 150
"""Django's own limit of an account's name."""
SAFE: Final = ("GET", "HEAD", "OPTIONS", "TRACE")


class RateLimitMiddleware(MiddlewareMixin):
    """Comes after authentication and CSRF, so that only requests a view would accept count."""

    def process_view(
        self,
        request: Request,
        _view: Callable[..., HttpResponseBase],
        _args: tuple[Any, ...],
        _kwargs: dict[str, Any],
    ) -> HttpResponse | None:
        """Count a request. Returns a page that says when to retry, if it is over a limit."""
        name = request.resolver_match.view_name if request.resolver_match else ""
        limit = _limit_of_get(name)
        if request.method not in SAFE:
            name = settings.POST_LIMITS_AS.get(name, name)
            name = name if name in settings.POST_LIMITS else ""
            limit = settings.POST_LIMITS[name]
        if limit is None:
            return None
        most, seconds = limit
        limits = [
            (f"{name}|{who}", most * times, seconds)
            for who, times in counted_clients(request, name)
        ]
        if name == LOG_IN:
            limits.append((f"{name}|{tried(request)}", *settings.LOG_IN_LIMIT_BY_NAME))
        left, (key, most, seconds) = max((over(*limit), limit) for limit in limits)
        left = left or _left_by_outcome(request, name)
        if not left:
            return None
        page = {"minutes": -(-left // 60)}
        if for_program(request.path):
            limited: Limit = {
                "key": f"{name}|{key.split('|')[1]}",
                "most": most,
                "seconds": seconds,
            }
            words = f"at most {most} in {seconds} s; nothing was done: ask again in {left} s"
            return problem(HTTPStatus.TOO_MANY_REQUESTS, words, left, limit=limited)
        response = render(request, "429.html", page, status=429)
        response["Retry-After"] = str(left)
        return response

    def process_response(self, request: Request, response: HttpResponseBase) -> HttpResponseBase:
        """Count a form by its response."""
        name = request.resolver_match.view_name if request.resolver_match else ""
        outcome = _outcome(request, name)
        if outcome and outcome.status == response.status_code:
            counted(outcome.key, outcome.seconds)
        return response


class _Outcome(NamedTuple):
    key: str
    status: int
    most: int
    seconds: int


def _outcome(request: Request, name: str) -> _Outcome | None:
    """The limit of forms to that view with a certain response. None: it has none."""
    name = settings.POST_LIMITS_AS.get(name, name)
    if request.method in SAFE or name not in settings.OUTCOME_LIMITS:
        return None
    return _Outcome(f"{name}|done|{request.visit.caller.network}", *settings.OUTCOME_LIMITS[name])


def _left_by_outcome(request: Request, name: str) -> int:
    """How many seconds to wait, since the address has had too many forms with that response."""
    outcome = _outcome(request, name)
    if outcome is None or (name == SIGN_UP and invites(request.session)):
        return 0
    try:
        return _left_after(caches["rate_limits"], outcome)
    except _away():
        return _left_after(caches["local_rate_limits"], outcome)


def _left_after(cache: BaseCache, outcome: _Outcome) -> int:
    if int(cache.get(outcome.key) or 0) < outcome.most:
        return 0
    return max(
        1, round(float(cache.get(f"{outcome.key}|since") or 0) + outcome.seconds - time.time())
    )


def _limit_of_get(name: str) -> tuple[int, int] | None:
    """How often a view may be read within how many seconds. None: no limit."""
    limit: tuple[int, int] | None = settings.GET_LIMITS.get(name)
    return limit


def over(key: str, most: int, seconds: int) -> int:
    """Count once more. Returns how many seconds to wait, 0 if within the limit."""
    count, left = counted(key, seconds)
    return left if count > most else 0


def counted(key: str, seconds: int) -> tuple[int, int]:
    """How many requests in the current period, and how many seconds of it are left."""
    try:
        return _count(caches["rate_limits"], key, seconds)
    except _away():
        return _count(caches["local_rate_limits"], key, seconds)


def _away() -> tuple[type[Exception], ...]:
    """The exceptions that mean Redis cannot be reached, if it is used."""
    if "Redis" not in settings.CACHES["rate_limits"]["BACKEND"]:
        return ()
    from redis.exceptions import RedisError

    return (RedisError,)


def _count(cache: BaseCache, key: str, seconds: int) -> tuple[int, int]:
    now = time.time()
    since = float(cache.get_or_set(f"{key}|since", now, seconds) or now)
    # Where the clock has gone back, the period would begin in the future.
    left = min(seconds, max(1, round(since + seconds - now)))
    if cache.add(key, 1, left):
        return 1, left
    try:
        return int(cache.incr(key)), left
    except ValueError:  # it has just expired
        return 1, left


def tried(request: Request) -> str:
    """The name in a log-in attempt, as a key without special characters.

    A new password begins a new count, as the page advises.
    """
    typed = request.POST.get("username", "")[:LONGEST_NAME]
    name = f"{skeleton(typed)}\0{digest_under(typed)}"
    return f"name|{sha256(name.encode(errors='replace')).hexdigest()}"


def counted_clients(request: Request, name: str) -> Iterator[tuple[str, int]]:
    """The clients to count a request for, each with a factor on the limit of that view."""
    caller = request.visit.caller
    times = settings.ADDRESS_TIMES
    yield f"address|{caller.network}", times.get(name, times[""])
    if caller.person:
        yield f"person|{caller.person}", 1


def locked(
    request: Request, _response: HttpResponse | None = None, credentials: Any = None
) -> HttpResponse:
    """The page after too many wrong passwords (AXES_LOCKOUT_CALLABLE)."""
    name = (credentials or {}).get("username")
    tries = AccessAttempt.objects.filter(username=name, ip_address=for_log_ins(request))
    last = tries.aggregate(last=Max("attempt_time"))["last"] or timezone.now()
    until = last + timedelta(hours=settings.AXES_COOLOFF_TIME)
    left = max(1, ceil((until - timezone.now()).total_seconds()))
    response = render(request, "registration/locked.html", {"minutes": -(-left // 60)}, status=429)
    response["Retry-After"] = str(left)
    return response
