"""The report that is sent as one file, as a reader opens it on a phone in the dark."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from replays.analysis import Findings, read
from replays.analysis.figures import CHARTS
from replays.management.report_page import page as report
from tests.browser.replaying import MATCHES

LAID_OUT = """[...document.querySelectorAll('.chart')].map((chart) => {
  const title = chart.querySelector('.xtitle'), legend = chart.querySelector('.legend');
  const bottom = (element) => element.getBoundingClientRect().bottom;
  return {
    below: !legend || legend.getBoundingClientRect().top >= bottom(title),
    inside: !legend || bottom(legend) <= bottom(chart),
    ink: getComputedStyle(title).fill === getComputedStyle(document.body).color,
    paper: getComputedStyle(chart.querySelector('.main-svg')).backgroundColor,
  };
})"""


def test_its_charts_fit_a_phone_and_the_dark(
    open_page: Callable[..., Page], no_sideways_scroll: Callable[[Page], None]
) -> None:
    phone = open_page("phone", color_scheme="dark")
    phone.set_content(report(Findings(read(str(MATCHES / "valid-hasbro-2010-5.ratuki")))))
    expect(phone.locator(".chart .xtitle")).to_have_count(len(CHARTS))
    for chart in phone.evaluate(LAID_OUT):
        assert chart == {"below": True, "inside": True, "ink": True, "paper": "rgba(0, 0, 0, 0)"}
    no_sideways_scroll(phone)
    phone.emulate_media(color_scheme="light")
    expect(phone.locator(".xtitle").first).to_have_css("fill", "rgb(27, 29, 33)")
