"""Jobs: in parts, in turn, resumed where a worker died, and each seen by its owner alone."""

import re
from datetime import datetime, time, timedelta
from io import StringIO
from pathlib import Path
from socket import AF_UNIX, SOCK_DGRAM, socket
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.db import InterfaceError, InternalError, OperationalError
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from games.engine.message import Message
from games.people.visitor import Author
from replays.jobs import night, queue, rows, starting, workers
from replays.jobs.kinds import Kind, kind_of
from replays.jobs.matches import over_matches
from replays.jobs.starting import SITE, TooManyJobsError, place_of
from replays.models import Job, JobPart, LastRun, Worker
from tests.guests import guest
from tests.jobs.counting import ADA, BO, begun_at_once, count, die, lapse, work
from tests.web.records import store


def let_go() -> None:
    """Forget the queue, which the settings have changed, and end its connection."""
    connection = getattr(queue.queue().huey.storage, "_conn", None)
    if connection is not None:
        connection.close()
    queue.queue.cache_clear()


@pytest.mark.django_db
class TestWorking:
    def test_a_job_is_done_part_by_part_and_joined(self) -> None:
        job = count(ADA, "a", 2, 3)
        assert work() == 2 + 1
        job.refresh_from_db()
        assert job.state == Job.State.FINISHED
        assert (job.done, job.total) == (5, 5)
        assert job.result == [[0, 1], [0, 1, 2]]
        assert not JobPart.objects.exists()

    def test_another_worker_goes_on_after_the_last_saved_step(self) -> None:
        job = count(ADA, "a", 3)
        part = die("first", 2)
        assert (part.found, part.done) == ([0, 1], 2)
        assert rows.freed() == rows.waiting() == [], "its worker may be alive"
        queue.work(part.pk, "second")
        part.refresh_from_db()
        assert part.worker == "first"
        lapse()
        queue.sweep()
        work("second")
        for late in (lambda: rows.save(part, 3, [0, 99]), lambda: rows.finish(part, [0, 99])):
            with pytest.raises(rows.PartLost):
                late()
        job.refresh_from_db()
        assert (job.result, job.done) == ([[0, 1, 2]], 3)

    def test_a_worker_that_comes_back_late_changes_nothing(self) -> None:
        job = count(ADA, "a", 3)
        part = die("first", 1)
        lapse()
        queue.sweep()
        die("first", 2)
        for late in (lambda: rows.save(part, 3, [9]), lambda: rows.finish(part, [9])):
            with pytest.raises(rows.PartLost):
                late()
        rows.fail(part, Message("not its own any more"))
        job.refresh_from_db()
        assert (job.state, job.done) == (Job.State.RUNNING, 3)

    def test_a_sign_of_life_keeps_the_part_under_way_and_no_other(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        job, left = count(ADA, "a", 1), count(BO, "b", 1)
        die(queue.WORKER, 0)
        kept: list[int] = []

        def last_long(asked: Any, share: Any, found: Any, step: Any) -> None:
            lapse()
            queue.show_life()
            queue.sweep()
            kept.extend(JobPart.objects.exclude(worker="").values_list("job", flat=True))

        monkeypatch.setattr("tests.jobs.counting.KIND", Kind(last_long))
        kind_of.cache_clear()
        queue.work(rows.waiting()[0].pk)
        kind_of.cache_clear()
        assert (kept, workers.alive()) == ([left.pk], 1)
        assert job.pk in [part.job_id for part in rows.waiting()], "it had failed, and is free"

    def test_a_part_that_kills_workers_is_given_up(self) -> None:
        job = count(ADA, "a", 1)
        for worker in ("one", "two", "three"):
            assert die(worker, 0).worker == worker
            lapse()
            queue.sweep()
        assert rows.waiting() == []
        job.refresh_from_db()
        assert job.state == Job.State.FAILED
        assert "3 workers failed" in str(job.error)

    @pytest.mark.django_db(transaction=True)
    def test_what_the_database_refuses_is_tried_again_but_not_for_ever(self) -> None:
        job = count(ADA, "a", 3, refused=2)
        assert work(queue.WORKER) == rows.MOST_TRIES, "each time it is free at once"
        job.refresh_from_db()
        assert (job.state, job.done) == (Job.State.FAILED, 2)

    def test_people_are_served_in_turn(self) -> None:
        jobs = [count(ADA, name, 1, 1) for name in ("a", "b")]
        other = count(BO, "d", 1, 1)
        assert [place_of(job) for job in (*jobs, other)] == [1, 3, 2]
        owners = [part.job.owner for part in rows.waiting()]
        assert owners[:4] == [ADA.person, BO.person] * 2
        assert len(owners) == 6, "what closes a job is not to be done yet"

    def test_messages_come_in_the_same_order(
        self, settings: Any, tmp_path: Path, django_capture_on_commit_callbacks: Any
    ) -> None:
        settings.JOB_QUEUE = {
            "storage": "huey.storage.SqliteStorage",
            "filename": str(tmp_path / "jobs.sqlite3"),
        }
        let_go()
        with django_capture_on_commit_callbacks(execute=True):
            count(ADA, "a", 1, 1, 1)
            count(BO, "b", 1, 1)
        sent = [task.args[0] for task in queue.queue().huey.pending()]
        assert sent == [part.pk for part in rows.waiting()]
        queue.queue().huey.flush()
        queue.sweep()
        assert len(queue.queue().huey.pending()) == len(sent), "lost messages are sent again"
        let_go()

    def test_the_number_of_jobs_is_limited(self) -> None:
        for number in range(starting.MOST_EACH):
            count(ADA, f"{number}", 1)
        with pytest.raises(TooManyJobsError, match="you have 5 jobs"):
            count(ADA, "more", 1)
        assert count(ADA, "0", 1).pk == Job.objects.get(subject="0").pk, "it is under way"
        work()
        count(ADA, "more", 1)

    def test_the_slots_of_jobs_that_have_ended_are_free(self) -> None:
        jobs = [count(ADA, f"{number}", 1) for number in range(starting.MOST_EACH)]
        rows.cancel(jobs[2].pk)
        assert [job.slot for job in (*jobs, count(ADA, "more", 1))] == [0, 1, 2, 3, 4, 2]
        assert count(SITE, "the site's", 1).slot is None, "the site has no limit"

    def test_a_cancelled_job_is_left_at_the_next_step(self) -> None:
        job = count(ADA, "a", 3)
        part = rows.claim(rows.waiting()[0].pk, "w")
        assert part is not None
        assert rows.cancel(job.pk)
        with pytest.raises(rows.PartLost):
            rows.Progress(part, lambda: False)(1, [0])
        assert work() == 0
        job.refresh_from_db()
        assert (job.state, job.done) == (Job.State.CANCELLED, 0)
        assert not rows.cancel(job.pk), "it has ended"

    def test_the_cause_of_a_failure_is_shown(self) -> None:
        fault, error = count(ADA, "a", 3, fault=2), count(ADA, "b", 3, error=1)
        work()
        fault.refresh_from_db()
        error.refresh_from_db()
        assert (fault.state, str(fault.error)) == ("failed", "It cannot be counted any further.")
        assert (error.state, str(error.error)) == (
            "failed",
            "Something went wrong. It has been logged.",
        )

    def test_a_worker_that_stops_gives_back_what_it_has(self) -> None:
        count(ADA, "a", 3)
        queue.stopping.set()
        try:
            queue.work(rows.waiting()[0].pk)
        finally:
            queue.stopping.clear()
        part = JobPart.objects.get(number=0)
        assert (part.worker, part.found, part.tries) == ("", [0], 0)

    def test_a_queue_that_is_down_delays_work_and_fails_no_request(
        self, settings: Any, django_capture_on_commit_callbacks: Any, caplog: Any
    ) -> None:
        settings.JOB_QUEUE = {"storage": "huey.storage.RedisStorage", "url": "redis://127.0.0.1:1"}
        let_go()
        with django_capture_on_commit_callbacks(execute=True):
            job = count(ADA, "a", 1)
        let_go()
        assert "the job queue cannot be reached" in caplog.text
        assert job.state == Job.State.WAITING

    def test_regular_work_is_done_by_one_worker_whatever_fails(
        self, settings: Any, caplog: Any
    ) -> None:
        old = count(ADA, "old", 1)
        rows.cancel(old.pk)
        Job.objects.update(ended=timezone.now() - timedelta(days=31))
        settings.JOBS_EVERY_MINUTE = ["no.such.room", "replays.jobs.starting.tidy"]
        queue.every_minute()
        assert not Job.objects.exists()
        assert "regular work failed for no.such.room" in caplog.text
        assert not rows.my_turn("minute"), "another worker does not do it again"
        LastRun.objects.update(at=timezone.now() - timedelta(minutes=1))
        assert rows.my_turn("minute")

    @pytest.mark.parametrize(("begins", "nights"), [("03:30", [1, 4]), ("23:30", [1, 3])])
    def test_the_night_comes_once_a_day_and_first_at_once(
        self, begins: str, nights: list[int]
    ) -> None:
        times = ("01 12:00", "01 23:00", "02 03:29", "02 03:30", "02 12:00")
        done = []
        for number, text in enumerate(times, 1):
            now = datetime.fromisoformat(f"2026-11-{text}:00+00:00")
            if rows.claim_night(time.fromisoformat(begins), now):
                done.append(number)
                rows.end_night(now)
                LastRun.objects.filter(name="night try").delete()
        assert done == nights

    def test_a_night_that_is_interrupted_is_tried_again(self) -> None:
        begins, now = time(3, 30), timezone.now()
        assert rows.claim_night(begins, now)
        assert not rows.claim_night(begins, now), "it may be under way"
        LastRun.objects.update(at=timezone.now() - 2 * rows.NIGHT_AGAIN)
        rows.renew_night()
        assert not rows.claim_night(begins, now), "it is"
        LastRun.objects.update(at=timezone.now() - 2 * rows.NIGHT_AGAIN)
        assert rows.claim_night(begins, now)

    def test_a_night_is_done_once_its_backup_is_made(
        self, settings: Any, tmp_path: Path, caplog: Any
    ) -> None:
        caplog.set_level("INFO")
        settings.VAR_DIR = tmp_path
        (tmp_path / "backups").write_text("no folder")
        assert not night.work()
        assert "tidy: 0 tables forgotten" in caplog.text
        assert "the night's work failed for backup" in caplog.text
        last = "ratuki_backup_last_success_timestamp_seconds"
        assert f"{last} 0.0" in workers.exposition()
        settings.NIGHTLY_AT = None
        night.begin()
        assert not LastRun.objects.exists()
        assert last not in workers.exposition()

    def test_old_jobs_are_forgotten(self) -> None:
        job = count(ADA, "a", 1)
        work()
        Job.objects.filter(pk=job.pk).update(ended=timezone.now() - timedelta(days=31))
        kept = count(ADA, "b", 1)
        starting.tidy()
        assert list(Job.objects.all()) == [kept]


@pytest.mark.django_db
@pytest.mark.parametrize("error", [OperationalError, InterfaceError, InternalError])
def test_a_lost_connection_is_no_fault_of_a_match(error: type[Exception]) -> None:
    def lose(_match: object) -> None:
        raise error

    with pytest.raises(error):
        over_matches(lose)({}, [store().pk], None, lambda *_: None)


@pytest.mark.django_db(transaction=True)
def test_requests_at_the_same_moment_pass_no_limit() -> None:
    assert begun_at_once(8) == starting.MOST_EACH


@pytest.mark.django_db
class TestWorkers:
    def test_a_job_without_a_worker_says_so(self, settings: Any) -> None:
        settings.SITE_ORIGINS = [*settings.SITE_ORIGINS, "http://localhost"]
        job, ada = count(ADA, "sheep", 3), guest("ada")

        def said(**options: Any) -> str:
            told = ada.get(f"/api/v1/jobs/{job.key}", **options).json()
            assert told["place"] == 1
            assert ada.get("/api/v1/jobs", **options).json()["warning"] == told["warning"]
            return told["warning"]

        assert said().startswith("No worker has ever been seen.")
        workers.beat("w")
        assert said() == ""
        Worker.objects.update(seen=timezone.now() - timedelta(seconds=40))
        assert re.match(r"No worker has been seen for 4\d s. This goes on once", said())
        Worker.objects.update(seen=timezone.now() - timedelta(hours=3))
        advice = "Start one with “python manage.py worker”."
        assert said(HTTP_HOST="localhost") == f"No worker has been seen for 3 hours. {advice}"
        workers.beat("another")
        assert (said(), workers.alive()) == ("", 1)
        rows.cancel(job.pk)
        Worker.objects.all().delete()
        assert ada.get(f"/api/v1/jobs/{job.key}").json()["warning"] == "", "it waits no longer"

    def test_moderators_read_jobs_but_no_guests_secret(self, django_user_model: Any) -> None:
        user = django_user_model.objects.create_user("Mo", is_staff=True)
        user.user_permissions.add(Permission.objects.get(codename="add_chatmute"))
        moderator = Client()
        moderator.force_login(user)
        job = count(Author("guest:secret"), "sheep", 3, fault=1)
        work()
        workers.beat("w")
        for address in ("job/", f"job/{job.pk}/change/"):
            page = moderator.get(f"/admin/replays/{address}").text
            assert "It cannot be counted any further." in page
            assert "guest" in page
            assert "secret" not in page
        assert "w</a>" in moderator.get("/admin/replays/worker/").text

    def test_the_health_of_workers_is_a_command(self) -> None:
        with pytest.raises(CommandError, match="No worker has ever been seen"):
            call_command("jobs", "health")
        workers.beat("w")
        out = StringIO()
        call_command("jobs", "health", stdout=out)
        assert out.getvalue() == "1 worker.\n"
        count(ADA, "a", 1)
        die("w", 0)
        call_command("jobs", "health", stdout=out)
        JobPart.objects.update(moved=Now() - timedelta(minutes=7), seen=Now())
        with pytest.raises(CommandError, match="has stood still for 7 minutes"):
            call_command("jobs", "health")
        assert re.search(r"^ratuki_job_still_seconds 42\d", workers.exposition(), re.MULTILINE)
        gone = Now() - timedelta(seconds=workers.SILENT_S + 10)
        Worker.objects.update(seen=gone)
        with pytest.raises(CommandError, match="No worker has been seen for 3"):
            call_command("jobs", "health")

    def test_a_step_that_hangs_is_no_sign_of_life(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr(rows, "LIMIT_S", -1)
        alive = []

        def hang(asked: Any, share: Any, found: Any, step: Any) -> None:
            queue.show_life()
            alive.append(workers.alive())

        monkeypatch.setattr("tests.jobs.counting.KIND", Kind(hang))
        kind_of.cache_clear()
        job = count(ADA, "a", 1)
        work()
        kind_of.cache_clear()
        job.refresh_from_db()
        assert (alive, job.state) == ([0], Job.State.FINISHED)
        assert "a step has run for over" in caplog.text
        queue.show_life()
        assert workers.alive() == 1, "between steps it does"

    def test_a_beat_reaches_the_watchdog_of_systemd(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        workers.beat("w")  # where nobody listens
        with socket(AF_UNIX, SOCK_DGRAM) as watchdog:
            watchdog.bind(str(tmp_path / "notify"))
            watchdog.settimeout(5)
            monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
            workers.beat("w")
            assert watchdog.recv(64) == b"WATCHDOG=1"

    def test_the_last_worker_is_remembered(self) -> None:
        for days, name in ((3, "older"), (2, "last")):
            workers.beat(name)
            Worker.objects.filter(name=name).update(seen=timezone.now() - timedelta(days=days))
        starting.tidy()
        assert [worker.name for worker in Worker.objects.all()] == ["last"]

    def test_metrics_say_how_long_jobs_wait_for_how_many_workers(self) -> None:
        count(ADA, "b", 1)
        waiting = count(BO, "c", 1)
        Job.objects.filter(pk=waiting.pk).update(created=timezone.now() - timedelta(minutes=9))
        said = workers.exposition()
        assert "ratuki_job_workers 0.0\n" in said
        assert re.search(r"^ratuki_job_oldest_waiting_seconds 54\d", said, re.MULTILINE)


class TestAnyOrder(TestCase):
    """Whatever workers die of, a job's result is the same."""

    @settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.lists(st.sampled_from("abx"), max_size=12), st.lists(st.integers(1, 3), max_size=3))
    def test_nothing_is_lost_and_nothing_done_twice(self, course: str, parts: list[int]) -> None:
        job = count(ADA, "any", *parts)
        for turn in course:
            if not (waiting := rows.waiting()):
                continue
            if turn == "x" and not waiting[0].closes:
                die("x", len(waiting) % 2)
                JobPart.objects.filter(worker="x").update(worker="")
            else:
                queue.work(waiting[0].pk, turn)
        work()
        job.refresh_from_db()
        assert job.result == [list(range(size)) for size in parts]
        assert job.done == job.total == sum(parts)


@pytest.mark.django_db
class TestPages:
    def test_a_job_is_seen_and_cancelled_by_whoever_asked(self) -> None:
        job = count(ADA, "sheep", 3)
        ada, bo = guest("ada"), guest("bo")
        assert [row["title"] for row in ada.get("/api/v1/jobs").json()["jobs"]] == [
            "Counting sheep"
        ]
        assert bo.get("/api/v1/jobs").json()["jobs"] == []
        for client in (bo, Client()):
            assert client.get(f"/api/v1/jobs/{job.key}").status_code == 404
            assert client.delete(f"/api/v1/jobs/{job.key}").status_code == 404
        assert ada.get(f"/api/v1/jobs/{job.key}").json()["place"] == 1
        assert ada.delete(f"/api/v1/jobs/{job.key}").json()["state"] == "cancelled"

    def test_jobs_of_strangers_are_listed_for_nobody(self) -> None:
        count(Author(), "sheep", 1)
        assert Client().get("/api/v1/jobs").json()["jobs"] == []
