"""How passwords are stored, and the browsers that are logged in to an account."""

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest

from games.models import LogIn
from games.people import languages
from games.people.names import skeleton

AT_ONCE: Final = 2
_turns: Final = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="passwords")
# The first that is found: most browsers name others, too.
_BROWSERS: Final = {"Firefox": "Firefox", "Edg": "Edge", "OPR": "Opera", "Chrome": "Chrome"}
_SYSTEMS: Final = ("Android", "iPhone", "iPad", "Windows", "Mac", "Linux")


def note(session: SessionBase, agent: str, user: Any) -> None:
    """Remember that this browser is logged in."""
    if not session.session_key:
        session.create()
    said = {"user_id": user.pk, "browser": named(agent)}
    LogIn.objects.update_or_create(session=session.session_key, defaults=said)


def named(agent: str) -> str:
    """A browser and its system from a user agent: "Firefox (Linux)"; empty or "(Linux)"."""
    browsers = {**_BROWSERS, "Safari": "Safari"}
    browser = next((browsers[name] for name in browsers if f"{name}/" in agent), "")
    system = next((name for name in _SYSTEMS if re.search(rf"\b{name}", agent)), "")
    return f"{browser} ({system})".strip() if system else browser


def of(user: Any) -> QuerySet[LogIn]:
    """An account's log-ins, the latest first."""
    there = Exists(Session.objects.filter(session_key=OuterRef("session")))
    return LogIn.objects.filter(there, user_id=user.pk).order_by("-since", "-pk")


@transaction.atomic
def end(user: Any, but: str | None = None) -> None:
    """End an account's sessions but one."""
    ended = LogIn.objects.filter(user_id=user.pk).exclude(session=but or "")
    Session.objects.filter(session_key__in=list(ended.values_list("session", flat=True))).delete()
    _delete(ended)


def forget(session: str | None) -> None:
    """Forget a session that logs out."""
    _delete(LogIn.objects.filter(session=session or ""))


def forget_attempts(name: str) -> None:
    """Delete the log of log-ins and attempts under a name, however it was typed."""
    looks = skeleton(name)
    for log in (AccessAttempt, AccessFailureLog, AccessLog):
        typed = set(log.objects.values_list("username", flat=True).distinct())
        same = [other for other in typed if other and skeleton(other) == looks]
        log.objects.filter(username__in=same).delete()


def forget_old() -> None:
    there = Exists(Session.objects.filter(session_key=OuterRef("session")))
    _delete(LogIn.objects.exclude(there))


@transaction.atomic
def _delete(rows: QuerySet[LogIn]) -> None:
    """Delete log-ins and the data attached to them. Code that attaches data locks these rows."""
    locked = rows.select_for_update().order_by("pk").values_list("pk", flat=True)
    LogIn.objects.filter(pk__in=list(locked)).delete()


def connect(logged_in: Any, logged_out: Any) -> None:
    """Hear of every log-in and log-out."""
    logged_in.connect(_logged_in)
    logged_out.connect(_logged_out)


def _logged_in(request: HttpRequest, user: Any, **_: Any) -> None:
    note(request.session, request.META.get("HTTP_USER_AGENT", ""), user)
    languages.logged_in(request, user.pk)


def _logged_out(request: HttpRequest, **_: Any) -> None:
    forget(request.session.session_key)


class Hasher(Argon2PasswordHasher):
    """Django's own, at the cost that OWASP advises: 0.04 CPU s, where Django's takes 0.32.

    A few at a time, in the order in which they come: a class that logs in at once must not wait,
    nor take the CPU from live matches.
    """

    time_cost, memory_cost, parallelism = 2, 19 * 1024, 1

    def encode(self, password: str, salt: str) -> str:
        return str(_turns.submit(super().encode, password, salt).result())

    def verify(self, password: str, encoded: str) -> bool:
        return bool(_turns.submit(super().verify, password, encoded).result())
