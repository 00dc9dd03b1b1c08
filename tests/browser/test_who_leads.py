"""Who leads is read at a glance: live totals, the leader, and a page that does not shift for it."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.checking import no_sideways_scroll
from tests.browser.replaying import (
    SHIFTS,
    THREE,
    at,
    expect_all_in_view,
    expect_place,
    expect_still,
    rounds_of,
    show,
)
from tests.browser.tables import begin, lay, sit_down
from tests.services import Site

T = 30_000
SECOND = rounds_of(THREE)[1]
CLOSE = "valid-gamerules-5"
MOST_SHIFT = 0.02
BELOW_CARDS = """() => [...document.querySelectorAll(".slot")].flatMap((slot) => {
  const of = slot.getBoundingClientRect();
  const lying = [...document.querySelectorAll(".board-cards > .card:not([hidden])")]
    .map((card) => card.getBoundingClientRect())
    .filter(({ left, top }) => Math.abs(left - of.left) < 2 && top > of.top - 2 && top < of.bottom);
  const label = slot.querySelector(".slot-label").getBoundingClientRect().top;
  return lying.length ? [label - Math.max(...lying.map(({ bottom }) => bottom))] : [];
})"""
"""How far the label of each stack is from its last card."""


def number(text: str) -> int:
    return int(text.replace("−", "-"))


def test_who_leads_is_read_at_a_glance(
    page: Page, three: str, address: Callable[[str], str]
) -> None:
    show(page, f"{three}?round=2&t={T}")
    expect_place(page, 2, at(SECOND, T))
    # The score counts this round, and its parts stand beside it. The best is marked.
    before = rounds_of(THREE)[0][-1]["totals"]
    names = page.locator(".seat").evaluate_all("all => all.map(one => one.ariaLabel)")
    for name, seat in zip(names, page.locator(".seat").all(), strict=True):
        draw, discard, won = [int(text) for text in seat.locator(".pile-count").all_inner_texts()]
        banked = before[int(name.split(",")[0].removeprefix("Seat")) - 1]
        gain = won - draw - discard
        assert number(seat.locator(".seat-total").inner_text()) == banked + gain
        parts = seat.locator(".seat-parts").text_content() or ""
        assert parts == f"{banked} {'−' if gain < 0 else '+'} {abs(gain)}"
    gaps = page.evaluate(BELOW_CARDS)
    assert gaps
    assert all(0 <= gap < 8 for gap in gaps), gaps
    leader = page.locator(".seat.is-leader")
    expect(leader).to_have_count(1)
    totals = [number(text) for text in page.locator(".seat .seat-total").all_inner_texts()]
    assert number(leader.locator(".seat-total").inner_text()) == max(totals)
    expect(leader.locator(".spoken")).to_contain_text("Leads")
    show(page, f"{address(CLOSE)}?round=1&t=40000")
    expect_place(page, 1, at(rounds_of(CLOSE)[0], 40_000))
    # No figure covers another.
    figures = ".seat-total, .seat-parts, .seat-name, .pile-count, .pile-word"
    boxes = page.locator(figures).evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().toJSON())"
    )
    drawn = [box for box in boxes if box["width"] and box["height"]]
    for at_, box in enumerate(drawn):
        for other in drawn[at_ + 1 :]:
            apart = (
                box["right"] <= other["left"] + 0.5
                or other["right"] <= box["left"] + 0.5
                or box["bottom"] <= other["top"] + 0.5
                or other["bottom"] <= box["top"] + 0.5
            )
            assert apart, (box, other)
    no_sideways_scroll(page)


@pytest.mark.parametrize("size", ["wide", "phone"])
def test_a_live_page_does_not_shift_as_it_opens(
    open_page: Callable[..., Page], site: Site, size: str
) -> None:
    player, watcher = open_page("wide"), open_page(size)
    sit_down(player, lay(site, f"opened-{size}", bots=2))
    begin(player)
    watcher.add_init_script(SHIFTS)
    watcher.goto(player.url)
    expect(watcher.locator("#live-chip")).to_contain_text("watching")
    expect(watcher.locator(".board .card:not([hidden])").first).to_be_visible()
    expect(watcher.locator("#outlook b").first).to_have_text(re.compile(r"^[<>]?\d+%$"))
    if size == "wide":
        expect(watcher.locator("#outlook")).to_be_in_viewport(ratio=1)
    expect_still(watcher, MOST_SHIFT)
    expect_all_in_view(watcher, (320, 568), (390, 844), (844, 390), (1280, 800))
