"""The beginning of a connection: its hello, or why it is refused."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

from games.live.fanout import frames
from games.live.fanout.close_codes import BAD_FRAMES, HELLO_EXPECTED, VERSION, WRONG_VERSION, Close
from games.live.host.clock import Clock
from games.live.host.rate_limits import FrameLimits
from games.live.host.requests import Hello
from games.live.wire.conversation import Disconnected, Receive, receive_text
from games.live.wire.parsing import BadFrameError, parse

Scope = dict[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]
HELLO_S: Final = 10


class RejectedError(Exception):
    """This connection is refused; `args[0]` is the Close."""


async def hello_of(receive: Receive, send: Send, clock: Clock, limits: FrameLimits) -> Hello:
    """The first frame that is not a forgiven fault. Raises RejectedError, Disconnected."""
    try:
        async with asyncio.timeout(HELLO_S):
            while True:
                try:
                    frame = parse(await receive_text(receive))
                    break
                except BadFrameError as fault:
                    error = frames.error("bad-frame", str(fault))
                    await put(send, {"type": "websocket.send", "text": error})
                    if not limits.fault(clock.now()):
                        raise RejectedError(BAD_FRAMES) from None
    except TimeoutError:
        raise RejectedError(HELLO_EXPECTED) from None
    if not isinstance(frame, Hello):
        raise RejectedError(HELLO_EXPECTED)
    if frame.version != VERSION:
        raise RejectedError(WRONG_VERSION)
    return frame


async def reject(send: Send, close: Close) -> None:
    """Say goodbye and close. Raises Disconnected."""
    await put(send, {"type": "websocket.send", "text": frames.bye(close)})
    await put(send, {"type": "websocket.close", "code": close.code, "reason": close.reason})


async def put(send: Send, message: dict[str, Any]) -> None:
    """Send to a client that may have disconnected. Raises Disconnected."""
    try:
        await send(message)
    except Exception:  # noqa: BLE001 - whatever a server raises, this connection has gone
        raise Disconnected from None
