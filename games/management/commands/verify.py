"""``manage.py verify FILE...``: whether each record is valid, or where its first fault is.

With ``--receipt R``, for one file: also where it differs from that viewer's receipt.
"""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.records.check import CheckedRecord, check_path
from games.records.log import RecordFault
from games.records.plural import counted
from games.records.receipts import MAX_BYTES, Receipt, compare, parse_receipt
from games.records.strict import Malformed


class Command(BaseCommand):
    help = "Check records (.ratuki files): one line per file, exit status 1 if any is faulty."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a .ratuki file")
        parser.add_argument(
            "--receipt",
            metavar="R",
            help="what a viewer of that match kept: say where the record differs from it",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print one line for each file, and for a receipt each difference."""
        names = options["files"]
        receipt = _receipt(options["receipt"], names) if options["receipt"] else None
        valid = [self._check(name) for name in names]
        if receipt:
            valid.append(self._compare(names[0], receipt))
        if not all(valid):
            sys.exit(1)

    def _check(self, name: str) -> bool:
        try:
            self._say(f"{name}: {summary(check_path(Path(name)))}")
        except RecordFault as fault:
            self._say(f"{name}:{fault}")
        except OSError as error:
            self._say(f"{name}: cannot be read: {error.strerror or error}")
        else:
            return True
        return False

    def _compare(self, name: str, receipt: Receipt) -> bool:
        try:
            with Path(name).open("rb") as file:
                differences = compare(receipt, file)
        except (OSError, RecordFault):
            return False  # which the check has said
        for difference in differences:
            self._say(f"{name}:{difference}")
        if not differences:
            lines = counted(receipt.seq + 1, "line")
            actions = counted(len(receipt.actions), "action")
            self._say(f"{name}: agrees with the receipt: {lines}, {actions}")
        return not differences

    def _say(self, line: str) -> None:
        """Print a line, even if the terminal lacks some of its characters."""
        encoding = getattr(self.stdout, "encoding", None) or "utf-8"
        self.stdout.write(line.encode(encoding, "backslashreplace").decode(encoding))


def _receipt(name: str, files: list[str]) -> Receipt:
    """The receipt in a file, which goes with one record. Raises CommandError."""
    if len(files) != 1 or not Path(files[0]).is_file():
        raise CommandError("--receipt needs one FILE, and no pipe")
    try:
        with Path(name).open("rb") as file:
            return parse_receipt(file.read(MAX_BYTES + 1))
    except OSError as error:
        raise CommandError(f"{name}: cannot be read: {error.strerror or error}") from error
    except Malformed as fault:
        raise CommandError(f"{name}: {fault}") from fault


def summary(report: CheckedRecord) -> str:
    return ", ".join(
        ["valid", counted(report.rounds, "round"), counted(report.events, "event"), outcome(report)]
    )


def outcome(report: CheckedRecord) -> str:
    if report.result is None:
        return "unfinished"
    names = [report.header.seats[seat].name for seat in report.result.winners]
    if not names:
        return "abandoned, no winner"
    return f"winner {names[0]}" if len(names) == 1 else f"winners {' and '.join(names)} (a draw)"
