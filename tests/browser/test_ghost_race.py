"""Racing the ghosts: from a position of a replay, by keyboard and by touch, kept as a variation."""

import re

from playwright.sync_api import Page, expect

from tests.browser.checking import check_page, no_sideways_scroll
from tests.browser.replaying import START, choose, expect_place, sharing, show


def sit_down(page: Page, three: str, slow: int = 2) -> None:
    """From the what-if panel to the race's table, with the clock running."""
    show(page, f"{three}?seq={START + 1}")
    expect_place(page, 1, START)
    choose(page, "What if?")
    page.locator("summary", has_text="Ghost race").click()
    page.get_by_label("Speed of the race").select_option(str(slow))
    page.get_by_role("button", name="Race from here").click()
    expect(page).to_have_url(re.compile(rf"/race\?round=1&event={START}&seat=0&slow={slow}$"))
    expect(page.locator("#board .card").first).to_be_attached()


def begin(page: Page) -> None:
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("button", name="Stop the race")).to_be_visible()
    expect(page.locator("#count")).to_be_hidden()


def test_a_seat_is_raced_by_keyboard_and_found_again_as_a_variation(wide: Page, three: str) -> None:
    sit_down(wide, three, slow=1)
    check_page(wide)
    wide.keyboard.press("s")
    expect(wide).to_have_url(re.compile("slow=2$"))
    expect(wide.get_by_role("button", name="Start", exact=True)).to_be_enabled()
    expect(wide.locator("#ghosts li")).to_have_count(2)
    wide.get_by_role("button", name="Start", exact=True).click()
    expect(wide.locator("#count")).to_have_text("1")
    wide.keyboard.press("d")
    wide.wait_for_timeout(300)
    expect(wide.locator("#notice")).not_to_contain_text("The round is over")
    expect(wide.locator("#count")).to_be_hidden()
    wide.keyboard.press("d")
    wide.keyboard.press("q")
    expect(wide.locator("#ghosts .is-bot").first).to_be_attached()
    expect(wide.locator("#ghosts .is-bot").first).to_contain_text("bot since")
    wide.get_by_role("button", name="Stop the race").click()
    end = wide.locator("#ghost-race-end")
    expect(end).to_contain_text("The race was stopped")
    expect(end).to_contain_text("in this browser")
    own = wide.locator("td:nth-of-type(2)", has_not_text="–")
    discards = end.get_by_role("row").filter(has_text="Discard a")
    expect(discards.filter(has=own)).to_have_count(1)
    check_page(wide)
    end.get_by_role("link", name="Watch it in the replay").click()
    expect(wide.locator("#table")).to_have_class(re.compile("is-variation"))
    expect_place(wide, 1, START + 1)
    expect(wide.locator(".what-if-item[aria-current]")).to_contain_text("Ghost race as")
    picture = sharing(wide).get_by_role("link", name="Open picture")
    expect(picture).to_have_attribute("href", re.compile(rf"round=1&event={START + 1}&line="))


def test_a_seat_is_raced_by_touch_and_kept_on_the_site(phone: Page, three: str) -> None:
    phone.goto("/play/")
    phone.get_by_text("You play as a guest").click()
    phone.get_by_label("Your name at the table").fill("Racing-Kim")
    phone.get_by_role("button", name="Change name").click()
    sit_down(phone, three)
    for width, height in ((844, 390), (320, 568), (390, 844)):
        phone.set_viewport_size({"width": width, "height": height})
        for part in (*phone.locator(".seat").all(), phone.get_by_role("button", name="Start")):
            expect(part).to_be_in_viewport(ratio=1)
        no_sideways_scroll(phone)
    begin(phone)
    discarded = phone.locator(".seat.is-home .pile-count").nth(1)
    before = int(discarded.inner_text())
    phone.get_by_role("button", name="Discard").tap()
    phone.get_by_role("group", name="Your hand").get_by_role("button").first.tap()
    expect(discarded).to_have_text(str(before + 1))
    phone.get_by_role("button", name="Stop the race").tap()
    expect(phone.locator("#ghost-race-end").get_by_role("row").nth(1)).to_be_visible()
    no_sideways_scroll(phone)
    kept = phone.locator("#ghost-race-end .ghost-race-kept")
    expect(kept).to_contain_text("Only you can see it")
    kept.get_by_role("button", name="Delete it").tap()
    expect(kept).to_contain_text("Deleted.")
    kept.get_by_role("button", name="Undo").tap()
    expect(kept).to_contain_text("Only you can see it")
    phone.get_by_role("button", name="Race again").tap()
    expect(phone.get_by_role("button", name="Start", exact=True)).to_be_enabled()
