"""Signs of weaknesses: the things that a seat did more slowly, or more often, than the others.

Each kind of weakness has one sign, which compares a seat with the table's mean:
- `speed`: the logarithm of the time from one movement to the next
- `takes`: for each try, the time in which a free player could have taken a stack with a 5. What
  others closed within half a second is left out (`FREE_MS`): no one can be so quick.
- `plays`: the same for cards that would not have taken. 4s are left out, since players keep them
  on purpose from the others' 5s.
- `wilds`: the square of the number of wilds in hand, on average over the round
- `choice`: the cards of missed takes with a 5 (`open_takes`), a round
- `mistakes`: mistakes a round
- `discards`: the share of 5s and wilds among the discards of a hand that had such a card and a
  lower one
- `line`: the lag in ms, times the table's takes a minute: where more is taken, it costs more

One weakness shows in several signs. `worth` separates them.
"""

from bisect import bisect_left
from collections.abc import Sequence
from math import log
from statistics import fmean
from typing import Final, NamedTuple

from games.bots.tempo import LONGEST_MS, movements
from games.engine.cards import FACE, WILD, Card
from games.engine.events import Discard, Draw, Late, Miss, Play
from replays.analysis.chances import Chance, chances
from replays.analysis.missed_takes import FREE_MS
from replays.analysis.open_takes import LEAST_CARDS, open_takes
from replays.analysis.races import LateRace, races
from replays.analysis.round_chances import covered
from replays.analysis.windows import CLOSED, PLAYED, Window
from replays.analysis.winning.position import FIVE
from replays.timeline import Round, Timeline

SPEED, TAKES, PLAYS, WILDS = "speed", "takes", "plays", "wilds"
CHOICE, MISTAKES, DISCARDS, LINE = "choice", "mistakes", "discards", "line"
KINDS: Final = (SPEED, TAKES, PLAYS, WILDS, CHOICE, MISTAKES, DISCARDS, LINE)
RUN_UP_MS: Final = 2_000
_IMAGINED: Final = {SPEED: 10, TAKES: 3, PLAYS: 10}
"""How many average times are added to a seat's own, for each round."""
_IMAGINED_DISCARDS: Final = 10
"""How many discards with the table's share are added in a match."""
_FREE: Final = (TAKES, PLAYS)


class Where(NamedTuple):
    """Where a weakness showed, `RUN_UP_MS` before. The larger the `weight`, the more clearly."""

    weight: float
    round: int
    event: int
    """After how many events of the round."""
    seq: int


class Sign(NamedTuple):
    """A seat's sign: how far it is from the table's mean, the seat's own figure and the others'."""

    value: float
    own: float
    others: float
    where: Where | None


class _Kept:
    """Of one kind, by seat: how often, for how long (or how much), and where it showed most."""

    def __init__(self, seats: int) -> None:
        self.times = [0] * seats
        self.much = [0.0] * seats
        self.worst: list[Where | None] = [None] * seats

    def add(self, seat: int, much: float, times: int = 1) -> None:
        self.times[seat] += times
        self.much[seat] += much

    def show(self, seat: int, weight: float, played: Round, t: int) -> None:
        """It showed at this time of a round."""
        worst = self.worst[seat]
        if worst is None or weight > worst.weight:
            event = bisect_left(played.events, t - RUN_UP_MS, key=lambda event: event.t)
            seq = played.seqs[event - 1] if event else played.seq
            self.worst[seat] = Where(weight, played.number, event, seq)


Kept = dict[str, _Kept]


def signs(timeline: Timeline, lags: Sequence[float | None]) -> list[dict[str, Sign]]:
    """The signs of each seat over the rounds of a match. `lags`: in ms."""
    seats, rounds = len(timeline.names), len(timeline.rounds)
    kept: Kept = {kind: _Kept(seats) for kind in KINDS}
    squares = [0.0] * seats
    for played in timeline.rounds:
        _read_hands(played, kept[SPEED])
        _read_chances(played, chances(played, lags), kept)
        _read_tries(played, kept)
        _read_choices(played, lags, kept[CHOICE])
        for seat, square in enumerate(_read_cards_kept(played, kept)):
            squares[seat] += square / max(1, rounds)
    values = {kind: _slower(kept[kind], _IMAGINED[kind] * rounds) for kind in _IMAGINED}
    for kind in (CHOICE, MISTAKES):
        values[kind] = [much / max(1, rounds) for much in kept[kind].much]
        kept[kind].times = [max(1, rounds)] * seats
    known = [lag for lag in lags if lag is not None]
    usual = fmean(known) if known else 0.0
    kept[LINE].much = [usual if lag is None else lag for lag in lags]
    takes = _takes_a_minute(timeline)
    values[LINE] = [lag * takes for lag in kept[LINE].much]
    kept[LINE].times = [1] * seats
    values[WILDS] = squares
    values[DISCARDS] = _share(kept[DISCARDS], _IMAGINED_DISCARDS)
    return [_of(seat, kept, values) for seat in range(seats)]


def _takes_a_minute(timeline: Timeline) -> float:
    plays = (event for played in timeline.rounds for event in played.events)
    takes = sum(isinstance(event, Play) and event.takes is not None for event in plays)
    return 60_000 * takes / max(1, sum(played.duration_ms for played in timeline.rounds))


def _of(seat: int, kept: Kept, values: dict[str, list[float]]) -> dict[str, Sign]:
    by_kind = {}
    for kind, of_kind in kept.items():
        times, much = (
            sum(of_kind.times) - of_kind.times[seat],
            sum(of_kind.much) - of_kind.much[seat],
        )
        own = of_kind.much[seat] / max(1, of_kind.times[seat])
        value = values[kind][seat] - fmean(values[kind])
        by_kind[kind] = Sign(value, own, much / max(1, times), of_kind.worst[seat])
    return by_kind


def _slower(kept: _Kept, imagined: int) -> list[float]:
    """The logarithm of each seat's time, with imaginary ones at the table's pace."""
    usual = max(1.0, sum(kept.much) / max(1, sum(kept.times)))
    return [
        log((imagined * usual + much) / ((imagined + times) * usual)) if imagined else 0.0
        for times, much in zip(kept.times, kept.much, strict=True)
    ]


def _share(kept: _Kept, imagined: int) -> list[float]:
    """How much of each seat's times, with imaginary ones like the table's."""
    usual = sum(kept.much) / max(1, sum(kept.times))
    return [
        (imagined * usual + much) / (imagined + times)
        for times, much in zip(kept.times, kept.much, strict=True)
    ]


def _read_hands(played: Round, kept: _Kept) -> None:
    last: dict[int, int] = {}
    for event in played.events:
        for seat, t in movements(event):
            if seat in last:
                gap = min(t - last[seat], LONGEST_MS)
                kept.add(seat, gap)
                kept.show(seat, gap, played, last[seat])
            last[seat] = t


def _read_chances(played: Round, in_round: Sequence[Chance], kept: Kept) -> None:
    seats = range(len(played.header.seats))
    free: dict[str, list[list[tuple[int, int]]]] = {kind: [[] for _ in seats] for kind in _FREE}
    for chance in in_round:
        window = chance.window
        kind = _kind(window)
        if kind is None:
            continue
        if kind in free:
            if window.end != CLOSED or chance.free_ms >= FREE_MS:
                free[kind][window.seat] += chance.free
            if window.end == PLAYED:
                kept[kind].add(window.seat, 0)
        if window.end != PLAYED and chance.free_ms >= FREE_MS:
            weight = chance.free_ms * (window.cards if kind == TAKES else 1)
            kept[kind].show(window.seat, weight, played, window.since)
    for kind in _FREE:
        for seat, spans in enumerate(free[kind]):
            kept[kind].add(seat, covered(spans), 0)


def _kind(window: Window) -> str | None:
    if FACE[window.card] == WILD:
        return WILDS
    if window.takes:
        return TAKES if window.cards >= LEAST_CARDS else None
    return None if FACE[window.card] == FIVE - 1 else PLAYS


def _read_tries(played: Round, kept: Kept) -> None:
    """Late tries count as tries. Also mistakes, and races lost by little."""
    late = iter(race for race in races(played.events) if isinstance(race, LateRace))
    for event in played.events:
        if isinstance(event, Late):
            kept[LINE].show(event.seat, -next(late).margin_ms, played, event.t)
            if FACE[event.card] not in (FIVE - 1, WILD):
                kept[TAKES if FACE[event.card] == FIVE else PLAYS].add(event.seat, 0)
        elif isinstance(event, Miss):
            kept[MISTAKES].add(event.seat, 1)
            kept[MISTAKES].show(event.seat, 0, played, event.t)


def _read_choices(played: Round, lags: Sequence[float | None], kept: _Kept) -> None:
    for take in open_takes(played, lags):
        if FACE[take.card] == FIVE:
            kept.add(take.seat, take.cards)
            kept.show(take.seat, take.cards, played, take.t)


def _read_cards_kept(played: Round, by_kind: Kept) -> list[float]:
    """The mean square of the number of wilds in each hand. Also how long they lay there, and the
    discards of 5s and wilds."""
    kept = by_kind[WILDS]
    held = list(map(_wilds, played.table().hands))
    squares, before = [0.0 for _ in held], 0
    for seat, wilds in enumerate(held):
        kept.add(seat, 0, wilds)
    for event, table in played.tables():
        passed, before = event.t - before, event.t
        for seat, wilds in enumerate(held):
            squares[seat] += wilds * wilds * passed
            kept.add(seat, wilds * passed, 0)
        if isinstance(event, Draw) and FACE[event.card] == WILD:
            kept.add(event.seat, 0)
        elif isinstance(event, Discard):
            _read_discard(event, table.hands[event.seat], played, by_kind[DISCARDS])
        held = list(map(_wilds, table.hands))
    return [square / max(1, before) for square in squares]


def _read_discard(discard: Discard, others: Sequence[Card], played: Round, kept: _Kept) -> None:
    """A discard counts if the hand had both a card that can take and one that can't."""
    takers = [FACE[card] >= FIVE for card in (discard.card, *others)]
    if any(takers) and not all(takers):
        kept.add(discard.seat, takers[0])
        if takers[0]:
            kept.show(discard.seat, 0, played, discard.t)


def _wilds(hand: Sequence[Card]) -> int:
    return sum(FACE[card] == WILD for card in hand)
