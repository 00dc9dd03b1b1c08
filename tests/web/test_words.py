"""The words of templates and scripts are plain: no form that readers stumble over.

Only what people read is looked at: a template's text and attributes, a script's strings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.services import ROOT

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
SKIPPED = re.compile(
    r"\{%.*?%\}|\{#.*?#\}|\{\{.*?\}\}|<script.*?</script>|<svg.*?</svg>|<code.*?</code>", re.DOTALL
)
MARKED = re.compile(r"\{% translate ([\"'])(.*?)\1[^%]*%\}")
HANDED_ON = re.compile(r"\b_\(([\"'])(.*?)\1\)")
READ_ATTRIBUTE = re.compile(r'\b(?:title|aria-label|placeholder|alt|data-words)="([^"]*)"')
STRING = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"((?:\\.|[^\"\\\n])*)\"|'((?:\\.|[^'\\\n])*)'|`((?:\\.|[^`\\])*)`",
    re.DOTALL,
)
WORDS = re.compile(r"[A-Za-z]{2,} [a-z]|[a-z] …")


def template_texts(source: str) -> Iterator[str]:
    source = re.sub(r"\{% comment %\}.*?\{% endcomment %\}", "", source, flags=re.DOTALL)
    source = MARKED.sub(r"\2", source)
    yield from (text for _, text in HANDED_ON.findall(source))
    source = SKIPPED.sub(" X ", source)
    yield from READ_ATTRIBUTE.findall(source)
    yield from re.split(r"<[^>]*>|\n\s*\n", source)


def script_texts(source: str) -> Iterator[str]:
    for match in STRING.finditer(source):
        text = next((group for group in match.groups() if group), "")
        if "*/" not in text:  # of nested templates the middle is no string
            yield re.sub(r"\$\{[^{}]*\}", "X", text)


def texts() -> Iterator[tuple[Path, str]]:
    """What people read, with its file."""
    for path in sorted((ROOT / "templates").rglob("*")):
        if path.is_file():
            yield from ((path, text) for text in template_texts(path.read_text()))
    for room in ("games/static/games", "replays/static/replays"):
        for path in sorted((ROOT / room).rglob("*.js")):
            if "vendor" not in path.parts:
                yield from ((path, text) for text in script_texts(path.read_text()))


def found(text: str) -> Iterator[str]:
    """Why a text is not plain."""
    words = " ".join(text.split())
    if WORDS.search(words):
        for form, reason in BANNED.items():
            if match := re.search(form, words, re.IGNORECASE if form.startswith(r"\b") else 0):
                yield f"{match[0]!r}: {reason}"


def test_the_screen_speaks_plainly() -> None:
    faults = [
        f"{path.relative_to(ROOT)}: {why} ({' '.join(text.split())[:90]})"
        for path, text in texts()
        for why in found(text)
    ]
    assert not faults, "\n".join(faults)


def test_the_forms_are_found() -> None:
    assert [*found("Nobody plays on for you.")] != []
    assert [*found("Saving …")] != []
    assert [*found("A card fits; play it.")] != []
    assert [*found("No one is here yet.")] == []
    assert "See X" in template_texts('<a title="See X">Play on</a>{% if x %}no{% endif %}')
    assert "See" in template_texts("""<a title="{% translate 'See' %}">A</a>""")
    assert "No" in template_texts('{% include "x.html" with title=_("No") %}')
    assert [*script_texts('say("A" + `b ${c} d`) // "nobody"')] == ["A", "b X d", ""]
