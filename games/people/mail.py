"""Mail to people: only to confirmed addresses, rarely, and never while a page waits.

The only mail sent to an unconfirmed address is the one asking to confirm it. An address gets at
most one mail of each kind per hour, however many accounts have it or request it.
"""

import logging
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from hashlib import sha256
from typing import Final

from django.contrib.auth import get_user_model
from django.core import signing
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.models import Account, MailSent

AUTO: Final = "Auto-Submitted"
PAUSE: Final = timedelta(hours=1)
CONFIRM: Final = "confirm"
RESET: Final = "reset"
CHANGED: Final = "changed"
NEWS: Final = "news"
HOLDS: Final = timedelta(days=3)
"""How long the link in a mail is valid."""
_SALT: Final = "games.people.mail"
_post: Final = ThreadPoolExecutor(1, "mail")
log: Final = logging.getLogger(__name__)


def may_send(kind: str, address: str) -> bool:
    """Whether that address may get a mail of that kind now. If so, it counts as sent."""
    now = timezone.now()
    text = f"{kind}|{address.casefold()}"
    key = {"address": sha256(text.encode(errors="replace")).hexdigest()}
    if MailSent.objects.filter(**key, at__lt=now - PAUSE).update(at=now):
        return True
    try:
        with transaction.atomic():
            MailSent.objects.create(**key, at=now)
    except IntegrityError:
        return False
    return True


def send(message: EmailMessage) -> None:
    """Send a mail in the background. Errors of the mail server are logged.

    Its header keeps programs that answer while people are away from answering.
    """
    message.extra_headers.setdefault(AUTO, "auto-generated")
    _post.submit(_send, message)


def _send(message: EmailMessage) -> None:
    try:
        message.send()
    except Exception:
        log.exception("a mail was not sent")


def settle() -> None:
    """Wait until every queued mail is sent or has failed."""
    _post.submit(lambda: None).result()


# Confirming an address


def token_for(user: int, address: str) -> str:
    """The content of the link that confirms an address."""
    return signing.dumps([user, address], salt=_SALT)


def asked_by(token: str) -> tuple[int, str] | None:
    """The account and address of a link, if it is valid and the account still has that address."""
    try:
        user, address = signing.loads(token, salt=_SALT, max_age=HOLDS)
    except signing.BadSignature:
        return None
    there = get_user_model().objects.filter(pk=user, email=address).exists()
    return (user, address) if there else None


def confirm(user: int, address: str) -> None:
    """Record that the address's owner wants mail from that account."""
    Account.objects.update_or_create(user_id=user, defaults={"address": address})


def confirmed(user: int, address: str) -> bool:
    """Whether mail from that account may go to that address.

    A superuser's was given on the server itself.
    """
    known = Account.objects.filter(user=user, address=address)
    given = get_user_model().objects.filter(pk=user, email=address, is_superuser=True)
    return bool(address) and (known.exists() or given.exists())


def forget_mails() -> None:
    """Delete records of mail that no longer limit anything."""
    MailSent.objects.filter(at__lt=timezone.now() - PAUSE).delete()
