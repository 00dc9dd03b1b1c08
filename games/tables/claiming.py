"""Turning what a guest did and wrote into an account's."""

from django.contrib.auth.models import AbstractBaseUser
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.utils.translation import ngettext

from games.models import (
    Challenge,
    ChatComplaint,
    ChatLine,
    ChatMute,
    Embargo,
    MatchComplaint,
    Seat,
    Upload,
)
from games.people.bots import is_bot
from games.people.guests import guest_of
from games.people.keepers import keepers, move
from games.people.person import Person, account
from games.tables.joining import hand_over


def claimable(session: SessionBase) -> list[str]:
    """What this session's guest has that no account owns yet, in words such as "2 matches"."""
    guest = guest_of(session)
    return _belongings(guest) if guest else []


def _belongings(guest: Person) -> list[str]:
    seats = Seat.objects.filter(guest=guest.key, user=None).count()
    matches = ngettext("{count} match", "{count} matches", seats).format(count=seats)
    return [
        *([matches] if seats else []),
        *(words for keeper in keepers() for words in keeper.work_of(guest)),
    ]


def claim(user: AbstractBaseUser, session: SessionBase) -> list[str]:
    """Give an account all that this session's guest has: seats, those at tables too, and words.

    Returns what `claimable` said. A mute and an embargo go with their person.
    """
    guest = guest_of(session)
    if guest is None or is_bot(user.pk):  # a bot has played nothing as a person
        return []
    claimed, new = _belongings(guest), account(user.pk)
    hand_over(guest, new, user.get_username())
    with transaction.atomic():
        Seat.objects.filter(guest=guest.key, user=None).update(user=user)
        for kind, once in (
            (Upload, ()),
            (Challenge, ()),
            (MatchComplaint, ("match",)),
            (Embargo, ("match", "chapter")),
            (ChatLine, ()),
            (ChatComplaint, ("line",)),
            (ChatMute, ("room",)),
        ):
            move(kind, "person", guest, new, once)
        for keeper in keepers():
            keeper.hand_over(guest, new)
    return claimed
