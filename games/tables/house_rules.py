"""House rules in a few words each, for people choosing a table or looking at its match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from games.engine.editions import EDITIONS, Rules

_CHOICES: Final[Mapping[str, tuple[str, str]]] = {
    "wild_starts": ("no wild starts a stack", "a wild can start a stack"),
    "wild_as_number": ("a wild never stays", "a wild can stay as a number"),
    "refill_before_play": ("play with fewer than three in hand", "refill before each play"),
    "refill_before_discard": ("discard with fewer than three", "refill before each discard"),
    "floor_at_zero": ("round scores can be negative", "no negative round scores"),
}
_TIMES: Final[Mapping[str, tuple[str, str]]] = {
    "tie_window_ms": ("no ties", "ties within {}"),
    "one_hand_ms": ("no wait between moves", "{} between moves"),
    "mistake_ms": ("mistakes cost no time", "a mistake costs {}"),
    "stall_ms": ("rounds never stall", "stalled after {} without a play"),
}
_OUT: Final = {
    "shout": "a round ends when somebody shouts OUT",
    "empty": "a round ends when somebody has no cards left",
}
_ELSEWHERE: Final = ("target", "speedy")
"""Fields that a table's row shows anyway."""


def words_of(overrides: Mapping[str, Any]) -> list[str]:
    """Each rule that differs from the edition's, in words."""
    return [_words(*rule) for rule in overrides.items() if rule[0] not in _ELSEWHERE]


def differences(edition: str, rules: Rules) -> list[str]:
    """What a match was played by and its edition does not say, its length included."""
    usual = asdict(EDITIONS[edition])
    others = {name: value for name, value in asdict(rules).items() if value != usual[name]}
    length = [f"to {rules.target} points"] if "target" in others and not rules.speedy else []
    return [*(["one round"] if rules.speedy else []), *length, *words_of(others)]


def idle_words(bot_after_ms: int) -> str:
    """When a bot plays on for an idle player, in words."""
    if not bot_after_ms:
        return "no bot plays on for idle players"
    return f"a bot plays on for players idle for {_duration(bot_after_ms)}"


def _words(name: str, value: Any) -> str:
    if name in _CHOICES:
        return _CHOICES[name][bool(value)]
    if name in _TIMES:
        return _TIMES[name][bool(value)].format(_duration(value))
    return _OUT[value] if name == "out" else f"another {name}"


def _duration(ms: int) -> str:
    return f"{ms} ms" if ms < 1_000 else f"{ms / 1_000:g} s"
