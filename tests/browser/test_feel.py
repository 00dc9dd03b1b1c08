"""How it feels: a take and a win are moments, and sound and motion can be switched off."""

import time

from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE_MS
from tests.browser.replaying import HELD, THREE, more, rounds_of, show

LARGEST, ROUND, EVENT = max(
    (event["takes"], number, n)
    for number, events in enumerate(rounds_of(THREE), 1)
    for n, event in enumerate(events, 1)
    if "takes" in event
)
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


def see_the_largest_take(page: Page) -> None:
    """Go to it by its row in the list."""
    row = page.locator(f'.event-button[data-round="{ROUND}"][data-event="{EVENT}"]')
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not row.count():
        assert time.monotonic() < deadline, f"{row} is not in the list"
        page.locator("#events").evaluate(SCROLL)
    row.click()
    expect(page.locator(".shout-take").first).to_have_text(f"+{LARGEST}")


def switch_off(page: Page, *names: str) -> None:
    """Switch these off, for this visit and the next."""
    for name in names:
        more(page).get_by_role("button", name=name).click()
    show(page, f"{page.url.partition('?')[0]}?round=1&t=0")
    more(page)
    for name in names:
        expect(page.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "false")


def test_a_take_is_heard_and_celebrated_unless_that_is_switched_off(wide: Page, three: str) -> None:
    wide.add_init_script(TONES)
    wide.add_init_script(HELD)
    show(wide, f"{three}?round=1&t=0")
    see_the_largest_take(wide)
    assert wide.evaluate("tones") > 3
    weight = "one => Number(one.style.getPropertyValue('--weight'))"
    assert wide.locator(".shout-take").evaluate(weight) > 0.5
    switch_off(wide, "Sound", "Motion")
    see_the_largest_take(wide)
    expect(wide.locator(".burst")).to_have_count(0)
    assert wide.evaluate("tones") == 0
