"""Bundle modules and style sheets with what they import when static files are collected.

A table that needs twenty modules before it appears is slow: each is a request, a few ms of two
cores. So a collected entry module contains its imports, and theirs, each in its own scope. Sources,
`runserver` and URLs are unaffected; what an entry imports later, by `import()`, is fetched as
usual. (Only entries may do so, since such URLs are relative to the entry.)

Only the forms used in this project are supported, at the start of a line:

    import { a, b as c } from "./name.js";
    export const a, export function a, export async function a, export class a, export { a };
    @import "./name.css";

Anything similar raises JoinError. A module that is both bundled and imported later exists twice, so
modules must not hold state shared between parts of a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from posixpath import dirname, join, normpath
from typing import Any, Final

from django.core.files.base import ContentFile
from servestatic.storage import CompressedStaticFilesStorage

ENTRIES: Final = (
    *("replays/replay/replay.js", "replays/charts/charts.js", "replays/replay/spectating.js"),
    *("replays/analysis/analysis.js", "replays/notes/notes.js"),
    *("replays/notes/reading.js", "replays/notes/writing.js"),
    *("replays/notes/tagging.js", "replays/notes/playlistplayer.js"),
    *("replays/notes/tagtable.js", "replays/notes/playlistpage.js"),
    *("replays/variations/variations.js", "replays/variations/whatif.js"),
    "replays/ghostrace/ghostrace.js",
    *("replays/jobs/jobs.js", "replays/reviews/review.js", "replays/reviews/waiting.js"),
    *("replays/studies/collector.js", "replays/studies/lesson.js", "replays/studies/question.js"),
    *("replays/studies/drill.js", "replays/studies/chaptereditor.js"),
    *("replays/studies/studypage.js", "replays/studies/printing.js"),
    *("games/play/play.js", "games/wall/wall.js", "replays/wall/wallchances.js"),
)
"""The modules that pages start with or fetch later, as named in `{% static %}`."""

_COMMENT: Final = re.compile(r"(?ms)^[ \t]*(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n")
_IMPORT: Final = re.compile(r'(?m)^import \{([^}]*)\} from "(\.[^"\n]*)";$')
_EXPORT: Final = re.compile(r"(?m)^export ((?:const|class|(?:async )?function) (\w+))")
_EXPORT_LIST: Final = re.compile(r"(?m)^export \{([^}]*)\};$")
_NOT_JOINED: Final = re.compile(
    r"(?m)^(?:import\b(?!\()|export (?!(?:const|class|(?:async )?function) \w|\{[^}]*\};$)).*"
)
_LATER: Final = re.compile(r"\bimport\(.*")
_STYLE: Final = re.compile(r'(?m)^@import "(\.[^"\n]*\.css)";$')
_STYLE_NOT_JOINED: Final = re.compile(r"(?m)^\s*@import.*")
_RELATIVE_URL: Final = re.compile(r"""url\(["']?(?!["']?(?:data:|/|#|%23)).*""")


class JoinError(ValueError):
    """A module in an unsupported form, or two that import each other."""


class JoiningStorage(CompressedStaticFilesStorage):
    """Collected files, compressed, with bundled entries."""

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[tuple[str, str | None, bool | Exception]]:
        """Bundle, then compress. `paths`: for each collected file, its source storage and path."""

        def read(name: str) -> str:
            storage, path = paths[name]
            with storage.open(path) as file:
                return str(file.read().decode())

        bundles = {} if dry_run else _bundles(paths, read)
        for entry, text in bundles.items():
            self.delete(entry)
            self.save(entry, ContentFile(text))
        yield from super().post_process(paths, dry_run, **options)


def _bundles(names: Iterable[str], read: Callable[[str], str]) -> dict[str, str]:
    """What replaces collected files, by name: the entries, and style sheets with imports."""
    bundles = {name: joined(name, read) for name in ENTRIES if name in names}
    for name in names:
        if name.endswith(".css") and _STYLE.search(read(name)):
            bundles[name] = joined_style(name, read)
    return bundles


def joined_style(entry: str, read: Callable[[str], str]) -> str:
    """The style sheet `entry` with those it imports, in their places. Raises JoinError."""

    def imported(found: re.Match[str]) -> str:
        name = normpath(join(dirname(entry), found[1]))
        body = joined_style(name, read)
        relative = _RELATIVE_URL.search(body)
        if relative and dirname(name) != dirname(entry):
            raise JoinError(f"{name}: {relative[0]!r} would be relative to {entry}")
        return body

    body = _STYLE.sub(imported, read(entry))
    if left := _STYLE_NOT_JOINED.search(body):
        raise JoinError(f"{entry}: cannot join {left[0]!r}")
    return body


def joined(entry: str, read: Callable[[str], str]) -> str:
    """The module `entry` with all its imports. Raises JoinError; `read` returns a source."""
    scopes: dict[str, str] = {}
    opened = [entry]

    def take_in(name: str) -> str:
        """The variable holding a module's exports; it is defined before use."""
        if name in opened:
            raise JoinError(f"{' > '.join(opened)} > {name}: a circle")
        if name not in scopes:
            opened.append(name)
            body = _without_imports(name, read(name), take_in)
            if later := _LATER.search(body):
                raise JoinError(f"{name}: cannot join {later[0]!r}")
            scopes[name] = _scope(name, body)
            opened.pop()
        return _variable(name)

    body = _without_imports(entry, read(entry), take_in)
    return "".join((*scopes.values(), body))


def _without_imports(name: str, source: str, take_in: Callable[[str], str]) -> str:
    """A module that reads its imports from variables."""

    def imported(found: re.Match[str]) -> str:
        module = take_in(normpath(join(dirname(name), found[2])))
        return f"const {{{found[1].replace(' as ', ': ')}}} = {module};"

    body = _IMPORT.sub(imported, _COMMENT.sub("", source))
    if left := _NOT_JOINED.search(body):
        raise JoinError(f"{name}: cannot join {left[0]!r}")
    return body


def _scope(name: str, body: str) -> str:
    """A module's body in a function of its own, whose result is kept: what it exports."""
    names = [found[2] for found in _EXPORT.finditer(body)]
    names += [found[1].strip() for found in _EXPORT_LIST.finditer(body)]
    inside = _EXPORT_LIST.sub("", _EXPORT.sub(r"\1", body))
    return (
        f"const {_variable(name)} = (() => {{\n{inside}return {{ {', '.join(names)} }};\n}})();\n"
    )


def _variable(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))
