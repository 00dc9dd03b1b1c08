"""Counts and lists in words, the same on pages, in charts and in command output."""

from __future__ import annotations

from collections.abc import Iterable


def counted(count: int, noun: str, nouns: str = "") -> str:
    """`1 card`, `2 cards`; `nouns` is the plural if adding an s is not enough."""
    return f"{count} {noun if count == 1 else nouns or noun + 's'}"


def joined(words: Iterable[str], conjunction: str = "and") -> str:
    """`a`, `a and b` or `a, b and c`; empty without words."""
    *first, last = [*words] or [""]
    return f"{', '.join(first)} {conjunction} {last}" if first else last
