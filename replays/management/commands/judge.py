"""``manage.py judge ID``: the takes that were passed up."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.pages.words import clock
from replays.analysis.findings import Findings
from replays.analysis.judge.judge import Judge
from replays.analysis.judge.words import JudgedJson, take_row, together
from replays.analysis.sentences import with_words
from replays.management.finding import WANTED, measured_match


class Command(BaseCommand):
    help = "Judge the decisions of a finished match by playing on with bots."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("id", help=WANTED)
        add("--seed", type=int, default=0, help="of the rollouts (default: 0)")
        add("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        timeline, measured = measured_match(options["id"], "judging")
        judge = Judge(timeline, Findings(timeline, measured).lags)
        found, text = _decisions(judge, options["seed"])
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


def _line(row: dict[str, Any]) -> str:
    where = f"Round {row['round']}, {clock(row['t'])}"
    return f"{where}: {row['text']} Chance to win: {row['figure']}."
