"""What lists and profiles need to know about a match, derived from the lines of its log.

`Summary.read` takes the lines in order, each once, and keeps only counts. It trusts the log,
which was checked before it was stored.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, NamedTuple

from games.archive import filters
from games.engine.cards import OWNER
from games.engine.editions import EDITION_NUMBERS
from games.engine.events import Deal, Discard, Draw, End, Late, Miss, Out, Play, Tie
from games.engine.table import HAND
from games.records.log import FAIR_VERSION, Header, Line, Note, Remark, Result, Variation

SAMPLES: Final = 40
"""A lead history has so many equal pieces of the match. Each is one character: who leads at its
end, and by how many steps. Only for drawing in lists. Nothing is computed from it."""
LEVEL: Final = 5
"""In place of a seat without a sole leader."""
LEADS: Final = (1, 3, 6, 10, 15, 21, 28, 36, 45)
"""The leads, in points, at which the chart goes up one step, from 0 to 9."""
_STEPS: Final = len(LEADS) + 1
ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz01234567"


class Lead(NamedTuple):
    """From `t` (ms since the match began) on, `seat` leads by `points`."""

    t: int
    seat: int
    points: int


class LeadSample(NamedTuple):
    """The leader (a seat or `LEVEL`), and the lead in steps."""

    seat: int
    steps: int


def _encode_leads(leads: Sequence[Lead], duration_ms: int) -> str:
    """The lead history of a match of that duration, from its leads in chronological order."""
    samples, place = [], 0
    for number in range(1, SAMPLES + 1):
        until = duration_ms * number // SAMPLES
        while place + 1 < len(leads) and leads[place + 1].t <= until:
            place += 1
        samples.append(_letter(leads[place]) if leads else ALPHABET[LEVEL * _STEPS])
    return "".join(samples)


def _letter(lead: Lead) -> str:
    return ALPHABET[lead.seat * _STEPS + sum(lead.points >= points for points in LEADS)]


def read_leads(text: str) -> list[LeadSample]:
    """A lead history, as a match has it stored."""
    return [LeadSample(*divmod(ALPHABET.index(letter), _STEPS)) for letter in text]


class Summary:
    """A match so far. `result` is None until there is one, times are ms over all its rounds."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.rounds = 0
        self.ended = 0  # rounds
        self.ties = 0
        self.lates = 0
        self.remarks = 0
        self.version = 1  # of the record format, as its lines require
        self.duration_ms = 0
        self.lines = 1
        self.totals: tuple[int, ...] = (0,) * len(header.seats)
        self.result: Result | None = None
        self._other_lines = 1  # lines that are not events
        self._began = 0  # when the round began
        # Per seat, the total if the round ended now.
        self._points: list[int] = list(self.totals)
        self._leads = [Lead(0, LEVEL, 0)]

    def read(self, lines: Sequence[Line]) -> None:
        """Count the next lines of the log, all of one round, starting with its deal."""
        moved: Draw | Discard | None = None
        points = self._points
        for line in lines:
            if type(line) is Draw:
                points[line[1]] += 1
                moved = line
            elif type(line) is Discard:
                points[line[1]] -= 1
                moved = line
            else:
                self._take[type(line)](self, line)
                points = self._points
        if moved:
            self.duration_ms = max(self.duration_ms, self._began + moved.t)
        self.lines += len(lines)

    @property
    def events(self) -> int:
        return self.lines - self._other_lines

    @property
    def lead_history(self) -> str:
        """The leads over time, as `read_leads` reads them."""
        return _encode_leads(self._leads, self.duration_ms)

    @property
    def abandoned(self) -> bool:
        return self.result is not None and not self.result.winners

    @property
    def margin(self) -> int | None:
        """Points between the best and second best total. None if no one won or drew."""
        if self.result is None or self.abandoned:
            return None
        best, second = sorted(self.totals, reverse=True)[:2]
        return best - second

    def filter_bits(self, listed: bool, *, elsewhere: bool = False) -> int:
        """The traits that filters test (`games.archive.filters`)."""
        seats = self.header.seats
        won = self.result.winners if self.result else ()
        margin = self.margin
        return filters.pack(
            {
                "listed": listed,
                "ties": self.ties > 0,
                "notes": self.remarks > 0,
                "humans": any(seat.kind == "human" for seat in seats),
                "bots": any(seat.kind == "bot" for seat in seats),
                "seats": len(seats),
                "edition": EDITION_NUMBERS[self.header.edition],
                "length": filters.length_class(self.duration_ms) if self.result else 0,
                "closeness": 0 if margin is None else filters.closeness_class(margin),
                "outcome": self._outcome(),
                "human_won": any(seats[seat].kind == "human" for seat in won),
                "elsewhere": elsewhere,
                "bot_won": any(seats[seat].kind == "bot" for seat in won),
            }
        )

    def _outcome(self) -> int:
        if self.result is None:
            return 0
        names = ("abandoned", "won", "drawn")
        return 1 + filters.OUTCOMES.index(names[min(2, len(self.result.winners))])

    def _deal(self, deal: Deal) -> None:
        self._other_lines += 1
        self.rounds = deal.round
        if deal.fair:
            self.version = FAIR_VERSION
        self._began = self.duration_ms
        self._points = [
            total + HAND - len(deck) for total, deck in zip(self.totals, deal.decks, strict=True)
        ]

    def _clock(self, event: Any) -> None:
        self.duration_ms = self._began + event.t

    def _play(self, play: Play) -> None:
        self._clock(play)
        if play.takes:
            self._points[play.seat] += play.takes
            self._look()

    def _tie(self, tie: Tie) -> None:
        self._clock(tie)
        self.ties += 1
        for card in tie.cards:
            self._points[OWNER[card]] -= 1
        self._look()

    def _late(self, late: Late) -> None:
        self._clock(late)
        self.lates += 1

    def _end(self, end: End) -> None:
        self._clock(end)
        self.ended += 1
        self.totals = end.totals
        self._points = list(end.totals)
        self._look()

    def _look(self) -> None:
        """Record who leads now, if that has changed: takes, ties and ends are frequent enough."""
        points = self._points
        best = max(points)
        seat = points.index(best)
        lead = best - max(points[:seat] + points[seat + 1 :])
        if not lead:
            seat = LEVEL
        last = self._leads[-1]
        if (seat, lead) != last[1:]:
            self._leads.append(Lead(self.duration_ms, seat, lead))

    def _result(self, result: Result) -> None:
        self._other_lines += 1
        self.result = result

    def _remark(self, remark: Remark) -> None:
        self._other_lines += 1
        self.remarks += 1
        if remark.newer:
            self.version = max(self.version, 2)

    _take: ClassVar[dict[type, Callable[[Any, Any], None]]] = {
        Deal: _deal,
        Play: _play,
        Tie: _tie,
        Late: _late,
        Miss: _clock,
        Out: _clock,
        End: _end,
        Result: _result,
        Note: _remark,
        Variation: _remark,
    }
