"""The rules for readers, with the differences between editions, and the proof of each deal."""

from typing import Final, NamedTuple
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games.engine.editions import DEFAULT_EDITION, EDITION_NAMES, EDITIONS
from games.pages.words import together


class Difference(NamedTuple):
    """A row of the table: a question, and each edition's answer."""

    label: str
    values: list[str]


_OUT: Final = {"shout": _("a player shouts OUT"), "empty": _("a player has no cards left")}
_IF: Final = {True: _("yes"), False: _("no")}
_ANSWERS: Final = {
    "out": _OUT,
    "wild_starts": _IF,
    "wild_as_number": _IF,
    "refill_before_play": _IF,
    "floor_at_zero": {True: _("no"), False: _("yes")},
}
_QUESTIONS: Final = {
    "out": _("A round ends when"),
    "wild_starts": _("A wild can start a stack"),
    "wild_as_number": _("A wild can be played as a number instead"),
    "refill_before_play": _("Draw up to three before each play"),
    "floor_at_zero": _("Round scores can be negative"),
}


def differences() -> list[Difference]:
    """The differences between editions, in the order a reader would ask."""
    editions = EDITIONS.values()
    counts = [
        Difference(str(_("Cards in a deck")), [str(sum(rules.deck)) for rules in editions]),
        Difference(str(_("Points that end a match")), [str(rules.target) for rules in editions]),
    ]
    rows = [
        Difference(
            str(question),
            [str(_ANSWERS[name][getattr(rules, name)]) for rules in editions],  # type: ignore[index]
        )
        for name, question in _QUESTIONS.items()
    ]
    return [row for row in (*counts, *rows) if len(set(row.values)) > 1]


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    def names(out: str | None = None) -> list[str]:
        return [EDITION_NAMES[key] for key, rules in EDITIONS.items() if out in (None, rules.out)]

    context = {
        "names": names(),
        "target": EDITIONS[DEFAULT_EDITION].target,
        "rows": differences(),
        "shouting": together(names("shout")),
        "emptying": together(names("empty")),
    }
    return render(request, "games/rules.html", context)


CHECK: Final = """\
import json, sys
from hashlib import sha256
from itertools import count
from struct import pack, unpack

for line in map(json.loads, open(sys.argv[1], encoding="utf-8")):
    for seat, deck in enumerate(line["decks"] if "fair" in line else []):
        seed, salts = bytes.fromhex(line["fair"]["seed"]), map(bytes.fromhex, line["fair"]["salts"])
        salted = b"".join(bytes([len(salt)]) + salt for salt in salts)
        head = b"ratuki deal 1\\0" + seed + pack(">HB", line["round"], seat) + salted
        words = (w for j in count() for w in unpack(">8I", sha256(head + pack(">I", j)).digest()))
        cards = sorted(deck.split())
        for k in range(len(cards) - 1, 0, -1):
            w = next(w for w in words if w < 2**32 - 2**32 % (k + 1)) % (k + 1)
            cards[k], cards[w] = cards[w], cards[k]
        true = sha256(seed).hexdigest() == line["fair"]["commit"] and deck.split() == cards
        print("round", line["round"], "deck", deck[0], "as committed" if true else "IS WRONG")
"""
"""A program for readers: whether each deck of a record follows from its seed and salts."""


@require_safe
def fair_play(request: HttpRequest) -> HttpResponse:
    program = f"data:text/x-python;charset=utf-8,{quote(CHECK)}"
    return render(request, "games/fair_play.html", {"check": CHECK, "program": program})
