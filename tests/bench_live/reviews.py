"""What a review costs, and how soon it is seen: `python -m tests.bench_live.reviews`.

In one run, on one core: 200 spectators of a match at ten events a second, and 200 followers of a
review whose leader steps three times a second and points all the time. What the match's host and
the leader cost by themselves is measured first, and taken off. Then 50 followers of one leader:
how long from the leader's move, and from sending a note to be saved, until each has it.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import resource
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from tests.bench_live.__main__ import SETTLE_S, moving, open_tables, say, share
from tests.bench_live.crowd import Meter, dismiss, gather
from tests.bench_live.players import Mover, table
from tests.bench_live.servers import Server, serving
from tests.reviews.members import Person, Room
from tests.services import Site

STEPS_A_SECOND = 3
PATH = [[80 * step, "stack:1", 400 + 40 * step, 500] for step in range(5)]


class ReviewMeter(Meter):
    """What followers of a review have received: its frames count as events, by their seq."""

    def begin(self) -> None:
        super().begin()
        self.pointers = 0

    def lines(self, payload: bytes) -> tuple[int, int] | None:
        if payload.startswith(b'{"type":"pointer"'):
            self.pointers += 1
            return None
        if payload not in self.parsed:
            span = None
            if payload.startswith(b'{"type":"review"'):
                seq = json.loads(payload)["seq"]
                span = (seq - 1, seq)
            self.parsed[payload] = span
        return self.parsed[payload]


async def used(server: Server, meter: Meter | None, seconds: float) -> float:
    """CPU seconds a second, over some seconds."""
    await asyncio.sleep(SETTLE_S)
    if meter:
        meter.begin()
    before, begun = server.cpu(), time.monotonic()
    await asyncio.sleep(seconds)
    return (server.cpu() - before) / (time.monotonic() - begun)


async def of_match(server: Server, site: Site, size: int, seconds: float) -> tuple[float, float]:
    """What a match costs without, and with, so many spectators."""
    movers = [Mover(site.url, "one", seat, 0.2) for seat in range(2)]
    async with moving(movers):
        alone = await used(server, None, seconds)
        meter = Meter()
        crowd = await gather(meter, site.url, ["/ws/watch/one/"] * size)
        full = await used(server, meter, seconds)
        say(f"match: {meter.frames / size / seconds:.1f} frames/s to each spectator")
        dismiss(crowd)
    return alone, full


@asynccontextmanager
async def leading(site: Site, room: Room) -> Any:
    """A leader who steps and points, as long as the block lasts."""
    leader = await Person.come(site, room, "Ada")

    async def lead() -> None:
        for step in range(10**6):
            await leader.move(step % 300)
            await asyncio.sleep(1 / STEPS_A_SECOND)

    async def point() -> None:
        while True:
            await leader.send(type="point", path=PATH)
            await asyncio.sleep(0.4)

    async def read() -> None:
        async for text in leader.socket:
            seq = json.loads(text).get("seq")
            if seq:
                await leader.send(type="got", seq=seq)

    tasks = [asyncio.create_task(work()) for work in (lead, point, read)]
    try:
        yield leader
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await leader.socket.close()


async def of_review(
    server: Server, site: Site, room: Room, size: int, seconds: float
) -> tuple[float, float]:
    """What a review costs with its leader alone, and with so many followers."""
    async with leading(site, room):
        alone = await used(server, None, seconds)
        meter = ReviewMeter()
        crowd = await gather(meter, site.url, [room.path] * size, every=8)
        full = await used(server, meter, seconds)
        told, pointers = meter.frames / size / seconds, meter.pointers / size / seconds
        say(f"review: {told:.1f} frames/s to each follower, and {pointers:.1f} of the pointer")
        dismiss(crowd)
    return alone, full


# --- How soon it is seen -----------------------------------------------------------------------


class Follower:
    """A follower that notes when it got what."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.moves: dict[str, int] = {}
        self.notes: dict[str, int] = {}

    async def read(self) -> None:
        """Note what comes, until cancelled."""
        async for text in self.person.socket:
            now = time.monotonic_ns()
            frame_ = json.loads(text)
            if frame_["type"] == "review":
                await self.person.send(type="got", seq=frame_["seq"])
                if "place" in frame_:
                    self.moves[frame_["place"]["id"]] = now
            elif frame_["type"] == "note":
                self.notes[frame_["note"]["key"]] = now


TOKEN = "t" * 32


class Writer:
    """The leader's browser, as far as it saves notes."""

    def __init__(self, site: Site, room: Room) -> None:
        host, _, port = site.url.split("//")[1].partition(":")
        self._connection = http.client.HTTPConnection(host, int(port), timeout=30)
        self._path = f"/api/v1/matches/{room.match}/notes"
        self._headers = {
            "Cookie": f"sessionid={room.sessions['Ada']}; csrftoken={TOKEN}",
            "Origin": site.url,
            "X-CSRFToken": TOKEN,
            "Content-Type": "application/json",
        }

    def save(self, key: str, event: int) -> None:
        """Save a note for everybody."""
        said = {"round": 1, "event": event, "text": "Look here."}
        text = json.dumps({"key": key, **said, "visibility": "everyone"})
        self._connection.request("POST", self._path, text, self._headers)
        response = self._connection.getresponse()
        told = response.read()
        assert response.status < 300, told


async def seen(site: Site, room: Room, size: int, rounds: int) -> None:
    """Print how long moves and notes take to 50 followers."""
    leader = await Person.come(site, room, "Ada")
    followers = [Follower(await Person.come(site, room)) for _ in range(size)]
    tasks = [asyncio.create_task(follower.read()) for follower in followers]
    tasks.append(asyncio.create_task(Follower(leader).read()))
    moved: dict[str, int] = {}
    for event in range(rounds):
        begun = time.monotonic_ns()
        moved[await leader.move(event)] = begun
        await asyncio.sleep(0.35)
    say_latencies("a move", moved, [follower.moves for follower in followers])
    writer = Writer(site, room)
    loop = asyncio.get_running_loop()
    noted: dict[str, int] = {}
    for number in range(rounds):
        key = f"note-of-the-benchmark-{number}"
        noted[key] = time.monotonic_ns()
        await loop.run_in_executor(None, partial(writer.save, key, number))
        await leader.send(type="noted", key=key)
        await asyncio.sleep(1.1)
    say_latencies(
        "a note, from sending it to be saved", noted, [follower.notes for follower in followers]
    )
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for person in (leader, *(follower.person for follower in followers)):
        await person.socket.close()


def say_latencies(what: str, begun: dict[str, int], ends: Sequence[dict[str, int]]) -> None:
    """Print the ms from each beginning to each follower; what never came counts as infinite."""
    waits = [
        (end.get(key, 1 << 62) - at) / 1e6 if key in end else float("inf")
        for end in ends
        for key, at in begun.items()
    ]
    say(
        f"{what}: {len(ends)} followers, {len(waits)} receipts, p50 {share(waits, 0.5):.0f} ms, "
        f"p99 {share(waits, 0.99):.0f} ms, worst {max(waits):.0f} ms"
    )


# --- Together ----------------------------------------------------------------------------------


async def main(options: Namespace) -> None:
    """Measure all of it on one server."""
    with tempfile.TemporaryDirectory() as folder, Site(Path(folder)) as site:
        site.manage("migrate", "--verbosity", "0")
        room = Room(site)
        open_tables(site, [table("one", 2)])
        site.socket.listen(4_096)
        say(f"load of this machine: {os.getloadavg()[0]:.1f}; cores {options.cores}")
        with serving(site, options.cores[0]) as server:
            review = await of_review(server, site, room, options.size, options.seconds)
            match = await of_match(server, site, options.size, options.seconds)
            for name, (alone, full) in (("match", match), ("review", review)):
                say(
                    f"{name}: {alone:.3f} of a core alone, {full:.3f} with {options.size}, "
                    f"{full - alone:.3f} for them"
                )
            say(
                f"review / match: {review[1] / match[1]:.2f} in all, "
                f"{(review[1] - review[0]) / (match[1] - match[0]):.2f} for followers alone"
            )
            await seen(site, room, options.followers, options.rounds)


def asked() -> Namespace:
    """What the command line asks for."""
    parser = ArgumentParser(prog="python -m tests.bench_live.reviews", description=__doc__)
    parser.add_argument("--size", type=int, default=200, help="spectators, and followers")
    parser.add_argument("--followers", type=int, default=50, help="who see notes and moves")
    parser.add_argument("--seconds", type=float, default=10, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=20, help="moves and notes")
    options = parser.parse_args()
    options.cores = sorted(os.sched_getaffinity(0))[:2]
    return options


if __name__ == "__main__":
    arguments = asked()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    os.sched_setaffinity(0, {arguments.cores[-1]})
    asyncio.run(main(arguments))
