"""The rooms compiled by mypyc (engine, records and bots), if any (`make compiled`).

Python prefers a compiled file to the source beside it, so a stale one would silently win.
Compiling therefore records the digests of sources and compiled files, and importing `games`
fails if they do not match. Without compiled files nothing is read, and the sources run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr  # noqa: PLC0414 - for others
else:

    def mypyc_attr(**_options: Any) -> Any:
        """Compiler options for a class. Without mypyc, a decorator that does nothing."""
        return lambda kind: kind


GAMES: Final = Path(__file__).parent
ROOMS: Final = ("engine", "records", "bots")
RECORD: Final = "compiled.json"
"""Beside this file: `sources` and `compiled`, each mapping a relative path to the file's digest."""
_ADVICE: Final = "run `make compiled` to compile again, or `make pure` to go back to plain Python"


class StaleError(ImportError):
    """Compiled files do not match their sources. The message names one and says what to do."""


def verified(games: Path = GAMES) -> bool:
    """Whether the rooms are compiled. Raises StaleError if they come from other sources."""
    compiled = compiled_files(games)
    if not compiled:
        return False
    try:
        record = json.loads((games / RECORD).read_bytes())
    except FileNotFoundError:
        raise _stale(compiled[0], "was compiled from unknown sources") from None
    except ValueError:
        raise _stale(games / RECORD, "cannot be read") from None
    _compare(digests(sources(games), games), record["sources"], "has changed since it was compiled")
    _compare(digests(compiled, games), record["compiled"], "is not what was compiled last")
    return True


def sources(games: Path) -> list[Path]:
    return sorted(path for room in ROOMS for path in (games / room).rglob("*.py"))


def compiled_files(games: Path) -> list[Path]:
    folders = [games.glob("*"), *((games / room).rglob("*") for room in ROOMS)]
    return sorted(path for folder in folders for path in folder if _is_compiled(path.name))


def _is_compiled(name: str) -> bool:
    module, dot, suffix = name.partition(".")
    return bool(module) and dot + suffix in EXTENSION_SUFFIXES


def digests(files: Iterable[Path], games: Path) -> dict[str, str]:
    """Each file's SHA-256, by its path relative to `games`."""
    return {
        file.relative_to(games).as_posix(): sha256(file.read_bytes()).hexdigest() for file in files
    }


def _compare(current: Mapping[str, str], known: Mapping[str, str], what: str) -> None:
    for name in sorted(current.keys() | known.keys()):
        if current.get(name) != known.get(name):
            raise _stale(Path("games", name), what)


def _stale(path: Path, what: str) -> StaleError:
    return StaleError(f"{path} {what}: {_ADVICE}")
