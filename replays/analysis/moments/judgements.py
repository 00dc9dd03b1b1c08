"""Judgements of single tries, given only where the log supports them.

- `missed take`: another seat took a stack that this one could have taken. It had the card in hand
  and was free for half a second (`could_take`) and for longer than this player needs three times of
  four, and was not first on equal lines.
- `mistake`: a card that fitted nothing its player saw. It blocks the player for `mistake_ms`, and
  maybe costs a take that another seat makes meanwhile.

Both are exact, from the log. Their effect is an estimate.

A play is not judged by its consequences: that a card was taken does not make it a mistake to have
played it. When bots continued such positions without the play, they lost as often.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from games.engine.cards import FACE
from games.engine.events import Miss, Play
from games.engine.fitting import fits, takes
from games.engine.message import points_between
from games.engine.table import Table, apply
from replays.analysis.moments import wording
from replays.analysis.moments.swings import Swing
from replays.analysis.report_json import JudgementJson
from replays.analysis.sentences import Text
from replays.analysis.winning.series import TAKE
from replays.timeline import Round, Timeline

MISTAKE: Final = "mistake"
MISSED_TAKE: Final = "missed take"
_DIGITS: Final = 4


def judgements(timeline: Timeline, swings: Sequence[Swing]) -> list[JudgementJson]:
    """All judgements of a match, in log order. `swings`: the match’s."""
    judged = [*_missed(swings), *_mistakes(timeline, swings)]
    return sorted(judged, key=lambda judgement: (judgement["seq"], judgement["seat"]))


def _judged(
    at: tuple[int, int, int], seat: int, verdict: str, figures: dict[str, float], text: Text
) -> JudgementJson:
    """`at`: the seq, the round, and the ms in it."""
    seq, number, t = at
    return {
        "seq": seq,
        "round": number,
        "t": t,
        "seat": seat,
        "verdict": verdict,
        "figures": {name: round(value, _DIGITS) for name, value in figures.items()},
        "text": text,
    }


def _missed(swings: Sequence[Swing]) -> Iterator[JudgementJson]:
    """Takes that a seat left to another player."""
    for swing in swings:
        for chance, usual_ms in swing.facts.ready if swing.facts and swing.cause == TAKE else ():
            seat = chance.window.seat
            figures = {
                "free_ms": float(chance.free_ms),
                "cards": float(chance.window.counted),
                **_change(swing, seat),
                "usual_ms": usual_ms,
            }
            text = wording.missed_take(swing, chance)
            yield _judged(swing[:3], seat, MISSED_TAKE, figures, text)


def _change(swing: Swing, seat: int) -> dict[str, float]:
    """Of the chances as pages say them, so that one number is on all of them."""
    before, after = swing.chances(seat)
    return {"delta": after - before, "points": float(points_between(before, after))}


def _mistakes(timeline: Timeline, swings: Sequence[Swing]) -> Iterator[JudgementJson]:
    cost = timeline.header.rules.mistake_ms
    made = {(take.round, take.facts.play.card): take for take in swings if take.facts}
    for played in timeline.rounds:
        lost = lost_meanwhile(played)
        for place, (event, seq) in enumerate(zip(played.events, played.seqs, strict=True)):
            if isinstance(event, Miss):
                text = wording.mistake(event, lost.get(place))
                figures = {"cost_ms": float(cost)}
                if place in lost:
                    figures["cards"] = float(lost[place].takes or 0)
                    if swing := made.get((played.number, lost[place].card)):
                        figures |= _change(swing, event.seat)
                at = seq, played.number, event.t
                yield _judged(at, event.seat, MISTAKE, figures, text)


def lost_meanwhile(played: Round) -> dict[int, Play]:
    """By the place of each mistake among the events, from 0: another's take of a stack for which
    the hand held a card, while it took the mistaken one back."""
    table, lost = played.table(), dict[int, Play]()
    busy: dict[int, tuple[int, int]] = {}  # by seat: the place of its mistake, and until when
    for place, event in enumerate(played.events):
        if isinstance(event, Play) and event.takes is not None:
            for seat, (mistake, until) in busy.items():
                most = (lost[mistake].takes or 0) if mistake in lost else 0
                if event.t < until and event.takes > most and _could_take(table, seat, event):
                    lost[mistake] = event
        apply(table, event)
        if isinstance(event, Miss):
            busy[event.seat] = place, table.free[event.seat]
    return lost


def _could_take(table: Table, seat: int, play: Play) -> bool:
    """Whether a hand has a card that would take the same stack."""
    top = table.tops[play.stack]
    faces = {FACE[card] for card in table.hands[seat]}
    return any(fits(table.rules, top, face) and takes(top, face, None) for face in faces)
