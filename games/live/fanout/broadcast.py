"""The end of one match's log in memory, with its frames, each serialized once per view.

A broadcast has all lines since the deal of the previous round, or earlier ones that delayed viewers
have yet to see. Followers have a cursor on it, not a queue, so a slow one costs nothing but its own
position.

`at` is when a line became known here, on this process's clock.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from games.engine.events import Deal
from games.live.fanout import frames
from games.live.fanout.frames import OPEN, SPECTATOR, Covers, View
from games.live.host.leases import LogTail
from games.live.host.requests import Answer
from games.records.digests import next_digest
from games.records.log import Line, Result
from games.tables.plan import Plan
from games.tables.state import MatchState, SeatState

MAX_LINES: Final = 400
"""The most lines in one frame."""


class StateUpdate(NamedTuple):
    """Everything besides the lines, as published at some time."""

    at: int
    state: MatchState
    text: str

    def later(self, ms: int) -> str:
        """The frame for a viewer who receives it `ms` later, with less time left to wait."""
        seats = [_later(seat, ms) for seat in self.state.get("seats", [])]
        wait_ms = max(0, self.state["wait_ms"] - ms)
        return frames.state({**self.state, "wait_ms": wait_ms, "seats": seats})


def _later(seat: SeatState, ms: int) -> SeatState:
    away_ms = seat.get("away_ms")  # a host of another release may omit it
    return {**seat, "away_ms": None if away_ms is None else max(0, away_ms - ms)}


class Broadcast:
    """One match, as far as this process knows it."""

    def __init__(self, tail: LogTail, now: int) -> None:
        self.plan: Plan = tail.plan
        self.epoch = tail.epoch
        self._states: list[StateUpdate] = []
        self.set_state(tail.state, now)
        self.over = tail.over
        self._early: list[Answer] = []
        """Answers whose lines are not known here yet."""
        self.clock: Callable[[], int] | None = None
        """The round's clock, where the match is hosted here."""
        self._hold(tail.seq, tail.before)
        self.extend(self.first, tail.lines, now)
        self.close_batch()

    def _hold(self, seq: int, before: bytes) -> None:
        """Start empty. The first line will have this seq, and this digest before it."""
        self.first = self._batch = seq
        """The seq of the first line here. Always a deal's, once there is one."""
        self._lines: list[Line] = []
        self._at: list[int] = []
        self._deals: list[int] = []
        self._texts: dict[View, list[str]] = {}
        self._frames: dict[tuple[View, int, int], str] = {}
        self._before = before
        self._digests: list[bytes] = []

    def catch_up(self, tail: LogTail, now: int) -> None:
        """Take in the stored end of the log. Lines that are missing before it are skipped."""
        if tail.seq > self.end:
            self._hold(tail.seq, tail.before)
        self.anchor(tail.seq, tail.before)
        self.extend(tail.seq, tail.lines, now)

    def set_state(self, state: MatchState | None, now: int) -> None:
        self.state = state
        if state:
            known = sum(update.at <= now - self.plan.open_delay_ms for update in self._states)
            del self._states[: max(0, known - 1)]  # delayed viewers are past them
            self._states.append(StateUpdate(now, state, frames.state(state)))

    def state_for(self, view: View, now: int) -> StateUpdate | None:
        """The state that a viewer may know by now, if any."""
        moment = now - self.delay(view)
        return next((update for update in reversed(self._states) if update.at <= moment), None)

    def delay(self, view: View) -> int:
        """How many ms late a viewer is shown everything."""
        return self.plan.open_delay_ms if view == OPEN else 0

    def informed(self, update: StateUpdate | None) -> bool:
        """Whether a viewer last sent this state is up to date."""
        return not self._states or update is self._states[-1]

    @property
    def end(self) -> int:
        """The seq that the next line will have."""
        return self.first + len(self._lines)

    @property
    def finished(self) -> bool:
        return self.over or (bool(self._lines) and isinstance(self._lines[-1], Result))

    def extend(self, seq: int, lines: Sequence[Line], now: int) -> bool:
        """Add lines, the first with this seq. False if lines before it are missing."""
        if seq > self.end:
            return False
        for line in lines[self.end - seq :]:
            if isinstance(line, Deal):
                self._trim(now)
                self._deals.append(self.end)
            self._lines.append(line)
            self._at.append(now)
        self._frames.clear()
        return True

    def answerable(self, answers: Iterable[Answer]) -> list[Answer]:
        """The answers, also earlier ones, whose lines are known here. The others wait for theirs.

        One from another process may come first, and each says a digest that covers its line.
        """
        known: list[Answer] = []
        early: list[Answer] = []
        for answer in (*self._early, *answers):
            is_early = isinstance(answer.result, int) and answer.result >= self.end
            (early if is_early else known).append(answer)
        self._early = early
        return known

    def _trim(self, now: int) -> None:
        """Before a new deal: drop rounds that every viewer has seen."""
        self._digest()
        horizon = now - self.plan.open_delay_ms
        while len(self._deals) > 1 and self._at[self._deals[1] - self.first] <= horizon:
            gone = self._deals[1] - self.first
            del self._deals[0], self._lines[:gone], self._at[:gone]
            self.first += gone
            if self._before:
                self._before = self._digests[gone - 1]
                del self._digests[:gone]
            for texts in self._texts.values():
                del texts[:gone]

    # Viewers' positions

    def close_batch(self) -> bool:
        """Release the new lines to spectators. Returns whether there are any."""
        news = self._batch != self.end
        self._batch = self.end
        return news

    def end_for(self, view: View, now: int) -> int:
        """The seq up to which a viewer may see the log by now."""
        if view == OPEN:
            return self.seq_at(now - self.delay(view))
        return self._batch if view == SPECTATOR else self.end

    def start_for(self, view: View, now: int) -> int:
        """The seq of the deal of the viewer's current round."""
        end = self.end_for(view, now)
        place = bisect_right(self._deals, max(end - 1, self.first)) - 1
        return self._deals[place] if place >= 0 else self.first

    def round_at(self, seq: int) -> int:
        """The round to which a line belongs. 0 before the first deal."""
        place = bisect_right(self._deals, seq) - 1
        if place < 0:
            return 0
        deal = self._lines[self._deals[place] - self.first]
        assert isinstance(deal, Deal)
        return deal.round

    def round_span(self, seq: int) -> tuple[int, int | None]:
        """The seq of the deal of a line's round, and of the line after it once it is over."""
        place = bisect_right(self._deals, seq)
        after = self.end if self.finished else None
        following = self._deals[place] if place < len(self._deals) else after
        return self._deals[place - 1] if place else self.first, following

    def seq_at(self, now: int) -> int:
        """The seq that the next line had at that time."""
        return self.first + bisect_right(self._at, now)

    def now_for(self, view: View, seq: int, now: int) -> int:
        """The round's clock for a viewer who has been shown everything below `seq`."""
        if view != OPEN and self.clock is not None:
            return self.clock()
        if seq <= self.first:
            return 0
        place = seq - 1 - self.first
        late = self.delay(view)
        t = getattr(self._lines[place], "t", 0)
        return int(t + max(0, now - late - self._at[place]))

    # The log's digest

    def anchor(self, seq: int, before: bytes) -> None:
        """Learn the digest before the line with that seq, if it is the first one held here."""
        if seq == self.first and not self._before:
            self._before = before

    def covers(self, end: int) -> Covers | None:
        """The log below `end`, which must be here. None where its digest is not known."""
        if not self._before or end <= self.first:
            return None
        self._digest()
        return Covers(end - 1, self._digests[end - 1 - self.first])

    def _digest(self) -> None:
        """Take in the lines that are new."""
        if self._before:
            last = self._digests[-1] if self._digests else self._before
            for text in self._texts_of(SPECTATOR)[len(self._digests) :]:
                last = next_digest(last, text)
                self._digests.append(last)

    def _before_deal(self, seq: int) -> bytes:
        """The digest before a line that is a deal. Empty before any other."""
        if not self._before or not isinstance(self._lines[seq - self.first], Deal):
            return b""
        return self._digests[seq - 1 - self.first] if seq > self.first else self._before

    # Frames

    def frame(self, view: View, start: int, end: int, now: int) -> tuple[str, int]:
        """The frame of the lines since `start`, and the seq after its last line. end > start."""
        end = min(end, start + MAX_LINES)
        key = (view, start, end)
        text = self._frames.get(key)
        if text is None:
            text = self._frames[key] = self.lines(view, start, end, self.now_for(view, end, now))
        return text, end

    def lines(self, view: View, start: int, end: int, clock: int | None = None) -> str:
        """A frame of lines, written anew. `clock`: the round's, by default at the last line."""
        texts = self._texts_of(view)[start - self.first : end - self.first]
        if clock is None:
            clock = getattr(self._lines[end - 1 - self.first], "t", 0)
        covers, before = self.covers(end), self._before_deal(start)
        number = self.round_at(end - 1)
        return frames.lines(start, number, clock, texts, covers=covers, before=before)

    def _texts_of(self, view: View) -> list[str]:
        texts = self._texts.setdefault(view, [])
        texts += [frames.line_text(line, view) for line in self._lines[len(texts) :]]
        return texts
