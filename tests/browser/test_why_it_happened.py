"""Why something happened stays readable: the line under the table, and a list that is not cut."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.replaying import (
    DRAWN,
    FIRST,
    HELD,
    choose,
    held,
    holding,
    list_all,
    numbers,
    show,
)

TAKE = numbers(FIRST, "take")[0]
CUT = """rows => rows.filter((row) => {
  const text = row.querySelector(".event-text");
  const [edge, end] = [row, text].map((one) => one.getBoundingClientRect().right);
  return text.scrollWidth > text.clientWidth + 1 || end > edge + 1;
}).map((row) => row.textContent)"""


def test_the_list_opens_at_its_place_shows_what_matters_and_leads_there(
    wide: Page, three: str
) -> None:
    wide.add_init_script(HELD)
    # The rounds before come while the list is not on the screen.
    let_come = held(holding(wide), "**/log?from=1", lambda: show(wide, f"{three}?round=3&t=20000"))
    choose(wide, "Moments")
    with wide.expect_response("**/log?from=1"):
        let_come()
    wide.evaluate(DRAWN)
    choose(wide, "Events")
    here = wide.locator(".event-button[aria-current]")
    expect(here).to_be_in_viewport()
    expect(here).to_have_attribute("data-round", "3")

    show(wide, f"{three}?round=1&t=0")
    rows = wide.locator(".event-row")
    expect(rows.nth(1)).to_contain_text("▸")
    kinds = set(rows.evaluate_all("rows => rows.map((row) => row.className.split('is-')[1])"))
    assert kinds <= {"deal", "take", "tie", "late", "end"}
    wide.get_by_label("What the list shows").select_option("Takes")
    expect(wide.locator(".event-row.is-tie, .event-row.is-late")).to_have_count(0)

    wide.locator(f'.event-button[data-event="{TAKE}"]').click()
    expect(wide.locator("#table")).to_have_attribute("data-event", str(TAKE))
    expect(wide.locator(".shout-take")).to_be_visible()
    expect(wide.locator("#now")).to_contain_text("takes stack")


def test_no_word_of_the_list_is_cut(
    wide: Page, phone: Page, three: str, address: Callable[[str], str]
) -> None:
    for page in (wide, phone):
        for url in (three, address("valid-gamerules-5")):
            show(page, f"{url}?round=1&t=0")
            list_all(page)
            rows = page.locator(".event-button")
            expect(rows.first).to_be_attached()
            assert rows.evaluate_all(CUT) == []
