"""Playing in the browser: from the lobby to the scores, by keys and taps, away and back."""

import json
import re
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, Locator, Page, expect

from games.records.receipts import compare, parse_receipt
from tests.browser.accounts import make_a_class, sign_up
from tests.browser.checking import Fetched, check_page, no_sideways_scroll
from tests.browser.conftest import SIZES, Faults, visit
from tests.browser.replaying import SHIFTS, expect_still, more
from tests.browser.tables import (
    LOOK,
    PLAY,
    begin,
    discard,
    expect_hand,
    expect_noted,
    lay,
    note,
    sit,
    sit_down,
)
from tests.services import Site

BELOW = """() => {
  const all = (what) => [...document.querySelectorAll(what)]
    .map((one) => one.getBoundingClientRect());
  const cards = all(".board .card:not([hidden])");
  return all(".slot-key").every((key) => cards.every((card) =>
    key.top >= card.bottom || key.bottom <= card.top
    || key.left >= card.right || key.right <= card.left));
}"""
"""Whether the stacks' keys hide no card."""
BESIDE = """() => [...document.querySelectorAll(".slot")].every((slot) =>
  slot.getBoundingClientRect().right < document.querySelector(".feed").getBoundingClientRect().left)
"""
"""Whether the latest events are beside the stacks."""


def expect_all_in_view(page: Page) -> None:
    """What a player needs is in view on usual screens, also below a browser's bars."""
    for width, height in ((1280, 800), (1366, 768), (1366, 650)):
        page.set_viewport_size({"width": width, "height": height})
        for name in ("Discard", "Options"):
            expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
        expect(page.locator(".seat.is-home")).to_be_in_viewport(ratio=1)
        assert page.evaluate(BESIDE)
    expect(page.get_by_role("button", name="Draw")).to_be_hidden()  # cards are drawn by themselves


def salt_of(site: Site, match: str) -> str:
    """The salt of the first seat in the first deal."""
    deal = json.loads(site.record(match).splitlines()[1])
    return str(deal["fair"]["salts"][0])


def expect_true_receipt(page: Page, site: Site, match: str) -> None:
    """What the page kept is the record, to the last line, with everything that the player did."""
    record = site.record(match).encode()
    kept = page.evaluate("match => localStorage.getItem(`ratuki.receipt.${match}`)", match)
    receipt = parse_receipt(kept.encode())
    assert compare(receipt, BytesIO(record)) == []
    assert receipt.seq == len(record.splitlines()) - 1
    assert list(receipt.lines) == list(range(receipt.seq + 1))
    assert any(asked.do == "play" and asked.t is not None for asked in receipt.actions)


def a_file(text: str) -> FilePayload:
    return {"name": "a.receipt", "mimeType": "application/json", "buffer": text.encode()}


def hold_receipts(page: Page, match: str) -> None:
    """Fair play has the receipt of the match, and says how the record compares with one."""
    more(page).get_by_role("link", name="Deals checked").click()
    with page.expect_download() as saving:
        page.locator("#receipts li").first.get_by_role("button", name="Save").click()
    assert saving.value.suggested_filename == f"{match}.receipt"
    kept = Path(saving.value.path()).read_text()
    choice = page.get_by_label("Check a receipt")
    choice.set_input_files(a_file(kept))
    expect(page.locator("#receipt-verdict")).to_contain_text("The record agrees with this receipt")
    receipt = json.loads(kept)
    receipt["actions"][0] |= {"seq": 1}
    choice.set_input_files(a_file(json.dumps(receipt)))
    expect(page.locator("#receipt-verdict")).to_contain_text("Line 2: expected the action")
    page.locator("#receipts li").first.get_by_role("button", name="Check").click()
    expect(page.locator("#receipt-verdict")).to_contain_text("The record agrees with this receipt")


def test_a_table_is_opened_and_set_up(wide: Page) -> None:
    wide.goto("/play/")
    check_page(wide)
    sit(wide, level_2="1")
    check_page(wide)
    places = wide.locator("#places > li")
    places.evaluate_all("(all) => all.forEach((place) => place.classList.add('is-away'))")
    check_page(wide)  # as while they are away
    # It stays until it is dismissed; who has read it is dealt to at once, against bots.
    expect(wide.locator("#how-to")).to_be_visible()
    wide.get_by_role("button", name="Got it").click()
    expect(wide.locator("#how-to")).to_be_hidden()
    wide.reload()
    expect_hand(wide)
    check_page(wide)
    expect_all_in_view(wide)
    assert wide.evaluate(BELOW)
    # Keys keep out of the way of a field, and another choice of them is kept.
    wide.get_by_role("button", name="Options").click()
    wide.get_by_label("Keys").focus()
    wide.keyboard.press("d")
    expect(wide.get_by_role("button", name="Discard")).to_have_attribute("aria-pressed", "false")
    wide.get_by_label("Keys").select_option("numbers")
    expect(wide.locator(".hand-place kbd").first).to_have_text("1")
    wide.get_by_label("Sounds").uncheck()
    wide.reload()
    expect(wide.locator(".hand-place kbd").first).to_have_text("1")
    expect(wide.locator(".slot-key").first).to_have_text("Q")
    expect(wide.locator("[name=sound]")).not_to_be_checked()


def test_a_round_is_played_with_the_keys(wide: Page, site: Site) -> None:
    sign_up(wide, "Keys-Kay")
    school_class = make_a_class(wide)
    sit_down(wide, lay(site, "by-keys", (3, 2, 2, 2, 1, 2), stall_ms=5_000))
    fetched = Fetched(wide)
    wide.reload()
    begin(wide)
    fetched.check("play")
    discard(wide)
    wide.evaluate(PLAY)
    expect(wide.locator("#between-title")).to_have_text(re.compile("wins? the match|share the win"))
    expect(wide.locator(".feed")).to_contain_text("You ")
    expect(wide.locator(".scores tbody tr")).to_have_count(2)
    why = wide.locator("#next .why", has_text=re.compile(r"^You "))
    # A draw has no reason.
    drawn = wide.locator("#between-title", has_text="share the win")
    expect(why.or_(drawn).first).to_be_visible()
    check_page(wide)
    assert re.fullmatch("[0-9a-f]{32}", salt_of(site, "by-keys")), "the browser sends one unasked"
    expect(wide.locator("#checked")).to_be_visible()
    expect(wide.locator("#checked")).to_have_text("✓ Fair play")
    expect_true_receipt(wide, site, "by-keys")
    match = wide.get_by_role("link", name="View the replay").get_attribute("href")
    expect(wide.get_by_role("link", name="Join the review")).to_have_count(0)
    headers = {
        "X-CSRFToken": wide.locator("[name=csrfmiddlewaretoken]").first.input_value(),
        "Referer": wide.url,
    }
    assert match
    at = f"{wide.request.get(match).url}review/"
    assert wide.request.post(at, form={"school_class": school_class}, headers=headers).ok
    wide.evaluate(LOOK)
    expect(wide.get_by_role("link", name="Join the review")).to_be_visible(timeout=15_000)
    check_page(wide)
    wide.get_by_role("button", name="Play again").click()
    # Seats turn: the bot has the first one now.
    expect(wide.locator("#places li").nth(1)).to_contain_text("you")
    wide.goto(match)
    expect(wide.locator("#events")).to_contain_text("▸")
    hold_receipts(wide, "by-keys")


def test_a_table_of_five_on_a_phone_needs_no_scrolling_and_shows_no_keys(phone: Page) -> None:
    slow = {f"level_{seat}": "1" for seat in range(2, 6)}  # the round lasts
    sit(phone, seat_3="builder", seat_4="starver", seat_5="runner", **slow)
    phone.locator("#how-to").tap()
    expect(phone.locator("#how-to kbd").first).to_be_hidden()
    begin(phone)
    expect_all_in_view(phone)
    phone.set_viewport_size({"width": SIZES["phone"][0], "height": SIZES["phone"][1]})
    no_sideways_scroll(phone)
    assert phone.evaluate("document.documentElement.scrollHeight") <= SIZES["phone"][1]
    phone.locator(".said").tap()
    expect(phone.locator(".place-key").first).to_be_hidden()
    expect(phone.locator(".seat.is-home .pile-word")).to_have_text(["draw", "discard", "won"])
    expect(phone.locator(".seat.is-home .pile-word").first).to_be_visible()


def card(page: Page, face: str) -> Locator:
    """A card in the player's hand."""
    return page.get_by_role("button", name=re.compile(f"^{face}, key"))


def test_a_player_looks_back_while_another_plays_by_taps(
    open_page: Callable[..., Page], site: Site
) -> None:
    ada, bo = open_page("wide"), open_page("phone")
    # Everybody's hand is a 1, a 2 and a 3.
    table = lay(site, "look-back", (1, 1, 1, 0, 0, 0), people=2, bots=0)
    note(bo, "#notice")
    for page in (ada, bo):
        sit_down(page, table)
    bo.get_by_role("button", name="I am ready").tap()
    begin(ada)
    expect_hand(bo)
    card(bo, "3").tap()
    bo.get_by_role("button", name="Stack 1").tap()
    expect_noted(bo, "That does not fit there. Nothing was sent.")
    card(bo, "1").tap()
    look_back(ada, card(bo, "2").tap)
    card(ada, "3").click()
    expect(ada.locator(".feed-row").first).to_contain_text("You played a 3 on")


def look_back(page: Page, go_on: Callable[[], None]) -> None:
    """Look back by keys and buttons, while the table goes on."""
    banner, latest = page.locator("#behind"), page.locator(".feed-row").first
    forward = page.get_by_role("button", name="One event forward")
    discarding = page.get_by_role("button", name="Discard")
    expect(latest).to_contain_text("stack 1 with a 1")
    expect(forward).to_be_disabled()
    page.keyboard.press("ArrowLeft")
    expect(banner).to_be_visible()
    check_page(page)
    go_on()
    expect(latest).to_contain_text("a 2 on")
    expect(page.locator(".slot .spoken").first).to_have_text("Free.")  # what is looked at stays
    # A key of the game leads back to now, and does nothing else.
    page.keyboard.press("d")
    expect(banner).to_be_hidden()
    expect(page.get_by_role("button", name="Back to now")).to_be_hidden()
    expect(discarding).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="One event back").click()
    expect(banner).to_be_visible()
    page.keyboard.press("l")
    expect(banner).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    expect(banner).to_be_visible()
    forward.click()
    expect(banner).to_be_hidden()


def share_the_link(page: Page) -> str:
    """Copy the invitation; the link."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    link = page.get_by_label("Send this link").input_value()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == link
    return link


def test_friends_meet_by_a_link(open_page: Callable[..., Page]) -> None:
    ada, bo = open_page("wide"), open_page("phone")
    ada.goto("/play/new/")
    ada.get_by_label("Invite only").check()
    ada.get_by_role("button", name="Open the table").click()
    bo.add_init_script(SHIFTS)
    bo.goto(share_the_link(ada))
    expect(bo.locator("#seating-note")).to_have_text("One seat is still free.")
    expect_still(bo)  # or a finger misses the button
    check_page(bo)
    bo.get_by_role("button", name="Sit down").click()
    expect(ada.locator("#places li").nth(1)).to_contain_text("Guest")
    bo.get_by_role("button", name="I am ready").click()
    expect(ada.locator("#places li").nth(1)).to_contain_text("ready")
    begin(ada)
    expect_hand(bo)
    ada.get_by_role("button", name="Leave").click()
    ada.get_by_role("button", name="Abandon the match It ends when everyone wants this").click()
    expect(bo.locator("#giving-up")).to_contain_text("wants to abandon the match")
    bo.get_by_role("button", name="Leave").tap()
    bo.get_by_role("button", name="Abandon the match It ends now").tap()  # no one else has to
    expect(ada.locator("#between-title")).to_have_text("The match was abandoned")
    expect(ada.get_by_role("columnheader", name="Unfinished round")).to_be_visible()
    expect(bo.get_by_role("button", name="Leave")).to_be_hidden()
    expect(bo.locator("#giving-up")).to_be_hidden()


def test_leaving_hands_the_seat_to_a_bot_and_coming_back_takes_it(wide: Page, site: Site) -> None:
    table = lay(site, "leaving")
    sit_down(wide, table)
    begin(wide)
    leave = wide.locator("[data-do=leave]")
    leave.press("Enter")
    dialog = wide.get_by_role("dialog", name="Leave the match?")
    expect(dialog).to_be_visible()
    expect(wide.get_by_role("button", name="Play on")).to_be_focused()
    check_page(wide)
    wide.keyboard.press("d")  # no key of the game is obeyed meanwhile
    wide.keyboard.press("Escape")
    expect(leave).to_be_focused()
    expect(wide.get_by_role("button", name="Discard")).to_have_attribute("aria-pressed", "false")
    leave.press("Enter")
    expect(dialog).to_contain_text("A bot plays for you until you come back.")
    expect(dialog.get_by_role("button")).to_have_text(["Play on", "Leave"])
    dialog.get_by_role("button", name="Leave").click()
    expect(wide.get_by_role("heading", name="Your tables")).to_be_visible()
    bot = wide.get_by_role("listitem").get_by_text("A bot is playing for you.")
    for _ in range(20):  # the table's state is stored a moment after the leave
        if bot.is_visible():
            break
        wide.reload()
    expect(bot).to_be_visible()
    expect(wide.get_by_role("link", name="Go back")).to_have_count(1)
    # Watch a round until so much of it has been played from now on.
    log = wide.request.get(f"/api/v1{table.replace('play', 'tables').rstrip('/')}").json()["log"]
    (*_, chunk) = wide.request.get(f"{log}?from=1").json()["chunks"]
    now = chunk["lines"][-1].get("t", 0) // 1_000
    times = (f"{s // 60}:{s % 60:02}" for s in range(now + 6, 3_600))
    wide.goto(f"{table}replay/")
    expect(wide.locator("#time-now")).to_have_text(re.compile(rf"^({'|'.join(times)})\."))
    wide.goto("/play/")
    wide.get_by_role("link", name="Go back").click()
    expect(wide.locator("#notice")).to_contain_text(re.compile(r"You missed \d+\ss\."))
    discard(wide)


def test_a_guest_who_signs_up_in_another_tab_plays_on(wide: Page, site: Site) -> None:
    sit_down(wide, lay(site, "two-tabs"))
    begin(wide)
    other = wide.context.new_page()
    with wide.expect_event("websocket"):  # the first one went with its session
        sign_up(other, "tab-new")
    expect(wide.locator("#net")).to_be_hidden()
    discard(wide)


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


def test_a_server_that_dies_is_waited_for(visitor: Page, browser: Browser, mortal: Site) -> None:
    """By players and by everyone who watches."""
    sit_down(visitor, lay(mortal, "mortal"))
    begin(visitor)
    discard(visitor)
    places = {
        "/play/mortal/": "#trouble",
        "/embed/tables/mortal/": "#trouble",
        "/watch/": ".wall-note",
        "/tv/": ".wall-note",
    }
    spectators = visit(browser, mortal, reduced_motion="reduce")
    watchers = [(spectators.new_page(), words) for words in places.values()]
    for (page, words), address in zip(watchers, places, strict=True):
        page.goto(address)
        expect(page.locator(".card:not([hidden])").first).to_be_attached()
        expect(page.locator(words).first).not_to_contain_text("Connection lost")
    mortal.stop()
    for page, words in watchers:
        page.bring_to_front()
        expect(page.locator(words).first).to_contain_text("Connection lost", timeout=30_000)
    expect(watchers[0][0].locator("#live-chip")).to_have_text("no connection")
    visitor.bring_to_front()
    expect(visitor.locator("#net")).to_contain_text("Connection lost")
    expect(visitor.locator("body")).to_have_class(re.compile("not-current"))
    mortal.start()
    expect(visitor.locator("#net")).to_be_hidden()
    expect(visitor.locator("body")).not_to_have_class(re.compile("not-current"))
    discard(visitor)
    for page, words in watchers:
        page.bring_to_front()
        expect(page.locator(words).first).not_to_contain_text("Connection lost", timeout=30_000)
    expect(watchers[0][0].locator("#live-chip")).to_contain_text("live")
    spectators.close()
