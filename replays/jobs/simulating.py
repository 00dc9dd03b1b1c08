"""Simulating many matches as a job that any number of workers share out.

A match follows from its setting and its index alone, so every worker plays the same ones, and
one that was stored before is left as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Final

from games.bots.roster import bot_spec
from games.bots.simulate import Setting
from games.engine.editions import EDITIONS, house_rules
from games.management.commands.simulate import packed, stored
from replays.jobs.kinds import Asked, JobKind, Json, Part, StepResult
from replays.jobs.queue import begin
from replays.jobs.starting import SITE
from replays.models import Job

KIND: Final = "simulation"
SHARE: Final = 50
AT_ONCE: Final = 5
"""Matches in a part, and in a step."""


def ask(setting: Setting, matches: int) -> Job:
    """A job of the site's that plays and stores these matches."""
    asked = {
        "edition": setting.edition,
        "rules": setting.rules.differences(EDITIONS[setting.edition]),
        "bots": [str(spec) for spec in setting.specs],
        "seed": setting.seed,
        "matches": matches,
    }
    title = f"Simulation of {matches:,} matches, seed {setting.seed}"
    digest = sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
    return begin(KIND, digest, title, asked, SITE)


class Simulations(JobKind):
    """Matches between bots, stored; the units are matches."""

    def plan(self, asked: Asked) -> Sequence[int]:
        count = asked["matches"]
        return [min(SHARE, count - at) for at in range(0, count, SHARE)]

    def step(self, part: Part) -> StepResult:
        done = part.state or 0
        begun = part.number * SHARE
        last = min(begun + SHARE, part.asked["matches"])
        now = min(begun + done + AT_ONCE, last)
        setting = setting_from(part.asked)
        stored([packed(setting, index) for index in range(begun + done, now)])
        return StepResult(now - begun, now - begun - done, now == last)

    def close(self, asked: Asked, states: Iterator[Json]) -> Json:
        return {"matches": sum(states)}


def setting_from(asked: Asked) -> Setting:
    rules = house_rules(asked["edition"], asked["rules"])
    specs = tuple(bot_spec(text) for text in asked["bots"])
    return Setting(asked["edition"], rules, specs, asked["seed"])
