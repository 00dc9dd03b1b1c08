"""Tags on notes, their table, and the playlists that come of it."""

import re

from playwright.sync_api import Page, expect

from tests.browser.checking import check_page
from tests.browser.replaying import START, expect_place, holding, show


def write(page: Page, text: str) -> None:
    page.keyboard.press("a")
    form = page.get_by_role("form", name="Note")
    form.get_by_role("textbox", name="Text").fill(text)
    form.get_by_role("textbox", name="Text").press("Control+Enter")
    expect(form).to_have_count(0)


def test_tags_are_counted_in_a_table_and_played_as_a_playlist(wide: Page, three: str) -> None:
    page = wide
    holding(page).goto("/play/")
    with page.expect_response("**/notes?*"):
        show(page, f"{three}?seq={START + 1}")
    expect_place(page, 1, START)
    page.get_by_role("tab", name="Notes").click()
    write(page, "For a name #feeding")
    expect(page.locator(".notes-words")).to_have_text(re.compile(r"^Saved, by Guest \d{4}\.$"))
    page.keyboard.press("]")
    write(page, "#feeding")
    expect(page.locator("li.note", has_text="feeding")).to_have_count(2)
    page.goto("/notes/")
    expect(page.get_by_text("For a name")).to_be_visible()
    check_page(page)
    page.get_by_role("link", name="Tags", exact=True).click()
    cell = "Play 2 of feeding, no particular player"
    expect(page.get_by_role("button", name=cell)).to_be_visible()
    check_page(page)
    with page.expect_navigation(url=re.compile(r"playlist=unsaved&item=1")):
        page.get_by_role("button", name="Play all 2 of feeding").click()
    bar = page.get_by_role("region", name="Playlist")
    expect(bar).to_contain_text(re.compile(r"feeding:\s[12]\sof\s2"))  # it plays on by itself
    bar.get_by_role("button", name="Save playlist").click()
    bar.get_by_role("link", name="Order and share it").click()
    title = page.get_by_role("textbox", name="Title")
    title.fill("Late fives")
    title.press("Enter")
    expect(page.get_by_role("heading", name="Late fives")).to_be_visible()
    page.get_by_label("Visible to").select_option("link")
    page.get_by_role("button", name="Down").first.click()
    page.wait_for_url("**#span-1")
    check_page(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#copied")).to_have_text("Copied.")
    assert "?share=" in page.evaluate("navigator.clipboard.readText()")
    page.goto("/playlists/")
    expect(page.locator(".lined li")).to_contain_text("2 positions")
    page.get_by_role("link", name="Late fives").click()
    page.get_by_role("link", name="Edit").click()
    page.get_by_text("Delete", exact=True).click()
    page.get_by_role("button", name="Delete the playlist").click()
    page.wait_for_url("**/playlists/")
    expect(page.get_by_role("link", name="Late fives")).to_have_count(0)
