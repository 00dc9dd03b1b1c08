"""Tokens with which an account's programs ask, in place of a session.

A token is shown once. Only its digest is stored. It allows its scopes, until its end.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from hashlib import sha256
from secrets import token_urlsafe
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import Token
from games.people import passwords

PREFIX: Final = "ratuki_"
"""Tells an account's token from a seat's."""
NOTHING: Final = "api:nothing"
"""The view of every address without an operation."""
READ, WRITE, PLAY = "read", "write", "play"
SCOPES: Final = {
    READ: _("Read what you may see"),
    WRITE: _("Write and change notes, studies and the rest"),
    PLAY: _("Play, challenge and accept challenges"),
}
_SAFE: Final = ("GET", "HEAD", "OPTIONS")
DAYS: Final = (30, 90, 365)
MAX_TOKENS: Final = 20
"""The most tokens of an account."""


def make(user: Any, name: str, scopes: Sequence[str], days: int) -> str:
    """A new token, which can't be looked up again."""
    Token.objects.filter(user=user.pk).exclude(password=passwords.digest(user)).delete()
    secret = PREFIX + token_urlsafe(32)
    until = timezone.now() + timedelta(days=days)
    said = {"name": name, "scopes": " ".join(scopes), "digest": _digest(secret), "until": until}
    Token.objects.create(user=user, password=passwords.digest(user), **said)
    return secret


def of(user: Any) -> QuerySet[Token]:
    """An account's tokens, the latest first. A new password has ended those from before."""
    return Token.objects.filter(user=user.pk, password=passwords.digest(user)).order_by("-pk")


def revoke(user: Any) -> None:
    """End all tokens of an account."""
    Token.objects.filter(user=user.pk).delete()


def secret_in(authorization: str) -> str:
    """The account's token in such a header. Empty if there is none."""
    scheme, _, secret = authorization.partition(" ")
    return secret if scheme.lower() == "bearer" and secret.startswith(PREFIX) else ""


def valid(secret: str) -> Token | None:
    """The token, unless it is unknown or has ended. One query, two on the first use of a day."""
    rows = Token.objects.select_related("user").exclude(user__account__supervised=True)
    now = timezone.now()
    token = rows.filter(digest=_digest(secret), until__gt=now, user__is_active=True).first()
    if token is None or token.password != passwords.digest(token.user):
        return None
    if token.used != now.date():
        with suppress(DatabaseError):  # it can be used where nothing can be stored
            Token.objects.filter(pk=token.pk).update(used=now.date())
    return token


def scopes_of(method: str, view: str) -> tuple[str, ...]:
    """The scopes of which a method of the view of that name needs one. None for no view."""
    if view == NOTHING:
        return ()
    asked = f"{'GET' if method == 'HEAD' else method} {view}"
    usual = READ if method in _SAFE or view in settings.COMPUTE_ONLY else WRITE
    if asked in settings.PLAY_OPERATIONS:
        return (PLAY,)
    return (usual, PLAY) if asked in settings.CHALLENGE_OPERATIONS else (usual,)


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
