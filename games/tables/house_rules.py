"""House rules in a few words each, for people choosing a table or looking at its match."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.engine.editions import EDITIONS, Rules

_CHOICES: Final[Mapping[str, tuple[str, str]]] = {
    "wild_starts": (
        gettext_noop("no wild starts a stack"),
        gettext_noop("a wild can start a stack"),
    ),
    "wild_as_number": (
        gettext_noop("a wild never stays"),
        gettext_noop("a wild can stay as a number"),
    ),
    "refill_before_play": (
        gettext_noop("play with fewer than three in hand"),
        gettext_noop("refill before each play"),
    ),
    "refill_before_discard": (
        gettext_noop("discard with fewer than three"),
        gettext_noop("refill before each discard"),
    ),
    "floor_at_zero": (
        gettext_noop("round scores can be negative"),
        gettext_noop("no negative round scores"),
    ),
}
_TIMES: Final[Mapping[str, tuple[str, str]]] = {
    "tie_window_ms": (gettext_noop("ties off"), gettext_noop("ties within {time}")),
    "one_hand_ms": (gettext_noop("no wait between moves"), gettext_noop("{time} between moves")),
    "mistake_ms": (gettext_noop("mistakes cost no time"), gettext_noop("a mistake costs {time}")),
    "stall_ms": (
        gettext_noop("rounds never stall"),
        gettext_noop("stalled after {time} without a play"),
    ),
}
_OUT: Final = {
    "shout": gettext_noop("a round ends when someone shouts OUT"),
    "empty": gettext_noop("a round ends when someone has no cards left"),
}
_ELSEWHERE: Final = ("target", "speedy")
"""Fields that a table's row shows anyway."""


def words_of(overrides: Mapping[str, Any]) -> list[str]:
    """Each rule that differs from the edition's, in words."""
    return [_words(*rule) for rule in overrides.items() if rule[0] not in _ELSEWHERE]


def differences(edition: str, rules: Rules) -> list[str]:
    """A match's length, and what else its edition does not say."""
    usual = asdict(EDITIONS[edition])
    others = {name: value for name, value in asdict(rules).items() if value != usual[name]}
    return [length_words(rules.target, speedy=rules.speedy), *words_of(others)]


def length_words(target: int, *, speedy: bool) -> str:
    """How long a match is to last."""
    return _("one round") if speedy else _("to {target} points").format(target=target)


def idle_words(bot_after_ms: int) -> str:
    """When a bot plays on for an idle player, in words."""
    if not bot_after_ms:
        return _("no bot takes over for idle players")
    words = _("a bot takes over for players idle for {time}")
    return words.format(time=_duration(bot_after_ms))


def _words(name: str, value: Any) -> str:
    if name in _CHOICES:
        return _(_CHOICES[name][bool(value)])
    if name in _TIMES:
        return _(_TIMES[name][bool(value)]).format(time=_duration(value))
    return _(_OUT[value]) if name == "out" else _deck(value)


def _deck(counts: Sequence[int]) -> str:
    ones, twos, threes, fours, fives, wilds = counts
    return _(
        "{count} cards in a deck"
        " (1: {ones}, 2: {twos}, 3: {threes}, 4: {fours}, 5: {fives}, wild: {wilds})"
    ).format(
        count=sum(counts),
        ones=ones,
        twos=twos,
        threes=threes,
        fours=fours,
        fives=fives,
        wilds=wilds,
    )


def _duration(ms: int) -> str:
    if ms < 1_000:
        return _("{ms} ms").format(ms=ms)
    return _("{seconds} s").format(seconds=number_format(f"{ms / 1_000:g}"))
