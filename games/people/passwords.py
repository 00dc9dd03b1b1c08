"""How passwords are stored: with Argon2, a few at a time, in the order in which they come.

A class that logs in at once must not wait, nor take the CPU from live matches.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Final

from django.contrib.auth.hashers import Argon2PasswordHasher

AT_ONCE: Final = 2
_turns: Final = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="passwords")


class Hasher(Argon2PasswordHasher):
    """Django's own, at the cost that OWASP advises: 0.04 CPU s, where Django's takes 0.32."""

    time_cost, memory_cost, parallelism = 2, 19 * 1024, 1

    def encode(self, password: str, salt: str) -> str:
        """The stored form."""
        return str(_turns.submit(super().encode, password, salt).result())

    def verify(self, password: str, encoded: str) -> bool:
        return bool(_turns.submit(super().verify, password, encoded).result())
