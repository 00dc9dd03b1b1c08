"""What hosting costs, and how much of it are the log's digest and the deals' seeds."""

from __future__ import annotations

import os
from tempfile import TemporaryDirectory

from tests.bench.measure import manage, say


def bench() -> None:
    """Print what `tests.bench.hosted` measures in a new database."""
    with TemporaryDirectory(prefix="ratuki-bench-") as folder:
        environment = {**os.environ, "RATUKI_VAR": folder, "SITE_ORIGINS": "http://localhost"}
        environment.pop("DATABASE_URL", None)
        manage("migrate", "--verbosity=0", environment=environment)
        measure = "from tests.bench.hosted import measure; measure()"
        _, said = manage("shell", "--verbosity=0", "-c", measure, environment=environment)
    say(said.rstrip())
