"""Race cards: every late try and every tie of a round, with the figures about it.

The log gives the facts: the tries, their arrival, each screen's state, the margin, and the slot's
value. Two figures are derived:
- **on equal lines**: the seat that would have been first without anyone's lag. An estimate, as lags
  are, and given only if every lag is known.
- **flip time**: the fewest ms by which the loser's try would have had to arrive earlier for the
  race to end differently (a late try in a tie or a play, a tie in the first try's play). It
  follows from the referee's rules alone: the slot as the play that decided found it, the tie
  window, and the loser's hand, which has to be free. None if no earlier arrival was possible.

A late try is measured from its winner's play, the slot's last (docs/reference/measures.md). It may
have been too late before that: for the first play after which its card no longer counted. If
that is another one, it is the card's `late_to`, and the tie window in question is that play's.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.engine.cards import FACE, OWNER, Card
from games.engine.events import Late, Play, Tie
from games.engine.fitting import fits
from games.engine.rules import needs_refill, top_after, viewed
from games.engine.table import Table, apply
from replays.analysis.screens import Way, screens
from replays.timeline import Round

LATE: Final = "late"
TIE: Final = "tie"


class RaceTry(NamedTuple):
    """One try in a race. Times are in ms of the round."""

    seat: int
    card: Card
    number: int | None
    """The number a wild was played as."""
    t: int
    """When it reached the host."""
    hand_t: int | None
    """The movement's time: the arrival minus half of the lag, estimated."""
    seen: int | None
    """How many of the round's events that screen had shown."""
    margin_ms: int
    """How long after the first try it arrived."""
    top: int
    """The face that its player saw on the slot. 0: none, the slot was free."""


class RaceCard(NamedTuple):
    """A race for one slot."""

    seq: int
    """Of the late try or tie."""
    round: int
    t: int
    slot: int
    kind: str
    """`late` or `tie`."""
    attempts: tuple[RaceTry, ...]
    """In order of arrival. For a late try: the play that was first, and the try."""
    late_to: RaceTry | None
    """The earlier play that a late try was too late for already. Its margin is negative."""
    winner: int | None
    """The seat that played. None for a tie."""
    play_seq: int | None
    """Of the winner's play."""
    cards: int
    """The cards in the slot when the first try arrived."""
    takes: int | None
    """How many cards the winner took, if any."""
    equal_lines: int | str | None
    """The seat that would have been first, or `tie`. None if any lag is unknown."""
    flip_ms: int | None
    shown: Way | None = None
    """When the play that a late try was too late for came to its player's screen: ms in the round.

    None if unknown, or if the estimate says that it was seen, which it was not. None for a tie,
    which came after every try in it.
    """


class _Found(NamedTuple):
    """A slot as its last play found it."""

    play: Play
    seq: int
    event: int
    """Its number in the round, from 1."""
    height: int
    visited: int | None
    """When the slot was last played or tied on before. None: never."""
    attempt: RaceTry


def race_cards(
    played: Round, lags: Sequence[float | None], ways: Sequence[Way | None] | None = None
) -> list[RaceCard]:
    """A card for each race of a round, in order. `shown` needs `ways`."""
    return list(_RaceScan(played, lags, ways or (None,) * len(lags)).read())


class _RaceScan:
    """Reads a round once, remembering how each play found its slot."""

    def __init__(
        self, played: Round, lags: Sequence[float | None], ways: Sequence[Way | None]
    ) -> None:
        self._played = played
        self._lags = lags
        self._screens = screens(played, ways)
        self._window = played.header.rules.tie_window_ms
        seats = len(played.header.seats)
        self._found: list[list[_Found]] = [[] for _ in range(seats)]
        self._visited: list[int | None] = [None] * seats

    def read(self) -> Iterator[RaceCard]:
        table = self._played.table()
        for event, seq in zip(self._played.events, self._played.seqs, strict=True):
            if isinstance(event, Late):
                race = self._late(table, event, seq)
                if race:
                    yield race
            elif isinstance(event, Tie):
                yield self._tie(table, event, seq)
            elif isinstance(event, Play):
                self._remember(table, event, seq)
            apply(table, event)
            if isinstance(event, Play | Tie):
                self._visited[event.stack] = event.t

    def _remember(self, table: Table, play: Play, seq: int) -> None:
        slot = play.stack
        self._found[slot].append(
            _Found(
                play,
                seq,
                table.events + 1,
                len(table.stacks[slot]),
                self._visited[slot],
                self._attempt(table, play, play.t),
            )
        )

    def _attempt(self, table: Table, tried: Play | Late, first: int) -> RaceTry:
        """A try as its line gives it. `first`: when the first one arrived."""
        seen = table.events if tried.seen is None else tried.seen
        return RaceTry(
            tried.seat,
            tried.card,
            tried.number,
            tried.t,
            self._hand_t(tried.seat, tried.t),
            tried.seen,
            tried.t - first,
            _top_seen(table, tried.seat, tried.stack, seen),
        )

    def _late(self, table: Table, late: Late, seq: int) -> RaceCard | None:
        earlier = self._found[late.stack]
        if not earlier:
            return None  # a record that was not checked
        winning, closing = earlier[-1], self._closing(table, late)
        play = winning.play
        tries = winning.attempt, self._attempt(table, late, play.t)
        late_to = closing.attempt._replace(margin_ms=closing.play.t - play.t)
        return RaceCard(
            seq=seq,
            round=self._played.number,
            t=late.t,
            slot=late.stack,
            kind=LATE,
            attempts=tries,
            late_to=None if closing is winning else late_to,
            winner=play.seat,
            play_seq=winning.seq,
            cards=winning.height,
            takes=play.takes,
            equal_lines=self._equal((closing.attempt, tries[1])),
            flip_ms=self._flip_late(table, late, closing),
            shown=self._shown_to_loser(tries[1], closing.event),
        )

    def _shown_to_loser(self, late: RaceTry, event: int) -> Way | None:
        """When that event of the round came to the loser's screen, if known and after the try."""
        screen = self._screens[late.seat]
        if screen is None or late.hand_t is None:
            return None
        shown = Way(*(times[event - 1] for times in screen))
        return shown if shown.likely > late.hand_t else None

    def _closing(self, table: Table, late: Late) -> _Found:
        """The first play that its player had not seen and after which the try did not count."""
        slot = late.stack
        view = viewed(table, late.seat, slot, late.seen)
        for visit in table.plays[slot]:
            if visit.event > view and (
                visit.turning or not fits(table.rules, visit.left, FACE[late.card], late.number)
            ):
                return next(landed for landed in self._found[slot] if landed.event == visit.event)
        return self._found[slot][-1]

    def _tie(self, table: Table, tie: Tie, seq: int) -> RaceCard:
        seen = tie.seen or (None,) * len(tie.cards)
        tries = tuple(
            RaceTry(
                seat,
                card,
                None,
                tie.t + after,
                self._hand_t(seat, tie.t + after),
                shown,
                after,
                _top_seen(table, seat, tie.stack, table.events if shown is None else shown),
            )
            for seat, card, after, shown in zip(
                map(OWNER.__getitem__, tie.cards), tie.cards, tie.after, seen, strict=True
            )
        )
        return RaceCard(
            seq=seq,
            round=self._played.number,
            t=tie.t,
            slot=tie.stack,
            kind=TIE,
            attempts=tries,
            late_to=None,
            winner=None,
            play_seq=None,
            cards=len(table.stacks[tie.stack]),
            takes=None,
            equal_lines=self._equal(tries),
            flip_ms=self._flip_tie(table, tie),
        )

    def _hand_t(self, seat: int, t: int) -> int | None:
        """The movement's time for a try that arrived at t."""
        lag = self._lags[seat]
        return None if lag is None else round(t - lag / 2)

    def _equal(self, tries: Sequence[RaceTry]) -> int | str | None:
        """The seat that is first without lags. A tie if the next is within the window."""
        known = [(attempt, self._lags[attempt.seat]) for attempt in tries]
        moved = [
            (round(attempt.t - lag), attempt.seat) for attempt, lag in known if lag is not None
        ]
        if len(moved) < len(tries):
            return None
        (first, seat), (second, _) = sorted(moved)[:2]
        return TIE if second - first < self._window else seat

    # The flip time: when an earlier arrival would have counted

    def _flip_late(self, table: Table, late: Late, closing: _Found) -> int | None:
        """How much earlier it would have been in time for a tie or, without ties, for a play.

        Nothing of the loser's has changed in between: at the earlier time its hand, piles and own
        plays were the same as at the try, provided its hand was free by then.
        """
        seat = late.seat
        if needs_refill(table, seat):
            return None
        least = late.t - closing.play.t - self._window + 1
        return self._possible(late.t - least, table.free[seat], closing.visited, least)

    def _flip_tie(self, table: Table, tie: Tie) -> int | None:
        """How much earlier the first try would have been alone."""
        least = self._window - tie.after[1]
        first = OWNER[tie.cards[0]]
        return self._possible(tie.t - least, table.free[first], self._visited[tie.stack], least)

    def _possible(self, t: int, free: int, visited: int | None, least: int) -> int | None:
        """`least`, if the hand was free at t and earlier visits to the slot were over."""
        over = 0 if visited is None else visited + self._window
        return least if t >= max(free, over) else None


def _top_seen(table: Table, seat: int, slot: int, seen: int) -> int:
    """What a player who had been shown `seen` events saw on a slot."""
    return top_after(table, slot, viewed(table, seat, slot, seen))
