"""The bots' ladder as a job: a part for each edition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from games.people.visitor import Author
from replays.jobs.kinds import Asked, Json, Kind, Share, Step
from replays.jobs.starting import begin
from replays.models import Job
from replays.ratings.bots import play, rungs, store
from replays.ratings.standing import Standing

PLAYERS: Final = Author("site:bots")
"""Not the site itself: its other jobs, which people wait for, are served in turn with this one."""
_STEP: Final = 5
"""Matches in a step: some tenths of a second."""


def climb(asked: Asked, edition: Json, found: Json, step: Step) -> Json:
    """Play an edition's ladder; finds how many matches are played, and each bot's standing."""
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


KIND: Final = Kind(climb, close)


def ask(editions: Sequence[str], matches: int, seed: int) -> Job:
    """The job that plays these ladders."""
    asked = {"editions": list(editions), "matches": matches, "seed": seed}
    shares = [Share(edition, matches) for edition in editions]
    return begin("ladder", "bots", "The ladder of bots", asked, shares, by=PLAYERS)
