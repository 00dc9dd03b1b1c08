"""Judgements of single tries, given only where the figures support them.

- `good`: a take that raised its player's win probability by more than two standard errors.
- `missed take`: another seat took a stack that this one could have taken: it had the card in
  hand and the hand free for longer than this player needs three times of four, and was not first
  on equal lines.
- `mistake`: a card that fitted nothing its player saw; it costs the hand `mistake_ms`, and maybe
  a take that another seat makes meanwhile.

The last two are exact, from the log; what makes a take good is an estimate. Standard errors are
those in the model's file: how far two models of different matches differ about such a swing.

A play is not judged by what others made of it: that a card was taken does not make it a mistake
to have played it. Playing on from there, without it and with others, the bots lost as often.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.engine.events import Miss
from replays.analysis.chances import Chance
from replays.analysis.moments import wording
from replays.analysis.moments.mistakes import lost_meanwhile
from replays.analysis.moments.swings import Swing
from replays.analysis.winning.network import model
from replays.analysis.winning.series import TAKE
from replays.timeline import Timeline

ERRORS: Final = 2
"""How many standard errors a swing must exceed."""
GOOD: Final = "good"
MISTAKE: Final = "mistake"
MISSED_TAKE: Final = "missed take"


class Judgement(NamedTuple):
    """One judged try. `figures`: what the verdict is based on, by name."""

    seq: int
    round: int
    t: int
    seat: int
    verdict: str
    figures: dict[str, float]
    text: str


def judgements(timeline: Timeline, swings: Sequence[Swing]) -> list[Judgement]:
    """All judgements of a match, in log order; `swings`: the match’s."""
    judged = [
        *_good(timeline, swings),
        *_missed(timeline, swings),
        *_mistakes(timeline, swings),
    ]
    return sorted(judged, key=lambda judgement: (judgement.seq, judgement.seat))


def _good(timeline: Timeline, swings: Sequence[Swing]) -> Iterator[Judgement]:
    for swing in swings:
        seat = swing.seats[0] if swing.seats else 0
        delta = swing.change(seat)
        error = model("spectator").error(delta)
        if swing.cause == TAKE and delta > ERRORS * error:
            text = wording.take(swing, timeline.names, biggest=0, leads=False)
            yield _judged(swing, seat, GOOD, {"delta": delta, "standard_error": error}, text)


def _missed(timeline: Timeline, swings: Sequence[Swing]) -> Iterator[Judgement]:
    for swing in swings:
        for chance, usual_ms in swing.facts.ready if swing.facts and swing.cause == TAKE else ():
            judgement = missed_take(chance, swing, timeline.names)
            yield judgement._replace(figures={**judgement.figures, "usual_ms": usual_ms})


def missed_take(chance: Chance, swing: Swing, names: Sequence[str]) -> Judgement:
    """A take that a seat left to another player; `swing`: that player's."""
    window = chance.window
    figures = {
        "free_ms": float(chance.free_ms),
        "cards": float(window.cards),
        "delta": swing.change(window.seat),
    }
    text = wording.missed_take(swing, names, chance)
    return _judged(swing, window.seat, MISSED_TAKE, figures, text)


def _mistakes(timeline: Timeline, swings: Sequence[Swing]) -> Iterator[Judgement]:
    cost = timeline.header.rules.mistake_ms
    takes = {(take.round, take.facts.play.card): take for take in swings if take.facts}
    for played in timeline.rounds:
        lost = lost_meanwhile(played)
        for place, (event, seq) in enumerate(zip(played.events, played.seqs, strict=True)):
            if isinstance(event, Miss):
                text = wording.mistake(event, timeline.names, cost, lost.get(place))
                figures = {"cost_ms": float(cost)}
                if place in lost:
                    figures["cards"] = float(lost[place].takes or 0)
                    if swing := takes.get((played.number, lost[place].card)):
                        figures["delta"] = swing.change(event.seat)
                yield Judgement(seq, played.number, event.t, event.seat, MISTAKE, figures, text)


def _judged(
    swing: Swing, seat: int, verdict: str, figures: dict[str, float], text: str
) -> Judgement:
    return Judgement(swing.seq, swing.round, swing.t, seat, verdict, figures, text)
