"""Players who discard and draw for ever, one movement at a time, at a steady pace."""

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

import websockets

from games.people.person import bearer
from games.tables.plan import Plan, new_plan

RULES = {"deck": [9, 9, 9, 9, 9, 3], "stall_ms": 0, "one_hand_ms": 60, "tie_window_ms": 50}


def table(match: str, people: int) -> Plan:
    """A table for so many of these players."""
    plan = new_plan(match, "usaopoly-2009", people, RULES)
    for seat in range(people):
        plan = plan.sit(bearer(token(seat)), f"P{seat}")
    return plan


def token(seat: int) -> str:
    """What a player shows for a seat."""
    return f"a-seat-token-of-this-benchmark-{seat}"


class Mover:
    """One player; `waits` are the ns from each action to its answer. `pass_on` gets its lines."""

    def __init__(self, url: str, match: str, seat: int, every_s: float) -> None:
        self._url = f"{url.replace('http', 'ws', 1)}/ws/bots/{match}/"
        self._seat = seat
        self._every = every_s
        self.pass_on: Callable[[str], None] = lambda _text: None
        self._hand: list[str] = []
        self._round = 0
        self._sent: dict[str, int] = {}
        self.waits: list[int] = []
        self.refused = 0
        self.playing = asyncio.Event()

    async def run(self) -> None:
        """Play until cancelled."""
        headers = {"Authorization": f"Bearer {token(self._seat)}"}
        async with websockets.connect(
            self._url,
            additional_headers=headers,
            compression=None,
            ping_interval=None,
            open_timeout=None,
        ) as self._socket:
            await self._say(type="hello", v=1)
            await self._say(type="ready", ready=True)
            moving = asyncio.create_task(self._move())
            try:
                async for text in self._socket:
                    await self._hear(str(text))
            finally:
                moving.cancel()

    async def _say(self, **frame: Any) -> None:
        await self._socket.send(json.dumps(frame))

    async def _move(self) -> None:
        await self.playing.wait()
        due, number = time.monotonic() + self._every * self._seat / 5, 0
        while True:
            due = max(due + self._every, time.monotonic())
            await asyncio.sleep(due - time.monotonic())
            if self._sent:
                continue  # the last one is not answered yet
            number += 1
            full = len(self._hand) == 3
            what = {"do": "discard", "card": self._hand[0]} if full else {"do": "draw"}
            self._sent[f"a{number}"] = time.monotonic_ns()
            await self._say(type="act", id=f"a{number}", round=self._round, **what)

    async def _hear(self, text: str) -> None:
        frame = json.loads(text)
        if frame["type"] == "lines":
            self.pass_on(text)
            for line in frame["lines"]:
                self._fold(line)
            await self._say(type="got", seq=frame["seq"] + len(frame["lines"]))
        elif frame["type"] in ("ack", "refused"):
            sent = self._sent.pop(frame["id"])
            self.waits.append(time.monotonic_ns() - sent)
            self.refused += frame["type"] == "refused"

    def _fold(self, line: dict[str, Any]) -> None:
        if "decks" in line:
            self._round, self._hand = line["round"], line["decks"][self._seat].split(" ")[:3]
            self.playing.set()
        elif line.get("seat") == self._seat and line["do"] == "draw":
            self._hand.append(line["card"])
        elif line.get("seat") == self._seat and line["do"] == "discard":
            self._hand.remove(line["card"])
