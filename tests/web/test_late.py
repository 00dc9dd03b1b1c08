"""The application that finds races in the browser tests: what it keeps in order, and what not."""

from __future__ import annotations

import asyncio
from typing import Any

from games.live.fanout.transport import DIRECT
from tests.late import Late, Message, Waits

HURRY = Waits(20, "a seed")


def get(path: str) -> dict[str, Any]:
    return {"type": "http", "method": "GET", "path": path}


async def test_requests_overtake_each_other_and_none_is_lost() -> None:
    handled: list[str] = []

    async def app(scope: Any, _receive: Any, send: Any) -> None:
        handled.append(scope["path"])
        await send({"type": "http.response.start"})
        await send({"type": "http.response.body", "body": scope["path"]})

    answered: list[str] = []

    async def send(message: Message) -> None:
        if message["type"] == "http.response.body":
            answered.append(message["body"])

    asked = [f"/{number}" for number in range(20)]
    late, nothing = Late(app, HURRY), asyncio.Queue[Message]()
    await asyncio.gather(*(late(get(path), nothing.get, send) for path in asked))
    assert sorted(handled) == sorted(answered) == sorted(asked)
    assert handled != asked
    assert answered != handled


async def test_frames_keep_their_order_in_both_directions() -> None:
    heard: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        for number in range(10):
            text = f"frame {number}"
            if number % 2:
                assert scope["extensions"][DIRECT](text)
            else:
                await send({"type": "websocket.send", "text": text})
            heard.append((await receive())["text"])

    coming: asyncio.Queue[Message] = asyncio.Queue()
    for number in range(10):
        coming.put_nowait({"type": "websocket.receive", "text": str(number)})
    sent: list[str] = []

    async def send(message: Message) -> None:
        sent.append(message["text"])

    await Late(app, HURRY)({"type": "websocket", "path": "/ws/"}, coming.get, send)
    assert heard == [str(number) for number in range(10)]
    assert sent == [f"frame {number}" for number in range(10)]


def test_a_seed_repeats_the_waits_of_each_request() -> None:
    def waits(seed: str, *names: str) -> list[float]:
        some = Waits(400, seed)
        found = {name: [some.next(some.of(name)) for _ in range(20)] for name in names}
        return found["GET /a"]

    assert waits("1", "GET /a") == waits("1", "GET /b", "GET /a") != waits("2", "GET /a")
    assert 0 < sum(wait > 0 for wait in waits("1", "GET /a")) < 20
