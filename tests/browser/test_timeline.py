"""The timeline of a long match. What a timeline shows, and where: tests/js/timeline.test.js."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.replaying import show
from tests.services import Site

Check = Callable[[Page], None]


@pytest.fixture(scope="module")
def long(site: Site) -> str:
    """A match of many rounds."""
    site.manage(
        "simulate",
        "--matches",
        "1",
        "--bots",
        "taker,builder",
        "--set",
        "target=400",
        "--seed",
        "7",
    )
    code = "from games.models import Match; print(Match.objects.latest('pk').pk)"
    return f"/matches/{site.manage('shell', '-v', '0', '-c', code).strip()}/"


def test_a_long_match_shows_its_round_and_all_rounds_as_cells(
    themed: Page, long: str, axe: Check, no_sideways_scroll: Check
) -> None:
    page = show(themed, long)
    expect(page.locator("#round-now")).to_have_text(re.compile(r"^Round 1 of ([7-9]|\d\d)$"))
    rounds = int(page.locator("#round-now").inner_text().split()[-1])
    cells = page.locator(".overview-round")
    expect(cells).to_have_count(rounds)
    expect(page.locator(".scrub-round")).to_have_count(1)
    cells.nth(3).click()
    expect(page.locator("#round-now")).to_have_text(f"Round 4 of {rounds}")
    expect(cells.nth(3)).to_have_attribute("aria-current", "true")
    expect(cells.nth(0)).to_have_attribute("aria-label", re.compile(r"Round 1: .* ahead with \d"))
    sizes = cells.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect())")
    assert len({(round(one["width"]), round(one["y"])) for one in sizes}) == 1  # all in one row
    page.locator(".overview").evaluate("(rounds) => { rounds.style.maxInlineSize = '90px'; }")
    cells.last.evaluate("(cell) => cell.click()")  # a press would scroll there by itself
    expect(cells.last).to_have_attribute("aria-current", "true")
    expect(cells.last).to_be_in_viewport()
    no_sideways_scroll(page)
    axe(page)
