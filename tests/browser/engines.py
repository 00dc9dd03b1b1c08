"""Firefox and WebKit, which is Safari's engine, for a walk: Playwright drives Chromium here.

Firefox is driven by WebDriver BiDi, WebKit by WebDriver, both without a library: each has a driver
of its own on Debian. A fault of our scripts is found in the site's log, to which pages report it.
"""

import json
import os
import shutil
import socket
import subprocess
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any, Final, Protocol

from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.services import NotInstalledError, free_port

PATIENCE_S: Final = 60
UNTIL: Final = """new Promise((done) => {{
  const look = () => (({}) ? done(true) : setTimeout(look, 50));
  look();
}})"""
"""A promise that waits in the page until an expression is true there."""
MINI_BROWSERS: Final = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"


class Engine(Protocol):
    """A page in a browser."""

    def open(self, url: str) -> None:
        """Go to an address, and wait until it is loaded."""

    def value(self, expression: str) -> Any:
        """What an expression is in the page, once its promise is kept."""

    def press(self, key: str) -> None:
        """Press a key and let it go."""


def until(page: Engine, expression: str) -> None:
    """Wait until an expression is true in the page."""
    assert page.value(UNTIL.format(expression)) is True


def click(page: Engine, selector: str) -> None:
    """Click an element, once it is there."""
    found = f"document.querySelector({json.dumps(selector)})"
    until(page, f"{found} && !{found}.disabled")
    page.value(f"{found}.click()")


class Firefox:
    """A page of Firefox, by WebDriver BiDi."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = count(1)
        self._ask("session.new", capabilities={})
        self._page = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def open(self, url: str) -> None:
        self._ask("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def value(self, expression: str) -> Any:
        target = {"context": self._page}
        text = f"Promise.resolve({expression}).then((it) => JSON.stringify(it ?? null))"
        told = self._ask("script.evaluate", expression=text, target=target, awaitPromise=True)
        assert told["type"] == "success", told
        return json.loads(told["result"]["value"])

    def press(self, key: str) -> None:
        keys = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        source = {"type": "key", "id": "keys", "actions": keys}
        self._ask("input.performActions", context=self._page, actions=[source])

    def _ask(self, method: str, **params: Any) -> Any:
        asked = next(self._ids)
        self._socket.send(json.dumps({"id": asked, "method": method, "params": params}))
        while True:
            told = json.loads(self._socket.recv(PATIENCE_S))
            if told.get("id") == asked:
                assert told["type"] == "success", told
                return told["result"]


class WebKit:
    """A page of WebKit, by WebDriver."""

    def __init__(self, driver: str, browser: str) -> None:
        self._session = driver
        options = {"binary": browser, "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        begun = self._ask("/session", capabilities=wanted)
        self._session = f"{driver}/session/{begun['sessionId']}"
        self._ask("/timeouts", script=PATIENCE_S * 1_000, pageLoad=PATIENCE_S * 1_000)

    def open(self, url: str) -> None:
        self._ask("/url", url=url)

    def value(self, expression: str) -> Any:
        script = f"Promise.resolve({expression}).then((it) => arguments[0](it ?? null))"
        return self._ask("/execute/async", script=script, args=[])

    def press(self, key: str) -> None:
        keys = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        self._ask("/actions", actions=[{"type": "key", "id": "keys", "actions": keys}])

    def _ask(self, path: str, **body: Any) -> Any:
        headers = {"content-type": "application/json"}
        data = json.dumps(body).encode()
        request = urllib.request.Request(f"{self._session}{path}", data, headers)
        with urllib.request.urlopen(request, timeout=2 * PATIENCE_S) as answer:
            return json.load(answer)["value"]


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """Firefox with a home of its own."""
    port = free_port()
    profile = folder / "profile"
    profile.mkdir()
    command = (_program("firefox-esr", "firefox"), "--headless", "--no-remote", "--profile")
    options = (str(profile), "--remote-debugging-port", str(port), "about:blank")
    with _running((*command, *options), folder), _connected(port) as page:
        yield Firefox(page)


@contextmanager
def webkit(folder: Path) -> Iterator[WebKit]:
    """WebKit on a screen of its own."""
    driver, screen = _program("WebKitWebDriver"), _program("Xvfb")
    browser = next(Path("/").glob(MINI_BROWSERS.removeprefix("/")), None)
    if browser is None:
        raise NotInstalledError(_ADVICE.format("MiniBrowser"))
    port = free_port()
    read, write = os.pipe()
    with _running((screen, "-displayfd", str(write), "-screen", "0", "1280x900x24"), folder, write):
        os.close(write)
        with os.fdopen(read) as told:
            display = f":{told.readline().strip()}"
        settings = {
            "DISPLAY": display,
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
            "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
        }
        with _running((driver, f"--port={port}"), folder, **settings):
            _reached(port).close()
            yield WebKit(f"http://127.0.0.1:{port}", str(browser))


_ADVICE: Final = (
    "{} is needed: on Debian, as root, apt-get install -y firefox-esr webkit2gtk-driver xvfb"
)


def _program(*names: str) -> str:
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise NotInstalledError(_ADVICE.format(names[0]))
    return found


@contextmanager
def _running(
    command: Sequence[str], folder: Path, *pipes: int, **settings: str
) -> Iterator[subprocess.Popen[bytes]]:
    environment = {**os.environ, "HOME": str(folder), **settings}
    with (folder / "browser.log").open("ab") as log:
        process = subprocess.Popen(
            command, env=environment, stdout=log, stderr=log, pass_fds=pipes, start_new_session=True
        )
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def _reached(port: int) -> socket.socket:
    """A connection to a port at which a program begins to listen."""
    end = monotonic() + PATIENCE_S
    while True:
        with suppress(ConnectionRefusedError):
            return socket.create_connection(("127.0.0.1", port))
        assert monotonic() < end, f"nothing listens on port {port}"


@contextmanager
def _connected(port: int) -> Iterator[ClientConnection]:
    """Firefox listens before it has sessions."""
    while True:
        with (
            suppress(InvalidStatus),
            connect(f"ws://127.0.0.1:{port}/session", sock=_reached(port), max_size=None) as page,
        ):
            yield page
            return
