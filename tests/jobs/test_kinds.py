"""What is done as jobs: reports, simulations; the command that asks for them."""

from __future__ import annotations

import gzip
import json

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from games.archive.packing import pack
from games.archive.store import insert
from games.bots.roster import mixed
from games.bots.simulate import Setting, header, lines
from games.engine.editions import house_rules
from games.models import Match
from games.records.notation import write_line
from replays.analysis.findings import Findings
from replays.jobs import claims, simulating, starting, workers
from replays.jobs.slices import slice_of_work
from replays.models import Job, JobPart, StoredReport
from replays.pages import analysis
from replays.stored import refreshing, reports
from replays.stored.logs import timeline_of
from replays.stored.report_rounds import Shares, read, written
from tests.jobs.counting import ADA, count, finished, work
from tests.narrowing import present
from tests.web.records import store

Monkey = pytest.MonkeyPatch
SETTING = Setting("gamerules", house_rules("gamerules", {"speedy": True}), mixed(2), 7)


@pytest.fixture
def long_match(monkeypatch: pytest.MonkeyPatch) -> Match:
    """A match that is too long to be analysed within a request."""
    monkeypatch.setattr(analysis, "LONGEST", 100)
    return store("Ada", "Bo", target=100)


@pytest.mark.django_db
class TestReports:
    def test_a_report_in_parts_is_the_report_at_once(self, long_match: Match) -> None:
        at_once = reports.make(long_match)
        long_match.report.delete()
        job = reports.ask(long_match, ADA)
        assert work() > 2
        job.refresh_from_db()
        assert job.state == Job.State.FINISHED, job.error
        assert reports.stored(long_match) == at_once
        assert job.total == long_match.events

    def test_beside_live_matches_a_worker_makes_a_report_if_there_is_one(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(analysis, "BESIDE_MATCHES", 100)
        watched, live = store("Ada", "Bo"), store("Cy", "Di", seed=2)
        Match.objects.filter(pk=live.pk).update(state=Match.State.OPEN)
        client, address = Client(), f"/api/v1/matches/{watched.pk}/analysis"
        assert client.get(address).status_code == 200, "there is no worker"
        StoredReport.objects.all().delete()
        workers.beat("w")
        assert client.get(address).status_code == 202
        monkeypatch.setattr(starting, "MOST_NOBODYS", 0)
        assert client.post(address).status_code == 200, "there is no room for another job"
        StoredReport.objects.all().delete()
        Match.objects.filter(pk=live.pk).update(state=Match.State.FINISHED)
        assert client.get(address).status_code == 200, "no match is disturbed"

    def test_the_closing_step_takes_what_the_rounds_saved(self, long_match: Match) -> None:
        reports.ask(long_match, ADA)
        rounds = JobPart.objects.filter(closes=False)
        while rounds.filter(over=False).exists():
            slice_of_work("dies")
        for part in rounds:
            points, (chances, *spans), _ = present(part.state)
            assert points
            assert chances
            part.state = [points, ([], *spans), []]
            part.save()
        work("successor")
        body = reports.stored(long_match)
        assert body is not None
        report = json.loads(gzip.decompress(body))
        assert (report["luck"], report["missed_takes"]) == ([], [])
        assert report["curve"]

    def test_a_round_has_the_same_share_after_the_others_and_alone(self, long_match: Match) -> None:
        findings = Findings(timeline_of(long_match))
        *_, last = findings.timeline.rounds
        shares = Shares(findings)
        in_order = [shares.of(played) for played in findings.timeline.rounds]
        assert Shares(findings).of(last) == in_order[-1]
        row = json.loads(json.dumps(written(in_order[-1])))
        assert read(row, last) == in_order[-1]

    def test_a_report_that_is_gone_can_be_asked_for_again(self, long_match: Match) -> None:
        client, address = Client(), f"/api/v1/matches/{long_match.pk}/analysis"
        client.post(address)
        work()
        long_match.report.delete()
        assert client.get(address).json()["job"] is None
        claims.cancel(reports.ask(long_match, ADA).pk)
        assert client.get(address).json()["job"]["state"] == "cancelled"

    def test_the_page_asks_for_a_job_and_then_has_the_report(self, long_match: Match) -> None:
        client, address = Client(), f"/api/v1/matches/{long_match.pk}/analysis"
        first = client.get(address)
        assert (first.status_code, first.json()["job"]) == (202, None)
        asked = client.post(address).json()["job"]
        assert (asked["state"], asked["place"], asked["done"]) == ("waiting", 1, 0)
        assert "key" not in asked, "a stranger's job is nobody's to cancel"
        slice_of_work("w")
        assert client.get(address).json()["job"]["done"] > 0
        work()
        assert client.get(address).json()["facts"]


@pytest.mark.django_db
class TestBigJobs:
    def test_a_simulation_by_workers_plays_the_same_matches(self, monkeypatch: Monkey) -> None:
        monkeypatch.setattr(simulating, "SHARE", 4)
        monkeypatch.setattr(simulating, "AT_ONCE", 3)
        insert([pack(lines(SETTING, 5))], Match.Origin.SIMULATED)
        job = finished(simulating.ask(SETTING, 6))
        assert (job.done, job.result) == (6, {"matches": 6})
        headers = set(Match.objects.values_list("header", flat=True))
        assert headers == {write_line(header(SETTING, index)) for index in range(6)}

    def test_outdated_reports_are_made_again(self, monkeypatch: Monkey) -> None:
        first, second, never = (store("Ada", "Bo", seed=seed) for seed in (1, 2, 3))
        made = [reports.make(first), reports.make(second)]
        assert refreshing.ask(every=False) is None
        monkeypatch.setattr(reports, "MEASURES_VERSION", "later")
        assert finished(refreshing.ask(every=False)).total == 2
        assert [reports.stored(match) is not None for match in (first, second, never)] == [1, 1, 0]
        assert len(made) == finished(refreshing.ask(every=True)).total + 1

    def test_long_matches_become_jobs_of_their_own(self, monkeypatch: Monkey) -> None:
        monkeypatch.setattr(reports, "AT_ONCE", 10)
        match = store("Ada", "Bo")
        finished(refreshing.ask(every=True))
        assert Job.objects.get(kind="report").state == Job.State.FINISHED
        assert reports.stored(match)

    def test_the_command_lists_and_cancels(self, capsys: pytest.CaptureFixture[str]) -> None:
        job = count(ADA, "sheep", 3)
        call_command("jobs", "list")
        call_command("jobs", "cancel", job.key)
        call_command("jobs", "simulate", "--players=2", "--matches=3", "--seed=1")
        said = capsys.readouterr().out
        assert said.startswith("No worker has ever been seen.")
        assert f"{job.key}  waiting" in said
        assert "Simulation of 3 matches, seed 1" in said
        job.refresh_from_db()
        assert job.state == Job.State.CANCELLED
        with pytest.raises(CommandError, match="ended already: cancelled"):
            call_command("jobs", "cancel", job.key)
