"""Bundle and minify modules and style sheets when static files are collected.

A table that needs twenty modules before it appears is slow: each is a request, a few ms of two
cores. So a collected entry module contains its imports, and theirs, each in its own scope. Sources,
`runserver` and URLs are unaffected. Later imports, by `import()`, are fetched as usual.

A page fetches a module once: a bundle leaves out what every page that loads it has already. That is
what the bundles contain that load it, and for a page's own entry, what the entry of `base.html`
contains. A module runs once in a page (its exports are kept in `globalThis.modules`), and its
`import.meta.url` is its own. A vendored module stays a file, which bundles import.

Beside each bundle a file with `PLACES` has where the lines of its modules begin, so that the place
of a fault can be told.

Only the forms used in this project are supported, at the start of a line:

    import { a, b as c } from "./name.js";
    export const a, export function a, export async function a, export class a, export { a };
    @import "./name.css";

Anything similar raises JoinError, as does waiting outside of a function, and a template string
within another, whose spaces rjsmin would take out.
"""

import json
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import accumulate
from posixpath import dirname, join, normpath, relpath
from typing import Any, Final, NamedTuple

import rcssmin
import rjsmin
from django.conf import settings
from django.core.files.base import ContentFile
from servestatic.storage import CompressedStaticFilesStorage

_OWN: Final = re.compile(r"(?:games|replays)/(?!.*/vendor/).*\.(?:js|css)")
_VENDOR: Final = "/vendor/"
_COMMENT: Final = re.compile(r"(?ms)^[ \t]*(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n")
_IMPORT: Final = re.compile(r'(?m)^import \{([^}]*)\} from "(\.[^"\n]*)";$')
_EXPORT: Final = re.compile(r"(?m)^export ((?:const|class|(?:async )?function) (\w+))")
_EXPORT_LIST: Final = re.compile(r"(?m)^export \{([^}]*)\};$")
_NOT_JOINED: Final = re.compile(
    r"(?m)^(?:import\b(?!\()|export (?!(?:const|class|(?:async )?function) \w|\{[^}]*\};$)).*"
)
_LATER: Final = re.compile(r"\bimport\(.*")
_LATER_ENTRY: Final = re.compile(r'(?m)(?:^\s*|await |=> )import\("(\.[^"\n]*)"\)')
_MOUNTS: Final = re.compile(r"\bimport\([^\n]*dataset\.module")
_SCRIPT: Final = re.compile(r"""type="module"[^>]* src="\{% static '([^']+)' %\}\"""")
_PART: Final = re.compile(r"""data-module="\{% static '([^']+)' %\}\"""")
_TEMPLATE: Final = re.compile(r'\{% (?:extends|include) "([^"]+)"')
_BASE: Final = "base.html"
_WAITING: Final = re.compile(r"(?m)^(?:(?:const|let) [^=\n]*= )?await .*")
_MODULES: Final = "const $modules=(globalThis.modules??={});"
_TEMPLATE_WITHIN: Final = re.compile(r"\$\{[^{}`]*`.*")
_LINE: Final = "/*!*/"
PLACES: Final = ".places"
_WITHIN: Final = re.compile(r"(?<=[\w)\]*&])\s+(?=:[a-z])")
_STYLE: Final = re.compile(r'(?m)^@import "(\.[^"\n]*\.css)";$')
_STYLE_NOT_JOINED: Final = re.compile(r"(?m)^\s*@import.*")
_RELATIVE_URL: Final = re.compile(r"""url\(["']?(?!["']?(?:data:|/|#|%23)).*""")

Read = Callable[[str], str]


class JoinError(ValueError):
    """A module in an unsupported form, or two that import each other."""


class Minified(NamedTuple):
    """A script without comments and spaces, and where each line of its source begins in it."""

    text: str
    lines: list[int]


class Bundle(NamedTuple):
    """The text of a bundle, and where the lines of its modules begin in it."""

    text: str
    places: dict[str, list[int]]


class JoiningStorage(CompressedStaticFilesStorage):
    """Collected files, bundled, minified and compressed."""

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[tuple[str, str | None, bool | Exception]]:
        """Bundle, minify, then compress. `paths`: for each file, its source storage and path."""
        if dry_run:
            return

        @cache
        def read(name: str) -> str:
            storage, path = paths[name]
            with storage.open(path) as file:
                return str(file.read().decode())

        home = settings.BASE_DIR / "templates"
        templates = {str(file.relative_to(home)): file.read_text() for file in home.rglob("*.html")}
        own = [name for name in paths if _OWN.fullmatch(name)]
        served = collected(templates, own, read)
        for name in own:
            self.delete(name)
        for name, text in served.items():
            self.delete(name)
            self.save(name, ContentFile(text))
        kept = {name: file for name, file in paths.items() if name not in own or name in served}
        yield from super().post_process(kept, dry_run, **options)


def collected(templates: Mapping[str, str], own: list[str], read: Read) -> dict[str, str]:
    """The files to serve, bundled and minified. Other modules are in their bundles."""
    modules = [name for name in own if name.endswith(".js")]
    imports = {name: imports_of(name, read(name)) for name in modules}
    loads = loaders(templates, imports, read)
    before = had(loads, imports)
    bundles = {name: joined(name, read, before[name]) for name in loads}
    scripts = {name: bundle.text for name, bundle in bundles.items()}
    places = {name + PLACES: json.dumps(bundle.places) for name, bundle in bundles.items()}
    plain = {
        name: minified(read(name)).text
        for name in modules
        if not (_EXPORT.search(read(name)) or _IMPORT.search(read(name)))
    }
    sheets = {
        name: minified_style(joined_style(name, read)) for name in own if name.endswith(".css")
    }
    return {**plain, **scripts, **places, **sheets}


def loaders(
    templates: Mapping[str, str], imports: Mapping[str, list[str]], read: Read
) -> dict[str, set[str | None]]:
    """The entries, which pages or scripts load, and what loads each: entries, or None for a page.

    A page that extends `base.html` has run the entry of that first.
    """
    loads: dict[str, set[str | None]] = defaultdict(set)
    first = next(iter(_SCRIPT.findall(templates.get(_BASE, ""))), None)
    for page in templates:
        within = _parts(page, templates)
        scripts = [name for part in within for name in _SCRIPT.findall(templates[part])]
        based = page == _BASE or _TEMPLATE.match(templates[page]) is not None
        for name in _SCRIPT.findall(templates[page]):
            loads[name].add(first if based and _BASE in within and name != first else None)
        mounting = [name for name in scripts if _MOUNTS.search(read(name))]
        for name in (name for part in within for name in _PART.findall(templates[part])):
            loads[name].update(mounting)
    later = {name: _LATER_ENTRY.findall(_COMMENT.sub("", read(name))) for name in imports}
    targets = {_resolved(name, path) for name, paths in later.items() for path in paths}
    for entry in {*loads, *targets}:
        for module in _reached(entry, imports):
            for path in later[module]:
                loads[_resolved(module, path)].add(entry)
    return dict(loads)


def _resolved(module: str, path: str) -> str:
    """The name of what `module` imports from `path`."""
    return normpath(join(dirname(module), path))


def _parts(page: str, templates: Mapping[str, str]) -> set[str]:
    """A template, and all that it extends or includes."""
    within: set[str] = set()
    left = [page]
    while left:
        name = left.pop()
        if name in templates and name not in within:
            within.add(name)
            left += _TEMPLATE.findall(templates[name])
    return within


def had(
    loads: Mapping[str, set[str | None]], imports: Mapping[str, list[str]]
) -> dict[str, frozenset[str]]:
    """For each entry, the modules that have run in every page before it is loaded."""
    reached = {name: _reached(name, imports) for name in loads}
    before = {name: frozenset(imports) for name in loads}
    while True:
        now = {
            name: frozenset.intersection(
                *(reached[each] | before[each] if each else frozenset() for each in by)
            )
            for name, by in loads.items()
        }
        if now == before:
            return {name: modules - {name} for name, modules in now.items()}
        before = now


def _reached(module: str, imports: Mapping[str, list[str]]) -> frozenset[str]:
    """A module, and all that it imports."""
    found: set[str] = set()
    left = [module]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += imports[name]
    return frozenset(found)


def imports_of(module: str, source: str) -> list[str]:
    """The modules that a module imports itself, but for vendored ones."""
    names = (_resolved(module, path) for _, path in _IMPORT.findall(_COMMENT.sub("", source)))
    return [name for name in names if _VENDOR not in name]


def minified(script: str) -> Minified:
    """Minify a script. A comment marks each line's beginning until that is known.

    Raises JoinError.
    """
    if refused := _TEMPLATE_WITHIN.search(script):
        raise JoinError(f"cannot join {refused[0]!r}: a template within a template")
    source = _COMMENT.sub(_lines_only, script).replace("\n", f"\n{_LINE}")
    pieces = rjsmin.jsmin(_LINE + source, keep_bang_comments=True).split(_LINE)[1:]
    ends = list(accumulate(map(len, pieces)))
    return Minified("".join(pieces), [0, *ends[:-1]])


def minified_style(sheet: str) -> str:
    """A sheet without comments and spaces.

    Inside of blocks rcssmin takes a selector's `.a :hover` for a declaration, hence `.a *:hover`.
    """
    return str(rcssmin.cssmin(_WITHIN.sub(" *", sheet)))


def joined_style(entry: str, read: Read) -> str:
    """The style sheet `entry` with those it imports, in their places. Raises JoinError."""

    def imported(statement: re.Match[str]) -> str:
        name = _resolved(entry, statement[1])
        body = joined_style(name, read)
        relative = _RELATIVE_URL.search(body)
        if relative and dirname(name) != dirname(entry):
            raise JoinError(f"{name}: {relative[0]!r} would be relative to {entry}")
        return body

    body = _STYLE.sub(imported, read(entry))
    if left := _STYLE_NOT_JOINED.search(body):
        raise JoinError(f"{entry}: cannot join {left[0]!r}")
    return body


def joined(entry: str, read: Read, had: AbstractSet[str] = frozenset()) -> Bundle:
    """The module `entry` with its imports, less those that its pages had. Raises JoinError."""
    parts = [_MODULES]
    places: dict[str, list[int]] = {}
    taken: set[str] = set()
    opened: list[str] = []

    def take_in(name: str) -> str:
        """The variable of a module's exports. It is defined before use."""
        if name in opened:
            raise JoinError(f"{' > '.join(opened)} > {name}: a circle")
        if name in taken:
            return _variable(name)
        taken.add(name)
        if _VENDOR in name:
            path = relpath(name, dirname(entry))
            parts.append(f'import*as {_variable(name)} from"./{path}";')
            return _variable(name)
        if name in had:
            parts.append(f"const {_variable(name)}=$modules[{json.dumps(name)}];")
            return _variable(name)
        opened.append(name)
        body = _without_imports(name, read(name), take_in)
        later = None if name == entry else _LATER.search(_LATER_ENTRY.sub("", body))
        if refused := later or _WAITING.search(body):
            raise JoinError(f"{name}: cannot join {refused[0]!r}")
        before, inside, after = _scope(name, _placed(body, name, entry))
        start = sum(map(len, parts)) + len(before)
        places[name] = [start + line for line in inside.lines]
        parts.extend((before, inside.text, after))
        opened.pop()
        return _variable(name)

    parts.append(f"export const {{{','.join(_exported(read(entry)))}}}={take_in(entry)};\n")
    return Bundle("".join(parts), places)


def _placed(body: str, name: str, entry: str) -> str:
    """A module's code with the addresses that it makes, as they are in the file of `entry`."""

    def moved(later: re.Match[str]) -> str:
        path = relpath(_resolved(name, later[1]), dirname(entry))
        return later[0].replace(later[1], f"./{path}")

    here = f"new URL({json.dumps(relpath(name, dirname(entry)))}, import.meta.url)"
    return _LATER_ENTRY.sub(moved, body).replace("import.meta.url", here)


def _without_imports(name: str, source: str, take_in: Read) -> str:
    """A module that reads its imports from variables."""

    def imported(statement: re.Match[str]) -> str:
        module = take_in(_resolved(name, statement[2]))
        return f"const {{{statement[1].replace(' as ', ': ')}}} = {module};"

    body = _IMPORT.sub(imported, _COMMENT.sub(_lines_only, source))
    if left := _NOT_JOINED.search(body):
        raise JoinError(f"{name}: cannot join {left[0]!r}")
    return body


def _lines_only(comment: re.Match[str]) -> str:
    """The comment's line ends, which keep the numbers of the lines of code."""
    return "\n" * comment[0].count("\n")


def place_in(bundle: Bundle, line: int, column: int) -> tuple[str, int] | None:
    """The module that a place in a bundle is of, and which line of it. Both count from 1."""
    before = bundle.text.split("\n")[: line - 1]
    at = sum(len(text) + 1 for text in before) + column - 1
    begun = [(lines[0], name) for name, lines in bundle.places.items() if lines[0] <= at]
    if not begun:
        return None
    _, name = max(begun)
    return name, bisect_right(bundle.places[name], at)


def _scope(name: str, body: str) -> tuple[str, Minified, str]:
    """A module's body in a function of its own, run where it has not been run in this page."""
    inside = minified(_EXPORT_LIST.sub("", _EXPORT.sub(r"\1", body)))
    kept = f"{_variable(name)}=$modules[{json.dumps(name)}]"
    exports = ",".join(_exported(body))
    return f"const {kept}??=(()=>{{", inside, f"\nreturn{{{exports}}}}})();"


def _exported(body: str) -> list[str]:
    names = [statement[2] for statement in _EXPORT.finditer(body)]
    return names + [statement[1].strip() for statement in _EXPORT_LIST.finditer(body)]


def _variable(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))
