"""How soon the table of a replay is up and can be stepped, beside an empty page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.chromium import launch
from tests.services import ROOT, Site

VISITS = 15
MATCH = ROOT / "tests" / "matches" / "valid-full-match-3.ratuki"
EMPTY = "<!doctype html><title>Empty</title><p id=up>Empty"
UP = """(wanted) => {
  const look = () => {
    if (document.querySelector(wanted)) window.upAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
SEEN = """new Promise((done) => {
  const look = () => (window.upAt ? done(window.upAt) : requestAnimationFrame(look));
  look();
})"""
BYTES = """(ending) => performance.getEntries()
  .filter((entry) => entry.transferSize && entry.responseEnd <= window.upAt)
  .filter((entry) => new URL(entry.name).pathname.endsWith(ending))
  .reduce((sum, entry) => sum + entry.transferSize, 0)"""
STEPPABLE = ".event-button[aria-current]"
"""The event list marks its line once the table is drawn and the keys are bound."""


def page_figures(site: Site) -> Iterator[str]:
    """Lines with the sizes of the page and the times to its table."""
    site.manage("demo", "--prepare", "--bare")
    site.manage("import_records", str(MATCH))
    site.start()
    with _browser() as browser:
        empty = [_visit(browser, site, "/empty", "#up")[0] for _ in range(VISITS)]
        visits = [_visit(browser, site, "/matches/1/", STEPPABLE) for _ in range(VISITS)]
    took = [up for up, _, _ in visits]
    _, everything, scripts = visits[0]
    yield f"{everything:,} bytes until steppable, {scripts:,} of them scripts"
    yield (
        f"steppable after {median(took):.0f} ms, an empty page is up after {median(empty):.0f}: "
        f"{median(took) - median(empty):.0f} ms more"
    )


@contextmanager
def _browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


def _visit(browser: Browser, site: Site, address: str, wanted: str) -> tuple[float, int, int]:
    """ms from the start of a first visit until `wanted` is there; bytes of all and of scripts."""
    context = browser.new_context(base_url=site.url, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.route("**/empty", lambda route: route.fulfill(body=EMPTY, content_type="text/html"))
    page.add_init_script(f"({UP})({wanted!r})")
    page.goto(address, wait_until="commit")
    up = float(page.evaluate(SEEN))
    sizes = page.evaluate(BYTES, ""), page.evaluate(BYTES, ".js")
    if address != "/empty":
        _step(page)
    context.close()
    return up, *sizes


def _step(page: Page) -> None:
    """It is steppable only if it steps."""
    page.keyboard.press("ArrowRight")
    expect(page.locator(f'{STEPPABLE}[data-event="1"]')).to_be_attached()
