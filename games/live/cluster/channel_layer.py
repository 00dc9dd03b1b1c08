"""The doorbell between processes: `{match, seq}` through a channel layer.

The layer may lose rings, fail or stall. Nothing waits for it or relies on it.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final

from games.live.fanout.doorbell import Doorbell

GROUP: Final = "live"
LAYER_LOG: Final = "channels_redis.pubsub"
WAITING: Final = 256
REST_S: Final = 1.0
"""How long a failed layer is left alone."""
PROBE_S: Final = 5.0
"""How often an otherwise unused layer is tested."""
log: Final = logging.getLogger(__name__)


def no_outage(record: logging.LogRecord) -> bool:
    """Suppress the traceback that the Redis layer logs every second of an outage."""
    return "in receive task" not in record.getMessage()


class ChannelLayerDoorbell(Doorbell):
    """Rings in all other processes, through a layer of Django Channels."""

    def __init__(self, layer: Any, process: str, group: str = GROUP) -> None:
        self._layer = layer
        self._group = group
        self._process = process
        self._queue: asyncio.Queue[tuple[str, int]] = asyncio.Queue(WAITING)
        self._tasks: list[asyncio.Task[None]] = []
        self._working = True

    def start(self, rung: Callable[[str, int], None]) -> None:
        logging.getLogger(LAYER_LOG).addFilter(no_outage)
        self._tasks = [
            asyncio.create_task(self._again(self._send)),
            asyncio.create_task(self._again(lambda: self._listen(rung))),
        ]

    def stop(self) -> None:
        for task in self._tasks:
            task.cancel()

    def ring(self, match: str, seq: int) -> None:
        """A match has news. Excess rings are dropped."""
        if not self._queue.full():
            self._queue.put_nowait((match, seq))

    async def _again(self, work: Callable[[], Any]) -> None:
        while True:
            try:
                await work()
            except Exception as error:  # noqa: BLE001 - whatever it is, there is the polling
                if self._working:
                    log.warning("the doorbell between processes is out of order: %s", error)
                self._working = False
            await asyncio.sleep(REST_S)

    async def _send(self) -> None:
        while True:
            match, seq = await self._next()
            message = {"type": "ring", "match": match, "seq": seq, "process": self._process}
            await self._layer.group_send(self._group, message)
            if not self._working:
                log.warning("the doorbell between processes works again")
            self._working = True

    async def _next(self) -> tuple[str, int]:
        """The next ring. After a while, one without a match, to test the layer."""
        try:
            return await asyncio.wait_for(self._queue.get(), PROBE_S)
        except TimeoutError:
            return "", -1

    async def _listen(self, rung: Callable[[str, int], None]) -> None:
        name = await self._layer.new_channel()
        await self._layer.group_add(self._group, name)
        while True:
            message = await self._layer.receive(name)
            if message["process"] != self._process:
                rung(message["match"], message["seq"])
