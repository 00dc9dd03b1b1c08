"""Notes on the page of a match: reading them, writing them, and losing nothing."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.accounts import sign_up
from tests.browser.checking import check_page
from tests.browser.conftest import Faults
from tests.browser.replaying import START, choose, expect_place, held, holding, show
from tests.services import Site

NAME = "Noted-by-Kim"
AGAIN = """
const every = window.setInterval;
window.setInterval = (run, ms) => {
  if (ms === 30_000) window.fetchAgain = run;
  return every(run, ms);
};
"""
PROMOTE = """
from django.contrib.auth.models import Permission, User
from games.people.visit import MODERATE
nell = User.objects.get(username="Hiding-Nell")
User.objects.filter(pk=nell.pk).update(is_staff=True)
app, codename = MODERATE.split(".")
nell.user_permissions.add(Permission.objects.get(content_type__app_label=app, codename=codename))
"""


def open_notes(page: Page, url: str) -> None:
    """The match at its 60th event, with the tab of notes open."""
    with page.expect_response("**/notes?*"):
        show(page, f"{url}?seq={START + 1}")
    expect_place(page, 1, START)
    choose(page, "Notes")
    expect(page.get_by_role("button", name="Write a note")).to_be_visible()


def come_again(page: Page) -> None:
    with page.expect_response("**/notes?*"):
        page.reload()
    choose(page, "Notes")


def editor(page: Page) -> Locator:
    return page.get_by_role("form", name="Note")


def begin(page: Page, text: str) -> Locator:
    """Open the editor by its key, and type."""
    page.keyboard.press("a")
    form = editor(page)
    expect(form.get_by_role("textbox", name="Text")).to_be_focused()
    page.keyboard.type(text)
    return form


def save(form: Locator) -> None:
    name = form.get_by_label("Your name")
    if name.count():
        name.fill(NAME)
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)


def row(page: Page, text: str) -> Locator:
    return page.get_by_role("tabpanel", name="Notes").locator("li.note", has_text=text)


def act(page: Page, text: str, what: str) -> None:
    row(page, text).get_by_role("button", name=what, exact=True).click()


def give_reason(page: Page, label: str, words: str) -> None:
    expect(page.get_by_label(label)).to_be_focused()
    page.keyboard.type(words)
    page.keyboard.press("Enter")


CHANGED_BY_DRAWING_AGAIN = """() => {
  const watching = new MutationObserver(() => {});
  const parts = { subtree: true, childList: true, characterData: true };
  watching.observe(document.querySelector("ol.notes"), parts);
  document.querySelector(".notes-filter[aria-label=Tag]").dispatchEvent(new Event("change"));
  return watching.takeRecords().length;
}"""


def test_a_stranger_writes_a_note_that_others_read(
    wide: Page, open_page: Callable[..., Page], three: str
) -> None:
    open_notes(wide, three)
    form = begin(wide, "A **bold** claim, see @0:20.0.")
    expect(wide.get_by_role("button", name="Write a note")).to_be_hidden()
    expect(form.locator(".editor-preview strong")).to_have_text("bold")
    below = form.locator(".row:has(> .primary) ~ .editor-preview")
    expect(below).to_contain_text("bold")  # what comes late moves no button under a finger
    form.get_by_text("Choose marks from lists").click()
    form.get_by_label("With an arrow to").select_option("seat:1")
    form.get_by_role("button", name="Add", exact=True).click()
    form.get_by_role("combobox", name="Add a tag").fill("claims")
    form.get_by_label("Visible to").select_option("everyone")
    check_page(wide)
    wide.get_by_role("button", name="Step: one event forward").click()
    expect_place(wide, 1, START + 1)
    form.get_by_role("button", name="End here").click()
    save(form)
    expect(row(wide, "A bold claim")).to_contain_text("public")
    lane, track = (wide.locator(name).bounding_box() for name in (".lane-span", ".scrub-track"))
    assert lane
    assert track
    assert lane["y"] + lane["height"] <= track["y"] + track["height"]

    other = open_page("phone")
    with other.expect_response("**/notes?*"):
        show(other, three)
    choose(other, "Notes")
    read = row(other, "A bold claim")
    expect(read).to_contain_text("claims")
    expect(read).to_contain_text("Points at stack 1 → P1")
    read.get_by_role("button").first.click()
    expect_place(other, 1, START)
    expect(other.locator(".note-arrow")).to_have_count(1)
    expect(read.get_by_role("button", name="Edit")).to_have_count(0)
    check_page(other)
    assert other.evaluate(CHANGED_BY_DRAWING_AGAIN) == 0
    read.get_by_role("link", name="@0:20.0").click()
    expect(other.locator("#time-now")).to_have_text("0:20.0")
    expect(other.locator(".note-arrow")).to_have_count(0)


def test_a_draft_survives_a_reload_and_a_lost_network_and_stays_at_its_place(
    wide: Page, three: str, faults: Faults
) -> None:
    faults.expect("ERR_INTERNET_DISCONNECTED")
    opening = f"{three}?seq={START + 1}"
    release = held(holding(wide), "**/notes/notes.js", lambda: show(wide, opening))
    wide.keyboard.type("anon")  # keys of the table, but what follows the first is the note
    release()
    expect(editor(wide).get_by_role("textbox", name="Text")).to_have_value("non")
    expect_place(wide, 1, START)
    editor(wide).get_by_role("button", name="Discard").click()
    open_notes(wide, three)
    with wide.expect_request("**/notes/writing.js"):
        release = held(wide, "**/notes/writing.js", lambda: wide.keyboard.press("a"))
    wide.keyboard.type("Kept through")  # while the editor is on its way
    release()
    expect(editor(wide).get_by_role("textbox", name="Text")).to_have_value("Kept through")
    wide.keyboard.type(" a reload")
    wide.get_by_role("button", name="Step: one event forward").click()
    expect_place(wide, 1, START + 1)
    come_again(wide)
    wide.get_by_role("button", name="Go on").click()
    form = editor(wide)
    expect(form.get_by_role("textbox", name="Text")).to_have_value("Kept through a reload")
    form.get_by_label("Your name").fill(NAME)
    release = held(wide, "**/notes", form.get_by_role("button", name="Save").click)
    form.get_by_role("textbox", name="Text").fill("Kept through a reload, and more")
    release()
    expect(form).to_contain_text("What you have changed since is not saved yet.")
    save(form)
    expect(row(wide, "Kept through a reload, and more")).to_have_count(1)
    written = row(wide, "Kept through a reload")
    written.get_by_role("button").first.click()
    expect_place(wide, 1, START)

    form = begin(wide, "Held back")
    wide.context.set_offline(True)
    form.get_by_role("button", name="Save").click()
    expect(form).to_contain_text("will be sent as soon as a page of this site is open")
    form.get_by_role("textbox", name="Text").press("Escape")
    expect(wide.locator(".note-draft")).to_contain_text("To be sent")
    wide.context.set_offline(False)
    expect(row(wide, "Held back")).to_have_count(1)

    form = begin(wide, "Sent from elsewhere")
    wide.context.set_offline(True)
    form.get_by_role("button", name="Save").click()
    expect(form).to_contain_text("Not saved")
    elsewhere = wide.context.new_page()
    wide.close()
    elsewhere.context.set_offline(False)
    with elsewhere.expect_response(lambda answer: answer.request.method == "POST"):
        elsewhere.goto("/rules/")
    open_notes(elsewhere, three)
    expect(row(elsewhere, "Sent from elsewhere")).to_have_count(1)


def test_two_editors_of_one_note_get_a_choice(wide: Page, three: str, faults: Faults) -> None:
    faults.expect("409")
    open_notes(wide, three)
    save(begin(wide, "As it was"))
    other = wide.context.new_page()
    open_notes(other, three)
    for page in (wide, other):
        row(page, "As it was").get_by_role("button").first.click()
        act(page, "As it was", "Edit")
    editor(other).get_by_role("textbox", name="Text").fill("Their words")
    save(editor(other))
    form = editor(wide)
    form.get_by_role("textbox", name="Text").fill("My words")
    form.get_by_role("button", name="Save", exact=True).click()
    choice = form.get_by_role("alert")
    expect(choice).to_contain_text("in another tab or on another device")
    expect(choice).to_contain_text("Their words")
    check_page(wide)
    choice.get_by_role("button", name="Keep both").click()
    expect(form).to_have_count(0)
    expect(row(wide, "My words")).to_contain_text("Their words")
    row(wide, "My words").get_by_role("button").first.click()
    act(wide, "My words", "History")
    first = row(wide, "My words").locator(".note-history li", has_text="As it was")
    first.get_by_role("button", name="Go back to this").click()
    expect(wide.get_by_role("tabpanel", name="Notes")).to_contain_text("That version is back.")
    expect(row(wide, "As it was")).to_have_count(1)


def test_an_account_that_has_logged_out_leaves_its_draft_to_nobody_and_can_be_named(
    wide: Page, three: str, faults: Faults
) -> None:
    faults.expect("403")
    sign_up(wide, "Noting-Nell")
    open_notes(wide, three)
    form = begin(wide, "A #slow-start")
    form.get_by_label("Visible to").select_option("everyone")
    save(form)
    form = begin(wide, "Nell’s words")
    account: Any = wide.context.cookies()
    wide.context.clear_cookies()
    form.get_by_role("button", name="Save").click()
    notes = wide.get_by_role("tabpanel", name="Notes")
    expect(notes).to_contain_text("You are not logged in as Noting-Nell any more")
    expect(form).to_have_count(0)
    expect(notes).not_to_contain_text("Nell’s words")

    form = begin(wide, "So says ")
    form.get_by_label("Visible to").select_option("everyone")
    form.get_by_role("textbox", name="Text").press("End")
    wide.keyboard.type("@noti")
    expect(form.get_by_role("listbox")).to_have_text("@Noting-Nell")
    check_page(wide)
    wide.keyboard.press("Escape")
    expect(form.get_by_role("listbox")).to_be_hidden()
    wide.keyboard.type("n")
    offered = form.get_by_role("listbox").get_by_role("option")
    expect(offered).to_have_attribute("aria-selected", "true")
    wide.keyboard.press("Enter")
    wide.keyboard.type("of #slo")
    form.get_by_role("option", name="#slow-start").click()
    expect(form.locator(".note-tagging")).to_contain_text("# slow start")
    save(form)
    said = row(wide, "So says @Noting-Nell of #slow-start")
    expect(said.get_by_role("list", name="Tags")).to_have_count(0)  # the text has it

    wide.context.clear_cookies()
    wide.context.add_cookies(account)
    come_again(wide)
    expect(row(wide, "Nell’s words")).to_contain_text("Noting-Nell")


def test_a_note_is_hidden_for_a_reason_that_its_author_answers(
    wide: Page, open_page: Callable[..., Page], three: str, site: Site
) -> None:
    author = open_page("wide")
    open_notes(author, three)
    form = begin(author, "A rude word")
    form.get_by_label("Visible to").select_option("everyone")
    save(form)

    # An open form stays when the notes are fetched again.
    sign_up(wide, "Hiding-Nell")
    site.manage("shell", "-v", "0", "-c", PROMOTE)
    wide.add_init_script(AGAIN)
    open_notes(wide, three)
    said = row(wide, "A rude word")
    said.get_by_role("button").first.click()
    act(wide, "A rude word", "Hide")
    reason = said.get_by_label("Why you hide this note")
    expect(reason).to_be_focused()
    wide.keyboard.type("It is ")
    expect(reason).to_have_value("It is ")
    with wide.expect_response("**/notes?*"):
        wide.evaluate("fetchAgain()")
    expect(reason).to_be_focused()
    wide.keyboard.type("rude.")
    wide.keyboard.press("Enter")
    expect(said).to_contain_text("Hidden: “It is rude.”")
    act(wide, "A rude word", "Show again")
    give_reason(wide, "Why you show this note again", "It is not.")
    expect(said).not_to_contain_text("Hidden")
    act(wide, "A rude word", "Hide")
    give_reason(wide, "Why you hide this note", "It is rude after all.")
    expect(said).to_contain_text("Hidden: “It is rude after all.”")

    come_again(author)
    told = row(author, "A rude word")
    expect(told).to_contain_text("A moderator has hidden this note: “It is rude after all.”")
    told.get_by_role("button").first.click()
    act(author, "A rude word", "Edit")
    editor(author).get_by_role("textbox", name="Text").press_sequentially(" Politely")
    save(editor(author))
    expect(told).to_contain_text("You have changed it since")
    check_page(author)


def test_a_note_is_drawn_stretched_answered_and_brought_back(wide: Page, three: str) -> None:
    open_notes(wide, three)
    form = begin(wide, "Look here")
    form.get_by_role("button", name="Mark on the table").click()
    slot = wide.get_by_role("region", name="Stack 1", exact=True)
    seat = wide.get_by_role("region", name="Seat 2, P1")
    slot.drag_to(seat, target_position={"x": 120, "y": 12})
    expect(form).to_contain_text("Points at stack 1 → P1")
    slot.click(position={"x": 20, "y": 20})
    expect(form).to_contain_text("Points at stack 1, stack 1 → P1")
    form.get_by_role("button", name="Undo").click()
    expect(form).not_to_contain_text("Points at stack 1, ")
    form.get_by_role("button", name="Clear").click()
    expect(wide.locator(".note-arrow")).to_have_count(0)

    wide.get_by_role("button", name="Step: one event forward").click()
    expect_place(wide, 1, START + 1)
    form.get_by_role("button", name="End here").click()
    save(form)

    row(wide, "Look here").get_by_role("button").first.click()
    act(wide, "Look here", "Reply")
    reply = wide.get_by_role("form", name="Reply")
    reply.get_by_role("textbox", name="Text").fill("An answer")
    save(reply)
    note = row(wide, "Look here")
    expect(note.locator(".note-reply")).to_contain_text("An answer")
    note.locator("> .note-actions").get_by_role("button", name="Delete").click()
    expect(note).to_have_count(0)
    wide.get_by_role("button", name="Undo").click()
    expect(note).to_have_count(1)
