"""The one way from a position to a chance to win: for the curve, and where rollouts end."""

from collections.abc import Sequence

from games.engine.editions import Rules
from games.engine.events import End
from games.engine.scoring import decided, winners
from replays.analysis.winning import absence
from replays.analysis.winning.inputs import spectator
from replays.analysis.winning.network import model
from replays.analysis.winning.position import Position

Probabilities = tuple[float, ...]


def chance(position: Position, still_ms: int = 0) -> Probabilities:
    """Each seat's chance to win. `still_ms`: for how long no card has been played."""
    network = model("spectator")

    def judged(table: Position) -> Sequence[float]:
        return network.probabilities(spectator(table))

    return absence.weighed(absence.judged(position, judged), position, still_ms)


def outcome(rules: Rules, number: int, end: End) -> Probabilities | None:
    """Each seat's share of the win after round `number`. None if the match goes on."""
    if not decided(rules, number, end):
        return None
    won = winners(end)
    return tuple((seat in won) / max(1, len(won)) for seat in range(len(end.totals)))
