"""Long work as visitors see it: on the Analysis tab, in their list of jobs, and as a search."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.checking import check_page
from tests.browser.conftest import Faults
from tests.browser.replaying import choose, figures
from tests.services import Site

TARGET = 350
WORK_MS = 180_000


@pytest.fixture(scope="module")
def site(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site of its own, whose first match is long.

    The second is one round: the fewest decisions that some are told of.
    """
    with Site(tmp_path_factory.mktemp("jobs")) as own:
        (own.var / "static").symlink_to(site.var / "static")
        own.migrate()
        simulate = ("simulate", "--matches=1", "--jobs=1")
        own.manage(*simulate, "--seed=1", f"--set=target={TARGET}")
        own.manage(*simulate, "--seed=2", "--players=3", "--set=speedy=true")
        yield own.start()


def test_decisions_are_judged_in_the_background_and_lead_to_their_moments(
    wide: Page, site: Site
) -> None:
    section = wide.locator(".decisions")
    judge = section.get_by_role("button", name="Judge the decisions")
    wide.goto("/matches/2/?seq=20")
    with site.working():
        figures(wide, "Decisions")
        expect(judge).to_be_visible(timeout=WORK_MS)
    panel = choose(wide, "What if?")
    panel.get_by_role("button", name="Next play").click()
    panel.get_by_role("button", name="Try it").click()
    result = panel.locator(".judged-result")
    expect(result.get_by_role("progressbar")).to_be_visible()
    figures(wide, "Decisions")
    judge.click()
    expect(section.get_by_role("progressbar")).to_be_visible()
    with site.working():
        expect(section.get_by_role("progressbar")).to_have_count(0, timeout=WORK_MS)
    first = section.locator(".row-button").first
    change = r"[+−]?\d+ percentage points? \(−?\d+ to −?\d+\)"
    interval = rf"’s chance to win: {change}, \d+% (→|instead of) \d+%"
    choose(wide, "What if?")
    expect(result).to_contain_text(re.compile(interval))
    figures(wide, "Decisions")
    check_page(wide)
    place = re.search(r"Round\s(\d+), ", first.inner_text())
    assert place
    first.click()
    expect(wide.locator("#table")).to_have_attribute("data-round", place[1])
    expect(wide).not_to_have_url(re.compile("seq=20$"))
    wide.goto("/matches/2/?seq=20")
    figures(wide, "Decisions")
    expect(first).to_be_visible()


def test_a_pattern_is_searched_listed_and_played(phone: Page, site: Site, faults: Faults) -> None:
    faults.expect("422")
    phone.goto("/patterns/")
    phone.get_by_text("More", exact=True).click()
    phone.get_by_label("What happened").select_option("drew")
    phone.get_by_label("Seconds, at least").fill("1")
    phone.get_by_role("button", name="Find").click()
    expect(phone.get_by_role("alert")).to_contain_text("“cards drawn” cannot be asked about a time")
    expect(phone.get_by_label("Seconds, at least")).to_have_value("1")
    check_page(phone)
    phone.get_by_role("button", name="Takes of 9 cards or more with a wild").click()
    expect(phone.get_by_role("progressbar")).to_be_visible()
    with site.working():
        everything = phone.get_by_role("button", name="Play all")
        expect(everything).to_be_visible(timeout=WORK_MS)
    check_page(phone)
    everything.click()
    expect(phone.get_by_label("Playlist", exact=True)).to_contain_text("Takes of 9 cards")
