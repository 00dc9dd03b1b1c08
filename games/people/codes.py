"""Codes on paper, as a child logs in with: four signs, thrice, with hyphens between them."""

import unicodedata
from secrets import choice
from typing import Final

_SIGNS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without those that look like others on paper."""
_LENGTH: Final = 12
"""Signs of a code: 31^12, some 59 bits."""
_GROUP: Final = 4


def new_code() -> str:
    return _grouped("".join(choice(_SIGNS) for _ in range(_LENGTH)))


def as_code(typed: str) -> str:
    """The code that somebody may mean: in capitals, without hyphens, with spaces or dashes.

    Empty if it is none.
    """
    plain = unicodedata.normalize("NFKC", typed).casefold()
    signs = "".join(sign for sign in plain if unicodedata.category(sign) not in _BETWEEN)
    code = len(signs) == _LENGTH and set(signs) <= set(_SIGNS)
    return _grouped(signs) if code else ""


_BETWEEN: Final = frozenset(("Pd", "Pc", "Zs", "Zl", "Zp", "Cc", "Cf", "Sm"))
"""Dashes, blanks, invisible characters, and the minus sign."""


def _grouped(signs: str) -> str:
    return "-".join(signs[at : at + _GROUP] for at in range(0, _LENGTH, _GROUP))
