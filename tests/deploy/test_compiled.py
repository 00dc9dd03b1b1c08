"""Compiled files never stand in for a source that is not theirs."""

import json
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from games.compiled import RECORD, StaleError, compiled_files, digests, sources, verified
from tests.services import ROOT

SUFFIX = EXTENSION_SUFFIXES[0]
TABLE = f"engine/table{SUFFIX}"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A package like ours, whose compiled files are only named so."""
    package = tmp_path / "games"
    for name in ("__init__.py", "compiled.py", "engine/__init__.py", "engine/table.py"):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "games" / name, package / name)
    for name in (TABLE, f"rooms__mypyc{SUFFIX}"):
        (package / name).write_bytes(b"compiled")
    record = {
        "sources": digests(sources(package), package),
        "compiled": digests(compiled_files(package), package),
    }
    (package / RECORD).write_text(json.dumps(record))
    return package


def test_compiled_files_of_these_sources_are_taken(games: Path) -> None:
    assert verified(games)


def test_without_compiled_files_everything_is_plain_python(games: Path) -> None:
    for path in compiled_files(games):
        path.unlink()
    (games / "engine/table.py").write_text("changed = True\n")
    assert not verified(games)


def test_those_of_another_python_do_not_count(games: Path) -> None:
    for path in compiled_files(games):
        path.rename(path.with_name(path.name.replace(SUFFIX, ".cpython-27-pdp11.so")))
    assert not verified(games)


def change(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n")


@pytest.mark.parametrize(
    ("how", "name", "words"),
    [
        (change, "engine/table.py", "games/engine/table.py has changed since it was compiled"),
        (Path.touch, "bots/new.py", "games/bots/new.py has changed since it was compiled"),
        (Path.unlink, "engine/table.py", "games/engine/table.py has changed since"),
        (change, TABLE, f"games/{TABLE} is not what was compiled last"),
        (Path.unlink, TABLE, f"games/{TABLE} is not what was compiled last"),
        (Path.touch, f"records/log{SUFFIX}", "records/log"),
        (Path.unlink, RECORD, "was compiled from unknown sources"),
        (Path.touch, f"live{SUFFIX}", f"games/live{SUFFIX} is not what was compiled last"),
        (lambda record: record.write_text("{"), RECORD, f"{RECORD} cannot be read"),
    ],
)
def test_anything_else_is_refused_with_advice(games: Path, how, name: str, words: str) -> None:
    (games / name).parent.mkdir(exist_ok=True)
    how(games / name)
    with pytest.raises(
        StaleError, match="run `make compiled` to compile again, or `make pure`"
    ) as refused:
        verified(games)
    assert words in str(refused.value)


def test_the_package_refuses_to_start(games: Path) -> None:
    change(games / "engine/table.py")
    command = (sys.executable, "-c", "import games.engine.table")
    done = subprocess.run(command, cwd=games.parent, check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert "games/engine/table.py has changed since it was compiled" in done.stderr
