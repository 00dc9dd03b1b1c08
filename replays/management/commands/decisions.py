"""``manage.py decisions ID``: the takes that were passed up, judged by playing on."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand

from replays.analysis.decisions.findings import decisions
from replays.analysis.decisions.judging import Judging
from replays.analysis.decisions.report import (
    DecisionJson,
    DecisionsJson,
    figure_words,
    row,
    together,
)
from replays.analysis.findings import Findings
from replays.management.finding import WANTED, measured_match


class Command(BaseCommand):
    help = "Tell the costly decisions of a match: takes that were open and passed up."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("id", help=WANTED)
        parser.add_argument("--seed", type=int, default=0, help="of the rollouts (default: 0)")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        timeline, measured = measured_match(options["id"], "judging decisions")
        lags = Findings(timeline, measured).lags
        judging, names = Judging(timeline), timeline.names
        listed: list[DecisionJson] = []
        for played in timeline.rounds:
            before: list[DecisionJson] = []
            for decision in decisions(judging, played, lags, options["seed"]):
                before.append(row(played, decision, names, before))
            listed += before
        told = together(listed, len(names))
        self.stdout.write(
            json.dumps(told, ensure_ascii=False) if options["json"] else _text(names, told)
        )


def _text(names: Sequence[str], judged: DecisionsJson) -> str:
    told = [
        f"Round {decision['round']}, {_clock(decision['t'])}: {decision['text']}"
        f" ({figure_words(decision)})"
        for decision in judged["decisions"]
        if decision["told"]
    ]
    pairs = zip(names, judged["lost"], strict=True)
    players = [f"{name}: {figure['text']}" for name, figure in pairs]
    about = "Estimated by playing on with bots at the seats’ tempo, hidden cards dealt anew."
    return "\n".join([*(told or ["No costly decision."]), "", *players, "", about])


def _clock(ms: int) -> str:
    return f"{ms // 60_000}:{ms % 60_000 / 1_000:04.1f}"
