"""Playing together: who is away, one tab of two, links that changed, and every change said."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.accounts import log_in, sign_up
from tests.browser.checking import check_page, no_sideways_scroll
from tests.browser.conftest import SIZES
from tests.browser.tables import begin, sit
from tests.narrowing import present

Check = Callable[[Page], None]


def share(page: Page) -> str:
    """Open a table by link for two; its link."""
    page.goto("/play/new/")
    page.get_by_label("Invite only").check()
    page.get_by_label("One round only").check()
    page.get_by_role("button", name="Open the table").click()
    return page.get_by_label("Send this link").input_value()


def test_two_people_play_by_link(open_page: Callable[..., Page], faults) -> None:
    faults.expect("404")
    ada, bo = open_page("wide"), open_page("phone")
    bo.goto(_link_that_replaced_another(ada, bo))
    # Take a seat; who was ready before a reload is ready after it.
    bo.get_by_role("button", name="Sit down").click()
    bo.get_by_role("button", name="I am ready").click()
    ready = bo.locator("#ready")
    expect(ready).to_have_text("Not ready")
    bo.reload()
    expect(ready).to_have_text("Not ready")
    begin(ada)
    away = ada.locator(".seat.deck-1 .seat-away")
    table = bo.url
    bo.goto("/rules/")
    expect(away).to_have_text(re.compile(r"away(, bot in \d+\ss)?"))
    bo.get_by_role("link", name="Back to your table").click()
    expect(bo).to_have_url(table)
    expect(away).to_have_text("")


def _link_that_replaced_another(ada: Page, bo: Page) -> str:
    """The link of a new table; the one that it replaced leads nowhere."""
    old = share(ada)
    ada.get_by_role("button", name="Make a new link").click()
    field = ada.get_by_label("Send this link")
    expect(field).not_to_have_value(old)
    bo.goto(old)
    expect(bo.locator(".notice:not(.no-script)")).to_contain_text("This link no longer works")
    check_page(bo)
    return field.input_value()


UNSENT = """() => {
  const body = { key: "a-study-not-sent-yet", title: "Unsent", text: "" };
  const request = { method: "POST", url: "/api/v1/studies", body };
  const entry = { key: body.key, account: document.body.dataset.account, request };
  localStorage.setItem("ratuki.unsent", JSON.stringify(entry));
}"""
OFFLINE = "You are offline. What you see may be out of date."
TOLD = """() => {
  window.told = [];
  window.advised = "";
  const [net, notice] = ["net", "notice"].map((id) => document.getElementById(id));
  const note = () => {
    const words = net.querySelector("span")?.textContent;
    if (net.hidden) return;
    if (words !== window.told.at(-1)) window.told.push(words);
    window.advised += notice.textContent;
  };
  new MutationObserver(note).observe(net, { childList: true, attributes: true });
}"""


def test_a_phone_that_goes_offline_shows_it_once(phone: Page) -> None:
    sockets = []

    def keep(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    phone.route_web_socket("**/ws/**", keep)
    sit(phone, level_2="1")
    begin(phone)
    phone.evaluate(TOLD)
    phone.context.set_offline(True)
    expect(phone.locator("#net")).to_contain_text(OFFLINE)
    sockets[-1].close()
    phone.context.set_offline(False)
    expect(phone.locator("#net")).to_be_hidden()
    first, *rest = phone.evaluate("window.told")
    assert first == OFFLINE
    assert OFFLINE not in rest
    assert phone.evaluate("window.advised") == "", "nothing is advised meanwhile"


class OwnSeat:
    """What a player's page is told of their own seat, until it sends that they are back."""

    def __init__(self, page: Page) -> None:
        self.told: dict[str, object] = {}
        self.state: dict[str, Any] = {}
        page.route_web_socket("**/ws/**", self._between)

    def _between(self, socket: WebSocketRoute) -> None:
        server, self.socket = socket.connect_to_server(), socket
        server.on_message(self._here)
        socket.on_message(lambda text: self._there(text, server))

    def _here(self, text: str | bytes) -> None:
        frame = json.loads(text)
        if frame["type"] == "state":
            self.state = frame
            self.tell()
        else:
            self.socket.send(text)

    def _there(self, text: str | bytes, server: WebSocketRoute) -> None:
        server.send(text)
        if json.loads(text) == {"type": "back"}:
            self.tell(away_ms=None, bot=False)

    def tell(self, **told: object) -> None:
        self.told |= told
        self.state["seats"][0] |= self.told
        self.socket.send(json.dumps(self.state))


def test_an_idle_player_is_asked_and_any_key_or_tap_plays_on(wide: Page) -> None:
    """The times are tested with the host's clock; here the state says that they are over."""
    seat = OwnSeat(wide)
    sit(wide, level_2="1")
    begin(wide)
    asked = wide.locator("#idle")
    expect(asked).to_be_hidden()
    seat.tell(away_ms=90_000)
    expect(asked).to_contain_text("Still there?")
    expect(wide.locator(".seat.is-home .seat-away")).to_have_text(
        re.compile(r"idle, bot in \d+\ss")
    )
    wide.keyboard.press("x")
    expect(asked).to_be_hidden()
    seat.tell(bot=True)
    expect(asked).to_contain_text("A bot is playing for you.")
    button = present(asked.get_by_role("button", name="Play on").bounding_box())
    wide.mouse.click(button["x"] + button["width"] / 2, button["y"] + button["height"] / 2)
    expect(asked).to_be_hidden()


def test_of_two_tabs_one_plays_and_the_other_takes_over(wide: Page) -> None:
    sit(wide, level_2="1")
    begin(wide)
    other = wide.context.new_page()
    other.goto("/")
    other.get_by_role("link", name="Back to your table").click()
    expect(other.locator(".hand-place")).to_have_count(3)
    expect(wide.locator("#net")).to_contain_text("You are playing in another tab.")
    wide.get_by_role("button", name="Play here").click()
    expect(wide.locator("#net")).to_be_hidden()
    expect(other.locator("#net")).to_contain_text("You are playing in another tab.")
    expect(wide.locator("body")).not_to_have_class(re.compile("not-current"))


def test_logging_out_elsewhere_is_shown_with_a_way_back(open_page: Callable[..., Page]) -> None:
    page = open_page("wide")
    sign_up(page, "leaver")
    sit(page, level_2="1")
    begin(page)
    table = page.url
    other = page.context.new_page()
    other.goto("/account/")
    leave = other.get_by_role("button", name="Log out")
    other.evaluate(UNSENT)
    other.context.set_offline(True)
    other.once("dialog", lambda dialog: dialog.dismiss())
    with other.expect_event("dialog") as asked:
        leave.click()
    assert "hasn’t been sent" in asked.value.message
    expect(leave).to_be_visible()
    made = page.context.expect_event("response", lambda sent: sent.url.endswith("/v1/studies"))
    with made as response:
        other.context.set_offline(False)
    assert response.value.status == 201
    leave.click()
    expect(page.locator("#net")).to_contain_text("You were logged out")
    page.get_by_role("button", name="Log in to play on").click()
    log_in(page, "leaver")
    page.goto(table)
    expect(page.locator(".hand-place")).to_have_count(3)


def test_without_scripts_a_page_says_so_and_offers_no_seat(open_page: Callable[..., Page]) -> None:
    page = open_page("wide", java_script_enabled=False)
    seat = page.get_by_role("button", name=re.compile("Play three bots|Open the table"))
    for url in ("/", "/play/", "/play/new/", "/watch/", "/matches/", "/rules/"):
        page.goto(url)
        expect(page.get_by_text("JavaScript is off.")).to_be_visible()
        expect(seat).to_have_count(0)


def test_long_and_right_to_left_names_fit(open_page: Callable[..., Page]) -> None:
    names = {"W" * 30: open_page("phone"), "محمد عبد الرحمن الطويل": open_page("phone")}
    ada, bo = names.values()
    for name, page in names.items():
        page.goto("/play/")
        page.locator(".name-form summary").click()
        page.get_by_label("Your name").or_(page.locator("#id_name")).first.fill(name)
        with page.expect_response(lambda response: response.request.method == "POST"):
            page.locator(".name-form button").click()
    bo.goto(share(ada))
    bo.get_by_role("button", name="Sit down").click()
    bo.get_by_role("button", name="I am ready").click()
    no_sideways_scroll(bo)
    no_sideways_scroll(ada)
    for width, height in ((844, 390), (320, 568)):
        ada.set_viewport_size({"width": width, "height": height})
        expect(ada.get_by_role("button", name="I am ready")).to_be_in_viewport(ratio=1)
    begin(ada)
    for page, other in zip(names.values(), reversed(names), strict=True):
        expect(page.locator(".seat.is-home .seat-name")).to_have_text("You")
        expect(page.locator(".board-top .seat-name")).to_have_text(other)
        no_sideways_scroll(page)


def _check_zoom(page: Page, url: str, sizes: tuple[tuple[int, int], ...]) -> None:
    """At each size a table, before and after it begins, and a replay fit; buttons are usable."""
    sit(page)
    _at_each(page, sizes)
    begin(page)
    _at_each(page, sizes, _reach_buttons)
    page.goto(url)
    expect(page.locator(".board .card").first).to_be_attached()
    _at_each(page, sizes)


def _at_each(page: Page, sizes: tuple[tuple[int, int], ...], *checks: Check) -> None:
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        for check in (no_sideways_scroll, *checks):
            check(page)


def _reach_buttons(page: Page) -> None:
    for name in ("Discard", "Options"):
        button = page.get_by_role("button", name=name)
        button.evaluate("button => button.scrollIntoView({ block: 'center' })")
        expect(button).to_be_in_viewport(ratio=1)


def test_zoomed_in_every_control_is_usable(wide: Page, three: str) -> None:
    _check_zoom(wide, three, ((640, 400), (320, 422)))


@pytest.mark.parametrize("size", SIZES)
def test_text_twice_as_large_keeps_its_controls(
    open_page: Callable[..., Page], three: str, size: str
) -> None:
    page = open_page(size)
    page.add_init_script(
        "document.addEventListener('DOMContentLoaded', () => { const sheet = new CSSStyleSheet();"
        " sheet.replaceSync('html { font-size: 200% }'); document.adoptedStyleSheets = [sheet]; })"
    )
    _check_zoom(page, three, (SIZES[size],))
