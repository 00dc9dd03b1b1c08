"""The leader's pointer, sent to everyone who may see the leader's place.

- In this process it goes with other news, or by itself every `POINT_MS`.
- Other processes get it as a hint beside the doorbell, at most every `HINT_MS`, with the leader and
  the chapter. A process that does not know that yet, or knows better, drops it, so no one sees it
  in a chapter that is withheld from them.
- Any of it may be lost.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any, Final

from games.live.fanout.doorbell import Doorbell
from games.live.host.clock import Clock
from replays.reviews import frames
from replays.reviews.gathering import Attendance, Gathering
from replays.reviews.parsing import PointerPath, PointerStep

POINT_MS: Final = 390
"""How long after a frame the leader's pointer is sent in one of its own."""
HINT_MS: Final = 190
Later = Callable[[Coroutine[Any, Any, None]], None]
"""Starts some work."""


class Pointing:
    """The pointers of all reviews of a process."""

    def __init__(self, clock: Clock, bell: Doorbell, later: Later) -> None:
        self._clock = clock
        self._bell = bell
        self._later = later

    def point(self, gathering: Gathering, path: PointerPath) -> None:
        """The leader, who is here, points."""
        self._pass_on(gathering, path)
        now = self._clock.now()
        if gathering.others != Attendance() and now - gathering.hinted_at >= HINT_MS:
            gathering.hinted_at = now
            self._bell.hint(gathering.key, hint(gathering, path))

    def hinted(self, gathering: Gathering, text: str) -> None:
        """The leader points, in another process."""
        leader, chapter, steps = json.loads(text)
        state = gathering.state
        if (leader, chapter) == (state.leader, state.place.position.chapter):
            path = PointerPath(tuple(PointerStep(*step) for step in steps))
            self._pass_on(gathering, path)

    def _pass_on(self, gathering: Gathering, path: PointerPath) -> None:
        gathering.pointed = path
        now = self._clock.now()
        left = gathering.told_at + POINT_MS - now
        if left <= 0:
            self._tell(gathering)
        elif not gathering.will_point:
            gathering.will_point = True
            self._later(self._tell_later(gathering, now + left))

    async def _tell_later(self, gathering: Gathering, due: int) -> None:
        await self._clock.wait(asyncio.Event(), due)
        gathering.will_point = False
        self._tell(gathering)

    def _tell(self, gathering: Gathering) -> None:
        """Tell where the leader points, unless another frame has just said so."""
        path, gathering.pointed = gathering.pointed, None
        if path is None:
            return
        gathering.told_at = self._clock.now()
        text = frames.pointer(path)
        for follower in gathering.followers:
            leads = follower.member == gathering.state.leader
            if not (leads or gathering.withheld(follower.withheld)):
                follower.hint(text)


def hint(gathering: Gathering, path: PointerPath) -> str:
    """Where the leader points, for other processes."""
    state = gathering.state
    return frames.encode([state.leader, state.place.position.chapter, path.path])
