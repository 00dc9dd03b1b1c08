"""Findings: everything in a match's report, each part computed once, on demand.

Curve, moments, and judgements come from the same detailed series.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from replays.analysis.account import SeatAccount, Taken, accounts, taken_stacks
from replays.analysis.account_json import AccountJson, account_json
from replays.analysis.chances import Chance
from replays.analysis.lag import lags_where_unmeasured
from replays.analysis.missed_takes import is_missed_take, separate_moments
from replays.analysis.moments import Moment, moments
from replays.analysis.moments.judgements import judgements
from replays.analysis.moments.swings import Screens, Swing, swings
from replays.analysis.player_table import player_table
from replays.analysis.race_cards import RaceCard, race_cards
from replays.analysis.race_words import race_words
from replays.analysis.report_json import JudgementJson, PlayerCells, RaceSentences
from replays.analysis.round_chances import RoundChances, round_chances
from replays.analysis.screens import Way, ways
from replays.analysis.sentences import Text
from replays.analysis.stalls import StallJson, stall_json
from replays.analysis.verdict import own_verdicts, since_equal, verdict
from replays.analysis.winning.series import Point, Series, curve
from replays.timeline import Round, Timeline


class Missed(NamedTuple):
    """A missed take of a round, with its parts."""

    round: int
    chance: Chance
    seq: int
    """Of the play that closed it."""
    moment: int
    """The number of its moment in the round."""
    chances: tuple[float, float]
    """The seat's chance to win before that play and after it (estimates)."""

    @property
    def delta(self) -> float:
        before, after = self.chances
        return after - before


class Findings:
    """The findings of one match, from a log that hides nothing.

    `measured_lags`: for each seat its measured lag in ms, as a live host stores it. By default, and
    where it is None, the lag is estimated from the log. (While hands are hidden there is only the
    curve: `winning.series.Series`.)
    """

    def __init__(
        self, timeline: Timeline, measured_lags: Sequence[float | None] | None = None
    ) -> None:
        self.timeline = timeline
        self.names = timeline.names
        self.measured_lags = measured_lags or (None,) * len(timeline.names)

    def rounds_read(self) -> Iterator[Round]:
        """Find what takes longest, a round at a time: points and windows."""
        read = Series(self.timeline.header, detailed=True, keeps=True)
        found: list[RoundChances] = []
        for played in self.timeline.rounds:
            read.add_round(played)
            found.append(round_chances(played, self.lags))
            yield played
        self.read, self.round_chances = read, found

    @cached_property
    def read(self) -> Series:
        """The detailed series behind curve, moments and judgements, with its positions."""
        read = Series(self.timeline.header, detailed=True, keeps=True)
        for played in self.timeline.rounds:
            read.add_round(played)
        return read

    @property
    def points(self) -> list[Point]:
        return self.read.points

    @cached_property
    def curve(self) -> list[Point]:
        return curve(self.points)

    @cached_property
    def swings(self) -> list[Swing]:
        listed = [of_round.listed for of_round in self.round_chances]
        known = Screens(self.lags, listed, self.race_cards)
        return swings(self.timeline, self.points, known)

    @cached_property
    def moments(self) -> list[Moment]:
        return moments(self.timeline, self.points, self.swings, self.read.positions)

    @cached_property
    def judgements(self) -> list[JudgementJson]:
        return judgements(self.timeline, self.swings)

    @cached_property
    def facts(self) -> list[Text]:
        """The verdict, and what moved the winner’s chance."""
        told = [verdict(self.timeline, self.account, self.swings)]
        winners = self.timeline.result.winners if self.timeline.result else ()
        if len(winners) == 1 and len(self.read.positions) > 1:
            told.append(since_equal(self.read.positions[-2], winners[0]))  # before the end
        return told

    @cached_property
    def own_verdicts(self) -> list[Text]:
        """The verdict as said to each player."""
        return own_verdicts(self.timeline, self.account, self.swings)

    @cached_property
    def taken_stacks(self) -> list[Taken]:
        """The stacks that were taken, in order."""
        windows = [[each.window for each in of_round.listed] for of_round in self.round_chances]
        return taken_stacks(self.timeline, windows)

    @cached_property
    def account(self) -> list[SeatAccount]:
        """Where each seat's points came from."""
        return accounts(self.timeline, self.taken_stacks)

    @cached_property
    def account_json(self) -> AccountJson:
        """The account, and each contested stack in words."""
        free = {
            each.window: each.free_ms for of_round in self.round_chances for each in of_round.listed
        }
        return account_json(self.account, self.taken_stacks, free)

    @cached_property
    def stall(self) -> StallJson | None:
        """The longest time without a play, if it was long."""
        return stall_json(self.timeline, open_hands=True)

    @cached_property
    def lags(self) -> list[float | None]:
        """Each seat's lag in ms: measured if possible, otherwise estimated, otherwise None."""
        return lags_where_unmeasured(self.timeline, self.measured_lags)

    @cached_property
    def race_cards(self) -> list[RaceCard]:
        return [
            race
            for played in self.timeline.rounds
            for race in race_cards(played, self.lags, self.ways)
        ]

    @cached_property
    def ways(self) -> list[Way | None]:
        """How long events took to each seat's screen (an estimate)."""
        return ways(self.timeline, self.measured_lags)

    @cached_property
    def _swing_at(self) -> dict[int, Swing]:
        return {swing.seq: swing for swing in self.swings}

    def swing_of(self, race: RaceCard) -> Swing | None:
        """The swing of the winner's play, or of the tie."""
        return self._swing_at.get(race.seq if race.play_seq is None else race.play_seq)

    def words_of(self, race: RaceCard) -> RaceSentences:
        """A race in sentences."""
        ties = self.timeline.header.rules.tie_window_ms > 0
        return race_words(race, self.swing_of(race), self.lags, ties=ties)

    @cached_property
    def round_chances(self) -> list[RoundChances]:
        """Each round's windows, as reports need them."""
        return [round_chances(played, self.lags) for played in self.timeline.rounds]

    @cached_property
    def missed(self) -> list[Missed]:
        """The takes that another player's play closed, in the order in which they ended."""
        rounds = zip(self.timeline.rounds, self.round_chances, strict=True)
        return [missed for played, of_round in rounds for missed in self._missed(played, of_round)]

    @cached_property
    def costliest_missed(self) -> list[Missed]:
        """The same, the costliest first. Among equals, the most cards first."""
        return sorted(self.missed, key=lambda take: (take.delta, -take.chance.window.cards))

    def _missed(self, played: Round, of_round: RoundChances) -> Iterator[Missed]:
        missed = [chance for chance in of_round.listed if is_missed_take(chance.window)]
        moments = separate_moments([chance.window for chance in missed])
        for chance, moment in zip(missed, moments, strict=True):
            seq = played.seqs[chance.window.span[1] - 1]
            chances = self._swing_at[seq].chances(chance.window.seat)
            yield Missed(played.number, chance, seq, moment, chances)

    @cached_property
    def players(self) -> list[PlayerCells]:
        return player_table(self.timeline, self.round_chances)
