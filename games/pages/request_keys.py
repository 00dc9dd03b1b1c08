"""By what a request that makes something new is known, should it be sent again."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

from django.utils.crypto import salted_hmac

from games.people.visit import Request
from games.records.strict import Malformed

_SALT: Final = "games.people.repeats"
"""The same as in earlier releases: a request may be sent again during an update."""
_KEY: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")


def request_key(request: Request) -> str:
    """The header `X-Request-Key`, which the client chooses; empty: none. Raises Malformed."""
    key = request.headers.get("X-Request-Key", "")
    if key and not _KEY.fullmatch(key):
        raise Malformed("X-Request-Key: expected 16 to 64 characters of A-Z a-z 0-9 _ -")
    return key


def secret_of(request: Request, use: str, size: int) -> str:
    """A secret of `size` bytes for one use, the same whenever the request is sent again.

    Only whoever knows the request's key, and asks from the same network, can have it repeated.
    Empty for a request without a key. Raises Malformed.
    """
    key = request_key(request)
    if not key:
        return ""
    what = sha256(request.body).hexdigest()
    network = request.visit.caller.network
    said = f"{key}\0{network}\0{request.get_full_path()}\0{what}"
    return salted_hmac(f"{_SALT}.{use}", said, algorithm="sha256").hexdigest()[: 2 * size]
