"""Matches to branch off from, and what is made of them kept and checked."""

from collections.abc import Sequence
from functools import cache
from itertools import count
from random import Random
from typing import Any

from games.bots.roster import mixed
from games.bots.simulate import Setting
from games.bots.simulate import lines as simulated
from games.engine.actions import Try
from games.engine.editions import EDITIONS
from games.engine.events import Event
from games.records.adding import with_remarks
from games.records.log import Line, Note, Remark, Variation
from replays.variations.lines import MatchLines, Place
from replays.variations.requested import asked_in
from replays.variations.what_if import WhatIf
from replays.variations.writing import variations
from tests.engine.unruly import random_action
from tests.records.matches import MATCHES, lines, record

NAMED = Variation(1, 0, "Kim", "What if?", (), "w", None, None, ("plan",))
MATCH = lines(MATCHES / "valid-usaopoly-2009-3.ratuki")
SMALL = lines(MATCHES / "valid-v2-branches.ratuki")


def keep(known: MatchLines, place: Place, events: Sequence[Event], name: str) -> list[Variation]:
    """Keep a branch among the lines that are known; it is judged again on the way in."""
    made = variations(known, place, events, NAMED._replace(id=name))
    for variation in made:
        known.add(variation)
    return made


def whole(played: Sequence[Line], *made: Remark) -> bytes:
    return record(*with_remarks([line for line in played if not isinstance(line, Note)], made))


def small(event: int, line: str | None = None) -> WhatIf:
    return WhatIf(MatchLines.of(SMALL), Place(1, event, line))


def why(what_if: WhatIf) -> list[str]:
    return [refusal.rule for refusal in what_if.refusals]


def any_action(rng: Random, what_if: WhatIf) -> Any:
    """Something that somebody might do in a branch, seeing all of it."""
    action = random_action(rng, what_if.judge)  # type: ignore[arg-type]  # asks for table, waiting
    return action._replace(seen=None) if isinstance(action, Try) else action


@cache
def calm(edition: str) -> tuple[Line, ...]:
    """A match in whose first round no two seats do anything in the same ms."""
    for seed in count():
        log = simulated(Setting(edition, EDITIONS[edition], mixed(3), seed), 0)
        known = MatchLines.of(log)
        asked = asked_in(known.table(Place(1, 0)), known.whole(Place(1, 0)))
        if len({timed.t for timed in asked}) == len(asked):
            return tuple(log)
    raise AssertionError
