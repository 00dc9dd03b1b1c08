"""People in a review at real sockets, and reviews for them."""

import asyncio
import json
import urllib.request
from typing import Any, Self

from websockets.asyncio.client import ClientConnection

from tests.live.asyncapi import hold
from tests.live.serving import PATIENCE_S, connect, ws
from tests.services import ROOT, Site

RECORD = ROOT / "tests" / "matches" / "valid-full-match-3.ratuki"
PREPARE = """
import json
from importlib import import_module
from io import StringIO
from django.conf import settings
from django.core.management import call_command
from games.models import Match
from games.people.visitor import Author
from replays.models import Study
from replays.reviews import storage
def session(key, name):
    made = import_module(settings.SESSION_ENGINE).SessionStore()
    made["guest"], made["guest_name"] = key, name
    made.save()
    return made.session_key
sessions = {{name: session(name.lower(), name) for name in ("Ada", "Bo", "Cy")}}
call_command("import_records", {record!r}, stdout=StringIO())
match = Match.objects.latest("pk")
review = storage.start(match, Author("guest:ada", "Ada"))
lesson = Study.objects.create(owner="guest:ada", by="Ada", title="Lesson", visibility="everyone")
words = dict.fromkeys(("hint", "right", "wrong", "late"), "")
asked = {{"seat": 0, "answers": [{{"do": "draw"}}], "timed": False, **words}}
lesson.chapters.create(number=1, place=0, title="A", match=match, round=1, event=9, question=asked)
print(json.dumps([match.pk, review.key, sessions, f"/studies/{{lesson.key}}/1/start"]))
"""


class Room:
    """A review on a site, and the sessions of its people."""

    def __init__(self, site: Site) -> None:
        told = site.manage("shell", "-v", "0", "-c", PREPARE.format(record=str(RECORD)))
        self.match, self.key, self.sessions, self.question = json.loads(told)

    @property
    def path(self) -> str:
        return f"/ws/reviews/{self.key}/"


def open_question(site: Site, room: Room, name: str) -> None:
    """Open the question on the reviewed match, as that person's browser does."""
    token = "t" * 32
    cookies = f"sessionid={room.sessions[name]}; csrftoken={token}"
    headers = {"Cookie": cookies, "X-CSRFToken": token, "Origin": site.url}
    request = urllib.request.Request(site.url + room.question, b"", headers)
    with urllib.request.urlopen(request) as answer:
        assert answer.status == 200


class Person:
    """One connection; it acknowledges and keeps every frame, each as the documents say."""

    def __init__(self, socket: ClientConnection, name: str) -> None:
        self.socket = socket
        self.name = name
        self.frames: list[dict[str, Any]] = []
        self.parts: dict[str, Any] = {}
        self.you: int | None = None
        self.moves = 0

    @classmethod
    async def come(cls, site: Site, room: Room, name: str = "") -> Self:
        """Enter under one of the room's names, or without one."""
        socket = await connect(
            ws(site, room.path),
            origin=site.url,
            additional_headers=({"Cookie": f"sessionid={room.sessions[name]}"} if name else {}),
        )
        person = cls(socket, name)
        await person.send(type="hello", v=1)
        person.you = (await person.until("welcome"))["you"]
        await person.until("review")
        return person

    async def send(self, **frame: Any) -> None:
        await self.socket.send(json.dumps(frame))

    async def move(self, event: int, **more: Any) -> str:
        """Lead to an event of the first round; returns the move's id."""
        self.moves += 1
        name = f"{self.name}-{self.moves}"
        said = {"t": event * 100, "speed": 100, "view": "all", **more}
        await self.send(type="move", id=name, round=1, event=event, **said)
        return name

    async def until(self, kind: str, what: Any = lambda _frame: True) -> dict[str, Any]:
        """The next frame of that kind of which `what` is true."""
        async with asyncio.timeout(PATIENCE_S):
            async for text in self.socket:
                frame = hold(str(text), "hear_in_review")
                self.frames.append(frame)
                if frame["type"] == "review":
                    self.parts |= frame
                    await self.send(type="got", seq=frame["seq"])
                if frame["type"] == kind and what(frame):
                    return frame
        raise AssertionError((kind, self.frames[-5:]))

    async def at(self, event: int) -> None:
        """Wait until the review is at that event."""
        if self.parts["place"]["event"] != event:
            await self.until("review", lambda f: f.get("place", {}).get("event") == event)

    async def led_by(self, name: str) -> None:
        """Wait until somebody of that name leads."""
        if self.parts["leader_name"] != name:
            await self.until("review", lambda f: f.get("leader_name") == name)

    async def error(self, **frame: Any) -> str:
        await self.send(**frame)
        return str((await self.until("error"))["code"])


async def gone(*people: Person) -> None:
    """Everybody hangs up."""
    for person in people:
        await person.socket.close()
