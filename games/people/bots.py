"""Accounts that are bots: once and for good, so that no one takes one for a person."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Account, Seat, Seated
from games.people.accounts import Named, accounts_named, looks_like_an_account
from games.people.names import MARK
from games.people.person import account, encode


class PlayedError(ValueError):
    """The account has played as a person. The message says so."""


def bots_among(accounts: Iterable[int]) -> set[int]:
    """Those of these accounts that are bots. One query."""
    return set(Account.objects.filter(user__in=accounts, bot=True).values_list("user", flat=True))


def is_bot(user: int) -> bool:
    return bool(bots_among([user]))


def bot_named(name: str) -> Named | None:
    """The bot of that name, with its mark or without."""
    found = accounts_named([name.removesuffix(MARK)]).get(name.removesuffix(MARK))
    return found if found is not None and is_bot(found.user) else None


@transaction.atomic
def become_bot(user: Any) -> None:
    """Make an account a bot. Raises PlayedError if it has ever sat at a table."""
    if user.is_staff:
        raise PlayedError(_("An account that looks after the site can't be a bot."))
    sits = Seated.objects.filter(person=encode(account(user.pk))).exists()
    if sits or Seat.objects.filter(user=user.pk).exists():
        raise PlayedError(_("You have played with this account. A bot needs a new one."))
    looks_like_an_account(user.get_username())  # creates the account's row
    Account.objects.filter(user=user.pk, supervised=False).update(bot=True)
