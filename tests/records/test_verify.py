"""`manage.py verify`, as somebody at a terminal meets it."""

import gzip
import os
import subprocess
import sys
import threading
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from games.records.log import Result
from tests.records.matches import FAULTS, FAULTY, MATCHES, VALID, header, record, rows

ROOT = Path(__file__).resolve().parents[2]


def verify(*files: Path | str) -> tuple[int, list[str]]:
    """The exit status and the lines printed."""
    out = StringIO()
    status = 0
    try:
        call_command("verify", *map(str, files), stdout=out)
    except SystemExit as end:
        status = int(end.code or 0)
    return status, out.getvalue().splitlines()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("valid-shouted-out", "valid, 1 round, 290 events, winner P0"),
        ("valid-full-match-3", "valid, 4 rounds, 1256 events, winner P1"),
        ("valid-draw", "valid, 1 round, 134 events, winners P0 and P1 (a draw)"),
        ("valid-abandoned", "valid, 2 rounds, 367 events, abandoned, no winner"),
        ("valid-unfinished", "valid, 1 round, 118 events, unfinished"),
    ],
)
def test_a_valid_file_is_summed_up(name: str, words: str) -> None:
    path = MATCHES / f"{name}.ratuki"
    assert verify(path) == (0, [f"{path}: {words}"])


def test_many_files_in_one_go_each_with_a_line() -> None:
    faulty = [FAULTY / entry["file"] for entry in FAULTS]
    status, said = verify(*VALID, *faulty)
    assert status == 1
    assert len(said) == len(VALID) + len(faulty)
    for path, line in zip(VALID, said, strict=False):
        assert line.startswith(f"{path}: valid, ")
    for entry, path, line in zip(FAULTS, faulty, said[len(VALID) :], strict=True):
        assert line.startswith(f"{path}:{entry['line']}: ")


def test_a_file_that_cannot_be_read_is_said_so_and_the_others_go_on(tmp_path: Path) -> None:
    status, said = verify(tmp_path / "none", tmp_path, VALID[0])
    assert status == 1
    assert said[0] == f"{tmp_path / 'none'}: cannot be read: No such file or directory"
    assert said[1] == f"{tmp_path}: cannot be read: Is a directory"
    assert ": valid, " in said[2]


def test_gzip_is_not_taken(tmp_path: Path) -> None:
    path = tmp_path / "packed.ratuki"
    path.write_bytes(gzip.compress(VALID[0].read_bytes()))
    status, said = verify(path)
    assert status == 1
    assert said == [f"{path}:1: found gzip, expected text: unpack the file first"]


def test_a_pipe_is_read_too(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    row = '{"variation":{"round":1,"event":0,"events":[{"t":0,"seat":0,"do":"draw","card":"A1a"}]}}'
    data = record(*rows(MATCHES / "valid-shouted-out.ratuki"), row)
    writer = threading.Thread(target=pipe.write_bytes, args=(data,))
    writer.start()
    status, said = verify(pipe)
    writer.join()
    assert status == 1
    assert said[0].startswith(f"{pipe}:294: variation, event 1: hand full")


def test_names_that_the_terminal_does_not_know(tmp_path: Path) -> None:
    path = tmp_path / "Zoë \u2603.ratuki"
    head = header()
    path.write_bytes(record(head))
    ran = subprocess.run(
        [sys.executable, "manage.py", "verify", str(path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
    )
    assert ran.stdout.endswith(b"Zo\\xeb \\u2603.ratuki: valid, 0 rounds, 0 events, unfinished\n")
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_the_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    small, large = tmp_path / "small.ratuki", tmp_path / "large.ratuki"
    play = rows(MATCHES / "valid-stalled.ratuki")
    note = b'{"note":{"round":1,"event":0,"text":"' + b"x" * 3_900 + b'"}}'
    small.write_bytes(record(*play[:-1], note, play[-1]))
    large.write_bytes(record(*play[:-1], *[note] * 2_000, play[-1]))
    assert large.stat().st_size > 7_500_000
    assert _peak(large) < _peak(small) + 2_000_000


def _peak(path: Path) -> int:
    """The most memory that the command has held, in bytes."""
    code = (
        "import resource, sys; from pathlib import Path;"
        "from games.records.check import check_path; check_path(Path(sys.argv[1]));"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)"
    )
    process = subprocess.run(
        [sys.executable, "-c", code, str(path)], cwd=ROOT, capture_output=True, check=True
    )
    return int(process.stdout)


def test_a_result_without_a_match_is_faulty(tmp_path: Path) -> None:
    path = tmp_path / "m.ratuki"
    path.write_bytes(record(header(), Result((), (0, 0))))
    assert verify(path)[1] == [f"{path}:2: expected round 1, found a result"]
