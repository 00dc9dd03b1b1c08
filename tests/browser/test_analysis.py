"""The Analysis tab: first on a finished match, its moments lead into it, hidden with results."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect


def test_a_finished_match_opens_with_what_mattered(
    page: Page, three: str, axe: Callable[[Page], None], no_sideways_scroll: Callable[[Page], None]
) -> None:
    page.goto(three)
    tab = page.get_by_role("tab", name="Analysis")
    expect(tab).to_have_attribute("aria-selected", "true")
    panel = page.locator("#panel-analysis")
    expect(panel.get_by_role("heading", level=2)).to_contain_text("won")
    moments = panel.locator(".moments > li")
    expect(moments.first.locator(".moment-picture")).to_be_attached()
    assert 3 <= moments.count() <= 7
    expect(page.locator("#chances")).to_contain_text("Chance to win")
    axe(page)
    no_sideways_scroll(page)


def test_a_moment_leads_into_the_match(wide: Page, three: str) -> None:
    wide.goto(three)
    expect(wide.locator(".moments > li").first).to_be_visible()
    wide.keyboard.press(".")
    table = wide.locator("#table")
    expect(table).not_to_have_attribute("data-event", "0")
    wide.keyboard.press(" ")
    wide.locator(".player-figures .figure").first.click()
    expect(table).to_have_attribute("data-round", "1")
    wide.get_by_role("button", name="Points", exact=True).click()
    expect(wide.locator("th[aria-sort=descending]")).to_have_text("Points")


def test_whoever_hides_results_is_told_nothing(wide: Page, three: str) -> None:
    wide.goto(three)
    wide.get_by_role("button", name="Hide results").click()
    expect(wide.get_by_role("tab", name="Events")).to_have_attribute("aria-selected", "true")
    expect(wide.get_by_role("tab", name="Analysis")).to_have_count(0)
    expect(wide.locator("#chances")).to_have_count(0)
