"""How large a class may be, what things in it may be called, and why something is refused."""

from __future__ import annotations

from typing import Final

from games.records.shape import legible, one_line
from games.records.strict import Malformed

MOST_MEMBERS: Final = 100
"""Coaches and pupils of a class."""
MOST_CLASSES: Final = 50
"""Classes that one account may be in."""
LONGEST_CLASS: Final = 100
LONGEST_NAME: Final = 60


class ClassError(ValueError):
    """Something that a class does not allow; the message, a sentence, says why."""


def one_name(text: str, most: int, kind: str) -> str:
    """A name on one line, without what nobody sees; `kind`: what it names. Raises ClassError."""
    plain = " ".join(text.split())
    if not plain:
        raise ClassError(f"{kind} needs a name.")
    if len(plain) > most:
        raise ClassError(f"At most {most} characters, not {len(plain)}: {plain[:20]}…")
    try:
        return legible(one_line(plain, kind, most, "a name"), kind)
    except Malformed as error:
        raise ClassError(f"{error}.") from None
