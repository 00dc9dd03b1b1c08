"""How fast bots play, in CPU seconds."""

from __future__ import annotations

import re
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time
from typing import NamedTuple

from games.bots.roster import sitter
from games.bots.simulate import Setting, rounds
from games.engine.editions import DEFAULT_EDITION, EDITIONS
from tests.services import Site

_COUNTS = re.compile(r"(\d+) matches, (\d+) rounds, (\d+) events")


class Played(NamedTuple):
    """What was played, and the CPU seconds that it took."""

    rounds: int
    events: int
    spent: float

    def __str__(self) -> str:
        rounds, events = self.rounds / self.spent, self.events / self.spent
        return f"{rounds:,.0f} rounds, {events:,.0f} events a CPU second"


def play(bots: str, matches: int) -> Played:
    """Matches of four, played in this process and kept nowhere."""
    sitters = tuple(sitter(name) for name in bots.split(","))
    setting = Setting(DEFAULT_EDITION, EDITIONS[DEFAULT_EDITION], sitters, seed=2)
    began = process_time()
    events = [len(one.events) for index in range(matches) for one in rounds(setting, index)]
    return Played(len(events), sum(events), process_time() - began)


def store(site: Site, bots: str, matches: int) -> Played:
    """Matches of four, played and stored by the command in one process; its start is taken off."""
    site.manage("migrate", "--verbosity=0")
    start = _command(site, bots, 1, seed=1)
    whole = _command(site, bots, matches, seed=2)
    return whole._replace(spent=whole.spent - start.spent)


def _command(site: Site, bots: str, matches: int, seed: int) -> Played:
    began = _children()
    said = site.manage(
        "simulate", f"--bots={bots}", f"--matches={matches}", f"--seed={seed}", "--jobs=1"
    )
    found = _COUNTS.match(said)
    assert found, said
    return Played(int(found[2]), int(found[3]), _children() - began)


def _children() -> float:
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
