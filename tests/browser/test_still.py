"""No page moves under the reader's eyes while it opens."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.replaying import SHIFTS, START, expect_still, sharing, show
from tests.browser.studying import study_of
from tests.browser.tables import lay, sit_down
from tests.services import Site

LISTS = (
    *("/", "/rules/", "/rules/fair-play/", "/play/", "/play/new/", "/play/join/", "/watch/"),
    *("/matches/", "/matches/mine/", "/matches/upload/", "/patterns/", "/players/", "/studies/"),
    *("/notes/", "/notes/?folder=tags", "/playlists/", "/reviews/", "/classes/"),
    *("/account/new/", "/account/log-in/", "/account/reset/"),
)
OFFERED = """new MutationObserver((seen) => {
  if (seen.some(({ target }) => target.id === "review-hand" && !target.hidden))
    window.offered = true;
}).observe(document, { attributeFilter: ["hidden"], subtree: true })"""
"""Notes that a follower's button has been shown, even for less than a frame."""


@pytest.fixture(params=["wide", "phone"])
def still(request: pytest.FixtureRequest, open_page: Callable[..., Page]) -> Page:
    """A page at each width that notes what shifts."""
    page = open_page(request.param)
    page.add_init_script(SHIFTS)
    return page


def test_lists_and_forms_stay_where_they_are(still: Page) -> None:
    for address in LISTS:
        still.goto(address)
        expect(still.locator("h1")).to_be_attached()
        expect_still(still)


def test_what_scripts_fill_stays_where_it_is(
    still: Page, open_page: Callable[..., Page], untouched: str, site: Site
) -> None:
    size = "phone" if still.evaluate("innerWidth < 1000") else "wide"
    look = {"title": "Look here", "event": START}
    study = study_of(still, untouched, f"still-study-{size}", look)

    still.goto(study)
    expect(still.get_by_text("Edit title, introduction and sharing")).to_be_visible()
    expect_still(still)
    still.goto(f"{untouched}?chart=scores")  # far below, and what is above it comes late
    expect(still.locator(".chart-scores .main-svg").first).to_be_in_viewport()
    expect_still(still)
    still.goto(f"{study}1/")
    expect(still.locator(".board .card").first).to_be_attached()
    expect(still.get_by_role("button", name="Ask here")).to_be_visible()
    expect_still(still)
    sit_down(still, lay(site, f"still-{size}"))
    expect_still(still)
    still.locator("#slow-line").evaluate("(line) => { line.append('Slow'); line.hidden = false; }")
    expect_still(still)
    show(still, untouched)
    sharing(still).get_by_role("button", name="Watch together").click()
    expect(still.locator("#review-bar")).to_contain_text("You lead")
    still.add_init_script(OFFERED)
    still.reload()
    expect(still.locator("#review-bar")).to_contain_text("You lead")
    expect_still(still)
    assert not still.evaluate("window.offered")
    follower = open_page(size)
    follower.add_init_script(SHIFTS)
    follower.goto(still.url)
    expect(follower.locator("#review-bar")).to_contain_text("You follow")
    expect_still(follower)
    still.goto("/")
    still.get_by_role("button", name="Learn by playing").click()
    expect(still.locator(".is-guided")).to_be_visible()
    expect_still(still)
