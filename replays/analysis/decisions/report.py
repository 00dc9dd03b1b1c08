"""The decisions of a match as JSON values: what is stored, shown and printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from typing_extensions import TypedDict

from games.engine.cards import Card
from games.records.plural import counted
from replays.analysis.decisions.findings import Decision, Lost, lost
from replays.analysis.decisions.wording import sentence
from replays.timeline import Round

_DIGITS: Final = 4
_POINTS_DIGITS: Final = 2
_WIDE: Final = 2
"""Errors are told as so many standard errors."""


class DecisionJson(TypedDict):
    """One judged decision. `win` and `points`: as it was done, then with the take; `delta` and
    `points_delta`: what it changed for its seat; `top_event`: the play that made the take possible;
    `told`: whether it was clearly costly, and the first that passed up the same take."""

    seq: int
    round: int
    event: int
    t: int
    seat: int
    card: Card
    slot: int
    cards: int
    top_event: int
    rollouts: int
    win: list[float]
    delta: float
    error: float
    points: list[float]
    points_delta: float
    points_error: float
    told: bool
    text: str


class LostJson(TypedDict):
    """A seat's figure: `points` lost on open takes, and its standard error."""

    decisions: int
    points: float
    error: float
    text: str


class DecisionsJson(TypedDict):
    """All judged decisions in log order, and each seat's figure."""

    decisions: list[DecisionJson]
    lost: list[LostJson]


def row(
    played: Round, decision: Decision, names: Sequence[str], before: Iterable[DecisionJson]
) -> DecisionJson:
    """A decision of a round; `before`: the earlier ones of that round."""
    take = decision.take
    same = (take.seat, take.top_event)
    first = all((row["seat"], row["top_event"]) != same for row in before if row["told"])
    return _row(played, decision, names, told=decision.cost.told and first)


def together(decisions: Iterable[DecisionJson], seats: int) -> DecisionsJson:
    """Those of several rounds."""
    listed = list(decisions)
    figures = [lost(_points(listed, seat)) for seat in range(seats)]
    return {"decisions": listed, "lost": [_lost(figure) for figure in figures]}


def _points(decisions: Iterable[DecisionJson], seat: int) -> list[tuple[float, float]]:
    return [
        (-decision["points_delta"], decision["points_error"])
        for decision in decisions
        if decision["seat"] == seat
    ]


def _row(played: Round, decision: Decision, names: Sequence[str], *, told: bool) -> DecisionJson:
    take, (rollouts, win, points) = decision
    return {
        "seq": played.seqs[take.event - 1],
        "round": take.round,
        "event": take.event,
        "t": take.t,
        "seat": take.seat,
        "card": take.card,
        "slot": take.slot,
        "cards": take.cards,
        "top_event": take.top_event,
        "rollouts": rollouts,
        "win": [round(win.done, _DIGITS), round(win.take, _DIGITS)],
        "delta": -round(win.cost, _DIGITS),
        "error": round(win.error, _DIGITS),
        "points": [round(points.done, _POINTS_DIGITS), round(points.take, _POINTS_DIGITS)],
        "points_delta": -round(points.cost, _POINTS_DIGITS),
        "points_error": round(points.error, _POINTS_DIGITS),
        "told": told,
        "text": sentence(played, take, names),
    }


def _lost(figure: Lost) -> LostJson:
    points, error = round(figure.points, _POINTS_DIGITS), round(figure.error, _POINTS_DIGITS)
    return {
        "decisions": figure.decisions,
        "points": points,
        "error": error,
        "text": lost_words(figure),
    }


def lost_words(figure: Lost) -> str:
    """The figure in words, with an interval of 95%."""
    if not figure.decisions:
        return "no take passed up"
    wide = _WIDE * figure.error
    low, high = figure.points - wide, figure.points + wide
    times = f"in {counted(figure.decisions, 'decision')}"
    words = f"{figure.points:.1f} points lost on open takes ({low:.1f} to {high:.1f}), {times}"
    return words.replace("-", "−")


def figure_words(row: DecisionJson) -> str:
    """What one decision cost, in words."""
    wide = max(1, round(100 * _WIDE * row["error"]))
    words = f"{row['delta']:+.0%} ± {wide}%; {row['points_delta']:+.1f} points"
    return words.replace("-", "−")
