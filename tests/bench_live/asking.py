"""How soon a leader sees the answers of a class: `python -m tests.bench_live.asking`.

Thirty pupils with a socket each are asked at once and answer in the same second; the coach's
socket is told, and its page fetches the answers. Then: from sending an answer until it is there.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import tempfile
import time
from argparse import ArgumentParser
from pathlib import Path

from tests.bench_live.__main__ import SETTLE_S, say
from tests.bench_live.servers import serving
from tests.live.serving import connect, ws
from tests.reviews.evening import Browser, Evening
from tests.services import Site


async def follow(address: str, headers: dict[str, str]) -> None:
    """A pupil's socket: it acknowledges what comes, until cancelled."""
    async with connect(address, additional_headers=headers) as socket:
        await socket.send(json.dumps({"type": "hello", "v": 1}))
        async for text in socket:
            seq = json.loads(text).get("seq")
            if seq:
                await socket.send(json.dumps({"type": "got", "seq": seq}))


async def measure(site: Site, size: int) -> list[float]:
    """Ask, let everybody answer, and return how many ms each answer took to the coach."""
    there = Evening.prepared(site, size)
    key, lesson = there.review, there.study
    coach, pupils = Browser(site, there.coach), [Browser(site, session) for session in there.pupils]
    sent: dict[str, float] = {}
    seen: dict[str, float] = {}
    address = ws(site, f"/ws/reviews/{key}/")
    others = [asyncio.create_task(follow(address, pupil.headers)) for pupil in pupils]
    async with connect(address, additional_headers=coach.headers) as socket:
        await socket.send(json.dumps({"type": "hello", "v": 1}))
        await asyncio.sleep(SETTLE_S)
        await asyncio.to_thread(coach.ask, "POST", f"/reviews/{key}/ask", {"chapter": 1})

        async def answer(number: int, pupil: Browser) -> None:
            path = f"/studies/{lesson}/chapters/1/answer"
            await asyncio.to_thread(pupil.ask, "POST", path, {"asked": True})
            await asyncio.sleep(2 + random.random())
            sent[f"Pupil{number}"] = time.monotonic()
            said = {"answer": {"do": "draw"}, "ms": 900}
            await asyncio.to_thread(pupil.ask, "POST", path, said)

        work = asyncio.gather(*(answer(*numbered) for numbered in enumerate(pupils)))
        async with asyncio.timeout(60):
            while len(seen) < size:
                frame = json.loads(await socket.recv())
                if "seq" in frame:
                    await socket.send(json.dumps({"type": "got", "seq": frame["seq"]}))
                if "answered" in frame:
                    path = f"/reviews/{key}/chapters/1/answers"
                    reply = await asyncio.to_thread(coach.ask, "GET", path)
                    now = time.monotonic()
                    for given in reply["answers"]:
                        if given["state"] == "answered":
                            seen.setdefault(given["name"], now)
        await work
        await asyncio.to_thread(coach.ask, "POST", f"/reviews/{key}/reveal", {})
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    return sorted((seen[name] - sent[name]) * 1_000 for name in seen)


def main() -> None:
    """Measure, and say it."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=30)
    size = parser.parse_args().size
    with tempfile.TemporaryDirectory() as folder, Site(Path(folder)) as site:
        site.migrate()
        site.socket.listen(4_096)
        say(f"load of this machine: {os.getloadavg()[0]:.1f}")
        with serving("daphne", site, min(os.sched_getaffinity(0))) as server:
            before = server.cpu()
            waits = asyncio.run(measure(site, size))
            used = server.cpu() - before
    say(f"{size} answers: {waits[size // 2]:.0f} ms (p50), {waits[-1]:.0f} ms (the last)")
    say(f"{used:.2f} CPU s for all of it")


if __name__ == "__main__":
    main()
