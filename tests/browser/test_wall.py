"""The wall of live matches, and watching one of them in the browser."""

import json
import re
from collections.abc import Callable
from itertools import combinations

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.checking import check_page, no_sideways_scroll
from tests.browser.replaying import choose, list_all
from tests.browser.tables import begin, expect_noted, lay, note, sit_down
from tests.services import Site


def test_the_wall_moves(open_page: Callable[..., Page], site: Site) -> None:
    player, watcher = open_page("wide"), open_page("phone")
    sit_down(player, lay(site, "on-the-wall", bots=2))
    begin(player)
    phone = watcher.viewport_size
    assert phone
    watcher.set_viewport_size({"width": 1280, "height": 800})
    watcher.goto("/watch/")
    expect(watcher.locator(".wall-match .wall-chances").first).to_be_in_viewport(ratio=1)
    watcher.set_viewport_size(phone)
    small = watcher.locator("[data-match='on-the-wall']")
    small.scroll_into_view_if_needed()
    expect(small.locator(".card:not([hidden])").first).to_be_visible()  # others lie below
    expect(small.locator(".wall-chance").first).to_have_text(re.compile(r"^[<>]?\d+%$"))
    check_page(watcher)
    small.get_by_role("link").click()
    expect(watcher.locator("#follow")).to_have_attribute("aria-pressed", "true")
    watcher.goto("/watch/")
    expect(watcher.get_by_role("link", name="Show on a TV")).to_be_hidden()  # a phone is none
    watcher.goto("/tv/")
    expect(watcher.locator(".tv-table:not(.is-coming) .card:not([hidden])").first).to_be_visible()
    expect(watcher.locator("#tv-chances")).to_contain_text(re.compile(r"^Chance to win.*\d%"))
    expect(watcher.locator("#tv-round")).to_have_text(re.compile(r"^Round\s\d+(, to \d+ points)?$"))
    expect(watcher.locator("#tv-timeline .scrub-score").first).to_be_attached()
    expect(watcher.locator("#tv-chances")).to_be_in_viewport(ratio=1)
    expect(watcher.get_by_role("link", name="Follow this match")).to_be_in_viewport(ratio=1)
    expect(watcher.locator("#tv-qr svg")).to_be_hidden()  # a phone can't scan itself
    check_page(watcher)
    watcher.set_viewport_size({"width": 844, "height": 390})
    for part in ("#tv-tables", "#tv-chances"):
        expect(watcher.locator(part)).to_be_in_viewport(ratio=1)
    watcher.set_viewport_size({"width": 1280, "height": 800})
    expect(watcher.locator("#tv-qr svg")).to_be_visible()
    no_sideways_scroll(watcher)


def test_a_watcher_follows(open_page: Callable[..., Page], site: Site) -> None:
    player, watcher = open_page("wide"), open_page("phone")
    sit_down(player, lay(site, "watched-live", bots=2))
    begin(player)
    watcher.goto(player.url)
    expect(watcher.locator("#live-chip")).to_contain_text("live")
    expect(watcher.get_by_label("Perspective")).to_be_hidden()
    expect(watcher.locator("#outlook")).to_contain_text(re.compile(r"Chance to win .*\d%"))
    leads = re.compile(r" leads?\b| are level\.| is the favourite")
    expect(watcher.get_by_role("heading", level=1)).to_contain_text(leads)
    expect(watcher.locator("#panel-players .player-figures tbody tr")).to_have_count(3)
    expect(watcher.locator(".replay-about")).to_contain_text("USAopoly 2009")
    before = watcher.locator("#time-now").inner_text()
    expect(watcher.locator("#time-now")).not_to_have_text(before)
    watcher.keyboard.press("Home")
    expect(watcher.locator("#live-behind")).to_contain_text("behind")
    expect(watcher.get_by_role("button", name="Back to live")).to_be_in_viewport(ratio=1)
    boxes = watcher.locator(".controls button:visible").evaluate_all(BOXES)
    assert not [pair for pair in combinations(boxes, 2) if overlap(*pair)]
    expect(watcher.locator("#time-now")).to_have_text("0:00.0")
    choose(watcher, "Events")
    list_all(watcher)
    row = watcher.locator(".event-button[aria-current=true]")
    row.focus()
    size = row.locator("..").get_attribute("aria-setsize") or ""
    expect(row.locator("..")).not_to_have_attribute("aria-setsize", size)
    expect(row).to_be_focused()
    watcher.keyboard.press("l")
    expect(watcher.locator("#follow-words")).to_have_text("Following")
    check_page(watcher)
    follow_by_pieces_and_back(open_page("wide"), player.url)


CROWDED = {
    "type": "bye",
    "code": 4410,
    "reason": "crowded",
    "retry_ms": None,
    "pieces": "/live/watched-live/",
}


def follow_by_pieces_and_back(page: Page, match: str) -> None:
    """The refusal of a socket is this test's, the pieces and the next socket are the site's."""
    crowded = True

    def answer(socket: WebSocketRoute) -> None:
        def refuse(_hello: str | bytes) -> None:
            socket.send(json.dumps(CROWDED))
            socket.close(code=4410)

        if crowded:
            socket.on_message(refuse)
        else:
            socket.connect_to_server()

    page.route_web_socket(re.compile("/ws/matches/watched-live/"), answer)
    page.clock.install()
    page.goto(match)
    chip = page.locator("#live-chip")
    expect(chip).to_have_text(re.compile(r"live, 3\ss behind, \d\swatching"))
    expect(page.locator("#follow")).to_have_attribute("aria-pressed", "true")
    before = page.locator("#time-now").inner_text()
    expect(page.locator("#time-now")).not_to_have_text(before)
    expect(page.get_by_text("Chat is full. It opens when there is room.")).to_be_attached()
    check_page(page)
    crowded = False
    for _ in range(300):  # it looks for a free socket each sixty answers
        page.clock.fast_forward(1_000)
        if "behind" not in chip.inner_text():
            break
    expect(chip).to_have_text(re.compile(r"live, \d\swatching"))
    expect(page.get_by_text("Chat is full.")).not_to_be_attached()
    before = page.locator("#time-now").inner_text()
    expect(page.locator("#time-now")).not_to_have_text(before)


BOXES = """(all) => all.map((one) => one.getBoundingClientRect())
  .map(({ left, top, right, bottom }) => [left, top, right, bottom])"""


def overlap(box: list[float], other: list[float]) -> bool:
    """Whether two boxes share more than their edges."""
    (a, b, c, d), (e, f, g, h) = box, other
    return min(c, g) - max(a, e) > 1 and min(d, h) - max(b, f) > 1


def test_the_wall_adds_new_matches_and_leads_on_from_finished_ones(
    open_page: Callable[..., Page], site: Site
) -> None:
    player, watcher, other = open_page("wide"), open_page("phone"), open_page("phone")
    note(watcher, ".chip")
    watcher.clock.install()
    watcher.goto("/watch/")

    def hang(match: str) -> None:
        """The match hangs there when the wall looks again; what is in sight moves."""
        watcher.clock.fast_forward(10_000)
        place = watcher.locator(f"[data-match={match}]")
        place.scroll_into_view_if_needed()
        expect(place.locator(".wall-board .card:not([hidden])").first).to_be_visible()

    sit_down(player, lay(site, "first"))
    begin(player)
    hang("first")
    lay(site, "second", people=0, bots=3)
    other.goto("/")
    expect(other.locator(".wall-board .card:not([hidden])").first).to_be_visible()
    other.goto(player.url)
    expect(other.locator("#live-chip")).to_contain_text("live")
    player.get_by_role("button", name="Leave").click()
    player.get_by_role("button", name="Abandon the match It ends now").click()
    expect_noted(watcher, "over")
    player.reload()
    expect(player.get_by_role("link", name="View the replay")).to_be_visible()
    hang("second")
    told = other.locator("#verdict .verdict-words")
    expect(told).to_have_text(re.compile(r"The match was abandoned at 0:\d\d\."))
    other.get_by_role("link", name="Watch the next match").click()
    expect(other.locator("#live-chip")).to_contain_text("live")
