"""Bundle modules and style sheets with their imports when static files are collected.

A table that needs twenty modules before it appears is slow: each is a request, a few ms of two
cores. So a collected entry module contains its imports, and theirs, each in its own scope. Sources,
`runserver` and URLs are unaffected. An entry's later imports, by `import()`, are fetched as usual.
(Only entries may do so, since such URLs are relative to the entry.)

A module runs once in a page, in however many bundles it is (its exports are kept in
`globalThis.modules`), and its `import.meta.url` is its own.

Only the forms used in this project are supported, at the start of a line:

    import { a, b as c } from "./name.js";
    export const a, export function a, export async function a, export class a, export { a };
    @import "./name.css";

Anything similar raises JoinError, as does waiting outside of a function.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from typing import Any, Final

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile
from servestatic.storage import CompressedStaticFilesStorage

_COMMENT: Final = re.compile(r"(?ms)^[ \t]*(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n")
_IMPORT: Final = re.compile(r'(?m)^import \{([^}]*)\} from "(\.[^"\n]*)";$')
_EXPORT: Final = re.compile(r"(?m)^export ((?:const|class|(?:async )?function) (\w+))")
_EXPORT_LIST: Final = re.compile(r"(?m)^export \{([^}]*)\};$")
_NOT_JOINED: Final = re.compile(
    r"(?m)^(?:import\b(?!\()|export (?!(?:const|class|(?:async )?function) \w|\{[^}]*\};$)).*"
)
_LATER: Final = re.compile(r"\bimport\(.*")
_LATER_ENTRY: Final = re.compile(r'(?m)(?:^\s*|await |=> )import\("(\.[^"\n]*)"\)')
_PAGE_ENTRY: Final = re.compile(
    r"""(?:type="module"[^>]* src|data-module)="\{% static '([^']+)' %\}\""""
)
_WAITING: Final = re.compile(r"(?m)^(?:(?:const|let) [^=\n]*= )?await .*")
_MODULES: Final = "const $modules = (globalThis.modules ??= {});\n"
_BEGINS: Final = re.compile(r'const \$\w+ = \$modules\["([^"]+)"\] \?\?= ')
_STYLE: Final = re.compile(r'(?m)^@import "(\.[^"\n]*\.css)";$')
_STYLE_NOT_JOINED: Final = re.compile(r"(?m)^\s*@import.*")
_RELATIVE_URL: Final = re.compile(r"""url\(["']?(?!["']?(?:data:|/|#|%23)).*""")


class JoinError(ValueError):
    """A module in an unsupported form, or two that import each other."""


class JoiningStorage(CompressedStaticFilesStorage):
    """Collected files, compressed, with bundled entries."""

    def whole(self, name: str) -> str:
        """A source, module or style sheet, with all its imports: for a page without a site."""

        def read(name: str) -> str:
            return Path(str(finders.find(name))).read_text(encoding="utf-8")

        return joined_style(name, read) if name.endswith(".css") else joined(name, read)

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[tuple[str, str | None, bool | Exception]]:
        """Bundle, then compress. `paths`: for each collected file, its source storage and path."""

        def read(name: str) -> str:
            storage, path = paths[name]
            with storage.open(path) as file:
                return str(file.read().decode())

        templates = (settings.BASE_DIR / "templates").rglob("*.html")
        bundles = {} if dry_run else _bundles(paths, entries(templates, paths, read), read)
        for entry, text in bundles.items():
            self.delete(entry)
            self.save(entry, ContentFile(text))
        yield from super().post_process(paths, dry_run, **options)


def entries(
    templates: Iterable[Path], names: Iterable[str], read: Callable[[str], str]
) -> frozenset[str]:
    """The modules that pages begin with, as their templates name them, or import later."""
    pages = {matched[1] for page in templates for matched in _PAGE_ENTRY.finditer(page.read_text())}
    later = {
        normpath(join(dirname(name), matched[1]))
        for name in names
        if name.endswith(".js") and "/vendor/" not in name
        for matched in _LATER_ENTRY.finditer(_COMMENT.sub("", read(name)))
    }
    return frozenset(pages | later)


def _bundles(
    names: Iterable[str], begin: Iterable[str], read: Callable[[str], str]
) -> dict[str, str]:
    """The replacements of collected files, by name: the entries, and style sheets with imports."""
    bundles = {name: joined(name, read) for name in begin}
    for name in names:
        if name.endswith(".css") and _STYLE.search(read(name)):
            bundles[name] = joined_style(name, read)
    return bundles


def joined_style(entry: str, read: Callable[[str], str]) -> str:
    """The style sheet `entry` with those it imports, in their places. Raises JoinError."""

    def imported(statement: re.Match[str]) -> str:
        name = normpath(join(dirname(entry), statement[1]))
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
    """The module `entry` with all its imports. Raises JoinError. `read` returns a source."""
    scopes: dict[str, str] = {}
    opened: list[str] = []

    def take_in(name: str) -> str:
        """The variable of a module's exports. It is defined before use."""
        if name in opened:
            raise JoinError(f"{' > '.join(opened)} > {name}: a circle")
        if name not in scopes:
            opened.append(name)
            body = _without_imports(name, read(name), take_in)
            later = None if name == entry else _LATER.search(body)
            if refused := later or _WAITING.search(body):
                raise JoinError(f"{name}: cannot join {refused[0]!r}")
            here = f"new URL({json.dumps(relpath(name, dirname(entry)))}, import.meta.url)"
            scopes[name] = _scope(name, body.replace("import.meta.url", here))
            opened.pop()
        return _variable(name)

    exports = f"export const {{ {', '.join(_exported(read(entry)))} }} = {take_in(entry)};\n"
    return "".join((_MODULES, *scopes.values(), exports))


def _without_imports(name: str, source: str, take_in: Callable[[str], str]) -> str:
    """A module that reads its imports from variables."""

    def imported(statement: re.Match[str]) -> str:
        module = take_in(normpath(join(dirname(name), statement[2])))
        return f"const {{{statement[1].replace(' as ', ': ')}}} = {module};"

    body = _IMPORT.sub(imported, _COMMENT.sub(_lines_only, source))
    if left := _NOT_JOINED.search(body):
        raise JoinError(f"{name}: cannot join {left[0]!r}")
    return body


def _lines_only(comment: re.Match[str]) -> str:
    """The comment's line ends, which keep the numbers of the lines of code."""
    return "\n" * comment[0].count("\n")


def place_in(bundle: str, line: int) -> tuple[str, int] | None:
    """The module that a line of a bundle is of, and which line of it."""
    lines = bundle.splitlines()[:line]
    for number in range(len(lines), 0, -1):
        if begins := _BEGINS.match(lines[number - 1]):
            return begins[1], line - number
    return None


def _scope(name: str, body: str) -> str:
    """A module's body in a function of its own, run where it has not been run in this page."""
    inside = _EXPORT_LIST.sub("", _EXPORT.sub(r"\1", body))
    exports = f"return {{ {', '.join(_exported(body))} }};"
    kept = f"{_variable(name)} = $modules[{json.dumps(name)}]"
    return f"const {kept} ??= (() => {{\n{inside}{exports}\n}})();\n"


def _exported(body: str) -> list[str]:
    names = [statement[2] for statement in _EXPORT.finditer(body)]
    return names + [statement[1].strip() for statement in _EXPORT_LIST.finditer(body)]


def _variable(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))
