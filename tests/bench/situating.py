"""Situations on fresh matches: are the shares that the explorer tells those of other matches?

The site's 25 bots at random tables of any edition, 2 to 5 seats. What is told after some matches
(the share taken by then, for each top, height, hand, score and level) is held against others that
were not counted. FRESH=1200 asks for so many matches, a quarter of them held out; SEED=… for
others. Then the time of an answer, with 100,000 matches stored.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from math import log
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from games.bots.roster import TEMPERS, BotSpec
from games.bots.simulate import Setting
from games.bots.simulate import lines as simulated
from games.bots.skill import LEVELS
from games.engine.editions import EDITIONS
from replays.analysis.situations import (
    COUNTS,
    EDGES_MS,
    ENOUGH,
    OTHERS,
    OVER,
    OWN,
    Kind,
    Situation,
    add,
    ended,
    situations,
    size,
)
from replays.timeline import Timeline
from tests.bench.measure import cpu, manage, say, tell

FRESH: Final = int(os.environ.get("FRESH", "1200"))
SEED: Final = int(os.environ.get("SEED", "640917"))
BINS: Final = 10
ASKED_MS: Final = (500, 1_000, 2_000, 5_000)
"""By when a stack is asked to have been taken."""
FOUR: Final = 4
STORED, MANY = 200, 100_000
"""Matches that are played for the page's time, and how many there are when it is taken."""
Told = dict[Kind, list[int]]


class Score(NamedTuple):
    """How well probabilities fit what came: log loss, expected calibration error."""

    loss: float
    ece: float


def bench() -> None:
    """Print log loss and calibration, beside the base rates by top card."""
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        matches = list(pool.map(_played, range(FRESH), chunksize=8))
    told, tops = _counted(matches[FRESH // 4 :])
    held = [situation for match in matches[: FRESH // 4] for situation in match]
    known = [
        situation for situation in held if size(told.get(situation.kind, [0] * COUNTS)) >= ENOUGH
    ]
    tell("held-out situations", len(held), f"of {FRESH // 4} matches")
    tell("told, as enough were counted", 100 * len(known) / len(held), "%")
    fours = [situation for situation in known if situation.kind.top == FOUR]
    for name, ends in (("its seat", (OWN,)), ("anybody", (OWN, OTHERS))):
        for ms in ASKED_MS:
            words = f"by {name} within {ms / 1_000:g} s"
            _compare(f"taken {words}", known, ends, ms, (told, tops))
            _compare(f"a 4 {words}", fours, ends, ms, (told, tops))
    _page_time()


def _played(index: int) -> list[Situation]:
    randomness = Random(f"situations {SEED}/{index}")
    every = [BotSpec(temper, level) for temper in TEMPERS for level in LEVELS]
    edition = randomness.choice(list(EDITIONS))
    seated = tuple(randomness.sample(every, randomness.randrange(2, 6)))
    setting = Setting(edition, EDITIONS[edition], seated, SEED)
    played = Timeline.of(simulated(setting, index)).rounds
    return [
        situation
        for each in played
        for situation in situations(each, [spec.level for spec in seated])
    ]


def _counted(matches: list[list[Situation]]) -> tuple[Told, dict[int, list[int]]]:
    """The counts of each kind, and of each top card."""
    told: Told = defaultdict(lambda: [0] * COUNTS)
    tops: dict[int, list[int]] = defaultdict(lambda: [0] * COUNTS)
    for situation in (situation for match in matches for situation in match):
        add(told[situation.kind], situation)
        add(tops[situation.kind.top], situation)
    return told, tops


def _compare(
    name: str,
    held: list[Situation],
    ends: tuple[int, ...],
    ms: int,
    models: tuple[Told, Mapping[int, list[int]]],
) -> None:
    """Those that the round's end cut off before say nothing."""
    asked = [situation for situation in held if situation.end != OVER or situation.ms >= ms]
    came = [situation.end in ends and situation.ms < ms for situation in asked]
    told, tops = models
    kinds = _score(list(_shares([told[situation.kind] for situation in asked], ends, ms)), came)
    base = _score(list(_shares([tops[situation.kind.top] for situation in asked], ends, ms)), came)
    say(
        f"  {name:<34} log loss {kinds.loss:.4f} (by top card {base.loss:.4f}), "
        f"ECE {kinds.ece:.4f} (aim: at most .02)"
    )


def _shares(counts: list[list[int]], ends: tuple[int, ...], ms: int) -> Iterator[float]:
    at, known = EDGES_MS.index(ms), dict[int, float]()
    for of_kind in counts:
        if id(of_kind) not in known:
            known[id(of_kind)] = sum(ended(of_kind)[end][at] for end in ends)
        yield known[id(of_kind)]


def _score(told: list[float], came: list[bool]) -> Score:
    loss, bins = 0.0, [[0.0, 0.0] for _ in range(BINS)]
    for share, happened in zip(told, came, strict=True):
        bounded = min(0.999, max(0.001, share))
        loss -= log(bounded if happened else 1 - bounded)
        here = bins[min(BINS - 1, int(share * BINS))]
        here[0] += share
        here[1] += happened
    return Score(loss / len(told), sum(abs(a - b) for a, b in bins) / len(told))


def _page_time() -> None:
    """Time the answers in a database of their own."""
    with TemporaryDirectory(prefix="ratuki-bench-") as folder:
        environment = {**os.environ, "RATUKI_VAR": folder, "SITE_ORIGINS": "http://localhost"}
        environment.pop("DATABASE_URL", None)
        manage("migrate", "--verbosity=0", environment=environment)
        manage("simulate", f"--matches={STORED}", "--seed=1", environment=environment)
        measure = "from tests.bench.situating import measure; measure()"
        _, said = manage("shell", "--verbosity=0", "-c", measure, environment=environment)
    say(said.rstrip())


def measure() -> None:
    """Count the stored matches, copy them and their counts, and ask for answers."""
    from django.db import connection

    from games.archive.showing import show
    from games.models import Match
    from replays.models import SituationTotals
    from replays.situations import count, waiting
    from tests.bench.archive import copies, multiply, page_ms

    asked = list(Match.objects.filter(pk__in=waiting()))
    spent = sum(cpu(lambda: count(match)) for match in asked)  # noqa: B023
    tell("counting", 1_000 * spent / len(asked), "CPU ms a match")
    times, step = MANY // len(asked), Match.objects.latest("pk").pk
    for total in SituationTotals.objects.all():
        total.cells = {
            name: [[times * number for number in counts], places]
            for name, (counts, places) in total.cells.items()
        }
        total.save()
    multiply(MANY)
    with connection.cursor() as cursor:
        cursor.execute(copies(cursor, "replays_storedsituations", "match_id"), [times - 1, step])
    for match in asked[:20]:
        show(match, Match.Visibility.LINK)
    for name, where in (("page", "/situations/"), ("program", "/api/v1/situations")):
        spent = page_ms(f"{where}?top=4&height=3&hand=")
        tell(f"answer to a {name}", spent, f"CPU ms, {MANY:,} matches", "at most 200")
