"""Counts in words, in the output of commands and in the admin."""


def counted(count: int, noun: str, nouns: str = "") -> str:
    """`1 card`, `2 cards`. `nouns` is the plural if adding an s is not enough."""
    return f"{count} {noun if count == 1 else nouns or noun + 's'}"
