"""The frames that clients of a match send (docs/reference/protocol.md), read strictly.

Each frame is one class. `docs/reference/asyncapi.yaml` has their JSON schemas, and their docstrings
as summaries (`deploy.client_frames`). Nothing here knows a match, a seat or the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Final, Literal, TypeVar, dataclass_transform, get_args

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    WithJsonSchema,
    model_validator,
)
from pydantic.dataclasses import dataclass

from games.engine.actions import Action, DiscardOne, DrawOne, Shout, Try
from games.engine.cards import Card
from games.engine.dealing import COMMIT_BYTES, MAX_SALT_BYTES
from games.engine.events import MAX_ROUNDS
from games.engine.message import WordedError
from games.records import shape
from games.records.log import MAX_SEQ
from games.records.strict import Malformed, decode

MAX_BYTES: Final = 2_048
MAX_DEPTH: Final = 3
MAX_NUMBER: Final = 1_000_000_000
MAX_CHAT: Final = 200
"""The most characters in a line of chat."""
_MAX_MESSAGE: Final = 200

T = TypeVar("T")


class BadFrameError(WordedError):
    """A frame outside the protocol. The message may be sent to the client."""


@dataclass_transform(frozen_default=True)
def client_frame(
    kind: type[T] | None = None,
    /,
    *,
    kw_only: bool = False,
    schema: Mapping[str, Any] | None = None,
) -> Any:
    """A frame's class: immutable, without other fields. `schema`: what its JSON schema has more."""
    if kind is None:
        return partial(client_frame, kw_only=kw_only, schema=schema)
    config = ConfigDict(extra="forbid", validate_by_name=True, json_schema_extra=dict(schema or {}))
    return dataclass(kind, frozen=True, kw_only=kw_only, config=config)


# --- Fields -------------------------------------------------------------------------------

Flag = Annotated[bool, Field(strict=True)]
Count = Annotated[int, Field(strict=True, ge=0, le=MAX_NUMBER)]
Number = Annotated[int, Field(strict=True, ge=1, le=MAX_NUMBER)]
Version = Annotated[Count, WithJsonSchema({"const": 1})]
"""Any is read, since a client of another version learns that it is one."""
Seq = Annotated[int, Field(strict=True, ge=0, le=MAX_SEQ)]
RoundNumber = Annotated[int, Field(strict=True, ge=1, le=MAX_ROUNDS)]
Identifier = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,36}$")]
ChatText = Annotated[
    str,
    Field(min_length=1, max_length=MAX_CHAT),
    AfterValidator(lambda text: shape.one_line(text, "text", MAX_CHAT)),
]
Key = Annotated[str, Field(max_length=64)]
SaltText = Annotated[str, Field(pattern=rf"^([0-9a-f]{{2}}){{0,{MAX_SALT_BYTES}}}$")]
Commitment = Annotated[str, Field(pattern=rf"^[0-9a-f]{{{2 * COMMIT_BYTES}}}$")]
HandCard = Annotated[
    Card,
    AfterValidator(shape.card),
    WithJsonSchema({"type": "string", "pattern": "^[A-E][1-5R][a-z]$"}),
]
Slot = Annotated[int, Field(strict=True, ge=0, le=4)]
WildNumber = Annotated[int, Field(strict=True, ge=1, le=4)]
Phrase = Literal["good-luck", "well-played", "ouch", "one-moment", "again"]
PHRASES: Final[tuple[str, ...]] = get_args(Phrase)


# --- Frames -------------------------------------------------------------------------------


@client_frame
class Hello:
    """The first frame: what the client already has, and which view it asks for."""

    version: Annotated[Version, Field(alias="v")]
    epoch: Count | None = None
    seq: Seq | None = None
    open: Flag = False
    key: Key = ""
    named: Flag = False
    """Whether others may see the spectator's name."""
    chat: Flag = False
    """Whether the spectator wants the chat."""
    token: Annotated[str, Field(max_length=128)] = ""
    """A program's, where it can set no headers."""
    viewer: Key = ""
    """A browser's own, the same in all its tabs: they count as one spectator."""
    pieces: Flag = False
    """Whether the spectator can follow by pieces where there are too many sockets."""
    type: Literal["hello"] = "hello"


@client_frame
class Act:
    """Requests an action. The id is the client's own. A retry has the same one."""

    id: Identifier
    round: RoundNumber

    def action(self, seat: int) -> Action:
        raise NotImplementedError


@client_frame
class PlayAct(Act):
    """Plays a card on a stack."""

    card: HandCard
    stack: Slot
    number: Annotated[WildNumber | None, Field(alias="as")] = None
    seen: Seq | None = None
    type: Literal["act"] = "act"
    do: Literal["play"] = "play"

    def action(self, seat: int) -> Action:
        return Try(seat, self.card, self.stack, self.number, self.seen)


@client_frame
class DrawAct(Act):
    """Draws a card."""

    type: Literal["act"] = "act"
    do: Literal["draw"] = "draw"

    def action(self, seat: int) -> Action:
        return DrawOne(seat)


@client_frame
class DiscardAct(Act):
    """Discards a card."""

    card: HandCard
    type: Literal["act"] = "act"
    do: Literal["discard"] = "discard"

    def action(self, seat: int) -> Action:
        return DiscardOne(seat, self.card)


@client_frame
class OutAct(Act):
    """Shouts OUT."""

    type: Literal["act"] = "act"
    do: Literal["out"] = "out"

    def action(self, seat: int) -> Action:
        return Shout(seat)


@client_frame
class Got:
    """All lines below seq are shown."""

    seq: Seq
    type: Literal["got"] = "got"


@client_frame(schema={"dependentRequired": {"commit": ["salt"]}})
class Ready:
    """Ready for the round, or no longer ready. Perhaps with a salt."""

    ready: Flag
    salt: SaltText | None = None
    commit: Commitment | None = None
    type: Literal["ready"] = "ready"

    @model_validator(mode="after")
    def _commit_with_salt(self) -> Ready:
        if self.salt is None and self.commit is not None:
            raise Malformed("commit: expected a salt with it")
        return self


@client_frame
class Salt:
    """The seat's salt for the next deal, in place of the last one.

    It counts if a commitment has been published, and is the one that it names, if it names one.
    """

    salt: SaltText
    commit: Commitment | None = None
    type: Literal["salt"] = "salt"


@client_frame
class Vote:
    """A vote to abandon the match, for a rematch, or to start without players who are missing."""

    subject: Annotated[Literal["abandon", "rematch", "start"], Field(alias="for")]
    yes: Flag
    type: Literal["vote"] = "vote"


@client_frame
class Leave:
    """Leaves the seat; a bot takes over."""

    type: Literal["leave"] = "leave"


@client_frame
class Back:
    """The player is there; a bot that played on for an idle one stops."""

    type: Literal["back"] = "back"


@client_frame
class Say:
    """One of a player's fixed phrases."""

    phrase: Phrase
    type: Literal["say"] = "say"


@client_frame
class Chat:
    """A chat message to the other spectators."""

    text: ChatText
    type: Literal["chat"] = "chat"


@client_frame
class Report:
    """Reports a chat message to the moderators."""

    n: Number
    type: Literal["report"] = "report"


@client_frame
class Ping:
    """Requests a pong."""

    n: Count
    type: Literal["ping"] = "ping"


Command = Ready | Salt | Vote | Leave | Say | Back
AnyAct = Annotated[
    PlayAct | DrawAct | DiscardAct | OutAct, Field(discriminator="do", description=Act.__doc__)
]
Frame = Hello | AnyAct | Got | Command | Chat | Report | Ping
FRAMES: Final[TypeAdapter[Frame]] = TypeAdapter(Annotated[Frame, Field(discriminator="type")])


# --- Reading ------------------------------------------------------------------------------


def parse(raw: str | bytes | None) -> Frame:
    """Parse one frame as received. Raises BadFrameError."""
    return read(raw, FRAMES)


def read(raw: str | bytes | None, frames: TypeAdapter[T]) -> T:
    """The frame in a text, within the limits. Raises BadFrameError."""
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
        value = decode(data)
        _refuse_nulls(value)
        return frames.validate_python(value, by_alias=True, by_name=False)
    except Malformed as fault:
        raise BadFrameError(str(fault)[:_MAX_MESSAGE]) from None
    except ValidationError as fault:
        raise BadFrameError(_first_fault(fault)[:_MAX_MESSAGE]) from None


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


def _refuse_nulls(value: Any) -> None:
    """An optional field may be absent, never null."""
    if isinstance(value, dict):
        for key, item in value.items():
            if item is None:
                raise Malformed("{key} must not be null", key=key)


def _first_fault(error: ValidationError) -> str:
    """As `got.seq: Input should be greater than or equal to 0`."""
    fault = error.errors(include_url=False, include_input=False)[0]
    if "error" in fault.get("ctx", {}):
        return str(fault["ctx"]["error"])
    return ": ".join(filter(None, (".".join(map(str, fault["loc"])), fault["msg"])))
