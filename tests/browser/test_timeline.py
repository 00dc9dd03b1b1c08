"""The timeline of a long match. What a timeline shows, and where: tests/js/timeline.test.js."""

import re

from playwright.sync_api import Page, expect

from tests.browser.checking import check_page
from tests.browser.replaying import choose, show

CONTROLS = """[...document.querySelectorAll(
    "#main :is(button, a, summary, select, input, [role=slider])")]
  .filter((one) => {
    const { top, bottom, width } = one.getBoundingClientRect();
    return one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      && width > 1 && top < innerHeight && bottom > 0
      && !one.closest(".overview, .events, .moments");
  }).map((one) => one.ariaLabel ?? one.textContent.trim())"""
"""In view: the timeline is one, and what a list shows is no control."""


def test_a_long_match_shows_its_round_and_all_rounds_as_cells(themed: Page, long: str) -> None:
    page = show(themed, f"{long}?round=1&event=0")
    expect(page.locator("#round-now")).to_have_text(re.compile(r"^Round\s1 of (2[6-9]|30)$"))
    rounds = int(page.locator("#round-now").inner_text().split()[-1])
    cells = page.locator(".overview-round")
    expect(cells).to_have_count(rounds)
    expect(page.locator(".scrub-round")).to_have_count(1)
    few = 12 if page.evaluate("innerWidth < 1000") else 13
    for tab, most in (("Moments", few), ("Events", few + 1)):  # what the list shows is chosen there
        choose(page, tab)
        controls = page.evaluate(CONTROLS)
        assert len(controls) <= most, (tab, controls)
    cells.nth(3).click()
    expect(page.locator("#round-now")).to_have_text(f"Round 4 of {rounds}")
    expect(cells.nth(3)).to_have_attribute("aria-current", "true")
    expect(cells.nth(0)).to_have_attribute("aria-label", re.compile(r"Round\s1: .* ahead with \d"))
    sizes = cells.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect())")
    assert len({(round(cell["width"]), round(cell["y"])) for cell in sizes}) == 1  # all in one row
    page.locator(".overview").evaluate("(rounds) => { rounds.style.maxInlineSize = '90px'; }")
    cells.last.evaluate("(cell) => cell.click()")  # a press would scroll there by itself
    expect(cells.last).to_have_attribute("aria-current", "true")
    expect(cells.last).to_be_in_viewport()
    check_page(page)
