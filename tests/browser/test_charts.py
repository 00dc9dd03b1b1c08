"""The charts of the replay page: one cursor with the table, both themes, nothing leaves the site.

Console errors, broken policies and requests to elsewhere fail any of these tests (`faults`).
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Position, expect

from tests.browser.checking import check_page, no_sideways_scroll
from tests.browser.replaying import SHIFTS, expect_still, open_charts
from tests.narrowing import present

NAMES = ("ownership", "scores", "fed")
CURSOR = "new DOMMatrix(getComputedStyle(element).transform).e"
INSIDE = """[...table.querySelectorAll('.seat')].every((seat) =>
  seat.querySelector('.spot-score').getBoundingClientRect().right
    <= seat.getBoundingClientRect().right)"""
"""Whether a small table's seats hold their piles."""
DECK_LINE = ".chart-scores .scatterlayer path.js-line"


@pytest.fixture
def three(address: Callable[[str], str]) -> str:
    """A finished match of three rounds or more by three."""
    return address("m7dedb246")


def drawn_charts(page: Page, url: str) -> None:
    page.goto(url)
    open_charts(page)
    for name in NAMES:
        expect(page.locator(f".chart-{name} .main-svg").first).to_be_attached()
        expect(page.locator(f".chart-{name} .chart-message")).to_be_hidden()


def cursor_x(page: Page, name: str) -> float:
    cursor: Locator = page.locator(f".chart-{name} .chart-cursor")
    return float(cursor.evaluate(f"element => {CURSOR}"))


def test_charts_are_drawn_and_accessible(themed: Page, three: str) -> None:
    drawn_charts(themed, three)
    for title in ("Stack ownership", "The score race", "Who fed whom"):
        expect(themed.get_by_role("heading", name=title)).to_be_visible()
    expect(themed.locator(".chart-ownership .ytick text")).to_have_text(
        ["most taken", "stack 1", "stack 2", "stack 3"]
    )
    names = [re.compile(rf"{sign} P{seat}\s?[+−]?\d+$") for seat, sign in enumerate("●▲■")]
    expect(themed.locator(".chart-ownership .y2tick text")).to_have_text(names)
    for seat, mark in enumerate(themed.locator(".chart-ownership .y2tick tspan").all()):
        assert f"--deck-{seat})" in str(mark.get_attribute("style")), "in its deck's colour"
    expect(themed.locator(".chart-scores .xtitle")).to_have_text("time in the round, min:s")
    _open_numbers(themed, "Who fed whom", most=3)
    check_page(themed)  # the next table has hundreds of rows of the same make: that takes long
    race = _open_numbers(themed, "The score race", most=500)
    expect(race).to_have_attribute("tabindex", "0")  # it scrolls, with keys too
    expect(race.locator("tbody tr").first).to_contain_text("−32")
    no_sideways_scroll(themed)


def _open_numbers(page: Page, title: str, most: int) -> Locator:
    """The table of a chart's numbers, of so many rows at most."""
    page.get_by_text(f"{title}, in numbers").click()
    table = page.get_by_role("region", name=f"{title}, in numbers")
    expect(table.locator("tbody tr").nth(2)).to_be_attached()
    assert table.locator("tbody tr").count() <= most
    return table


def test_the_library_comes_late_and_the_charts_follow_table_and_theme(
    wide: Page, three: str
) -> None:
    asked: list[str] = []
    wide.on("request", lambda request: asked.append(request.url))
    wide.emulate_media(color_scheme="light")
    wide.set_viewport_size({"width": 1280, "height": 300})
    wide.goto(f"{three}?round=1&t=0")
    expect(wide.locator(".board .card").first).to_be_attached()
    wide.keyboard.press("ArrowRight")
    expect(wide.locator("#table")).to_have_attribute("data-event", "1")
    assert not any("plotly" in url for url in asked)
    with wide.expect_response(re.compile(r"charts\?round=1$")):
        open_charts(wide)
    expect(wide.locator(".chart-fed .main-svg").first).to_be_attached()
    assert sum("plotly" in url for url in asked) == 1
    # Each chart is configured as tests/js/chartplaces.test.js wants it, and has no buttons.
    for plot in wide.locator(".chart-plot").all():
        used = plot.evaluate("element => element._context")
        assert used["showSendToCloud"] is False
        assert used["plotlyServerURL"] == ""
    expect(wide.locator(".modebar-btn")).to_have_count(0)
    with wide.expect_response(re.compile(r"charts\?round=4$")):
        wide.keyboard.press("End")
    expect(wide.locator(".chart-ownership .chart-cursor")).to_be_visible()
    # The charts follow the system, and the site's own switch.
    line = wide.locator(DECK_LINE).first
    colour = "element => getComputedStyle(element).stroke"
    light = line.evaluate(colour)
    wide.emulate_media(color_scheme="dark")
    expect(line).not_to_have_css("stroke", light)
    wide.get_by_role("button", name="Theme").click()
    expect(line).to_have_css("stroke", light)


def test_each_chart_names_the_event_and_leads_there(wide: Page, three: str) -> None:
    drawn_charts(wide, three)
    plot = wide.locator(".chart-ownership")
    box = present(plot.bounding_box())
    plot.hover(position={"x": box["width"] * 0.45, "y": box["height"] * 0.5})
    words = wide.locator(".chart-reading")
    expect(words).to_contain_text(re.compile(r"0:\d\d\.\d .*(plays|takes|starts|Tie)"))
    expect(words).to_contain_text("n the center: ● ")
    expect(wide.locator(".hoverlayer .hovertext")).to_have_count(0)
    for name in NAMES:
        _click(wide, name)


def _click(page: Page, name: str) -> None:
    """The middle of a chart leads away from the match's start; the address follows the table."""
    table, start = page.locator("#table"), re.compile(r"\?round=1&t=0&below=charts")
    page.keyboard.press("Home")
    expect(table).to_have_attribute("data-event", "0")
    expect(page).to_have_url(start)
    chart = page.locator(f".chart-{name}")
    box = present(chart.bounding_box())
    across = 0.3 if name == "fed" else 0.5  # in its middle a player would meet themselves
    chart.click(position={"x": box["width"] * across, "y": box["height"] * 0.5})
    expect(page).not_to_have_url(start)
    expect(table).not_to_have_attribute("data-event", "0")
    told = re.compile(r"\w+ (takes|plays|starts|draws|disc)")
    expect(page.locator("#now")).to_contain_text(told)


def test_one_cursor_goes_through_charts_and_table(page: Page, three: str) -> None:
    drawn_charts(page, f"{three}?round=1&t=20000")
    first = cursor_x(page, "ownership")
    assert _cursor_share(page, "ownership") == _cursor_share(page, "scores")
    page.keyboard.press("]")
    expect(page.locator(".chart-ownership .chart-cursor")).not_to_have_attribute(
        "style", re.compile(f"translateX\\({first:.1f}px\\)")
    )
    assert cursor_x(page, "ownership") > first
    assert _cursor_share(page, "ownership") == _cursor_share(page, "scores")
    chart = page.locator(".chart-ownership")
    chart.scroll_into_view_if_needed()
    place = chart.evaluate("chart => chart.getBoundingClientRect().top")
    box = present(chart.bounding_box())
    chart.click(position={"x": box["width"] * 0.5, "y": box["height"] * 0.5})
    expect(page.locator(".beside .board .card").first).to_be_attached()
    expect(page.locator(".beside-caption")).to_contain_text("Round 1, ")
    assert abs(chart.evaluate("chart => chart.getBoundingClientRect().top") - place) < 2
    beside = present(page.locator(".beside").bounding_box())
    assert beside["y"] < present(page.viewport_size)["height"]
    assert page.locator(".beside").evaluate(f"table => {INSIDE}")
    _show_the_whole_match_and_one_of_its_rounds(page)
    # Everything of the others is pale, and only that, until the player is pressed again.
    page.mouse.move(0, 0)
    page.get_by_role("button", name="P1", exact=True).press("Enter")
    pale, ends = page.locator(".chart-scores .trace.is-pale"), ".chart-scores .annotation"
    expect(pale).to_have_count(4)  # the lines and the takes of two
    expect(page.locator(f"{ends}.is-pale")).to_have_count(2)
    # What was chosen is in the address, and comes back with it.
    page.get_by_role("button", name="Whole match").click()
    expect(page).to_have_url(re.compile(r"below=charts&of=match&only=1$"))
    page.reload()
    expect(page.get_by_role("button", name="Whole match")).to_have_attribute("aria-pressed", "true")
    expect(pale).to_have_count(4)
    page.get_by_role("button", name="P1", exact=True).press("Enter")
    expect(pale).to_have_count(0)


def _cursor_share(page: Page, name: str) -> float:
    """Where the cursor is, as a fraction of its plot."""
    cursor = present(page.locator(f".chart-{name} .chart-cursor").bounding_box())
    area = f".chart-{name} .xy .nsewdrag, .chart-{name} .nsewdrag[data-subplot=xy]"
    plot = present(page.locator(area).bounding_box())
    return round((cursor["x"] - plot["x"]) / plot["width"], 2)


def _show_the_whole_match_and_one_of_its_rounds(page: Page) -> None:
    axis = page.locator(".chart-scores .xtitle")
    expect(axis).to_have_text("time in the round, min:s")
    page.evaluate(SHIFTS)
    whole = page.get_by_role("button", name="Whole match")
    whole.click()
    expect(whole).to_have_attribute("aria-pressed", "true")
    expect(axis).to_have_text("round")
    expect(page.locator(".chart-ownership .annotation-text").first).to_contain_text("each round")
    expect_still(page)
    plot = page.locator(
        ".chart-ownership .xy .nsewdrag, .chart-ownership .nsewdrag[data-subplot=xy]"
    )
    plot.scroll_into_view_if_needed()
    box = present(plot.bounding_box())
    last = Position(x=box["width"] * 0.95, y=box["height"] * 0.9)
    plot.hover(position=last)
    expect(page.locator(".chart-reading")).to_contain_text(re.compile(r"Round\s4: P2 took "))
    expect(page.locator(".chart-ownership .chart-frame")).to_have_count(1)
    plot.click(position=last)
    expect(axis).to_have_text("time in the round, min:s")
    expect(page.locator("#table")).to_have_attribute("data-round", "4")
