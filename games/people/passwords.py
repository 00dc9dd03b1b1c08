"""How passwords are stored: with Argon2, a few at a time.

Each takes 100 MiB and several threads: a class that logs in at once would take gigabytes, and
leave no CPU to whoever holds the embedded database's only place to write.
"""

from __future__ import annotations

from threading import BoundedSemaphore
from typing import Final

from django.contrib.auth.hashers import Argon2PasswordHasher

AT_ONCE: Final = 2
_turns: Final = BoundedSemaphore(AT_ONCE)


class Hasher(Argon2PasswordHasher):
    """Django's own; whoever comes later waits for a turn."""

    def encode(self, password: str, salt: str) -> str:
        """The stored form."""
        with _turns:
            return str(super().encode(password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        with _turns:
            return bool(super().verify(password, encoded))
