"""What a member may say: frames parsed strictly into values (docs/reference/reviews.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from games.engine.events import MAX_EVENTS, MAX_ROUNDS
from games.live.wire.parsing import (
    MAX_CHAT,
    MAX_NUMBER,
    Chat,
    Got,
    Ping,
    Report,
    asked,
    chat,
    decoded,
    ping,
    report,
)
from games.records import shape
from games.records.log import MAX_LISTED
from games.records.shape import Fields
from games.records.strict import Malformed
from replays.reviews.room import (
    Change,
    Dismiss,
    DrawMarks,
    Finish,
    Hand,
    LeaderPlace,
    Lower,
    Move,
    Mute,
    Noted,
    Pass,
    ReviewPosition,
    Suggest,
    TakeLead,
)

MAX_T: Final = 10**9
MAX_MEMBER: Final = 100_000
MAX_CHAPTER: Final = 65_535
SPEEDS: Final = (10, 800)
VIEWS: Final = ("all", "spectator", "0", "1", "2", "3", "4")
_MAX_ID: Final = 36


class Enter(NamedTuple):
    """The first frame."""

    version: int


class Detach(NamedTuple):
    """The sender looks around, or follows again."""

    detached: bool


Frame = Enter | Change | Detach | Chat | Report | Got | Ping


def parse(raw: str | bytes | None) -> Frame:
    """Parse one frame as received. Raises BadFrameError."""
    return decoded(raw, _READ)


def _position(fields: Fields) -> ReviewPosition:
    line, chapter = fields.get("line"), fields.get("chapter")
    return ReviewPosition(
        shape.whole(fields.need("round"), "round", 1, MAX_ROUNDS),
        shape.whole(fields.need("event"), "event", 0, MAX_EVENTS),
        "" if line is None else shape.identifier(line, "line"),
        0 if chapter is None else shape.whole(chapter, "chapter", 0, MAX_CHAPTER),
    )


def _id(fields: Fields) -> str:
    return shape.text(shape.identifier(fields.need("id")), "id", _MAX_ID)


def _move(fields: Fields) -> Move:
    return Move(
        LeaderPlace(
            _position(fields),
            shape.whole(fields.need("t"), "t", 0, MAX_T),
            asked(fields, "playing"),
            asked(fields, "following"),
            asked(fields, "smart"),
            shape.whole(fields.need("speed"), "speed", *SPEEDS),
            shape.one_of(fields.need("view"), "view", VIEWS),
            _id(fields),
        )
    )


def _marks(fields: Fields) -> tuple[str, ...]:
    return tuple(map(shape.mark, _some(fields, "marks")))


def _arrows(fields: Fields) -> tuple[str, ...]:
    return tuple(map(shape.arrow, _some(fields, "arrows")))


def _some(fields: Fields, name: str) -> list[Any]:
    """An optional list, not too long, of different things."""
    value = fields.get(name)
    listed = [] if value is None else shape.listed(value, name)
    if len(listed) > MAX_LISTED:
        raise Malformed(
            "{name}: expected at most {most}, found {found}",
            name=name,
            most=MAX_LISTED,
            found=len(listed),
        )
    return listed


def _suggest(fields: Fields) -> Suggest:
    text = fields.get("text")
    said = "" if text is None else shape.one_line(text, "text", MAX_CHAT)
    return Suggest(_id(fields), _position(fields), _marks(fields), _arrows(fields), said)


def _mute(fields: Fields) -> Mute:
    member = shape.whole(fields.need("n"), "n", 1, MAX_MEMBER)
    return Mute(member, shape.flag(fields.need("muted"), "muted"))


_READ: Final[dict[str, Callable[[Fields], Frame]]] = {
    "hello": lambda fields: Enter(shape.whole(fields.need("v"), "v", 0, MAX_NUMBER)),
    "move": _move,
    "draw": lambda fields: DrawMarks(_position(fields), _marks(fields), _arrows(fields)),
    "suggest": _suggest,
    "dismiss": lambda fields: Dismiss(shape.whole(fields.need("n"), "n", 1, MAX_NUMBER)),
    "hand": lambda fields: Hand(shape.flag(fields.need("raised"), "raised"), asked(fields, "lead")),
    "lower": lambda fields: Lower(shape.whole(fields.need("n"), "n", 1, MAX_MEMBER)),
    "detach": lambda fields: Detach(shape.flag(fields.need("detached"), "detached")),
    "pass": lambda fields: Pass(shape.whole(fields.need("to"), "to", 1, MAX_MEMBER)),
    "mute": _mute,
    "lead": lambda fields: TakeLead(),
    "finish": lambda fields: Finish(),
    "noted": lambda fields: Noted(shape.identifier(fields.need("key"), "key")),
    "chat": chat,
    "report": report,
    "got": lambda fields: Got(shape.whole(fields.need("seq"), "seq", 0, MAX_NUMBER)),
    "ping": ping,
}
