"""The charts of the replay page: one cursor with the table, both themes, nothing leaves the site.

Console errors, broken policies and requests to elsewhere fail any of these tests (`faults`).
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from tests.narrowing import present
from tests.services import Site

NAMES = ("slots", "ownership", "scores", "fed")
CURSOR = "new DOMMatrix(getComputedStyle(element).transform).e"
INSIDE = """[...table.querySelectorAll('.seat')].every((seat) =>
  seat.querySelector('.spot-score').getBoundingClientRect().right
    <= seat.getBoundingClientRect().right)"""
"""Whether a small table's seats hold their piles."""
DECK_LINE = ".chart-scores .scatterlayer path.js-line"

Check = Callable[[Page], None]


@pytest.fixture
def three(address: Callable[[str], str]) -> str:
    """A finished match of three rounds or more by three."""
    return address("m7dedb246")


def open_charts(page: Page, url: str) -> None:
    page.goto(url)
    page.locator("#charts").scroll_into_view_if_needed()
    for name in NAMES:
        expect(page.locator(f".chart-{name} .main-svg").first).to_be_attached()
        expect(page.locator(f".chart-{name} .chart-message")).to_be_hidden()


def cursor_x(page: Page, name: str) -> float:
    cursor: Locator = page.locator(f".chart-{name} .chart-cursor")
    return float(cursor.evaluate(f"element => {CURSOR}"))


def test_charts_are_drawn_and_accessible(
    themed: Page, three: str, axe: Check, no_sideways_scroll: Check
) -> None:
    open_charts(themed, three)
    for title in ("The stacks, from start to take", "The score race", "Who fed whom"):
        expect(themed.get_by_role("heading", name=title)).to_be_visible()
    expect(themed.locator(".chart-slots .ytick text").first).to_have_text("Stack 1")
    expect(themed.locator(".chart-scores .xtitle")).to_have_text("time in the round, min:s")
    for title, rows in (("Who fed whom", 3), ("The score race", 500)):
        themed.get_by_text(f"{title}, in numbers").click()
        table = themed.get_by_role("region", name=f"{title}, in numbers")
        expect(table.locator("tbody tr").nth(2)).to_be_attached()
        assert table.locator("tbody tr").count() <= rows
    expect(table.locator("tbody tr").first).to_contain_text("−32")
    no_sideways_scroll(themed)
    axe(themed)


def test_the_library_comes_only_when_the_charts_are_near(wide: Page, three: str) -> None:
    asked: list[str] = []
    wide.on("request", lambda request: asked.append(request.url))
    wide.set_viewport_size({"width": 1280, "height": 300})
    wide.goto(three)
    expect(wide.locator("#charts .chart").first).to_be_attached()
    wide.keyboard.press("ArrowRight")
    assert not any("plotly" in url for url in asked)
    wide.locator(".chart-fed").scroll_into_view_if_needed()
    expect(wide.locator(".chart-fed .main-svg").first).to_be_attached()
    assert sum("plotly" in url for url in asked) == 1


def test_nothing_leaves_the_site(wide: Page, three: str) -> None:
    open_charts(wide, three)
    config = wide.evaluate(
        """async () => {
          const charts = new URL(document.getElementById("charts").dataset.module, location.href);
          return (await import(new URL("plotly.js", charts).href)).CONFIG;
        }"""
    )
    assert config["showSendToCloud"] is False
    assert config["plotlyServerURL"] == ""
    for plot in wide.locator(".chart-plot").all():
        used = plot.evaluate("element => element._context")
        assert used["showSendToCloud"] is False
        assert used["plotlyServerURL"] == ""
    expect(wide.locator(".modebar-btn")).to_have_count(0)


def test_one_cursor_goes_through_charts_and_table(page: Page, three: str) -> None:
    open_charts(page, f"{three}?round=1&t=20000")
    first = cursor_x(page, "slots")
    assert first == cursor_x(page, "scores") == cursor_x(page, "ownership")
    page.keyboard.press("]")
    expect(page.locator(".chart-slots .chart-cursor")).not_to_have_attribute(
        "style", re.compile(f"translateX\\({first:.1f}px\\)")
    )
    assert cursor_x(page, "slots") > first
    assert cursor_x(page, "slots") == cursor_x(page, "scores")


def test_a_click_on_each_chart_goes_to_that_moment(wide: Page, three: str) -> None:
    open_charts(wide, three)
    table = wide.locator("#table")
    for name in NAMES:
        wide.keyboard.press("Home")
        expect(table).to_have_attribute("data-event", "0")
        start = re.compile(r"\?round=1&t=0$")
        expect(wide).to_have_url(start)  # it follows the table
        box = wide.locator(f".chart-{name}").bounding_box()
        assert box
        wide.locator(f".chart-{name}").click(
            position={"x": box["width"] * 0.5, "y": box["height"] * 0.5}
        )
        expect(wide).not_to_have_url(start)
        expect(table).not_to_have_attribute("data-event", "0")
        told = re.compile(r"\w+ (takes|plays|starts|draws|disc)")
        expect(wide.locator("#now")).to_contain_text(told)


def test_hovering_names_the_event(wide: Page, three: str) -> None:
    open_charts(wide, three)
    plot = wide.locator(".chart-ownership")
    box = plot.bounding_box()
    assert box
    plot.hover(position={"x": box["width"] * 0.4, "y": box["height"] * 0.5})
    words = wide.locator(".chart:has(.chart-ownership) .chart-reading")
    expect(words).to_contain_text(re.compile(r"0:\d\d\.\d .*(plays|takes|starts|Tie)"))
    expect(words).to_contain_text("In the center: P0")
    expect(wide.locator(".hoverlayer .hovertext")).to_have_count(0)


def test_a_click_leaves_a_table_in_sight(page: Page, three: str) -> None:
    open_charts(page, three)
    chart = page.locator(".chart-ownership")
    chart.scroll_into_view_if_needed()
    place = chart.evaluate("chart => chart.getBoundingClientRect().top")
    box = chart.bounding_box()
    assert box
    chart.click(position={"x": box["width"] * 0.5, "y": box["height"] * 0.5})
    expect(page.locator(".beside .board .card").first).to_be_attached()
    expect(page.locator(".beside-caption")).to_contain_text("Round 1, ")
    assert abs(chart.evaluate("chart => chart.getBoundingClientRect().top") - place) < 2
    beside = page.locator(".beside").bounding_box()
    assert beside
    assert beside["y"] < present(page.viewport_size)["height"]
    assert page.locator(".beside").evaluate(f"table => {INSIDE}")


def test_this_round_or_the_whole_match(page: Page, three: str) -> None:
    open_charts(page, three)
    whole = page.get_by_role("button", name="Whole match")
    whole.click()
    expect(whole).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".chart-slots .annotation-text").first).to_have_text("Round 1")
    expect(page.locator(".chart-scores .xtitle")).to_have_text("rounds end to end, min:s")
    page.get_by_role("button", name="This round").click()
    expect(page.locator(".chart-scores .xtitle")).to_have_text("time in the round, min:s")


def test_the_charts_follow_to_another_round(wide: Page, three: str) -> None:
    with wide.expect_response(re.compile(r"charts/\?round=1$")):
        open_charts(wide, three)
    with wide.expect_response(re.compile(r"charts/\?round=4$")):
        wide.keyboard.press("End")
    expect(wide.locator(".chart-slots .chart-cursor")).to_be_visible()


def test_the_theme_changes_the_charts_at_once(wide: Page, three: str) -> None:
    wide.emulate_media(color_scheme="light")
    open_charts(wide, three)
    line = wide.locator(DECK_LINE).first
    colour = "element => getComputedStyle(element).stroke"
    light = line.evaluate(colour)
    wide.emulate_media(color_scheme="dark")
    expect(line).not_to_have_css("stroke", light)
    dark = line.evaluate(colour)
    wide.get_by_role("button", name="Theme").click()
    expect(line).to_have_css("stroke", light)
    assert dark != light


def test_an_unfinished_match_has_charts(page: Page, address: Callable[[str], str]) -> None:
    with page.expect_response(re.compile(r"charts/\?round=1(&until=\d+)?$")):
        open_charts(page, address("mf3713fbf"))
    expect(page.locator(".chart-slots .chart-cursor")).to_be_visible()


def test_charts_without_spoilers_end_where_the_viewer_is(open_page, three: str, site: Site) -> None:
    page = open_page("wide")
    page.context.add_cookies([{"name": "spoilers", "value": "off", "url": site.url}])
    answers: list[Response] = []

    def note(answer: Response) -> None:
        if "charts/?" in answer.url:
            answers.append(answer)

    page.on("response", note)
    open_charts(page, three)
    figures = [answer.json()["slots"] for answer in answers]
    assert figures
    assert all(
        place["duration"] <= 31_000 for f in figures for place in f["layout"]["meta"]["rounds"]
    )
    assert all(len(figure["layout"]["meta"]["rounds"]) == 1 for figure in figures)
