"""What one match contributes to the figures of each of its seats: counts, and missed takes.

Counts rather than ratios: figures across matches are ratios of sums (`figures`).
"""

from bisect import bisect_left
from collections.abc import Sequence
from statistics import median
from typing import Final, NamedTuple

from games.engine.events import Play
from replays.analysis.account import SeatAccount, accounts, taken_stacks
from replays.analysis.actions import actions
from replays.analysis.chances import Chance, chances
from replays.analysis.lag import lags_where_unmeasured
from replays.analysis.leaving import before_anyone_left
from replays.analysis.missed_takes import could_take, missed_takes
from replays.analysis.players.points import Points, points
from replays.analysis.players.worth import Cost, costs
from replays.analysis.races import LateRace, races
from replays.analysis.stacks import fed, stacks, takes
from replays.analysis.windows import Window, reaction_ms
from replays.timeline import Round, Timeline

MOST_MISSED: Final = 20
"""The missed takes that are listed for each seat, those of the most cards."""
RUN_UP_MS: Final = 2_000
"""How long before a missed take its span begins."""


class MissedSpan(NamedTuple):
    """A missed take to play again: the positions before and after, counted as events."""

    round: int
    event: int
    until: int
    cards: int
    ms: int
    """How long the take was open."""
    card: str
    slot: int


class Counts(NamedTuple):
    """The counts of a seat. `SeatFigures` has a column for each."""

    rounds: int
    duration_ms: int
    takes: int
    take_cards: int
    kept: int
    """Own cards in stacks that it took itself."""
    fed: int
    """Own cards in stacks that others took."""
    rivals: int
    """Cards of contested stacks that it took (`SeatAccount`)."""
    even_share: float
    """An even share of the cards of contested stacks that it could take."""
    missed: int
    plays: int
    draws: int
    misses: int
    tries: int
    """Plays, ties, late tries and misses."""
    races_won: int
    races_lost: int
    by_table: float
    """Its points by their parts (`points.Points`), before anyone left: what a seat scores after
    that is in this one. The remainder is the rest."""
    by_speed: float
    by_noticing: float
    by_choice: float
    by_mistakes: float
    by_cards: float
    by_line: float
    reaction_ms: int | None
    """The median."""


class SeatCounts(NamedTuple):
    """One seat in one match."""

    points: int
    counts: Counts
    spans: tuple[MissedSpan, ...]
    """The largest of the missed takes that their player had the time for, each stack once."""
    costs: dict[str, Cost]
    """The cost of each kind of weakness before anyone left. Empty if no round was over then."""


class _Tally:
    """The counts of a seat so far."""

    def __init__(self) -> None:
        self.done = dict.fromkeys(("play", "draw", "miss", "late", "tied"), 0)
        self.races_won = self.takes = self.take_cards = self.kept = self.fed = 0
        self.missed = 0
        self.reactions: list[int] = []
        self.spans: list[MissedSpan] = []


def seat_counts(
    timeline: Timeline, measured: Sequence[float | None] | None = None
) -> list[SeatCounts]:
    """The counts of each seat of a match, by seat. `measured`: each seat's lag in ms, if known."""
    lags = lags_where_unmeasured(timeline, measured or [None] * len(timeline.names))
    tallies = [_Tally() for _ in timeline.names]
    read = [chances(played, lags) for played in timeline.rounds]
    for played, of_round in zip(timeline.rounds, read, strict=True):
        _count(played, of_round, tallies)
    account = accounts(
        timeline, taken_stacks(timeline, [[each.window for each in of_round] for of_round in read])
    )
    rounds = len(timeline.rounds)
    duration = sum(played.duration_ms for played in timeline.rounds)
    shared = before_anyone_left(timeline)
    cost = costs(shared, lags)
    parted = points(shared, cost) or [Points()] * len(tallies)
    return [
        SeatCounts(
            score,
            _counts(
                tally, rounds, duration, parts._replace(table=parts.table + score - before), cards
            ),
            _largest(tally.spans),
            of_seat if shared.rounds else {},
        )
        for tally, score, before, parts, cards, of_seat in zip(
            tallies, timeline.totals, shared.totals, parted, account, cost, strict=True
        )
    ]


def _count(played: Round, in_round: Sequence[Chance], tallies: Sequence[_Tally]) -> None:
    seats, laid = len(tallies), stacks(played.events)
    ended = [chance.window for chance in in_round]
    done, taken = actions(played.events, seats), takes(laid, seats)
    given, reacted = fed(laid, seats), reaction_ms(ended, seats)
    for seat, tally in enumerate(tallies):
        for kind in tally.done:
            tally.done[kind] += done[seat][kind]
        tally.takes += taken[seat]
        tally.kept += given[seat][seat]
        tally.fed += sum(given[seat][:-1]) - given[seat][seat]
        tally.reactions += reacted[seat]
    for stack in laid:
        if stack.taker is not None:
            tallies[stack.taker].take_cards += len(stack.cards)
    for race in races(played.events):
        if isinstance(race, LateRace) and race.winner != race.loser:
            tallies[race.winner].races_won += 1
    for window in missed_takes(ended):
        tallies[window.seat].missed += 1
    for missed in filter(could_take, in_round):
        tallies[missed.window.seat].spans.append(_span(played, missed.window))


def _span(played: Round, window: Window) -> MissedSpan:
    """From before the take was open until after the play that closed it."""
    assert isinstance(window.play, Play)
    closed = played.events.index(window.play) + 1
    shown = bisect_left(played.events, window.since - RUN_UP_MS, key=lambda event: event.t)
    return MissedSpan(
        played.number, min(shown, closed), closed, window.cards, window.ms, window.card, window.slot
    )


def _largest(missed: Sequence[MissedSpan]) -> tuple[MissedSpan, ...]:
    once = {(span.round, span.until): span for span in missed}
    largest = sorted(once.values(), key=lambda span: (-span.cards, span.round, span.until))
    return tuple(largest[:MOST_MISSED])


def _counts(
    tally: _Tally, rounds: int, duration: int, parts: Points, account: SeatAccount
) -> Counts:
    done = tally.done
    return Counts(
        rounds=rounds,
        duration_ms=duration,
        plays=done["play"],
        draws=done["draw"],
        misses=done["miss"],
        tries=done["play"] + done["tied"] + done["late"] + done["miss"],
        races_won=tally.races_won,
        races_lost=done["late"],
        takes=tally.takes,
        take_cards=tally.take_cards,
        kept=tally.kept,
        fed=tally.fed,
        rivals=account.rivals,
        even_share=account.share,
        missed=tally.missed,
        by_table=parts.table,
        by_speed=parts.speed,
        by_noticing=parts.noticing,
        by_choice=parts.choice,
        by_mistakes=parts.mistakes,
        by_cards=parts.cards,
        by_line=parts.line,
        reaction_ms=round(median(tally.reactions)) if tally.reactions else None,
    )
