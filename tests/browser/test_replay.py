"""The replay page: moments, the scrubber, the list, five seats with long names, its weight.

Console errors, broken policies and requests to elsewhere fail any of these tests (`faults`).
"""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.checking import Fetched, check_page
from tests.browser.replaying import (
    FIRST,
    HELD,
    LAST,
    MARKED,
    ROUNDS,
    SHIFTS,
    at,
    expect_all_in_view,
    expect_moved,
    expect_place,
    expect_still,
    held,
    lines_of,
    list_all,
    more,
    numbers,
    open_charts,
    rounds_of,
    show,
)
from tests.services import Site

FIVE = "valid-gamerules-5"
LONG_NAMES = [f"{letter * 3}-" + "Wolfeschlegelsteinhausenbergerdorff" * 2 for letter in "VWXYZ"]
FIRST_CARD = """new MutationObserver((_, watching) => {
  if (!document.querySelector(".board .card")) return;
  window.firstCard = performance.now();
  watching.disconnect();
}).observe(document, { childList: true, subtree: true })"""
HEAVY = """performance.getEntriesByType("resource")
  .filter(({ name }) => /(charts|plotly)[^/]*\\.js$/.test(name))
  .map(({ startTime }) => startTime - firstCard)"""
"""How many ms after the first card each heavy script was asked for."""
MOST_SHIFT = 0.001


@pytest.fixture(scope="session")
def five(
    site: Site, address: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory
) -> str:
    """A match of five players with names as long as names may be, and a note."""
    header, *rest = lines_of(FIVE)
    header["id"] = "long-names"
    for seat, name in zip(header["seats"], LONG_NAMES, strict=True):
        seat["name"] = name[:64]
    note = {"round": 1, "event": 40, "by": "Kim", "glyph": "?!", "text": "Feeds the next 5."}
    path: Path = tmp_path_factory.mktemp("records") / "five.ratuki"
    lines = [header, *rest, {"note": note}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    site.manage("import_records", str(path))
    return address("long-names")


# --- Moments ----------------------------------------------------------------------------------


def stand_before(page: Page, url: str, kind: str) -> int:
    number = numbers(FIRST, kind)[0]
    show(page, f"{url}?seq={number}")
    expect_place(page, 1, number - 1)
    return number


def test_a_take_and_a_tie_are_moments(wide: Page, three: str) -> None:
    wide.add_init_script(HELD + MARKED)
    number = stand_before(wide, three, "take")
    wide.keyboard.press("ArrowRight")
    expect_moved(wide)
    expect(wide.locator(".shout-take")).to_have_text(f"+{FIRST[number - 1]['takes']}")
    expect(wide.locator("#now")).to_contain_text("takes stack")
    expect(wide.locator("#voice")).to_contain_text("takes stack")
    stand_before(wide, three, "tie")
    wide.keyboard.press("ArrowRight")
    expect(wide.locator(".shout-tie")).to_have_text("Tie")
    expect(wide.locator("#now")).to_contain_text("go to the discard piles")


def test_reduced_motion_leaves_the_words(open_page: Callable[..., Page], three: str) -> None:
    page = open_page("phone", reduced_motion="reduce")
    page.add_init_script(HELD + MARKED)
    stand_before(page, three, "take")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".shout-take")).to_be_visible()
    expect(page.locator("html[data-moved]")).to_have_count(0)


# --- Scrubber and list ------------------------------------------------------------------------


def test_the_scrubber_leads_to_the_end_that_says_who_won(wide: Page, three: str) -> None:
    show(wide, f"{three}?round=1&t=0")
    slider = wide.get_by_role("slider", name="Position in the match")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(rf"Round\s1 of {ROUNDS}, "))
    expect(wide.locator(".scrub-score")).to_have_count(3)
    slider.focus()
    wide.keyboard.press("PageUp")
    expect_place(wide, 1, at(FIRST, 10_000))
    wide.keyboard.press("ArrowRight")
    expect_place(wide, 1, at(FIRST, 10_000) + 1)
    wide.keyboard.press("Home")
    expect_place(wide, 1, 0)
    box = slider.bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    wide.mouse.click(box["x"] + 40, middle)
    expect(wide.locator("#table")).not_to_have_attribute("data-event", "0")
    wide.mouse.move(box["x"] + 5, middle)
    wide.mouse.down()
    wide.mouse.move(box["x"] + box["width"] - 3, middle, steps=5)
    wide.mouse.up()
    expect(wide.locator("#round-now")).to_have_text(f"Round {ROUNDS} of {ROUNDS}")
    wide.keyboard.press("End")
    expect(wide.locator(".seat-chip", has_text="won")).to_have_count(1)
    expect(wide.locator("#now")).to_contain_text("wins the match.")
    totals = [str(total) for total in LAST[-1]["totals"]]
    for seat, total in enumerate(totals):
        expect(wide.locator(f".seat.deck-{seat} .seat-total")).to_have_text(total)


def test_the_lists_hold_what_is_in_sight_and_lead_there(wide: Page, five: str) -> None:
    show(wide, f"{five}?round=1&t=0")  # without a place, the analysis opens when it is there
    list_all(wide)
    rows = wide.locator(".event-row")
    total = sum(len(events) + 1 for events in rounds_of(FIVE))
    expect(rows.first).to_have_attribute("aria-setsize", str(total))
    assert rows.count() < 80
    wide.locator('.event-button[data-event="4"]').first.click()
    expect_place(wide, 1, 4)

    wide.get_by_role("tab", name="Notes").click()
    wide.get_by_text("Feeds the next 5.").click()
    expect_place(wide, 1, 40)
    note = wide.get_by_role("tabpanel", name="Notes").locator("li.note")
    expect(note).to_contain_text("in the record")
    expect(note.get_by_role("button", name="Copy to my notes")).to_be_visible()
    expect(note.get_by_role("button", name="Edit")).to_have_count(0)


# --- Many players, small screens --------------------------------------------------------------


SEATS = """() => {
  const inside = (inner, outer) => inner.left >= outer.left && inner.right <= outer.right
    && inner.top >= outer.top && inner.bottom <= outer.bottom;
  const box = (one) => one.getBoundingClientRect();
  const apart = (one, other) => one.right <= other.left + 0.5 || other.right <= one.left + 0.5
    || one.bottom <= other.top + 0.5 || other.bottom <= one.top + 0.5;
  const board = box(document.querySelector("#table"));
  const seats = [...document.querySelectorAll(".seat")];
  const faults = seats.filter((seat) => !inside(box(seat), board)).map((seat) => seat.ariaLabel);
  for (const seat of seats) {
    const spots = [...seat.querySelectorAll(".spot")].map(box);
    const pairs = spots.flatMap((one, at) => spots.slice(at + 1).map((other) => [one, other]));
    if (!pairs.every(([one, other]) => apart(one, other))) faults.push("piles overlap");
    if (!spots.every((spot) => inside(spot, box(seat)))) faults.push("a pile leaves its seat");
    if (spots[0].width < 3 * spots[1].width) faults.push("a hand covers itself");
    const [draw] = [...document.querySelectorAll(".card")].map(box).filter((card) =>
      Math.hypot(card.left - spots[1].left, card.top - spots[1].top) < 5);
    if (!draw && seat.querySelector(".pile-count").textContent !== "0") faults.push("no card");
  }
  const caption = box(document.querySelector("#now"));
  if (!seats.every((seat) => apart(caption, box(seat)))) faults.push("the caption covers a seat");
  for (const slot of document.querySelectorAll(".spot-slot"))
    if (box(slot).height < 1.4 * box(slot).width - 1) faults.push("a card leaves its stack");
  return faults;
}"""
"""What keeps a reader from seeing all seats at once."""


def expect_every_seat(page: Page) -> None:
    page.wait_for_function(f"() => ({SEATS})().length === 0")
    for seat in page.locator(".seat").all():
        expect(seat).to_be_in_viewport(ratio=1)


def test_five_long_names_fit(themed: Page, five: str) -> None:
    show(themed, f"{five}?round=1&t=20000")
    expect_every_seat(themed)
    play = themed.get_by_role("button", name="Play", exact=True)
    expect(play).to_be_in_viewport(ratio=1)
    check_page(themed)


def test_every_seat_is_in_sight_in_small_windows(phone: Page, five: str) -> None:
    show(phone, f"{five}?round=1&t=20000")
    for width, height in ((320, 568), (390, 844), (844, 390), (768, 1024), (1280, 800)):
        phone.set_viewport_size({"width": width, "height": height})
        expect_every_seat(phone)
        expect_all_in_view(phone, (width, height))
        menu = more(phone).locator(".menu-panel")
        expect(menu).to_be_in_viewport(ratio=1)
        assert menu.evaluate("menu => menu.scrollWidth <= menu.clientWidth")
        phone.keyboard.press("Escape")
    longest = "Pim hörte bei 2:32,2 auf zu spielen. Du kamst auf Platz 2, 13 Punkte hinter Corvin. "
    longest += "Du hast keine Karten genommen, als nur du eine 5 bereit hattest, und er nahm 14."
    phone.locator(".verdict-words").evaluate(
        "(verdict, it) => { verdict.textContent = it; }", longest
    )
    expect_all_in_view(phone, (320, 568))
    phone.set_viewport_size({"width": 1280, "height": 800})
    phone.locator(".seat-head").first.evaluate("head => { head.style.minHeight = '60px'; }")
    expect_every_seat(phone)  # the board has the same size, its rows have not
    phone.goto(f"/embed{five}?round=1&event=60")
    expect(phone.locator(".board .card").first).to_be_attached()
    for width, height in ((320, 480), (640, 360)):
        phone.set_viewport_size({"width": width, "height": height})
        expect_every_seat(phone)


def test_a_phone_steps_by_touch_and_keeps_its_table_in_sight(phone: Page, five: str) -> None:
    show(phone, f"{five}?round=1&t=0")
    for name in ("Previous moment", "Play", "Next moment"):
        expect(phone.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)
    phone.get_by_role("button", name="Step: one event forward").tap()
    expect_place(phone, 1, 1)
    more(phone).get_by_role("button", name="Next take").tap()
    take = numbers(rounds_of(FIVE)[0], "take")[0]
    expect_place(phone, 1, take)
    phone.locator("#tabs").scroll_into_view_if_needed()
    phone.mouse.wheel(0, 300)
    expect(phone.locator(".slot").first).to_be_in_viewport()


CONTROLS = """() => [...document.querySelectorAll(
  "main :is(a[href], button, input, select, summary, textarea, [tabindex])")].filter((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  if (!one.checkVisibility({ visibilityProperty: true }) || top > innerHeight - 4) return false;
  const middle = Math.min(top + height / 2, innerHeight - 1);
  if (!one.contains(document.elementFromPoint(left + width / 2, middle))) return false;
  return !one.closest(".moments, [role=region], .overview, .board");
}).map((one) => one.ariaLabel || one.textContent.trim())"""
"""What can be pressed in the window without scrolling, but for the rows of a list."""


def test_what_matters_is_in_view_with_few_controls(page: Page, three: str) -> None:
    show(page, f"{three}?tab=analysis")
    expect(page.locator(".moments > li").first).to_be_in_viewport()
    expect(page.get_by_role("heading", level=1)).to_contain_text(". P1 took 19 cards in round 4")
    for place in ("#verdict", ".scrub-track", ".chances-area", "#toggle"):
        expect(page.locator(place).first).to_be_in_viewport(ratio=1)
    for slot in page.locator(".slot").all():
        expect(slot).to_be_in_viewport(ratio=1)
    controls = page.evaluate(CONTROLS)
    assert {"Play", "Next moment", "Step: one event forward"} <= set(controls)
    assert len(controls) <= (14 if page.evaluate("innerWidth") > 1000 else 12), controls


# --- Light and quick --------------------------------------------------------------------------


def test_the_page_opens_light_and_nothing_jumps(page: Page, untouched: str) -> None:
    page.add_init_script(f"{FIRST_CARD}\n{SHIFTS}")
    fetched = Fetched(page)
    with page.expect_event("requestfinished", lambda request: request.url.endswith("/notes.js")):
        load_the_rest = held(page, "**/log?from=*", lambda: show(page, untouched))
    expect(page.locator(".moments > li").first).to_be_attached()
    load_the_rest()  # the list shows its cards
    expect(page.locator(".moments > li .card")).not_to_have_count(0)
    expect(page.locator(".scrub-star").first).to_be_attached()
    expect_still(page, MOST_SHIFT)
    fetched.check("replay")
    with page.expect_response(re.compile("details=only")):
        open_charts(page)
    expect(page.locator("#charts")).to_be_visible()
    heavy = page.evaluate(HEAVY)
    assert heavy
    assert min(heavy) > 0
