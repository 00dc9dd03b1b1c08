"""From a JSON object to the line it represents: the keys of each kind of line, and their shapes.

Only the line itself is checked here. Whether it fits into its match is checked elsewhere
(`games.records.check`, and `games.engine.rules` for events).
"""

from collections.abc import Callable
from typing import Any, Final

from games.engine.cards import Card
from games.engine.dealing import MAX_SALT_BYTES, SEED_BYTES
from games.engine.editions import EDITIONS, Rules, RulesError, house_rules
from games.engine.events import (
    MAX_T,
    Deal,
    Discard,
    Draw,
    End,
    Event,
    Fair,
    Late,
    Miss,
    Out,
    Play,
    Tie,
)
from games.records import shape
from games.records.log import (
    GLYPHS,
    KINDS,
    MAX_LINE_BYTES,
    MAX_SEQ,
    SOURCES,
    VERSIONS,
    Header,
    Line,
    Note,
    Result,
    Seat,
    Variation,
)
from games.records.shape import Fields
from games.records.strict import Malformed, show

_MAX_SEAT: Final = 4
_MAX_POINTS: Final = 1_000_000_000
_REASONS: Final = ("out", "blocked", "stalled", "abandoned")


def header_from(value: Any) -> Header:
    """A header from its JSON object. Raises Malformed."""
    fields = Fields(value, "header")
    version = fields.need("ratuki")
    if type(version) is not int or version not in VERSIONS:
        raise Malformed("version: expected ratuki 1, 2 or 3, found {found}", found=show(version))
    edition = shape.one_of(fields.need("edition"), "edition", tuple(EDITIONS))
    moment, source = fields.get("started_at"), fields.get("source")
    header = Header(
        id=shape.identifier(fields.need("id")),
        edition=edition,
        rules=_rules(edition, fields.get("rules")),
        seats=_seats(fields.need("seats")),
        started_at=None if moment is None else shape.moment(moment, "started_at"),
        source=None if source is None else shape.one_of(source, "source", SOURCES),
        tags=_tags(fields.get("tags")),
        version=version,
    )
    fields.done()
    return header


def _rules(edition: str, overrides: Any) -> Rules:
    if overrides is None:
        return EDITIONS[edition]
    if type(overrides) is not dict:
        raise Malformed("rules: expected an object, found {found}", found=show(overrides))
    try:
        return house_rules(edition, overrides)
    except RulesError as error:
        raise Malformed("rules: {error}", error=error.said) from None


def _seats(value: Any) -> tuple[Seat, ...]:
    seats = shape.listed(value, "seats")
    if not 2 <= len(seats) <= _MAX_SEAT + 1:
        raise Malformed(
            "seats: expected 2 to {last}, found {found}", last=_MAX_SEAT + 1, found=len(seats)
        )
    return tuple(_seat(seat, number) for number, seat in enumerate(seats))


def _seat(value: Any, number: int) -> Seat:
    where = f"seat {number}"
    fields = Fields(value, where)
    name = shape.name_of_player(fields.need("name"), f"{where}: name")
    kind = shape.one_of(fields.need("kind"), f"{where}: kind", KINDS)
    beginner = fields.get("beginner")
    fields.done()
    forgiven = beginner is not None and shape.flag(beginner, f"{where}: beginner")
    return Seat(name, kind, forgiven)


def _tags(value: Any) -> tuple[tuple[str, str], ...]:
    if value is None:
        return ()
    if type(value) is not dict:
        raise Malformed("tags: expected an object, found {found}", found=show(value))
    pairs = ((key, shape.text(tag, "tag", MAX_LINE_BYTES)) for key, tag in value.items())
    return tuple(sorted(pairs))


def line_from(value: Any) -> Line:
    """Any line but the header from its JSON object. Raises Malformed."""
    fields = Fields(value, "line")
    for key, read in _LINES.items():
        if key in value:
            line = read(fields)
            fields.done()
            return line
    raise Malformed("line: expected a round, an event, a result, a note or a variation")


def _no_header(fields: Fields) -> Line:
    raise Malformed("found a header, expected one only in the first line")


def _deal(fields: Fields) -> Deal:
    fields.name = "round"
    number = shape.whole(fields.need("round"), "round", 1, MAX_SEQ)
    decks = shape.listed(fields.need("decks"), "decks")
    fair = fields.get("fair")
    return Deal(
        number, tuple(shape.deck(deck) for deck in decks), None if fair is None else fair_from(fair)
    )


def fair_from(value: Any) -> Fair:
    """The source of a deal's decks, from its JSON object. Raises Malformed."""
    fields = Fields(value, "fair")
    commit, seed, salts = (fields.need(key) for key in ("commit", "seed", "salts"))
    fields.done()
    return Fair(
        shape.hexadecimal(commit, "commit", SEED_BYTES, SEED_BYTES),
        shape.hexadecimal(seed, "seed", SEED_BYTES, SEED_BYTES),
        tuple(
            shape.hexadecimal(salt, "salts", 0, MAX_SALT_BYTES)
            for salt in shape.listed(salts, "salts")
        ),
    )


def _result(fields: Fields) -> Result:
    fields.name = "result"
    winners = shape.wholes(fields.need("result"), "result", 0, _MAX_SEAT)
    return Result(winners, _points(fields, "totals"))


def _points(fields: Fields, key: str) -> tuple[int, ...]:
    return shape.wholes(fields.need(key), key, -_MAX_POINTS, _MAX_POINTS)


def _note(fields: Fields) -> Note:
    inner = Fields(fields.need("note"), "note")
    glyph, marks, arrows = inner.get("glyph"), inner.get("marks"), inner.get("arrows")
    reply = _id(inner, "reply")
    if reply and marks == []:
        # Without this check it would be dropped: a Note does not distinguish empty from absent.
        raise Malformed("reply: expected no marks on a note that answers another")
    note = Note(
        *_position(inner),
        by=_author(inner),
        glyph=None if glyph is None else shape.one_of(glyph, "glyph", GLYPHS),
        text=_remark(inner),
        marks=() if marks is None else tuple(map(shape.mark, shape.listed(marks, "marks"))),
        id=_id(inner, "id"),
        line=_id(inner, "line"),
        until=shape.optional_whole(inner.get("until"), "until", 1, MAX_SEQ),
        at=_written_at(inner),
        tags=_words(inner),
        arrows=() if arrows is None else tuple(map(shape.arrow, shape.some(arrows, "arrows"))),
        reply=reply,
    )
    inner.done()
    return note


def _variation(fields: Fields) -> Variation:
    inner = Fields(fields.need("variation"), "variation")
    events = shape.listed(inner.need("events"), "events")
    if not events:
        raise Malformed("variation: expected at least one event")
    variation = Variation(
        *_position(inner),
        by=_author(inner),
        text=_remark(inner),
        events=tuple(map(event_from, events)),
        id=_id(inner, "id"),
        line=_id(inner, "line"),
        at=_written_at(inner),
        tags=_words(inner),
    )
    inner.done()
    return variation


def _position(fields: Fields) -> tuple[int, int]:
    return (
        shape.whole(fields.need("round"), "round", 1, MAX_SEQ),
        shape.whole(fields.need("event"), "event", 0, MAX_SEQ),
    )


def _author(fields: Fields) -> str | None:
    name = fields.get("by")
    return None if name is None else shape.name_of_player(name, "by")


def _remark(fields: Fields) -> str:
    text = fields.get("text")
    return "" if text is None else shape.text(text, "text")


def _id(fields: Fields, key: str) -> str | None:
    value = fields.get(key)
    return None if value is None else shape.identifier(value, key)


def _written_at(fields: Fields) -> str | None:
    at = fields.get("at")
    return None if at is None else shape.moment(at, "at")


def _words(fields: Fields) -> tuple[str, ...]:
    tags = fields.get("tags")
    return () if tags is None else shape.tags(tags)


def event_from(value: Any) -> Event:
    """An event from its JSON object. Raises Malformed."""
    fields = Fields(value, "event")
    event = _event(fields)
    fields.done()
    return event


def _event(fields: Fields) -> Event:
    fields.name = "event"
    kind = fields.need("do")
    read = _EVENTS.get(kind) if type(kind) is str else None
    if read is None:
        raise Malformed(
            "unknown event: expected do {values}, found {found}",
            values=", ".join(_EVENTS),
            found=show(kind),
        )
    fields.name = str(kind)
    return read(fields, shape.whole(fields.need("t"), "t", 0, MAX_T))


def _by(fields: Fields) -> int:
    return shape.whole(fields.need("seat"), "seat", 0, _MAX_SEAT)


def _slot(fields: Fields) -> int:
    return shape.whole(fields.need("stack"), "stack", 0, _MAX_SEAT)


def _number(fields: Fields) -> int | None:
    return shape.optional_whole(fields.get("as"), "as", 1, 4)


def _play(fields: Fields, t: int) -> Play:
    return Play(
        t,
        _by(fields),
        shape.card(fields.need("card")),
        _slot(fields),
        _number(fields),
        shape.optional_whole(fields.get("takes"), "takes", 1, MAX_SEQ),
        shape.optional_whole(fields.get("seen"), "seen", 0, MAX_SEQ),
    )


def _try(fields: Fields) -> tuple[int, Card, int, int | None, int]:
    seat, card = _by(fields), shape.card(fields.need("card"))
    seen = shape.whole(fields.need("seen"), "seen", 0, MAX_SEQ)
    return seat, card, _slot(fields), _number(fields), seen


def _tie(fields: Fields, t: int) -> Tie:
    cards = shape.listed(fields.need("cards"), "cards")
    after = shape.wholes(fields.need("after"), "after", 0, MAX_T)
    seen = fields.get("seen")
    return Tie(
        t,
        _slot(fields),
        tuple(shape.card(card, "cards") for card in cards),
        after,
        None if seen is None else shape.wholes(seen, "seen", 0, MAX_SEQ),
    )


def _end(fields: Fields, t: int) -> End:
    reason = shape.one_of(fields.need("reason"), "reason", _REASONS)
    return End(t, reason, _points(fields, "scores"), _points(fields, "totals"))


_LINES: Final[dict[str, Callable[[Fields], Line]]] = {
    "ratuki": _no_header,
    "do": _event,
    "t": _event,
    "round": _deal,
    "result": _result,
    "note": _note,
    "variation": _variation,
}
_EVENTS: Final[dict[str, Callable[[Fields, int], Event]]] = {
    "play": _play,
    "draw": lambda fields, t: Draw(t, _by(fields), shape.card(fields.need("card"))),
    "discard": lambda fields, t: Discard(t, _by(fields), shape.card(fields.need("card"))),
    "tie": _tie,
    "late": lambda fields, t: Late(t, *_try(fields)),
    "miss": lambda fields, t: Miss(t, *_try(fields)),
    "out": lambda fields, t: Out(t, _by(fields)),
    "end": _end,
}
