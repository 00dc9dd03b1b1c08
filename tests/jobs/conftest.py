"""The kind of job that tests of jobs use."""

import pytest

from replays.jobs import rows


@pytest.fixture(autouse=True)
def counting(settings: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting is a kind of job, and each step is saved."""
    kinds = {**settings.JOB_KINDS, "count": "tests.jobs.counting.KIND"}  # type: ignore[attr-defined]
    settings.JOB_KINDS = kinds  # type: ignore[attr-defined]
    monkeypatch.setattr(rows, "SAVE_S", 0)
