"""Players and spectators at real sockets, every frame of theirs held against the document."""

import asyncio
import json
from collections.abc import Sequence
from hashlib import sha256
from io import BytesIO
from typing import Any

import websockets
from websockets.asyncio.client import ClientConnection

from games.records.check import CheckedRecord, check
from tests.live.asyncapi import hold
from tests.live.example_client import Client
from tests.live.serving import PATIENCE_S, token
from tests.services import Site

SHORT = {"deck": [4, 3, 3, 2, 2, 1], "speedy": True, "stall_ms": 5_000}


class Chain:
    """The log's running digest, computed from frames by docs/reference/fair-play.md alone."""

    def __init__(self) -> None:
        self.digests: dict[int, bytes] = {}

    def hear(self, frame: dict[str, Any]) -> None:
        """Take lines in, and hold every digest that a frame says against the own one."""
        if frame["type"] == "lines":
            self._lines(frame)
        if frame.get("last") in self.digests:
            assert frame["digest"] == self.digests[frame["last"]].hex()[:32]

    def _lines(self, frame: dict[str, Any]) -> None:
        seq, before = frame["seq"], frame.get("before")
        assert ("decks" in frame["lines"][0]) == (before is not None)
        assert frame["last"] == seq + len(frame["lines"]) - 1
        if before is not None:
            held = self.digests.setdefault(seq - 1, bytes.fromhex(before))
            assert held.hex() == before
        for at, line in enumerate(frame["lines"], seq):
            text = json.dumps(as_spectator(line), ensure_ascii=False, separators=(",", ":"))
            self.digests[at] = sha256(self.digests[at - 1] + text.encode()).digest()


def as_spectator(line: dict[str, Any]) -> dict[str, Any]:
    """A line as spectators see it, from how its own seat does."""
    if "decks" in line:
        hidden = [" ".join(f"{card[0]}?" for card in deck.split()) for deck in line["decks"]]
        return {**line, "decks": hidden}
    if line.get("do") not in ("draw", "discard", "late", "miss"):
        return line
    shown = {**line, "card": f"{line['card'][0]}?"}
    if line["do"] in ("late", "miss"):
        shown.pop("as", None)
    return shown


def digest_of(record: Sequence[dict[str, Any]]) -> bytes:
    """The digest after the last line of a whole record, header first, as its file shows it."""
    digest = b""
    for line in record:
        shown = as_spectator(line)
        if "fair" in shown:
            shown["fair"] = {key: shown["fair"][key] for key in ("commit", "salts")}
        text = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
        digest = sha256(digest + text.encode()).digest()
    return digest


class Witness(Client):
    """The example client, with every frame held against docs/reference/asyncapi.yaml."""

    def __init__(self, url: str, seat: int) -> None:
        super().__init__(url, token(seat))
        self.kinds: set[str] = set()
        self.heard = asyncio.Event()
        self.acked: dict[str, int] = {}
        self.chain = Chain()

    async def send(self, frame: dict[str, Any]) -> None:
        hold(json.dumps(frame), "say")
        await super().send(frame)

    async def hear(self, frame: dict[str, Any]) -> None:
        hold(json.dumps(frame), "hear")
        self.kinds.add(frame["type"])
        self.chain.hear(frame)
        if frame["type"] in ("ack", "refused"):
            assert frame["last"] >= frame.get("seq", 0)
        if frame["type"] == "ack":
            assert self.acked.setdefault(frame["id"], frame["seq"]) == frame["seq"]
        await super().hear(frame)
        self.heard.set()


def record_of(site: Site, match: str) -> CheckedRecord:
    """The stored record, checked as a stranger would."""
    return check(BytesIO(site.record(match).encode()))


def stored_lines(site: Site, match: str) -> list[dict[str, Any]]:
    """The stored record, line by line."""
    return [json.loads(line) for line in site.record(match).splitlines()]


async def hello(url: str, origin: str, **more: Any) -> tuple[ClientConnection, dict[str, Any]]:
    """A spectator's connection and its welcome."""
    socket = await websockets.connect(url, origin=origin, open_timeout=PATIENCE_S)  # type: ignore[arg-type]
    await socket.send(json.dumps({"type": "hello", "v": 1, **more}))
    return socket, hold(str(await socket.recv()), "hear")


async def lines_until(socket: ClientConnection, seq: int) -> list[dict[str, Any]]:
    """The lines that come until the one before `seq`, acknowledged."""
    lines: list[dict[str, Any]] = []
    async for text in socket:
        frame = hold(str(text), "hear")
        if frame["type"] == "lines":
            lines += frame["lines"]
            end = frame["seq"] + len(frame["lines"])
            await socket.send(json.dumps({"type": "got", "seq": end}))
            if end >= seq:
                break
    return lines


async def grown(players: list[Witness], count: int) -> None:
    """Wait until every player has been shown so many lines."""
    for player in players:
        while len(player.lines) < count:
            await player.heard.wait()
            player.heard.clear()
