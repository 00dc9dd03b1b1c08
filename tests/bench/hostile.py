"""What the costliest requests that a stranger may send cost the server: CPU and bytes.

A record with a round of 60,000 late tries, one of 320 rounds and an ordinary one are imported; a
thousand and a half short notes that would be much HTML, and a hundred long what-ifs, stand on the
last. Each request is sent once by a browser without a session, and four times at once.
"""

from __future__ import annotations

import json
import os
import re
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.cookiejar import CookieJar
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.error import HTTPError

from tests.bench.charting import Server
from tests.bench.measure import say
from tests.hostile_records import late_flood, long_match, text_of
from tests.services import ROOT, Site

ORDINARY = ROOT / "tests" / "matches" / "valid-draw.ratuki"
FLOOD, LONG, NOTES = 1, 2, 3
AT_ONCE = 4
WRITTEN = """
from games.models import Match
from replays.notes.markdown import render
from replays.models import Note, Variation
match, text = Match.objects.get(pk=3), "B5a " * 1000
html = render(text, 1)
said = dict(match=match, round=1, event=0, text=text, html=html, by="Eve", visibility="everyone")
Note.objects.bulk_create([Note(owner=f"guest:{n}", **said) for n in range(2000)])
event = '{"t":1400,"seat":1,"do":"play","card":"BRa","stack":0,"as":1,"seen":0}'
said |= dict(events="[" + event + " " * 60000 + "]", length=1, depth=1)
Variation.objects.bulk_create([Variation(owner=f"guest:{n}", **said) for n in range(100)])
"""


class Asked(NamedTuple):
    """A request: its name, path and JSON body, if it is a POST."""

    name: str
    path: str
    body: object = None


REQUESTS = (
    Asked("notes of a flooded match", f"/api/v1/matches/{NOTES}/notes"),
    Asked("the same, notes only", f"/api/v1/matches/{NOTES}/notes?only=notes"),
    Asked("what-ifs only", f"/api/v1/matches/{NOTES}/notes?only=variations"),
    Asked("record with notes", f"/matches/{NOTES}.ratuki?notes=1"),
    Asked("record of a flood", f"/matches/{FLOOD}.ratuki"),
    Asked("log of a flood", f"/api/v1/matches/{FLOOD}/log?from=1"),
    Asked("charts of all, cut", f"/api/v1/matches/{LONG}/charts?round=all&until=5000"),
    Asked("charts of a flood, cut", f"/api/v1/matches/{FLOOD}/charts?round=1&until=3000"),
    Asked("picture of a flood", f"/matches/{LONG}/picture.png?round=1&t=3000"),
    Asked("page of a flood", f"/matches/{FLOOD}/"),
    Asked("analysis of a round", f"/api/v1/matches/{NOTES}/analysis/1"),
    Asked("analysis", f"/api/v1/matches/{NOTES}/analysis"),
    Asked("preview, brackets", "/api/v1/notes/preview", {"text": "[" * 4_000, "round": 1}),
    Asked("preview, cards", "/api/v1/notes/preview", {"text": "B5a " * 1_000, "round": 1}),
    Asked("preview, stars", "/api/v1/notes/preview", {"text": "*a_ **b__" * 440, "round": 1}),
    Asked("all notes", "/notes/"),
    Asked("archive", "/matches/?player=a"),
)


class Answer(NamedTuple):
    status: int
    size: int


class Stranger:
    """A browser that has just come."""

    def __init__(self, url: str) -> None:
        self._url, jar = url, CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        page = self._opener.open(f"{url}/account/new/", timeout=300).read().decode()
        token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', page)
        self._csrf = token[1] if token else ""

    def ask(self, asked: Asked) -> Answer:
        """The status and the bytes of an answer."""
        body = None if asked.body is None else json.dumps(asked.body).encode()
        headers = {"X-CSRFToken": self._csrf, "Content-Type": "application/json"}
        sent = urllib.request.Request(f"{self._url}{asked.path}", data=body, headers=headers)
        try:
            with self._opener.open(sent, timeout=300) as answer:
                return Answer(answer.status, len(answer.read()))
        except HTTPError as error:
            return Answer(error.code, len(error.read()))


def bench() -> None:
    """Print what each request costs, the costliest first."""
    with TemporaryDirectory(prefix="ratuki-bench-") as folder, Site(Path(folder)) as site:
        site.prepare()
        for number, lines in enumerate((late_flood(5_990), long_match(100))):
            file = Path(folder) / f"{number}.ratuki"
            file.write_bytes(text_of(lines))
            site.manage("import_records", str(file))
        site.manage("import_records", os.fspath(ORDINARY))
        site.manage("shell", "-v0", "-c", WRITTEN)
        server = Server(site.start())
        server.get("/")
        strangers = [Stranger(site.url) for _ in range(AT_ONCE)]
        rows = sorted((_spent(server, strangers, asked) for asked in REQUESTS), reverse=True)
        for once, text in rows:
            say(f"  {text.format(once)}")


def _spent(server: Server, strangers: list[Stranger], asked: Asked) -> tuple[float, str]:
    before = server.cpu
    answer = strangers[0].ask(asked)
    once, before = server.cpu - before, server.cpu
    server.forget_peak()
    memory = server.memory("VmRSS")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        statuses = sorted(
            reply.status for reply in pool.map(lambda stranger: stranger.ask(asked), strangers)
        )
    together, more = server.cpu - before, server.memory("VmHWM") - memory
    text = f"{asked.name:<26} {{:6.2f}} CPU s {answer.size / 1e3:9.1f} kB  {answer.status}   "
    return once, f"{text}{AT_ONCE} at once {together:6.2f} CPU s {more:7.1f} MiB more  {statuses}"
