"""Fixtures for every room."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import caches

from tests.services import Postgres, Redis


@pytest.fixture(autouse=True)
def _unhurried() -> None:
    """No test pays for how often an earlier one has asked."""
    caches["rate_limits"].clear()


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
