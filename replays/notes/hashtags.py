"""Tags in a note's words: `#missed-take` gives the note the tag "missed take".

A tag is the same however it is written: capitals do not matter, and `-`, `_` and a space are one.
So what a text calls `#Missed_take` is what the tag panel's button calls "missed take".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from games.records.log import MAX_LISTED, MAX_TAG

_CODE: Final = re.compile(r"(`+)[^`]+\1")
_TAG: Final = re.compile(r"(?<![\w/#&\\@.])(?<!\]\()#([^\W\d_][\w-]*)")


def with_hashtags(tags: Iterable[str], text: str, known: Iterable[str] = ()) -> list[str]:
    """A note's tags and those that its text names, each once, as many as a note may have.

    `known`: the author's other tags; one of them named in the text is spelled as there.
    """
    listed = list(tags)
    if "#" not in text:
        return listed
    spelled = {_same(tag): tag for tag in (*known, *listed)}
    for word in _words(text):
        tag = spelled.setdefault(_same(word), re.sub(r"[-_]+", " ", word))
        if tag not in listed and len(listed) < MAX_LISTED:
            listed.append(tag)
    return listed


def hashtags(tags: Iterable[str], text: str) -> list[str]:
    """Those of a note's tags that its text names."""
    if "#" not in text:
        return []
    words = {_same(word) for word in _words(text)}
    return [tag for tag in tags if _same(tag) in words]


def _words(text: str) -> Iterator[str]:
    """What follows each `#` before a letter, but in code."""
    for match in _TAG.finditer(_CODE.sub(" ", text)):
        word = match[1].rstrip("-_")
        if len(word) <= MAX_TAG:
            yield word


def _same(tag: str) -> str:
    return re.sub(r"[-_\s]+", " ", tag).strip().casefold()
