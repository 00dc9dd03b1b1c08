"""Counts in words, the same on pages, in charts and in what commands say."""

from __future__ import annotations


def counted(count: int, noun: str, nouns: str = "") -> str:
    """`1 card`, `2 cards`; `nouns` is the plural where an s alone does not make it."""
    return f"{count} {noun if count == 1 else nouns or noun + 's'}"
