"""A spectator who follows a match by pieces, as docs/reference/protocol.md says."""

import json
import threading
import time
from collections.abc import Callable
from typing import Any

from tests.live.witness import Chain

Fetch = Callable[[str], tuple[int, str]]
"""Asks for an address; the status and the body. Raises OSError."""
EVERY_S = 1.0


class ByPieces:
    """Keeps each line, and makes sure that it is the same each time it comes."""

    def __init__(self, match: str, fetch: Fetch, seq: int | None = None) -> None:
        self.address = f"/live/{match}/"
        self.fetch = fetch
        self.seq = seq
        self.lines: dict[int, dict[str, Any]] = {}
        self.pieces: dict[int, str] = {}
        self.chain = Chain()
        self.answers: list[float] = []
        """When it was answered."""

    def ask(self) -> dict[str, Any] | None:
        """The latest answer, its lines taken in. None without one."""
        try:
            latest = self._get("latest")
        except OSError:
            return None
        if latest is None:
            return None
        frames = [frame for frame in latest["frames"] if frame["type"] == "lines"]
        self.seq = latest["deal"] if self.seq is None else self.seq
        while self.seq < (frames[0]["seq"] if frames else latest["seq"]):
            piece = self._get(f"lines/{self.seq}")
            if piece is None:
                return None
            self._take(piece)
        for frame in frames:
            self._take(frame)
        self.answers.append(time.monotonic())
        return latest

    def _get(self, name: str) -> dict[str, Any] | None:
        status, body = self.fetch(self.address + name)
        return json.loads(body) if status == 200 else None

    def _take(self, frame: dict[str, Any]) -> None:
        assert self.seq is not None
        end = frame["seq"] + len(frame["lines"])
        if frame["seq"] - 1 in self.chain.digests or "before" in frame:
            self.chain.hear(frame)
        for seq, line in enumerate(frame["lines"], frame["seq"]):
            assert self.lines.setdefault(seq, line) == line
        self.seq = max(self.seq, end)

    def stay(self, stop: threading.Event) -> None:
        """Ask once a second."""
        while not stop.is_set():
            self.ask()
            stop.wait(EVERY_S)

    @property
    def outages(self) -> list[float]:
        """How long it was without an answer each time, beyond its own pauses."""
        pairs = zip(self.answers, self.answers[1:], strict=False)
        return [after - before - EVERY_S for before, after in pairs]
