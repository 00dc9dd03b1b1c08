"""What if, on the replay page: played, stepped, kept, compared, deleted and brought back."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.checking import check_page
from tests.browser.conftest import Faults
from tests.browser.replaying import START, choose, expect_place, held, holding, show, try_here

NO_STORAGE = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, {
    get() { throw new DOMException("", "SecurityError"); },
  });
"""
"""As a script of the page: what a browser does that blocks all cookies."""


def begin(page: Page, three: str) -> None:
    """At a place of the first round, ready to play."""
    show(page, f"{three}?seq={START + 1}")
    expect_place(page, 1, START)
    try_here(page)


def let_bots_play(page: Page, span: str = "5 s") -> None:
    page.get_by_label("How long bots play on").select_option(span)
    page.get_by_role("button", name="Bots play on").click()
    expect(page.locator("#table")).to_have_class(re.compile("is-variation"))


def test_bots_play_on_and_it_is_stepped_named_and_found_again(phone: Page, three: str) -> None:
    begin(phone, three)
    let_bots_play(phone)
    table = phone.locator("#table")
    expect(table).not_to_have_attribute("data-event", str(START))  # the next frame moves there
    end = int(table.get_attribute("data-event") or "")
    assert end > START
    expect(phone).to_have_url(re.compile(rf"\?line=[\w-]+&event={end}&tab=what-if$"))
    phone.get_by_role("button", name="Done").click()
    phone.keyboard.press("ArrowLeft")
    expect_place(phone, 1, end - 1)
    panel = phone.locator("#panel-what-if")
    expect(panel).to_contain_text("Saved.")
    panel.get_by_role("textbox", name="Name", exact=True).fill("Bots go on")
    expect(panel.locator(".what-if-item")).to_contain_text("Bots go on")
    difference = re.compile(r"^At 0:\d\d\.\d: .+ what happened")
    expect(phone.locator(".what-if-difference")).to_have_text(difference)
    check_page(phone)
    expect(phone).to_have_url(re.compile(rf"event={end - 1}&tab=what-if$"))
    addressed = phone.url
    phone.reload()
    expect_place(phone, 1, end - 1)
    expect(phone.locator(".what-if-name")).to_have_text("What if")
    phone.get_by_role("button", name="Back to what happened", exact=True).click()
    expect_place(phone, 1, START)
    expect(phone).not_to_have_url(re.compile("line="))
    phone.goto(re.sub("line=[^&]*", "line=gone", addressed))
    expect(panel).to_contain_text("The linked what-if is gone, or you can’t see it.")


def open_where_nothing_is_stored(page: Page, match: str) -> None:
    """A record's own variations are stepped through, and a note says that it has no draft."""
    page.add_init_script(NO_STORAGE)
    show(page, match)
    choose(page, "What if?")
    page.locator(".what-if-item").first.click()
    table = page.locator("#table")
    expect(table).to_have_class(re.compile("is-variation"))
    expect(page).to_have_url(re.compile(r"\?line="))
    before = int(table.get_attribute("data-event") or "")
    page.keyboard.press("ArrowLeft")
    expect_place(page, 1, before - 1)
    expect(page.locator("#panel-what-if")).to_contain_text("This what-if is part of the record.")
    page.locator("summary", has_text="Ghost race").click()
    expect(page.get_by_role("button", name="Race from here")).to_be_disabled()
    page.get_by_role("tab", name="Notes").click()
    page.get_by_role("button", name="Write a note").click()
    page.get_by_role("form", name="Note").get_by_role("textbox", name="Text").fill("Now or never")
    expect(page.get_by_text("This browser cannot store drafts. Save soon.")).to_be_visible()


def test_a_hand_is_played_by_keys_taken_back_and_branched_off_again(
    wide: Page, open_page: Callable[..., Page], three: str, address: Callable[[str], str]
) -> None:
    listed = held(holding(wide), "**/notes?*only=variations*", lambda: begin(wide, three))
    wide.get_by_text("More controls").click()
    wide.locator(".what-if-seats").get_by_role("button").first.click()
    wide.get_by_role("button", name="OUT!").click()
    expect(wide.locator(".what-if-said")).to_contain_text("Refused. ")
    listed()
    expect_place(wide, 1, START)
    wide.keyboard.press("3")
    expect(wide.locator(".what-if-said")).to_have_text("Choose a card first, then the stack.")
    wide.keyboard.press("w")
    expect(wide.locator(".what-if-said")).to_contain_text("more than one stack")
    wide.keyboard.press("3")
    expect_place(wide, 1, START + 1)
    expect(wide.locator(".slot").nth(2)).to_contain_text("1 card")
    wide.keyboard.press(" ")
    expect_place(wide, 1, START + 2)
    wide.keyboard.press("Backspace")
    expect_place(wide, 1, START + 1)
    wide.locator("#table .seat").nth(1).locator(".spot-draw").click()
    expect_place(wide, 1, START + 2)
    wide.keyboard.press("ArrowLeft")
    expect_place(wide, 1, START + 1)
    wide.get_by_role("button", name="Bots play on").click()
    expect(wide.locator(".scrub-track")).to_be_in_viewport(ratio=1)
    lines = wide.locator(".what-if-item")
    expect(lines).to_have_count(2)
    choose(wide, "What if?")
    wide.locator(".what-if-item").first.click()
    wide.get_by_text("Note, sharing and place").click()
    wide.get_by_role("button", name="Delete").click()
    expect(lines).to_have_count(0)
    expect_place(wide, 1, START)
    wide.get_by_role("button", name="Undo delete").click()
    expect(lines).to_have_count(2)
    inner = wide.locator(".what-if-branch .what-if-item")
    inner.click()
    wide.get_by_role("button", name="Move up a level").click()
    expect(inner).to_have_count(0)
    expect(wide.get_by_role("button", name="Move up a level")).to_have_count(0)
    wide.get_by_role("button", name="Move up in the list").click()
    expect(wide.locator(".what-if-item").first).to_have_attribute("aria-current", "true")
    open_where_nothing_is_stored(open_page("wide"), address("valid-v2-branches"))


def keep_one(page: Page, three: str) -> Locator:
    """A named visitor's what-if, kept on the site; its panel."""
    show(page, f"{three}?seq={START + 1}")
    _write_note(page, "First of all")
    page.reload()
    expect_place(page, 1, START)
    try_here(page)
    let_bots_play(page)
    page.get_by_role("button", name="Done").click()
    choose(page, "What if?")
    panel = page.locator("#panel-what-if")
    expect(panel).to_contain_text("Saved.")
    return panel


def test_what_could_not_be_saved_is_saved_later_and_raced(
    wide: Page, three: str, faults: Faults
) -> None:
    faults.expect("ERR_INTERNET_DISCONNECTED")
    faults.expect("409")
    panel = keep_one(wide, three)
    wide.context.set_offline(True)
    name = panel.get_by_role("textbox", name="Name", exact=True)
    name.fill("Without a line")
    expect(panel).to_contain_text("Not saved. There is no connection. It is kept in this browser")
    panel.locator("summary", has_text="Ghost race").click()
    race = panel.get_by_role("button", name="Race from here")
    race.press("Enter")
    expect(panel).to_contain_text("could not be saved. There is no connection.")
    wide.context.set_offline(False)
    race.press("Enter")
    expect(wide).to_have_url(re.compile(r"/race\?.*line="))
    expect(wide.locator("#board .card").first).to_be_attached()
    wide.go_back()
    choose(wide, "What if?")
    expect(panel).to_contain_text("Saved.")
    expect(wide.locator(".what-if-item[aria-current]")).to_contain_text("Without a line")
    other = wide.context.new_page()
    show(other, wide.url)
    choose(other, "What if?")
    other.get_by_role("textbox", name="Name", exact=True).fill("From the other tab")
    expect(other.locator("#panel-what-if")).to_contain_text("Saved.")
    name.fill("From this tab")
    expect(panel.get_by_role("alert")).to_contain_text("From the other tab")
    check_page(wide)
    panel.get_by_role("button", name="Take the other version").click()
    expect(name).to_have_value("From the other tab")


def test_a_named_visitors_what_if_has_notes_and_is_shared(
    wide: Page, open_page: Callable[..., Page], three: str, faults: Faults
) -> None:
    faults.expect("422")
    panel = keep_one(wide, three)
    _write_note(wide, "Better so")
    wide.evaluate("localStorage.clear()")
    wide.goto(three)
    wide.get_by_role("tab", name="Notes").click()
    wide.locator("li.note", has_text="Better so").get_by_role("button").first.click()
    expect(wide.locator("#table")).to_have_class(re.compile("is-variation"))
    choose(wide, "What if?")
    panel.get_by_text("Note, sharing and place").click()
    panel.get_by_label("Visible to").select_option("Anyone with the link")
    wide.context.grant_permissions(["clipboard-read", "clipboard-write"])
    presses = [
        wide.get_by_role("button", name="Step: one event back").element_handle(),
        panel.get_by_role("button", name="Copy link").element_handle(),
    ]
    # Before the page's own address has followed.
    wide.evaluate("presses => presses.forEach((button) => button.click())", presses)
    expect(panel).to_contain_text("Link copied.")
    other = open_page("wide")
    show(other, wide.evaluate("navigator.clipboard.readText()"))
    expect_place(other, 1, int(wide.locator("#table").get_attribute("data-event") or 0))
    expect(other.locator(".what-if-name")).to_have_text("What-if by Branching-Kim")
    panel.get_by_label("Visible to").select_option("Named people")
    panel.get_by_label("Who", exact=True).fill("Nobody-of-this-name")
    expect(panel).to_contain_text("there is no account named")


def _write_note(page: Page, text: str) -> None:
    page.get_by_role("tab", name="Notes").click()
    page.get_by_role("button", name="Write a note").click()
    form = page.get_by_role("form", name="Note")
    form.get_by_role("textbox", name="Text").fill(text)
    name = form.get_by_label("Your name")
    if name.count():
        name.fill("Branching-Kim")
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
