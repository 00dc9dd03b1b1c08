"""A network between one process and PostgreSQL, which can be lost."""

import asyncio
from contextlib import suppress


class Wire:
    """Between one process and PostgreSQL; `cut` swallows everything, as a lost network does."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._open = asyncio.Event()
        self._open.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self.port = 0

    async def start(self) -> None:
        """Begin to carry; `port` is where."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Carry no more, and close everything."""
        self._server.close()
        self.heal()
        for writer in list(self._writers):
            with suppress(OSError):
                await writer.wait_closed()

    def cut(self) -> None:
        """Swallow everything from now on."""
        self._open.clear()

    def heal(self) -> None:
        """Let new connections through; the network has forgotten the old ones."""
        for writer in list(self._writers):
            writer.transport.abort()
        self._open.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        with suppress(OSError, asyncio.CancelledError):
            await self._open.wait()
            there, back = await asyncio.open_connection("127.0.0.1", self._to)
            self._writers.add(back)
            await asyncio.gather(self._pump(reader, back), self._pump(there, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                await self._open.wait()
                writer.write(data)
                await writer.drain()
        writer.close()
