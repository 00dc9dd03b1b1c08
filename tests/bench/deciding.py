"""Whether costly decisions really were, on fresh matches, and what it costs to judge them.

The matches are of a seed that nothing was fitted to or tried on: any edition, 2 to 5 seats, the
site's bots at any level. Costly decisions are judged again with the true hands, by the very bots
that played, to the round's end, and asked again as what-ifs. FRESH=60 asks for more matches, SEED=…
for others, and POPULATION=stranger for other bots (`replays.training.bots`).
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

from games.bots.rollout import Movement, move_first
from games.bots.roster import TEMPERS, BotSpec
from games.bots.simulate import MAX_ROUND_MS, Setting
from games.bots.simulate import lines as simulated
from games.bots.skill import LEVELS
from games.bots.view import PublicEvents
from games.engine.editions import EDITIONS
from games.engine.referee import Judge
from replays.analysis.decisions.findings import Decision, decisions
from replays.analysis.decisions.judging import DecisionCost, Estimate, Judging, Rollout
from replays.analysis.decisions.report import DecisionJson, row
from replays.analysis.decisions.trial import take_trial
from replays.analysis.lag import lags
from replays.analysis.open_takes import OpenTake
from replays.analysis.trials import ENOUGH, Batch, summary
from replays.timeline import Round, Timeline
from replays.training.matches import PlannedMatch, lines, plan
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
    """A costly decision, and how it was judged again."""

    seats: int
    edition: str
    done: str
    first: Estimate
    true: Estimate
    what_ifs: tuple[bool, bool]
    """Whether a what-if says that it was clearly costly: of as many rollouts as the verdict took,
    which is to give the same figures, and of all that can be asked for at once."""


def bench() -> None:
    """Print how the costly decisions fare, and the CPU for a match of five rounds."""
    redone: list[Again] = []
    seconds = rounds = judged = told = 0.0
    first: list[float] = []
    for index in range(FRESH):
        asked = plan(POPULATION, SEED, index)
        timeline = Timeline.of(lines(asked))
        judging, costly = Judging(timeline), list[tuple[Round, Decision]]()
        counts: list[int] = []
        first.append(cpu(lambda: next(_decided(judging, timeline), None)))  # noqa: B023
        seconds += cpu(lambda: costly.extend(_costly(judging, timeline, counts)))  # noqa: B023
        rounds += len(timeline.rounds)
        judged += sum(counts)
        told += len(costly)
        chosen = costly[:: max(1, -(-len(costly) // EACH))]
        redone += [_again(asked, timeline, judging, decided) for decided in chosen]
    tell("decisions judged in a round", judged / rounds, "")
    tell("told as costly", told / rounds, "a round")
    tell(f"CPU for {ROUNDS} rounds", ROUNDS * seconds / rounds, "CPU s", "20")
    tell("the first verdict of a match", fmean(first), "CPU s", "5")
    tell("at the slowest", max(first), "CPU s", "5")
    for name, differing in zip(
        ("", f" of {ENOUGH}"), zip(*(again.what_ifs for again in redone), strict=True), strict=True
    ):
        tell(f"what-ifs{name} that say otherwise", differing.count(False), f"of {len(redone)}", "0")
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
        judging, delays = Judging(timeline), lags(timeline)
        rounds = timeline.rounds[:2]
        judged = [decision for played in rounds for decision in decisions(judging, played, delays)]
        lost: dict[int, list[float]] = defaultdict(list)
        for seat, level in enumerate(levels):
            own = [decision.cost.points.cost for decision in judged if decision.take.seat == seat]
            lost[level].append(sum(own) / len(rounds))
        for level, seats in lost.items():
            points[level].append(fmean(seats))
    for level, matches in sorted(points.items()):
        error = stdev(matches) / sqrt(len(matches))
        say(f"  {name}, level {level}: {fmean(matches):4.1f} ± {error:.1f} points lost a round")


def _setting(index: int, levels: Sequence[int]) -> Setting:
    """Bots of these levels, of each temper in turn."""
    edition, tempers = list(EDITIONS)[index % len(EDITIONS)], list(TEMPERS)
    specs = tuple(
        BotSpec(tempers[(index // len(EDITIONS) + seat) % len(tempers)], level)
        for seat, level in enumerate(levels)
    )
    return Setting(edition, EDITIONS[edition], specs, SEED)


def _decided(judging: Judging, timeline: Timeline) -> Iterator[tuple[Round, Decision]]:
    """The decisions of a match, each as soon as it is judged, with its round."""
    delays = lags(timeline)
    for played in timeline.rounds:
        for decision in decisions(judging, played, delays):
            yield played, decision


def _costly(
    judging: Judging, timeline: Timeline, counts: list[int]
) -> list[tuple[Round, Decision]]:
    """The decisions that are told, each with its round; `counts`: how many were judged."""
    costly, rows = [], defaultdict[int, list[DecisionJson]](list)
    for played, decision in _decided(judging, timeline):
        before = rows[played.number]
        before.append(row(played, decision, timeline.names, before))
        if before[-1]["told"]:
            costly.append((played, decision))
    counts += map(len, rows.values())
    return costly


def _again(
    asked: PlannedMatch, timeline: Timeline, judging: Judging, told: tuple[Round, Decision]
) -> Again:
    played, (take, verdict) = told
    ways = judging.ways(take, _True(asked, played, take))
    fewest, most = AGAIN
    tallies = ways.run(Batch(0, fewest, seed=1))
    true = ways.found(tallies).win
    if abs(true.cost) < SHOWN * true.error:
        true = ways.found(tallies + ways.run(Batch(fewest, most - fewest, seed=1))).win
    done = type(played.events[take.event - 1]).__name__.lower()
    agree = _agreeing(timeline, take, verdict)
    return Again(len(asked.seaters), asked.header.edition, done, verdict.win, true, agree)


def _agreeing(timeline: Timeline, take: OpenTake, verdict: DecisionCost) -> tuple[bool, bool]:
    """Whether what-ifs of the take say that passing it up was clearly worse, as its verdict."""
    trial = take_trial(timeline, lags(timeline), (take.round, take.event), take.card, take.slot)
    assert trial is not None
    same, more = trial.judged(), trial.run(Batch(0, ENOUGH))
    own, other = (summary(trial, tallies)["seats"][take.seat] for tallies in (same, more))
    exact = own["difference"] == round(verdict.win.cost, 4)
    return exact and own["clear"], other["clear"] and other["difference"] > 0


class _True:
    """Plays on from a decision by the bots that played, all cards where they were."""

    def __init__(self, asked: PlannedMatch, played: Round, take: OpenTake) -> None:
        self._seaters = asked.seaters
        self._table = played.table(take.known)
        self._public = PublicEvents(self._table.rules, self._table.seats)
        for event in played.events[: take.known]:
            self._public.settled(event)

    def __call__(self, first: Movement, randomness: Random) -> Rollout:
        table, public = self._table.copy(), self._public.copy()
        known = len(public.events)
        judge = Judge(table, public.settled, lambda _refusal: None)
        judge.settle(table.t)
        bots = [
            make(table, public, seat, Random(randomness.getrandbits(64)))
            for seat, make in enumerate(self._seaters)
        ]
        move_first(judge, bots, randomness, first, MAX_ROUND_MS)
        return table, public.events[known:]


def _tell(name: str, redone: Sequence[Again]) -> None:
    count = len(redone)
    if not count:
        return
    first, true = (sum(pair) / count for pair in zip(*map(_costs, redone), strict=True))
    spread = sum((again.true.cost - true) ** 2 for again in redone) / max(1, count - 1)
    right = sum(again.true.cost > 0 for again in redone)
    wrong = sum(again.true.cost < -2 * again.true.error for again in redone)
    error = sqrt(spread / count)
    say(
        f"  {name:<24} n {count:>3}  told at {first:5.1%}  true {true:5.1%} ± {error:.1%}  "
        f"same sign {right}  clearly wrong {wrong}"
    )


def _costs(again: Again) -> tuple[float, float]:
    return again.first.cost, again.true.cost
