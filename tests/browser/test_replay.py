"""The replay page: moments, the scrubber, the list, five seats with long names, its weight.

Console errors, broken policies and requests to elsewhere fail any of these tests (`faults`).
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.replaying import (
    FIRST,
    HELD,
    LAST,
    ROUNDS,
    SHIFTS,
    START,
    THREE,
    Line,
    T,
    at,
    expect_place,
    lines_of,
    list_all,
    numbers,
    rounds_of,
    show,
)
from tests.services import Site

LONG_NAMES = [f"{letter * 3}-" + "Wolfeschlegelsteinhausenbergerdorff" * 2 for letter in "VWXYZ"]
RUNNING = """document.getAnimations().filter(
  (motion) => motion.effect.target.matches(".card") && !(motion instanceof CSSTransition)).length"""
STEP_ON = f"""() => {{
  const key = new KeyboardEvent("keydown", {{ key: "ArrowRight", bubbles: true }});
  document.body.dispatchEvent(key);
  return {RUNNING};
}}"""
"""One event forward, and how many cards move then: asked in one go, before a motion can end."""
FIRST_CARD = """new MutationObserver((_, watching) => {
  if (!document.querySelector(".board .card")) return;
  window.firstCard = performance.now();
  watching.disconnect();
}).observe(document, { childList: true, subtree: true })"""
HEAVY = """performance.getEntriesByType("resource")
  .filter(({ name }) => /(charts|plotly)[^/]*\\.js$/.test(name))
  .map(({ startTime }) => startTime - firstCard)"""
"""How many ms after the first card each heavy script was asked for."""
SCRIPT_LIMIT = 60_000
"""Bytes of JavaScript, gzipped, before the table is up."""
NOTES_LIMIT = 8_000
"""What notes add to that before anybody reads or writes one."""

Check = Callable[[Page], None]


@pytest.fixture(scope="module")
def five(
    site: Site, address: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory
) -> str:
    """A match of five players with names as long as names may be, and a note."""
    header, *rest = lines_of("valid-gamerules-5")
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


def stand_before(page: Page, url: str, events: list[Line], kind: str) -> int:
    number = numbers(events, kind)[0]
    page.add_init_script(HELD)
    show(page, f"{url}?seq={number}")
    expect_place(page, 1, number - 1)
    return number


def test_a_take_is_a_moment(page: Page, three: str) -> None:
    number = stand_before(page, three, FIRST, "take")
    assert page.evaluate(STEP_ON) > 0
    expect(page.locator(".shout-take")).to_have_text(f"+{FIRST[number - 1]['takes']}")
    expect(page.locator("#now")).to_contain_text("takes stack")


def test_a_tie_is_a_moment(page: Page, three: str) -> None:
    stand_before(page, three, FIRST, "tie")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".shout-tie")).to_have_text("Tie")
    expect(page.locator("#now")).to_contain_text("go to the discard piles")


def test_reduced_motion_leaves_the_words(open_page: Callable[..., Page], three: str) -> None:
    page = open_page("wide", reduced_motion="reduce")
    stand_before(page, three, FIRST, "take")
    assert page.evaluate(STEP_ON) == 0
    expect(page.locator(".shout-take")).to_be_visible()


def test_the_end_says_who_won(wide: Page, three: str) -> None:
    show(wide, three)
    wide.keyboard.press("End")
    expect(wide.locator(".seat-chip", has_text="wins")).to_have_count(1)
    expect(wide.locator("#now")).to_contain_text("wins the match.")
    totals = [str(total) for total in LAST[-1]["totals"]]
    for seat, total in enumerate(totals):
        expect(wide.locator(f".seat.deck-{seat} .seat-total")).to_have_text(total)


# --- Scrubber and list ------------------------------------------------------------------------


def test_the_scrubber_is_a_slider(begun: Page) -> None:
    slider = begun.get_by_role("slider", name="Position in the match")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(rf"Round 1 of {ROUNDS}, "))
    slider.focus()
    begun.keyboard.press("PageUp")
    expect_place(begun, 1, at(FIRST, T + 10_000))
    begun.keyboard.press("ArrowRight")
    expect_place(begun, 1, at(FIRST, T + 10_000) + 1)


def test_the_scrubber_is_dragged(page: Page, three: str) -> None:
    show(page, three)
    box = page.get_by_role("slider", name="Position in the match").bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 5, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 3, middle, steps=5)
    page.mouse.up()
    expect(page.locator("#round-now")).to_have_text(f"Round {ROUNDS} of {ROUNDS}")


def test_a_click_in_the_list_goes_there(begun: Page) -> None:
    list_all(begun)
    begun.locator(f'.event-button[data-event="{START + 4}"]').click()
    expect_place(begun, 1, START + 4)


def test_the_list_holds_only_what_is_in_sight(begun: Page) -> None:
    list_all(begun)
    expect(begun.locator(".event-row").first).to_be_attached()
    assert begun.locator(".event-row").count() < 80
    total = sum(len(events) + 1 for events in rounds_of(THREE))
    expect(begun.locator(".event-row").first).to_have_attribute("aria-setsize", str(total))


def test_a_step_is_announced_to_screen_readers(begun: Page) -> None:
    begun.keyboard.press("]")
    expect(begun.locator("#voice")).to_contain_text("takes stack")


# --- Many players, small screens --------------------------------------------------------------


def test_five_long_names_fit(
    themed: Page, five: str, axe: Check, no_sideways_scroll: Check
) -> None:
    show(themed, f"{five}?round=1&t=20000")
    board = themed.locator("#table").bounding_box()
    assert board
    for seat in range(5):
        box = themed.locator(f".seat.deck-{seat}").bounding_box()
        assert box
        assert box["x"] >= board["x"]
        assert box["x"] + box["width"] <= board["x"] + board["width"]
    play = themed.get_by_role("button", name="Play", exact=True)
    expect(play).to_be_in_viewport(ratio=1)
    no_sideways_scroll(themed)
    axe(themed)


def test_notes_are_listed_and_lead_there(wide: Page, five: str) -> None:
    show(wide, five)
    wide.get_by_role("tab", name="Notes").click()
    wide.get_by_text("Feeds the next 5.").click()
    expect_place(wide, 1, 40)
    note = wide.get_by_role("tabpanel", name="Notes").locator("li.note")
    expect(note).to_contain_text("in the record")
    expect(note.get_by_role("button", name="Copy to my notes")).to_be_visible()
    expect(note.get_by_role("button", name="Edit")).to_have_count(0)


def test_the_table_stays_in_sight_on_a_phone(phone: Page, five: str) -> None:
    show(phone, five)
    phone.locator("#tabs").scroll_into_view_if_needed()
    phone.mouse.wheel(0, 300)
    expect(phone.locator(".slot").first).to_be_in_viewport()


def test_touch_steps(phone: Page, three: str) -> None:
    show(phone, three)
    phone.get_by_role("button", name="Step: one event forward").tap()
    expect_place(phone, 1, 1)


# --- Light and quick --------------------------------------------------------------------------


def weight(script: Request) -> int:
    """Bytes of a script as it travels."""
    response = script.response()
    assert response
    return len(gzip.compress(response.body()))


def test_the_table_is_up_before_anything_heavy(wide: Page, three: str) -> None:
    wide.add_init_script(FIRST_CARD)
    scripts: list[Request] = []

    def note(request: Request) -> None:
        if request.resource_type == "script":
            scripts.append(request)

    wide.on("requestfinished", note)
    with wide.expect_event("requestfinished", lambda request: request.url.endswith("/notes.js")):
        show(wide, three)
    expect(wide.locator("#charts")).to_be_visible()
    sizes = {script.url.rpartition("/")[2]: weight(script) for script in scripts}
    assert sizes["theme.js"] + sizes["replay.js"] < SCRIPT_LIMIT
    assert sizes["notes.js"] < NOTES_LIMIT
    heavy = wide.evaluate(HEAVY)
    assert heavy
    assert min(heavy) > 0


def test_nothing_jumps_while_the_page_opens(page: Page, three: str) -> None:
    page.add_init_script(SHIFTS)
    show(page, three)
    expect(page.locator("#charts")).to_be_visible()
    assert page.evaluate("shifts") == []
