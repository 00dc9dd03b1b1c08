"""What storing and listing matches costs, in a database of its own."""

from __future__ import annotations

import os
from tempfile import TemporaryDirectory

from tests.bench.measure import manage, say

MATCHES = 1_000


def bench() -> None:
    """Simulate matches into a new database, and print what `tests.bench.archive` measures there."""
    with TemporaryDirectory(prefix="ratuki-bench-") as folder:
        environment = {**os.environ, "RATUKI_VAR": folder, "SITE_ORIGINS": "http://localhost"}
        environment.pop("DATABASE_URL", None)
        manage("migrate", "--verbosity=0", environment=environment)
        manage("simulate", f"--matches={MATCHES}", "--seed=1", environment=environment)
        manage("recount", environment=environment)
        measure = "from tests.bench.archive import measure; measure()"
        _, said = manage("shell", "--verbosity=0", "-c", measure, environment=environment)
    say(said.rstrip())
