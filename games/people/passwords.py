"""What depends on an account's password and ends with it, whoever sets another one: its tokens,
failed log-ins, and a coach's right to take back an account that was handed over.

Each keeps the digest of the stored password. Nothing has to hear of a change.
"""

from hashlib import sha256
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from django.contrib.auth import get_user_model
from django.http import HttpRequest

from games.models import Account, Token
from games.people.accounts import accounts_named
from games.people.log_ins import forget_attempts


def digest(user: Any) -> str:
    """What the stored password of an account is known by. It says nothing about the password."""
    return sha256(user.password.encode()).hexdigest()


def digest_under(name: str) -> str:
    """The same, of the account that is called so. Empty without one."""
    found = accounts_named([name]).get(name)
    return digest(get_user_model().objects.get(pk=found.user)) if found else ""


def keep_code(user: Any) -> None:
    """Remember that the password of an account is the code that a coach gave."""
    Account.objects.filter(user=user.pk).update(code=digest(user))


def is_code(user: Any) -> bool:
    """Whether the password is still the code with which the account was handed over."""
    return Account.objects.filter(user=user.pk, code=digest(user)).exists()


def stored_anew(user: Any, before: str) -> None:
    """Follow the same password into another form: a log-in stores it as new ones are stored."""
    now = digest(user)
    Token.objects.filter(user=user.pk, password=before).update(password=now)
    Account.objects.filter(user=user.pk, code=before).update(code=now)
    Account.objects.filter(user=user.pk, failed=before).update(failed=now)


class FailedLogIns(AxesDatabaseHandler):
    """Counts failed log-ins (AXES_HANDLER), until a new password is set."""

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """How many there were with the password that the account has now."""
        name = (credentials or {}).get("username") or ""
        before = Account.objects.filter(user__username=name).exclude(failed="").first()
        if before is not None and before.failed != digest(before.user):
            forget_attempts(name)
            Account.objects.filter(pk=before.pk).update(failed="")
        count: int = super().get_failures(request, credentials)
        return count

    def user_login_failed(
        self,
        sender: Any,
        credentials: dict[str, Any],
        request: HttpRequest | None = None,
        **kwargs: Any,
    ) -> None:
        """Note the failure, and which password it was about."""
        super().user_login_failed(sender, credentials, request, **kwargs)
        name = credentials.get("username") or ""
        for user in get_user_model().objects.filter(username=name):
            Account.objects.filter(user=user.pk).update(failed=digest(user))
