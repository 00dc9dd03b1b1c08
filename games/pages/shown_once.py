"""Secrets that are shown once: after a redirect, to their maker, until the page is closed.

A page that a POST makes is lost when its language is switched or it is loaded again. So its secrets
wait in the maker's session, one page of them, for a day at most. Logging out forgets them.
"""

import time
from typing import Any, Final

from django.contrib.sessions.backends.base import SessionBase

_KEY: Final = "shown_once"
_SECONDS: Final = 86_400


def put(session: SessionBase, page: str, shown: Any) -> None:
    """Show this on a page, in place of what any page showed before. `shown`: JSON."""
    session[_KEY] = {"page": page, "shown": shown, "until": time.time() + _SECONDS}


def look(session: SessionBase, page: str) -> Any:
    """What a page shows. None once it is closed."""
    kept = session.get(_KEY)
    if kept is None or kept["page"] != page or kept["until"] < time.time():
        return None
    return kept["shown"]


def close(session: SessionBase) -> None:
    """Forget it."""
    session.pop(_KEY, None)
