"""A match and its report, with what sentences claim read from the log once more, in other ways."""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from games.bots.tempo import movements
from games.engine.cards import FACE, Card
from games.engine.events import Draw, End, Event, Late, Miss, Play, Tie
from games.engine.fitting import fits
from games.engine.message import Value, seat, when
from games.engine.rules import needs_refill
from games.engine.table import Table
from replays.analysis.findings import Findings
from replays.analysis.lag import lags
from replays.analysis.moments import Moment
from replays.analysis.sentences import Fact, Text, render_text
from replays.analysis.winning.series import Point, curve, curve_and_befores, series
from replays.timeline import Round, Timeline
from replays.training.matches import lines, plan

Facts = dict[str, Any]
"""The values of each fact. Of a comeback's gains, a list."""


class Report:
    """A match, its report, and what a fact is held against."""

    def __init__(self, population: str, seed: int, index: int) -> None:
        self.match = Timeline.of(lines(plan(population, seed, index)))
        self.names = self.match.names
        self.findings = Findings(self.match, [None] * len(self.names))
        self.points = series(self.match, detailed=True)
        self.curve = curve(self.points)
        self.result = self.match.result
        self.winners = self.result.winners if self.result else ()

    def facts(self, text: Text) -> Facts:
        """Its facts by kind; and its sentences are whole."""
        said = render_text(text, self.names)
        assert re.fullmatch(r"[^{}]+[.:]", said), said
        return facts_of(text)

    @cached_property
    def lags(self) -> list[float]:
        return [lag or 0.0 for lag in lags(self.match)]

    def round_of(self, moment: Moment) -> Round:
        return self.match.rounds[moment.round - 1]

    def event_of(self, moment: Moment) -> Event:
        played = self.round_of(moment)
        return played.events[played.seqs.index(moment.seq)]

    def chances(self, seq: int, cause: str) -> tuple[Point, Point]:
        at = next(n for n, p in enumerate(self.points) if p.seq == seq and p.cause == cause)
        return self.points[at - 1], self.points[at]

    def shown_before(self, seq: int) -> Point:
        """The chances that the page shows right before a line."""
        return [point for point in curve_and_befores(self.points) if point.seq < seq][-1]

    def events(self) -> Iterator[tuple[Round, Event]]:
        return ((played, event) for played in self.match.rounds for event in played.events)

    def takes(self) -> list[tuple[int, Play]]:
        """Every take, with its round."""
        return [
            (played.number, event)
            for played, event in self.events()
            if isinstance(event, Play) and event.takes is not None
        ]

    def place(self, number: int, t: float) -> Value:
        """Where a sentence says that something was."""
        return when(number) if len(self.match.rounds) > 1 else when(None, t)

    def below(self, moment: Moment, take: Play) -> Play:
        """The card that was played last on that stack before the take."""
        events = self.round_of(moment).events
        before = events[: events.index(take)]
        played = (e for e in reversed(before) if isinstance(e, Play) and e.stack == take.stack)
        return next(played)

    def margins(self, moment: Moment, take: Play) -> list[tuple[Any, int]]:
        """Who was late for that take, and by how much."""
        late = [e for e in self.round_of(moment).events if isinstance(e, Late)]
        return [(seat(e.seat), e.t - take.t) for e in late if e.stack == take.stack]

    def standing(self, seq: int) -> list[int]:
        """Each seat's total with its piles as they were after that line."""
        played = next(each for each in reversed(self.match.rounds) if each.seq <= seq)
        done = sum(each <= seq for each in played.seqs)
        if done and isinstance(played.events[done - 1], End):
            return list(played.events[done - 1].totals)  # type: ignore[union-attr]
        table = played.table(done)
        own = [
            len(table.score_piles[at]) - len(table.draw_piles[at]) - len(table.discard_piles[at])
            for at in range(len(self.names))
        ]
        if table.rules.floor_at_zero:
            own = [max(0, points) for points in own]
        return [total + points for total, points in zip(played.before, own, strict=True)]


def facts_of(text: Text) -> Facts:
    gains = [values for kind, values in text["say"] if kind == "gained"]
    kinds = [kind for kind, _ in text["say"] if kind != "gained"]
    assert len(set(kinds)) == len(kinds)
    return dict(text["say"]) | ({"gained": gains} if gains else {})


def free_ms(played: Round, seat: int, card: Card, play: Play, lag: float) -> int:
    """For how long before that play the card could be played there by a free hand, whose player
    had seen the slot: counted ms by ms."""
    slot, until = play.stack, play.t
    drawn = [e.t for e in played.events if isinstance(e, Draw) and e.card == card and e.t <= until]
    plays = [e for e in played.events if isinstance(e, Play) and e.stack == slot and e.t < until]
    since, hidden = max([0, *drawn]), 0.0
    if plays and plays[-1].t >= since:
        own = plays[-1].seat == seat or plays[-1].t in drawn
        since, hidden = plays[-1].t, 0 if own else played.header.rules.tie_window_ms + lag
    shown = min(until, since + round(hidden))
    free = set(range(shown, until))
    for begin, to in _busy(played, seat):
        free -= set(range(max(begin, shown), min(to, until)))
    return len(free)


def _busy(played: Round, seat: int) -> Iterator[tuple[int, int]]:
    """When a hand was moving, taking a card back, or had to be filled."""
    moved: int | None = None
    for event, table in played.tables():
        for t in (t for of, t in movements(event) if of == seat):
            if moved is not None:
                yield moved, t
            yield t, table.free[seat]
            moved = t if needs_refill(table, seat) else None
    if moved is not None:
        yield moved, played.duration_ms


def could_take(played: Round, seat: int, play: Play, face: int) -> list[Card]:
    """The cards of that face in a hand, before a play on a stack on which they fit."""
    table = played.table(played.events.index(play))
    fitting = fits(table.rules, table.tops[play.stack], face)
    return [card for card in table.hands[seat] if FACE[card] == face and fitting]


def lost_to(played: Round, miss: Miss) -> list[tuple[int, Play]]:
    """The takes of others while the mistake was taken back, of which the hand had a card."""
    at = played.events.index(miss)
    until = played.table(at + 1).free[miss.seat]
    later = (event for event in played.events[at + 1 :] if event.t < until)
    return [
        (play.takes or 0, play)
        for play in later
        if isinstance(play, Play)
        and play.takes
        and any(could_take(played, miss.seat, play, face) for face in (5, 6))
    ]


def stake(played: Round, tie: Tie) -> int:
    """How many cards each tied card alone would have taken."""
    return len(played.table(played.events.index(tie)).stacks[tie.stack]) + 1


def waits(report: Report, seat: int) -> list[int]:
    """For each play of a seat, how long its card had fitted there."""
    waited = []
    for played in report.match.rounds:
        drawn, laid = dict[Card, int](), dict[int, int]()
        for event in played.events:
            if isinstance(event, Draw):
                drawn[event.card] = event.t
            elif isinstance(event, Play):
                if event.seat == seat:
                    since = max(drawn.get(event.card, 0), laid.get(event.stack, 0))
                    waited.append(event.t - since)
                laid[event.stack] = event.t
    return waited


def stalls(report: Report) -> list[tuple[int, int, int, bool]]:
    """Every time without a play: its length, its round, its start, whether the round ended it."""
    found = []
    for played in report.match.rounds:
        ends = [e for e in played.events if isinstance(e, Play | End)]
        starts = [0, *(event.t for event in ends)]
        found += [
            (event.t - since, played.number, since, isinstance(event, End))
            for since, event in zip(starts, ends, strict=False)
        ]
    return found


def holding(played: Round, since: int, to: int) -> tuple[int, list[int]]:
    """For how long anyone held a card that fitted, and for how long each seat did."""
    of_each = [0] * len(played.header.seats)
    any_of_them, last, table = 0, 0, played.table()
    could = _able(table)
    for event, after in played.tables():
        ms = max(0, min(event.t, to) - max(last, since))
        any_of_them += ms * any(could)
        of_each = [own + ms * able for own, able in zip(of_each, could, strict=True)]
        last, could = event.t, _able(after)
    return any_of_them, of_each


def _able(table: Table) -> list[bool]:
    return [
        any(fits(table.rules, top, FACE[card]) for card in hand for top in table.tops)
        for hand in table.hands
    ]


def changed(text: Text, at: int, name: str) -> Text:
    """The same text, with one value of one of its facts slightly wrong."""
    facts = [Fact(kind, dict(values)) for kind, values in text["say"]]
    facts[at].values[name] = _off(facts[at].values[name])
    return Text(say=facts)


def _off(value: Value) -> Value:
    match value:
        case ("seats", *numbers):
            return "seats", *numbers[:-1]
        case ("seat", number):
            return "seat", abs(number - 1)
        case ("share", part):
            return "share", part + 0.01 if part < 0.99 else part - 0.01
        case ("decimal", number, digits):
            return "decimal", number + 0.1, digits
        case ("when", number, None):
            return "when", number + 1, None
        case ("when", number, ms):
            return "when", number, ms + 1_000
        case (kind, number, *more):
            return kind, number + 1, *more
    return value + 1
