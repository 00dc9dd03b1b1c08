"""Whether costly decisions really were, on fresh matches, and what it costs to judge them.

The matches are of a seed that nothing was fitted to or tried on: any edition, 2 to 5 seats, the
site's bots at any level. Costly decisions are judged again with the true hands, by the very bots
that played, to the round's end. FRESH=60 asks for more matches, SEED=…
for others, and POPULATION=stranger for other bots (`replays.training.bots`).
"""

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import inf, sqrt
from statistics import fmean, stdev
from typing import Final, NamedTuple

from games.bots.roster import TEMPERS, BotSpec
from games.bots.simulate import MAX_ROUND_MS, Setting
from games.bots.simulate import lines as simulated
from games.bots.skill import LEVELS
from games.engine.editions import EDITIONS
from replays.analysis.judge.judge import Judge, Question
from replays.analysis.judge.playing import Way
from replays.analysis.judge.tally import Batch, Mean, Tallies
from replays.analysis.judge.words import JudgedJson, take_row
from replays.analysis.lag import lags
from replays.timeline import Round, Timeline
from replays.training.matches import PlannedMatch, lines, plan
from tests.bench.agreeing import RealBots
from tests.bench.held import held
from tests.bench.measure import cpu, say, tell

FRESH: Final = int(os.environ.get("FRESH", "30"))
SEED: Final = int(os.environ.get("SEED", "930411"))
POPULATION: Final = os.environ.get("POPULATION", "roster")
EACH: Final = 4
"""The most decisions of a match that are judged again."""
AGAIN: Final = (250, 1_000)
"""Rollouts of each way; the first will do where they show the sign"""
SHOWN: Final = 4
"""beyond so many standard errors."""
ROUNDS: Final = 5
"""Of a usual match."""


class Again(NamedTuple):
    """A costly decision, and how it was judged again: what the take adds to the chance to win."""

    seats: int
    edition: str
    done: str
    first: Mean
    true: Mean


def bench() -> None:
    """Print how the costly decisions fare, and the CPU for a match of five rounds."""
    redone: list[Again] = []
    seconds = rounds = judged = told = 0.0
    first: list[float] = []
    for index in range(FRESH):
        asked = plan(POPULATION, SEED, index)
        timeline = Timeline.of(lines(asked))
        judge, costly = Judge(timeline, lags(timeline)), list[tuple[Question, Tallies]]()
        counts: list[int] = []
        first.append(cpu(lambda: next(_decided(judge), None)))  # noqa: B023
        seconds += cpu(lambda: costly.extend(_costly(judge, counts)))  # noqa: B023
        rounds += len(timeline.rounds)
        judged += sum(counts)
        told += len(costly)
        chosen = costly[:: max(1, -(-len(costly) // EACH))]
        redone += [_again(asked, timeline, *decided) for decided in chosen]
    tell("decisions judged in a round", judged / rounds, "")
    tell("told as costly", told / rounds, "a round")
    tell(f"CPU for {ROUNDS} rounds", ROUNDS * seconds / rounds, "CPU s", "20")
    tell("the first verdict of a match", fmean(first), "CPU s", "5")
    tell("at the slowest", max(first), "CPU s", "5")
    _tell("all", redone)
    for name in ("edition", "seats", "done"):
        groups: dict[str, list[Again]] = defaultdict(list)
        for again in redone:
            groups[f"{name} {getattr(again, name)}"].append(again)
        for group, members in sorted(groups.items()):
            _tell(group, members)
    _levels("among equals", [[level] * 4 for level in LEVELS])
    _levels("at mixed tables", [list(LEVELS)])
    for edition, weights in held(200, SEED).items():
        say(f"  {edition}: in hands rather than piles {', '.join(f'{w:.2f}' for w in weights)}")


def _levels(name: str, tables: Sequence[Sequence[int]]) -> None:
    """The points that each level loses on open takes in a round, at tables of these levels."""
    points: dict[int, list[float]] = defaultdict(list)
    for index in range(FRESH):
        levels = tables[index % len(tables)]
        timeline = Timeline.of(simulated(_setting(index // len(tables), levels), index))
        judge, rounds = Judge(timeline, lags(timeline)), timeline.rounds[:2]
        asked = [judge.about_take(take) for played in rounds for take in judge.to_judge(played)]
        judged = [(each.seat, each.judged().scored(each.seat).mean) for each in asked]
        lost: dict[int, list[float]] = defaultdict(list)
        for seat, level in enumerate(levels):
            own = [points for mover, points in judged if mover == seat]
            lost[level].append(sum(own) / len(rounds))
        for level, seats in lost.items():
            points[level].append(fmean(seats))
    for level, matches in sorted(points.items()):
        error = stdev(matches) / sqrt(len(matches)) if len(matches) > 1 else inf
        say(f"  {name}, level {level}: {fmean(matches):4.1f} ± {error:.1f} points lost a round")


def _setting(index: int, levels: Sequence[int]) -> Setting:
    """Bots of these levels, of each temper in turn."""
    edition, tempers = list(EDITIONS)[index % len(EDITIONS)], list(TEMPERS)
    specs = tuple(
        BotSpec(tempers[(index // len(EDITIONS) + seat) % len(tempers)], level)
        for seat, level in enumerate(levels)
    )
    return Setting(edition, EDITIONS[edition], specs, SEED)


def _decided(judge: Judge) -> Iterator[tuple[Round, Question, Tallies]]:
    """The decisions of a match, each as soon as it is judged, with its round."""
    for played in judge.timeline.rounds:
        for take in judge.to_judge(played):
            question = judge.about_take(take)
            yield played, question, question.judged()


def _costly(judge: Judge, counts: list[int]) -> list[tuple[Question, Tallies]]:
    """The decisions that are told; `counts`: how many were judged."""
    costly, rows = [], defaultdict[int, list[JudgedJson]](list)
    for played, question, tallies in _decided(judge):
        before = rows[played.number]
        before.append(take_row(played, question, tallies, before))
        if before[-1]["told"]:
            costly.append((question, tallies))
    counts += map(len, rows.values())
    return costly


def _again(asked: PlannedMatch, timeline: Timeline, question: Question, told: Tallies) -> Again:
    played, take = timeline.rounds[question.at.round - 1], question.take
    assert take is not None
    events = played.events[: take.known]
    table, real = played.table(take.known), RealBots(asked)
    first, second = (
        side._replace(
            way=Way(table, events, side.way.script, MAX_ROUND_MS), seating=real, unseen=None
        )
        for side in question.ways
    )
    true = question._replace(ways=(first, second))
    fewest, most = AGAIN
    tallies = true.run(Batch(0, fewest, seed=1))
    gain = tallies.win(question.seat)
    if abs(gain.mean) < SHOWN * gain.error:
        tallies = tallies.add(true.run(Batch(fewest, most - fewest, seed=1)))
    done = type(played.events[take.event - 1]).__name__.lower()
    gains = told.win(question.seat), tallies.win(question.seat)
    return Again(len(asked.seaters), asked.header.edition, done, *gains)


def _tell(name: str, redone: Sequence[Again]) -> None:
    count = len(redone)
    if not count:
        return
    first = fmean(again.first.mean for again in redone)
    true = fmean(again.true.mean for again in redone)
    spread = sum((again.true.mean - true) ** 2 for again in redone) / max(1, count - 1)
    right = sum(again.true.mean > 0 for again in redone)
    wrong = sum(again.true.mean < -2 * again.true.error for again in redone)
    error = sqrt(spread / count)
    say(
        f"  {name:<24} n {count:>3}  told at {first:5.1%}  true {true:5.1%} ± {error:.1%}  "
        f"same sign {right}  clearly wrong {wrong}"
    )
