"""Going about in a replay: keys, buttons, addresses.

Which key does what, and where each step leads: tests/js/goingabout.test.js.
"""

import re

from playwright.sync_api import Page, expect

from tests.browser.replaying import (
    FIRST,
    LAST,
    ROUNDS,
    START,
    THREE,
    T,
    at,
    expect_place,
    more,
    numbers,
    rounds_of,
    show,
)

RACES = numbers(FIRST, "tie", "late")
TAKES = numbers(FIRST, "take")
STEPS = {
    "Step: one event forward": START + 1,
    "Step: one event back": START,
    "One second forward": at(FIRST, T + 1000),
    "One second back": START,
    "Next take": min(n for n in TAKES if n > START),
    "Previous take": max(n for n in TAKES if n < START),
    "Next race or note": min(n for n in RACES if n > max(t for t in TAKES if t < START)),
    "Previous race or note": max(n for n in RACES if n < START),
    "To the start": 0,
}
"""One after the other from START: each button, and the event after."""


def expect_playing(page: Page, playing: bool) -> None:
    name = "Pause" if playing else "Play"
    expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()


def test_buttons_go_about(begun: Page) -> None:
    def press(name: str) -> None:
        place = begun if name.startswith("Step") else more(begun)
        place.get_by_role("button", name=name, exact=True).click()

    for name, event in STEPS.items():
        press(name)
        expect_place(begun, 1, event)
    press("Next round")
    expect_place(begun, 2, 0)
    begun.keyboard.press("ArrowLeft")
    expect_place(begun, 1, len(FIRST))
    press("Previous round")
    expect_place(begun, 1, 0)
    for name, speed in {"Faster": "1.5×", "Slower": "1×"}.items():
        press(name)
        expect(begun.locator("#speed")).to_have_text(speed)
    press("To the end")
    expect_place(begun, ROUNDS, len(LAST))


def test_space_plays_after_a_click_and_presses_a_button_reached_by_keys(begun: Page) -> None:
    forward = begun.get_by_role("button", name="Step: one event forward")
    forward.click()
    expect_place(begun, 1, START + 1)
    begun.keyboard.press("Space")
    expect_playing(begun, True)
    begun.keyboard.press("ArrowLeft")
    expect_playing(begun, False)
    begun.keyboard.press("Home")
    begun.get_by_role("button", name="Step: one event back").focus()
    begun.keyboard.press("Tab")
    begun.keyboard.press("Tab")
    expect(forward).to_be_focused()
    begun.keyboard.press("Space")
    expect_place(begun, 1, 1)
    expect_playing(begun, False)


def test_keys_that_are_not_meant_for_the_table(begun: Page) -> None:
    begun.keyboard.press("?")
    help_ = begun.get_by_role("dialog", name="Keys")
    expect(help_).to_contain_text("Previous race or note")
    begun.keyboard.press("n")
    begun.keyboard.press("Escape")
    expect(help_).to_be_hidden()
    expect(begun.locator("#main")).to_be_focused()  # not at the end, where the help is
    for key in ["Control+ArrowRight", "Meta+ArrowRight", "Alt+n", "Shift+n", "Shift+Home"]:
        begun.keyboard.press(key)
    choice = more(begun).get_by_role("combobox", name="Perspective")
    choice.focus()
    begun.keyboard.press("n")
    begun.keyboard.press("k")
    choice.blur()
    begun.keyboard.press("ArrowRight")  # the first that counts
    expect_place(begun, 1, START + 1)
    expect_playing(begun, False)


def test_f_goes_through_the_perspectives(begun: Page) -> None:
    choice = begun.get_by_label("Perspective")
    hands = begun.locator(".board .card:not([data-side=back]):not([hidden])")
    open_cards = hands.count()
    for value in ["0", "1", "2", "spectator", "all"]:
        begun.keyboard.press("f")
        expect(choice).to_have_value(value)
        if value == "spectator":
            expect(hands).not_to_have_count(open_cards)
    expect(hands).to_have_count(open_cards)


def test_an_address_opens_its_place_and_follows_it(wide: Page, three: str) -> None:
    second = rounds_of(THREE)[1]
    show(wide, f"{three}?round=2&t=9000&pov=1")
    expect_place(wide, 2, at(second, 9000))
    expect(wide.locator("#time-now")).to_have_text("0:09.0")
    expect(wide.get_by_label("Perspective")).to_have_value("1")

    length = wide.evaluate("history.length")
    wide.keyboard.press("]")
    take = min(n for n in numbers(second, "take") if n > at(second, 9000))
    expect(wide).to_have_url(re.compile(rf"round=2&t={second[take - 1]['t']}&pov=1$"))
    wide.reload()
    expect_place(wide, 2, take)
    assert wide.evaluate("history.length") == length
