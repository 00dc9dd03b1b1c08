"""One bad row stops no loop over people's rows."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import OperationalError

from games.people.each import for_each
from replays.jobs import queue

ran: list[str] = []


def failing() -> None:
    raise ValueError("a row that nothing can read")


def working() -> None:
    ran.append("worked")


def test_a_row_that_fails_is_logged_and_the_others_go_on(caplog: pytest.LogCaptureFixture) -> None:
    seen: list[float] = []
    for_each([1, 0, 2], lambda row: seen.append(1 / row), "dividing")
    assert seen == [1, 0.5]
    assert "dividing failed for 0" in caplog.text


def test_a_database_that_is_away_ends_the_loop() -> None:
    def lost(_: int) -> None:
        raise OperationalError

    with pytest.raises(OperationalError):
        for_each([1, 2], lost, "reading")


@pytest.mark.django_db(transaction=True)
def test_regular_work_that_fails_stops_no_other(settings, caplog: pytest.LogCaptureFixture) -> None:
    settings.JOBS_EVERY_MINUTE = [f"{__name__}.failing", f"{__name__}.working"]
    ran.clear()
    queue.every_minute()
    assert ran == ["worked"]
    assert "a row that nothing can read" in caplog.text


@pytest.mark.django_db
def test_a_keeper_that_fails_stops_no_other_tidying(
    settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.KEEPERS = [__name__, *settings.KEEPERS]
    said = StringIO()
    call_command("tidy", stdout=said, stderr=StringIO())
    assert "every match is still there" in said.getvalue()
    assert "tidying failed" in caplog.text


def tidy(_days: int) -> None:
    failing()
