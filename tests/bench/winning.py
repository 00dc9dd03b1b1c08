"""Win probability on fresh matches, and what the analysis of a match costs.

The matches are of a seed that no shipped model was fitted to or tested on. They are played
here, which takes some minutes, and kept under `var/training` for the next time. FRESH=300
asks for fewer: quicker, but a good model reads an ECE of up to .013 on 500 matches.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import Any, Final

from games.engine.cards import deck_of
from games.engine.editions import house_rules
from games.engine.events import Deal, End, Event, Late, Play
from games.engine.scoring import end, raw_scores
from games.engine.table import Table, apply
from games.records.check import check
from games.records.log import Header, Line, Seat
from games.records.notation import write_line
from replays.analysis import Findings
from replays.analysis.match_report import match_report
from replays.analysis.winning.network import MODELS, Json
from replays.analysis.winning.series import series
from replays.timeline import Timeline
from replays.training import train
from replays.training.fit import judge
from replays.training.matches import PlannedMatch, lines, plan
from replays.training.positions import Samples, samples, together
from replays.training.scores import TOTALS, by_group, calibration, score, scores_only
from tests.bench import changing
from tests.bench.measure import cpu, say, spent, tell
from tests.services import ROOT

FRESH: Final = int(os.environ.get("FRESH", "3000"))
SEED: Final = 31
CACHE: Final = ROOT / "var" / "training"
LATES: Final = 60_000
MOST_ROUNDS: Final = 1_000
MOST: Final = 10_000


def bench() -> None:
    """Print the scores, their tables, and the costs."""
    _cost()
    changing.bench()
    known = together(*(_played(people, SEED + 1, max(100, FRESH // 6)) for people in train.LEARNED))
    for path in sorted(MODELS.glob("*.json")):
        coefficients = json.loads(path.read_text())["coefficients"]
        for population in train.TESTED:
            _scores(path.stem, population, known, coefficients)


def _played(population: str, seed: int, matches: int) -> Samples:
    return samples(population, seed, matches, CACHE, len(os.sched_getaffinity(0)))


def _scores(model: str, population: str, known: Samples, coefficients: Json) -> None:
    fresh = _played(population, SEED, FRESH)
    say(f"  {model}, {FRESH} fresh matches of the population {population}")
    figures = train.figures(known, fresh, coefficients)
    least = score(fresh, scores_only(known, fresh, TOTALS)).loss
    loss = figures["log_loss"]
    tell(
        "below a logistic model of the totals, log loss",
        100 * (1 - loss / least),
        "%",
        "25 or more",
    )
    below = 100 * (1 - loss / figures["points_only"])
    tell("below one of totals and round points", below, "%")
    _fine("log loss", loss)
    _fine("ECE (aim: at most 0.02)", figures["ece"])
    _fine("ECE with two seats (aim: at most 0.03)", figures["ece_two_seats"])
    _tables(fresh, coefficients)


def _fine(name: str, value: float) -> None:
    say(f"  {name:<44} {value:>12.4f}")


# What it costs


def _cost() -> None:
    match = _usual()
    tell("positions of the curve", len(series(match)), "")
    cost = spent(lambda: series(match))
    tell("4 seats, 5 rounds: the curve", cost.seconds, "CPU s", "at most 0.1")
    tell("the same, yardsticks", cost.yardsticks, "")
    tell("the whole report of it", spent(lambda: match_report(Findings(match))).seconds, "CPU s")
    _valid(_longest(3))  # which the others only repeat
    for name, timeline in (
        (f"{MOST_ROUNDS} rounds", Timeline.of(_longest())),
        (f"{LATES} late tries", _valid(_hostile())),
    ):
        size = sum(len(played.events) for played in timeline.rounds)
        seconds, told = _once(partial(match_report, Findings(timeline)))
        tell(f"{name}: events", size, "")
        tell(f"{name}: the whole report", seconds, "CPU s")
        tell(f"{name}: its JSON", len(json.dumps(told)) / 1e6, "MB")


def _once(run: Callable[[], object]) -> tuple[float, object]:
    results: list[object] = []
    return cpu(lambda: results.append(run())), results[0]


def _usual() -> Timeline:
    """The first match of four seats that takes five rounds."""
    for index in range(10_000):
        asked = plan("roster", SEED, index)
        if len(asked.seaters) == 4:
            timeline = Timeline.of(lines(asked))
            if len(timeline.rounds) == 5:
                return timeline
    raise AssertionError("no such match")


def _valid(record: Sequence[Line]) -> Timeline:
    text = "".join(f"{write_line(line)}\n" for line in record)
    check(BytesIO(text.encode()))
    return Timeline.of(record)


def _longest(rounds: int = MOST_ROUNDS) -> list[Line]:
    """A round that stalls before anybody has scored much, again and again."""
    asked = plan("stranger", SEED, next(i for i in range(99) if _seats("stranger", i) == 5))
    header, deal, *events = _first_round(asked)
    rules = replace(header.rules, target=MOST, speedy=False, stall_ms=30_000)
    table = Table(rules, 5)
    table.deal(deal)
    kept: list[Event] = []
    for event in events:
        if isinstance(event, Play) and event.takes and max(raw_scores(table)) > 0:
            break
        apply(table, event)
        kept.append(event)
    stalled = end(table, table.last_play + rules.stall_ms, "stalled")
    return [
        replace(header, rules=rules),
        *(line for number in range(1, rounds + 1) for line in _again(number, deal, kept, stalled)),
    ]


def _seats(population: str, index: int) -> int:
    return len(plan(population, SEED, index).seaters)


def _first_round(asked: PlannedMatch) -> list[Any]:
    """Its lines, with the header before them."""
    record: list[Any] = []
    for line in lines(asked):
        record.append(line)
        if isinstance(line, End):
            break
    return record


def _again(number: int, deal: Deal, events: Sequence[Event], last: End) -> Iterator[Line]:
    yield deal._replace(round=number)
    yield from events
    yield last._replace(totals=tuple(number * score for score in last.scores))


def _hostile() -> list[Line]:
    """One seat plays a 1, another tries its own too late for ever."""
    rules = house_rules("usaopoly-2009", {"tie_window_ms": 0, "one_hand_ms": 0, "stall_ms": 0})
    header = Header("hostile", "usaopoly-2009", rules, (Seat("A", "bot"), Seat("B", "bot")))
    decks = tuple(deck_of(seat, rules.deck) for seat in range(2))
    late = Late(20, 1, "B1a", 0, None, 0)
    return [header, Deal(1, decks), Play(10, 0, "A1a", 0, seen=0), *[late] * LATES]


def _tables(fresh: Samples, coefficients: Json) -> None:
    """Print a model's calibration, and its scores by seats, edition and phase."""
    predicted = judge(fresh, coefficients)
    say("    predicted    won  positions of a seat")
    for band in calibration(fresh, predicted):
        bar = "·" * round(40 * band.predicted)
        place = round(40 * band.won)
        mark = f"{bar:<41}"
        drawn = f"{mark[:place]}#{mark[place + 1 :]}"
        say(f"    {band.predicted:9.3f}  {band.won:.3f}  {band.size:>8}  {drawn}")
    for group in by_group(fresh, predicted):
        say(
            f"    {group.group:<16} {group.matches:>5} matches  "
            f"log loss {group.loss:.3f}  ECE {group.ece:.3f}"
        )
