"""The server's frames as text (docs/reference/protocol.md). All output passes through here.

A `View` is who is looking: a seat, `SPECTATOR`, or `OPEN` for a spectator who is shown open
hands with a delay. Lines are written through `games.engine.perspective`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, NamedTuple, NotRequired, TypedDict

from games.engine.events import Deal
from games.engine.perspective import see_deal
from games.live.fanout.close_codes import RETRY_MS, VERSION, Close
from games.live.host.requests import Ruling
from games.records.digests import prefix_hex, see_line
from games.records.log import Line
from games.records.notation import write_line
from games.tables.plan import Plan, PlannedSeat
from games.tables.state import MatchState

View = int
SPECTATOR: Final = -1
OPEN: Final = -2

_encode: Final = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, separators=(",", ":")
).encode


def line_text(line: Line, view: View) -> str:
    """A line of the log as that viewer may see it, in canonical form."""
    return write_line(_see(line, view))


def _see(line: Line, view: View) -> Line:
    if view != OPEN:
        return see_line(line, _viewer(view))
    return _open_deal(line) if isinstance(line, Deal) else line


def _viewer(view: View) -> int | None:
    return None if view < 0 else view


def _open_deal(deal: Deal) -> Deal:
    """What all seats together can see: every first hand, but no draw pile's order."""
    decks = (see_deal(deal, seat).decks[seat] for seat in range(len(deal.decks)))
    return see_deal(deal, None)._replace(decks=tuple(decks))


class Covers(NamedTuple):
    """The log up to the line with seq `last`, and its digest there."""

    last: int
    digest: bytes

    def json(self) -> dict[str, Any]:
        return {"last": self.last, "digest": prefix_hex(self.digest)}


def lines(
    seq: int,
    number: int,
    now: int,
    texts: Sequence[str],
    *,
    covers: Covers | None = None,
    before: bytes = b"",
) -> str:
    """Lines of the log, the first with this seq. `number` is the round of the last one.

    `before`: the digest before them, where they begin with a deal.
    """
    digest = f'"last":{covers.last},"digest":"{prefix_hex(covers.digest)}",' if covers else ""
    anchor = f'"before":"{before.hex()}",' if before else ""
    body = ",".join(texts)
    place = f'"seq":{seq},"round":{number},"now":{now}'
    return f'{{"type":"lines",{place},{anchor}{digest}"lines":[{body}]}}'


def welcome(
    plan: Plan, epoch: int, view: View, place: Mapping[str, int], window: int, *, chat: bool
) -> str:
    """The answer to a hello. `place`: seq, round and now. `chat`: whether there is one.

    A player's `got` after each frame tells the lag. Nobody needs a spectator's that often, and
    reading one costs as much as sending a frame.
    """
    seat = _viewer(view)
    return _encode(
        {
            "type": "welcome",
            "v": VERSION,
            "match": match_of(plan),
            "epoch": epoch,
            "seat": seat,
            "open": view == OPEN,
            "delay_ms": plan.open_delay_ms if view == OPEN else 0,
            **place,
            "window": window,
            "got_every": window // 2 if seat is None else 1,
            "chat": chat,
        }
    )


class WelcomeSeat(TypedDict):
    """A seat before the first deal. The name and kind are null while it is free."""

    name: str | None
    kind: str | None
    beginner: NotRequired[bool]


class MatchJson(TypedDict):
    """The public data of a match before its first deal. `rules`: every rule in force."""

    id: str
    edition: str
    rules: dict[str, Any]
    seats: list[WelcomeSeat]


def match_of(plan: Plan) -> MatchJson:
    seats = [_seat(place) for place in plan.places]
    return {"id": plan.id, "edition": plan.edition, "rules": asdict(plan.rules), "seats": seats}


def _seat(place: PlannedSeat) -> WelcomeSeat:
    seat: WelcomeSeat = {"name": place.name or None, "kind": place.shown_kind or None}
    if place.beginner:
        seat["beginner"] = True
    return seat


def state(value: MatchState) -> str:
    """Everything besides the lines."""
    return _encode({"type": "state", **value})


def resync(seq: int, number: int) -> str:
    """The next line is `seq`, and it is a deal, whatever came before."""
    return _encode({"type": "resync", "seq": seq, "round": number, "reason": "behind"})


def answer(name: str, result: Ruling, covers: Covers | None = None) -> str:
    """The outcome of an action. `covers`: how far the log is known, None in a ghost race."""
    digest = covers.json() if covers else {}
    if isinstance(result, int):
        return _encode({"type": "ack", "id": name, "seq": result, **digest})
    return _encode({"type": "refused", "id": name, **result._asdict(), **digest})


def error(code: str, message: str) -> str:
    """A frame was not understood, or refused."""
    return _encode({"type": "error", "code": code, "message": message})


def chats(written: Sequence[Any], gone: Sequence[int]) -> str:
    """Lines of the chat (`games.chat.values.PostedLine`). `gone`: removed ones."""
    items = [
        {
            "n": line.n,
            "by": line.by,
            "account": line.account is not None,
            "text": line.text,
            "at": line.at,
        }
        for line in written
    ]
    return _encode({"type": "chats", "lines": items, "gone": list(gone)})


def reported(n: int) -> str:
    return _encode({"type": "reported", "n": n})


def pong(n: int, now: int) -> str:
    return _encode({"type": "pong", "n": n, "now": now})


def bye(close: Close) -> str:
    """Sent just before a close."""
    retry = RETRY_MS.get(close.code)
    elsewhere = {"pieces": close.pieces} if close.pieces else {}
    said = {"code": close.code, "reason": close.reason, "retry_ms": retry, **elsewhere}
    return _encode({"type": "bye", **said})
