"""Sending on an ASGI connection without a task per frame, and without waiting.

Most servers accept a frame at once: the send coroutine finishes without ever suspending. If it
does suspend, the rest of it runs as a task, and the transport is busy until it is done. A
server may offer a shortcut for texts (`DirectSend`).
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Generator, Sequence
from types import coroutine
from typing import Any, Final
from weakref import WeakMethod

Message = dict[str, Any]
Send = Callable[[Message], Awaitable[None]]
DirectSend = Callable[[Sequence[str]], bool]
"""Sends texts at once, or returns False if it cannot."""
DIRECT: Final = "ratuki.text"
"""The extension in a connection's scope through which a server offers it."""


class Transport:
    """One connection's output. `freed` is called when it is no longer busy."""

    def __init__(
        self, send: Send, freed: Callable[[], None], direct: DirectSend | None = None
    ) -> None:
        self.broken = False
        self._send = send
        self._direct = direct
        self._freed = WeakMethod(freed)  # weak: its owner is freed at once when it is gone
        self._task: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        return self._task is not None

    def texts(self, texts: Sequence[str]) -> Sequence[str]:
        """Send as many texts as possible at once. Returns the rest. Must not be busy."""
        if self._direct is not None and self._direct(texts):
            return ()
        for at, text in enumerate(texts):
            if self.busy or self.broken:
                return texts[at:]
            self.put({"type": "websocket.send", "text": text})
        return ()

    def put(self, message: Message) -> None:
        """Send a message. Must not be busy."""
        sending = _as_coroutine(self._send(message))
        try:
            first = sending.send(None)
        except StopIteration:
            return
        except Exception:  # noqa: BLE001 - whatever it is, this connection is gone
            self.broken = True
            return
        self._task = asyncio.ensure_future(_rest(sending, first))
        self._task.add_done_callback(self._end_send)

    def _end_send(self, task: asyncio.Task[None]) -> None:
        self._task = None
        if task.cancelled() or task.exception():
            self.broken = True
        freed = self._freed()
        if freed is not None:
            freed()


async def _as_coroutine(awaitable: Awaitable[None]) -> None:
    await awaitable


@coroutine
def _rest(sending: Coroutine[Any, Any, None], waited: Any) -> Generator[Any, Any, None]:
    """Finish a coroutine that was started by hand and is waiting for something."""
    try:
        yield waited
    except BaseException:
        sending.close()
        raise
    yield from sending
