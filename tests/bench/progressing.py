"""Whether a weakness that was cured is called gone, and one that was not isn't.

Fresh matches of four: a bot with one weakness, of a kind that players are told, and three of the
same bot without it. It plays 50 matches. In another career it is cured after the first 20.
SEED=… asks for others, BOTS=5 for so many bots with each weakness. It takes some minutes.
"""

import os
from concurrent.futures import ProcessPoolExecutor
from random import Random
from statistics import median
from typing import Final

from games.bots.roster import BotSpec
from games.engine.editions import EDITIONS
from replays.analysis.players.priorities import Priced
from replays.analysis.players.progress import BACK, GONE, LESS, Course, progress
from replays.analysis.players.signs import KINDS, WILDS
from replays.training.weaknesses import Weakness
from tests.bench.measure import say, tell
from tests.bench.prioritising import BOT_KINDS, SEATS, SEED, WEAK, priced_seats

BOTS: Final = int(os.environ.get("BOTS", "3"))
WHOLE: Final = 50
CURED: Final = 20
SOON: Final = 12
Bots = list[tuple[str, BotSpec]]
Matches = list[Priced]


def bench() -> None:
    """Print how often a cured weakness is called gone, how soon, and how often another one is."""
    randomness = Random(f"progress {SEED}")
    bots = [
        (kind, spec)
        for kind in KINDS
        for spec in randomness.sample(BOT_KINDS, BOTS if kind != WILDS else 0)
    ]
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        weak = list(pool.map(_career, [(*bot, True, WHOLE) for bot in bots]))
        cured = list(pool.map(_career, [(*bot, False, WHOLE - CURED) for bot in bots]))
    _cured([(kind, [*w[:CURED], *c]) for (kind, _), w, c in zip(bots, weak, cured, strict=True)])
    _unchanged([(kind, matches) for (kind, _), matches in zip(bots, weak, strict=True)])


def _cured(careers: list[tuple[str, Matches]]) -> None:
    told, soon, after = 0, 0, []
    for kind, matches in careers:
        if _course(matches[:CURED], kind) is None:
            continue
        told += 1
        waits = [
            end - CURED
            for end in range(CURED, WHOLE + 1)
            if (course := _course(matches[:end], kind)) and course.state in (GONE, LESS)
        ]
        after += waits[:1] or [WHOLE]
        soon += bool(waits) and waits[0] <= SOON
        say(f"    {kind}: after {waits[0] if waits else 'more than 30'}")
    tell(f"of {told} cured, gone within {SOON} matches", 100 * soon / max(1, told), "%", "over 80")
    tell("median of matches until then", median(after), "matches")


def _unchanged(careers: list[tuple[str, Matches]]) -> None:
    """A career counts as false if anything in it was called gone, less or back at any time."""
    courses = false = of_careers = 0
    for kind, matches in careers:
        wrong = set[str]()
        for end in range(CURED, WHOLE + 1):
            for course in progress(matches[:end]).courses:
                if course.changed is not None or course.state in (GONE, LESS, BACK):
                    wrong.add(course.kind)
        courses += len(progress(matches).courses)
        false += len(wrong)
        of_careers += bool(wrong)
        say(f"    {kind} unchanged, called changed: {', '.join(wrong) or 'nothing'}")
    share = 100 * false / max(1, courses)
    tell(f"of {courses} unchanged, called gone in {WHOLE} matches", share, "%", "under 3")
    tell(f"careers of {len(careers)} with one", of_careers, "")


def _course(matches: Matches, kind: str) -> Course | None:
    return next((each for each in progress(matches).courses if each.kind == kind), None)


def _career(asked: tuple[str, BotSpec, bool, int]) -> Matches:
    kind, spec, weak, count = asked
    values = [WEAK[at] if weak and name == kind else 0.0 for at, name in enumerate(KINDS)]
    seated = (spec, Weakness(*values)), *[(spec, Weakness())] * (SEATS - 1)
    name = f"progress {SEED} {kind} {spec} {weak}"
    editions = Random(name).choices(list(EDITIONS), k=count)
    matches = ((f"{name} {at}", edition, seated) for at, edition in enumerate(editions))
    return [priced_seats(asked)[0][0]._replace(match=at) for at, asked in enumerate(matches)]
