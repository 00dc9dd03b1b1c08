"""Lag: from an event's settlement until a seat was shown it, read from that seat's `seen`.

A try at t with `seen` n was made after the nth event had reached that screen, so the lag was at
most t minus its settlement time. The next event had not, so the lag was more than t minus its time.
The given lag is the middle of the range that most tries agree on. It estimates the player's
connection, eye and mind together, as far as `seen` counts them.
"""

from collections.abc import Iterable, Sequence

from games.engine.cards import OWNER
from games.engine.editions import Rules
from games.engine.events import Event, Late, Miss, Play, Tie
from replays.timeline import Round, Timeline

Span = tuple[int, int]
"""A try's bounds for the lag in ms: more than the first, at most the second."""
_LONGEST: int = 5_000
"""Larger bounds mean nothing: the player may have looked away."""


def settled_at(events: Sequence[Event], rules: Rules) -> list[int]:
    """When each event was settled, in ms of the round: plays and ties after their window."""
    settled, last = [], 0
    for event in events:
        waits = rules.tie_window_ms if isinstance(event, Play | Tie) else 0
        last = max(last, event.t + waits)
        settled.append(last)
    return settled


def lags(timeline: Timeline) -> list[float | None]:
    """Each seat's lag in ms. None if no try reveals it."""
    return [_agreed(spans) for spans in bounds(timeline)]


def bounds(timeline: Timeline) -> list[list[Span]]:
    """For each seat, what its tries say about its lag."""
    spans: list[list[Span]] = [[] for _ in timeline.names]
    for played in timeline.rounds:
        _bounds(played, spans)
    return spans


def lags_where_unmeasured(
    timeline: Timeline, measured: Sequence[float | None]
) -> list[float | None]:
    """Each seat's lag in ms: as measured while the match was live, otherwise as in the log."""
    pairs = zip(measured, lags(timeline), strict=True)
    return [read if known is None else known for known, read in pairs]


def _bounds(played: Round, spans: list[list[Span]]) -> None:
    settled = settled_at(played.events, played.header.rules)
    for seat, t, seen in tries(played.events):
        if seen and seen <= len(settled):
            after = settled[seen] if seen < len(settled) else t
            low, high = max(0, t - after), t - settled[seen - 1]
            if low <= high < _LONGEST:
                spans[seat].append((low, high))


def tries(events: Iterable[Event]) -> Iterable[tuple[int, int, int]]:
    """Seat, t and `seen` of every try that reveals it."""
    for event in events:
        if isinstance(event, Play | Late | Miss):
            if event.seen is not None:
                yield event.seat, event.t, event.seen
        elif isinstance(event, Tie) and event.seen is not None:
            for card, after, seen in zip(event.cards, event.after, event.seen, strict=True):
                yield OWNER[card], event.t + after, seen


def _agreed(spans: Sequence[Span]) -> float | None:
    """The middle of the range that the most spans share."""
    if not spans:
        return None
    steps = sorted([(low, -1) for low, _ in spans] + [(high, 1) for _, high in spans])
    depth = most = 0
    best: tuple[int, int] = (0, 0)
    for place, (at, step) in enumerate(steps):
        depth -= step
        if depth > most:
            most, best = depth, (at, steps[place + 1][0])
    return sum(best) / 2
