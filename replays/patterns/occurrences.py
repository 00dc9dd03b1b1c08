"""Occurrences: every window, take, race, tie, mistake, draw, discard and OUT, as patterns see them.

They are computed once for a match, from its log, and stored as rows of numbers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from games.engine.cards import FACE, OWNER
from games.engine.events import Discard, Draw, End, Event, Late, Miss, Out, Play, Tie
from games.engine.table import Table, apply
from replays.analysis.chances import Chance, chances
from replays.analysis.missed_takes import could_take
from replays.analysis.windows import PLAYED
from replays.patterns import query
from replays.timeline import Round, Timeline

VERSION: Final = 4
"""Raised when occurrences of the same log change."""
BEFORE_MS: Final = 1_500
"""How much is played before a moment, and how much after."""
AFTER_MS: Final = 1_000
KINDS: Final = (
    *(query.LEFT, query.PLAYED, query.TOOK, query.LATE, query.TIED),
    *(query.MISTAKE, query.DREW, query.DISCARDED, query.OUT),
)
NOBODY: Final = -1


class Occurrence(NamedTuple):
    """One moment. All are whole numbers."""

    kind: int
    """An index of `KINDS`. A missed take is a window that was left."""
    round: int
    event: int
    """After so many events of the round it is played from, until the next number."""
    until: int
    seq: int
    """Of the line that ended it."""
    t: int
    """When it began, in ms of the round."""
    to: int
    seat: int
    other: int
    """The seat that ended the window, was fed from, or won the race. `NOBODY`."""
    face: int
    top: int
    slot: int
    ms: int
    """How long the window lasted, or by how much a race was lost or tied."""
    cards: int
    """The stack's cards just before. If the card takes or would have, the cards that it gets."""
    players: int
    """How many were tied."""
    takes: int
    """1 if the card would have taken, or did."""
    missed: int
    """1 if it is a missed take that its player had the time for (`could_take`)."""
    held: int = 0
    """The faces that were in hand besides the card, before the line that ended it: a bit each."""


def play_of(occurrence: Occurrence) -> tuple[int, int, int] | None:
    """The seat, face and slot of its card, which was played, tried or could have been."""
    if occurrence.slot == NOBODY:
        return None
    return occurrence.seat, occurrence.face, occurrence.slot


WHEN: Final = attrgetter("round", "t", "to", "kind", "seat")
"""Their order."""


def occurrences(timeline: Timeline, lags: Sequence[float | None]) -> list[Occurrence]:
    """Those of a whole match, by round and by when they began. `lags`: each seat's, in ms."""
    return [found for played in timeline.rounds for found in _occurrences_of(played, lags)]


def _occurrences_of(played: Round, lags: Sequence[float | None]) -> list[Occurrence]:
    reader = _OccurrenceScan(played)
    return sorted([*reader.windows(chances(played, lags)), *reader.events()], key=WHEN)


class _OccurrenceScan:
    def __init__(self, played: Round) -> None:
        self._played = played
        self._times = [event.t for event in played.events]
        self._reactions: dict[int, int] = {}
        self._hands = list(_hands(played))

    def windows(self, in_round: Iterable[Chance]) -> Iterator[Occurrence]:
        for chance in in_round:
            window = chance.window
            if window.end == PLAYED:
                self._reactions[window.span[1]] = window.ms
            yield self._window(chance)

    def _window(self, chance: Chance) -> Occurrence:
        window = chance.window
        own = window.end == PLAYED
        ended = window.play.seat if window.play and not own else NOBODY
        return self._occurrence(
            query.PLAYED if own else query.LEFT,
            (window.since, window.until, window.span[1]),
            (window.seat, ended),
            (FACE[window.card], window.top, window.slot, window.counted),
            ms=window.ms,
            takes=int(window.takes),
            missed=int(could_take(chance)),
        )

    def events(self) -> Iterator[Occurrence]:
        """All but windows."""
        table = self._played.table()
        last: dict[int, _Found] = {}
        for number, event in enumerate(self._played.events, 1):
            if isinstance(event, Play):
                if event.takes is not None:
                    yield self._take(event, number, table, last.get(event.stack))
                last[event.stack] = _Found(event, *_slot(table, event.stack))
            elif isinstance(event, Late) and event.stack in last:
                yield self._late(event, number, last[event.stack])
            elif isinstance(event, Tie):
                yield from self._tie(event, number, table)
            elif isinstance(event, Miss):
                top, cards = _slot(table, event.stack)
                what = (FACE[event.card], top, event.stack, cards)
                when = (event.t, event.t, number)
                yield self._occurrence(query.MISTAKE, when, (event.seat, NOBODY), what)
            elif isinstance(event, Draw | Discard | Out):
                yield self._alone(event, number)
            apply(table, event)

    def _alone(self, event: Draw | Discard | Out, number: int) -> Occurrence:
        """A seat's action apart from the slots."""
        kind = _ALONE[type(event)]
        face = 0 if isinstance(event, Out) else FACE[event.card]
        when = (event.t, event.t, number)
        return self._occurrence(kind, when, (event.seat, NOBODY), (face, 0, NOBODY, 0))

    def _take(self, play: Play, number: int, table: Table, below: _Found | None) -> Occurrence:
        assert play.takes is not None
        fed = below.play.seat if below and below.play.takes is None else NOBODY
        ms = self._reactions.get(number, 0)
        return self._occurrence(
            query.TOOK,
            (play.t, play.t, number),
            (play.seat, fed),
            (FACE[play.card], table.tops[play.stack], play.stack, play.takes),
            ms=ms,
            takes=1,
        )

    def _late(self, late: Late, number: int, winning: _Found) -> Occurrence:
        first = winning.play
        return self._occurrence(
            query.LATE,
            (first.t, late.t, number),
            (late.seat, first.seat),
            (FACE[late.card], winning.top, late.stack, winning.cards),
            ms=late.t - first.t,
        )

    def _tie(self, tie: Tie, number: int, table: Table) -> Iterator[Occurrence]:
        top, cards = _slot(table, tie.stack)
        for card in tie.cards:
            yield self._occurrence(
                query.TIED,
                (tie.t, tie.t + tie.after[-1], number),
                (OWNER[card], NOBODY),
                (FACE[card], top, tie.stack, cards),
                ms=tie.after[-1],
                players=len(tie.cards),
            )

    def _occurrence(
        self,
        kind: str,
        when: tuple[int, int, int],
        who: tuple[int, int],
        what: tuple[int, int, int, int],
        *,
        ms: int = 0,
        players: int = 0,
        takes: int = 0,
        missed: int = 0,
    ) -> Occurrence:
        """`when`: from, to, the number of the ending event. `what`: face, top, slot, cards."""
        t, to, number = when
        event = bisect_left(self._times, t - BEFORE_MS)
        until = max(number, bisect_right(self._times, to + AFTER_MS))
        seq = self._played.seqs[number - 1] if number else self._played.seq
        place = (KINDS.index(kind), self._played.number, event, until, seq, t, to)
        held = self._held_mask(kind, number, who[0], what[0])
        return Occurrence(*place, *who, *what[:3], ms, what[3], players, takes, missed, held)

    def _held_mask(self, kind: str, number: int, seat: int, face: int) -> int:
        faces = self._hands[max(0, number - 1)][seat]
        if kind != query.DREW:
            faces = faces.replace(bytes((face,)), b"", 1)
        return sum({1 << held for held in faces})


_ALONE: Final[dict[type, str]] = {
    Draw: query.DREW,
    Discard: query.DISCARDED,
    Out: query.OUT,
}


def _hands(played: Round) -> Iterator[tuple[bytes, ...]]:
    """The faces in each hand, at the deal and after each event."""
    table = played.table()
    hands = [bytes(FACE[card] for card in hand) for hand in table.hands]
    yield tuple(hands)
    for event in played.events:
        apply(table, event)
        for seat in _movers(event):
            hands[seat] = bytes(FACE[card] for card in table.hands[seat])
        yield tuple(hands)


def _movers(event: Event) -> Iterable[int]:
    if isinstance(event, Tie):
        return [OWNER[card] for card in event.cards]
    return () if isinstance(event, End) else (event.seat,)


class _Found(NamedTuple):
    """A play, and the slot as it found it."""

    play: Play
    top: int
    cards: int


def _slot(table: Table, slot: int) -> tuple[int, int]:
    """A slot's top and number of cards."""
    return table.tops[slot], len(table.stacks[slot])
