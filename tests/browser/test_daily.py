"""The home page’s moment, and the puzzle of the day, answered on the table."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.checking import Fetched, check_page
from tests.browser.replaying import SHIFTS, expect_still, to_the_question
from tests.services import Site

OUTSIDE = """async () => {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  const board = document.querySelector("#table").getBoundingClientRect();
  return [...document.querySelectorAll("#table .board-row:has(> :nth-child(4)) *")]
    .filter((one) => one.getBoundingClientRect().right > board.right + 1)
    .map((one) => one.className);
}"""
TODAY = "from replays.studies import daily; daily.run_due()"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site of its own, on which nothing is live: two matches, and what today has of them."""
    with Site(tmp_path_factory.mktemp("daily")) as site:
        site.prepare()
        site.manage("simulate", "--players=5", "--matches=2", "--seed=5", "--set=speedy=true")
        site.manage("shell", "-v0", "-c", TODAY)
        yield site.start()


def test_the_moment_waits_where_nothing_may_move_and_the_puzzle_is_answered_on_the_table(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("phone", color_scheme="dark", reduced_motion="reduce")
    page.add_init_script(SHIFTS)
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    page.route("**/*.woff2", hold, times=1)
    fetched = Fetched(page)
    page.goto("/", wait_until="commit")
    moment = page.get_by_role("region", name="Match of the day")
    expect(moment.locator(".moment-words")).not_to_be_empty()
    for font in late:
        font.continue_()
    expect_still(page)
    fetched.check("home")
    check_page(page)
    moment.get_by_role("button", name="Play", exact=True).click()
    moment.get_by_role("button", name="Pause").click()
    expect(moment.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.set_viewport_size({"width": 320, "height": 568})
    page.get_by_role("button", name="Today’s puzzle").click()
    to_the_question(page)
    expect_still(page)
    table = page.locator("#table")
    assert table.evaluate("table => table.getBoundingClientRect().bottom <= innerHeight + 1")
    expect(table.locator(".shout")).to_have_count(0)
    high = table.evaluate("table => table.offsetHeight")
    page.get_by_role("button", name="Draw", exact=True).first.click()
    everyone = page.get_by_role("region", name="Everyone")
    expect(everyone).to_contain_text("You are the first to try it.")
    share = page.get_by_role("button", name="Share your result")
    expect(share).to_be_enabled()
    expect_still(page)
    expect(table).to_have_css("height", f"{high}px")
    words = re.compile("^Ratuki puzzle, .*(Missed it|Too late)!$")
    expect(share).to_have_attribute("data-words", words)
    check_page(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.evaluate(OUTSIDE) == []  # four seats in a row
