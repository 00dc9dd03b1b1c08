"""The hello of whoever follows or plays a match."""

from __future__ import annotations

from games.live.fanout.close_codes import HELLO_EXPECTED, VERSION, WRONG_VERSION
from games.live.host.clock import Clock
from games.live.host.rate_limits import FrameLimits
from games.live.host.requests import Hello
from games.live.wire.entrance import Receive, RejectedError, Send, first_frame
from games.live.wire.parsing import parse


async def hello_of(receive: Receive, send: Send, clock: Clock, limits: FrameLimits) -> Hello:
    """The first frame that is not a forgiven fault. Raises RejectedError, Disconnected."""
    frame = await first_frame(receive, send, clock, limits, parse)
    if not isinstance(frame, Hello):
        raise RejectedError(HELLO_EXPECTED)
    if frame.version != VERSION:
        raise RejectedError(WRONG_VERSION)
    return frame
