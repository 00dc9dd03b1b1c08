"""The words of the screen are plain: no form that readers stumble over."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deploy.words import collected

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
VALUE = re.compile(r"\{\w*\}|%\(\w+\)s|<[^>]*>")
WORDS = re.compile(r"[A-Za-z]{2,} [a-z]|[a-z] …")


def texts() -> Iterator[str]:
    """What people read: each text of the catalogue, with its plural."""
    for message in collected():
        yield from [message.id] if isinstance(message.id, str) else message.id


def found(text: str) -> Iterator[str]:
    """Why a text is not plain."""
    words = " ".join(VALUE.sub("X", text).split())
    if WORDS.search(words):
        for form, reason in BANNED.items():
            if match := re.search(form, words, re.IGNORECASE if form.startswith(r"\b") else 0):
                yield f"{match[0]!r}: {reason}"


def test_the_screen_speaks_plainly() -> None:
    faults = [f"{why} ({text[:90]})" for text in texts() for why in found(text)]
    assert not faults, "\n".join(faults)


def test_the_forms_are_found() -> None:
    assert [*found("Nobody plays on for you.")] != []
    assert [*found("Saving …")] != []
    assert [*found("A card fits; play it.")] != []
    assert [*found("<b>{name}</b> holds %(count)s cards")] != []
    assert [*found("No one is here yet.")] == []
