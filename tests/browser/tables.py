"""What tests of playing share: to open a table, to sit down, to begin, and to play a card."""

import json
import re
from dataclasses import replace
from typing import Any, Final

from playwright.sync_api import Locator, Page, expect

from games.tables.plan import new_plan
from tests.live.serving import open_table
from tests.services import Site

NOTE = """addEventListener("DOMContentLoaded", () => {
  const { dataset } = document.documentElement;
  const note = (changes) => changes.forEach(({ target }) => {
    if (target.matches(SELECTOR)) dataset.noted = `${dataset.noted ?? ""}${target.textContent}|`;
  });
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true });
});"""

LOOK = "document.dispatchEvent(new Event('visibilitychange'))"
"""As when a page comes into sight again: it asks at once what is new."""
PLAY = """() => {
  const all = (query, of) => [...document.querySelectorAll(query)].map(of);
  const label = (place) => place.getAttribute("aria-label");
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", {
    key, code: Number(key) ? `Digit${key}` : "", bubbles: true, cancelable: true,
  }));
  const fits = (face, top) => (face === "1" && !top) || (face === "Wild" && top)
    || (Number(face) && top && Math.abs(face - top) === 1);
  let thrown = 0; // hands in turn, or two cards that nobody needs stay for ever
  const act = () => {
    const hand = all(".hand-place", (place) => label(place).split(",")[0]);
    const tops = all(".slot-place", (place) => Number(label(place).match(/top (\\d)/)?.[1] ?? 0));
    const left = all(".seat.is-home .pile-count", (count) => Number(count.textContent));
    const place = hand.findIndex((face) => tops.some((top) => fits(face, top)));
    if (!left[0] && !left[1]) press("o");
    else if (place >= 0) {
      press("qwe"[place]);
      const picked = document.querySelector(".hand-place[aria-pressed=true]");
      if (picked) press(String(tops.findIndex((top) => fits(hand[place], top)) + 1));
    } else if (!hand.includes("No card")) {
      press("d");
      press("qwe"[thrown++ % 3]);
    }
    if (document.querySelector("#between").hidden) requestAnimationFrame(act);
  };
  act();
}"""
"""Plays a round with the keys, by what the page shows."""


def note(page: Page, selector: str) -> None:
    """From its next address on, note what is said there: it does not stay."""
    page.add_init_script(NOTE.replace("SELECTOR", json.dumps(selector)))


def expect_noted(page: Page, words: str) -> None:
    """That has been said where the page notes it."""
    said = re.compile(rf"(^|\|){re.escape(words)}\|")
    expect(page.locator("html")).to_have_attribute("data-noted", said)


def sit(page: Page, **form: str) -> None:
    """Open a speedy table with one bot unless the form says otherwise."""
    page.goto("/play/new/")
    for name, value in {"seat_2": "taker", **form}.items():
        page.locator(f"[name={name}]").select_option(value)
    page.get_by_label("One round only").check()
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("button", name="I am ready")).to_be_enabled()


LONG: Final = (9, 9, 9, 9, 9, 3)
"""So many 1, 2, 3, 4, 5 and wilds of a deck that lasts longer than any test."""


def lay(
    site: Site,
    match: str,
    deck: tuple[int, ...] = LONG,
    *,
    people: int = 1,
    bots: int = 1,
    **rules: Any,
) -> str:
    """Open a speedy table for so many people and slow bots; its address.

    No round stalls and no bot plays on for people: without bots nothing happens by itself.
    """
    rules = {"deck": list(deck), "speedy": True, "stall_ms": 0, **rules}
    plan = new_plan(match, "usaopoly-2009", people + bots, rules)
    for seat in range(people, people + bots):
        plan = plan.seat_bot("first-fit", 1, "B", seat)
    open_table(site, replace(plan, bot_after_ms=0))
    return f"/play/{match}/"


def sit_down(page: Page, table: str) -> None:
    """Take the first free seat of a table."""
    page.goto(table)
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_role("button", name="I am ready")).to_be_enabled()


def begin(page: Page) -> None:
    """Be ready, and wait for the deal."""
    page.get_by_role("button", name="I am ready").click()
    expect_hand(page)


def expect_hand(page: Page) -> None:
    """Three cards are in the player's hand."""
    expect(page.locator(".hand-place:enabled")).to_have_count(3)


def discarded(page: Page) -> Locator:
    """The number of cards in the player's discard pile."""
    return page.locator(".seat.is-home .pile-count").nth(1)


def discard(page: Page) -> None:
    """Discard the first card with the keys, until the table has taken it."""
    expect_hand(page)
    before = int(discarded(page).inner_text())
    page.keyboard.press("d")
    page.keyboard.press("q")
    expect(discarded(page)).to_have_text(str(before + 1))


def open_begun(page: Page, url: str) -> None:
    """Open the page of a live match, by way of its table, which leads there once that has begun."""
    page.goto(url.removesuffix("replay/"))
    expect(page.locator("#live-chip")).to_be_visible()
