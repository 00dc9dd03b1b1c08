"""Matches played for training and testing: any edition, 2 to 5 seats, some house rules.

A match is determined by its population, seed, index and length, as in `games.bots.simulate`.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from math import exp, log
from random import Random
from typing import Final, NamedTuple

from games.bots.roster import BOTS, bots_tag
from games.bots.simulate import MAX_ROUND_MS, play
from games.bots.view import PublicEvents
from games.engine.cards import SEATS
from games.engine.dealing import shuffled
from games.engine.editions import house_rules
from games.engine.events import MAX_ROUNDS, End
from games.engine.scoring import decided, winners
from games.engine.table import Table
from games.records.log import Header, Line, Result, Seat
from replays.training.bots import LEAVING, SEATERS, Leaving, Seater, SiteBot

POPULATIONS: Final = tuple(SEATERS)
KNOWN: Final = ("roster", "equals")
"""Where the record names the site's bots. The others stand for people."""
_EDITIONS: Final = ("usaopoly-2009", "hasbro-2010", "gamerules")
"""A new edition is added when the models are fitted anew: it changes every match of this file."""
_HOUSE_SHARE: Final = 0.2
_ALIKE_SHARE: Final = 0.1
_HOUSE: Final[tuple[dict[str, object], ...]] = (
    {"speedy": True},
    {"speedy": True},
    {"target": 150},
    {"target": 250},
    {"tie_window_ms": 0},
    {"tie_window_ms": 120},
    {"mistake_ms": 600},
    {"deck": (6, 6, 6, 4, 4, 2)},
    {"deck": (9, 9, 9, 6, 6, 3)},
    {"wild_starts": True},
    {"refill_before_play": True},
    {"floor_at_zero": True},
)
TARGETS: Final = (100, 200, 500, 850, 1_000)
LENGTHS: Final[dict[str, dict[str, object]]] = {
    "": {},
    "one round": {"speedy": True},
    **{f"to {target}": {"speedy": False, "target": target} for target in TARGETS},
}
"""House rules by which matches are short or long. Without, they are as the others say."""
_SPEEDS: Final[dict[str, Callable[[Random], float]]] = {
    "alien": lambda randomness: exp(randomness.uniform(log(0.15), log(1.6))),
    "stranger": lambda randomness: randomness.uniform(0.2, 1.5),
}
"""How slow a whole table is, if not at the pace of the site's bots."""


class PlannedMatch(NamedTuple):
    """A match to be played: its header, its players, and its generator."""

    header: Header
    seaters: tuple[Seater, ...]
    randomness: Random

    def seeds(self) -> list[int]:
        """Of each bot's own generator: the first numbers that the match draws."""
        draw = copy(self.randomness).getrandbits
        return [draw(64) for _ in self.seaters]


def plan(population: str, seed: int, index: int, length: str = "") -> PlannedMatch:
    """The match of that population with that index, counted from 0."""
    randomness = Random(f"ratuki {population} {seed}/{index}")
    edition = randomness.choice(_EDITIONS)
    house = randomness.choice(_HOUSE) if randomness.random() < _HOUSE_SHARE else {}
    seats = randomness.randrange(2, SEATS + 1)
    seaters = _seaters(population, seats, randomness)
    header = Header(
        id=f"{population}-{seed}-{index}",
        edition=edition,
        rules=house_rules(edition, {**house, **LENGTHS[length]}),
        seats=tuple(Seat(f"{population} {seat + 1}", "bot") for seat in range(seats)),
        source="simulated",
        tags=_tags(seaters) if population in KNOWN else (),
    )
    return PlannedMatch(header, seaters, randomness)


def _tags(seaters: Sequence[Seater]) -> tuple[tuple[str, str], ...]:
    """What a record says of the site's bots."""
    specs = (seater.spec if isinstance(seater, SiteBot) else None for seater in seaters)
    return ((BOTS, bots_tag(specs)),)


def _seaters(population: str, seats: int, randomness: Random) -> tuple[Seater, ...]:
    """Different players. In some matches, and among equals in all, the same one in every seat."""
    make = SEATERS[population]
    speed = _SPEEDS[population](randomness) if population in _SPEEDS else 1
    if randomness.random() < _ALIKE_SHARE or population == "equals":
        seaters = (make(randomness, speed),) * seats
    else:
        seaters = tuple(make(randomness, speed) for _ in range(seats))
    if population not in LEAVING:
        return seaters
    gone = randomness.randrange(seats)
    return (*seaters[:gone], Leaving(seaters[gone], LEAVING[population]), *seaters[gone + 1 :])


def lines(plan: PlannedMatch) -> Iterator[Line]:
    """The record of the match, line by line, each time the same. Without a result if it was
    abandoned."""
    header, seaters, randomness = plan.header, plan.seaters, copy(plan.randomness)
    rules, seats = header.rules, len(seaters)
    yield header
    table, public = Table(rules, seats), PublicEvents(rules, seats)
    bots = [
        make(table, public, seat, Random(randomness.getrandbits(64)))
        for seat, make in enumerate(seaters)
    ]
    for number in range(1, MAX_ROUNDS + 1):
        deal = shuffled(rules, seats, number, randomness)
        table.deal(deal)
        play(table, public, bots, MAX_ROUND_MS)
        yield deal
        yield from public.events
        last = public.events[-1]
        if isinstance(last, End) and decided(rules, number, last):
            if last.reason != "abandoned":
                yield Result(winners(last), last.totals)
            return
