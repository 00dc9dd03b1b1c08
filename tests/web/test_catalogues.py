"""Texts are collected from code and templates, compiled as they are read, and plain."""

import gettext
import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from deploy.words import (
    Text,
    WordsError,
    admin_names,
    catalogue_path,
    collected,
    compile_all,
    languages,
    read,
    texts_of,
    updated,
    written,
)

VALUE = re.compile(r"\{[^{}]+\}|%\(\w+\)[sd]|</?\w+")
PYTHON = '''
LABEL = _("A label")
def say(n):
    """`gettext("no call")`"""
    return f"{ngettext('{count} card', '{count} cards', n)} {_('in a value')}", other("no text")
words = pgettext("verb", "Open").format(name=translation.gettext("It’s nested"))
told = plural("{player} took {count}.", "{player} took {count} cards.", count=Message("Inside"))
'''
SCRIPT = r"""
import { gettext, ngettext } from "../words/gettext.js";
const said = `can't ${gettext("in a template")} ${gettext('a "quoted" one', {
  n: ngettext("{count} one", "{count} many", n) })}`;
const regular = /"/; show(pgettext("verb", "Open"), gettext(
  "broken " + "in two",
));
"""
TEMPLATE = """{% load i18n %}
    <p title="{% translate "A title" %}">{% translate 'It is 100%' context "share" %}</p>
  {% blocktranslate trimmed count n=cards|length %}
    One <b>card</b> of {{ name }}
  {% plural %}
    {{ n }} cards’ of {{ name }}
  {% endblocktranslate %}
{% if x %}{{ day|date:_("j M Y") }}{% endif %}
"""


def test_texts_of_python_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(PYTHON)
    assert [*texts_of(tmp_path / "a.py")] == [
        Text("A label"),
        Text("{count} card", "{count} cards"),
        Text("in a value"),
        Text("Open", context="verb"),
        Text("It’s nested"),
        Text("{player} took {count}.", "{player} took {count} cards."),
        Text("Inside"),
    ]


def test_texts_of_scripts_are_found_in_templates_and_in_values(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text(SCRIPT)
    assert [*texts_of(tmp_path / "a.js")] == [
        Text("in a template"),
        Text('a "quoted" one'),
        Text("{count} one", "{count} many"),
        Text("Open", context="verb"),
        Text("broken in two"),
    ]


def test_texts_of_templates_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(TEMPLATE)
    assert [*texts_of(tmp_path / "a.html")] == [
        Text("A title"),
        Text("It is 100%%", context="share"),
        Text("One <b>card</b> of %(name)s", "%(n)s cards’ of %(name)s"),
        Text("j M Y"),
    ]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("a.py", 'x = _(f"{n} cards")'),
        ("a.js", "x = gettext(`${n} cards`);"),
        ("a.js", "gettext(text)"),
    ],
)
def test_what_no_catalogue_could_have_is_refused_with_its_line(
    tmp_path: Path, name: str, code: str
) -> None:
    (tmp_path / name).write_text(f"\n{code}\n")
    with pytest.raises(WordsError, match=rf"{name}:2: "):
        [*texts_of(tmp_path / name)]


def test_a_catalogue_keeps_its_translations_and_is_compiled(tmp_path: Path) -> None:
    rooms = tmp_path / "games" / "static"
    rooms.mkdir(parents=True)
    (rooms / "a.js").write_text('gettext("Play"); pgettext("verb", "Open"); gettext("Not yet");')
    (rooms / "a.py").write_text(
        '_("Play"), _("Report"), ngettext("{count} card", "{count} cards", 2)'
    )
    path = catalogue_path("de", tmp_path)
    path.parent.mkdir(parents=True)
    catalogue = updated("de", collected(tmp_path), tmp_path)
    for text, said in (("Play", "Spielen"), ("{count} card", ("{count} Karte", "{count} Karten"))):
        catalogue[text].string = said
    in_context = catalogue.get("Open", "verb")
    assert in_context
    in_context.string = "Öffnen"
    catalogue.add("No longer there", "Fort")
    path.write_bytes(written(catalogue))
    path.write_bytes(written(updated("de", collected(tmp_path), tmp_path)))
    assert "Fort" not in path.read_text()
    assert 'msgid "Report"\nmsgstr ""\n' in path.read_text()
    assert path.read_bytes() == written(updated("de", collected(tmp_path), tmp_path))

    compiled, script = compile_all(tmp_path).values()
    django = gettext.GNUTranslations(BytesIO(compiled))
    assert django.ngettext("{count} card", "{count} cards", 2) == "{count} Karten"
    assert [django.gettext("Play"), django.gettext("Not yet")] == ["Spielen", "Not yet"]
    said = script.decode().partition("texts: ")[2].removesuffix(" };\n")
    assert json.loads(said) == {"Play": "Spielen", "verb\4Open": "Öffnen"}


def forms(text: str | Sequence[str]) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def values(text: str) -> list[str]:
    """The values and tags in a text."""
    return sorted(VALUE.findall(text))


@cache
def every_text() -> Catalog:
    return collected(names=admin_names())


@pytest.mark.parametrize("language", languages())
def test_a_catalogue_has_every_text(language: str) -> None:
    now = written(updated(language, every_text()))
    assert catalogue_path(language).read_bytes() == now, "run `make words`"


def test_the_catalogues_are_compiled() -> None:
    for path, content in compile_all().items():
        assert path.read_bytes() == content, f"run `make words`: {path.name}"


@pytest.mark.parametrize("language", languages())
def test_translations_have_the_values_and_forms_of_their_texts(language: str) -> None:
    catalogue = read(language)
    for message in catalogue:
        said = forms(message.string or "")
        if message.id and any(said):
            assert len(said) in (1, catalogue.num_plurals), message.id
            assert all(said), message.id
            assert values(said[-1]) == values(forms(message.id)[-1]), message.id
            known = {value for text in forms(message.id) for value in values(text)}
            assert known.issuperset(value for text in said for value in values(text)), message.id


@pytest.mark.parametrize("language", languages())
def test_gettext_accepts_the_catalogue(language: str) -> None:
    """What `msgfmt -c` refuses."""
    faults = [
        f"{fault} ({message.id!r})"
        for message, faults in read(language).check()
        for fault in faults
    ]
    assert not faults, "\n".join(faults)


def test_a_number_has_a_no_break_space_before_its_unit() -> None:
    loose = re.compile(r"(?:\d|\}|\)[sd]) (?:%%?|ms|s|MiB)(?![\w(])")
    faults = [
        said for message in read("de") for said in forms(message.string or "") if loose.search(said)
    ]
    assert not faults, "\n".join(faults)


# Plain words


BANNED = {
    r"\b(?:no|some|every|any)body\b": "say no one, someone, everyone, or name the role",
    r"\bwho(?:m)?ever\b": "say players who, anyone who",
    r"(?:^|[.:;] )(?:Of (?:a|an|each|all|these|those)|(?:To|From|Of) whom|As far as)\b": (
        "begin with the subject"
    ),
    r"\b(?:is|are|was|were) told\b|\btells\b": "say shows, sees or lists",
    r"\b(?:holds|stands for|lets)\b": "say has, is or allows",
    r"\bwin probability\b|\bodds\b": "say chance to win",
    r"\bthe highlights\b": "say moments, which are key plays",
    r"\bplays on for\b|: a bot plays on": "say a bot takes over",
    r"\bpieces? of news\b|\bunread news\b": "say notification",
    r"\w …": "no space before an ellipsis",
    r"[a-z’]; [a-z]": "make two sentences",
}
"""Each form, with what to do instead."""
GIVEN = re.compile(r"\{\w*\}|%\(\w+\)s|<[^>]*>")
WORDS = re.compile(r"[A-Za-z]{2,} [a-z]|[a-z] …")


def found(text: str) -> Iterator[str]:
    """Why a text is not plain."""
    words = " ".join(GIVEN.sub("X", text).split())
    if WORDS.search(words):
        for form, reason in BANNED.items():
            if match := re.search(form, words, re.IGNORECASE if form.startswith(r"\b") else 0):
                yield f"{match[0]!r}: {reason}"


def test_the_screen_speaks_plainly() -> None:
    faults = [
        f"{why} ({text[:90]})"
        for message in every_text()
        for text in forms(message.id)
        for why in found(text)
    ]
    assert not faults, "\n".join(faults)


def test_the_forms_are_found() -> None:
    assert [*found("Nobody plays on for you.")] != []
    assert [*found("Saving …")] != []
    assert [*found("A card fits; play it.")] != []
    assert [*found("<b>{name}</b> holds %(count)s cards")] != []
    assert [*found("No one is here yet.")] == []
