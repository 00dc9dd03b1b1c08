"""The recorded matches that these tests measure and draw."""

from functools import cache
from pathlib import Path

from games.records.check import check
from games.records.log import Line
from replays.timeline import Timeline

MATCHES = Path(__file__).resolve().parent.parent / "matches"
FILES = sorted(MATCHES.glob("*.ratuki"))


def lines_of(path: Path) -> list[Line]:
    return list(_checked(path))


@cache
def _checked(path: Path) -> list[Line]:
    lines: list[Line] = []
    with path.open("rb") as file:
        check(file, lines.append)
    return lines


def timeline_of(name: str, until: int | None = None) -> Timeline:
    return Timeline.of(lines_of(MATCHES / f"{name}.ratuki"), until)
