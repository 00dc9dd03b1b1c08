"""A what-if request, parsed from its body as strictly as a record.

    {"round": 1, "event": 41, "line": "v", "variations": [{"id": "v", …}],
     "play": [{"t": 34100, "seat": 0, "do": "play", "card": "A5a", "stack": 1}],
     "bots": {"ms": 5000, "seed": 1, "seats": [1, 2]}, "id": "w"}

Only `round` and `event` are required. `variations` are those along `line`, as in a record, each
after the one that it branches from.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final, NamedTuple

from games.engine.actions import Action, DiscardOne, DrawOne, Shout, Try
from games.engine.events import MAX_T
from games.records import shape
from games.records.log import MAX_DEPTH, MAX_ROUNDS, Variation
from games.records.parsing import line_from
from games.records.shape import Fields
from games.records.strict import Malformed, decode
from replays.variations.lines import Place

MAX_BODY: Final = 2**20
MAX_PLAYS: Final = 200
"""Manual actions per request."""
MAX_BOTS_MS: Final = 600_000
"""How long bots may play on, in ms of the round."""
_MAX_EVENT: Final = 2**31
_MAX_SEED: Final = 2**31
_LAST_SEAT: Final = 4
_DONE: Final = ("play", "draw", "discard", "out")


class Bots(NamedTuple):
    """How long bots are to play, in these seats; None: in all of them."""

    ms: int
    seed: int
    seats: tuple[int, ...] | None


class AskedBranch(NamedTuple):
    """Where to start, along which variations, what is played by hand, and whether bots play on."""

    place: Place
    variations: tuple[Variation, ...]
    play: tuple[tuple[int, Action], ...]
    bots: Bots | None
    id: str | None


def asked_branch(body: bytes) -> AskedBranch:
    """Parse a request's body. Raises Malformed with what was expected and what was found."""
    fields = Fields(decode(body), "request")
    line, name, bots = fields.get("line"), fields.get("id"), fields.get("bots")
    asked = AskedBranch(
        Place(
            shape.whole(fields.need("round"), "round", 1, MAX_ROUNDS),
            shape.whole(fields.need("event"), "event", 0, _MAX_EVENT),
            None if line is None else shape.identifier(line, "line"),
        ),
        tuple(map(_variation, _some(fields.get("variations"), "variations", MAX_DEPTH))),
        tuple(map(_action, _some(fields.get("play"), "play", MAX_PLAYS))),
        None if bots is None else _bots(bots),
        None if name is None else shape.identifier(name),
    )
    fields.done()
    _verify_order(asked.play)
    return asked


def _some(value: Any, name: str, most: int) -> list[Any]:
    found = [] if value is None else shape.listed(value, name)
    if len(found) > most:
        raise Malformed(f"{name}: expected at most {most}, found {len(found)}")
    return found


def _variation(value: Any) -> Variation:
    variation = line_from({"variation": value})
    assert isinstance(variation, Variation)
    if variation.id is None:
        raise Malformed("variations: expected an id on each")
    return variation


def _action(value: Any) -> tuple[int, Action]:
    fields = Fields(value, "play")
    t = shape.whole(fields.need("t"), "t", 0, MAX_T)
    action = _done(fields, shape.one_of(fields.need("do"), "do", _DONE))
    fields.done()
    return t, action


def _done(fields: Fields, kind: str) -> Action:
    seat = shape.whole(fields.need("seat"), "seat", 0, _LAST_SEAT)
    if kind == "draw":
        return DrawOne(seat)
    if kind == "out":
        return Shout(seat)
    card = shape.card(fields.need("card"))
    if kind == "discard":
        return DiscardOne(seat, card)
    slot = shape.whole(fields.need("stack"), "stack", 0, _LAST_SEAT)
    return Try(seat, card, slot, shape.optional_whole(fields.get("as"), "as", 1, 4))


def _verify_order(play: tuple[tuple[int, Action], ...]) -> None:
    for (before, _), (t, _) in pairwise(play):
        if t < before:
            raise Malformed(f"play: t must not fall: expected at least {before}, found {t}")


def _bots(value: Any) -> Bots:
    fields = Fields(value, "bots")
    ms = shape.optional_whole(fields.get("ms"), "ms", 0, MAX_BOTS_MS)
    seed = shape.optional_whole(fields.get("seed"), "seed", 0, _MAX_SEED)
    seats = fields.get("seats")
    found = Bots(
        MAX_BOTS_MS if ms is None else ms,
        seed or 0,
        None if seats is None else shape.wholes(seats, "seats", 0, _LAST_SEAT),
    )
    fields.done()
    return found
