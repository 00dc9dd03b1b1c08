"""The cards' drawings and colours, read from where the board has them.

The drawings are the symbols of `games/board/sprite.js`. The `.card-…` rules of `cards.css` colour
them, with the themes of `tokens.css`. All are files of this release, read once. A file in another
form raises ArtError, which a test would show.
"""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import games
from replays.pictures.fonts import FAMILY

HOME: Final = Path(games.__file__).parent / "static" / "games"
DECKS: Final = 5
PAINTS: Final = (
    *("wood", "felt", "felt-ink", "panel", "ink", "ink-soft"),
    *(f"deck-{deck}" for deck in range(DECKS)),
)
"""The colours that a picture itself is painted with: each is a class of that name."""

_SPRITE: Final = re.compile(r"export const SPRITE = `([^`]*)`;")
_SYMBOL: Final = re.compile(r'(?s)<(symbol|pattern) id="([\w-]+)".*?</\1>')
_STYLES: Final = re.compile(r'data-styles="([^"]+)"')
_TOKEN: Final = re.compile(r"--([\w-]+): ([^;]+);")
_RULE: Final = re.compile(r"(?m)^  ((?:\.card-[\w.-]+(?:,\s+)?)+) \{([^}]*)\}")
_FONT: Final = re.compile(r"font: (\d+) (\d+px)[^;]*;")
_VARIABLE: Final = re.compile(r"var\(--([\w-]+)(?:, ([^)]*))?\)")
_LIGHT_DARK: Final = re.compile(r"light-dark\(([^,]+), ([^)]+)\)")
_DRAWN: Final = ("fill", "stroke", "opacity", "font")


class ArtError(ValueError):
    """The drawings or colours are not where they are expected."""


@cache
def symbols() -> dict[str, str]:
    """Each symbol and pattern, by id."""
    by_id = {symbol[2]: symbol[0] for symbol in _SYMBOL.finditer(_sprite())}
    if not by_id:
        raise ArtError("sprite.js: no symbols")
    return by_id


@cache
def styles() -> tuple[str, ...]:
    """How the copies of a number are drawn, in rotation."""
    declared = _STYLES.search(_sprite())
    if declared is None:
        raise ArtError("sprite.js: no data-styles")
    return tuple(declared[1].split())


def _sprite() -> str:
    sprite = _SPRITE.search((HOME / "board" / "sprite.js").read_text())
    if sprite is None:
        raise ArtError("sprite.js: no text of SPRITE")
    return sprite[1]


@cache
def tokens() -> dict[str, str]:
    """The site's colours by name, as `light-dark(…)` where the themes differ."""
    text = (HOME / "style" / "tokens.css").read_text()
    return {name: value.strip() for name, value in _TOKEN.findall(text)}


def colour(name: str) -> str:
    """A colour of both themes by its name. Raises ArtError."""
    if name not in tokens():
        raise ArtError(f"tokens.css: no --{name}")
    return tokens()[name]


@cache
def style_sheet() -> str:
    """The rules of the board for its drawings and of `PAINTS`, without variables.

    Readers who prefer it see the dark theme.
    """
    return themed([*_card_rules(), *(f".{name}{{fill: {colour(name)}}}" for name in PAINTS)])


def themed(rules: Sequence[str]) -> str:
    """Rules in the light theme's colours, then those that differ for readers who prefer dark."""
    light, dark = ([_LIGHT_DARK.sub(rf"\{theme}", rule) for rule in rules] for theme in (1, 2))
    differing = (rule for rule, other in zip(dark, light, strict=True) if rule != other)
    return f"{''.join(light)}@media (prefers-color-scheme: dark){{{''.join(differing)}}}"


def _card_rules() -> list[str]:
    """A rule in a deck's colours is repeated for each deck: first for the content of a group of
    that deck, then for elements of a deck of their own.
    """
    rules = _RULE.findall((HOME / "style" / "cards.css").read_text())
    if not rules:
        raise ArtError("cards.css: no rules for cards")
    plain: list[str] = []
    inside: list[str] = []
    own: list[str] = []
    for selectors, body in rules:
        declared = _declared(body)
        for selector in re.split(r",\s+", selectors.strip()):
            if "var(--deck" not in declared:
                plain.append(f"{selector}{{{_resolved(declared, 0)}}}")
                continue
            for deck in range(DECKS):
                inside.append(f".deck-{deck} {selector}{{{_resolved(declared, deck)}}}")
                own.append(f".deck-{deck}{selector}{{{_resolved(declared, deck)}}}")
    return plain + inside + own


def _declared(body: str) -> str:
    """The parts of a rule's body that matter for a drawing."""
    body = _FONT.sub(rf"font-weight: \1; font-size: \2; font-family: {FAMILY};", body)
    parts = (part.strip() for part in body.split(";"))
    return ";".join(part for part in parts if part.startswith(_DRAWN))


def _resolved(declared: str, deck: int) -> str:
    def value(variable: re.Match[str]) -> str:
        name, otherwise = variable[1], variable[2]
        if name == "deck" or name.startswith("deck-ink"):
            return colour(f"deck-{deck}{name.removeprefix('deck')}")
        return otherwise or colour(name)

    return _VARIABLE.sub(value, declared)
