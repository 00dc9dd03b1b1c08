"""What tests of the replay page share: recorded matches, and where the cursor stands."""

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import FrameLocator, Locator, Page, Route, expect

from tests.services import ROOT

MATCHES = ROOT / "tests" / "matches"
THREE = "valid-full-match-3"

Line = dict[str, Any]


def lines_of(name: str) -> list[Line]:
    return [json.loads(line) for line in (MATCHES / f"{name}.ratuki").read_text().splitlines()]


def rounds_of(name: str) -> list[list[Line]]:
    """The events of each round."""
    rounds: list[list[Line]] = []
    for line in lines_of(name):
        if "decks" in line:
            rounds.append([])
        elif "do" in line:
            rounds[-1].append(line)
    return rounds


def show(page: Page, url: str) -> Page:
    page.goto(url)
    expect(page.locator(".board .card").first).to_be_attached()
    return page


def expect_moved(page: Page) -> None:
    """Cards have moved, and not jumped. The page has MARKED as a script."""
    expect(page.locator("html[data-moved]")).to_be_attached()


def expect_place(page: Page | FrameLocator, round_number: int, event: int) -> None:
    table = page.locator("#table")
    expect(table).to_have_attribute("data-round", str(round_number))
    expect(table).to_have_attribute("data-event", str(event))


def holding(page: Page) -> Page:
    """A page, before its first address, whose requests `held` can hold.

    If requests are intercepted only later, the browser may let the next one pass.
    """
    page.route("**/no-such-address", lambda route: route.continue_())
    return page


def held(page: Page, url: str, act: Callable[[], object]) -> Callable[[], None]:
    """Do what sends a request; it goes on when the test calls what it is given."""
    coming: list[Route] = []

    def keep(route: Route) -> None:
        coming.append(route)

    page.route(url, keep, times=1)
    with page.expect_request(url):
        act()
    page.title()  # an answer of the browser's: what it said before, that the request waits, is here
    return coming[0].continue_


def expect_all_in_view(page: Page, *sizes: tuple[int, int]) -> None:
    """Verdict, every seat, timeline and Play are in windows of these sizes, without scrolling."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        for place in page.locator("#verdict, .seat, .scrub-track, #toggle").all():
            expect(place).to_be_in_viewport(ratio=1)


def list_all(page: Page) -> None:
    """Let the list show every event."""
    page.get_by_label("What the list shows").select_option("All")


def more(page: Page) -> Locator:
    """The menu with what is needed now and then, open."""
    details = page.locator(".menu.more")
    if details.get_attribute("open") is None:
        details.locator("> summary").click()
    return details


def sharing(page: Page) -> Locator:
    """The dialog that shares what is shown, open."""
    page.get_by_role("button", name="Share", exact=True).click()
    return page.get_by_role("dialog", name="Share")


def choose(page: Page, name: str) -> Locator:
    """The panel of that tab, shown."""
    tab = page.get_by_role("tab", name=re.compile(f"^{name}"))
    tab.click()
    return page.locator(f"#{tab.get_attribute('aria-controls')}")


def try_here(page: Page) -> None:
    """Begin to play differently from where the cursor stands."""
    panel = choose(page, "What if?")
    panel.get_by_role("button", name="Play on from here").click()


def figures(page: Page, name: str) -> Locator:
    """A view of the figures, below the table."""
    tab = page.locator("#below-tabs").get_by_role("tab", name=name, exact=True)
    tab.click()
    return page.locator(f"#{tab.get_attribute('aria-controls')}")


def open_charts(page: Page) -> None:
    """Turn to the charts, which are loaded only then."""
    figures(page, "Charts")
    expect(page.locator("#charts .chart").first).to_be_attached()
    page.locator("#charts").scroll_into_view_if_needed()


def numbers(events: list[Line], *kinds: str) -> list[int]:
    """Which events, counted from 1, are of these kinds; a take is a play that takes."""
    return [n for n, e in enumerate(events, 1) if ("take" if "takes" in e else e["do"]) in kinds]


def at(events: list[Line], t: int) -> int:
    """How many events had happened by then."""
    return sum(event["t"] <= t for event in events)


FIRST, *_, LAST = rounds_of(THREE)
ROUNDS = len(rounds_of(THREE))
START = 60
T = FIRST[START - 1]["t"]
HELD = """const { animate } = Element.prototype;
Element.prototype.animate = function (frames, options) {
  const motion = animate.call(this, frames, options);
  if (this.classList.contains("shout")) {
    motion.pause();
    motion.currentTime = options.duration / 2;
  }
  return motion;
};"""
"""As a script of the page: a word over the table stays until a test has seen it."""
MARKED = """const move = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  if (this.classList.contains("card")) document.documentElement.dataset.moved = "";
  return move.apply(this, how);
};"""
"""As a script of the page: a card that moves leaves a mark, also if no frame shows it moving."""
DRAWN = """async () => {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
}"""
SHIFTS = """window.shifts = [];
const called = ({ node }) => node?.id || node?.className || node?.nodeName;
new PerformanceObserver((seen) => shifts.push(...seen.getEntries()
  .filter((entry) => !entry.hadRecentInput)
  .map(({ value, startTime, sources }) => [value, startTime, sources.map(called)])))
  .observe({ type: "layout-shift", buffered: true })"""
"""As browsers count them: what a press moves at once is no shift. How much, when and what."""
SETTLED = """async () => {
  await document.fonts.ready;
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  return shifts;
}"""


def expect_still(page: Page, most: float = 0.01) -> None:
    """Less has shifted since the address was opened, without a press, until all is drawn."""
    shifts = page.evaluate(SETTLED)
    assert sum(shift[0] for shift in shifts) < most, f"{page.url} shifts: {shifts}"


def to_the_question(page: Page) -> None:
    """Skip the play before a question, unless it has come there by itself meanwhile."""
    question = page.get_by_role("button", name="Show what happened")
    skip = page.get_by_role("button", name="To the question")
    expect(skip.or_(question)).to_be_visible()
    skip.evaluate_all("(found) => found.forEach((button) => button.click())")
    expect(question).to_be_visible()
