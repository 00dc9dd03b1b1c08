"""Two languages made of the catalogue: what is not in it stays plain on a page.

`la` has accents and is 40 % longer; `yi` is the same from right to left. Their codes are real, as
readers of pages check them, but of languages that Django lacks.
"""

import re
from pathlib import Path
from typing import Final

LEFT, RIGHT = "la", "yi"
_LETTERS: Final = str.maketrans(
    "bcdfghjklmnpqrstvwxyzBCDFGHJKLMNPQRSTVWXYZ", "ƀçďƒĝĥĵķļɱñþɋŕšťṽŵẋýžƁÇĎƑĜĤĴĶĻṀÑÞɊŔŠŤṼŴẊÝŽ"
)
_VOWELS: Final = dict(zip("aeiouAEIOU", "áéíóúÁÉÍÓÚ", strict=True))
_KEPT: Final = re.compile(r"(\{[^{}]*\}|%\(\w+\)[sd]|%%|<[^>]*>|&\w+;|https?:\S+)")
_DATE: Final = re.compile(r"[DjMFYHi ,.:]+")


def accented(text: str) -> str:
    """A text whose every word has letters that English lacks, and more of them."""
    if _DATE.fullmatch(text):
        return text
    parts = _KEPT.split(text)
    return "".join(part if place % 2 else _longer(part) for place, part in enumerate(parts))


def _longer(part: str) -> str:
    letters = (2 * _VOWELS[letter] if letter in _VOWELS else letter for letter in part)
    return "".join(letters).translate(_LETTERS)


def write(locale: Path, static: Path) -> None:
    """Both languages' catalogues: for Django, and among the collected files for scripts."""
    from deploy.words import collected, compiled, for_scripts

    catalogue = collected()
    catalogue.locale = "en"
    for message in catalogue:
        if message.id:
            text = message.id
            message.string = accented(text) if isinstance(text, str) else tuple(map(accented, text))
    for language in (LEFT, RIGHT):
        folder = locale / language / "LC_MESSAGES"
        folder.mkdir(parents=True)
        (folder / "django.mo").write_bytes(compiled(catalogue))
        script = static / "games" / "words" / "catalogues" / f"{language}.js"
        script.write_text(for_scripts("en", catalogue))
