"""Reviews at real sockets under Daphne, with the frames of docs/reference/asyncapi.yaml."""

import json
from collections.abc import Iterator

import pytest
import websockets

from tests.live.serving import connect, ws
from tests.reviews.members import Person, Room, gone
from tests.services import Site

pytestmark = pytest.mark.release


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, Room]]:
    with Site(tmp_path_factory.mktemp("reviews")) as site:
        site.migrate()
        room = Room(site)
        yield site.start(), room


async def test_whatever_is_sent_is_answered_by_the_protocol(served: tuple[Site, Room]) -> None:
    site, room = served
    bo = await Person.come(site, room, "Bo")
    for bad in ('{"type":"move"}', "[", '{"type":"draw","round":1,"event":0,"marks":["stack:x"]}'):
        await bo.socket.send(bad)
        assert (await bo.until("error"))["code"] == "bad-frame"
    await bo.send(type="hello", v=1)
    assert (await bo.until("error"))["code"] == "not-now"
    await bo.send(type="wave")
    assert (await bo.until("bye"))["code"] == 4400
    watcher = await Person.come(site, room)
    assert await watcher.error(type="hand", raised=True) == "nameless"
    await gone(bo, watcher)


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
