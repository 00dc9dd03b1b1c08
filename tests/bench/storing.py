"""What storing and listing matches costs: `manage.py bench`, in a database of its own."""

from __future__ import annotations

import os

from tests.bench.measure import manage, say


def bench() -> None:
    """Print what the command says; the aims are 4.0 bytes, 1 µs and a difference of 20 %."""
    _, said = manage("bench", environment=dict(os.environ))
    for line in said.splitlines():
        say(f"  {line}")
    say("  (aims: at most 4.0 bytes and 1 µs an event; archive pages within 20 %)")
