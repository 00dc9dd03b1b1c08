"""The account of a match: where each score came from, in cards (docs/reference/measures.md)."""

from collections.abc import Iterable, Iterator, Sequence
from math import fsum, inf, sqrt
from typing import Final, NamedTuple

from games.bots.tempo import movements
from games.engine.cards import FACE
from games.engine.events import Late, Out, Play
from games.engine.scoring import ABANDONED, raw_scores
from replays.analysis.windows import CLOSED, Window
from replays.analysis.winning.position import FIVE
from replays.timeline import Round, Timeline

READY_MS: Final = 250
"""A 5 that has fitted for less could not take yet."""
GONE_MS: Final = 60_000
"""A seat that the others play on without for longer is gone."""


class Taken(NamedTuple):
    """A stack that was taken. Times are ms in the round."""

    seq: int
    round: int
    t: int
    slot: int
    cards: int
    """The taking card included."""
    taker: int
    wild: bool
    laid_by: int
    """The seat that laid the card below."""
    laid_at: int
    """When it was laid, in ms of the round."""
    rivals: dict[int, Window]
    """The other seats that could take it, each with its longest window. Empty with a wild."""
    late: dict[int, int]
    """The ms by which seats came too late for it."""

    @property
    def could(self) -> tuple[int, ...]:
        """The seats that could take it, rising."""
        return tuple(sorted((self.taker, *self.rivals)))


class SeatAccount(NamedTuple):
    """A seat's score in parts: `score = rivals + alone + wilds + left`, in cards."""

    score: int
    rivals: int
    alone: int
    wilds: int
    left: int
    could: int
    """How many contested stacks the seat could take."""
    won: int
    """How many of them it took."""
    share: float
    """The cards of an even share of these stacks."""
    luck: float
    """One standard deviation of `rivals` - `share` by luck alone."""
    open: int
    """The cards of the contested stacks that it could take."""
    alone_stacks: int
    """How many stacks it took that no one else could."""
    wild_stacks: int
    """How many stacks it took with wilds."""
    floor: int
    """What `left` was spared, where rounds below 0 count 0."""


def taken_stacks(timeline: Timeline, windows: Sequence[Iterable[Window]]) -> list[Taken]:
    """The stacks taken in rounds that count, in order. `windows`: each round's, or at least those
    that other seats closed."""
    until = _there_until(timeline)
    return [
        taken
        for played, open_windows in zip(timeline.rounds, windows, strict=True)
        if _counts(played)
        for taken in _stacks_of_round(played, open_windows, until)
    ]


def accounts(timeline: Timeline, stacks: Iterable[Taken]) -> list[SeatAccount]:
    """Each seat's account."""
    seats, every = len(timeline.names), list(stacks)
    scores, raw = [0] * seats, [0] * seats
    for played in timeline.rounds:
        if played.end and _counts(played):
            table = played.table(len(played.events))
            scores = list(map(sum, zip(scores, played.end.scores, strict=True)))
            raw = list(map(sum, zip(raw, raw_scores(table), strict=True)))
    return [_of_seat(seat, scores[seat], raw[seat], every) for seat in range(seats)]


def contested(stacks: Iterable[Taken]) -> list[Taken]:
    """Those that several seats could take."""
    return [stack for stack in stacks if stack.rivals]


def _of_seat(seat: int, score: int, raw: int, stacks: Iterable[Taken]) -> SeatAccount:
    able = [stack for stack in stacks if stack.rivals and seat in stack.could]
    own = [stack for stack in stacks if stack.taker == seat]
    won = [stack for stack in own if stack.rivals]
    wilds = [stack for stack in own if stack.wild]
    alone = [stack for stack in own if not (stack.wild or stack.rivals)]
    from_rivals, by_itself, with_wilds = (
        sum(stack.cards for stack in part) for part in (won, alone, wilds)
    )
    shares = [(stack.cards, len(stack.could)) for stack in able]
    return SeatAccount(
        score=score,
        rivals=from_rivals,
        alone=by_itself,
        wilds=with_wilds,
        left=score - from_rivals - by_itself - with_wilds,
        could=len(able),
        won=len(won),
        share=fsum(cards / k for cards, k in shares),
        luck=sqrt(sum(cards * cards * (k - 1) / k**2 for cards, k in shares)),
        open=sum(cards for cards, _ in shares),
        alone_stacks=len(alone),
        wild_stacks=len(wilds),
        floor=score - raw,
    )


def _counts(played: Round) -> bool:
    return played.end is not None and played.end.reason != ABANDONED


def _stacks_of_round(
    played: Round, windows: Iterable[Window], until: Sequence[tuple[float, float]]
) -> Iterator[Taken]:
    """The stacks taken in a round. `until`: when each seat last could."""
    ready: dict[str, dict[int, Window]] = {}
    for window in windows:
        seat, play = window.seat, window.play
        if window.end != CLOSED or play is None or play.takes is None or seat == play.seat:
            continue
        fit = window.takes and FACE[window.card] == FIVE and window.ms >= READY_MS
        if fit and (played.number, play.t) <= until[seat]:
            able = ready.setdefault(play.card, {})
            able[seat] = max(window, able.get(seat, window), key=lambda each: each.ms)
    last: dict[int, Play] = {}
    late: dict[int, dict[int, int]] = {}
    for event, seq in zip(played.events, played.seqs, strict=True):
        if isinstance(event, Late) and event.stack in late:
            margin = event.t - last[event.stack].t
            late[event.stack].setdefault(event.seat, margin)
        if not isinstance(event, Play):
            continue
        below, last[event.stack] = last.get(event.stack), event
        late.pop(event.stack, None)
        if event.takes is not None and below is not None:
            tries = late[event.stack] = {}
            wild = FACE[event.card] != FIVE
            yield Taken(
                seq,
                played.number,
                event.t,
                event.stack,
                event.takes,
                event.seat,
                wild,
                below.seat,
                below.t,
                {} if wild else ready.get(event.card, {}),
                tries,
            )


def _there_until(timeline: Timeline) -> list[tuple[float, float]]:
    """For each seat, the round and t after which it could take nothing more."""
    last = [(0.0, 0.0)] * len(timeline.names)
    others = last[:]
    """The last event of any other seat in that round."""
    for played in timeline.rounds:
        for event in played.events:
            moved = [(event.seat, event.t)] if isinstance(event, Out) else movements(event)
            for seat, t in moved:
                if not isinstance(event, Out):
                    last[seat] = played.number, t
                for other, (number, _) in enumerate(last):
                    if other != seat and number == played.number:
                        others[other] = played.number, t
    counted = max((played.number for played in timeline.rounds if _counts(played)), default=0)
    return [
        (number, t)
        if not number or counted > number or (after[0] == number and after[1] - t > GONE_MS)
        else (inf, inf)
        for (number, t), after in zip(last, others, strict=True)
    ]
