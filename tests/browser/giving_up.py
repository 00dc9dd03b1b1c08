"""Leave no match running behind a test: bots would play it on beside the tests that follow."""

import json
import re
from contextlib import suppress
from typing import Any

from playwright.sync_api import BrowserContext
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.live.serving import PATIENCE_S, ws
from tests.services import Site

_PLAYING = re.compile(r"/play/(?!new/)([\w-]+)/")


def close(context: BrowserContext, site: Site) -> None:
    """Close a visitor's pages, and vote to abandon the matches that they were playing there."""
    tables = [playing[1] for page in context.pages if (playing := _PLAYING.search(page.url))]
    cookies = {cookie["name"]: cookie["value"] for cookie in context.cookies()}
    context.close()
    if "sessionid" in cookies:
        for table in tables:
            _give_up(site, table, cookies["sessionid"])


def _give_up(site: Site, table: str, session: str) -> None:
    address, cookie = ws(site, f"/ws/matches/{table}/"), {"Cookie": f"sessionid={session}"}
    with (
        suppress(ConnectionClosed),
        connect(address, origin=Origin(site.url), additional_headers=cookie) as socket,
    ):
        socket.send(json.dumps({"type": "hello", "v": 1}))
        welcome = json.loads(socket.recv(PATIENCE_S))
        if welcome.get("seat") is not None:
            socket.send(json.dumps({"type": "vote", "for": "abandon", "yes": True}))
            while not _counted(json.loads(socket.recv(PATIENCE_S)), welcome["seat"]):
                pass


def _counted(frame: dict[str, Any], seat: int) -> bool:
    """Whether this is a state with the vote of that seat, or of a match that is over."""
    return frame["type"] == "state" and (
        frame["phase"] in ("finished", "abandoned") or "abandon" in frame["seats"][seat]["votes"]
    )
