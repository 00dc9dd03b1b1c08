"""The ladder of bots: every temper at every level, rated in simulated matches against each other.

The matches are drawn and played from a seed, rated and forgotten. The same seed, edition and number
of matches give the same ladder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

from games.bots.roster import TEMPERS, BotSpec
from games.bots.simulate import Setting, rounds
from games.bots.skill import LEVELS
from games.engine.cards import SEATS
from games.engine.editions import EDITIONS
from games.engine.events import End
from games.engine.message import Message
from games.engine.scoring import winners
from games.people.visitor import Author
from replays.jobs.kinds import Asked, Json, Kind, Share, Step
from replays.jobs.starting import begin
from replays.models import BotLadder, Job
from replays.ratings.standing import NEW, Standing, rated

FEWEST: Final = 2
"""Players in a match."""
PLAYERS: Final = Author("site:bots")
"""Not the site itself: its other jobs, which people wait for, are served in turn with this one."""
_STEP: Final = 5
"""Matches in a step of the job: some tenths of a second."""
ROSTER: Final = tuple(BotSpec(temper, level) for temper in TEMPERS for level in LEVELS)


Standings = dict[str, Standing]
"""By bot, as it is written: `taker:3`."""


class Rung(NamedTuple):
    """A bot's place on the ladder."""

    bot: str
    standing: Standing


def climb(edition: str, matches: int, seed: int) -> list[Rung]:
    """The ladder after that many matches, best first."""
    now: Standings = {}
    for index in range(matches):
        play(edition, seed, index, now)
    return rungs(now)


def play(edition: str, seed: int, index: int, now: Standings) -> None:
    """Play and rate the match with that index."""
    specs = table(edition, seed, index)
    bots = [str(spec) for spec in specs]
    setting = Setting(edition, EDITIONS[edition], specs, seed)
    end = list(rounds(setting, index))[-1].events[-1]
    if isinstance(end, End) and winners(end):
        after = rated([now.get(bot, NEW) for bot in bots], end.totals)
        now.update(zip(bots, after, strict=True))


def rungs(now: Standings) -> list[Rung]:
    """The whole roster, best first. Bots that have not played are where they began."""
    ladder = [Rung(bot, now.get(bot, NEW)) for bot in map(str, ROSTER)]
    return sorted(ladder, key=lambda rung: -rung.standing.mu)


def table(edition: str, seed: int, index: int) -> tuple[BotSpec, ...]:
    """The bots of a match, two to five in turn, none twice."""
    randomness = Random(f"ratuki ladder {edition} {seed}/{index}")
    return tuple(randomness.sample(ROSTER, FEWEST + index % (SEATS - FEWEST + 1)))


def store(edition: str, ladder: list[Rung], matches: int, seed: int) -> None:
    """Store a ladder in place of the edition's last one."""
    rows = [[rung.bot, *rung.standing] for rung in ladder]
    BotLadder.objects.update_or_create(
        edition=edition, defaults={"seed": seed, "matches": matches, "rows": rows}
    )


def play_part(asked: Asked, edition: Json, found: Json, step: Step) -> Json:
    """Play an edition's ladder. Finds how many matches are played, and each bot's standing."""
    begun, known = found or (0, {})
    now = {bot: Standing(*standing) for bot, standing in known.items()}
    for since in range(begun, asked["matches"], _STEP):
        until = min(since + _STEP, asked["matches"])
        for index in range(since, until):
            play(edition, asked["seed"], index, now)
        step(until - since, [until, now])
    return [asked["matches"], now]


def close(asked: Asked, founds: Iterator[Json]) -> None:
    for edition, (_, known) in zip(asked["editions"], founds, strict=True):
        now = {bot: Standing(*standing) for bot, standing in known.items()}
        store(edition, rungs(now), asked["matches"], asked["seed"])


KIND: Final = Kind(play_part, close)


def ask(editions: Sequence[str], matches: int, seed: int) -> Job:
    """The job that plays these ladders, a part for each edition."""
    asked = {"editions": list(editions), "matches": matches, "seed": seed}
    shares = [Share(edition, matches) for edition in editions]
    return begin("ladder", "bots", Message("The ladder of bots"), asked, shares, by=PLAYERS)
