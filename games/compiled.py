"""The compiled rooms: engine, records and bots as mypyc compiled them, or none (`make compiled`).

Python takes a compiled file before the source beside it, so one that is older than its
source would be a trap. What was compiled is therefore written down with the digests of both,
and `games` refuses to be imported when they do not agree. Without compiled files nothing is
read: everything runs as it is written.
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
        """What the compiler is to know of a class; without it a decorator that does nothing."""
        return lambda kind: kind


GAMES: Final = Path(__file__).parent
ROOMS: Final = ("engine", "records", "bots")
RECORD: Final = "compiled.json"
"""Beside this file: `sources` and `compiled`, each file's digest by its path from here."""
_ADVICE: Final = "`make compiled` compiles anew, `make pure` goes back to plain Python"


class StaleError(ImportError):
    """Compiled files that are not what the sources say; the message names one, with advice."""


def verified(games: Path = GAMES) -> bool:
    """Whether the rooms are compiled. Raises StaleError if they are, from other sources."""
    found = compiled_files(games)
    if not found:
        return False
    try:
        record = json.loads((games / RECORD).read_bytes())
    except FileNotFoundError:
        raise _stale(found[0], "was compiled from sources that nobody knows") from None
    except ValueError:
        raise _stale(games / RECORD, "cannot be read") from None
    _compare(digests(sources(games), games), record["sources"], "has changed since it was compiled")
    _compare(digests(found, games), record["compiled"], "is not what was compiled last")
    return True


def sources(games: Path) -> list[Path]:
    """The files that are compiled."""
    return sorted(path for room in ROOMS for path in (games / room).rglob("*.py"))


def compiled_files(games: Path) -> list[Path]:
    """The compiled files that this Python would import."""
    folders = [games.glob("*"), *((games / room).rglob("*") for room in ROOMS)]
    return sorted(path for folder in folders for path in folder if _is_compiled(path.name))


def _is_compiled(name: str) -> bool:
    module, dot, suffix = name.partition(".")
    return bool(module) and dot + suffix in EXTENSION_SUFFIXES


def digests(files: Iterable[Path], games: Path) -> dict[str, str]:
    """Each file's SHA-256 by its path from `games`."""
    return {
        file.relative_to(games).as_posix(): sha256(file.read_bytes()).hexdigest() for file in files
    }


def _compare(found: Mapping[str, str], known: Mapping[str, str], what: str) -> None:
    for name in sorted(found.keys() | known.keys()):
        if found.get(name) != known.get(name):
            raise _stale(Path("games", name), what)


def _stale(path: Path, what: str) -> StaleError:
    return StaleError(f"{path} {what}: {_ADVICE}")
