"""The night's work: tidying and the backup, in a process of its own beside the work.

A worker starts the process, and stops it when it stops itself. Whatever interrupts it, the work is
begun again until it is done (`rows.claim_night`).
"""

import logging
import subprocess
import sys
from contextlib import suppress
from io import StringIO
from threading import Thread
from typing import Final

from django.conf import settings
from django.core.management import call_command
from django.db import Error, close_old_connections, connection
from django.utils import timezone

from games.management.backups import BackupError, discard_unfinished, folder_of_backups
from games.people.each import for_each
from replays.jobs import rows

RENEW_S: Final = 60
_running: Final[list[subprocess.Popen[bytes]]] = []
_log: Final = logging.getLogger(__name__)


def begin() -> None:
    """Start the night's process, if it is time."""
    if settings.NIGHTLY_AT is None or not rows.claim_night(settings.NIGHTLY_AT, timezone.now()):
        return
    command = (sys.executable, str(settings.BASE_DIR / "manage.py"), "night", "--until-eof")
    process = subprocess.Popen(command, stdin=subprocess.PIPE)
    _running.append(process)
    Thread(target=_attend, args=(process,), daemon=True).start()


def stop(patience_s: float) -> None:
    """Interrupt the night's process, which deletes what it has not finished."""
    for process in _running:
        assert process.stdin
        process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience_s)


def _attend(process: subprocess.Popen[bytes]) -> None:
    """Until the process ends: show that the work is under way. Then delete what it left."""
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(RENEW_S)
            break
        _renew()
    _running.remove(process)
    if process.returncode:
        minutes = rows.NIGHT_AGAIN.total_seconds() / 60
        _log.error("the night's work was not done; it is tried again in %d minutes", minutes)
    if process.returncode < 0:
        try:
            discard_unfinished(folder_of_backups())
        except (BackupError, OSError) as error:
            _log.warning("an unfinished backup could not be deleted: %s", error)


def _renew() -> None:
    try:
        close_old_connections()
        rows.renew_night()
    except Error as error:
        _log.warning("no sign of life of the night's work: %s", error)
    finally:
        connection.close()


def work() -> bool:
    """Tidy and back up. Failures are logged. Returns whether a backup was made."""
    began = timezone.now()
    made = []

    def run(name: str) -> None:
        said = StringIO()
        call_command(name, stdout=said)
        _log.info("%s: %s", name, said.getvalue().strip())
        made.append(name)

    for_each(("tidy", "backup"), run, "the night's work")
    if "backup" not in made:
        return False
    rows.end_night(began)
    return True
