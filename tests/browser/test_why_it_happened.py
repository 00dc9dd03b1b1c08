"""Why something happened stays readable: the line under the table, and a list that is not cut."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.replaying import FIRST, HELD, list_all, numbers, show

TAKE = numbers(FIRST, "take")[0]
CAPTION = """(event) => {
  const [table, now] = ["table", "now"].map((id) => document.getElementById(id));
  window.caption = new Promise((told) => {
    const look = () => Number(table.dataset.event) >= event && told(now.textContent);
    new MutationObserver(look).observe(table, { attributes: true });
  });
}"""
"""Promises the caption as the cursor comes to an event: the next ones follow at once."""


def test_a_take_stays_in_the_caption_while_others_draw(wide: Page, three: str) -> None:
    later = next(n for n, e in enumerate(FIRST, 1) if n > TAKE and e["do"] == "draw")
    assert FIRST[later - 1]["t"] - FIRST[TAKE - 1]["t"] < 1_500
    show(wide, f"{three}?seq={TAKE}")
    wide.evaluate(CAPTION, later)
    wide.keyboard.press("Space")
    assert "takes stack" in wide.evaluate("caption")


def test_a_draw_is_never_in_the_caption(wide: Page, three: str) -> None:
    draw = next(n for n, e in enumerate(FIRST, 1) if n > TAKE and e["do"] == "draw")
    show(wide, f"{three}?seq={draw + 1}")
    expect(wide.locator("#now")).not_to_contain_text("draws")
    expect(wide.locator("#now")).not_to_be_empty()


def test_the_list_shows_takes_and_races_first(wide: Page, three: str) -> None:
    show(wide, f"{three}?round=1&t=0")
    rows = wide.locator(".event-row")
    expected = 2 + len(numbers(FIRST, "take", "tie", "late"))
    expect(rows.nth(1)).to_contain_text("▸")
    kinds = set(rows.evaluate_all("rows => rows.map((row) => row.className.split('is-')[1])"))
    assert kinds <= {"deal", "take", "tie", "late", "end"}
    last = wide.locator(".event-row.is-end").first
    expect(last).to_have_attribute("aria-posinset", str(expected))
    wide.get_by_role("button", name="Takes", exact=True).click()
    takes = 2 + len(numbers(FIRST, "take"))
    expect(last).to_have_attribute("aria-posinset", str(takes))


def test_no_word_of_the_list_is_cut(page: Page, three: str, address: Callable[[str], str]) -> None:
    for url in (three, address("valid-gamerules-5")):
        show(page, f"{url}?round=1&t=0")
        list_all(page)
        rows = page.locator(".event-button")
        expect(rows.first).to_be_attached()
        cut = rows.evaluate_all(
            """rows => rows.filter((row) => {
              const text = row.querySelector(".event-text");
              const [edge, end] = [row, text].map((one) => one.getBoundingClientRect().right);
              return text.scrollWidth > text.clientWidth + 1 || end > edge + 1;
            }).map((row) => row.textContent)"""
        )
        assert cut == []


def test_a_row_leads_to_its_moment(wide: Page, three: str) -> None:
    wide.add_init_script(HELD)
    show(wide, f"{three}?round=1&t=0")
    wide.locator(f'.event-button[data-event="{TAKE}"]').click()
    expect(wide.locator("#table")).to_have_attribute("data-event", str(TAKE))
    expect(wide.locator(".shout-take")).to_be_visible()


def test_the_list_opens_where_the_address_leads(wide: Page, three: str) -> None:
    show(wide, f"{three}?round=3&t=20000")
    row = wide.locator(".event-button[aria-current]")
    expect(row).to_be_in_viewport()
    expect(row).to_have_attribute("data-round", "3")
