"""The frames that members of a review send (docs/reference/reviews.md), read strictly.

Those of a position are flat, and become changes of `replays.reviews.room`. The others are frames as
they are.
"""

from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, TypeAdapter

from games.engine.events import MAX_EVENTS
from games.live.host.client_frames import (
    Chat,
    ChatText,
    Count,
    Flag,
    Identifier,
    Ping,
    Report,
    RoundNumber,
    Version,
    client_frame,
    read,
)
from games.records import shape
from games.records.log import MAX_LISTED
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

EventCount = Annotated[int, Field(strict=True, ge=0, le=MAX_EVENTS)]
LineKey = Annotated[str, Field(pattern="^[A-Za-z0-9_-]{1,64}$")]
ChapterNumber = Annotated[
    int,
    Field(
        strict=True,
        ge=0,
        le=65_535,
        description="The number of a chapter, in a review of a study; otherwise 0.",
    ),
]
Speed = Annotated[int, Field(strict=True, ge=10, le=800, description="In per cent.")]
View = Literal["all", "spectator", "0", "1", "2", "3", "4"]
Marks = Annotated[
    tuple[Annotated[str, AfterValidator(shape.mark)], ...],
    Field(max_length=MAX_LISTED),
]
Arrows = Annotated[
    tuple[Annotated[str, AfterValidator(shape.arrow)], ...],
    Field(max_length=MAX_LISTED),
]


@client_frame
class Enter:
    """The first frame to a review."""

    version: Annotated[Version, Field(alias="v")]
    type: Literal["hello"] = "hello"


@client_frame(kw_only=True)
class _AtPosition:
    round: RoundNumber
    event: EventCount
    line: LineKey = ""
    chapter: ChapterNumber = 0

    @property
    def _position(self) -> ReviewPosition:
        return ReviewPosition(self.round, self.event, self.line, self.chapter)

    def change(self) -> Change:
        raise NotImplementedError


@client_frame
class MoveFrame(_AtPosition):
    """Where the leader is, and how the leader's clock runs."""

    id: Identifier
    t: Count
    speed: Speed
    view: View
    playing: Flag = False
    following: Flag = False
    smart: Flag = False
    type: Literal["move"] = "move"

    def change(self) -> Change:
        return Move(
            LeaderPlace(
                self._position,
                self.t,
                self.playing,
                self.following,
                self.smart,
                self.speed,
                self.view,
                self.id,
            )
        )


@client_frame
class DrawFrame(_AtPosition):
    """Replaces what is drawn for everybody at a position."""

    marks: Marks = ()
    arrows: Arrows = ()
    type: Literal["draw"] = "draw"

    def change(self) -> Change:
        return DrawMarks(self._position, self.marks, self.arrows)


@client_frame
class SuggestFrame(_AtPosition):
    """Suggests a position to the leader."""

    id: Identifier
    marks: Marks = ()
    arrows: Arrows = ()
    text: ChatText = ""
    type: Literal["suggest"] = "suggest"

    def change(self) -> Change:
        return Suggest(self.id, self._position, self.marks, self.arrows, self.text)


@client_frame
class Detach:
    """The sender looks around, or follows again."""

    detached: Flag
    type: Literal["detach"] = "detach"


@client_frame
class GotReview:
    """All versions below seq are shown."""

    seq: Count
    type: Literal["got"] = "got"


_Sent = (
    Enter
    | MoveFrame
    | DrawFrame
    | SuggestFrame
    | Dismiss
    | Hand
    | Lower
    | Detach
    | Pass
    | Mute
    | TakeLead
    | Finish
    | Noted
    | Chat
    | Report
    | GotReview
    | Ping
)
REVIEW_FRAMES: Final[TypeAdapter[_Sent]] = TypeAdapter(
    Annotated[_Sent, Field(discriminator="type")]
)
Frame = Enter | Change | Detach | Chat | Report | GotReview | Ping


def parse(raw: str | bytes | None) -> Frame:
    """Parse one frame as received. Raises BadFrameError."""
    frame = read(raw, REVIEW_FRAMES)
    return frame.change() if isinstance(frame, _AtPosition) else frame
