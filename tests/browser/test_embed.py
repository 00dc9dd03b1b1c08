"""A span shared from a match's page, in a page of another site."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

from playwright.sync_api import Locator, Page, expect

from tests.browser.checking import Fetched, check_page
from tests.browser.conftest import Faults
from tests.browser.replaying import START, expect_place, sharing, show

CLUB = """<!doctype html><meta name="color-scheme" content="light dark"><title>A club</title>
<h1 tabindex="-1">Our best moment</h1><div style="height: 3000px"></div>"""


PILES_IN_SEATS = """() => innerWidth === 320 && [...document.querySelectorAll(".spot-score")].every(
  pile => pile.getBoundingClientRect().right <= pile.closest(".seat").getBoundingClientRect().right
)"""

ROUNDS_BELOW_WORDS = """() => {
  const words = document.querySelector(".now-words");
  words.textContent = "long ".repeat(60);
  const { top } = document.querySelector("#scrubber").getBoundingClientRect();
  return words.getBoundingClientRect().bottom + 12 <= top;
}"""
"""Whether the longest sentence leaves room for the rounds' numbers."""


@contextmanager
def another_site(page: str) -> Iterator[str]:
    """The address of a page on another origin, where it is served in earnest.

    A browser lets no page into which a test only slips its text frame one of this machine.
    """

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_args: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


def test_a_span_is_shared_and_shown_by_another_site(
    wide: Page, open_page: Callable[..., Page], faults: Faults, untouched: str
) -> None:
    wide.context.grant_permissions(["clipboard-read", "clipboard-write"])
    show(wide, f"{untouched}?round=1&event={START}")
    expect_place(wide, 1, START)
    opener = wide.get_by_role("button", name="Share", exact=True)
    dialog = sharing(wide)
    expect(dialog.get_by_text("Anyone can open it.")).to_be_visible()
    dialog.get_by_label("What").select_option("The next 10 seconds")
    span = re.compile(rf"{untouched}\?round=1&event={START}&until=\d+$")
    expect(dialog.get_by_label("Link")).to_have_value(span)
    dialog.get_by_text("Code and files").click()
    expect(dialog.get_by_label("Code for other sites")).to_have_value(re.compile("&amp;until="))
    preview = dialog.frame_locator("iframe")
    expect(preview.locator(".board .card").first).to_be_attached()
    expect(dialog.get_by_role("button", name="Close")).to_be_in_viewport(ratio=1)
    check_page(wide)
    dialog.get_by_role("button", name="Copy code").click()
    expect(dialog.get_by_role("status")).to_have_text("Copied.")
    _share_a_chart(dialog)
    wide.keyboard.press("Escape")
    expect(opener).to_be_focused()
    code = wide.evaluate("navigator.clipboard.readText()")
    with another_site(CLUB + code) as club:
        faults.expect(club)
        elsewhere = open_page("phone", color_scheme="dark")
        elsewhere.goto(club)
        _play_there(elsewhere, int(re.findall(r"until=(\d+)", code)[0]))
        elsewhere.locator("iframe").evaluate("frame => { frame.width = 320; }")
        elsewhere.frames[1].wait_for_function(PILES_IN_SEATS)
        assert elsewhere.frames[1].evaluate(ROUNDS_BELOW_WORDS)
        link = elsewhere.frame_locator("iframe").get_by_role("link", name="Open on Ratuki")
        link.focus()
        expect(link).to_have_attribute("href", re.compile(rf"{untouched}\?"))
        assert elsewhere.context.cookies() == []
    fetched = Fetched(wide)
    show(wide, unescape(re.findall(r'src="([^"]+)"', code)[0]))
    expect(wide.locator(".board .card").first).to_be_attached()
    wide.wait_for_load_state("networkidle")
    fetched.check("embed")


def _share_a_chart(dialog: Locator) -> None:
    """Its link, its pictures, and the embed, whose picture is seen."""
    dialog.get_by_label("What").select_option("Stack ownership")
    chart = re.compile(r"\?chart=ownership&of=match$")
    expect(dialog.get_by_label("Link")).to_have_value(chart)
    square = dialog.get_by_role("link", name="Square")
    expect(square).to_have_attribute(
        "href", re.compile(r"/charts/ownership\.png\?of=match&shape=sq")
    )
    picture = dialog.frame_locator("iframe").get_by_role("img", name=re.compile("^Stack ownership"))
    expect(picture).to_be_visible()
    assert picture.evaluate("async image => (await image.decode(), image.naturalWidth)")
    dialog.get_by_label("What").select_option("The whole match")
    expect(square).to_have_attribute("href", re.compile(r"/charts/scores\.png\?of=match&shape=sq"))
    dialog.get_by_label("What").select_option("The next 10 seconds")
    expect(square).to_be_hidden()
    dialog.get_by_role("button", name="Make clip").click()
    clip = dialog.get_by_role("img", name="Clip")
    expect(clip).to_be_visible()
    assert clip.evaluate("async image => (await image.decode(), image.naturalWidth)") == 640
    expect(dialog.get_by_role("link", name="Save clip")).to_have_attribute("download", "")


def _play_there(elsewhere: Page, until: int) -> None:
    """Step by keys that reach the embed only while it has the focus, then play the span."""
    frame = elsewhere.frame_locator("iframe")
    elsewhere.locator("iframe").scroll_into_view_if_needed()
    expect_place(frame, 1, START)
    elsewhere.locator("h1").focus()
    elsewhere.keyboard.press("ArrowRight")
    frame.get_by_role("button", name="Step: one event forward").tap()
    expect_place(frame, 1, START + 1)
    elsewhere.keyboard.press("ArrowRight")
    expect_place(frame, 1, START + 2)
    frame.get_by_role("button", name="Play").tap()
    expect(frame.get_by_role("button", name="Pause")).to_be_visible()
    expect_place(frame, 1, until)
    expect(frame.get_by_role("button", name="Play")).to_be_visible()
