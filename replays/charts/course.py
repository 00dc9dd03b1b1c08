"""The course of the rounds that a chart shows: each event as a moment on one time axis.

All charts read the same moments, so that one cursor can go through all of them. What is said
of a moment is public: stacks, takes, ties and the number of cards in each place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.engine import scoring
from games.engine.cards import OWNER
from games.engine.events import End, Event, Play, Tie
from games.engine.table import Table, apply
from replays.charts.words import clock, sentence
from replays.timeline import Round, Timeline

PAUSE_MS: Final = 3_000
"""Between the rounds of a whole match, so that they stay apart to the eye."""


class Span(NamedTuple):
    """Where a round lies on the axis; `offset` and `duration` in ms."""

    played: Round
    offset: int
    duration: int


class Moment(NamedTuple):
    """One event; the deal has none. `x`: ms on the axis, `middle`: each seat's cards there."""

    seq: int
    x: int
    event: Event | None
    words: str
    middle: tuple[int, ...]
    scores: tuple[int, ...]
    """For each seat, what it would have if the round ended now, earlier rounds included."""
    height: int
    """Cards in the stack that the event was about, the one that was laid included."""

    @property
    def told(self) -> str:
        """For hovering: when, and what."""
        return f"{clock(self.event.t if self.event else 0)}  {self.words}"


class Course:
    """One round of a match (`number`) or all of them (None), as moments.

    Raises LookupError if there is no such round.
    """

    def __init__(self, timeline: Timeline, number: int | None = None) -> None:
        rounds = [played for played in timeline.rounds if number in (None, played.number)]
        if number is not None and not rounds:
            raise LookupError(f"no round {number}")
        self.timeline = timeline
        self.names = timeline.names
        self.whole = number is None
        self.spans = list(_spans(rounds))
        self.moments = [list(self._moments(span)) for span in self.spans]

    @property
    def seats(self) -> range:
        return range(len(self.names))

    @property
    def end(self) -> int:
        """Where the last event lies on the axis, in ms."""
        return max((span.offset + span.duration for span in self.spans), default=0)

    def _moments(self, span: Span) -> Iterator[Moment]:
        played, offset = span.played, span.offset
        table, last = played.table(), dict[int, Play]()
        base = played.before if self.whole else (0,) * table.seats
        deal = sentence(None, table, None, self.names)
        yield Moment(played.seq, offset, None, deal, _middle(table), _scores(table, base), 0)
        for event, seq in zip(played.events, played.seqs, strict=True):
            slot = getattr(event, "stack", None)
            words = sentence(event, table, last.get(slot) if slot is not None else None, self.names)
            height = 0 if slot is None else len(table.stacks[slot])
            apply(table, event)
            if isinstance(event, Play):
                last[event.stack] = event
                height += 1
            x, scores = offset + event.t, _scores(table, base, event)
            yield Moment(seq, x, event, words, _middle(table), scores, height)


def _spans(rounds: Sequence[Round]) -> Iterator[Span]:
    offset = 0
    for played in rounds:
        yield Span(played, offset, played.duration_ms)
        offset += played.duration_ms + PAUSE_MS


def _middle(table: Table) -> tuple[int, ...]:
    counts = [0] * table.seats
    for stack in table.stacks:
        for card in stack:
            counts[OWNER[card]] += 1
    return tuple(counts)


def _scores(table: Table, base: tuple[int, ...], event: Event | None = None) -> tuple[int, ...]:
    worth = event.scores if isinstance(event, End) else scoring.raw_scores(table)
    return tuple(before + now for before, now in zip(base, worth, strict=True))


def notable(moment: Moment) -> bool:
    """Whether a moment changes the middle or is a round's start or end, rather than a draw."""
    return moment.event is None or isinstance(moment.event, Play | Tie | End)
