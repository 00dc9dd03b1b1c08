"""Simulating many matches as a job that any number of workers share out.

A match follows from its setting and its index alone, so every worker plays the same ones, and
one that was stored before is left as it is.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Final

from games.bots.roster import bot_spec
from games.bots.simulate import Setting
from games.engine.editions import EDITIONS, house_rules
from games.engine.message import Message
from games.management.commands.simulate import packed, stored
from replays.jobs.kinds import Asked, Json, Kind, Share, Step
from replays.jobs.starting import SITE, begin
from replays.models import Job

SHARE: Final = 50
AT_ONCE: Final = 5
"""Matches in a part, and stored at once."""


def ask(setting: Setting, matches: int) -> Job:
    """A job of the site's that plays and stores these matches."""
    asked = {
        "edition": setting.edition,
        "rules": setting.rules.differences(EDITIONS[setting.edition]),
        "bots": [str(spec) for spec in setting.specs],
        "seed": setting.seed,
        "matches": matches,
    }
    title = Message(
        "Simulation of {count:,} matches, seed {seed}", count=matches, seed=setting.seed
    )
    digest = sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
    begun = range(0, matches, SHARE)
    shares = [[since, min(since + SHARE, matches)] for since in begun]
    parts = [Share(share, share[1] - share[0]) for share in shares]
    return begin("simulation", digest, title, asked, parts, by=SITE)


def simulate(asked: Asked, share: Json, found: Json, step: Step) -> Json:
    """Play and store the matches of a share, from an index to before another."""
    setting, (since, until) = setting_from(asked), share
    for begun in range(found or since, until, AT_ONCE):
        end = min(begun + AT_ONCE, until)
        stored([packed(setting, index) for index in range(begun, end)])
        step(end - begun, end)
    return until


KIND: Final = Kind(simulate)


def setting_from(asked: Asked) -> Setting:
    rules = house_rules(asked["edition"], asked["rules"])
    specs = tuple(bot_spec(text) for text in asked["bots"])
    return Setting(asked["edition"], rules, specs, asked["seed"])
