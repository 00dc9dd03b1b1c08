"""The text of a record: one JSON object per line, read strictly, written canonically.

`parse_line` takes a line with any spacing and key order, and reports its first fault. It knows the
line alone, not the match around it (`games.records.check`). `write_line` gives the one canonical
form: no spaces, keys in a fixed order, optional keys omitted if empty.

Nearly all lines of a record are canonical draws, discards, plays and tries. They have a fast path:
the part after `t` in such a line, apart from `seen`, is one of a few hundred texts per match, so
each is parsed once, on the strict path, and remembered.
"""

import json
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from games.engine.editions import EDITIONS
from games.engine.events import Deal, Discard, Draw, End, Event, Fair, Late, Miss, Out, Play, Tie
from games.records.log import MAX_LINE_BYTES, Header, Line, Note, RecordFault, Result, Variation
from games.records.parsing import header_from, line_from
from games.records.strict import Malformed, decode

_FAST: Final = re.compile(
    rb'\{"t":(0|[1-9][0-9]{0,6}|[1-7][0-9]{7})'
    rb'(,"seat":[0-4],"do":"[a-z]{4,7}","card":"[A-E][1-5R][a-z]"'
    rb'(?:,"stack":[0-4](?:,"as":[1-4])?(?:,"takes":[1-9][0-9]{0,2})?)?)'
    rb'(?:,"seen":(0|[1-9][0-9]{0,6}))?\}'
).fullmatch
_new: Final = tuple.__new__


def parse_line(raw: bytes, number: int) -> Line:
    """Parse the line with that number (counted from 1), given without its line feed.

    Raises RecordFault with the expected and the found value.
    """
    return (number > 1 and parse_event(raw)) or _parse_strictly(raw, number)


def parse_header(raw: bytes) -> Header:
    """The first line. Raises RecordFault."""
    header = parse_line(raw, 1)
    assert isinstance(header, Header)
    return header


def parse_event(raw: bytes) -> Event | None:
    """A canonical draw, discard, play, late try or miss. None for any other line."""
    matched = _FAST(raw)
    if matched is None:
        return None
    t, tail, seen = matched.groups()
    kind, fields = _meaning(tail, seen is not None)
    if kind is None:
        return None
    event: Event = _new(kind, (int(t), *fields) if seen is None else (int(t), *fields, int(seen)))
    return event


@lru_cache(maxsize=1 << 14)
def _meaning(tail: bytes, seen: bool) -> tuple[Any, tuple[Any, ...]]:
    """The event's type and its fields without `t` and any `seen`. No type for other lines."""
    try:
        event: Any = _parse_strictly(b'{"t":0' + tail + (b',"seen":0}' if seen else b"}"), 2)
    except RecordFault:
        return None, ()
    return type(event), event[1:-1] if seen else event[1:]


def _parse_strictly(raw: bytes, number: int) -> Line:
    if len(raw) > MAX_LINE_BYTES:
        raise RecordFault(
            number,
            "line too long: {count} bytes, expected at most {most}",
            count=len(raw),
            most=MAX_LINE_BYTES,
        )
    try:
        value = decode(raw)
        return header_from(value) if number == 1 else line_from(value)
    except Malformed as fault:
        raise RecordFault(number, fault.said) from None


def write_line(line: Line) -> str:
    """The canonical text of a line, without the line feed."""
    return _WRITE[type(line)](line)


def _play(event: Play) -> str:
    t, seat, card, stack, number, takes, seen = event
    shown = "" if number is None else f',"as":{number}'
    taken = "" if takes is None else f',"takes":{takes}'
    known = "" if seen is None else f',"seen":{seen}'
    uses = f"{shown}{taken}{known}"
    return f'{{"t":{t},"seat":{seat},"do":"play","card":"{card}","stack":{stack}{uses}}}'


def _draw(event: Draw) -> str:
    return f'{{"t":{event.t},"seat":{event.seat},"do":"draw","card":"{event.card}"}}'


def _discard(event: Discard) -> str:
    return f'{{"t":{event.t},"seat":{event.seat},"do":"discard","card":"{event.card}"}}'


def _tie(event: Tie) -> str:
    return _json(
        {
            "t": event.t,
            "do": "tie",
            "stack": event.stack,
            "cards": event.cards,
            "after": event.after,
            **({} if event.seen is None else {"seen": event.seen}),
        }
    )


def _late(event: Late) -> str:
    return _try(event, "late")


def _miss(event: Miss) -> str:
    return _try(event, "miss")


def _try(event: Late | Miss, kind: str) -> str:
    t, seat, card, stack, number, seen = event
    shown = "" if number is None else f',"as":{number}'
    return (
        f'{{"t":{t},"seat":{seat},"do":"{kind}","card":"{card}","stack":{stack}{shown}'
        f',"seen":{seen}}}'
    )


def _out(event: Out) -> str:
    return f'{{"t":{event.t},"seat":{event.seat},"do":"out"}}'


def _end(event: End) -> str:
    t, reason, scores, totals = event
    return _json({"t": t, "do": "end", "reason": reason, "scores": scores, "totals": totals})


def _deal(deal: Deal) -> str:
    decks = [" ".join(deck) for deck in deal.decks]
    return _json({"round": deal.round, "decks": decks, **_present({"fair": _fair(deal.fair)})})


def _fair(fair: Fair | None) -> dict[str, Any] | None:
    """As in a record. Without the seed where it is hidden."""
    return fair and {"commit": fair.commit, **_present({"seed": fair.seed}), "salts": fair.salts}


def _result(result: Result) -> str:
    return _json({"result": result.winners, "totals": result.totals})


def _header(header: Header) -> str:
    optional = {
        "rules": header.rules.differences(EDITIONS[header.edition]),
        "started_at": header.started_at,
        "source": header.source,
    }
    return _json(
        {
            "ratuki": header.version,
            "id": header.id,
            "edition": header.edition,
            **_present(optional),
            "seats": [
                {"name": seat.name, "kind": seat.kind, **_present({"beginner": seat.beginner})}
                for seat in header.seats
            ],
            **_present({"tags": dict(sorted(header.tags))}),
        }
    )


def _note(note: Note) -> str:
    return _json({"note": _given_fields(note, _NOTE_KEYS)})


def _variation(variation: Variation) -> str:
    head = _json({"variation": _given_fields(variation, _VARIATION_KEYS)})
    events = ",".join(map(write_line, variation.events))
    return f'{head[:-2]},"events":[{events}]}}}}'


def _given_fields(remark: Note | Variation, keys: tuple[str, ...]) -> dict[str, Any]:
    """The fields a remark has, in the order of the keys. Its position is always included."""
    fields = {key: getattr(remark, key) for key in keys}
    return {key: value for key, value in fields.items() if value or key == "event"}


def _present(fields: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value}


def _json(value: Any) -> str:
    return _ENCODE(value)


_NOTE_KEYS: Final = (
    "id", "round", "line", "event", "until", "by", "at", "glyph", "tags", "text", "marks",
    "arrows", "reply",
)  # fmt: skip
_VARIATION_KEYS: Final = ("id", "round", "line", "event", "by", "at", "tags", "text")
_ENCODE: Final = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, separators=(",", ":")
).encode
_WRITE: Final[dict[type, Callable[[Any], str]]] = {
    Header: _header,
    Deal: _deal,
    Play: _play,
    Draw: _draw,
    Discard: _discard,
    Tie: _tie,
    Late: _late,
    Miss: _miss,
    Out: _out,
    End: _end,
    Result: _result,
    Note: _note,
    Variation: _variation,
}
