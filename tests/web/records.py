"""Matches for tests of storage and pages: played once by bots, then seated as a test likes."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model

from games.archive.packing import pack
from games.archive.store import insert
from games.bots.roster import mixed
from games.bots.simulate import Setting, lines
from games.engine.editions import house_rules
from games.engine.events import Deal, Tie
from games.models import Match
from games.records.log import Header, Line, Note, Seat

MATCHES = sorted((Path(__file__).parent.parent / "matches").glob("*.ratuki"))
numbers = count(1)


@cache
def played(players: int, edition: str, seed: int, target: int = 0) -> tuple[Line, ...]:
    """A record of one round, or of a match to a target, without names worth keeping."""
    rules = house_rules(edition, {"target": target} if target else {"speedy": True})
    return tuple(lines(Setting(edition, rules, mixed(players), seed), 0))


def record(
    *names: str,
    kinds: str | Sequence[str] = "human",
    edition: str = "usaopoly-2009",
    seed: int = 1,
    target: int = 0,
    **header: Any,
) -> list[Line]:
    """A whole record of players of these names, with an id of its own."""
    names = names or ("Ada", "Bo")
    every = [kinds] * len(names) if isinstance(kinds, str) else kinds
    head, *rest = played(len(names), edition, seed, target)
    assert isinstance(head, Header)
    seats = tuple(Seat(name, kind) for name, kind in zip(names, every, strict=True))
    fields = {"id": f"test-{next(numbers)}", "seats": seats, "tags": (), **header}
    return [replace(head, **fields), *rest]


def store(*names: str, **how: Any) -> Match:
    """A stored match of players of these names."""
    return insert([pack(record(*names, **how))], Match.Origin.SIMULATED)[0]


def store_hosted(*names: str, **how: Any) -> Match:
    """The same, as if it had been played here."""
    return insert([pack(record(*names, **how))], Match.Origin.HOSTED)[0]


def store_played(*names: str, **how: Any) -> Match:
    """The same, by accounts of these names."""
    match = store_hosted(*names, **how)
    for seat in match.seats.filter(kind="human").select_related("player"):
        name = seat.player.name
        seat.user, _ = get_user_model().objects.get_or_create(username=name)
        seat.save()
    return match


def with_note(record: Sequence[Line]) -> list[Line]:
    """The record with a note on its first round."""
    return [*record, Note(1, 3, "Kim", "?!", "Feeds the five.", ("stack:0",))]


def ties(record: Iterable[Line]) -> int:
    """How many ties it has."""
    return sum(isinstance(line, Tie) for line in record)


def rounds(record: Iterable[Line]) -> int:
    """How many rounds it has."""
    return sum(isinstance(line, Deal) for line in record)
