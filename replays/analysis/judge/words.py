"""What came of a question, in words and as JSON: what is stored, shown and printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from typing import Final, NamedTuple

from typing_extensions import TypedDict

from games.engine.actions import Refusal
from games.engine.cards import FACE, OWNER, WILD, Card
from games.engine.events import Discard, Event, Late, Play, Tie
from games.engine.fitting import fits
from games.records.plural import counted, joined
from replays.analysis.judge.judge import Outcome, Question, SeatOutcome
from replays.analysis.judge.playing import Change, TryAt
from replays.analysis.judge.tally import WIDE, Tallies
from replays.analysis.marks import signed
from replays.analysis.moments.wording import face, percent, seconds
from replays.analysis.open_takes import OpenTake
from replays.analysis.winning.position import FIVE
from replays.timeline import Round

_DIGITS: Final = 4
_POINTS_DIGITS: Final = 2
_COUNTS = ("no", "a", "two", "three")


def sentence(played: Round, take: OpenTake, names: Sequence[str]) -> str:
    """In the order in which it happened; its consequences come last."""
    who, done = names[take.seat], _did(played.events[take.event - 1])
    top = played.events[take.top_event - 1]
    assert isinstance(top, Play)
    held = joined(_held(played, take))
    if top.seat == take.seat:
        under = counted(take.cards - 1, "card")
        begun = f"{who} put {face(top.card)} on {under}, holding {held}, and {done} first"
    else:
        there = f"{counted(take.cards, 'card')}, open for {seconds(take.open_ms)}"
        begun = f"{there}, {held} in hand: {who} {done}"
    return f"{begun}; {_became(played, take, names)}."


def _held(played: Round, take: OpenTake) -> Iterator[str]:
    """The cards in hand that would have taken."""
    table = played.table(take.event - 1)
    faces = [FACE[card] for card in table.hands[take.seat]]
    for taker in (FIVE, WILD):
        count = faces.count(taker)
        if count and fits(table.rules, table.tops[take.slot], taker):
            name = "wild" if taker == WILD else str(taker)
            yield f"{_COUNTS[count]} {name}{'s' if count > 1 else ''}"


def _did(event: Event) -> str:
    if isinstance(event, Discard):
        return f"discarded {face(event.card)}"
    if not isinstance(event, Play):
        return "drew"
    if event.takes is not None:
        return f"took {counted(event.takes, 'card')} with {face(event.card)}"
    return f"played {face(event.card)}{f' as a {event.number}' if event.number else ''}"


def _became(played: Round, take: OpenTake, names: Sequence[str]) -> str:
    """The next play on the stack."""
    for event in played.events[take.event :]:
        if isinstance(event, Play) and event.stack == take.slot:
            put = f"put {face(event.card)} on it"
            what = put if event.takes is None else f"took {event.takes}"
            after = event.t - take.t
            when = f", {seconds(after)} later" if after else " at the same time"
            return f"{names[event.seat]} {what}{when}"
    return "nobody took it"


class SeatOutcomeJson(TypedDict):
    """A seat's chance to win as the curve has it, and what the change adds, with its interval."""

    base: float
    difference: float
    low: float
    high: float


class JudgedJson(TypedDict):
    """What came of a question. `cards` and `top_event`: of an open take, the stack and the play
    that made the take possible, else 0; `cut_ms`: how long rollouts lasted, null to the round's
    end; `told`: whether the difference is clear, and the first that passed up the same take;
    `points`: what the change adds to the seat's points."""

    seq: int
    round: int
    event: int
    t: int
    seat: int
    ms: int
    card: Card | None
    slot: int
    skip: bool
    cards: int
    top_event: int
    rollouts: int
    cut_ms: int | None
    seats: list[SeatOutcomeJson]
    told: bool
    points: float
    points_error: float
    text: str
    figure: str


class LostJson(TypedDict):
    """A seat's figure: `points` lost on open takes, and its standard error."""

    decisions: int
    points: float
    error: float
    text: str


class DecisionsJson(TypedDict):
    """All judged decisions in log order, and each seat's figure."""

    decisions: list[JudgedJson]
    lost: list[LostJson]


def take_row(
    played: Round,
    question: Question,
    tallies: Tallies,
    names: Sequence[str],
    before: Iterable[JudgedJson] = (),
) -> JudgedJson:
    """About an open take; `before`: the earlier ones of that round."""
    take, outcome = question.take, question.outcome(tallies)
    assert take is not None
    same = (take.seat, take.top_event)
    first = all((row["seat"], row["top_event"]) != same for row in before if row["told"])
    row = _row(played, question.at, question.change, outcome, sentence(played, take, names))
    row["cards"], row["top_event"], row["cut_ms"] = take.cards, take.top_event, question.cut_ms
    row["told"] = outcome.told and first
    return row


def row(played: Round, question: Question, tallies: Tallies, names: Sequence[str]) -> JudgedJson:
    """About a change, of an open take or of a try."""
    if question.take is not None:
        return take_row(played, question, tallies, names)
    outcome = question.outcome(tallies)
    return _row(played, question.at, question.change, outcome, became_words(outcome, names))


def _row(played: Round, at: TryAt, change: Change, outcome: Outcome, text: str) -> JudgedJson:
    return {
        "seq": played.seqs[at.event - 1],
        "round": at.round,
        "event": at.event,
        "t": played.events[at.event - 1].t,
        "seat": at.seat,
        "ms": change.ms,
        "card": change.card,
        "slot": change.slot,
        "skip": change.skip,
        "cards": 0,
        "top_event": 0,
        "rollouts": outcome.rollouts,
        "cut_ms": None,
        "seats": [_seat(seat) for seat in outcome.seats],
        "told": outcome.told,
        "points": round(outcome.points, _POINTS_DIGITS),
        "points_error": round(outcome.points_error, _POINTS_DIGITS),
        "text": text,
        "figure": figure_words(outcome),
    }


def _seat(seat: SeatOutcome) -> SeatOutcomeJson:
    base, difference, low, high = (round(value, _DIGITS) for value in seat)
    return {"base": base, "difference": difference, "low": low, "high": high}


def figure_words(outcome: Outcome) -> str:
    """As `+7 points of chance to win (5 to 9): 20% → 27%`: the difference with its interval."""
    base, difference, low, high = outcome.seats[outcome.seat]
    by, least, most = (round(100 * share) for share in (difference, low, high))
    points = "point" if abs(by) == 1 else "points"
    change = f"{signed(by)} {points} of chance to win ({_plain(least)} to {_plain(most)})"
    words = f"{change}: {percent(base)} → {percent(base + difference)}"
    return words if outcome.told else f"no clear difference: {words}"


def _plain(value: int) -> str:
    return f"{value}".replace("-", "−")


def became_words(outcome: Outcome, names: Sequence[str]) -> str:
    """What would have become of the changed try."""
    name, became = names[outcome.seat], outcome.became
    if isinstance(became, Refusal):
        return f"Not possible: {became.message}."
    if isinstance(became, Play):
        taken = f" and would take {counted(became.takes, 'card')}" if became.takes else ""
        return f"{name}’s card would be played{taken}."
    if isinstance(became, Tie):
        others = joined(names[OWNER[card]] for card in became.cards if OWNER[card] != outcome.seat)
        return f"{name} would tie with {others}."
    if isinstance(became, Late):
        return f"{name} would be too late."
    return f"{name} would not play then." if became is None else f"{name} would make a mistake."


class Lost(NamedTuple):
    """What a seat's decisions about open takes cost it in points, and the standard error.

    A count of the costly ones would not do: the higher the stakes, the more there are.
    """

    decisions: int
    points: float
    error: float


def lost(points: Iterable[tuple[float, float]]) -> Lost:
    """A seat's figure, from what each of its decisions cost in points, with its standard error."""
    costs = list(points)
    return Lost(len(costs), sum(cost for cost, _ in costs), sqrt(sum(e * e for _, e in costs)))


def together(decisions: Iterable[JudgedJson], seats: int) -> DecisionsJson:
    """The decisions of several rounds."""
    listed = list(decisions)
    figures = [
        lost((row["points"], row["points_error"]) for row in listed if row["seat"] == seat)
        for seat in range(seats)
    ]
    return {"decisions": listed, "lost": [_lost(figure) for figure in figures]}


def _lost(figure: Lost) -> LostJson:
    points, error = round(figure.points, _POINTS_DIGITS), round(figure.error, _POINTS_DIGITS)
    text = lost_words(figure)
    return {"decisions": figure.decisions, "points": points, "error": error, "text": text}


def lost_words(figure: Lost) -> str:
    """The figure in words, with an interval of 95%."""
    if not figure.decisions:
        return "no take passed up"
    wide = WIDE * figure.error
    low, high = figure.points - wide, figure.points + wide
    times = f"in {counted(figure.decisions, 'decision')}"
    words = f"{figure.points:.1f} points lost on open takes ({low:.1f} to {high:.1f}), {times}"
    return words.replace("-", "−")
