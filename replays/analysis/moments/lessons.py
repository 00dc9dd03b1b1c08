"""What each player can learn from a match: the costliest try of each cause, at most three.

A cause is listed once, with its number of times. The causes that cost most points altogether come
first. A player who can hardly win any more has as much to learn as anyone. Missed takes count only
where the player was mostly free, and for longer than most at this table need. Slow players leave
most takes for no longer than usual for them, so their own tempo would hide all of these. Small
stacks do not count: leaving one to others with a wild in hand turned out better in rollouts. One
take is one lesson, however many cards would have made it. A race decided by lag alone is none, nor
is a cause that cost little in a match of that many rounds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import Final

from games.engine.cards import FACE, WILD
from replays.analysis.chances import FREE, Chance
from replays.analysis.missed_takes import taker
from replays.analysis.moments import wording
from replays.analysis.moments.judgements import MISTAKE, Judgement, missed_take
from replays.analysis.moments.swings import Swing
from replays.analysis.open_takes import LEAST_CARDS
from replays.analysis.windows import PLAYED

MAX_LESSONS: Final = 3
"""The most for one player."""
TRIED, LATE = "tried_wrong", "took_too_late"
KEPT_FIVE, KEPT_WILD = "kept_a_5", "kept_a_wild"
"""The causes, by the kinds of their sentences."""
LEAST: Final = 2.0
"""A cause that cost fewer points is no lesson."""
A_ROUND: Final = 0.5
"""A cause that cost fewer points for each round is no lesson."""
_MISTAKE_POINTS: Final = 1.3
"""The points that a mistake costs."""
_CARD_POINTS: Final = {LATE: 0.4, KEPT_FIVE: 0.6, KEPT_WILD: 0.2}
"""The points that each card of a stack left to another costs. A wild takes another one later."""


def lessons(
    judged: Iterable[Judgement],
    missed: Iterable[tuple[Chance, Swing]],
    played: Iterable[Chance],
    rounds: int,
) -> list[Judgement]:
    """The lessons of all players, by seat, the costliest first.

    `judged`: the match's judgements. `missed`: its missed takes, each with the swing that closed
    it. `played`: the chances that were used, and perhaps others. `rounds`: how many there were.
    """
    causes: dict[tuple[int, str], list[Judgement]] = defaultdict(list)
    for judgement in judged:
        if judgement.verdict == MISTAKE and "cards" in judgement.figures:
            causes[judgement.seat, TRIED].append(judgement)
    used = [chance.window for chance in played if chance.window.end == PLAYED]
    usual = median([window.ms for window in used]) if used else 0.0
    for cause, judgement in _left(missed, usual):
        causes[judgement.seat, cause].append(judgement)
    points_lost = {key: _points_lost(key[1], of_cause) for key, of_cause in causes.items()}
    lessons_of: dict[int, list[Judgement]] = defaultdict(list)
    for seat, cause in sorted(causes, key=lambda key: (key[0], -points_lost[key])):
        if points_lost[seat, cause] >= max(LEAST, A_ROUND * rounds):
            lessons_of[seat].append(_lesson(cause, causes[seat, cause]))
    return [lesson for of_seat in lessons_of.values() for lesson in of_seat[:MAX_LESSONS]]


def _left(missed: Iterable[tuple[Chance, Swing]], usual: float) -> Iterator[tuple[str, Judgement]]:
    """The takes that a seat left to another's take, each with its cause. The longest of each."""
    longest: dict[tuple[int, int], tuple[Chance, Swing]] = {}
    for chance, swing in missed:
        window = chance.window
        if taker(window) is None or window.cards < LEAST_CARDS:
            continue
        if chance.cause != FREE or chance.free_ms <= usual:
            continue
        key = swing.seq, window.seat
        known = longest.get(key)
        if known is None or chance.free_ms > known[0].free_ms:
            longest[key] = chance, swing
    for chance, swing in longest.values():
        yield _cause(chance, swing), missed_take(chance, swing)


def _cause(chance: Chance, swing: Swing) -> str:
    beaten = swing.facts.beaten if swing.facts else ()
    if any(late.seat == chance.window.seat for late in beaten):
        return LATE
    return KEPT_WILD if FACE[chance.window.card] == WILD else KEPT_FIVE


def _lesson(cause: str, judgements: Sequence[Judgement]) -> Judgement:
    """The costliest of a cause, with how often it occurred."""
    worst = max(judgements, key=lambda each: (_chance_lost(each), each.figures.get("cards", 0.0)))
    figures = {**worst.figures, "times": float(len(judgements))}
    alike = "cards" not in worst.figures
    text = wording.recurring(worst.seat, worst.text, cause, len(judgements), alike=alike)
    return worst._replace(figures=figures, text=text)


def _chance_lost(judgement: Judgement) -> float:
    lost = -judgement.figures.get("delta", 0.0)
    return lost if lost >= wording.NOTICEABLE else 0.0


def _points_lost(cause: str, judgements: Sequence[Judgement]) -> float:
    """The cost of a cause's tries altogether, on average."""
    if cause == TRIED:
        return _MISTAKE_POINTS * len(judgements)
    return _CARD_POINTS[cause] * sum(judgement.figures["cards"] for judgement in judgements)
