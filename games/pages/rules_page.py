"""The rules for readers, with the differences between editions."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.engine.editions import EDITION_NAMES, EDITIONS, Rules


class Difference(NamedTuple):
    """A row of the table: a question, and each edition's answer."""

    label: str
    values: list[str]


_ANSWERS: Final = {
    "out": {"shout": "a player shouts OUT", "empty": "a player has no cards left"},
    "wild_starts": {True: "yes", False: "no"},
    "wild_as_number": {True: "yes", False: "no"},
    "refill_before_play": {True: "yes", False: "no"},
    "floor_at_zero": {True: "no", False: "yes"},
}
_QUESTIONS: Final = {
    "out": "A round ends when",
    "wild_starts": "A wild can start a stack",
    "wild_as_number": "A wild can stay as a number",
    "refill_before_play": "Draw up to three before each play",
    "floor_at_zero": "Round scores can be negative",
}


def differences() -> list[Difference]:
    """The differences between editions, in the order a reader would ask."""
    cards = Difference("Cards in a deck", [str(_cards(rules)) for rules in EDITIONS.values()])
    rows = [
        Difference(
            question,
            [_ANSWERS[name][getattr(rules, name)] for rules in EDITIONS.values()],  # type: ignore[index]
        )
        for name, question in _QUESTIONS.items()
    ]
    return [cards, *rows]


def _cards(rules: Rules) -> int:
    return sum(rules.deck)


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The rules."""
    names = [EDITION_NAMES[edition] for edition in EDITIONS]
    return render(request, "games/rules.html", {"names": names, "rows": differences()})
