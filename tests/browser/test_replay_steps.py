"""Going about in a replay: keys, buttons, addresses."""

from __future__ import annotations

import re
from itertools import accumulate

import pytest
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
    numbers,
    rounds_of,
    show,
)

RACES = numbers(FIRST, "tie", "late")
TAKES = numbers(FIRST, "take")
STEPS = {
    "ArrowRight": ("Step: one event forward", (1, START + 1)),
    "ArrowLeft": ("Step: one event back", (1, START - 1)),
    "Shift+ArrowRight": ("One second forward", (1, at(FIRST, T + 1000))),
    "Shift+ArrowLeft": ("One second back", (1, at(FIRST, T - 1000))),
    "]": ("Next take", (1, min(n for n in TAKES if n > START))),
    "[": ("Previous take", (1, max(n for n in TAKES if n < START))),
    "n": ("Next race or note", (1, min(n for n in RACES if n > START))),
    "p": ("Previous race or note", (1, max(n for n in RACES if n < START))),
    "Home": ("To the start", (1, 0)),
    "End": ("To the end", (ROUNDS, len(LAST))),
}


@pytest.mark.parametrize("key", STEPS)
def test_keys_step(begun: Page, key: str) -> None:
    begun.keyboard.press(key)
    expect_place(begun, *STEPS[key][1])


@pytest.mark.parametrize("key", STEPS)
def test_each_step_has_a_button(begun: Page, key: str) -> None:
    name, place = STEPS[key]
    begun.get_by_role("button", name=name, exact=True).click()
    expect_place(begun, *place)


def test_rounds_have_buttons(begun: Page) -> None:
    begun.get_by_role("button", name="Next round").click()
    expect_place(begun, 2, 0)
    begun.keyboard.press("ArrowLeft")
    expect_place(begun, 1, len(FIRST))
    begun.get_by_role("button", name="Previous round").click()
    expect_place(begun, 1, 0)


@pytest.mark.parametrize("key", ["Space", "k"])
def test_keys_play_and_pause(begun: Page, key: str) -> None:
    begun.keyboard.press(key)
    expect(begun.get_by_role("button", name="Pause")).to_be_visible()
    expect(begun.locator("#table")).not_to_have_attribute("data-event", str(START))
    begun.keyboard.press(key)
    expect(begun.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_keys_change_the_speed(begun: Page) -> None:
    speed = begun.locator("#speed")
    begun.keyboard.press(">")
    expect(speed).to_have_text("1.5×")
    for _ in range(6):
        begun.keyboard.press(">")
    expect(speed).to_have_text("8×")
    for _ in range(9):
        begun.keyboard.press("<")
    expect(speed).to_have_text("0.1×")


def test_f_goes_through_the_perspectives(begun: Page) -> None:
    choice = begun.get_by_role("combobox", name="Perspective")
    hands = begun.locator(".board .card:not([data-side=back]):not([hidden])")
    open_cards = hands.count()
    for value in ["0", "1", "2", "spectator", "all"]:
        begun.keyboard.press("f")
        expect(choice).to_have_value(value)
        if value == "spectator":
            expect(hands).not_to_have_count(open_cards)
    expect(hands).to_have_count(open_cards)


def test_help_lists_the_keys_and_takes_them(begun: Page) -> None:
    begun.keyboard.press("?")
    help_ = begun.get_by_role("dialog", name="Keys")
    expect(help_).to_contain_text("Previous race or note")
    begun.keyboard.press("n")
    expect_place(begun, 1, START)
    begun.keyboard.press("Escape")
    expect(help_).to_be_hidden()


def test_other_modifiers_and_choosing_leave_keys_alone(begun: Page) -> None:
    for key in ["Control+ArrowRight", "Meta+ArrowRight", "Alt+n", "Shift+n", "Shift+Home"]:
        begun.keyboard.press(key)
    begun.get_by_role("combobox", name="Perspective").focus()
    begun.keyboard.press("n")
    begun.keyboard.press("k")
    expect(begun.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect_place(begun, 1, START)


def test_space_on_a_button_presses_the_button(begun: Page) -> None:
    begun.get_by_role("button", name="Step: one event forward").focus()
    begun.keyboard.press("Space")
    expect_place(begun, 1, START + 1)
    expect(begun.get_by_role("button", name="Play", exact=True)).to_be_visible()


# --- Addresses --------------------------------------------------------------------------------


def test_a_link_opens_at_its_round_and_time(wide: Page, three: str) -> None:
    show(wide, f"{three}?round=2&t=9000&pov=1")
    expect_place(wide, 2, at(rounds_of(THREE)[1], 9000))
    expect(wide.locator("#time-now")).to_have_text("0:09.0")
    expect(wide.get_by_role("combobox", name="Perspective")).to_have_value("1")


def test_a_link_by_seq_opens_in_any_round(wide: Page, three: str) -> None:
    starts = list(accumulate((len(events) + 1 for events in rounds_of(THREE)), initial=1))
    show(wide, f"{three}?seq={starts[2] + 12}")
    expect_place(wide, 3, 12)


def test_the_address_follows_without_filling_the_history(begun: Page) -> None:
    length = begun.evaluate("history.length")
    begun.keyboard.press("]")
    event = FIRST[STEPS["]"][1][1] - 1]
    expect(begun).to_have_url(re.compile(rf"round=1&t={event['t']}$"))
    begun.reload()
    expect_place(begun, *STEPS["]"][1])
    assert begun.evaluate("history.length") == length


@pytest.mark.parametrize("query", ["?round=99", "?seq=999999", "?t=-4&round=x", "?pov=9"])
def test_a_malformed_link_still_opens(wide: Page, three: str, query: str) -> None:
    wide.goto(three + query)
    expect(wide.locator(".board .card").first).to_be_attached()
