"""Which visitors may come, as the owner has set it in the admin.

Each process keeps the settings for `FRESH_S` seconds, so all follow a change within seconds.
Visitors with an account are never turned away.
"""

from time import monotonic
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.models import SiteSettings

FRESH_S: Final = 3.0
SIGN_UP: Final = "accounts:sign_up"
_ALWAYS_OPEN: Final = frozenset(("accounts", "admin"))
"""Namespaces whose pages are for logging in, or ask for an account themselves."""
MEMBERS: Final = _("This site is for its members. Log in to see it.")
NO_GUESTS: Final = _("You need an account to play and write here. Log in first.")
NO_SIGN_UP: Final = _("This site takes no new accounts.")
INVITE: Final = "games.add_signupinvitation"
"""The permission to invite, given in the admin."""


class Site(NamedTuple):
    """The owner's settings. The defaults are those of a site whose owner has set nothing."""

    name: str = "Ratuki"
    notice: str = ""
    contact: str = ""
    sign_up: str = SiteSettings.SignUp.OPEN
    members_only: bool = False
    guests: bool = True
    language: str = settings.LANGUAGE_CODE

    @property
    def restricts(self) -> bool:
        """Whether the door asks who is coming."""
        return self.members_only or not self.guests

    @property
    def by_invitation(self) -> bool:
        return self.sign_up == SiteSettings.SignUp.INVITATION

    @property
    def takes_accounts(self) -> bool:
        return self.sign_up != SiteSettings.SignUp.CLOSED


class TurnedAwayError(PermissionDenied):
    """The door is closed to this visitor. The message says why."""


class _Kept(NamedTuple):
    site: Site
    until: float


_kept: list[_Kept] = []


def learn(found: Site, seconds: float = FRESH_S) -> None:
    """Use these settings for so long."""
    _kept[:] = [_Kept(found, monotonic() + seconds)]


def forget() -> None:
    """Look them up again before they are used next."""
    learn(known(), 0)


def known() -> Site:
    """The settings as last seen here, without a query."""
    return _kept[0].site if _kept else Site()


def seems_open() -> bool:
    """Whether everyone may come, as last seen here, without a query."""
    return bool(_kept) and not known().restricts


def site() -> Site:
    """The settings now, or the last ones while the database is away. DatabaseError without any."""
    if not _kept or monotonic() >= _kept[0].until:
        try:
            learn(_read_settings())
        except DatabaseError:
            if not _kept:
                raise
            learn(known())
    return known()


def _read_settings() -> Site:
    row = SiteSettings.objects.first()
    if row is None:
        return Site()
    members_only = row.watching == SiteSettings.Watching.MEMBERS
    return Site(
        row.name, row.notice, row.contact, row.sign_up, members_only, row.guests, row.language
    )


def closed(view: str, *, reads: bool) -> str:
    """Why visitors without an account are turned away from a view. Empty if they are not."""
    now = site()
    if view == SIGN_UP:
        return "" if now.takes_accounts else str(NO_SIGN_UP)
    if view.partition(":")[0] in _ALWAYS_OPEN or view in settings.STRANGERS_MAY:
        return ""
    plays = view in settings.GUESTS_PLAY
    writes = not reads and view not in settings.COMPUTE_ONLY
    if not now.guests and (writes or view in settings.PLAYED_BY_READING):
        return str(NO_GUESTS)
    return str(MEMBERS) if now.members_only and not (plays and now.guests) else ""


def may_make_accounts(user: Any) -> bool:
    """Whether an account may make others, for children: behind closed doors, those who invite."""
    return site().takes_accounts or bool(user.has_perm(INVITE))


def for_templates(_request: HttpRequest) -> dict[str, Site]:
    """`this_site`: what the owner has set. Django's own pages have a `site` of another kind."""
    return {"this_site": known()}
