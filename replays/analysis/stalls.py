"""The longest stall: the longest time in a match without a play."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from typing_extensions import TypedDict

from games.engine.events import End, Play
from games.engine.message import lasting, seat, when
from games.engine.scoring import ABANDONED
from replays.analysis.round_chances import covered
from replays.analysis.sentences import Fact, Text, fact, say
from replays.analysis.windows import windows
from replays.timeline import Round, Timeline

LEAST_MS: Final = 5_000
"""A shorter one is an ordinary pause."""


class Stall(NamedTuple):
    """`t`: its start, `ms`: its length, `seq`: the play or end of the round that ended it."""

    round: int
    t: int
    ms: int
    seq: int
    over: bool
    """Whether it ended with the round."""


class StallJson(TypedDict):
    """Where the stall is, and its sentences."""

    seq: int
    round: int
    t: int
    ms: int
    text: Text


def longest_stall(timeline: Timeline) -> Stall | None:
    """The first of the longest. None if none was longer than an ordinary pause."""
    all_stalls = (stall for played in timeline.rounds for stall in _stalls(played))
    longest = max(all_stalls, key=lambda stall: stall.ms, default=None)
    return longest if longest and longest.ms >= LEAST_MS else None


def _stalls(played: Round) -> Iterator[Stall]:
    since = 0
    for event, seq in zip(played.events, played.seqs, strict=True):
        over = isinstance(event, End) and event.reason != ABANDONED
        if over or isinstance(event, Play):
            yield Stall(played.number, since, event.t - since, seq, over)
            since = event.t


def stall_json(timeline: Timeline, *, open_hands: bool) -> StallJson | None:
    """The longest stall. With open hands, also whether any seat could have played."""
    stall = longest_stall(timeline)
    if stall is None:
        return None
    kind = "stall_to_end" if stall.over else "stall"
    number = stall.round if len(timeline.rounds) > 1 else None
    text = say(fact(kind, time=lasting(stall.ms), when=when(number, stall.t)))
    if open_hands:
        played = next(candidate for candidate in timeline.rounds if candidate.number == stall.round)
        text = say(text["say"], _who_could(stall, played, len(timeline.names)))
    return StallJson(seq=stall.seq, round=stall.round, t=stall.t, ms=stall.ms, text=text)


def _who_could(stall: Stall, played: Round, count: int) -> Fact:
    """For how long any seat had a card that fitted, or that none had."""
    spans: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for window in windows(played):
        since, until = max(window.since, stall.t), min(window.until, stall.t + stall.ms)
        if since < until:
            spans[window.seat].append((since, until))
    could = covered(span for of_seat in spans for span in of_seat)
    if not could:
        return fact("none_fitted")
    if could <= stall.ms // 2:
        return fact("none_fitted_for", time=lasting(stall.ms - could))
    longest = [covered(of_seat) for of_seat in spans]
    most = max(longest)
    return fact("one_fitted_for", player=seat(longest.index(most)), time=lasting(most))
