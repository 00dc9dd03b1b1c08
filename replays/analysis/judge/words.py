"""The outcome of a question, as facts and as JSON: stored, shown and printed."""

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from types import NoneType
from typing import Final

from typing_extensions import TypedDict

from games.engine.actions import Refusal
from games.engine.cards import FACE, OWNER, WILD, Card
from games.engine.events import Discard, Event, Late, Play, Tie
from games.engine.fitting import fits
from games.engine.message import (
    Value,
    card,
    decimal,
    lasting,
    points_between,
    seat,
    seats,
    share,
    signed,
)
from replays.analysis.judge.judge import Outcome, Question, SeatOutcome
from replays.analysis.judge.playing import Change, TryAt
from replays.analysis.judge.tally import WIDE, Tallies
from replays.analysis.open_takes import OpenTake
from replays.analysis.sentences import Fact, Text, fact, say
from replays.analysis.winning.network import in_percent
from replays.analysis.winning.position import FIVE
from replays.timeline import Round

_DIGITS: Final = 4
_POINTS_DIGITS: Final = 2


def take_text(played: Round, take: OpenTake) -> Text:
    """In order of time. The consequences come last."""
    who, top = seat(take.seat), played.events[take.top_event - 1]
    assert isinstance(top, Play)
    there = {"count": take.taken, "stack": take.slot + 1}
    if top.seat == take.seat:
        begun = fact("put_on", player=who, card=card(top.card), **there)
    else:
        begun = fact("lay_open", time=lasting(take.open_ms), **there)
    done = _did(played.events[take.event - 1], who)
    return say(begun, _held_facts(played, take), done, _became(played, take))


def _held_facts(played: Round, take: OpenTake) -> Iterator[Fact]:
    """The cards in hand that would have taken."""
    table = played.table(take.event - 1)
    faces = [FACE[card] for card in table.hands[take.seat]]
    for taker, kind in ((FIVE, "held_fives"), (WILD, "held_wilds")):
        if taker in faces and fits(table.rules, table.tops[take.slot], taker):
            yield fact(kind, player=seat(take.seat), count=faces.count(taker))


def _did(event: Event, who: Value) -> Fact:
    if isinstance(event, Discard):
        return fact("instead_discarded", player=who, card=card(event.card))
    if not isinstance(event, Play):
        return fact("instead_drew", player=who)
    laid = {"player": who, "card": card(event.card)}
    if event.takes is not None:
        return fact("instead_took", count=event.takes, **laid)
    if event.number:
        return fact("instead_played_as", number=event.number, **laid)
    return fact("instead_played", **laid)


def _became(played: Round, take: OpenTake) -> Fact:
    """The next play on the stack."""
    for event in played.events[take.event :]:
        if isinstance(event, Play) and event.stack == take.slot:
            after, kind = event.t - take.t, "then_put" if event.takes is None else "then_took"
            values = {"card": card(event.card), "count": event.takes or 0, "time": lasting(after)}
            at_once = "" if after else "_at_once"
            return fact(f"{kind}{at_once}", player=seat(event.seat), **values)
    return fact("none_took")


class SeatOutcomeJson(TypedDict):
    """A seat's chance to win by the curve, before the play and after it as it was played, and the
    change's effect on the latter with its interval."""

    before: float
    played: float
    difference: float
    low: float
    high: float


class JudgedJson(TypedDict):
    """The outcome of a question. `cards` and `top_event`: what an open take would get, and the play
    that made it possible, else 0. `cut_ms`: how long rollouts lasted, null to the round's end.
    `told`: the difference is clear, and the first for the same passed-up take. `points`: the
    change's effect on the seat's points. `by`: its effect on the chance to win in whole points.
    `figures`: the effect on each seat's chance, its own first."""

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
    by: int
    points: float
    points_error: float
    text: Text
    figures: list[Text]


class LostJson(TypedDict):
    """A seat's figure: `points` lost on missed takes, and its standard error."""

    decisions: int
    points: float
    error: float
    text: Text


class DecisionsJson(TypedDict):
    """All judged decisions in log order, and each seat's figure."""

    decisions: list[JudgedJson]
    lost: list[LostJson]


def take_row(
    played: Round,
    question: Question,
    tallies: Tallies,
    before: Iterable[JudgedJson] = (),
) -> JudgedJson:
    """About an open take. `before`: the earlier ones of that round."""
    take, outcome = question.take, question.outcome(tallies)
    assert take is not None
    same = (take.seat, take.top_event)
    first = all((row["seat"], row["top_event"]) != same for row in before if row["told"])
    row = _row(played, question.at, question.change, outcome, take_text(played, take))
    if outcome.without:
        taker, part, after_ms = outcome.without
        values = {"player": seat(taker), "share": share(part), "time": lasting(after_ms)}
        row["text"]["say"] += say(fact("without_take", **values))["say"]
    row["cards"], row["top_event"], row["cut_ms"] = take.taken, take.top_event, question.cut_ms
    row["told"] = outcome.is_significant and first
    return row


def row(played: Round, question: Question, tallies: Tallies) -> JudgedJson:
    """About a change, of an open take or of a try."""
    if question.take is not None:
        return take_row(played, question, tallies)
    outcome = question.outcome(tallies)
    return _row(played, question.at, question.change, outcome, say(_would(outcome)))


def _row(played: Round, at: TryAt, change: Change, outcome: Outcome, text: Text) -> JudgedJson:
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
        "told": outcome.is_significant,
        "by": _by(outcome, outcome.seat),
        "points": round(outcome.points, _POINTS_DIGITS),
        "points_error": round(outcome.points_error, _POINTS_DIGITS),
        "text": text,
        "figures": changes(outcome),
    }


def _seat(seat: SeatOutcome) -> SeatOutcomeJson:
    before, played, difference, low, high = (round(value, _DIGITS) for value in seat)
    return SeatOutcomeJson(before=before, played=played, difference=difference, low=low, high=high)


def _by(outcome: Outcome, of: int) -> int:
    """The difference to a seat in points, between the chances in whole percent."""
    _before, played = _levels(outcome, of)
    return points_between(played, played + outcome.seats[of].difference)


def _levels(outcome: Outcome, of: int) -> tuple[float, float]:
    """A seat's chance to win before the play and after it, as everywhere on the page."""
    before, played = zip(*((seat.before, seat.played) for seat in outcome.seats), strict=True)
    return in_percent(before)[of], in_percent(played)[of]


def changes(outcome: Outcome) -> list[Text]:
    """What became of each seat's chance: of the one that acts first, then by seat."""
    others = [of for of in range(len(outcome.seats)) if of != outcome.seat]
    return [say(change_of(outcome, of)) for of in (outcome.seat, *others)]


def change_of(outcome: Outcome, of: int) -> Fact:
    """As `Bo’s chance to win: +7 percentage points (5 to 9), 20% → 27%.`: the difference with its
    interval. If the play as made changed the chance by itself: `… 27% instead of 23%.`"""
    _before, _played, difference, low, high = outcome.seats[of]
    before, played = _levels(outcome, of)
    by = _by(outcome, of)
    least, most = min(by, round(100 * low)), max(by, round(100 * high))
    clear = outcome.is_significant if of == outcome.seat else outcome.seats[of].clear
    kind = "difference" if clear else "no_difference"
    return fact(
        kind if before == played else f"{kind}_instead",
        count=abs(by),
        player=seat(of),
        by=signed(by),
        low=least,
        high=most,
        before=share(before),
        after=share(played + difference),
        played=share(played),
    )


_REFUSED: Final = {
    "one-hand": "refused_busy",
    "not-in-hand": "refused_not_held",
    "round-over": "refused_over",
}


def _would(outcome: Outcome) -> Fact:
    """The changed try's result."""
    who, became, without = seat(outcome.seat), outcome.became, outcome.without
    if without:
        before, after = map(share, _levels(outcome, outcome.seat))
        values = {"share": share(without.share), "time": lasting(without.after_ms)}
        kind = "taken_anyway" if without.taker == outcome.seat else "taken_instead"
        return fact(kind, player=seat(without.taker), before=before, after=after, **values)
    if isinstance(became, Refusal):
        return fact(_REFUSED.get(became.rule, "refused"), player=who)
    if isinstance(became, Play) and became.takes:
        return fact("would_take", player=who, count=became.takes)
    if isinstance(became, Tie):
        others = [OWNER[card] for card in became.cards if OWNER[card] != outcome.seat]
        return fact("would_tie", player=who, others=seats(others))
    kinds: dict[type, str] = {Play: "would_play", Late: "would_be_late", NoneType: "would_not_play"}
    return fact(kinds.get(type(became), "would_err"), player=who)


def together(decisions: Iterable[JudgedJson], seats: int) -> DecisionsJson:
    """The decisions of several rounds."""
    listed = list(decisions)
    figures = [
        lost([(row["points"], row["points_error"]) for row in listed if row["seat"] == seat])
        for seat in range(seats)
    ]
    return {"decisions": listed, "lost": figures}


def lost(costs: Sequence[tuple[float, float]]) -> LostJson:
    """What a seat's decisions about open takes cost it, from the points of each, with its standard
    error. In words with an interval of 95%.

    A count of the costly ones would not do: the higher the stakes, the more there are.
    """
    points, error = sum(cost for cost, _ in costs), sqrt(sum(e * e for _, e in costs))
    wide, count = WIDE * error, len(costs)
    low, high = decimal(points - wide), decimal(points + wide)
    told = fact("lost_points", points=decimal(points), low=low, high=high, count=count)
    return {
        "decisions": count,
        "points": round(points, _POINTS_DIGITS),
        "error": round(error, _POINTS_DIGITS),
        "text": say(told if costs else fact("no_decision")),
    }
