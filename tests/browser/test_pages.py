"""Every page: no complaints, readable by machines, no wider than its window, in both themes."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

Check = Callable[[Page], None]


def test_home_is_accessible(themed: Page, axe: Check, no_sideways_scroll: Check) -> None:
    themed.goto("/")
    axe(themed)
    no_sideways_scroll(themed)


def test_a_page_that_is_not_there_leads_back(
    page: Page, axe: Check, no_sideways_scroll: Check, faults
) -> None:
    faults.expect("404")
    page.goto("/nowhere")
    axe(page)
    no_sideways_scroll(page)
    page.get_by_role("link", name="home page").click()
    expect(page).to_have_url("/")


def test_theme_switch_is_kept(wide: Page) -> None:
    wide.goto("/")
    root = wide.locator("html")
    switch = wide.get_by_role("button", name="Theme")
    switch.click()
    expect(root).to_have_attribute("data-theme", "light")
    switch.click()
    expect(root).to_have_attribute("data-theme", "dark")
    wide.reload()
    expect(root).to_have_attribute("data-theme", "dark")
    expect(wide.get_by_role("button", name="Theme: dark")).to_be_visible()
    switch.click()
    expect(root).not_to_have_attribute("data-theme", "dark")


def test_skip_link_goes_to_the_content(wide: Page) -> None:
    wide.goto("/")
    wide.keyboard.press("Tab")
    skip = wide.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    wide.keyboard.press("Enter")
    expect(wide.locator("#main")).to_be_focused()
