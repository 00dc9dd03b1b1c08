"""``manage.py judge ID``: the takes that were passed up, or the effect of one change."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine.cards import OWNER
from games.engine.events import Discard, Draw, Event, Late, Miss, Play, Tie
from games.engine.facts import Fault
from games.records.shape import card
from games.records.strict import Malformed
from replays.analysis.findings import Findings
from replays.analysis.judge.judge import Judge
from replays.analysis.judge.playing import Change, TryAt
from replays.analysis.judge.words import JudgedJson, row, take_row, together
from replays.analysis.sentences import with_words
from replays.management.finding import WANTED, measured_match
from replays.pictures.captions import clock
from replays.timeline import Timeline


class Command(BaseCommand):
    help = "Judge a finished match by playing on with bots: its decisions, or with --seq one try."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("id", help=WANTED)
        add("--seq", type=int, metavar="N", help="make this try differently: line N + 1")
        add("--seat", type=int, metavar="S", help="of a tie: whose try, counted from 0")
        way = parser.add_mutually_exclusive_group()
        way.add_argument("--earlier", type=int, metavar="MS", help="the try comes so much earlier")
        way.add_argument("--later", type=int, metavar="MS", help="or so much later")
        way.add_argument("--card", metavar="CARD", help="another card is tried, on --stack")
        way.add_argument("--skip", action="store_true", help="the try is not made")
        add("--stack", type=int, default=0, metavar="K", help="for --card, counted from 0 (0)")
        add("--seed", type=int, default=0, help="of the rollouts (default: 0)")
        add("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        timeline, measured = measured_match(options["id"], "judging")
        judge = Judge(timeline, Findings(timeline, measured).lags)
        if options["seq"] is None:
            found, text = _decisions(judge, options["seed"])
        else:
            found, text = _one(judge, options)
        self.stdout.write(json.dumps(found, ensure_ascii=False) if options["json"] else text)


def _decisions(judge: Judge, seed: int) -> tuple[Any, str]:
    names, listed = judge.timeline.names, list[JudgedJson]()
    for played in judge.timeline.rounds:
        rows: list[JudgedJson] = []
        for take in judge.to_judge(played):
            question = judge.about_take(take)
            rows.append(take_row(played, question, question.judged(seed), rows))
        listed += rows
    found = with_words(together(listed, len(names)), names)
    told = [_line(decision) for decision in found["decisions"] if decision["told"]]
    pairs = zip(names, found["lost"], strict=True)
    players = [f"{name}: {figure['text']}" for name, figure in pairs]
    about = "Estimated by playing on with bots like the players; hidden cards are dealt anew."
    return found, "\n".join([*(told or ["No costly decision."]), "", *players, "", about])


def _one(judge: Judge, options: dict[str, Any]) -> tuple[Any, str]:
    try:
        change = _change(options)
        at = _try(judge.timeline, options["seq"], options["seat"], change)
        question = judge.about(at, change)
    except (Fault, Malformed) as fault:
        raise CommandError(str(fault)) from None
    played = judge.timeline.rounds[at.round - 1]
    judged = row(played, question, question.judged(options["seed"]))
    found = with_words(judged, judge.timeline.names)
    about = (
        f"Estimated from {found['rollouts']} rollouts each way by bots that play as the players."
    )
    return found, f"{_line(found)}\n\n{about}"


def _line(row: dict[str, Any]) -> str:
    where = f"Round {row['round']}, {clock(row['t'])}"
    return f"{where}: {row['text']} Chance to win: {row['figure']}."


def _change(options: dict[str, Any]) -> Change:
    """Raises Malformed and CommandError."""
    if options["card"] is not None:
        return Change(card=card(options["card"], "--card"), slot=options["stack"])
    if options["skip"]:
        return Change(skip=True)
    earlier, later = options["earlier"], options["later"]
    if earlier is None and later is None:
        raise CommandError("--seq: say what changes: --earlier, --later, --card or --skip")
    return Change(later if earlier is None else -earlier)


def _try(timeline: Timeline, seq: int, seat: int | None, change: Change) -> TryAt:
    """The movement with that seq. Raises CommandError."""
    for played in timeline.rounds:
        if seq not in played.seqs:
            continue
        number = played.seqs.index(seq)
        event = played.events[number]
        seats = _seats(event)
        if change.card is not None and isinstance(event, Draw | Discard):
            return TryAt(played.number, number + 1, event.seat)
        if not seats:
            raise CommandError(f"--seq {seq} is not a try: expected a play, late, miss or tie")
        if seat is not None and seat not in seats:
            tried = " or ".join(map(str, seats))
            raise CommandError(f"--seat {seat}: expected {tried}, who tried there")
        return TryAt(played.number, number + 1, seats[0] if seat is None else seat)
    raise CommandError(f"--seq {seq}: expected the number of an event")


def _seats(event: Event) -> list[int]:
    """Whose tries an event settles."""
    if isinstance(event, Tie):
        return [OWNER[tied] for tied in event.cards]
    return [event.seat] if isinstance(event, Play | Late | Miss) else []
