"""The report that is sent as one file, as a reader opens it on a phone in the dark."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from replays.analysis import Findings, read
from replays.charts import CHARTS
from replays.management.report_page import page as report
from tests.browser.replaying import MATCHES

Check = Callable[[Page], None]
COLOURS = """[...document.querySelectorAll('.chart')].map((chart) =>
  [...chart.querySelectorAll('.xtick text')].map((text) => getComputedStyle(text).fill)[0])"""


def test_its_charts_are_the_sites_on_a_phone_in_the_dark_and_on_paper(
    open_page: Callable[..., Page], axe: Check, no_sideways_scroll: Check
) -> None:
    phone = open_page("phone", color_scheme="dark")
    phone.set_content(report(Findings(read(str(MATCHES / "valid-hasbro-2010-5.ratuki")))))
    expect(phone.locator(".chart .main-svg:first-child")).to_have_count(len(CHARTS))
    expect(phone.locator("#curve path.deck-4")).to_be_attached()
    no_sideways_scroll(phone)
    axe(phone)
    dark = phone.evaluate(COLOURS)
    phone.get_by_text("The score race, in numbers").click()
    expect(phone.get_by_role("columnheader", name="Round")).to_be_visible()
    phone.emulate_media(color_scheme="light")
    expect(phone.locator(".xtick text").first).not_to_have_css("fill", dark[0])
    phone.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(phone.locator("html")).to_have_class("is-printing")
