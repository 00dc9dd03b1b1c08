"""Fixtures for every room."""

import gc
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings as site_settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.cache import caches
from django.db import connection
from hypothesis import HealthCheck, settings

from games.people import door
from tests.services import Postgres, Redis, copied, migrated
from tests.slow import end, slow_down

SLOWED = re.compile("LATE_|SLOW$")

for profile, examples in {"usual": 60, "again": 15, "long": 4_000}.items():
    # No deadline: a shared machine may stop for a while in any example.
    settings.register_profile(
        profile, max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))
"""How long hypothesis looks: `HYPOTHESIS_PROFILE=long pytest tests/engine` for a long look."""


def pytest_configure(config: pytest.Config) -> None:
    """Make a folder that the processes of a run share; they inherit its name.

    `make test` makes one for all its runs. Garbage is looked for as seldom as on the site.
    """
    gc.set_threshold(*site_settings.GARBAGE_THRESHOLDS)
    if "TEST_SHARED" not in os.environ:
        shared = tempfile.mkdtemp(prefix="ratuki-test-")
        os.environ["TEST_SHARED"] = shared
        config.add_cleanup(lambda: shutil.rmtree(shared, ignore_errors=True))
    if os.environ.get("SLOW") and not hasattr(config, "workerinput"):
        loops = slow_down(os.environ)
        config.add_cleanup(lambda: end(loops))
    if "LATE_MS" in os.environ:
        os.environ.setdefault("LATE_SEED", secrets.token_hex(2))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how to have the same slow machine and late answers again."""
    if hasattr(terminalreporter.config, "workerinput"):
        return  # the process that started it tells the same
    slow = [f"{name}={value}" for name, value in os.environ.items() if SLOWED.match(name)]
    if slow:
        terminalreporter.write_line(" ".join(sorted(slow)))


MARKS = {"postgres": "postgres", "redis": "redis", "site": "slow"}
"""How tests with these fixtures are marked, so that `make quick` leaves them out."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need a server."""
    for item in items:
        for fixture in MARKS.keys() & set(getattr(item, "fixturenames", ())):
            item.add_marker(MARKS[fixture])


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
) -> Iterator[None]:
    """Begin with a copy of the database that is migrated once for all processes of a run.

    `DATABASE_URL` may name one on a server such as `Postgres` (tests.services).
    """
    if connection.vendor == "postgresql":
        given = os.environ["DATABASE_URL"]
        name = f"test_{connection.settings_dict['NAME']}"
        assert copied(f"{given.rpartition('/')[0]}/{name}"), "this server has no migrated database"
        yield
        return
    copy = Path(connection.settings_dict["TEST"]["NAME"])
    shutil.copyfile(migrated(), copy)
    yield
    for file in copy.parent.glob(f"{copy.name}*"):
        file.unlink()


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Take the database that is there already."""
    return True


@pytest.fixture(autouse=True)
def _unhurried() -> None:
    """No test pays for how often an earlier one has asked, or follows its site's settings."""
    caches["rate_limits"].clear()
    door.learn(door.Site(), 3_600)


@pytest.fixture(autouse=True, scope="session")
def _quick_passwords() -> None:
    """Argon2 as on the site, but with the least work: no test pays for a slow hash."""
    Argon2PasswordHasher.time_cost = 1
    Argon2PasswordHasher.memory_cost = 8
    Argon2PasswordHasher.parallelism = 1


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A real PostgreSQL; fails with advice where there is none."""
    server = Postgres()
    yield server
    server.close()


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    """A real Redis; fails with advice where there is none."""
    server = Redis()
    yield server
    server.close()
