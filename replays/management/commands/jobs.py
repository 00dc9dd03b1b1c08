"""``manage.py jobs``: everyone's jobs, and big ones of the site's own (docs/reference/jobs.md)."""

import sys
import time
from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from games.management.schema import is_current, need_database
from games.records.plural import counted
from replays.jobs import rows, workers
from replays.models import Job
from replays.stored import reports

_LISTED: Final = 50
_LOOK_S: Final = 0.5


class Command(BaseCommand):
    help = "List and cancel jobs, check the workers, or let them analyse many matches."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_subparsers(dest="what", required=True)
        what.add_parser("list", help="the newest jobs of everybody")
        what.add_parser("health", help="whether workers are alive and get on; 1 if not")
        what.add_parser("cancel", help="end a job").add_argument("key", help="as listed")
        analyse = what.add_parser("analyse", help="make outdated analyses again")
        analyse.add_argument("--every", action="store_true", help="also those never asked for")
        analyse.add_argument("--wait", action="store_true", help="until it is done")

    def handle(self, *args: Any, what: str, **options: Any) -> None:
        if what == "health":
            self._check_health()
            return
        need_database()
        if what == "list":
            self._list()
        elif what == "cancel":
            key = options["key"]
            job = Job.objects.filter(key=key).first()
            if job is None:
                raise CommandError(f"there is no job {key}")
            if not rows.cancel(job.pk):
                raise CommandError(f"the job has ended already: {job.state}")
        else:
            self._analyse(options["every"], options["wait"])

    def _check_health(self) -> None:
        """It changes nothing: `host` may be backing up the database, to migrate it then."""
        if not is_current():
            raise CommandError("the database is not up to date, so no worker can be alive")
        if warning := workers.warning():
            raise CommandError(warning)
        still = rows.stands_still().total_seconds()
        if still > rows.LIMIT_S + rows.LEASE_S:
            raise CommandError(
                f"A worker has a part that has stood still for {still / 60:.0f} minutes. "
                "Restart the workers."
            )
        self.stdout.write(f"{counted(workers.alive(), 'worker')}.")

    def _list(self) -> None:
        self.stdout.write(workers.warning() or f"{counted(workers.alive(), 'worker')}.")
        for job in Job.objects.order_by("-pk")[:_LISTED]:
            who = job.owner.partition(":")[0] or "stranger"
            done = f"{job.done}/{job.total}"
            self.stdout.write(f"{job.key}  {job.state:9}  {done:>13}  {who:8}  {job.title}")
            if job.error:
                self.stdout.write(f"    {job.error}")

    def _analyse(self, every: bool, wait: bool) -> None:
        job = reports.ask_again(every=every)
        if job is None:
            self.stdout.write("Nothing to do.")
            return
        self.stdout.write(f"{job.key}: {job.title}")
        if wait:
            self._wait(job)

    def _wait(self, job: Job) -> None:
        """Until the job has ended. Stopping this leaves the job to the workers."""
        begun = time.monotonic()
        if warning := workers.warning():
            self.stderr.write(f"{warning} Start one with “python manage.py worker”.")
        while job.state in Job.ACTIVE:
            time.sleep(_LOOK_S)
            job.refresh_from_db()
            if sys.stderr.isatty():
                self.stderr.write(f"\r{job.done:,} of {job.total:,}", ending="")
        if job.state != Job.State.FINISHED:
            raise CommandError(f"{job.state}: {job.error}" if job.error else job.state)
        self.stdout.write(f"{job.total:,} done in {time.monotonic() - begun:.1f} s")
