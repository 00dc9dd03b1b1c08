"""Every other test of jobs again, on PostgreSQL: it takes expressions less freely than SQLite."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.services import ROOT, Postgres


def test_jobs_work_on_postgresql(postgres: Postgres) -> None:
    tests = ("pytest", "-q", "-p", "no:cacheprovider", "-m", "not postgres", "tests/jobs")
    done = subprocess.run(
        (sys.executable, "-m", *tests),
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": postgres.url()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
