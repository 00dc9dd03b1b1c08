"""What is done as jobs: reports, decisions, the command; and all of it on PostgreSQL."""

import sys

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from games.models import Match
from replays.jobs import queue, rows
from replays.models import Job
from replays.stored import reports
from tests.jobs.counting import ADA, count, die, finished, lapse, work
from tests.services import Postgres, tried
from tests.web.records import store

Monkey = pytest.MonkeyPatch


@pytest.fixture
def match() -> Match:
    """A match of several rounds."""
    return store("Ada", "Bo", target=100)


@pytest.mark.django_db
class TestReports:
    def test_a_report_by_a_worker_is_the_report_at_once(self, match: Match) -> None:
        at_once = reports.make(match)
        match.report.delete()
        job = finished(reports.ask(match, ADA))
        assert reports.stored(match) == at_once
        assert job.total == match.events

    def test_the_bar_moves_round_by_round(self, match: Match) -> None:
        job = reports.ask(match, ADA)
        assert 0 < die("w", 1).done < match.events
        lapse()
        queue.sweep()
        assert finished(job).done == match.events

    def test_a_report_that_is_gone_can_be_asked_for_again(self, match: Match) -> None:
        client, address = Client(), f"/api/v1/matches/{match.pk}/analysis"
        client.post(address)
        work()
        match.report.delete()
        assert client.get(address).json()["job"] is None
        rows.cancel(reports.ask(match, ADA).pk)
        assert client.get(address).json()["job"]["state"] == "cancelled"

    def test_the_page_asks_for_a_job_and_then_has_the_report(self, match: Match) -> None:
        client, address = Client(), f"/api/v1/matches/{match.pk}/analysis"
        first = client.get(address)
        assert (first.status_code, first.json()["job"]) == (202, None)
        asked = client.post(address).json()["job"]
        assert (asked["state"], asked["place"], asked["done"]) == ("waiting", 1, 0)
        assert "key" not in asked, "a stranger's job is nobody's to cancel"
        work()
        assert client.get(address).json()["facts"]


@pytest.mark.django_db
class TestBigJobs:
    def test_outdated_reports_are_made_again(self, monkeypatch: Monkey) -> None:
        first, second, never = (store("Ada", "Bo", seed=seed) for seed in (1, 2, 3))
        made = [reports.make(first), reports.make(second)]
        assert reports.ask_again(every=False) is None
        monkeypatch.setattr(reports, "MEASURES_VERSION", "later")
        assert finished(reports.ask_again(every=False)).total == 2
        assert [reports.stored(match) is not None for match in (first, second, never)] == [1, 1, 0]
        assert len(made) == finished(reports.ask_again(every=True)).total + 1

    def test_the_command_lists_and_cancels(self, capsys: pytest.CaptureFixture[str]) -> None:
        job = count(ADA, "sheep", 3)
        call_command("jobs", "list")
        call_command("jobs", "cancel", job.key)
        call_command("jobs", "analyse")
        said = capsys.readouterr().out
        assert said.startswith("No worker has ever been seen.")
        assert f"{job.key}  waiting" in said
        assert "Nothing to do." in said
        job.refresh_from_db()
        assert job.state == Job.State.CANCELLED
        with pytest.raises(CommandError, match="ended already: cancelled"):
            call_command("jobs", "cancel", job.key)


def test_jobs_work_on_postgresql(postgres: Postgres) -> None:
    quick = ("-m", "not postgres and not slow")  # what is slow only draws
    tests = ("pytest", "-q", "-p", "no:cacheprovider", *quick, "tests/jobs")
    done = tried((sys.executable, "-m", *tests), DATABASE_URL=postgres.url())
    assert done.returncode == 0, done.stdout + done.stderr
