"""Scores: the worth of a round, and the winner of the match.

Round score = score pile - draw pile - discard pile. Cards in hands and in the center count for no
one.
"""

from games.engine.editions import Rules
from games.engine.events import MAX_ROUNDS, End
from games.engine.table import Table

ABANDONED = "abandoned"


def raw_scores(table: Table) -> tuple[int, ...]:
    """For each seat, its score pile minus its draw and discard piles now."""
    return tuple(
        len(table.score_piles[seat]) - len(table.draw_piles[seat]) - len(table.discard_piles[seat])
        for seat in range(table.seats)
    )


def round_scores(table: Table) -> tuple[int, ...]:
    scores = raw_scores(table)
    return tuple(max(0, score) for score in scores) if table.rules.floor_at_zero else scores


def end(table: Table, t: int, reason: str) -> End:
    """The round's end on this table, at t, for that reason. An abandoned round scores 0."""
    scores = (0,) * table.seats if reason == ABANDONED else round_scores(table)
    totals = tuple(total + score for total, score in zip(table.totals, scores, strict=True))
    return End(t, reason, scores, totals)


def decided(rules: Rules, number: int, last: End) -> bool:
    """Whether round `number`, with this end, decides the match."""
    return (
        rules.speedy
        or number >= MAX_ROUNDS
        or last.reason == ABANDONED
        or max(last.totals) >= rules.target
    )


def winners(last: End) -> tuple[int, ...]:
    """The winning seats of a match decided by this round, several if level. None if abandoned."""
    if last.reason == ABANDONED:
        return ()
    best = max(last.totals)
    return tuple(seat for seat, total in enumerate(last.totals) if total == best)
