"""A client that plays, written from docs/reference/protocol.md alone, without imports from here.

    python tests/live/example_client.py http://127.0.0.1:8000 Ada

It joins the first public table with a free seat, or opens one where a bot of the site plays too.

It knows the least that a player has to: which cards are in its hand, what lies on top of each
slot, and that a number goes on one higher or lower, a 1 starts, a wild takes. It says ready,
plays whatever fits, draws, discards when nothing fits, and comes back when the line breaks.
"""

import asyncio
import json
import random
import secrets
import sys
import urllib.request
from typing import Any

import websockets

FOR_GOOD = {1000, 4400, 4403, 4404, 4406}


class Client:
    """One seat at a live match."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self.token = token
        self.match: dict[str, Any] = {}
        self.seat = 0
        self.epoch: int | None = None
        self.seq: int | None = None
        self.round = 0
        self.events = 0
        self.hand: list[str] = []
        self.left = 0
        """Cards in the own draw pile, and below it in the discard pile."""
        self.aside = 0
        self.tops: list[int] = []
        self.waiting: dict[str, dict[str, Any]] = {}
        self.answers: dict[str, dict[str, Any]] = {}
        self.actions = 0
        self.lines: list[dict[str, Any]] = []
        self.salts: dict[str, str] = {}
        self.result: list[int] | None = None
        self.socket: Any = None

    async def play(self) -> None:
        """Play until the match is over."""
        pause = 0.5
        while True:
            headers = {"Authorization": f"Bearer {self.token}"}
            try:
                async with websockets.connect(self.url, additional_headers=headers) as self.socket:
                    pause = 0.5
                    await self.follow()
            except (OSError, websockets.WebSocketException):
                pass
            code = getattr(self.socket, "close_code", None)
            if code in FOR_GOOD or self.result is not None:
                return
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))
            pause = min(2, pause * 2)

    async def follow(self) -> None:
        hello: dict[str, Any] = {"type": "hello", "v": 1}
        if self.seq is not None:
            hello |= {"epoch": self.epoch, "seq": self.seq}
        await self.send(hello)
        hand = asyncio.create_task(self.move())
        try:
            async for message in self.socket:
                await self.hear(json.loads(message))
        finally:
            hand.cancel()

    async def send(self, frame: dict[str, Any]) -> None:
        await self.socket.send(json.dumps(frame))

    async def hear(self, frame: dict[str, Any]) -> None:
        kind = frame["type"]
        if kind == "welcome":
            self.match, self.seat, self.epoch = frame["match"], frame["seat"], frame["epoch"]
            self.seq = frame["seq"]
            for action in self.waiting.values():
                await self.send(action)
        elif kind == "lines":
            for line in frame["lines"]:
                self.fold(line)
            self.seq = frame["seq"] + len(frame["lines"])
            await self.send({"type": "got", "seq": self.seq})
            if self.result is not None:
                await self.socket.close()
        elif kind == "resync":
            self.seq = frame["seq"]
        elif kind in ("ack", "refused"):
            self.waiting.pop(frame["id"], None)
            self.answers[frame["id"]] = frame
        elif kind == "state":
            me = frame["seats"][self.seat]
            if frame["phase"] in ("seating", "scoreboard"):
                await self.get_ready(me)
            if frame["commit"] and not me["salted"]:
                await self.season(frame["commit"])

    async def get_ready(self, me: dict[str, Any]) -> None:
        if not me["ready"]:
            await self.send({"type": "ready", "ready": True})

    async def season(self, commit: str) -> None:
        """Have a part in the next deal: one salt for each commitment."""
        salt = self.salts.setdefault(commit, secrets.token_hex(16))
        await self.send({"type": "salt", "salt": salt, "commit": commit})

    def fold(self, line: dict[str, Any]) -> None:
        """Let a line happen."""
        self.lines.append(line)
        if "decks" in line:
            deck = line["decks"][self.seat].split(" ")
            self.round, self.events = line["round"], 0
            self.hand, self.left, self.aside = deck[:3], len(deck) - 3, 0
            self.tops = [0] * len(line["decks"])
            return
        if "result" in line:
            self.result = line["result"]
            return
        if "do" not in line:
            return
        self.events += 1
        mine = line.get("seat") == self.seat
        if line["do"] == "play":
            face = line["card"][1]
            top = line.get("as") or (0 if face == "R" else int(face))
            self.tops[line["stack"]] = 0 if "takes" in line else top
            if mine:
                self.hand.remove(line["card"])
        elif line["do"] == "draw" and mine:
            self.hand.append(line["card"])
            self.left -= 1
        elif line["do"] == "discard" and mine:
            self.lay_aside(line["card"])
        elif line["do"] == "tie":
            for card in set(line["cards"]) & set(self.hand):
                self.lay_aside(card)
        self.turn_over()

    def lay_aside(self, card: str) -> None:
        self.hand.remove(card)
        self.aside += 1

    def turn_over(self) -> None:
        if not self.left:
            self.left, self.aside = self.aside, 0

    async def move(self) -> None:
        """The hand: one movement at a time, not faster than the rules allow."""
        while True:
            await asyncio.sleep(0.15)
            await self.step()

    async def step(self) -> None:
        """Do what fits, if nothing is waiting for an answer."""
        if self.round and not self.waiting and self.result is None:
            self.actions += 1
            name = f"a{self.actions}"
            action = {"type": "act", "id": name, "round": self.round, **self.choice()}
            self.waiting[name] = action
            await self.send(action)

    def choice(self) -> dict[str, Any]:
        rules = self.match["rules"]
        full = len(self.hand) == 3 or not self.left
        for card in self.hand if full else ():
            for slot, top in enumerate(self.tops):
                if self.fits(card[1], top, rules):
                    return {"do": "play", "card": card, "stack": slot, "seen": self.events}
        if not full:
            return {"do": "draw"}
        if not self.left and not self.aside and rules["out"] == "shout":
            return {"do": "out"}
        return {"do": "discard", "card": random.choice(self.hand)} if self.hand else {"do": "draw"}

    @staticmethod
    def fits(face: str, top: int, rules: dict[str, Any]) -> bool:
        if face == "R":
            return bool(top) or rules["wild_starts"]
        return abs(int(face) - top) == 1 if top else face == "1"


def ask(url: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """What the site answers to a GET, or with a body to a POST."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(url, data, headers)) as answer:
        reply: dict[str, Any] = json.load(answer)
        return reply


def seat_at(site: str, name: str, **wanted: Any) -> Client:
    """A seat at the first table that has one free, or at a new one."""
    waiting = ask(f"{site}/api/v1/tables")["waiting"]
    if waiting:
        told = ask(f"{site}/api/v1/tables/{waiting[0]['id']}/join", {"name": name})
    else:
        told = ask(f"{site}/api/v1/tables", {"name": name, **wanted})
    return Client(site.replace("http", "ws", 1) + told["socket"], told["token"])


if __name__ == "__main__":
    asyncio.run(seat_at(*sys.argv[1:3], bots=["taker:3"]).play())
