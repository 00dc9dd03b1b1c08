"""``manage.py what_if ID --seq N --earlier MS``: what if this play had been made differently?"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine.cards import OWNER
from games.engine.events import Event, Late, Miss, Play, Tie
from games.engine.facts import Fault
from games.records.plural import joined
from games.records.shape import card
from games.records.strict import Malformed
from replays.analysis.decisions.trial import TakeTrial, take_trial
from replays.analysis.findings import Findings
from replays.analysis.trials import ENOUGH, Batch, Json, Trial, summary
from replays.management.finding import WANTED, measured_match
from replays.timeline import Timeline
from replays.variations.alternative import Change, TryAt
from replays.variations.lines import MatchLines


class Command(BaseCommand):
    help = "Make one try of a finished match differently, and play on many times with bots."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("id", help=WANTED)
        add("--seq", type=int, required=True, metavar="N", help="the try: line N + 1 of the record")
        add("--seat", type=int, metavar="S", help="of a tie: whose try, counted from 0")
        way = parser.add_mutually_exclusive_group(required=True)
        way.add_argument("--earlier", type=int, metavar="MS", help="the try comes so much earlier")
        way.add_argument("--later", type=int, metavar="MS", help="or so much later")
        way.add_argument("--card", metavar="CARD", help="another card is tried, on --stack")
        way.add_argument("--skip", action="store_true", help="the try is not made")
        add("--stack", type=int, default=0, metavar="K", help="for --card, counted from 0 (0)")
        add("--rollouts", type=int, help=f"of each way (default: {ENOUGH}; of a decision, enough)")
        add("--seed", type=int, default=0, help="of the rollouts (default: 0)")
        add("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        rollouts, seed = options["rollouts"], options["seed"]
        if rollouts is not None and rollouts < 1:
            raise CommandError("--rollouts must be at least 1")
        match = measured_match(options["id"], "a what-if")
        lags = Findings(match.timeline, match.lags).lags
        try:
            change = _change(options)
            where, trial = _trial(match.timeline, lags, options["seq"], options["seat"], change)
        except (Fault, Malformed) as fault:
            raise CommandError(str(fault)) from None
        if rollouts is None and isinstance(trial, TakeTrial):
            tallies = trial.judged(seed)
        else:
            tallies = trial.run(Batch(0, rollouts or ENOUGH, seed))
        answer = {"seq": options["seq"], **where._asdict(), **summary(trial, tallies)}
        words = json.dumps(answer, ensure_ascii=False) if options["json"] else _text(trial, answer)
        self.stdout.write(words)


def _change(options: dict[str, Any]) -> Change:
    """Raises Malformed."""
    if options["card"] is not None:
        return Change(card=card(options["card"], "--card"), stack=options["stack"])
    if options["skip"]:
        return Change(skipped=True)
    earlier, later = options["earlier"], options["later"]
    return Change(later if earlier is None else -earlier)


def _trial(
    timeline: Timeline, lags: Sequence[float | None], seq: int, seat: int | None, change: Change
) -> tuple[TryAt, Trial | TakeTrial]:
    """The what-if; of a take that was passed up, as its verdict. Raises CommandError and Fault."""
    for played in timeline.rounds:
        if seq in played.seqs and change.card is not None:
            event = played.seqs.index(seq) + 1
            trial = take_trial(timeline, lags, (played.number, event), change.card, change.stack)
            if trial is not None:
                return TryAt(played.number, event, trial.seat), trial
    where = _try(timeline, seq, seat)
    return where, Trial(MatchLines(timeline), where, change, lags)


def _try(timeline: Timeline, seq: int, seat: int | None) -> TryAt:
    """The try with that seq. Raises CommandError."""
    for played in timeline.rounds:
        if seq in played.seqs:
            number = played.seqs.index(seq)
            seats = _seats(played.events[number])
            if not seats:
                raise CommandError(f"--seq {seq} is not a try: expected a play, late, miss or tie")
            if seat is not None and seat not in seats:
                tried = joined(map(str, seats), "or")
                raise CommandError(f"--seat {seat}: expected {tried}, who tried there")
            return TryAt(played.number, number + 1, seats[0] if seat is None else seat)
    raise CommandError(f"--seq {seq}: expected the number of an event")


def _seats(event: Event) -> list[int]:
    """Whose tries an event settles."""
    if isinstance(event, Tie):
        return [OWNER[tied] for tied in event.cards]
    return [event.seat] if isinstance(event, Play | Late | Miss) else []


def _text(trial: Trial | TakeTrial, answer: Json) -> str:
    cut = answer["cut_ms"]
    points_are = f"points after {cut // 1_000} s" if cut else "round score"
    rows = [
        f"{name}: win {was:.0%} as played, {now:.0%} changed; {points_are} "
        f"{points[0]['mean']:g} ({points[0]['low']} to {points[0]['high']}), "
        f"{points[1]['mean']:g} ({points[1]['low']} to {points[1]['high']})"
        for name, seat in zip(trial.names, answer["seats"], strict=True)
        for (was, now), points in [(seat["win"], seat["points"])]
    ]
    about = f"Estimated from {answer['rollouts']} rollouts each way by bots at the seats' tempo."
    words = [answer[name] for name in ("outcome", "text", "round_text")]
    return "\n".join([*words, "", *rows, "", about])
