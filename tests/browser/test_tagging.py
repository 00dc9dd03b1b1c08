"""The tag panel, the table of tags, and the playlists that come of it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.checking import check_page
from tests.browser.replaying import START, expect_place, held, holding, show


@pytest.fixture
def tagging(wide: Page, three: str) -> Page:
    """The match with the tag panel open and its first buttons, for a guest who chose no name."""
    holding(wide).goto("/play/")
    with wide.expect_response("**/notes?*"):
        show(wide, f"{three}?seq={START + 1}")
    expect_place(wide, 1, START)
    wide.get_by_role("tab", name="Notes").click()
    wide.keyboard.press("a")
    form = wide.get_by_role("form", name="Note")
    form.get_by_role("textbox", name="Text").fill("For a name")
    expect(form.get_by_label("Your name")).to_have_attribute("placeholder", "Guest")
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    expect(wide.locator(".notes-words")).to_have_text(re.compile(r"^Saved, by Guest \d{4}\.$"))
    wide.keyboard.press("t")
    expect(panel(wide).get_by_role("button", name="feeding")).to_be_visible()
    return wide


def panel(page: Page) -> Locator:
    return page.get_by_role("region", name="Tag panel")


def test_a_press_tags_a_span_that_the_table_counts_and_a_playlist_plays(
    tagging: Page, three: str
) -> None:
    page = tagging
    release = held(page, "**/notes", lambda: page.keyboard.press("q"))
    expect(panel(page).get_by_role("status")).to_contain_text("“feeding”: round 1, 0:03.7 – 0:09.7")
    page.keyboard.press("Shift+Digit2")
    expect(panel(page).get_by_role("button", name="P1")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("]")
    page.keyboard.press("q")  # it waits for the first
    release()
    expect(page.locator("li.note", has_text="Points at P1")).to_contain_text("feeding")
    check_page(page)
    release = held(page, "**/notes", lambda: page.keyboard.press("w"))
    page.keyboard.press("Backspace")  # before it is saved
    release()
    expect(panel(page).get_by_role("status")).to_have_text("“missed take” is removed.")
    expect(page.locator("li.note", has_text="missed take")).to_have_count(0)

    panel(page).get_by_role("link", name="Table of tags").click()
    expect(page.get_by_role("button", name="Play 1 of feeding, P1")).to_be_visible()
    check_page(page)
    page.get_by_role("button", name="Play all 2 of feeding").click()
    bar = page.get_by_role("region", name="Playlist")
    expect(bar).to_contain_text("feeding: 1 of 2")
    expect(page).to_have_url(re.compile(r"playlist=unsaved&item=1"))
    bar.get_by_role("button", name="Save the playlist").click()
    bar.get_by_role("link", name="Order and share it").click()
    title = page.get_by_role("textbox", name="Title")
    title.fill("Late fives")
    with page.expect_response("**/playlists/*"):
        title.press("Enter")
    check_page(page)
    page.goto("/playlists/")
    expect(page.get_by_role("link", name="Late fives")).to_be_visible()
    page.goto("/notes/")
    expect(page.get_by_text("For a name")).to_be_visible()
    check_page(page)
