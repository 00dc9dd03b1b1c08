"""Runs: stretches in which the winner's chance moved without a key play, mostly by small takes."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.engine.events import Play
from games.engine.message import lasting, seat
from replays.analysis.moments.wording import chance, split
from replays.analysis.sentences import Text, fact, say
from replays.analysis.winning.network import in_percent
from replays.analysis.winning.parts import causes, parts, quickness
from replays.analysis.winning.position import Position
from replays.analysis.winning.series import DEAL, END, Point
from replays.timeline import Round

MAX_RUNS: Final = 3
LEAST: Final = 0.1
"""The least change of the chance."""
LONGEST_MS: Final = 30_000
FROM_DEAL_MS: Final = 60_000
"""A run is no longer, but for one that begins with the deal."""
_A_SECOND: Final = 0.001
"""So much smaller a change counts for each second that it took."""
_FALL: Final = 0.1
"""And so much smaller a fall counts: the runs show how the winner came to win."""
_TAKES: Final = 2
"""From so many takes on, these are the run."""


class Run(NamedTuple):
    """A stretch between two points of the curve, in one round."""

    before: Point
    after: Point
    text: Text


def runs(
    rounds: Sequence[Round],
    curve: Sequence[Point],
    positions: Sequence[Position],
    winner: int,
    told: Sequence[int],
) -> list[Run]:
    """The largest runs for the winner. `positions`: at each point of the curve. `told`: the seqs
    that moments are about, which are in no run."""
    found, taken = list[Run](), list(told)
    for _ in range(MAX_RUNS):
        ranked = max(_spans(curve, winner, taken), default=None)
        if ranked is None:
            break
        _, first, last = ranked
        before, after = curve[first], curve[last]
        found_parts = parts(positions[first], positions[last], winner)
        change = after.p[winner] - before.p[winner]
        said = causes(found_parts, change, quickness(positions[last], winner))
        text = _describe(rounds[before.round - 1], before, after, winner, said)
        found.append(Run(before, after, text))
        taken += range(before.seq + 1, after.seq + 1)
    return found


def _spans(
    curve: Sequence[Point], winner: int, taken: Sequence[int]
) -> Iterator[tuple[float, int, int]]:
    """How much each possible run counts, and where it begins and ends."""
    ends = sorted(taken)
    for first, before in enumerate(curve):
        if before.cause == END:
            continue
        longest = FROM_DEAL_MS if before.cause == DEAL else LONGEST_MS
        closed = next((seq for seq in ends if seq > before.seq), None)
        for last in range(first + 1, len(curve)):
            after = curve[last]
            ms = after.t - before.t
            past = closed is not None and after.seq >= closed
            if after.round != before.round or after.cause == END or ms > longest or past:
                break
            change = after.p[winner] - before.p[winner]
            if abs(change) >= LEAST:
                counts = max(change, -change - _FALL)
                yield counts - _A_SECOND * ms / 1_000, first, last


def _describe(
    played: Round, before: Point, after: Point, winner: int, said: dict[str, float]
) -> Text:
    rose = after.p[winner] > before.p[winner]
    takes = [
        event.takes
        for event, seq in zip(played.events, played.seqs, strict=True)
        if isinstance(event, Play) and event.takes and before.seq < seq <= after.seq
        if (event.seat == winner) is rose
    ]
    time, kind = lasting(after.t - before.t), "run"
    values = {"time": time}
    if "cards" in said and len(takes) >= _TAKES:
        kind = "run_taken" if rose else "run_lost"
        values |= {"count": sum(takes), "takes": len(takes)}
    if kind == "run_taken":
        values["player"] = seat(winner)
    chances = in_percent(before.p)[winner], in_percent(after.p)[winner]
    moved = chance(*chances, None if kind == "run_taken" else winner)
    return say(fact(kind, **values), moved, split(said) if kind == "run" else ())
