"""Choosing a match's moments: at most seven key plays, the most important first.

The two largest swings come first. Next come those with a story: a player who left with a
chance to win, the player who became the favourite for good, the comeback, the costliest missed
take, the play that fed most, the costliest close race, the biggest take and the costliest tie of
takers. Further swings come last. Nothing appears twice: a take that is also the biggest one is a
single moment. An event that hardly changed a chance is none of these, whatever its story.

Then come at most three runs (`runs`), and the result, which is the last step of the curve. Where
the chance was settled, the largest takes fill up three. While a match is played, only takes of
many cards do: others may follow.

A tie changes no chance by itself, since the model does not see stacks. If each card alone would
have taken the stack, the tie's size is the value of that take.
"""

from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import Final, NamedTuple

from replays.analysis.leaving import STAYED, left_at
from replays.analysis.moments import wording
from replays.analysis.moments.leads import LeadChange, lead_changes, lowest, standing_at
from replays.analysis.moments.runs import Run, runs
from replays.analysis.moments.swings import Swing
from replays.analysis.sentences import Fact, Text, fact
from replays.analysis.winning.network import in_percent
from replays.analysis.winning.position import Position
from replays.analysis.winning.series import (
    CLOCK,
    DEAL,
    END,
    PLAY,
    TAKE,
    TIE,
    Point,
    around,
    curve,
    curve_and_befores,
)
from replays.timeline import Timeline

MAX_MOMENTS: Final = 7
_FEW: Final = 3
_GREATEST: Final = 2
"""How many swings come before the stories."""
_MANY: Final = 8
"""While a match is played, a take that hardly changed a chance needs so many cards."""
_WORTH: Final = 0.05
"""The least size of any further swing once there are `_FEW` moments."""
_PLAIN: Final = 0.1
"""The least size of a tie, or of a play that took nothing, since no reason can be given. Also of
anyone but the favourite leaving."""
_STORY: Final = 0.03
"""The least size of any moment: less is none, whatever its story."""
_LOW: Final = 0.4
"""A comeback: the winner's chance was below this part of an even share."""
_FAVOURITE: Final = 0.5
"""A comeback: another player's chance was at least this."""
_BEHIND: Final = 10
"""A comeback: another player was this many points ahead."""
_GAINS: Final = 2
"""It says how by so many takes at most."""
_SEEN_GONE: Final = 20
"""So many points of the curve later it is clear that a player is gone."""
_AT_ONCE_MS: Final = 5_000
"""A take so soon before or after the lead changed is shown as the one that made it last."""


class Moment(NamedTuple):
    """A moment. `chances`: to win, before and after it, for the first of `seats`. For a tie of
    takers, with that seat's take and without it."""

    seq: int
    round: int
    t: int
    kind: str
    """`take`, `play`, `tie`, `out`, `missed_take`, `feed`, `race`, `comeback`, `left`, `lead`,
    `run` or `result`."""
    seats: tuple[int, ...]
    chances: tuple[float, float]
    text: Text

    @property
    def delta(self) -> float:
        before, after = self.chances
        return after - before


def moments(
    timeline: Timeline,
    points: Sequence[Point],
    known: Sequence[Swing],
    positions: Sequence[Position] = (),
) -> list[Moment]:
    """The moments of a match. `points`: its detailed series, `known`: its swings. `positions`: at
    each point of the curve. Without them there are no runs."""
    chosen = _Choice(timeline, points, known)
    chosen.choose()
    chosen.end(positions)
    return sorted(chosen.found, key=lambda moment: -abs(moment.delta))


class _Choice:
    """Selects moments. `taken` are the seqs of swings already used."""

    def __init__(self, timeline: Timeline, points: Sequence[Point], known: Sequence[Swing]) -> None:
        self.found: list[Moment] = []
        self._taken: set[int] = set()
        self._seats, self._rounds = len(timeline.names), timeline.rounds
        self._totals = timeline.totals
        self._winners = timeline.result.winners if timeline.result else ()
        self._over = timeline.result is not None
        self._left = left_at(timeline)
        self._curve, self._shown = curve(points), curve_and_befores(points)
        self._swings = known
        self._takes = [swing for swing in self._swings if swing.cause == TAKE]
        self._changes = lead_changes(self._curve)
        self._leads = self._leading()
        size = max(map(_size, self._takes), default=0)
        self._biggest = [swing.seq for swing in self._takes if _size(swing) == size]

    def choose(self) -> None:
        ranked = sorted(self._swings, key=_size_of, reverse=True)
        telling = [swing for swing in ranked if _size_of(swing) >= _STORY and not _plain(swing)]
        for swing in telling[:_GREATEST]:
            self._swing(swing)
        for story in (
            self._leaving,
            self._lead,
            self._comeback,
            self._missed,
            self._fed,
            self._race,
        ):
            if len(self.found) < MAX_MOMENTS:
                self.found.extend(story())
        biggest = (swing for swing in self._takes if swing.seq in self._biggest)
        most = max(biggest, key=_size_of, default=None)
        if most and len(self.found) < MAX_MOMENTS and _size_of(most) >= _STORY:
            self._swing(most)
        if len(self.found) < MAX_MOMENTS:
            self._tie()
        for swing in telling:
            if len(self.found) < (MAX_MOMENTS if _size_of(swing) >= _WORTH else _FEW):
                self._swing(swing)

    def end(self, positions: Sequence[Position]) -> None:
        """The runs, the largest takes if there is little else, and the result."""
        if len(self._winners) == 1 and len(self._curve) > 1:
            (winner,) = self._winners
            if positions:
                found = runs(self._rounds, self._curve, positions, winner, sorted(self._taken))
                self.found.extend(_run(run, winner) for run in found)
            self._result(winner)
        for swing in sorted(self._takes, key=_size, reverse=True):
            if len(self.found) < _FEW and (self._over or _size(swing) >= _MANY):
                self._swing(swing)

    def _result(self, winner: int) -> None:
        """The last step of the curve, unless a moment is about it."""
        before, after = self._curve[-2:]
        if after.cause != END or after.seq in self._taken:
            return
        ahead = self._totals[winner] - sorted(self._totals)[-2]
        was = in_percent(before.p)[winner]
        text = wording.won(winner, self._totals[winner], ahead, was)
        chances = was, after.p[winner]
        told = Moment(after.seq, after.round, after.t, "result", (winner,), chances, text)
        self.found.append(told)

    def _swing(self, swing: Swing) -> None:
        if swing.seq in self._taken:
            return
        self._taken.add(swing.seq)
        kind, seats, text = self._describe(swing)
        self.found.append(_moment(swing, kind, seats, text))

    def _describe(self, swing: Swing) -> tuple[str, tuple[int, ...], Text]:
        """A swing's kind, its seats (the main one first), and its sentence."""
        moved = _main_seat(swing)
        if swing.cause == TAKE:
            biggest = len(self._biggest) if swing.seq in self._biggest else 0
            leads = swing.seq == self._leads
            text = wording.take(swing, biggest, leads, over=self._over)
            return "take", swing.seats, text
        if swing.cause == PLAY:
            return "play", _first(moved, swing.seats), wording.play(swing, moved)
        if swing.cause == TIE:
            return "tie", _first(moved, swing.seats), wording.tie(swing, moved)
        return "out", _first(moved, swing.seats), wording.out(swing, moved)

    def _leading(self) -> int | None:
        """The take with which the lead was taken for good: there, or the largest around it.

        What a take says of its player the model learns only after it.
        """
        change = self._last_change()
        if change is None:
            return None
        (leader, point), until = (change.leader, change.point), change.point.t + _AT_ONCE_MS
        near = [
            take
            for take in self._takes
            if take.seats[0] == leader
            and take.round == point.round
            and point.t - _AT_ONCE_MS <= take.t <= until
        ]
        at_once = [take for take in near if take.seq == point.seq]
        largest = max(at_once or near, key=_size_of, default=None)
        return largest.seq if largest else None

    def _last_change(self) -> LeadChange | None:
        """The lead change after which the winner led. Before there is a winner, the last one."""
        change = self._changes[-1] if self._changes else None
        return None if change and self._winners and change.leader not in self._winners else change

    # The stories: each yields a moment or nothing

    def _lead(self) -> Iterator[Moment]:
        change = self._last_change()
        if change is None or change.point.seq in self._taken:
            return
        was = in_percent(around(self._shown, change.point.seq)[0])[change.leader]
        now = in_percent(change.point.p)[change.leader]
        if self._leads is not None or now - was < _WORTH:
            for swing in self._takes:
                if swing.seq == self._leads and _size_of(swing) >= _STORY:
                    self._swing(swing)
            return
        if change.point.cause == CLOCK or self._left[change.led] != STAYED:
            return  # no one did anything: the model learnt who is quick, or who is gone
        self._taken.add(change.point.seq)
        point, seats = change.point, (change.leader, change.led)
        kind = {END: "at_round_end", DEAL: "at_deal"}.get(point.cause)
        reason = fact(kind, round=point.round) if kind else None
        if self._over and point is self._curve[-1]:
            reason = fact("at_end")
        text = wording.lead(change.leader, was, now, reason, over=self._over)
        yield Moment(point.seq, point.round, point.t, "lead", seats, (was, now), text)

    def _leaving(self) -> Iterator[Moment]:
        """The cost of leaving, for players who might have won."""
        for seat, (number, t) in enumerate(self._left):
            if (number, t) == STAYED or not number:
                continue
            there = [point for point in self._curve if (point.round, point.t) <= (number, t)]
            gone = self._curve[len(there) :][:_SEEN_GONE]
            if not there or not gone:
                continue
            last, least = there[-1], min(gone, key=lambda point: point.p[seat])
            chances = in_percent(last.p)[seat], in_percent(least.p)[seat]
            led = last.p[seat] == max(last.p)
            if chances[1] - chances[0] > (-_STORY if led else -_PLAIN):
                continue
            text = wording.left(seat, *chances)
            yield Moment(last.seq, last.round, int(t), "left", (seat,), chances, text)

    def _comeback(self) -> Iterator[Moment]:
        if len(self._winners) != 1:
            return
        (winner,) = self._winners
        low = lowest(self._curve, winner)
        if low is None or low.p[winner] >= _LOW / self._seats or max(low.p) < _FAVOURITE:
            return
        if any(gone != STAYED for gone in self._left):
            return  # it may have been no more than that
        standing = standing_at(self._rounds[low.round - 1], low.seq)
        behind = max(standing) - standing[winner]
        if behind < _BEHIND:
            return
        when = wording.where(self._rounds, low.round, low.t)
        chances = in_percent(low.p)[winner], self._curve[-1].p[winner]
        text = wording.comeback(winner, chances[0], when, behind, self._gains(winner, low.seq))
        yield Moment(low.seq, low.round, low.t, "comeback", (winner,), chances, text)

    def _gains(self, winner: int, since: int) -> list[Fact]:
        """The winner's largest gains after that line, in the order of the match."""
        own = [take for take in self._takes if take.seats == (winner,) and take.seq > since]
        most = sorted(own, key=_size_of, reverse=True)[:_GAINS]
        gains = [take for take in own if take in most and take.change(winner) >= _WORTH]
        return [wording.gain(take, self._rounds) for take in gains]

    def _missed(self) -> Iterator[Moment]:
        lost = [
            (swing.change(ready.chance.window.seat), swing, ready.chance)
            for swing in self._free(lambda take: bool(take.facts and take.facts.ready))
            if swing.facts
            for ready in swing.facts.ready
        ]
        worst = min(lost, key=lambda loss: loss[0], default=None)
        if worst is None or worst[0] > -_STORY:
            return
        _, swing, missed = worst
        self._taken.add(swing.seq)
        text = wording.missed_take(swing, missed)
        yield _moment(swing, "missed_take", (missed.window.seat, *swing.seats), text)

    def _fed(self) -> Iterator[Moment]:
        fed = map(self._with_feeding, self._free(_was_fed))
        most = max(fed, key=lambda swing: swing.change(swing.seats[0]), default=None)
        if most is None or most.change(most.seats[0]) < _STORY:
            return
        self._taken.add(most.seq)
        assert most.facts is not None
        below = most.facts.fed
        assert below is not None
        moment = _moment(most, "feed", (most.seats[0], below.seat), wording.feed(most))
        yield moment._replace(seq=below.seq, t=most.t - below.ms)

    def _with_feeding(self, take: Swing) -> Swing:
        """The take together with the play that fed it."""
        assert take.facts is not None
        assert take.facts.fed is not None
        return take._replace(before=around(self._shown, take.facts.fed.seq)[0])

    def _race(self) -> Iterator[Moment]:
        raced = self._free(lambda take: _margin(take) < wording.CLOSE_MS)
        costliest = max(raced, key=lambda take: take.change(take.seats[0]), default=None)
        if costliest is None or costliest.change(costliest.seats[0]) < _STORY:
            return
        self._taken.add(costliest.seq)
        assert costliest.facts is not None
        late = min(costliest.facts.beaten, key=lambda beaten: beaten.margin_ms)
        text = wording.race(costliest, late.seat, late.margin_ms)
        yield _moment(costliest, "race", (*costliest.seats, late.seat), text)

    def _tie(self) -> None:
        """The costliest tie of takers."""
        costliest = max(
            (swing for swing in self._swings if swing.stake), key=_size_of, default=None
        )
        if costliest is not None and _size_of(costliest) >= _STORY:
            self._swing(costliest)

    def _free(self, wanted: Callable[[Swing], bool]) -> list[Swing]:
        return [take for take in self._takes if take.seq not in self._taken and wanted(take)]


def _moment(swing: Swing, kind: str, seats: tuple[int, ...], text: Text) -> Moment:
    chances = swing.untied if swing.stake else swing.chances(seats[0])
    return Moment(swing.seq, swing.round, swing.t, kind, seats, chances, text)


def _run(run: Run, winner: int) -> Moment:
    """It is where the run begins: from there it can be watched."""
    before, after = run.before, run.after
    chances = in_percent(before.p)[winner], in_percent(after.p)[winner]
    return Moment(before.seq, before.round, before.t, "run", (winner,), chances, run.text)


def _main_seat(swing: Swing) -> int:
    """The main seat of a swing: the taker, the one that lost most in a tie for a stack, otherwise
    the one it affected most."""
    if swing.cause == TAKE:
        return swing.seats[0]
    if swing.stake:
        return swing.lost[1]
    return max(range(len(swing.after)), key=lambda seat: abs(swing.change(seat)))


def _size_of(swing: Swing) -> float:
    return swing.lost[0] if swing.stake else abs(swing.change(_main_seat(swing)))


def _plain(swing: Swing) -> bool:
    """Whether nothing can be said for it: small, or an OUT after which the match goes on.

    Across a round's end the model changes its view, as across a deal.
    """
    if swing.cause == END and max(swing.after) < 1:
        return True
    return swing.cause != TAKE and not swing.stake and _size_of(swing) < _PLAIN


def _first(seat: int, seats: tuple[int, ...]) -> tuple[int, ...]:
    return seat, *(other for other in seats if other != seat)


def _size(swing: Swing) -> int:
    return (swing.facts.play.takes or 0) if swing.facts else 0


def _margin(swing: Swing) -> float:
    """By how many ms a take was won. Infinite if no one else tried."""
    return (
        min((beaten.margin_ms for beaten in swing.facts.beaten), default=inf)
        if swing.facts
        else inf
    )


def _was_fed(swing: Swing) -> bool:
    fed = swing.facts.fed if swing.facts else None
    return fed is not None and fed.soon
