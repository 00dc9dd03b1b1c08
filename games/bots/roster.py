"""The available bots: tempers by name, and how a bot's seat is written.

A seat is written ``temper``, ``temper:level`` or ``temper:level:beginner``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

from games.bots.base import Bot, Persona
from games.bots.builder import Builder
from games.bots.first_fit import FirstFit
from games.bots.patient import PATIENT, PATIENT_SKILL, Patient
from games.bots.runner import Runner
from games.bots.skill import DEFAULT_LEVEL, LEVELS, network_lag, skill_of
from games.bots.starver import Starver
from games.bots.taker import Taker
from games.bots.view import PublicEvents, View
from games.engine.message import WordedError
from games.engine.table import Table
from games.records.log import Header

TEMPERS: Final[Mapping[str, type[Bot]]] = {
    bot.temper: bot for bot in (Taker, Builder, Starver, Runner, FirstFit)
}
"""The bots by temper, in the order in which a mixed table is filled."""
BOTS: Final = "bots"
"""The tag of a header with the site's bots, as they are written, seat by seat."""
APART: Final = " (site bot)"
"""How pages name a bot whose name a person had first."""


class RosterError(WordedError):
    """Not a bot's seat. The message says what was expected."""


class BotSpec(NamedTuple):
    """A requested bot. A `beginner` is spared the one-hand rule."""

    temper: str
    level: int = DEFAULT_LEVEL
    beginner: bool = False

    def __str__(self) -> str:
        return f"{self.temper}:{self.level}{':beginner' if self.beginner else ''}"


def bot_spec(text: str, level: int = DEFAULT_LEVEL) -> BotSpec:
    """Parse a seat. `level` is the default. Raises RosterError."""
    temper, *rest = text.strip().split(":")
    if temper not in TEMPERS:
        raise RosterError(
            "unknown bot {temper!r}, expected one of {values}",
            temper=temper,
            values=", ".join(TEMPERS),
        )
    beginner = rest[1:] == ["beginner"]
    if len(rest) > 1 and not beginner:
        raise RosterError(
            "expected temper:level or temper:level:beginner, found {found!r}", found=text
        )
    return BotSpec(temper, _level(rest[0]) if rest else checked_level(level), beginner)


def bots_tag(specs: Iterable[BotSpec | None]) -> str:
    """The value of `BOTS`. None: another player, whose place is left empty."""
    return ",".join("" if spec is None else str(spec) for spec in specs)


def bots_of(header: Header) -> list[BotSpec | None]:
    """The site's bot in each seat, by the header's tag. None: another player, or not known."""
    given = dict(header.tags).get(BOTS, "").split(",")
    if len(given) != len(header.seats):
        return [None] * len(header.seats)
    return [
        _spec_or_none(text) if seat.kind == "bot" else None
        for text, seat in zip(given, header.seats, strict=True)
    ]


def _spec_or_none(text: str) -> BotSpec | None:
    try:
        return bot_spec(text)
    except RosterError:  # a record of another site, or of a bot that this version lacks
        return None


def _level(text: str) -> int:
    try:
        return checked_level(int(text))
    except ValueError:
        raise RosterError(
            "level must be a whole number from 1 to 5, found {found!r}", found=text
        ) from None


def checked_level(level: int) -> int:
    """The level, unchanged. Raises RosterError unless it is one of `LEVELS`."""
    if level not in LEVELS:
        raise RosterError("level must be a whole number from 1 to 5, found {found}", found=level)
    return level


def mixed(players: int, level: int = DEFAULT_LEVEL) -> tuple[BotSpec, ...]:
    return tuple(BotSpec(temper, checked_level(level)) for temper in list(TEMPERS)[:players])


def names(specs: Sequence[BotSpec]) -> tuple[str, ...]:
    """A name for each bot. The second of a temper and later ones get a number."""
    so_far, given = Counter[str](), []
    for temper, *_ in specs:
        so_far[temper] += 1
        number = f" {so_far[temper]}" if so_far[temper] > 1 else ""
        given.append(TEMPERS[temper].persona.name + number)
    return tuple(given)


def persona_named(name: str) -> Persona | None:
    """The bot of a name, numbered or not. Its temper also works, since that was its name once."""
    first, _, number = name.removesuffix(APART).partition(" ")
    if number and not number.isdecimal():
        return None
    known = ((bot.persona, bot.temper) for bot in TEMPERS.values())
    return next((persona for persona, temper in known if first in (persona.name, temper)), None)


def seat_bot(
    spec: BotSpec, table: Table, public: PublicEvents, seat: int, randomness: Random
) -> Bot:
    """The bot at its seat. The table may have all facts, or only those that seat may see.

    Besides those of `TEMPERS` there is the patient bot, which only guided rounds seat.
    """
    patient = spec.temper == PATIENT
    skill = PATIENT_SKILL if patient else skill_of(spec.level)
    view = View(table, public, seat, skill.lag + network_lag(randomness))
    return (Patient if patient else TEMPERS[spec.temper])(view, skill, randomness)
