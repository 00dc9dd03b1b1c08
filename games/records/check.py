"""Whether a record is valid, from its first line to its last, in one pass and little memory.

`games.records.notation` defines the form of a line, `games.engine.rules` the events of a round.
This module checks the rest: rounds follow each other, decks are complete, and the result comes
right after the end that decided it. Remarks must refer to positions that exist
(`games.records.remarks`), and variations are judged in a second pass (`games.records.branches`). A
record without variations is read once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, NamedTuple

from games.engine.cards import OWNER, Card, deck_of
from games.engine.events import Deal, End, Event
from games.engine.facts import Fault, verify
from games.engine.message import Message
from games.engine.scoring import decided, winners
from games.engine.table import Table, apply
from games.records.branches import Waiting
from games.records.digests import verify_fair
from games.records.lines import Lines
from games.records.log import MAX_FILE_BYTES, Header, Line, Note, RecordFault, Result, Variation
from games.records.notation import parse_event, parse_header, parse_line
from games.records.remarks import Remarks


class CheckedRecord(NamedTuple):
    """The content of a valid record. `result` is None while it is unfinished."""

    header: Header
    rounds: int
    events: int
    result: Result | None


def check(file: BinaryIO, each: Callable[[Line], None] | None = None) -> CheckedRecord:
    """Read a record from a seekable binary file. `each` is called with every accepted line.

    Raises RecordFault for the first fault. Lines passed to `each` before that may belong to an
    invalid record: variations are judged last.
    """
    start = file.tell()
    lines = Lines(file)
    rows = iter(lines)
    header = parse_header(next(rows))
    state = LogState(header)
    variations = Waiting(file, start, state.remarks.branches)
    if each:
        each(header)
    try:
        _follow(lines, rows, state, variations, each)
    except RecordFault:
        variations.check(new_table(header))
        raise
    variations.check(new_table(header))
    return state.report()


def check_path(path: Path, each: Callable[[Line], None] | None = None) -> CheckedRecord:
    """Check the record in a file, or in a pipe. Raises RecordFault or OSError."""
    with path.open("rb") as file:
        if file.seekable():
            return check(file, each)
        with TemporaryFile() as copy:
            _copy(file, copy)
            return check(copy, each)


def _copy(pipe: BinaryIO, file: BinaryIO) -> None:
    """Keep what comes through a pipe, for the second pass that variations need."""
    while file.tell() <= MAX_FILE_BYTES and (block := pipe.read(1 << 18)):
        file.write(block)
    file.seek(0)


def _follow(
    lines: Lines,
    rows: Iterator[bytes],
    state: LogState,
    variations: Waiting,
    each: Callable[[Line], None] | None,
) -> None:
    line: Line | None
    table = state.table
    for number, raw in enumerate(rows, 2):
        try:
            line = parse_event(raw)
            if line is not None and state.open:
                verify(table, line)
                apply(table, line)
            else:
                line = parse_line(raw, number)
                state.follow(line)
                if type(line) is Variation:
                    variations.remember(line, number, lines.offset(number), len(raw))
        except Fault as fault:
            raise RecordFault(number, fault.said) from None
        if each:
            each(line)


class LogState:
    """How far a match has come, and so which lines may follow. `follow` takes them one by one.

    `open` means that a round is being played. Then an event other than `end` may also be passed
    directly to the engine's `verify` and `apply` on `table`.
    """

    def __init__(self, header: Header) -> None:
        self.header = header
        self.table = new_table(header)
        self.open = False
        self.result: Result | None = None
        self._last: End | None = None
        self._counts: list[int] = []  # number of events in each finished round
        self.remarks = Remarks(header.version, self._exists)
        self._whole_decks = [deck_of(seat, header.rules.deck) for seat in range(self.table.seats)]

    def report(self) -> CheckedRecord:
        playing = self.table.events if self.open else 0
        rounds = len(self._counts) + self.open
        return CheckedRecord(self.header, rounds, sum(self._counts) + playing, self.result)

    def follow(self, line: Line) -> None:
        """Take the next line. Raises Fault if it cannot come here."""
        match line:
            case Deal():
                self._deal(line)
            case End():
                self._end(line)
            case Result():
                self._result(line)
            case Note() | Variation():
                playing = [self.table.events] if self.open else []
                self.remarks.take(line, self._counts + playing, len(self._counts))
            case Header():
                raise Fault("found a header, expected one only in the first line")
            case _:
                self._event(line)

    def _event(self, event: Event) -> None:
        if not self.open:
            raise Fault(
                "expected {expected}, found an event outside a round", expected=self._expected()
            )
        verify(self.table, event)
        apply(self.table, event)

    def _end(self, end: End) -> None:
        self._event(end)
        self.open = False
        self._last = end
        self._counts.append(self.table.events)

    def _deal(self, deal: Deal) -> None:
        number = len(self._counts) + 1
        if self.open or self._decided():
            raise Fault(
                "expected {expected}, found round {round}",
                expected=self._expected(),
                round=deal.round,
            )
        if deal.round != number:
            raise Fault(
                "round: expected {expected}, found {found}", expected=number, found=deal.round
            )
        if len(deal.decks) != self.table.seats:
            raise Fault(
                "decks: expected {expected}, found {found}",
                expected=self.table.seats,
                found=len(deal.decks),
            )
        for seat, deck in enumerate(deal.decks):
            _verify_deck(seat, deck, self._whole_decks[seat])
        if deal.fair:
            verify_fair(self.header, deal, deal.fair)
        self.table.deal(deal)
        self.open = True

    def _result(self, result: Result) -> None:
        if self.result or not self._last or not self._decided():
            raise Fault("expected {expected}, found a result", expected=self._expected())
        best, totals = winners(self._last), self._last.totals
        if result.winners != best:
            raise Fault(
                "result: expected {expected}, found {found}",
                expected=list(best),
                found=list(result.winners),
            )
        if result.totals != totals:
            raise Fault(
                "totals: expected {expected}, found {found}",
                expected=list(totals),
                found=list(result.totals),
            )
        self.result = result

    def _decided(self) -> bool:
        return self._last is not None and decided(self.header.rules, len(self._counts), self._last)

    def _expected(self) -> Message:
        following = {"round": len(self._counts) + 1}
        if self.open:
            return Message("an event of round {round}", **following)
        if self.result:
            return Message("only notes and variations after the result")
        return Message("the result") if self._decided() else Message("round {round}", **following)

    def _exists(self, mark: str) -> bool:
        kind, name = mark.split(":")
        if kind != "card":
            return int(name) < self.table.seats
        seat = OWNER[name]
        return seat < self.table.seats and name in self._whole_decks[seat]


def new_table(header: Header) -> Table:
    beginners = [seat for seat, player in enumerate(header.seats) if player.beginner]
    return Table(header.rules, len(header.seats), beginners)


def _verify_deck(seat: int, deck: tuple[Card, ...], whole: tuple[Card, ...]) -> None:
    if len(deck) == len(whole) and set(deck) == set(whole):
        return
    missing, extra = Counter(whole) - Counter(deck), Counter(deck) - Counter(whole)
    lacks, more = " ".join(sorted(missing)[:5]), " ".join(sorted(extra)[:5])
    if not extra:
        raise Fault("deck of seat {seat} is not complete: it lacks {cards}", seat=seat, cards=lacks)
    if not missing:
        raise Fault(
            "deck of seat {seat} is not complete: it has too many of {more}", seat=seat, more=more
        )
    raise Fault(
        "deck of seat {seat} is not complete: it lacks {cards} and has too many of {more}",
        seat=seat,
        cards=lacks,
        more=more,
    )
