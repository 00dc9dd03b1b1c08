"""Many spectators by pieces in one process: each asks once a second, on a connection of its own.

As a program: `python -m tests.bench_live.asking PORT FIRST COUNT SECONDS FILE`. It connects as the
spectators FIRST to FIRST + COUNT, waits for a line, asks for SECONDS, and writes into FILE what
came: for each new stretch of lines its first seq, the seq after it, and when (ns).
"""

import gzip
import json
import re
import select
import socket
import sys
import time
from collections import defaultdict
from functools import lru_cache
from pathlib import Path

PATH = "/live/one/latest"
REQUEST = f"GET {PATH} HTTP/1.1\r\nHost: ratuki.example\r\nAccept-Encoding: gzip\r\n\r\n".encode()
SLOTS = 100
"""Spectators are spread over so many parts of a second."""
LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
Stretch = tuple[int, int]


@lru_cache(64)
def end_of(body: bytes) -> int:
    """The seq after the last line of an answer."""
    return int(json.loads(gzip.decompress(body))["seq"])


class Crowd:
    """The connections, and what each has."""

    def __init__(self, port: int, first: int, count: int) -> None:
        self.epoll = select.epoll()
        self.sockets: dict[int, socket.socket] = {}
        self.slots: list[list[int]] = [[] for _ in range(SLOTS)]
        self.known: dict[int, int] = {}
        self.partial: dict[int, bytes] = {}
        self.came: dict[Stretch, list[int]] = defaultdict(list)
        self.asked = self.answered = self.faults = self.bytes = 0
        for number in range(first, first + count):
            source = (f"127.0.{1 + number // 10_000}.1", 0)  # an address has too few ports
            connection = socket.create_connection(("127.0.0.1", port), 30, source)
            connection.setblocking(False)
            place = connection.fileno()
            self.sockets[place] = connection
            self.slots[number % SLOTS].append(place)
            self.epoll.register(place, select.EPOLLIN)

    def run(self, seconds: float) -> None:
        """Ask, and take in the answers, for so long."""
        begun = time.monotonic()
        slot = 0
        while (now := time.monotonic()) < begun + seconds:
            due = begun + slot / SLOTS
            if now >= due:
                for place in self.slots[slot % SLOTS]:
                    self._ask(place)
                slot += 1
                continue
            for place, _ in self.epoll.poll(due - now):
                self._hear(place)

    def _ask(self, place: int) -> None:
        if place in self.partial:
            return  # the last answer is still to come
        self.asked += 1
        self.partial[place] = b""
        self.sockets[place].send(REQUEST)

    def _hear(self, place: int) -> None:
        data = self.partial.get(place, b"") + self.sockets[place].recv(1 << 16)
        length = LENGTH.search(data)
        head = data.find(b"\r\n\r\n")
        if not length or head < 0 or len(data) < head + 4 + int(length[1]):
            self.partial[place] = data
            return
        self.partial.pop(place, None)
        self.bytes += len(data)
        if not data.startswith(b"HTTP/1.1 200"):
            self.faults += 1
            return
        self.answered += 1
        seq = end_of(data[head + 4 :])
        known = self.known.get(place)
        if known is not None and seq > known:
            self.came[known, seq].append(time.monotonic_ns())
        if known is None or seq > known:
            self.known[place] = seq


def main(port: str, first: str, count: str, seconds: str, file: str) -> None:
    """Ask, and write down what came."""
    crowd = Crowd(int(port), int(first), int(count))
    sys.stdout.write("connected\n")
    sys.stdout.flush()
    sys.stdin.readline()  # until all are
    crowd.run(float(seconds))
    told = {
        "asked": crowd.asked,
        "answered": crowd.answered,
        "faults": crowd.faults,
        "bytes": crowd.bytes,
        "came": [(*stretch, times) for stretch, times in crowd.came.items()],
    }
    Path(file).write_text(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
