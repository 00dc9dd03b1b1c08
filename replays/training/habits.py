"""The habits of the site's bots, for finding the one that plays most like somebody."""

from __future__ import annotations

from collections import defaultdict
from random import Random

from games.bots.roster import TEMPERS, BotSpec
from games.bots.simulate import Setting, lines
from games.bots.skill import LEVELS
from games.engine.editions import EDITIONS
from replays.analysis.careers.habits import Habits, habits, summed
from replays.analysis.lag import lags
from replays.timeline import Timeline


def rates(matches: int, seed: int) -> dict[str, dict[str, float]]:
    """The tries a ms of each habit of each bot, at random tables of four and any edition."""
    every = [BotSpec(temper, level) for temper in TEMPERS for level in LEVELS]
    randomness, by_bot = Random(f"habits {seed}"), defaultdict[str, list[Habits]](list)
    for index in range(matches):
        edition, seated = randomness.choice(list(EDITIONS)), tuple(randomness.sample(every, 4))
        timeline = Timeline.of(lines(Setting(edition, EDITIONS[edition], seated, seed), index))
        for spec, own in zip(seated, habits(timeline, lags(timeline)), strict=True):
            by_bot[f"{spec.temper}:{spec.level}"].append(own)
    return {
        bot: {kind: round(habit.times / habit.ms, 8) for kind, habit in summed(seats).items()}
        for bot, seats in sorted(by_bot.items())
    }
