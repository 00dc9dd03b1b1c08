"""What is proved of each match played here, in plain words, and how to check it oneself."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

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
    """The page."""
    return render(request, "games/fair_play.html", {"check": CHECK})
