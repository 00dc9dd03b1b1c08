"""`python -m deploy.words`: collect the texts to translate, and compile their translations.

Each language has one catalogue, `locale/LANGUAGE/LC_MESSAGES/django.po`. From it come `django.mo`
beside it, for Python and templates, and `games/static/games/words/catalogues/LANGUAGE.js`, for
scripts. docs/how-to/translate.md is for translators.
"""

import ast
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple

import django
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.apps import apps
from django.contrib import admin
from django.utils.translation.template import templatize

ROOT: Final = Path(__file__).parent.parent
_ROOMS: Final = ("games", "ratuki_site", "replays", "templates")
_KINDS: Final = (".html", ".js", ".py", ".txt")
_SKIPPED: Final = frozenset(("catalogues", "commands", "migrations", "training", "vendor"))
_FAULTS: Final = {
    *("BadNameError", "Fault", "JobFault", "Malformed", "NoGhostRaceError", "NoSeatError"),
    *(
        "RecordFault",
        "RosterError",
        "RulesError",
        "TooLargeError",
        "ValidationFault",
        "WordedError",
    ),
}
_TEXTS: Final = {"_", "gettext", "gettext_lazy", "gettext_noop", "Message", *_FAULTS}
_SECONDS: Final = {"Edition", "Persona"}
"""Their second text is one for people. The first is a name."""
_PLURALS: Final = {"ngettext", "ngettext_lazy", "plural"}
_IN_CONTEXT: Final = {"pgettext", "pgettext_lazy"}
_STRING: Final = r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'"""
_LITERAL: Final = rf"\s*((?:{_STRING})(?:\s*\+\s*(?:{_STRING}))*)\s*"
_CALL: Final = re.compile(rf"(?<![\w.])([np]?gettext)\({_LITERAL}[,)]({_LITERAL}[,)])?")
_ANY_CALL: Final = re.compile(r"(?<![\w.])[np]?gettext\(")
_DATES: Final = re.compile(
    rb'^"(?:Project-Id|Report|POT-Creation|PO-Revision|Last-Tr|Language-T|Generated)[^\n]*\n',
    re.MULTILINE,
)
_UNIT: Final = re.compile(r"(\d|\}|\)[sd]) (?=(?:%%?|ms|s|MiB)(?![\w(]))")
_NO_DATE: Final = datetime(2000, 1, 1, tzinfo=UTC)


class WordsError(ValueError):
    """A text that cannot be collected, with its place."""


class Text(NamedTuple):
    """A text as code has it. `many`: its plural, `context`: which meaning it has."""

    text: str
    many: str = ""
    context: str | None = None


def collected(root: Path = ROOT, names: Iterable[str] = ()) -> Catalog:
    """Every text of code and templates, in the order of files and lines. Raises WordsError.

    `names`: texts that the code has elsewhere.
    """
    catalogue = Catalog()
    for path in _sources(root):
        name = path.relative_to(root).as_posix()
        for found in texts_of(path):
            text = (found.text, found.many) if found.many else found.text
            catalogue.add(text, locations=[(name, 0)], context=found.context)
    for text in names:
        catalogue.add(text, locations=[("games/apps.py", 0)])
    return catalogue


def admin_names() -> list[str]:
    """What the admin's pages call the models and fields of ours (`translate_names`)."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ratuki_site.settings")
    django.setup()
    admin.autodiscover()
    found: set[str] = set()
    for model in apps.get_models():
        if model._meta.app_label in _ROOMS and admin.site.is_registered(model):
            page = admin.site.get_model_admin(model)
            for part in (page, *(inline(model, admin.site) for inline in page.inlines)):
                found.update(_names_on(part))
    return sorted(found)


def _names_on(page: Any) -> Iterator[str]:
    meta = page.opts
    yield from (str(meta.verbose_name), str(meta.verbose_name_plural))
    columns = (*getattr(page, "list_display", ()), *getattr(page, "list_filter", ()))
    shown = {*(page.fields or [field.name for field in meta.fields]), *columns}
    for field in meta.fields:
        if field.name in shown - set(page.exclude or ()):
            yield str(field.verbose_name)
            if field.help_text:
                yield str(field.help_text)


def _sources(root: Path) -> Iterator[Path]:
    for room in _ROOMS:
        for path in sorted((root / room).rglob("*")):
            if path.suffix in _KINDS and not _SKIPPED & set(path.parts):
                yield path


def texts_of(path: Path) -> Iterator[Text]:
    """A file's texts. Raises WordsError."""
    source = path.read_text(encoding="utf-8")
    match path.suffix:
        case ".py":
            yield from _in_python(source, path)
        case ".js":
            yield from _in_script(source, path)
        case _:
            yield from _in_template(source)


def _in_python(source: str, path: Path) -> Iterator[Text]:
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        if any(isinstance(value, ast.JoinedStr) for value in call.args) and name in _TEXTS:
            raise WordsError(f"{path}:{call.lineno}: give values by format(), not in an f-string")
        values = [value.value for value in call.args if isinstance(value, ast.Constant)]
        texts = [value for value in values if isinstance(value, str)]
        if texts:
            yield from _meant(name, texts)


def _meant(name: str, texts: list[str]) -> Iterator[Text]:
    """The text of a call with these literals, if it is a call with a text."""
    if name in _TEXTS:
        yield Text(texts[0])
    elif name in _PLURALS and len(texts) > 1:
        yield Text(texts[0], texts[1])
    elif name in _IN_CONTEXT and len(texts) > 1:
        yield Text(texts[1], context=texts[0])
    elif name in _SECONDS and len(texts) > 1:
        yield Text(texts[1])


def _in_script(source: str, path: Path) -> Iterator[Text]:
    literal = {found.start() for found in _CALL.finditer(source)}
    for call in _ANY_CALL.finditer(source):
        if call.start() not in literal and path.name != "gettext.js":
            line = source.count("\n", 0, call.start()) + 1
            raise WordsError(f"{path}:{line}: a text must be a string literal")
    for found in _CALL.finditer(source):
        yield from _meant(found[1], [_joined(part) for part in (found[2], found[4]) if part])


def _joined(literals: str) -> str:
    """The text of one or several literals, which both languages read alike."""
    return "".join(ast.literal_eval(literal) for literal in re.findall(_STRING, literals))


def _in_template(source: str) -> Iterator[Text]:
    # Django leaves calls of gettext, and letters without a meaning: Python's tokens, as long as
    # no line is indented.
    calls = "\n".join(line.lstrip() for line in templatize(source).split("\n"))
    spec: dict[str, Any] = {"_": None, "gettext": None, "ngettext": (1, 2)}
    spec |= {"pgettext": ((1, "c"), 2), "npgettext": ((1, "c"), 2, 3)}
    for _line, text, _comments, context in extract("python", BytesIO(calls.encode()), spec):
        one, many = (text, "") if isinstance(text, str) else (text[0], text[1])
        yield Text(one, many, context)


def languages(root: Path = ROOT) -> list[str]:
    """Those with a catalogue. English is in the code."""
    return sorted(path.parent.name for path in (root / "locale").glob("*/LC_MESSAGES"))


def catalogue_path(language: str, root: Path = ROOT) -> Path:
    return root / "locale" / language / "LC_MESSAGES" / "django.po"


def read(language: str, root: Path = ROOT) -> Catalog:
    """A language's catalogue as it is written. An empty one for a new language."""
    path = catalogue_path(language, root)
    text = path.read_bytes() if path.exists() else b""
    return read_po(BytesIO(text), locale=language)


def updated(language: str, texts: Catalog, root: Path = ROOT) -> Catalog:
    """A language's catalogue with exactly these texts."""
    catalogue = read(language, root)
    catalogue.update(texts, no_fuzzy_matching=True)
    for message in catalogue:
        if isinstance(message.string, str):
            message.string = _tight(message.string)
        elif message.string:
            message.string = tuple(_tight(form) for form in message.string)
    return catalogue


def _tight(text: str) -> str:
    """A translation with no-break spaces between numbers and their units."""
    return _UNIT.sub("\\1\u00a0", text)


def written(catalogue: Catalog) -> bytes:
    """A catalogue as a file, which changes only when its texts do."""
    file = BytesIO()
    catalogue.fuzzy = False
    catalogue.header_comment = "# docs/how-to/translate.md says how."
    write_po(file, catalogue, width=0, include_lineno=False, ignore_obsolete=True)
    head, end, texts = file.getvalue().partition(b"\n\n")
    return _DATES.sub(b"", head + b"\n") + end[1:] + texts


def compiled(catalogue: Catalog) -> bytes:
    """What Django reads."""
    file = BytesIO()
    catalogue.creation_date = catalogue.revision_date = _NO_DATE
    write_mo(file, catalogue)
    return file.getvalue()


def for_scripts(language: str, catalogue: Catalog) -> str:
    """The texts of scripts, as a script that `games/words/gettext.js` reads."""
    texts = {_key(message): _value(message) for message in catalogue if _in_scripts(message)}
    said = json.dumps(texts, ensure_ascii=False, indent=1, sort_keys=True)
    form = f"(n) => Number({catalogue.plural_expr})"
    return f'globalThis.catalogue = {{ language: "{language}", form: {form}, texts: {said} }};\n'


def _in_scripts(message: Message) -> bool:
    places = (name for name, _line in message.locations)
    return bool(message.id and any(_strings(message))) and any(
        name.endswith(".js") for name in places
    )


def _strings(message: Message) -> list[str]:
    """The translation. For a plural, all its forms."""
    said = message.string or ""
    return [said] if isinstance(said, str) else list(said)


def _key(message: Message) -> str:
    text = message.id if isinstance(message.id, str) else message.id[0]
    return f"{message.context}\4{text}" if message.context else text


def _value(message: Message) -> str | list[str]:
    return _strings(message) if isinstance(message.id, tuple | list) else _strings(message)[0]


def compile_all(root: Path = ROOT) -> dict[Path, bytes]:
    """The files made of the catalogues, by path."""
    made: dict[Path, bytes] = {}
    for language in languages(root):
        catalogue = read(language, root)
        made[catalogue_path(language, root).with_suffix(".mo")] = compiled(catalogue)
        script = root / "games/static/games/words/catalogues" / f"{language}.js"
        made[script] = for_scripts(language, catalogue).encode()
    return made


def main(new: list[str]) -> None:
    """Bring every catalogue up to date, and begin those of new languages."""
    texts = collected(names=admin_names())
    for language in sorted({*languages(), *new}):
        catalogue = updated(language, texts)
        path = catalogue_path(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(written(catalogue))
        missing = sum(not all(_strings(message)) for message in catalogue if message.id)
        sys.stdout.write(f"{language}: {len(catalogue)} texts, {missing} not translated\n")
    for made, content in compile_all().items():
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_bytes(content)


if __name__ == "__main__":
    main(sys.argv[1:])
