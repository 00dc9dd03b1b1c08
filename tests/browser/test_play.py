"""Playing in the browser: a whole round by keys, taps on a phone, a killed server."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accounts import log_in, sign_up
from tests.browser.conftest import PATIENCE_MS, SIZES, Faults, visit
from tests.browser.tables import begin, sit
from tests.services import Site

Check = Callable[[Page], None]
HAND = "qwe"
READ = """() => {
  const all = (query, of) => [...document.querySelectorAll(query)].map(of);
  const label = (place) => place.getAttribute('aria-label');
  return {
    hand: all('.hand-place', (place) => label(place).split(',')[0]),
    tops: all('.slot-place', (place) => +(label(place).match(/top (\\d)/)?.[1] ?? 0)),
    left: all('.seat.is-home .pile-count', (count) => +count.textContent).slice(0, 2),
    picked: all('.hand-place[aria-pressed=true]', label).length,
    over: !document.querySelector('#between').hidden,
  };
}"""
"""What a player sees: the faces in hand, the stacks' tops, the own piles."""
Seen = dict[str, Any]


def choice(seen: Seen) -> tuple[int, int] | None:
    """A place in the hand and a stack that it fits, by what the page shows."""
    for place, face in enumerate(seen["hand"]):
        for slot, top in enumerate(seen["tops"]):
            starts = face == "1" and not top
            follows = face.isdigit() and top and abs(int(face) - top) == 1
            if starts or follows or (face == "Wild" and top):
                return place, slot
    return None


def press(page: Page, seen: Seen) -> None:
    """One thing that a player does, by keys."""
    found = choice(seen)
    if not any(seen["left"]):
        page.keyboard.press("o")
    elif found:
        page.keyboard.press(HAND[found[0]])
        if page.evaluate(READ)["picked"]:
            page.keyboard.press(str(found[1] + 1))
    elif all(face != "No card" for face in seen["hand"]):
        page.keyboard.press("d")
        page.keyboard.press(HAND[seen["left"][0] % 3])


def play_round(page: Page, act: Callable[[Page, Seen], None], most: int = 2_500) -> None:
    """Act until the scores are shown."""
    for _ in range(most):
        seen = page.evaluate(READ)
        if seen["over"]:
            return
        act(page, seen)
        page.wait_for_timeout(60)
    raise AssertionError(f"not over after {most} looks: {page.evaluate(READ)}")


def play_on(page: Page) -> None:
    """Act until it has shown that the table takes it."""
    left = page.locator(".seat.is-home .pile-count").first
    before = left.inner_text()
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while left.inner_text() == before:
        assert time.monotonic() < deadline, "nothing can be done"
        press(page, page.evaluate(READ))
        page.wait_for_timeout(60)


BELOW = """() => [...document.querySelectorAll('.slot')].every((slot) => {
  const [key, cards] = ['.slot-key', '.spot-slot'].map((one) => slot.querySelector(one));
  return key.getBoundingClientRect().top >= cards.getBoundingClientRect().bottom;
})"""
"""Whether the stacks' keys hide no card."""


def expect_all_in_view(page: Page) -> None:
    """What a player needs is in view on usual screens, also below a browser's bars."""
    for width, height in ((1280, 800), (1366, 768), (1366, 650)):
        page.set_viewport_size({"width": width, "height": height})
        for name in ("Discard", "Options"):
            expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
        expect(page.locator(".seat.is-home")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Draw")).to_be_hidden()  # cards are drawn by themselves


def test_a_round_is_played_with_the_keys(wide: Page, axe: Check) -> None:
    wide.goto("/play/")
    axe(wide)
    sit(wide, seat_2="taker", level_2="5")
    axe(wide)
    begin(wide)
    axe(wide)
    expect_all_in_view(wide)
    assert wide.evaluate(BELOW)
    play_round(wide, press)
    expect(wide.locator("#feed")).to_contain_text("You ")
    expect(wide.locator("#between h2")).to_have_text(re.compile("wins? the match|share the win"))
    expect(wide.locator(".scores tbody tr")).to_have_count(2)
    axe(wide)
    match = wide.get_by_role("link", name="View the replay").get_attribute("href")
    wide.get_by_role("button", name="Play again").click()
    # Seats turn: the bot has the first one now.
    expect(wide.locator("#places li").nth(1)).to_contain_text("you")
    assert match
    wide.goto(match)
    expect(wide.locator("#events")).to_contain_text("▸")


def test_a_round_on_a_phone_needs_no_scrolling(phone: Page, no_sideways_scroll: Check) -> None:
    slow = {f"level_{seat}": "1" for seat in range(2, 6)}  # the round lasts
    sit(phone, seat_3="builder", seat_4="starver", seat_5="runner", **slow)
    begin(phone)
    expect_all_in_view(phone)
    phone.set_viewport_size({"width": SIZES["phone"][0], "height": SIZES["phone"][1]})
    no_sideways_scroll(phone)
    assert phone.evaluate("document.documentElement.scrollHeight") <= SIZES["phone"][1]

    def tap(page: Page, seen: Seen) -> None:
        found = choice(seen)
        if found:
            page.locator(".hand-place").nth(found[0]).tap()
            if page.evaluate(READ)["picked"]:
                page.locator(".slot-place").nth(found[1]).tap()
        else:
            page.get_by_role("button", name="Discard").tap()
            page.locator(".hand-place:enabled").first.tap()

    for _ in range(40):
        tap(phone, phone.evaluate(READ))
        phone.wait_for_timeout(80)
        if "+" in phone.locator(".seat.is-home .seat-gain").inner_text():
            break
    expect(phone.locator(".feed-row").first).to_be_attached()
    assert phone.evaluate(READ)["left"][0] < 32


def test_a_player_looks_back_while_the_table_goes_on(wide: Page, axe: Check) -> None:
    acts: list[str | bytes] = []

    def note(frame: str | bytes) -> None:
        if re.search(r'"type": ?"act"', str(frame)):
            acts.append(frame)

    wide.on("websocket", lambda socket: socket.on("framesent", note))
    sit(wide, seat_2="runner")
    begin(wide)
    play_on(wide)
    banner, now = wide.locator("#behind"), wide.get_by_role("button", name="Back to now")
    forward = wide.get_by_role("button", name="One event forward")
    expect(forward).to_be_disabled()
    expect(wide.locator(".feed-row").nth(2)).to_be_attached()
    for _ in range(4):
        wide.keyboard.press("ArrowLeft")
    expect(banner).to_be_visible()
    axe(wide)
    expect(wide.locator("#notice")).not_to_contain_text("tap it")
    said = wide.locator("#said").inner_text()
    last = wide.locator(".feed-row").first.inner_text()
    # The bot plays on; what is looked at stays.
    expect(wide.locator(".feed-row").first).not_to_have_text(last)
    expect(wide.locator("#said")).to_have_text(said)
    # A key of the game leads back to now, and does nothing else.
    sent = len(acts)
    wide.keyboard.press("d")
    expect(banner).to_be_hidden()
    expect(now).to_be_hidden()
    expect(wide.get_by_role("button", name="Discard")).to_have_attribute("aria-pressed", "false")
    assert len(acts) == sent
    wide.get_by_role("button", name="One event back").click()
    expect(banner).to_be_visible()
    wide.keyboard.press("l")
    expect(banner).to_be_hidden()
    # Stepping on to the end comes along from there.
    wide.keyboard.press("ArrowLeft")
    expect(banner).to_be_visible()
    for _ in range(60):
        wide.keyboard.press("ArrowRight")
    expect(banner).to_be_hidden()
    play_on(wide)


NOTICES = """() => {
  window.notices = [];
  const notice = document.getElementById("notice");
  const note = () => notices.push(notice.textContent);
  new MutationObserver(note).observe(notice, { childList: true });
}"""
"""Notes what the player is told: it does not stay."""


def test_what_fits_nowhere_shakes_and_is_not_sent(wide: Page) -> None:
    sent: list[str] = []
    wide.on("websocket", lambda ws: ws.on("framesent", lambda frame: sent.append(str(frame))))
    sit(wide, level_2="1")
    begin(wide)
    wide.evaluate(NOTICES)
    seen = wide.evaluate(READ)
    faces = [face if face in "2345" else "" for face in seen["hand"]]
    if not any(faces):
        pytest.skip("a hand of ones and wilds")
    wide.keyboard.press(HAND[faces.index(max(faces))])
    wide.keyboard.press(str(len(seen["tops"])))  # the stack that is started last
    assert "That does not fit there. Nothing was sent." in wide.evaluate("notices.join()")
    assert not [frame for frame in sent if '"do":"play"' in frame]


def test_keys_keep_out_of_the_way(wide: Page) -> None:
    sit(wide)
    begin(wide)
    wide.get_by_role("button", name="Options").click()
    wide.get_by_label("Keys").focus()
    before = wide.evaluate(READ)["left"]
    wide.keyboard.press("d")
    expect(wide.get_by_role("button", name="Discard")).to_have_attribute("aria-pressed", "false")
    assert wide.evaluate(READ)["left"] == before


def test_a_choice_of_keys_is_kept(wide: Page) -> None:
    sit(wide)
    begin(wide)
    wide.get_by_role("button", name="Options").click()
    wide.get_by_label("Keys").select_option("numbers")
    expect(wide.locator(".hand-place kbd").first).to_have_text("1")
    wide.get_by_label("Sounds").uncheck()
    wide.reload()
    expect(wide.locator(".hand-place kbd").first).to_have_text("1")
    expect(wide.locator(".slot-key").first).to_have_text("Q")
    expect(wide.locator("[name=sound]")).not_to_be_checked()


def test_the_introduction_stays_until_it_is_dismissed(wide: Page) -> None:
    sit(wide)
    expect(wide.locator("#how-to")).to_be_visible()
    wide.get_by_role("button", name="Got it").click()
    expect(wide.locator("#how-to")).to_be_hidden()
    wide.reload()
    expect(wide.locator("#how-to")).to_be_hidden()


def test_friends_meet_by_a_link(open_page: Callable[..., Page], axe: Check) -> None:
    ada, bo = open_page("wide"), open_page("phone")
    ada.goto("/play/new/")
    ada.get_by_label("Invite only").check()
    ada.get_by_role("button", name="Open the table").click()
    link = ada.get_by_label("Send this link").input_value()
    bo.goto(link)
    axe(bo)
    bo.get_by_role("button", name="Sit down").click()
    expect(ada.locator("#places li").nth(1)).to_contain_text("Guest")
    bo.get_by_role("button", name="I am ready").click()
    expect(ada.locator("#places li").nth(1)).to_contain_text("ready")
    begin(ada)
    expect(bo.locator(".hand-place:enabled")).to_have_count(3)
    ada.get_by_role("button", name="Options").click()
    ada.get_by_role("button", name="Abandon the match").click()
    bo.get_by_role("button", name="Options").tap()
    expect(bo.locator("#giving-up")).to_contain_text("wants to abandon the match")
    bo.get_by_role("button", name="Abandon the match").tap()
    expect(ada.locator("#between h2")).to_have_text("The match was abandoned")


def played_ms(page: Page, table: str) -> int:
    """How far the table's round is, in ms."""
    log = page.request.get(f"/api/tables/{table}/").json()["log"]
    (*_, chunk) = page.request.get(f"{log}?from=1").json()["chunks"]
    return int(chunk["lines"][-1].get("t", 0))


def test_leaving_hands_the_seat_to_a_bot_and_coming_back_takes_it(wide: Page) -> None:
    sit(wide)
    begin(wide)
    table = wide.url.split("/")[-2]
    wide.get_by_role("button", name="Options").click()
    wide.get_by_role("button", name="Leave: a bot plays on").click()
    expect(wide.get_by_role("heading", name="Your tables")).to_be_visible()
    left = played_ms(wide, table)
    while played_ms(wide, table) < left + 7_000:
        wide.wait_for_timeout(200)
    wide.get_by_role("link", name="Go back").click()
    expect(wide.locator(".hand-place")).to_have_count(3)
    expect(wide.locator("#notice")).to_contain_text(re.compile(r"You missed \d+ s\."))


@pytest.mark.parametrize("known", [False, True], ids=["sign up", "log in"])
def test_a_guest_who_signs_up_in_another_tab_plays_on(
    open_page: Callable[..., Page], known: bool
) -> None:
    name = f"tab-{'old' if known else 'new'}"
    if known:
        sign_up(open_page("wide"), name)
    page = open_page("wide")
    sit(page, level_2="1")
    begin(page)
    other = page.context.new_page()
    with page.expect_event("websocket"):  # the first one went with its session
        log_in(other, name) if known else sign_up(other, name)
    expect(page.locator("#net")).to_be_hidden()
    play_on(page)


# A server that dies


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Site]:
    """A site of this test's own."""
    with Site(tmp_path) as site:
        site.prepare()
        yield site.start()


@pytest.fixture
def visitor(browser: Browser, mortal: Site) -> Iterator[Page]:
    faults = Faults(mortal.url)
    faults.expect("WebSocket connection to")
    context = visit(browser, mortal, reduced_motion="reduce")
    page = context.new_page()
    faults.watch(page)
    yield page
    context.close()
    assert faults.unexpected() == []


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_server_that_dies_is_waited_for(visitor: Page, mortal: Site, how: signal.Signals) -> None:
    sit(visitor)
    begin(visitor)
    for _ in range(20):
        press(visitor, visitor.evaluate(READ))
        visitor.wait_for_timeout(60)
    for _ in range(3):  # the hand has more to do when the table is gone
        press(visitor, visitor.evaluate(READ))
    mortal.stop(how)
    expect(visitor.locator("#net")).to_contain_text("Connection lost")
    expect(visitor.locator("body")).to_have_class(re.compile("not-current"))
    mortal.start()
    expect(visitor.locator("#net")).to_be_hidden()
    expect(visitor.locator("body")).not_to_have_class(re.compile("not-current"))
    play_on(visitor)
