"""Reviews at real sockets under Daphne, with the frames of docs/reference/asyncapi.yaml."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Iterator

import pytest
import websockets

from tests.live.serving import connect, ws
from tests.reviews.members import Person, Room, gone
from tests.services import Site

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, Room]]:
    with Site(tmp_path_factory.mktemp("reviews")) as site:
        site.migrate()
        room = Room(site)
        yield site.start(), room


async def test_a_group_is_led_and_nothing_is_lost_with_the_process(
    served: tuple[Site, Room],
) -> None:
    site, room = served
    ada, bo = await Person.come(site, room, "Ada"), await Person.come(site, room, "Bo")
    watcher = await Person.come(site, room)
    assert (ada.you, bo.you, watcher.you) == (1, 2, None)
    name = await ada.move(7, playing=True, view="1")
    for person in (ada, bo, watcher):
        await person.at(7)
        assert person.parts["place"]["id"] == name
    await ada.send(type="draw", round=1, event=7, marks=["stack:0"], arrows=["seat:0>stack:0"])
    await bo.send(type="suggest", id="s1", round=1, event=9, text="<i>here</i>")
    await watcher.until("review", lambda f: len(f.get("moments", {}).get("all", ())) == 2)
    await ada.send(type="point", path=[[0, "stack:1", 500, 500], [60, "stack:1", 520, 500]])
    assert len((await bo.until("pointer"))["path"]) == 2

    assert await bo.error(type="move", id="x", round=1, event=1, t=0, speed=100, view="all") == (
        "not-leader"
    )
    assert await watcher.error(type="hand", raised=True) == "nameless"
    assert await bo.error(type="lead") == "not-owner"
    assert await bo.error(type="dismiss", n=99) == "no-such"

    await bo.send(type="chat", text="Hello all")
    line = (await watcher.until("chats", lambda f: f["lines"]))["lines"][-1]
    assert (line["by"], line["text"], line["account"]) == ("Bo", "Hello all", False)
    await watcher.send(type="report", n=line["n"])
    assert (await watcher.until("error"))["code"] == "nameless"

    assert site.process
    site.process.send_signal(signal.SIGKILL)
    await asyncio.get_running_loop().run_in_executor(None, site.process.wait)
    await asyncio.get_running_loop().run_in_executor(None, site.start)
    back = await Person.come(site, room, "Bo")
    assert back.you == 2
    assert back.parts["place"]["id"] == name
    assert back.parts["place"]["view"] == "1"
    assert back.parts["leader_name"] == "Ada"
    kept = sorted(moment["text"] for moment in back.parts["moments"]["changed"])
    assert kept == ["", "<i>here</i>"]
    assert (await back.until("chats"))["lines"][-1]["text"] == "Hello all"
    # Ada does not come back, so somebody else leads after a while.
    await back.led_by("Bo")
    await back.move(12)
    await back.at(12)
    await gone(ada, bo, watcher, back)


async def test_whatever_is_sent_is_answered_by_the_protocol(served: tuple[Site, Room]) -> None:
    site, room = served
    bo = await Person.come(site, room, "Bo")
    for bad in ('{"type":"move"}', "[", '{"type":"draw","round":1,"event":0,"marks":["stack:x"]}'):
        await bo.socket.send(bad)
        assert (await bo.until("error"))["code"] == "bad-frame"
    await bo.send(type="hello", v=1)
    assert (await bo.until("error"))["code"] == "not-now"
    await bo.send(type="point", path=[[0, "stack:1", 1, 2, 3]])
    assert (await bo.until("bye"))["code"] == 4400
    await gone(bo)


@pytest.mark.parametrize(
    ("path", "hello", "code"),
    [
        ("/ws/reviews/nothing-of-that-name/", {"v": 1}, 4404),
        ("/ws/reviews/{key}/", {"v": 9}, 4406),
        ("/ws/reviews/{key}/", {"type": "lead"}, 4401),
    ],
)
async def test_a_refused_socket_says_why(
    served: tuple[Site, Room], path: str, hello: dict[str, object], code: int
) -> None:
    site, room = served
    address = ws(site, path.format(key=room.key))
    async with connect(address, origin=site.url) as socket:
        await socket.send(json.dumps({"type": "hello", **hello}))
        assert json.loads(await socket.recv())["code"] == code
    with pytest.raises(websockets.InvalidStatus):
        await connect(address, origin="http://elsewhere.example")
