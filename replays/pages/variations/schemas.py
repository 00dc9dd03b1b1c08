"""What a what-if asks for: where to start, what is played by hand, whether bots play on."""

from itertools import pairwise
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from games.engine.actions import Action, DiscardOne, DrawOne, Shout, Try
from games.engine.events import MAX_ROUNDS, MAX_T
from games.pages.operations import RequestBody
from games.records.log import MAX_DEPTH, Variation
from games.records.parsing import line_from
from games.records.strict import Malformed
from replays.studies.questions import CardCode, SeatNumber
from replays.variations.lines import Place

MAX_BODY: Final = 2**20
MAX_PLAYS: Final = 200
"""Manual actions per request."""
MAX_BOTS_MS: Final = 600_000
"""How long bots may play on, in ms of the round."""
_MAX_INTEGER: Final = 2**31


Time = Annotated[int, Field(ge=0, le=MAX_T)]
Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


class _Play(RequestBody):
    t: Time
    seat: SeatNumber


class PlayCard(_Play):
    """A card onto a stack. `as`: a wild as that number."""

    do: Literal["play"]
    card: CardCode
    stack: SeatNumber
    as_: Annotated[int, Field(ge=1, le=4)] | None = Field(None, alias="as")

    def action(self) -> Action:
        return Try(self.seat, self.card, self.stack, self.as_)


class PlayDraw(_Play):
    """A card from the draw pile."""

    do: Literal["draw"]

    def action(self) -> Action:
        return DrawOne(self.seat)


class PlayDiscard(_Play):
    """A card onto the discard pile."""

    do: Literal["discard"]
    card: CardCode

    def action(self) -> Action:
        return DiscardOne(self.seat, self.card)


class PlayOut(_Play):
    """OUT."""

    do: Literal["out"]

    def action(self) -> Action:
        return Shout(self.seat)


PlayByHand = Annotated[PlayCard | PlayDraw | PlayDiscard | PlayOut, Field(discriminator="do")]


class Bots(RequestBody):
    """How long bots are to play, in these seats. null: in all of them."""

    ms: Annotated[int, Field(ge=0, le=MAX_BOTS_MS)] = MAX_BOTS_MS
    seed: Annotated[int, Field(ge=0, le=_MAX_INTEGER)] = 0
    seats: list[SeatNumber] | None = None


class AskedBranch(RequestBody):
    """`variations` are those along `line`, as in a record, each after the one it branches from."""

    round: Annotated[int, Field(ge=1, le=MAX_ROUNDS)]
    event: Annotated[int, Field(ge=0, le=_MAX_INTEGER)]
    line: Id | None = None
    variations: Annotated[list[dict[str, Any]], Field(max_length=MAX_DEPTH)] = []
    play: Annotated[list[PlayByHand], Field(max_length=MAX_PLAYS)] = []
    bots: Bots | None = None
    id: Id | None = None

    @property
    def place(self) -> Place:
        """Where to start."""
        return Place(self.round, self.event, self.line)


def variation_of(said: dict[str, Any]) -> Variation:
    """A variation as in a record. Raises Malformed."""
    variation = line_from({"variation": said})
    assert isinstance(variation, Variation)
    if variation.id is None:
        raise Malformed("variations: expected an id on each")
    return variation


def verify_order(play: list[PlayByHand]) -> None:
    """Raise Malformed unless the plays are in the order of their times."""
    for before, after in pairwise(play):
        if after.t < before.t:
            raise Malformed(
                "play: t must not fall: expected at least {least}, found {found}",
                least=before.t,
                found=after.t,
            )
