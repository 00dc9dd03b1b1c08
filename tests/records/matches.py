"""The records that these tests read, and records made of rounds by unruly seats."""

import io
import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.engine.dealing import shuffled
from games.engine.editions import EDITIONS, Rules
from games.engine.events import Deal, End
from games.engine.scoring import decided, winners
from games.records.check import CheckedRecord, check
from games.records.log import Header, Line, RecordFault, Result, Seat
from games.records.notation import parse_line, write_line
from tests.engine.unruly import play_unruly, random_setting

MATCHES = Path(__file__).resolve().parent.parent / "matches"
VALID = sorted(MATCHES.glob("*.ratuki"))
FAULTY = MATCHES / "faulty"
FAULTS: list[dict[str, Any]] = json.loads((FAULTY / "index.json").read_text())
NAMES = [path.stem for path in VALID]


def rows(path: Path) -> list[bytes]:
    """The lines of a record file, without their line feeds."""
    return path.read_bytes().split(b"\n")[:-1]


def lines(path: Path) -> list[Line]:
    return [parse_line(row, number) for number, row in enumerate(rows(path), 1)]


def rounds(path: Path) -> list[list[Line]]:
    """The lines of each round: its deal and what follows, up to the next."""
    by_round: list[list[Line]] = []
    for line in lines(path)[1:]:
        if isinstance(line, Deal):
            by_round.append([])
        by_round[-1].append(line)
    return by_round


def header(rules: Rules = EDITIONS["usaopoly-2009"], seats: int = 2, **fields: Any) -> Header:
    players = fields.pop("players", [Seat(f"P{seat}", "bot") for seat in range(seats)])
    return Header("m1", "usaopoly-2009", rules, tuple(players), **fields)


def unruly(seed: int, steps: int = 200, deck: tuple[int, ...] | None = None) -> list[Line]:
    """A record of one round that was played without manners, finished or not."""
    rng = Random(seed)
    setting = random_setting(rng)
    if deck:
        rules = replace(setting.rules, deck=deck)
        setting = setting._replace(rules=rules, deal=shuffled(rules, setting.seats, 1, rng))
    setting = setting._replace(totals=(0,) * setting.seats)
    events = play_unruly(rng, setting, steps).events
    players = [
        Seat(f"P{seat}", "human", seat in setting.beginners) for seat in range(setting.seats)
    ]
    last = events[-1] if events else None
    results = []
    if isinstance(last, End) and decided(setting.rules, 1, last):
        results.append(Result(winners(last), last.totals))
    return [header(setting.rules, players=players), setting.deal, *events, *results]


def record(*parts: Line | str | bytes) -> bytes:
    """A record file of these lines; text and bytes stand as they are."""
    return b"".join(_row(part) + b"\n" for part in parts)


def _row(part: Line | str | bytes) -> bytes:
    if isinstance(part, bytes):
        return part
    return (part if isinstance(part, str) else write_line(part)).encode()


def checked(data: bytes) -> CheckedRecord:
    return check(io.BytesIO(data))


def fault(data: bytes) -> tuple[int, str]:
    """The line and the message of a faulty record."""
    with pytest.raises(RecordFault) as caught:
        checked(data)
    return caught.value.line, caught.value.message
