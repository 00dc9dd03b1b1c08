"""Playing together: who is away, one tab of two, links that changed, and every change said."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.accounts import log_in, sign_up
from tests.browser.tables import begin, sit

Check = Callable[[Page], None]


def share(page: Page) -> str:
    """Open a table by link for two; its link."""
    page.goto("/play/new/")
    page.get_by_label("Invite only").check()
    page.get_by_label("One round only").check()
    page.get_by_role("button", name="Open the table").click()
    return page.get_by_label("Send this link").input_value()


def test_an_absence_shows_at_the_seat_until_a_bot_plays(open_page: Callable[..., Page]) -> None:
    ada, bo = open_page("wide"), open_page("phone")
    bo.goto(share(ada))
    bo.get_by_role("button", name="Sit down").click()
    bo.get_by_role("button", name="I am ready").click()
    begin(ada)
    bo.close()
    away = ada.locator(".seat.deck-1 .seat-away")
    expect(away).to_have_text(re.compile(r"away, bot in \d+ s"))
    expect(away).to_have_text("away, a bot plays")


def test_a_phone_that_goes_offline_shows_it_once(phone: Page) -> None:
    sockets = []

    def keep(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    phone.route_web_socket("**/ws/**", keep)
    sit(phone, level_2="1")
    begin(phone)
    phone.evaluate("""() => {
      window.told = [];
      const [net, notice] = ["net", "notice"].map((id) => document.getElementById(id));
      const note = () => {
        const words = net.querySelector("span")?.textContent;
        if (!net.hidden && words !== window.told.at(-1)?.[0])
          window.told.push([words, navigator.onLine, notice.textContent]);
      };
      new MutationObserver(note).observe(net, { childList: true, attributes: true });
    }""")
    phone.context.set_offline(True)
    expect(phone.locator("#net")).to_contain_text("You are offline.")
    sockets[-1].close()
    phone.context.set_offline(False)
    expect(phone.locator("#net")).to_be_hidden()
    assert phone.evaluate("window.told") == [
        ["You are offline. What you see may be out of date.", False, ""],
        ["Connection lost. Reconnecting…", True, ""],
    ], "and nothing is advised meanwhile"


BACK = '{"type":"back"}'


def test_an_idle_player_is_asked_and_any_key_plays_on(wide: Page) -> None:
    """The times are tested with the host's clock; here the state says that they are over."""
    away: dict[str, object] = {}
    sent: list[str] = []

    def between(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def here(text: str | bytes) -> None:
            frame = json.loads(text)
            if frame["type"] == "state":
                frame["seats"][0].update(away)
            socket.send(json.dumps(frame))

        def there(text: str | bytes) -> None:
            sent.append(str(text))
            if sent.count(BACK) == 2:
                away["bot"] = False  # not before: the button would go with the next frame
            server.send(text)

        server.on_message(here)
        socket.on_message(there)

    wide.route_web_socket("**/ws/**", between)
    sit(wide, level_2="1")
    begin(wide)
    asked = wide.locator("#idle")
    expect(asked).to_be_hidden()
    away["away_ms"] = 90_000
    wide.get_by_role("button", name="Ouch").click()  # the state is sent when it changes
    expect(asked).to_contain_text("Still there?")
    expect(wide.locator(".seat.is-home .seat-away")).to_have_text(re.compile(r"idle, bot in \d+ s"))
    away.update(away_ms=None, bot=True)
    assert BACK not in sent
    wide.keyboard.press("x")
    expect(asked).to_contain_text("A bot is playing for you.")
    assert sent.count(BACK) == 1
    asked.get_by_role("button", name="Play on").click()
    expect(asked).to_be_hidden()


def test_of_two_tabs_one_plays_and_the_other_takes_over(wide: Page) -> None:
    sit(wide, level_2="1")
    begin(wide)
    other = wide.context.new_page()
    other.goto(wide.url)
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
    other.get_by_role("button", name="Log out").click()
    expect(page.locator("#net")).to_contain_text("You were logged out")
    page.get_by_role("button", name="Log in to play on").click()
    log_in(page, "leaver")
    page.goto(table)
    expect(page.locator(".hand-place")).to_have_count(3)


def test_a_new_link_works_when_the_old_one_is_dead(
    open_page: Callable[..., Page], axe: Check, faults
) -> None:
    faults.expect("404")
    ada, bo = open_page("wide"), open_page("wide")
    old = share(ada)
    ada.get_by_role("button", name="Make a new link").click()
    expect(ada.get_by_label("Send this link")).not_to_have_value(old)
    new = ada.get_by_label("Send this link").input_value()
    bo.goto(old)
    expect(bo.locator(".notice:not(.no-script)")).to_contain_text("This link no longer works")
    axe(bo)
    bo.goto(new)
    expect(bo.get_by_role("button", name="Sit down")).to_be_visible()


def test_a_reload_keeps_a_player_ready(open_page: Callable[..., Page]) -> None:
    ada, bo = open_page("wide"), open_page("wide")
    bo.goto(share(ada))
    bo.get_by_role("button", name="Sit down").click()
    bo.get_by_role("button", name="I am ready").click()
    expect(bo.locator("#ready")).to_have_attribute("aria-pressed", "true")
    bo.reload()
    expect(bo.locator("#ready")).to_have_attribute("aria-pressed", "true")


def test_every_page_leads_back_to_the_players_table(wide: Page) -> None:
    sit(wide, level_2="1")
    begin(wide)
    table = wide.url
    for url in ("/", "/watch/", "/matches/", "/rules/"):
        wide.goto(url)
        link = wide.get_by_role("link", name="Back to your table")
        expect(link).to_have_attribute("href", re.compile(re.escape(table.split("/")[-2])))
    link.click()
    expect(wide.locator(".hand-place")).to_have_count(3)
    expect(wide.get_by_role("link", name="Back to your table")).to_have_count(0)


@pytest.mark.parametrize("url", ["/", "/play/", "/play/new/", "/watch/", "/matches/", "/rules/"])
def test_without_scripts_a_page_says_so_and_offers_no_seat(
    open_page: Callable[..., Page], url: str
) -> None:
    page = open_page("wide", java_script_enabled=False)
    page.goto(url)
    expect(page.get_by_text("JavaScript is off.")).to_be_visible()
    expect(
        page.get_by_role("button", name=re.compile("Play three bots|Open the table"))
    ).to_have_count(0)


@pytest.mark.parametrize("name", ["W" * 30, "محمد عبد الرحمن الطويل"])
def test_long_and_right_to_left_names_fit(
    open_page: Callable[..., Page], no_sideways_scroll: Check, name: str
) -> None:
    page = open_page("phone")
    page.goto("/play/")
    page.get_by_label("Your name").or_(page.locator("#id_name")).first.fill(name)
    page.locator(".name-form button").click()
    sit(page)
    no_sideways_scroll(page)
    begin(page)
    no_sideways_scroll(page)
    expect(page.locator(".seat.is-home .seat-name")).to_have_text(name)


@pytest.mark.parametrize(("width", "height"), [(640, 400), (320, 422)])
def test_zoomed_in_every_control_is_usable(
    wide: Page, three: str, no_sideways_scroll: Check, width: int, height: int
) -> None:
    wide.set_viewport_size({"width": width, "height": height})
    sit(wide)
    begin(wide)
    no_sideways_scroll(wide)
    for name in ("Discard", "Options"):
        button = wide.get_by_role("button", name=name)
        button.evaluate("button => button.scrollIntoView({ block: 'center' })")
        expect(button).to_be_in_viewport(ratio=1)
    wide.goto(three)
    no_sideways_scroll(wide)


@pytest.mark.parametrize("size", ["wide", "phone"])
def test_text_twice_as_large_keeps_its_controls(
    open_page: Callable[..., Page], three: str, no_sideways_scroll: Check, size: str
) -> None:
    page = open_page(size)
    page.add_init_script(
        "document.addEventListener('DOMContentLoaded', () => { const sheet = new CSSStyleSheet();"
        " sheet.replaceSync('html { font-size: 200% }'); document.adoptedStyleSheets = [sheet]; })"
    )
    sit(page)
    no_sideways_scroll(page)
    begin(page)
    no_sideways_scroll(page)
    for name in ("Discard", "Options"):
        button = page.get_by_role("button", name=name)
        button.evaluate("button => button.scrollIntoView({ block: 'center' })")
        expect(button).to_be_in_viewport(ratio=1)
    page.goto(three)
    expect(page.locator(".board .card").first).to_be_attached()
    no_sideways_scroll(page)
