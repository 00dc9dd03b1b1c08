"""The reviews' store of one process: every operation in a thread of its own pool.

If the database cannot be reached, operations raise StoreUnavailableError and may or may not
have happened. Operations are documented by the protocols that this class implements
(`ReviewStore`, `ChatStore`) and by the functions of `storage` and `chat`.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, ParamSpec, TypeVar

from games.chat import storage as chat_rooms
from games.chat.values import PostedLine
from games.live.storage.availability import guarded
from games.people.visitor import Visitor
from replays.models import Review
from replays.reviews import chat, forgetting, storage
from replays.reviews.gathering import Admission, Attendance, OpenedReview
from replays.reviews.room import State
from replays.reviews.store_protocol import Attended, ReviewNews, ShownNote

THREADS: Final = 3
SAY_EVERY: Final = 3
"""A process whose people stay the same says so every so many times."""
P = ParamSpec("P")
T = TypeVar("T")


class DatabaseStore:
    """The reviews' store of one process."""

    def __init__(self, process: str) -> None:
        self._process = process
        self._pool = ThreadPoolExecutor(THREADS, "reviews")
        self._said: Mapping[int, Attendance] = {}
        self._silent = 0

    async def _run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, guarded, partial(work, *args, **kwargs))

    async def admissions(self, key: str, visitors: Sequence[Visitor]) -> list[Admission | None]:
        return await self._run(storage.admissions, key, visitors)

    async def enter(self, key: str, visitor: Visitor) -> tuple[OpenedReview, int] | None:
        """The review and the visitor's number. None if it has been deleted."""
        try:
            return await self._run(storage.enter, key, visitor)
        except Review.DoesNotExist:
            return None

    async def is_member(self, review: int, number: int, visitor: Visitor) -> bool:
        return await self._run(storage.is_member, review, number, visitor)

    async def save(self, review: int, base: int, state: State) -> bool:
        return await self._run(storage.save, review, base, state)

    async def news(self, known: Mapping[int, int]) -> list[ReviewNews]:
        return await self._run(storage.news, known)

    async def attend(self, here: Mapping[int, Attendance]) -> Attended:
        self._silent += 1
        say = here != self._said or self._silent >= SAY_EVERY
        attended = await self._run(storage.attended, self._process, here, say=say)
        if say:
            self._said, self._silent = dict(here), 0
        return attended

    async def end_forgotten(self) -> None:
        await self._run(forgetting.end_forgotten)

    async def note(self, review: int, key: str) -> ShownNote | None:
        return await self._run(storage.note, review, key)

    async def chat_news(self, known: Mapping[str, int]) -> list[PostedLine]:
        return await self._run(chat.news, known)

    async def chat_add(self, room: str, writer: Visitor, text: str) -> str:
        return await self._run(chat.add, room, writer, text)

    async def chat_report(self, room: str, reporter: Visitor, n: int) -> None:
        await self._run(chat_rooms.report, room, reporter, n)
