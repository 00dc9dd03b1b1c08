"""Browsers tell of faults in the site's scripts; nothing that somebody wrote is logged."""

from __future__ import annotations

import pytest
from django.test import Client

from ratuki_site.metrics import faults


def told(body: str) -> int:
    """The status of the answer to a fault that is told so."""
    client = Client(enforce_csrf_checks=True)
    return client.post("/faults", body, content_type="text/plain").status_code


def counted() -> float:
    (metric,) = faults.collect()
    return next(sample.value for sample in metric.samples if sample.name.endswith("_total"))


@pytest.mark.django_db
def test_a_fault_is_counted_and_logged_by_kind_and_place(caplog: pytest.LogCaptureFixture) -> None:
    before = counted()
    assert told("TypeError replays/notes/reading.js:120:3") == 204
    assert told("Error somewhere") == 204
    assert counted() == before + 2
    assert [record.getMessage() for record in caplog.records] == [
        "in a browser: TypeError at replays/notes/reading.js:120",
        "in a browser: Error at somewhere",
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "body",
    [
        *("", "TypeError", "Error my secret note", "Error a.js:1:2\nERROR games: forged"),
        *("Error a.js:1", f"Error {'a/' * 9}b.js:1:2", f"{'E' * 41} a.js:1:2", "x" * 9_000),
    ],
)
def test_anything_else_is_refused(body: str, caplog: pytest.LogCaptureFixture) -> None:
    before = counted()
    assert told(body) == 400
    assert counted() == before
    assert not [record for record in caplog.records if "browser" in record.getMessage()]
