"""The timeline under the table: the score race, long matches, hidden results; its controls."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.replaying import FIRST, START, expect_place, numbers, show
from tests.browser.tables import begin, sit
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


def test_the_score_race_is_the_timelines_background(wide: Page, three: str) -> None:
    show(wide, f"{three}?round=1&t=20000")
    lines = wide.locator(".scrub-score")
    expect(lines).to_have_count(3)
    to_the_far_side = re.compile(r"H([6-9]\d\d|\d{4})\.\d$")
    for line in lines.all():  # drawn again as more rounds arrive
        expect(line).to_have_attribute("d", to_the_far_side)


def test_a_long_match_shows_its_round_and_all_rounds_as_cells(
    page: Page, long: str, axe: Check, no_sideways_scroll: Check
) -> None:
    show(page, long)
    expect(page.locator("#round-now")).to_have_text(re.compile(r"^Round 1 of ([7-9]|\d\d)$"))
    rounds = int(page.locator("#round-now").inner_text().split()[-1])
    cells = page.locator(".overview-round")
    expect(cells).to_have_count(rounds)
    expect(page.locator(".scrub-round")).to_have_count(1)
    cells.nth(3).click()
    expect(page.locator("#round-now")).to_have_text(f"Round 4 of {rounds}")
    expect(cells.nth(3)).to_have_attribute("aria-current", "true")
    expect(cells.nth(0)).to_have_attribute("aria-label", re.compile(r"Round 1: .* ahead with \d"))
    page.locator(".overview").evaluate("(rounds) => { rounds.style.maxBlockSize = '40px'; }")
    cells.last.evaluate("(cell) => cell.click()")  # a press would scroll there by itself
    expect(cells.last).to_have_attribute("aria-current", "true")
    expect(cells.last).to_be_in_viewport()
    no_sideways_scroll(page)
    axe(page)


def test_where_results_are_hidden_nothing_is_drawn_ahead(
    open_page: Callable[..., Page], three: str, site: Site
) -> None:
    page = open_page("wide")
    page.context.add_cookies([{"name": "spoilers", "value": "off", "url": site.url}])
    show(page, three)
    expect(page.locator("#scrubber .scrub-take")).to_have_count(0)
    expect(page.locator("#no-end")).to_contain_text("Results are hidden")
    expect(page.get_by_role("button", name="To the end")).to_be_hidden()
    page.keyboard.press("End")
    expect_place(page, 1, 0)
    page.keyboard.press("]")
    expect_place(page, 1, numbers(FIRST, "take")[0])
    expect(page.locator("#scrubber .scrub-take")).to_have_count(1)
    expect(page.get_by_role("button", name="Show results")).to_be_visible()


def test_space_after_a_click_plays(begun: Page) -> None:
    begun.get_by_role("button", name="One event forward").click()
    expect_place(begun, 1, START + 1)
    begun.keyboard.press("Space")
    expect(begun.get_by_role("button", name="Pause")).to_be_visible()


def test_a_button_with_the_keyboards_focus_keeps_space(begun: Page) -> None:
    begun.get_by_role("button", name="Step: one event back").focus()
    begun.keyboard.press("Tab")
    begun.keyboard.press("Tab")
    expect(begun.get_by_role("button", name="One event forward")).to_be_focused()
    begun.keyboard.press("Space")
    expect_place(begun, 1, START + 1)
    expect(begun.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_controls_say_what_they_do(phone: Page, three: str, no_sideways_scroll: Check) -> None:
    show(phone, three)
    for word in ("Start", "Play", "End", "Take", "Race", "Round"):
        expect(phone.locator(".controls").get_by_text(word, exact=True)).to_be_visible()
    phone.get_by_role("button", name="Next take").tap()
    expect_place(phone, 1, numbers(FIRST, "take")[0])
    no_sideways_scroll(phone)


def test_a_live_match_does_not_say_how_many_rounds_it_has(open_page: Callable[..., Page]) -> None:
    player, watcher = open_page("wide"), open_page("wide")
    sit(player)
    begin(player)
    watcher.goto(player.url)
    expect(watcher.locator("#live-chip")).to_contain_text("live")
    expect(watcher.locator("#round-now")).to_have_text("Round 1")


def test_the_timeline_leads_to_its_place(wide: Page, three: str) -> None:
    show(wide, three)
    box = wide.get_by_role("slider", name="Position in the match").bounding_box()
    assert box
    wide.mouse.click(box["x"] + 40, box["y"] + box["height"] / 2)
    expect(wide.locator("#table")).not_to_have_attribute("data-event", "0")
