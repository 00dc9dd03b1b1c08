"""How it feels: a big take is more than a small one, a win is a moment, touch users see no keys."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE_MS
from tests.browser.replaying import HELD, LAST, ROUNDS, THREE, lines_of, rounds_of, show
from tests.browser.tables import begin, sit

TAKES = [
    (event["takes"], number, n)
    for number, events in enumerate(rounds_of(THREE), 1)
    for n, event in enumerate(events, 1)
    if "takes" in event
]
SMALLEST, LARGEST = min(TAKES), max(TAKES)
TONES = """window.tones = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...args) {
  tones += 1;
  return start.apply(this, args);
};"""


SCROLL = """async (list) => {
  const end = list.scrollTop + list.clientHeight >= list.scrollHeight - 1;
  list.scrollTo(0, end ? 0 : list.scrollTop + 250);
  for (const _ of "12") await new Promise(requestAnimationFrame);
}"""
"""Scrolls on, from the end to the start, until the list shows what is there."""
WEIGHTS = """window.weights = [];
document.addEventListener("DOMContentLoaded", () => new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes)
    if (node.classList?.contains("shout-take"))
      weights.push(Number(node.style.getPropertyValue("--weight")));
}).observe(document.body, { subtree: true, childList: true }));"""


def take(page: Page, which: tuple[int, int, int]) -> None:
    """Go to a take by its row in the list."""
    _, round_number, event = which
    row = page.locator(f'.event-button[data-round="{round_number}"][data-event="{event}"]')
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not row.count():
        assert time.monotonic() < deadline, f"{row} is not in the list"
        page.locator("#events").evaluate(SCROLL)
    row.click()


def test_a_large_take_is_celebrated_more_than_a_small_one(wide: Page, three: str) -> None:
    wide.add_init_script(TONES)
    wide.add_init_script(WEIGHTS)
    show(wide, f"{three}?round=1&t=0")
    assert LARGEST[0] >= 3 * SMALLEST[0]
    take(wide, SMALLEST)
    expect(wide.locator("#table")).to_have_attribute("data-event", str(SMALLEST[2]))
    quiet = wide.evaluate("tones")
    take(wide, LARGEST)
    expect(wide.locator("#table")).to_have_attribute("data-event", str(LARGEST[2]))
    small, large = wide.evaluate("weights")
    assert large > 0.5 > small >= 0
    assert wide.evaluate("tones") - quiet > quiet > 0


def test_sound_and_motion_are_switched_off(wide: Page, three: str) -> None:
    wide.add_init_script(TONES)
    wide.add_init_script(HELD)
    show(wide, f"{three}?round=1&t=0")
    for name in ("Sound", "Motion"):
        wide.get_by_role("button", name=name).click()
    wide.reload()
    for name in ("Sound", "Motion"):
        expect(wide.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "false")
    take(wide, LARGEST)
    expect(wide.locator(".shout-take")).to_be_visible()
    expect(wide.locator(".burst")).to_have_count(0)
    assert wide.evaluate("tones") == 0


def test_a_win_is_a_moment_and_then_a_story(page: Page, three: str) -> None:
    page.add_init_script(HELD)
    show(page, f"{three}?round={ROUNDS}&t={LAST[-1]['t'] - 1}")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    result = next(line["result"] for line in lines_of(THREE) if "result" in line)
    name = lines_of(THREE)[0]["seats"][result[0]]["name"]
    expect(page.locator(".shout-win")).to_have_text(f"{name} wins!")
    facts = page.locator("#story li")
    expect(facts).to_have_count(3)
    expect(facts.nth(1)).to_contain_text(f"won {LARGEST[0]} cards")


def test_touch_users_see_no_keys(open_page: Callable[..., Page]) -> None:
    phone = open_page("phone")
    sit(phone)
    phone.locator("#how-to").tap()
    expect(phone.locator("#how-to kbd").first).to_be_hidden()
    begin(phone)
    phone.locator("#said, .said").first.tap()
    expect(phone.locator(".place-key").first).to_be_hidden()
    expect(phone.locator("#notice")).not_to_have_text(re.compile(r"press|Space"))


def test_a_new_table_is_shared_at_once(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/play/new/")
    page.get_by_role("button", name="Open the table").click()
    link = page.get_by_label("Send this link").input_value()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == link
