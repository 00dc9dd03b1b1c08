"""Many spectators in one process, as cheap as they can be: raw frames, parsed once for all."""

import asyncio
import base64
import json
import os
import time
from collections.abc import Sequence
from typing import Any

HELLO = b'{"type":"hello","v":1}'
AT_ONCE = 100
"""How many connections are opened at the same time."""


def frame(payload: bytes) -> bytes:
    """A client's text frame, masked with zeros."""
    size = len(payload)
    head = bytes((0x81, 0x80 | size)) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
    return head + bytes(4) + payload


class Meter:
    """What a crowd has received: for each lines frame how many saw it, and when.

    `parsed` keeps what a frame says, so that each is parsed once for all spectators.
    """

    def __init__(self) -> None:
        self.parsed: dict[bytes, tuple[int, int] | None] = {}
        self.got: dict[int, bytes] = {}
        self.open = 0
        self.begin()

    def begin(self) -> None:
        """Count from now on, and forget the frames by which a crowd has caught up."""
        self.parsed.clear()
        self.frames = self.events = self.bytes = 0
        self.received: list[tuple[int, int, int]] = []  # first seq, seq after the last, when

    def lines(self, payload: bytes) -> tuple[int, int] | None:
        """The first seq of a lines frame and the one after its last; None: it is another frame."""
        if payload in self.parsed:
            return self.parsed[payload]
        span = None
        if payload.startswith(b'{"type":"lines"'):
            value = json.loads(payload)
            span = (value["seq"], value["seq"] + len(value["lines"]))
        if len(self.parsed) > 512:
            self.parsed.clear()
        self.parsed[payload] = span
        return span

    def note(self, payload: bytes) -> bytes:
        """Take down a payload; what to answer, as bytes on the wire, or nothing."""
        now = time.monotonic_ns()
        self.bytes += len(payload)
        span = self.lines(payload)
        if span is None:
            return b""
        first, end = span
        self.frames += 1
        self.events += end - first
        self.received.append((first, end, now))
        answer = self.got.get(end)
        if answer is None:
            answer = self.got[end] = frame(b'{"type":"got","seq":%d}' % end)
        return answer


class Spectator(asyncio.Protocol):
    """One connection."""

    def __init__(self, meter: Meter, path: str, origin: str) -> None:
        self.meter = meter
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._path = path
        self._origin = origin
        self._got_every = 1
        self._buffer = b""
        self._upgraded = False
        self._owed = 0
        self._pings = 0

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        host = self._origin.split("//")[1]
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {self._origin}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        data = self._buffer + data if self._buffer else data
        if not self._upgraded:
            data = self._upgrade(data)
        self._buffer = self._frames(data) if self._upgraded else data

    def _upgrade(self, data: bytes) -> bytes:
        head, mark, rest = data.partition(b"\r\n\r\n")
        if not mark:
            return data
        if not head.startswith(b"HTTP/1.1 101"):
            self.ready.set_exception(ConnectionError(head[:80].decode()))
            self.transport.close()
            return b""
        self._upgraded = True
        self.meter.open += 1
        self.transport.write(frame(HELLO))
        self.ready.set_result(None)
        return rest

    def _frames(self, data: bytes) -> bytes:
        """Take whole frames off; what is left. A server's frames are not masked."""
        place, size = 0, len(data)
        while size - place >= 2:
            length, start = data[place + 1], place + 2
            if length == 126:
                length, start = int.from_bytes(data[place + 2 : place + 4], "big"), place + 4
            elif length == 127:
                length, start = int.from_bytes(data[place + 2 : place + 10], "big"), place + 10
            if size < start + length:
                break
            self._take(data[place] & 15, data[start : start + length])
            place = start + length
        return data[place:]

    def _take(self, kind: int, payload: bytes) -> None:
        if kind == 1:
            if payload.startswith(b'{"type":"welcome"'):
                self._got_every = json.loads(payload)["got_every"]
            answer = self.meter.note(payload)
            self._owed += bool(answer)
            if self._owed >= self._got_every:
                self._owed = 0
                self.transport.write(answer)
        elif kind == 9:
            pong = bytearray(frame(payload))
            pong[0] = 0x8A
            self.transport.write(bytes(pong))

    def connection_lost(self, _error: Exception | None) -> None:
        if self._upgraded:
            self.meter.open -= 1
        elif not self.ready.done():
            self.ready.set_exception(ConnectionError("closed"))


async def gather(meter: Meter, url: str, paths: Sequence[str]) -> list[Spectator]:
    """Spectators, one for each path, on the server at `url`. They answer as its welcome says."""
    host, _, port = url.split("//")[1].partition(":")
    loop = asyncio.get_running_loop()
    crowd: list[Spectator] = []
    for start in range(0, len(paths), AT_ONCE):
        some = [Spectator(meter, path, url) for path in paths[start : start + AT_ONCE]]
        for spectator in some:
            await loop.create_connection(lambda own=spectator: own, host, int(port))  # type: ignore[misc]
        await asyncio.gather(*(spectator.ready for spectator in some))
        crowd += some
    return crowd


def dismiss(crowd: Sequence[Spectator]) -> None:
    """Everybody hangs up."""
    for spectator in crowd:
        spectator.transport.abort()
