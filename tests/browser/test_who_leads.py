"""Who leads is read at a glance: live totals, the leader, and a page that does not shift for it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.replaying import SHIFTS, THREE, at, expect_place, rounds_of, show
from tests.browser.tables import begin, sit

T = 30_000
SECOND = rounds_of(THREE)[1]
MOST_SHIFT = 0.02
Check = Callable[[Page], None]


def test_the_total_moves_with_the_round(page: Page, three: str) -> None:
    before = rounds_of(THREE)[0][-1]["totals"]
    show(page, f"{three}?round=2&t={T}")
    expect_place(page, 2, at(SECOND, T))
    totals = page.locator(".seat .seat-total").all_inner_texts()
    gains = page.locator(".seat .seat-gain").all_inner_texts()
    names = page.locator(".seat").evaluate_all("all => all.map(one => one.ariaLabel)")
    seats = [int(name.split(",")[0].removeprefix("Seat ")) - 1 for name in names]
    for seat, total, gain in zip(seats, totals, gains, strict=True):
        added = int(gain.split()[0].replace("−", "-"))
        assert int(total.replace("−", "-")) == before[seat] + added
    assert at(SECOND, T) < len(SECOND)


def test_the_leader_is_marked_with_the_way_to_go(wide: Page, three: str) -> None:
    show(wide, f"{three}?round=2&t={T}")
    expect_place(wide, 2, at(SECOND, T))
    totals = wide.locator(".seat-total").all_inner_texts()
    best = max(int(total.replace("−", "-")) for total in totals)
    leader = wide.locator(".seat.is-leader")
    expect(leader).to_have_count(1)
    expect(leader.locator(".seat-total")).to_have_text(str(best))
    expect(leader.locator(".seat-left")).to_have_text(f"{100 - best} to go")
    expect(leader.locator(".spoken")).to_contain_text("Leads")


def test_figures_keep_clear_of_each_other(
    page: Page, address: Callable[[str], str], no_sideways_scroll: Check
) -> None:
    show(page, f"{address('valid-gamerules-5')}?round=1&t=40000")
    expect_place(page, 1, at(rounds_of("valid-gamerules-5")[0], 40_000))
    figures = ".seat-total, .seat-gain, .seat-name, .pile-count, .pile-word"
    boxes = page.locator(figures).evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().toJSON())"
    )
    drawn = [box for box in boxes if box["width"] and box["height"]]
    for at_, one in enumerate(drawn):
        for other in drawn[at_ + 1 :]:
            apart = (
                one["right"] <= other["left"] + 0.5
                or other["right"] <= one["left"] + 0.5
                or one["bottom"] <= other["top"] + 0.5
                or other["bottom"] <= one["top"] + 0.5
            )
            assert apart, (one, other)
    no_sideways_scroll(page)


@pytest.mark.parametrize("size", ["wide", "phone"])
def test_a_live_page_does_not_shift_as_it_opens(open_page: Callable[..., Page], size: str) -> None:
    player, watcher = open_page("wide"), open_page(size)
    sit(player, seat_3="builder")
    begin(player)
    watcher.add_init_script(SHIFTS)
    watcher.goto(player.url)
    expect(watcher.locator("#live-chip")).to_contain_text("watching")
    expect(watcher.locator(".board .card").first).to_be_visible()
    expect(watcher.locator("#outlook b").first).to_have_text(re.compile(r"^[<>]?\d+%$"))
    if size == "wide":
        expect(watcher.locator("#outlook")).to_be_in_viewport(ratio=1)
    assert watcher.evaluate("shifts.reduce((sum, shift) => sum + shift, 0)") < MOST_SHIFT
