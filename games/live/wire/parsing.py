"""A client's frames, parsed strictly into values (docs/reference/protocol.md).

Parsing is all or nothing: a frame becomes one of the values below, or `BadFrameError` names the
expected and the found value. Nothing here knows a match, a seat or the rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeVar

from games.engine.actions import Action, DiscardOne, DrawOne, Shout, Try
from games.engine.dealing import COMMIT_BYTES, MAX_SALT_BYTES
from games.engine.events import MAX_ROUNDS
from games.engine.message import WordedError
from games.live.host.requests import PHRASES, Back, Hello, Leave, Ready, Salt, Say, Vote
from games.records import shape
from games.records.log import MAX_SEQ
from games.records.shape import Fields
from games.records.strict import Malformed, decode, show

MAX_BYTES: Final = 2_048
MAX_DEPTH: Final = 3
MAX_NUMBER: Final = 1_000_000_000
MAX_CHAT: Final = 200
"""The most characters in a line of chat."""
VOTES: Final = ("abandon", "rematch", "start")
_MAX_KEY: Final = 64
_MAX_TOKEN: Final = 128
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,36}")
_MAX_SEAT: Final = 4


class BadFrameError(WordedError):
    """A frame outside the protocol. The message may be sent to the client."""


class Act(NamedTuple):
    """A requested action. Its seat is -1, since only the server knows the client's seat."""

    id: str
    round: int
    action: Action


class Got(NamedTuple):
    """All lines below `seq` have been shown."""

    seq: int


class Chat(NamedTuple):
    """A line for the other spectators."""

    text: str


class Report(NamedTuple):
    n: int


class Ping(NamedTuple):
    n: int


T = TypeVar("T")
Frame = Hello | Act | Got | Ready | Salt | Vote | Leave | Say | Back | Chat | Report | Ping


def parse(raw: str | bytes | None) -> Frame:
    """Parse one frame as received. Raises BadFrameError."""
    return decoded(raw, _READ)


def decoded(raw: str | bytes | None, readers: Mapping[str, Callable[[Fields], T]]) -> T:
    """A frame, within the limits, as the reader for its `type` reads it. Raises BadFrameError."""
    if not isinstance(raw, str):
        raise BadFrameError("expected a text frame, found a binary one")
    try:
        data = raw.encode()
    except UnicodeEncodeError:
        raise BadFrameError("expected UTF-8, found a lone surrogate") from None
    if len(data) > MAX_BYTES:
        raise BadFrameError(
            "frame too long: {count} bytes, expected at most {most}",
            count=len(data),
            most=MAX_BYTES,
        )
    _check_depth(raw)
    try:
        return _by_type(decode(data), readers)
    except Malformed as fault:
        raise BadFrameError(str(fault)[:200]) from None


def _check_depth(text: str) -> None:
    """Refuse deep nesting before anything recurses. Brackets in strings count too."""
    depth = 0
    for character in text:
        if character in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise BadFrameError(
                    "nested too deeply: expected at most {most} levels", most=MAX_DEPTH
                )
        elif character in "]}":
            depth -= 1


def _by_type(value: Any, readers: Mapping[str, Callable[[Fields], T]]) -> T:
    fields = Fields(value, "frame")
    kind = fields.need("type")
    read = readers.get(kind) if type(kind) is str else None
    if read is None:
        raise Malformed(
            "frame: type must be one of {values}, found {found}",
            values=", ".join(readers),
            found=show(kind),
        )
    fields.name = str(kind)
    frame = read(fields)
    fields.done()
    return frame


def _hello(fields: Fields) -> Hello:
    epoch, seq, key, token, viewer = map(fields.get, ("epoch", "seq", "key", "token", "viewer"))
    return Hello(
        shape.whole(fields.need("v"), "v", 0, MAX_NUMBER),
        shape.optional_whole(epoch, "epoch", 0, MAX_NUMBER),
        shape.optional_whole(seq, "seq", 0, MAX_SEQ),
        asked(fields, "open"),
        "" if key is None else shape.text(key, "key", _MAX_KEY),
        asked(fields, "named"),
        asked(fields, "chat"),
        "" if token is None else shape.text(token, "token", _MAX_TOKEN),
        "" if viewer is None else shape.text(viewer, "viewer", _MAX_KEY),
    )


def asked(fields: Fields, name: str) -> bool:
    value = fields.get(name)
    return value is not None and shape.flag(value, name)


def _act(fields: Fields) -> Act:
    name = fields.need("id")
    if type(name) is not str or not _ID.fullmatch(name):
        raise Malformed("id: expected 1 to 36 of A-Z a-z 0-9 _ -, found {found}", found=show(name))
    number = shape.whole(fields.need("round"), "round", 1, MAX_ROUNDS)
    do = shape.one_of(fields.need("do"), "do", tuple(_DO))
    return Act(name, number, _DO[do](fields))


def _play(fields: Fields) -> Action:
    card = shape.card(fields.need("card"))
    slot = shape.whole(fields.need("stack"), "stack", 0, _MAX_SEAT)
    number = shape.optional_whole(fields.get("as"), "as", 1, 4)
    return Try(-1, card, slot, number, shape.optional_whole(fields.get("seen"), "seen", 0, MAX_SEQ))


def _ready(fields: Fields) -> Ready:
    ready, salt = shape.flag(fields.need("ready"), "ready"), fields.get("salt")
    return Ready(ready) if salt is None else Ready(ready, *_salted(salt, fields))


def _salted(salt: Any, fields: Fields) -> tuple[str, str | None]:
    """A salt, and the commitment that it is for, if that is said."""
    checked, commit = shape.hexadecimal(salt, "salt", 0, MAX_SALT_BYTES), fields.get("commit")
    if commit is None:
        return checked, None
    return checked, shape.hexadecimal(commit, "commit", COMMIT_BYTES, COMMIT_BYTES)


def _vote(fields: Fields) -> Vote:
    subject = shape.one_of(fields.need("for"), "for", VOTES)
    return Vote(subject, shape.flag(fields.need("yes"), "yes"))


def chat(fields: Fields) -> Chat:
    return Chat(shape.one_line(fields.need("text"), "text", MAX_CHAT))


def report(fields: Fields) -> Report:
    return Report(shape.whole(fields.need("n"), "n", 1, MAX_NUMBER))


def ping(fields: Fields) -> Ping:
    return Ping(shape.whole(fields.need("n"), "n", 0, MAX_NUMBER))


_READ: Final[dict[str, Callable[[Fields], Frame]]] = {
    "hello": _hello,
    "act": _act,
    "got": lambda fields: Got(shape.whole(fields.need("seq"), "seq", 0, MAX_SEQ)),
    "ready": _ready,
    "salt": lambda fields: Salt(*_salted(fields.need("salt"), fields)),
    "vote": _vote,
    "leave": lambda fields: Leave(),
    "back": lambda fields: Back(),
    "say": lambda fields: Say(shape.one_of(fields.need("phrase"), "phrase", PHRASES)),
    "chat": chat,
    "report": report,
    "ping": ping,
}
_DO: Final[dict[str, Callable[[Fields], Action]]] = {
    "play": _play,
    "draw": lambda fields: DrawOne(-1),
    "discard": lambda fields: DiscardOne(-1, shape.card(fields.need("card"))),
    "out": lambda fields: Shout(-1),
}
