"""A name for the current static files: it changes whenever one of them does."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path


def release_name(version: str, sources: Iterable[Path]) -> str:
    """`version` and a short hash over every file in `sources`, such as ``0.1.0-3f9a11c2``.

    Static files are served under this name, so a page never loads a module of another release, and
    a browser may keep each file for ever. `sources`: folders and files.
    """
    digest = hashlib.sha256()
    for source in sources:
        for path in [source] if source.is_file() else sorted(source.rglob("*")):
            if path.is_file():
                digest.update(path.relative_to(source.parent).as_posix().encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return f"{version}-{digest.hexdigest()[:8]}"
