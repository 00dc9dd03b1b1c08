"""Swings: the effects of single plays, takes, ties and OUTs, with the evidence in the log.

A swing is the difference between two adjacent points of the detailed series, between which nothing
else happened. Its facts come from the log alone: the owner of the card below the one played, the
seats that could have taken, and the late tries.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Final, NamedTuple

from games.engine.cards import FACE, Card
from games.engine.events import Event, Late, Play, Tie
from games.engine.fitting import takes
from replays.analysis.actions import gap_ms
from replays.analysis.chances import Chance
from replays.analysis.leaving import left_at
from replays.analysis.missed_takes import could_take
from replays.analysis.race_cards import RaceCard
from replays.analysis.windows import reaction_ms
from replays.analysis.winning.chance import Probabilities
from replays.analysis.winning.network import in_percent
from replays.analysis.winning.position import FIVE, Stakes
from replays.analysis.winning.series import END, PLAY, TAKE, TIE, Point
from replays.timeline import Round, Timeline


class Fed(NamedTuple):
    """The card below: its seq, its player, and how long it had lain there, in ms."""

    seq: int
    seat: int
    card: Card
    ms: int
    soon: bool
    """Whether that is soon, by the tempo of that table and the line of the player upon it."""


class Ready(NamedTuple):
    """A player who left a take to another one: the window in which it could have been made.

    The card was in hand and the player free for longer than `usual_ms`, which this player needs
    three times of four. It was no race decided by lag alone.
    """

    chance: Chance
    usual_ms: float


class Beaten(NamedTuple):
    """A late try of a card that would have taken the stack: its seq, its seat, by how many ms."""

    seq: int
    seat: int
    margin_ms: int


class Facts(NamedTuple):
    """The evidence in the log about one play or take."""

    play: Play
    below: Fed | None
    ready: tuple[Ready, ...]
    """At most one for each other seat that was there and left this take: the longest."""
    beaten: tuple[Beaten, ...]

    @property
    def fed(self) -> Fed | None:
        """The other player's card that this 5 took on. A wild needs no card in particular."""
        fed = self.below
        return fed if fed and fed.seat != self.play.seat and FACE[self.play.card] == FIVE else None


class Stake(NamedTuple):
    """The stack that a tie was about, if each of its cards alone would have taken it."""

    cards: int
    """How many that would have brought, the card itself included."""
    spread_ms: int
    """The last try's ms after the first."""
    taker: int | None = None
    """The seat that took the stack afterwards. None if none did."""
    after_ms: int = 0
    """How long afterwards."""
    instead: tuple[float, ...] = ()
    """The win probability that each tied seat would have if it alone had taken them."""


class Swing(NamedTuple):
    """The effect of one event."""

    seq: int
    round: int
    t: int
    cause: str
    seats: tuple[int, ...]
    before: Probabilities
    after: Probabilities
    facts: Facts | None
    """For a play or take. None for ties and OUTs."""
    stake: Stake | None = None
    """For a tie of cards that would all have taken."""

    def chances(self, seat: int) -> tuple[float, float]:
        """Before it and after it, as pages say them."""
        return in_percent(self.before)[seat], in_percent(self.after)[seat]

    def change(self, seat: int) -> float:
        return self.after[seat] - self.before[seat]

    @property
    def lost(self) -> tuple[float, int]:
        """For a tie with a stake: the most win probability that the take would have been worth to a
        seat, and that seat."""
        assert self.stake is not None
        pairs = zip(self.stake.instead, self.seats, strict=True)
        return max((instead - self.after[seat], seat) for instead, seat in pairs)

    @property
    def untied(self) -> tuple[float, float]:
        """For a tie with a stake: that seat's chance with the take, and as it was."""
        lost, of = self.lost
        return min(1.0, self.before[of] + lost), in_percent(self.before)[of]


SOON: Final = 2
"""So many times the usual time is soon: nine of ten takes with a 5 on a 4 come within it."""
IMAGINED: Final = 5
"""So many takes at the table's tempo are added to those that were made."""
MOVEMENTS: Final = 1.2
"""The usual time between the 4 and the 5, in times between two movements of a hand."""
_ANY_TOP: Final = 1
_LISTED: Final = frozenset((PLAY, TAKE, TIE))


class Screens(NamedTuple):
    """The seats' possible plays and their times, as far as known."""

    lags: Sequence[float | None]
    """Each seat's, in ms."""
    chances: Sequence[Sequence[Chance]]
    """Each round's played chances and missed takes, or more."""
    races: Sequence[RaceCard]


def swings(timeline: Timeline, points: Sequence[Point], known: Screens) -> list[Swing]:
    """The swings of a detailed series, in order. An OUT only if a player chose to say it."""
    facts: dict[int, Facts] = {}
    stakes: dict[int, Stake] = {}
    soon = soon_ms(timeline, known.lags)
    windows = [chance.window for of_round in known.chances for chance in of_round]
    times = [sorted(of_seat) for of_seat in reaction_ms(windows, len(timeline.names))]
    usual = [of_seat[3 * len(of_seat) // 4] if of_seat else None for of_seat in times]
    by_lines = first_on_equal_lines(known.races)
    left = left_at(timeline)
    for played, in_round in zip(timeline.rounds, known.chances, strict=True):
        of_round = [
            chance
            for chance in in_round
            if (played.number, chance.window.until) <= left[chance.window.seat]
        ]
        facts |= _facts(played, of_round, usual, soon, by_lines)
        stakes |= _stakes(played)
    shouted = timeline.header.rules.out == "shout"
    return [
        Swing(
            point.seq,
            point.round,
            point.t,
            point.cause,
            point.seats,
            last.p,
            point.p,
            facts.get(point.seq),
            _staked(stakes.get(point.seq), point),
        )
        for last, point in pairwise(points)
        if point.cause in _LISTED or (point.cause == END and point.seats and shouted)
    ]


def first_on_equal_lines(races: Iterable[RaceCard]) -> set[tuple[int, int]]:
    """The plays, by seq, that came first only by the lines, and the seats that tried too late."""
    return {
        (race.play_seq, race.attempts[-1].seat)
        for race in races
        if race.play_seq is not None and race.equal_lines not in (None, race.winner)
    }


def _staked(stake: Stake | None, point: Point) -> Stake | None:
    return stake._replace(instead=point.instead) if stake else None


def _facts(
    played: Round,
    in_round: Sequence[Chance],
    usual: Sequence[float | None],
    soon: Sequence[float],
    by_lines: Collection[tuple[int, int]],
) -> dict[int, Facts]:
    """The facts of each play of a round, by its seq."""
    ready = _ready(in_round, usual)
    below, beaten = _neighbours(played.events, played.seqs, soon)
    return {
        seq: Facts(
            event,
            below.get(event.card),
            tuple(able for seat, able in ready[event.card].items() if (seq, seat) not in by_lines),
            tuple(beaten[event.card]),
        )
        for event, seq in zip(played.events, played.seqs, strict=True)
        if isinstance(event, Play)
    }


def _ready(
    in_round: Sequence[Chance], usual: Sequence[float | None]
) -> dict[Card, dict[int, Ready]]:
    """For each card that closed such windows, the longest one of each seat."""
    ready: dict[Card, dict[int, Ready]] = defaultdict(dict)
    for chance in in_round:
        window, needed = chance.window, usual[chance.window.seat]
        if window.play is None or not could_take(chance) or needed is None:
            continue
        of_card = ready[window.play.card]
        known = of_card.get(window.seat)
        longest = known.chance.free_ms if known else needed
        if chance.free_ms > longest:
            of_card[window.seat] = Ready(chance, needed)
    return ready


def _neighbours(
    events: Sequence[Event], seqs: Sequence[int], soon: Sequence[float]
) -> tuple[dict[Card, Fed], dict[Card, list[Beaten]]]:
    """For each card played: what lay below it, and the tries that came too late for it."""
    last: dict[int, tuple[int, Play]] = {}
    below: dict[Card, Fed] = {}
    beaten: dict[Card, list[Beaten]] = defaultdict(list)
    for event, seq in zip(events, seqs, strict=True):
        if isinstance(event, Play):
            if event.stack in last and last[event.stack][1].takes is None:
                under, lain = last[event.stack]
                ms = event.t - lain.t
                below[event.card] = Fed(under, lain.seat, lain.card, ms, ms <= soon[event.seat])
            last[event.stack] = seq, event
        elif isinstance(event, Late) and takes(_ANY_TOP, FACE.get(event.card, 0), event.number):
            # A card that the log hides is not known to take.
            first = last[event.stack][1]
            beaten[first.card].append(Beaten(seq, event.seat, event.t - first.t))
    return below, beaten


def _stakes(played: Round) -> dict[int, Stake]:
    """The stake of each tie of takers, by its seq."""
    stakes = Stakes(played.header.rules)
    open_ties: dict[int, list[tuple[int, int]]] = defaultdict(list)
    by_seq: dict[int, Stake] = {}
    for event, seq in zip(played.events, played.seqs, strict=True):
        if isinstance(event, Tie):
            if cards := stakes.of(event):
                by_seq[seq] = Stake(cards, event.after[-1])
                open_ties[event.stack].append((seq, event.t))
        elif isinstance(event, Play):
            stakes.read(event)
            for tied, t in open_ties.pop(event.stack, ()) if event.takes is not None else ():
                by_seq[tied] = by_seq[tied]._replace(taker=event.seat, after_ms=event.t - t)
    return by_seq


# How soon a take with a 5 follows upon a 4: it depends on the table, and on the taker's delay


def soon_ms(timeline: Timeline, lags: Sequence[float | None]) -> list[float]:
    """For each seat, within what time its 5 takes a 4 soon, in ms. `lags`: each seat's."""
    window = timeline.header.rules.tie_window_ms
    hidden = [window + (lag or 0) for lag in lags]
    gaps = [
        gap
        for played in timeline.rounds
        for gap in gap_ms(played.events, len(lags))
        if gap is not None
    ]
    tempo = MOVEMENTS * median(gaps) if gaps else 0.0
    waited = [
        max(0.0, ms - hidden[seat]) for played in timeline.rounds for seat, ms in _waited(played)
    ]
    usual = median([*waited, *[tempo] * IMAGINED])
    return [SOON * usual + ms for ms in hidden]


def _waited(played: Round) -> Iterator[tuple[int, int]]:
    """For each take with a 5 on another's 4: the taker, and how long the 4 had lain there."""
    last: dict[int, Play] = {}
    for event in played.events:
        if isinstance(event, Play):
            below = last.get(event.stack)
            if below and below.seat != event.seat and FACE[event.card] == FIVE:
                yield event.seat, event.t - below.t
            last[event.stack] = event
