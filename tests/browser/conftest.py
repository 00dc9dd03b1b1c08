"""The site in a process, Chromium in front of it, and a page that must not complain.

`page` comes at 1280 and at 390 px wide; `wide` and `phone` are one of them. Each fails its
test on a console error or warning, an uncaught exception, a CSP violation, a failed request,
a request that leaves the site or a report of a fault, unless the test said
``faults.expect("part of it")``.
"""

import json
import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    expect,
    sync_playwright,
)

from tests.browser import giving_up
from tests.browser.chromium import launch
from tests.browser.replaying import MATCHES, START, THREE, expect_place, lines_of, show
from tests.services import DATABASE, Site
from tests.shared import SETTINGS, archive

SIZES = {"wide": (1280, 800), "phone": (390, 844)}
PATIENCE_MS = 60_000
"""How long a test waits for what must come: a busy machine is slow, and waiting costs nothing."""
expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mine = [item for item in items if item.path.is_relative_to(Path(__file__).parent)]
    for item in mine:
        item.add_marker(pytest.mark.browser)
    if mine and len(mine) < len(items):
        # Synchronous Playwright leaves a running event loop that breaks async tests.
        raise pytest.UsageError("tests/browser needs a run of its own: make browser-test")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site, with every match of tests/matches in its archive and a worker."""
    var = tmp_path_factory.mktemp("site")
    shutil.copytree(archive(), var, dirs_exist_ok=True)
    with Site(var, SETTINGS) as site, site.working():
        yield site.start()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = launch(playwright)
    yield browser
    browser.close()


REFUSED = re.compile(r'"((?:POST|PUT|DELETE) \S+)" ([45]\d\d)')
_LEFT = "WebSocket is closed before the connection is established"


class Faults:
    """What went wrong on a test's pages, less what the test expects."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.seen: list[str] = []
        self.expected: list[str] = []

    def expect(self, part: str) -> None:
        """Let pass what holds `part`."""
        self.expected.append(part)

    def watch(self, page: Page) -> None:
        """Note everything that `page` complains about."""
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.seen.append(f"exception: {error}"))
        page.on("request", self._check_address)
        page.on("requestfailed", lambda r: self._note(r.failure or "", r.url))

    def _hear(self, message: ConsoleMessage) -> None:
        where = message.location.get("url", "")
        self._note(message.type, f"{message.text} {where}", when={"error", "warning"})

    def _note(self, kind: str, text: str, when: set[str] | None = None) -> None:
        # A page that is left gives up what it was loading or opening: nobody's fault.
        given_up = kind == "net::ERR_ABORTED" or _LEFT in text
        if not given_up and (when is None or kind in when):
            self.seen.append(f"{kind}: {text}")

    def _check_address(self, request: Request) -> None:
        if not request.url.startswith((f"{self.origin}/", "data:", "blob:")):
            self.seen.append(f"request left the site: {request.url}")
        if request.url == f"{self.origin}/faults":  # also of faults that no console shows
            self.seen.append(f"reported: {request.post_data}")

    def unexpected(self) -> list[str]:
        """What no `expect` covers."""
        return [seen for seen in self.seen if not any(part in seen for part in self.expected)]


def refused(log: Path, begun: int) -> list[str]:
    """Changes that the site has refused since; a page that was left does not say so."""
    written = log.read_bytes()[begun:].decode()
    changes = [(HTTPStatus(int(status)), what) for what, status in REFUSED.findall(written)]
    return [f"refused: {status} ({status.phrase}) {what}" for status, what in changes]


@pytest.fixture
def faults(site: Site) -> Iterator[Faults]:
    faults = Faults(site.url)
    begun = site.log.stat().st_size
    yield faults
    if "LATE_MS" in os.environ:
        faults.seen += refused(site.log, begun)
    assert faults.unexpected() == []


def visit(browser: Browser, site: Site, **options: Any) -> BrowserContext:
    """A fresh visitor's browser, in which nothing is given up early."""
    context = browser.new_context(base_url=site.url, **options)
    context.set_default_timeout(PATIENCE_MS)
    if rate := float(os.environ.get("LATE_CPU", "0")):
        context.on("page", partial(slow_down, rate=rate))
    return context


def slow_down(page: Page, rate: float) -> None:
    """Give `page` a processor that is `rate` times slower."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": rate})


@pytest.fixture
def open_page(browser: Browser, site: Site, faults: Faults) -> Iterator[Callable[..., Page]]:
    """``open_page("phone", color_scheme="dark")``: a fresh visitor's page, watched for faults."""
    contexts: list[BrowserContext] = []

    def open_(size: str = "wide", **options: Any) -> Page:
        width, height = SIZES[size]
        touch = size == "phone"
        viewport = {"width": width, "height": height}
        context = visit(browser, site, viewport=viewport, has_touch=touch, **options)
        contexts.append(context)
        page = context.new_page()
        faults.watch(page)
        return page

    yield open_
    for context in contexts:
        giving_up.close(context, site)


@pytest.fixture(params=SIZES)
def page(request: pytest.FixtureRequest, open_page: Callable[..., Page]) -> Page:
    """A page at each width in turn; goto() takes addresses within the site."""
    return open_page(request.param)


@pytest.fixture(params=["wide-light", "phone-dark"])
def themed(request: pytest.FixtureRequest, open_page: Callable[..., Page]) -> Page:
    """A page in each theme, each at a width of its own: colours do not depend on the width."""
    size, scheme = request.param.split("-")
    return open_page(size, color_scheme=scheme)


@pytest.fixture
def wide(open_page: Callable[..., Page]) -> Page:
    """A page 1280 px wide."""
    return open_page("wide")


@pytest.fixture
def phone(open_page: Callable[..., Page]) -> Page:
    """A page 390 px wide, with touch."""
    return open_page("phone")


@pytest.fixture(scope="session")
def address(site: Site) -> Callable[[str], str]:
    """The page of the match of that file, or of that record id."""

    def find(name: str) -> str:
        path = MATCHES / f"{name}.ratuki"
        record = lines_of(name)[0]["id"] if path.exists() else name
        with closing(sqlite3.connect(site.var / DATABASE)) as database:
            ask = "SELECT id FROM games_match WHERE record_id = ?"
            (key,) = database.execute(ask, (record,)).fetchone()
        return f"/matches/{key}/"

    return find


@pytest.fixture(scope="session")
def three(address: Callable[[str], str]) -> str:
    return address(THREE)


@pytest.fixture(scope="session")
def untouched(
    site: Site, address: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory
) -> str:
    """The match of three once more, for tests that no other test's notes may stop."""
    header, lines = (MATCHES / f"{THREE}.ratuki").read_text().split("\n", 1)
    record = {**json.loads(header), "id": "untouched"}
    path = tmp_path_factory.mktemp("records") / "untouched.ratuki"
    path.write_text(f"{json.dumps(record)}\n{lines}")
    site.manage("import_records", str(path))
    return address("untouched")


@pytest.fixture(scope="session")
def long(site: Site) -> str:
    """A match of five players and many rounds."""
    bots = "taker,builder,starver,runner,first-fit"
    site.manage("simulate", "--matches=1", f"--bots={bots}", "--set=target=760", "--seed=7")
    code = "from games.models import Match; print(Match.objects.latest('pk').pk)"
    return f"/matches/{site.manage('shell', '-v', '0', '-c', code).strip()}/"


@pytest.fixture
def begun(wide: Page, untouched: str) -> Page:
    """The match of three, some way into its first round."""
    show(wide, f"{untouched}?seq={START + 1}")
    expect_place(wide, 1, START)
    return wide
