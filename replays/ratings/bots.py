"""The ladder of bots: every temper at every level, rated in simulated matches against each other.

The matches are drawn and played from a seed, rated and forgotten. The same seed, edition and number
of matches give the same ladder.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from games.bots.roster import TEMPERS, BotSpec
from games.bots.simulate import Setting, rounds
from games.bots.skill import LEVELS
from games.engine.cards import SEATS
from games.engine.editions import EDITIONS
from games.engine.events import End
from games.engine.scoring import winners
from replays.ratings.standing import NEW, Standing, rated

FEWEST: Final = 2
"""Players in a match."""
ROSTER: Final = tuple(BotSpec(temper, level) for temper in TEMPERS for level in LEVELS)
FILE: Final = Path(__file__).with_name("ladders.json")


class Rung(NamedTuple):
    """A bot's place on the ladder."""

    bot: str
    standing: Standing


class Ladder(NamedTuple):
    """The bots of an edition, best first, and how the ladder was played."""

    rungs: list[Rung]
    matches: int
    seed: int


def climb(edition: str, matches: int, seed: int) -> Ladder:
    """The ladder of the whole roster after that many matches."""
    now = {str(spec): NEW for spec in ROSTER}
    for index in range(matches):
        specs = table(edition, seed, index)
        bots = [str(spec) for spec in specs]
        setting = Setting(edition, EDITIONS[edition], specs, seed)
        end = list(rounds(setting, index))[-1].events[-1]
        if isinstance(end, End) and winners(end):
            after = rated([now[bot] for bot in bots], end.totals)
            now.update(zip(bots, after, strict=True))
    rungs = [Rung(bot, standing) for bot, standing in now.items()]
    return Ladder(sorted(rungs, key=lambda rung: -rung.standing.mu), matches, seed)


def table(edition: str, seed: int, index: int) -> tuple[BotSpec, ...]:
    """The bots of a match, two to five in turn, none twice."""
    randomness = Random(f"ratuki ladder {edition} {seed}/{index}")
    return tuple(randomness.sample(ROSTER, FEWEST + index % (SEATS - FEWEST + 1)))


@cache
def ladders() -> dict[str, Ladder]:
    """Each edition's ladder, as `manage.py bot_ladder` played it for this release."""
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        edition: Ladder(
            [Rung(bot, Standing(*standing)) for bot, *standing in ladder["rungs"]],
            ladder["matches"],
            ladder["seed"],
        )
        for edition, ladder in stored.items()
    }


def as_json(ladders: Mapping[str, Ladder]) -> str:
    """What `ladders` reads, a line for each bot."""
    editions = {
        edition: {
            "matches": ladder.matches,
            "seed": ladder.seed,
            "rungs": [[rung.bot, *rung.standing] for rung in ladder.rungs],
        }
        for edition, ladder in ladders.items()
    }
    text = json.dumps(editions, separators=(",", ":"))
    return text.replace("[[", "[\n[").replace("],[", "],\n[") + "\n"
