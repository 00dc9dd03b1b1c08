"""Every page: no complaints, readable by machines, no wider than its window, in both themes."""

import re

from playwright.sync_api import Page, expect

from ratuki_site.bundling import minified_style
from tests.browser.checking import check_page
from tests.services import ROOT

RULES = """sheets => sheets.map((text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text.replaceAll(/@import[^;]*;/g, ""));
  return [...sheet.cssRules].map((rule) => rule.cssText).join(" ");
})"""
"""Style sheets as the browser reads them."""


def test_a_minified_style_sheet_says_the_same(wide: Page) -> None:
    homes = (ROOT / "games" / "static", ROOT / "replays" / "static")
    sheets = [file.read_text() for home in homes for file in sorted(home.rglob("*.css"))]
    wide.goto("/")
    read = wide.evaluate(RULES, [*sheets, *map(minified_style, sheets)])
    # Spaces in a value with a variable are kept as they are written.
    plain = [re.sub(r"\s*([\s,()])\s*", r"\1", rules).replace(" *:", " :") for rules in read]
    assert plain[: len(sheets)] == plain[len(sheets) :]


def test_home_and_the_way_back_to_it(themed: Page, faults) -> None:
    faults.expect("404")
    themed.goto("/nowhere")
    check_page(themed)
    themed.get_by_role("link", name="home page").click()
    expect(themed).to_have_url("/")
    check_page(themed)


def test_the_skip_link_leads_to_the_content_and_the_theme_is_kept(wide: Page) -> None:
    wide.goto("/")
    wide.keyboard.press("Tab")
    skip = wide.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    wide.keyboard.press("Enter")
    expect(wide.locator("#main")).to_be_focused()
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
