"""Golden digests: beside each `tests/matches/NAME.ratuki` a `NAME.digests`.

One digest (8 hex digits, `games.engine.table.digest`) a line, for each deal and event of the
record in order. The browser's fold is held against the same files (`tests/js/fold.test.js`).

    python -m tests.engine.golden           # says which files are not as they should be
    python -m tests.engine.golden --write   # writes them again: only with a reason
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from games.engine.events import Deal, Event
from games.engine.table import Table, apply
from games.records.log import Header
from tests.engine.digests import digest
from tests.records.matches import VALID, lines


def digests(record: Path) -> Iterator[str]:
    """The digest of the table after each deal and event of a valid record."""
    table: Table | None = None
    for line in lines(record):
        if isinstance(line, Header):
            beginners = [seat for seat, who in enumerate(line.seats) if who.beginner]
            table = Table(line.rules, len(line.seats), beginners)
        elif isinstance(line, Deal) and table:
            table.deal(line)
            yield digest(table)
        elif isinstance(line, Event) and table:
            apply(table, line)
            yield digest(table)


def text_of(record: Path) -> str:
    """What the golden file of a record holds."""
    return "".join(f"{line}\n" for line in digests(record))


def golden_of(record: Path) -> Path:
    """The golden file of a record."""
    return record.with_suffix(".digests")


def is_golden(record: Path) -> bool:
    """Whether the golden file is there and as it should be."""
    golden = golden_of(record)
    return golden.exists() and golden.read_text() == text_of(record)


def main(arguments: list[str]) -> int:
    """Compare, or write; the number of files that were not as they should be."""
    wrong = [record for record in VALID if not is_golden(record)]
    for record in wrong:
        if "--write" in arguments:
            golden_of(record).write_text(text_of(record))
        sys.stdout.write(f"{golden_of(record).name}\n")
    return 0 if "--write" in arguments else len(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
