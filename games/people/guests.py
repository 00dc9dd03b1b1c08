"""What a browser's session stores about its visitor: the guest's secret and name, keys, tokens."""

from collections.abc import Mapping
from secrets import randbelow, token_urlsafe
from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.utils.translation import gettext as _

from games.people.names import is_marked
from games.people.person import Person, guest

_GUEST = "guest"
_NAME = "guest_name"
_KEYS = "keys"
"""The private tables that this browser may enter, with their keys."""
MOST_KEYS = 50
_TOKENS = "shared"
"""The tokens of share links that this browser has opened."""
_STUDIES = "shared_studies"
"""Those of studies, which a learner reads for long: no number of notes displaces them."""
MOST_TOKENS = 200


def guest_of(session: SessionBase | Mapping[str, Any]) -> Person | None:
    key = str(session.get(_GUEST, ""))
    return guest(key) if key else None


def become_guest(session: SessionBase) -> Person:
    """The session's guest, created on first use."""
    if _GUEST not in session:
        session[_GUEST] = token_urlsafe(16)
    return guest(str(session[_GUEST]))


def known_guest_name(session: SessionBase) -> str:
    """The name of the session's guest. Empty if there is none yet, or it is marked as a bot's."""
    name = str(session.get(_NAME, ""))
    return "" if is_marked(name) else name


def rename_guest(session: SessionBase, name: str) -> None:
    """Set the name of the session's guest. Choosing a name makes a visitor a guest."""
    become_guest(session)
    session[_NAME] = name


def name_guest(session: SessionBase) -> None:
    """Give the session's guest a name if they have none. Creates the guest, too."""
    rename_guest(
        session,
        known_guest_name(session) or _("Guest {number}").format(number=1000 + randbelow(9000)),
    )


def keys_of(session: SessionBase) -> frozenset[str]:
    """The keys of private tables that this browser has presented."""
    return frozenset(session.get(_KEYS, {}).values())


def remember_key(session: SessionBase, table_id: str, key: str) -> None:
    """Remember that this browser entered with that key. A rematch has the same one."""
    keys = {**session.get(_KEYS, {}), table_id: key}
    session[_KEYS] = dict(list(keys.items())[-MOST_KEYS:])


def tokens_of(session: SessionBase) -> frozenset[str]:
    """The tokens of shared things that this browser has opened."""
    return frozenset((*session.get(_TOKENS, ()), *session.get(_STUDIES, ())))


def remember_token(session: SessionBase, token: str, *, study: bool = False) -> None:
    """Remember a token that the caller has verified to open something."""
    kind = _STUDIES if study else _TOKENS
    session[kind] = [*session.get(kind, ()), token][-MOST_TOKENS:]
