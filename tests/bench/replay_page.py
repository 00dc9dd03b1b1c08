"""The replay page: its bytes, and when its table can be stepped through, in Chromium.

Both pages are opened in turn in the same browser, each in a new context, so nothing is cached.
An empty page is what the browser needs for a document without content from a local server.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Thread
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Response, sync_playwright

from tests.bench.measure import tell
from tests.browser.chromium import launch
from tests.services import ROOT, Site

OPENINGS = 15
KINDS = {"document": "HTML", "script": "JavaScript", "stylesheet": "CSS"}
WATCH = """new MutationObserver((_, watch) => {
  const told = document.getElementById("now")?.dataset.words;
  if (!told || !document.querySelector("#table .card")) return;
  window.upAt = performance.now();
  watch.disconnect();
}).observe(document, { childList: true, subtree: true, attributes: true })"""
"""Notes when the table stands and says what happened: from then on it answers keys."""

SEEKS = """async () => {
  const spent = [];
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const scrubber = document.querySelector("#scrubber [role=slider]");
  const box = scrubber.getBoundingClientRect();
  for (let step = 0; step < 41; step += 1) {
    const clientX = box.left + box.width * ((step * 7919) % 997) / 997;
    const clientY = box.top + box.height / 2;
    const held = { button: 0, buttons: 1, pointerId: 1, isPrimary: true };
    const sign = { clientX, clientY, bubbles: true, ...held };
    const began = performance.now();
    scrubber.dispatchEvent(new PointerEvent("pointerdown", sign));
    for (let turn = 0; turn < 8; turn += 1) await null;
    spent.push(performance.now() - began);
    scrubber.dispatchEvent(new PointerEvent("pointerup", sign));
    await frame();
  }
  return spent.sort((a, b) => a - b)[20];
}"""
"""The median time of seeks to places all over the match, by the scrubber."""


def bench() -> None:
    """Print bytes and times."""
    with (
        TemporaryDirectory(prefix="ratuki-bench-") as folder,
        Site(Path(folder)) as site,
        sync_playwright() as playwright,
        _empty_page() as empty,
    ):
        site.prepare()
        site.manage("import_records", str(_record()))
        address = f"{site.start().url}/matches/1/"
        site.manage("simulate", "--matches", "1", "--seed", "1", "--set", "target=500")
        browser = launch(playwright)
        for kind, size in _bytes(browser, address).items():
            tell(f"replay page, {kind}", size / 1000, "kB gzipped")
        _tell_times(browser, empty, address)
        _tell_seeks(browser, address.replace("/1/", "/2/"))
        browser.close()


def _record() -> Path:
    return ROOT / "tests" / "matches" / "valid-full-match-3.ratuki"


def _tell_times(browser: Browser, empty: str, address: str) -> None:
    nothing, table = [], []
    for _ in range(OPENINGS):
        nothing.append(_loaded_ms(browser, empty))
        table.append(_steppable_ms(browser, address))
    tell("empty page loaded", median(nothing), "ms (wall)")
    tell("replay page steppable", median(table), "ms (wall)")
    over = median(mine - its for mine, its in zip(table, nothing, strict=True))
    tell("replay page over an empty page", over, "ms (wall)", "150 or less")


def _tell_seeks(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address, wait_until="load")
    rounds = len(page.evaluate("JSON.parse(document.getElementById('match').textContent).rounds"))
    page.keyboard.press("End")
    page.locator(".seat-chip", has_text="wins").wait_for()
    tell(f"seek in a match of {rounds} rounds", page.evaluate(SEEKS), "ms of script", "16 or less")
    page.context.close()


def _loaded_ms(browser: Browser, address: str) -> float:
    page = browser.new_page()
    page.goto(address, wait_until="load")
    ms: float = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventStart")
    page.context.close()
    return ms


def _steppable_ms(browser: Browser, address: str) -> float:
    page = browser.new_page()
    page.add_init_script(WATCH)
    page.goto(address, wait_until="load")
    page.locator("#now[data-words]").wait_for()
    ms: float = page.evaluate("window.upAt")
    _verify_steps(page)
    page.context.close()
    return ms


def _verify_steps(page: Page) -> None:
    now = page.locator("#now")
    before = now.get_attribute("data-words")
    page.keyboard.press("ArrowRight")
    assert now.get_attribute("data-words") != before, "the table does not answer a key"


def _bytes(browser: Browser, address: str) -> dict[str, int]:
    """Gzipped bytes by kind until the table is up, and of the chart library that comes later."""
    sizes = dict.fromkeys((*KINDS.values(), "chart library, later"), 0)
    page = browser.new_page()
    seen: list[Response] = []
    page.on("response", lambda response: seen.append(response))  # noqa: PLW0108
    page.goto(address, wait_until="networkidle")
    for response in seen:
        kind = KINDS.get(response.request.resource_type)
        if kind:
            late = "/vendor/" in urlsplit(response.url).path
            sizes["chart library, later" if late else kind] += len(gzip.compress(response.body()))
    page.context.close()
    return sizes


@contextmanager
def _empty_page() -> Iterator[str]:
    """The address of a document without content."""
    with HTTPServer(("127.0.0.1", 0), _Empty) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class _Empty(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Empty</title>")

    def log_message(self, *_: object) -> None:
        """Say nothing."""
