"""People who look at a match, its Analysis tab open, or at the wall, asking as their pages do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from tests.services import Site

PAGE_S = 4.0
"""How often a match's page asks (`AGAIN_MS` in analysis.js)."""
WALL_S = 5.0
"""How often the wall asks (`AGAIN_MS` in wallchances.js)."""


class Viewers:
    """`size` people, half of them at the wall; `answered` counts what they got."""

    def __init__(self, site: Site, match: int) -> None:
        self._host, _, self._port = site.url.split("//")[1].partition(":")
        self._match = match
        self.answered = 0

    @asynccontextmanager
    async def looking(self, size: int) -> AsyncIterator[None]:
        """As long as the block lasts."""
        tasks = [
            asyncio.create_task(self._repeat(*asked, number / size))
            for number in range(size)
            for asked in [(self._wall, WALL_S) if number % 2 else (self._page(), PAGE_S)]
        ]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _repeat(self, ask: Callable[[], Awaitable[None]], every: float, part: float) -> None:
        await asyncio.sleep(every * part)
        while True:
            await ask()
            self.answered += 1
            await asyncio.sleep(every)

    def _page(self) -> Callable[[], Awaitable[None]]:
        known = 0

        async def ask() -> None:
            nonlocal known
            asked = f"/api/v1/matches/{self._match}/analysis?after={known}&so_far=yes"
            told = json.loads(await self._get(asked))
            known += len(told["curve"])

        return ask

    async def _wall(self) -> None:
        assert "matches" in json.loads(await self._get("/api/v1/wall/chances"))

    async def _get(self, path: str) -> bytes:
        reader, writer = await asyncio.open_connection(self._host, int(self._port))
        try:
            writer.write(f"GET {path} HTTP/1.0\r\nHost: {self._host}:{self._port}\r\n\r\n".encode())
            return (await reader.read()).partition(b"\r\n\r\n")[2]
        finally:
            writer.close()
