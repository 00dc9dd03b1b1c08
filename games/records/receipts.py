"""Receipts: a viewer's own notes of a match while it was played, compared with its record.

A receipt is one JSON object (docs/reference/fair-play.md): the match, the last line seen with its
digest, the first four bytes of the digest after each line seen, and the viewer's own actions with
their answers. The digests show the first line that differs. All later ones differ with it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain, islice, product
from typing import Any, BinaryIO, Final, NamedTuple

from games.engine.cards import OWNER, Card
from games.engine.events import MAX_ROUNDS, MAX_T, Deal, Discard, Draw, Late, Miss, Out, Play, Tie
from games.engine.facts import Fault
from games.records import shape
from games.records.digests import digests, first_digest, prefix_hex, verify_fair
from games.records.lines import Lines
from games.records.log import MAX_SEQ, Header, Line, Note, Variation
from games.records.notation import parse_line, write_line
from games.records.shape import Fields
from games.records.strict import Malformed, decode, show

MAX_BYTES: Final = 8 * 1024 * 1024
"""The longest receipt that is read."""
MOST_ACTIONS: Final = 5_000
"""As many as a page keeps."""
_SHORT: Final = 8
"""Hexadecimal digits for each line."""
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,36}")
MOST_DIFFERENCES: Final = 20
"""Only so many are looked for: the first ones show the fault."""
_QUOTED: Final = 120
"""How many characters of a line are quoted."""
_BECOME: Final[Mapping[type, str]] = {
    Play: "play", Late: "play", Miss: "play", Draw: "draw", Discard: "discard", Out: "out",
}  # fmt: skip
"""A request, by its result. A tie comes of several plays."""
_NUMBERS: Final = (None, 1, 2, 3, 4)
Action = tuple[str, Card | None, int | None, int | None]
"""The action, its card, its stack, and the number."""


class RequestedAction(NamedTuple):
    """An own action and its answer: the line that it became, or the rule by which it was refused.

    `t`: when it arrived, if that is known. `card`: for a draw, the drawn one.
    """

    id: str
    round: int
    do: str
    card: Card | None
    stack: int | None
    number: int | None
    t: int | None
    seq: int | None
    refused: str | None

    @property
    def tried(self) -> tuple[int, str, Card | None, int | None]:
        """The same for repeated requests: of the same round, to do the same with the same card."""
        return self.round, self.do, self.card, self.stack

    @property
    def action(self) -> Action:
        if self.do == "play":
            return self.do, self.card, self.stack, self.number
        return self.do, self.card, None, None


class Receipt(NamedTuple):
    """A viewer's receipt. `seat` is None for a spectator, `lines` the digits of each line's digest.

    `seq` is the last line's, `digest` the sixteen bytes that were shown there.
    """

    match: str
    seat: int | None
    seq: int
    digest: str
    lines: Mapping[int, str]
    actions: tuple[RequestedAction, ...]


class Difference(NamedTuple):
    """Where a record differs from a receipt: the line's number in the file, and how."""

    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.line}: {self.message}"


def parse_receipt(raw: bytes) -> Receipt:
    """A receipt from its file. Raises Malformed."""
    if len(raw) > MAX_BYTES:
        raise Malformed("receipt too long: expected at most {most} bytes", most=MAX_BYTES)
    fields = Fields(decode(raw.strip(b"\n")), "receipt")
    shape.whole(fields.need("receipt"), "receipt", 1, 1)
    seat = fields.need("seat")
    actions = shape.listed(fields.need("actions"), "actions")
    if len(actions) > MOST_ACTIONS:
        raise Malformed(
            "actions: expected at most {most:,}, found {found:,}",
            most=MOST_ACTIONS,
            found=len(actions),
        )
    receipt = Receipt(
        shape.identifier(fields.need("match"), "match"),
        None if seat is None else shape.whole(seat, "seat", 0, 4),
        shape.whole(fields.need("seq"), "seq", 0, MAX_SEQ),
        shape.hexadecimal(fields.need("digest"), "digest", 16, 16),
        dict(_digits(fields.need("digests"))),
        tuple(map(_requested_action, actions)),
    )
    fields.done()
    return receipt


def _digits(runs: Any) -> Iterator[tuple[int, str]]:
    """The digits of each line's digest, from runs of lines that follow each other."""
    for run in shape.listed(runs, "digests"):
        if type(run) is not list or len(run) != 2 or type(run[1]) is not str:
            raise Malformed("digests: expected [seq, digits], found {found}", found=show(run))
        first, text = shape.whole(run[0], "digests", 0, MAX_SEQ), run[1]
        shape.hexadecimal(text, "digests", 0, MAX_BYTES)
        if len(text) % _SHORT:
            raise Malformed("digests: expected {count} digits for each line", count=_SHORT)
        for place in range(0, len(text), _SHORT):
            yield first + place // _SHORT, text[place : place + _SHORT]


def _requested_action(value: Any) -> RequestedAction:
    fields = Fields(value, "actions")
    name, card, refused = fields.need("id"), fields.get("card"), fields.get("refused")
    if type(name) is not str or not _ID.fullmatch(name):
        raise Malformed("actions: expected an id, found {found}", found=show(name))
    asked = RequestedAction(
        name,
        shape.whole(fields.need("round"), "round", 1, MAX_ROUNDS),
        shape.one_of(fields.need("do"), "do", tuple(dict.fromkeys(_BECOME.values()))),
        None if card is None else shape.card(card),
        shape.optional_whole(fields.get("stack"), "stack", 0, 4),
        shape.optional_whole(fields.get("as"), "as", 1, 4),
        shape.optional_whole(fields.get("t"), "t", 0, 2 * MAX_T),
        shape.optional_whole(fields.get("seq"), "seq", 0, MAX_SEQ),
        None if refused is None else shape.one_line(refused, "refused", 64),
    )
    fields.done()
    return asked


# Holding it against a record


def compare(receipt: Receipt, file: BinaryIO) -> list[Difference]:
    """Where a record, which need not be valid, differs from a receipt. Empty where it agrees.

    At most `MOST_DIFFERENCES`. Its deals are left to `check`. Raises RecordFault if a line cannot
    be read at all.
    """
    rows = ((number, parse_line(raw, number)) for number, raw in enumerate(Lines(file), 1))
    return list(islice(_differences(receipt, *_log(rows)), MOST_DIFFERENCES))


def differences(receipt: Receipt, rows: Iterable[tuple[int, Line]]) -> list[Difference]:
    """Where a record's lines, with their numbers in the file, differ from a receipt, or its deals
    from their commitments: no receipt shows facts that were hidden until the end.

    At most `MOST_DIFFERENCES`.
    """
    header, log = _log(rows)
    found = chain(_unfair(header, log), _differences(receipt, header, log))
    return list(islice(found, MOST_DIFFERENCES))


Log = list[tuple[int, Line]]
"""A record's lines with their numbers in the file. Notes and variations are left out."""


def _log(rows: Iterable[tuple[int, Line]]) -> tuple[Header, Log]:
    log = [row for row in rows if not isinstance(row[1], Note | Variation)]
    header = log[0][1]
    assert isinstance(header, Header)
    return header, log


def _unfair(header: Header, log: Log) -> Iterator[Difference]:
    """The deals that do not follow from their seed and salts."""
    for number, line in log:
        if isinstance(line, Deal) and line.fair:
            try:
                verify_fair(header, line, line.fair)
            except Fault as fault:
                yield Difference(number, str(fault))


def _differences(receipt: Receipt, header: Header, log: Log) -> Iterator[Difference]:
    if header.id != receipt.match:
        yield Difference(1, f"the receipt is of match {receipt.match}, found {header.id}")
        return
    if first := _first_difference(receipt, header, log):
        yield first
    yield from filter(
        None, (_told_otherwise(receipt.seat, asked, log) for asked in receipt.actions)
    )
    yield from _happened_after_all(receipt, log)


def _first_difference(receipt: Receipt, header: Header, log: Log) -> Difference | None:
    """The first line that is not the one that the receipt has seen."""
    agreed = -1
    begin = first_digest(header)
    lines = (line for _, line in log[1:])
    for seq, digest in enumerate((begin, *digests(begin, lines))):
        kept = receipt.lines.get(seq)
        if (kept and digest.hex()[:_SHORT] != kept) or (
            seq == receipt.seq and prefix_hex(digest) != receipt.digest
        ):
            return _differs(agreed, seq, log)
        if kept or seq == receipt.seq:
            agreed = seq
    if len(log) <= receipt.seq:
        seen = f"the receipt has seen {receipt.seq + 1} lines"
        return Difference(log[-1][0] + 1, f"expected another line, found the end: {seen}")
    return None


def _differs(agreed: int, seq: int, log: Log) -> Difference:
    number = log[seq][0]
    if agreed == seq - 1:
        return Difference(number, "not the line that was sent while the match was played")
    since = log[agreed + 1][0]
    return Difference(since, f"a line from here to {number} is not the one that was sent")


def _told_otherwise(seat: int | None, asked: RequestedAction, log: Log) -> Difference | None:
    """An own action that is different in the record, or missing."""
    if asked.refused is not None or asked.seq is None:
        return None
    if asked.seq >= len(log):
        return Difference(log[-1][0] + 1, f"{_words(asked)} is missing")
    number, line = log[asked.seq]
    if asked.action not in _actions(seat, line):
        return Difference(number, f"expected {_words(asked)}, found {_quoted(line)}")
    t = _time(seat, line)
    if asked.t is not None and t != asked.t:
        return Difference(number, f"{_words(asked)} arrived at {asked.t} ms, found {t} ms")
    return None


def _happened_after_all(receipt: Receipt, log: Log) -> Iterator[Difference]:
    """The lines of actions that were refused, unless another action became that line.

    Two cases are left out: a repeated request whose answer never arrived, and a bot's play in the
    seat.
    """
    unheard = {
        asked.tried for asked in receipt.actions if asked.seq is None and asked.refused is None
    }
    refused = [
        asked
        for asked in receipt.actions
        if asked.refused not in (None, "not-seated")
        and asked.t is not None
        and asked.tried not in unheard
    ]
    happened = _happened(receipt, log, {(asked.round, asked.t) for asked in refused})
    for asked in refused:
        if row := happened.get((asked.round, asked.t, asked.action)):
            said = f"refused ({asked.refused}), found {_quoted(row[1])}"
            yield Difference(row[0], f"{_words(asked)} was {said}")


Happened = Mapping[tuple[int, int | None, Action], tuple[int, Line]]
"""Lines by their round, the time of the seat's arrival, and each action that they may have been."""


def _happened(receipt: Receipt, log: Log, times: AbstractSet[tuple[int, int | None]]) -> Happened:
    """The first line of each kind at one of these times of which the receipt knows no action."""
    rows: dict[tuple[int, int | None, Action], tuple[int, Line]] = {}
    known = {asked.seq for asked in receipt.actions}
    current = 0
    for seq, (number, line) in enumerate(log):
        current = line.round if isinstance(line, Deal) else current
        t = _time(receipt.seat, line)
        if seq not in known and (current, t) in times:
            for action in _actions(receipt.seat, line):
                rows.setdefault((current, t, action), (number, line))
    return rows


def _actions(seat: int | None, line: Line) -> list[Action]:
    """The actions of a seat that may have become this line: those that say all, or leave a card or
    number to the host."""
    if isinstance(line, Tie):
        return list(product(("play",), line.cards, (line.stack,), _NUMBERS))
    do = _BECOME.get(type(line))
    if do is None or getattr(line, "seat", None) != seat:
        return []
    cards, numbers = {None, getattr(line, "card", None)}, {None, getattr(line, "number", None)}
    return list(product((do,), cards, (getattr(line, "stack", None),), numbers))


def _time(seat: int | None, line: Line) -> int | None:
    """When a seat's action arrived that became this line."""
    if isinstance(line, Tie):
        tries = zip(line.cards, line.after, strict=True)
        return next((line.t + after for card, after in tries if OWNER[card] == seat), None)
    return getattr(line, "t", None)


def _words(asked: RequestedAction) -> str:
    card = f" {asked.card}" if asked.card else ""
    stack = "" if asked.stack is None else f" on stack {asked.stack}"
    return f"the action {asked.id} ({asked.do}{card}{stack})"


def _quoted(line: Line) -> str:
    text = write_line(line)
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"
