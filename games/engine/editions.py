"""The editions of the rules, as data, with house rules on top.

No code asks which edition is played. It asks a field of `Rules`. An edition's data never changes
under the same id, so old records stay valid.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, NamedTuple

from games.engine.cards import COPIES
from games.engine.message import WordedError

MAX_MS: Final = 600_000
"""The upper limit for any time in the rules, in ms."""
MIN_TARGET: Final = 100
MAX_TARGET: Final = 1_000
MAX_DECK: Final = 60
"""Cards of one deck."""


class RulesError(WordedError):
    """House rules that are not playable. The message names the field."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything an edition or house rule can decide. Times are in ms.

    The fields are in the order in which records and tables show them.
    """

    deck: tuple[int, ...] = (7, 8, 8, 5, 5, 2)
    """How many of 1, 2, 3, 4, 5 and wilds a deck has."""
    wild_starts: bool = False
    """A wild may start a stack, as a 1."""
    wild_as_number: bool = False
    """A wild may stay on a stack as a number one above or below its top."""
    out: str = "shout"
    """`shout`: a player with no draw or discard pile says OUT. `empty`: having no cards is OUT."""
    refill_before_play: bool = False
    """The hand needs three cards before a play, unless the draw pile is empty."""
    refill_before_discard: bool = True
    """The hand needs three cards before a discard, unless the draw pile is empty."""
    floor_at_zero: bool = False
    """A negative round score counts as 0."""
    tie_window_ms: int = 50
    """Tries on one slot less than this far apart are tied. 0: no ties, the first one counts."""
    one_hand_ms: int = 120
    """The minimum time between two hand movements of a seat."""
    mistake_ms: int = 2_000
    """The minimum time between a mistake and the seat's next hand movement."""
    stall_ms: int = 30_000
    """The round ends when no one has played for this long. 0: never."""
    target: int = 100
    """The total score that wins the match."""
    speedy: bool = False
    """One round decides the match."""

    def __reduce__(self) -> tuple[type[Rules], tuple[Any, ...]]:
        """Support pickle: a compiled instance has no state for pickle to set."""
        return Rules, tuple(getattr(self, field.name) for field in fields(self))

    def differences(self, other: Rules) -> dict[str, object]:
        """The fields that differ from `other`, in order, as JSON values."""
        differing: dict[str, object] = {}
        for field in () if self == other else fields(self):
            value = getattr(self, field.name)
            if value != getattr(other, field.name):
                differing[field.name] = list(value) if field.name == "deck" else value
        return differing


class Edition(NamedTuple):
    number: int
    """In stored data and the models of the analysis. Never changed and never reused."""
    name: str
    in_short: str
    rules: Rules


_EDITIONS: Final[Mapping[str, Edition]] = {
    "usaopoly-2009": Edition(0, "USAopoly 2009", "shout OUT", Rules()),
    "hasbro-2010": Edition(
        1,
        "Hasbro 2010",
        "play until you have no cards",
        # The sheet prints "34 cards" and two wilds but not the mix. We drop one 3.
        Rules(
            deck=(7, 8, 7, 5, 5, 2),
            wild_starts=True,
            wild_as_number=True,
            out="empty",
            refill_before_play=True,
        ),
    ),
    "gamerules": Edition(
        2,
        "GameRules",
        "always three in hand",
        Rules(wild_starts=True, out="empty", refill_before_play=True, floor_at_zero=True),
    ),
}
EDITIONS: Final[Mapping[str, Rules]] = {key: edition.rules for key, edition in _EDITIONS.items()}
EDITION_NAMES: Final[Mapping[str, str]] = {key: edition.name for key, edition in _EDITIONS.items()}
"""The editions' display names."""
EDITION_NUMBERS: Final[Mapping[str, int]] = {
    key: edition.number for key, edition in _EDITIONS.items()
}
IN_SHORT: Final[Mapping[str, str]] = {key: edition.in_short for key, edition in _EDITIONS.items()}
"""The difference of each edition, in a few words."""
DEFAULT_EDITION: Final = "usaopoly-2009"

_TIMES: Final = ("tie_window_ms", "one_hand_ms", "mistake_ms", "stall_ms")


def house_rules(edition: str, overrides: Mapping[str, object] | None = None) -> Rules:
    """An edition's rules, with `overrides` (JSON values) applied.

    Raises RulesError for an unknown edition or field and for a value out of range.
    """
    if edition not in EDITIONS:
        raise RulesError(
            "unknown edition {edition!r}, expected one of {values}",
            edition=edition,
            values=", ".join(EDITIONS),
        )
    known = {field.name for field in fields(Rules)}
    values: dict[str, Any] = {}
    for name, value in (overrides or {}).items():
        if name not in known:
            raise RulesError(
                "unknown rule {name!r}, expected one of {values}",
                name=name,
                values=", ".join(sorted(known)),
            )
        values[name] = _check_rule(name, value)
    rules = replace(EDITIONS[edition], **values)
    if rules.one_hand_ms < rules.tie_window_ms:
        raise RulesError(
            "one_hand_ms must be at least tie_window_ms ({window}), found {found}",
            window=rules.tie_window_ms,
            found=rules.one_hand_ms,
        )
    return rules


def _check_rule(name: str, value: object) -> object:
    if name == "deck":
        return _deck(value)
    if name == "out":
        if value in ("shout", "empty"):
            return value
        raise RulesError("out must be 'shout' or 'empty', found {found!r}", found=value)
    if name in _TIMES:
        return _whole(name, value, 0, MAX_MS)
    if name == "target":
        return _whole(name, value, MIN_TARGET, MAX_TARGET)
    if isinstance(value, bool):
        return value
    raise RulesError("{name} must be true or false, found {found!r}", name=name, found=value)


def _whole(name: str, value: object, low: int, high: int) -> int:
    if type(value) is int and low <= value <= high:
        return value
    raise RulesError(
        "{name} must be a whole number from {low} to {high}, found {found!r}",
        name=name,
        low=low,
        high=high,
        found=value,
    )


def _deck(value: object) -> tuple[int, ...]:
    if not isinstance(value, list | tuple) or len(value) != 6:
        raise RulesError(
            "deck must be six counts (1, 2, 3, 4, 5, wild), found {found!r}", found=value
        )
    counts = tuple(_whole("each count of deck", count, 0, len(COPIES)) for count in value)
    if not 3 <= sum(counts) <= MAX_DECK:
        raise RulesError(
            "deck must have 3 to {most} cards, found {found}", most=MAX_DECK, found=sum(counts)
        )
    return counts
