"""Who may read what somebody has written or made: the one place that decides it.

The owner always; everyone what is for everyone; named accounts what is for them; whoever holds
its token what goes by link. What is deleted or hidden by a moderator is the owner's alone.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from django.db.models import Q

from replays.models import Shared

MOST_TOKENS = 200
"""How many links a session remembers."""


class Reader(NamedTuple):
    """Who asks: the persons that one browser stands for, as stored, an account, opened links."""

    persons: Collection[str] = ()
    account: int | None = None
    tokens: Collection[str] = ()
    moderator: bool = False


def readable(reader: Reader) -> Q:
    """What this reader may see, as a condition on any kind of `Shared`.

    Use it with `.distinct()`: somebody may be among the readers of what is open anyway.
    """
    kinds = Shared.Visibility
    found = Q(visibility=kinds.EVERYONE)
    if reader.account is not None:
        found |= Q(visibility=kinds.PEOPLE, readers=reader.account)
    if reader.tokens:
        found |= Q(visibility=kinds.LINK, token__in=list(reader.tokens))
    found &= Q(deleted=None)
    if not reader.moderator:
        found &= Q(hidden=False)
    return found | own(reader)


def own(reader: Reader) -> Q:
    """What this reader owns; nothing for who is nobody."""
    return Q(owner__in=list(reader.persons)) if reader.persons else Q(pk__in=())
