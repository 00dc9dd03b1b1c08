"""How often words about a player's style are false, and whether they hold whoever sits opposite.

Fresh matches of four of the site's bots: tables of one bot under many names, where every word is
false, and each bot against three weak and three strong ones, whose words should be the same.
FRESH=300 asks for fewer matches, SEED=… for others. Playing them takes some minutes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import Final

from games.bots.roster import TEMPERS, BotSpec
from games.bots.simulate import Setting, lines
from games.bots.skill import LEVELS
from games.engine.editions import DEFAULT_EDITION, EDITIONS
from replays.analysis.careers.counts import seat_counts
from replays.analysis.careers.figures import MatchFigures
from replays.analysis.careers.styles import WORDS, Seated, tables_of, traits
from replays.timeline import Timeline
from tests.bench.measure import tell

FRESH: Final = int(os.environ.get("FRESH", "500"))
SEED: Final = int(os.environ.get("SEED", "90417"))
CAREERS: Final = (5, 10, 20, 65)
ASKED: Final = 100
"""Players of each length of career whose words are asked for."""
_KINDS: Final = tuple(BotSpec(temper, level) for temper in TEMPERS for level in LEVELS)
_NAMES: Final = 4
"""So many players are the same bot."""


Specs = tuple[BotSpec, ...]
Entries = list[MatchFigures]
"""What each seat of a match contributes."""


def bench() -> None:
    """Print how many players have any false word, and how many words depend on the opponents."""
    randomness = Random(SEED)
    alike = [(BotSpec("taker"),) * 4] * FRESH
    mixed: list[Specs] = [tuple(randomness.choices(_KINDS, k=4)) for _ in range(FRESH)]
    against = {level: list(_against(level, randomness)) for level in (LEVELS[0], LEVELS[-1])}
    tables = [*alike, *mixed, *(table for met in against.values() for table in met)]
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        played = list(pool.map(_played, enumerate(tables), chunksize=8))
    for matches in CAREERS:
        _alike(matches, played[:FRESH], randomness)
    base = _named(mixed, played[FRESH:], randomness)
    since, told = 2 * FRESH, list[dict[BotSpec, set[str]]]()
    for level, met in against.items():
        told.append(dict(_words(level, met, played[since : since + len(met)], base, randomness)))
        since += len(met)
    _compare(*told)


def _against(level: int, randomness: Random) -> Iterator[Specs]:
    for kind in _KINDS:
        for _ in range(FRESH // len(_KINDS)):
            yield kind, *(BotSpec(randomness.choice(list(TEMPERS)), level) for _ in range(3))


def _played(numbered: tuple[int, Specs]) -> Entries:
    index, specs = numbered
    setting = Setting(DEFAULT_EDITION, EDITIONS[DEFAULT_EDITION], specs, SEED)
    counted = seat_counts(Timeline.of(lines(setting, index)))
    return [MatchFigures(False, seat.points, seat.counts.rounds, seat.counts) for seat in counted]


def _alike(matches: int, played: Sequence[Entries], randomness: Random) -> None:
    """Players who are all the same bot, each at so many tables, never twice at one."""
    names = [f"P{n}" for n in range(4 * (len(played) // matches))]
    order = [name for _ in range(matches) for name in randomness.sample(names, len(names))]
    tables = [order[place : place + 4] for place in range(0, len(order), 4)]
    entries = randomness.sample(list(played), len(tables))
    seats = [
        Seated(match, name, "bot", entry)
        for match, (table, of_match) in enumerate(zip(tables, entries, strict=True))
        for name, entry in zip(table, of_match, strict=True)
    ]
    asked = names[:ASKED]
    false = sum(bool(_words_of(seats, name)) for name in asked)
    aim = "under 5"
    tell(f"{matches} matches: of {len(asked)} alike, any word", 100 * false / len(asked), "%", aim)


def _named(
    tables: Sequence[Specs], played: Sequence[Entries], randomness: Random, first: int = 0
) -> list[Seated]:
    seated = []
    for match, (specs, entries) in enumerate(zip(tables, played, strict=False), first):
        numbers = randomness.sample(range(_NAMES), 4)
        seated += [
            Seated(match, f"{spec} {number}", "bot", entry)
            for spec, number, entry in zip(specs, numbers, entries, strict=True)
        ]
    return seated


def _words(
    level: int,
    tables: Sequence[Specs],
    played: Sequence[Entries],
    base: Sequence[Seated],
    randomness: Random,
) -> Iterator[tuple[BotSpec, set[str]]]:
    """Each bot's words, from its matches against that level alone."""
    for kind in _KINDS:
        own = [place for place, specs in enumerate(tables) if specs[0] == kind]
        own = own[: FRESH // len(_KINDS)]  # its own level's tables come later
        chosen = [tables[place] for place in own], [played[place] for place in own]
        met = _named(*chosen, randomness, first=100_000 * level)
        seats = [*base, *(_focal(seat, at) for at, seat in enumerate(met))]
        yield kind, set(_words_of(seats, "X"))


def _focal(seat: Seated, at: int) -> Seated:
    return seat if at % 4 else seat._replace(player="X")


def _words_of(seats: Sequence[Seated], player: str) -> list[str]:
    own = [seat for seat in seats if seat.player == player]
    others = [seat for seat in seats if seat.player != player]
    return [trait.words for trait in traits(own, others, tables_of(seats))]


def _compare(weak: dict[BotSpec, set[str]], strong: dict[BotSpec, set[str]]) -> None:
    other = {words: pair[1 - side] for pair in WORDS.values() for side, words in enumerate(pair)}
    same = sum(len(weak[kind] & strong[kind]) for kind in _KINDS)
    opposite = sum(other[word] in strong[kind] for kind in _KINDS for word in weak[kind])
    apart = sum(len(weak[kind] ^ strong[kind]) for kind in _KINDS) - 2 * opposite
    tell(f"{FRESH // len(_KINDS)} matches each: the same words", same, "against weak and strong")
    tell("only against one of them", apart, "")
    tell("the opposite", opposite, "", "0")
