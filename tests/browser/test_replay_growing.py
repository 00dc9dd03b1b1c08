"""A replay whose log grows, hides its end, or fails to come."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.replaying import (
    FIRST,
    LAST,
    MATCHES,
    ROUNDS,
    SHIFTS,
    THREE,
    expect_place,
    expect_still,
    list_all,
    more,
    numbers,
    rounds_of,
    show,
)
from tests.services import Site

GROW = """
from dataclasses import replace
from games.archive.append import append, open_match
from games.models import Match
from games.records.notation import parse_line
lines = [parse_line(raw, n) for n, raw in enumerate(open({path!r}, "rb").read().splitlines(), 1)]
match = Match.objects.filter(record_id={name!r}).first()
if match is None:
    match = open_match(replace(lines[0], id={name!r}, source="live"))
append(match.pk, match.owner_epoch, match.lines, lines[match.lines:{until}])
print(match.pk)
"""


def grow(site: Site, name: str, until: int) -> str:
    """Let the log of a test's live match grow to so many lines; the address of its page."""
    code = GROW.format(path=str(MATCHES / f"{THREE}.ratuki"), name=name, until=until)
    return f"/matches/{site.manage('shell', '-v', '0', '-c', code).strip()}/"


def test_a_live_match_is_followed_until_somebody_steps_back(wide: Page, site: Site) -> None:
    show(wide, grow(site, "followed", 200))
    expect_place(wide, 1, 198)
    expect(wide.locator("#round-now")).to_have_text("Round 1")  # of how many is not known yet
    expect(wide.get_by_role("button", name="Following")).to_have_attribute("aria-pressed", "true")
    expect(wide.get_by_role("tab", name="Events")).to_have_attribute("aria-selected", "true")
    list_all(wide)
    wide.locator("#events").focus()  # on a tab, arrows choose another tab
    grow(site, "followed", 210)
    expect_place(wide, 1, 208)
    wide.keyboard.press("ArrowLeft")
    grow(site, "followed", 220)
    expect(wide.locator('.event-row[aria-setsize="219"]').first).to_be_attached()
    expect_place(wide, 1, 207)
    wide.keyboard.press("l")
    expect_place(wide, 1, 218)


def test_without_spoilers_the_log_has_no_end_yet(
    open_page: Callable[..., Page], three: str, site: Site
) -> None:
    page = open_page("wide")
    page.context.add_cookies([{"name": "spoilers", "value": "off", "url": site.url}])
    page.add_init_script(SHIFTS)
    show(page, three)
    expect_still(page, 0.001)
    assert '"result": [' not in page.content()
    expect(page.locator("#round-now")).to_have_text("Round 1")
    expect(page.locator("#time-all")).to_be_empty()
    expect(page.locator("#no-end")).to_contain_text("Results are hidden")
    expect(page.get_by_role("button", name="Show results")).to_be_visible()
    expect(more(page).get_by_role("button", name="To the end")).to_be_hidden()
    marks = page.locator("#scrubber .scrub-take")
    expect(marks).to_have_count(0)
    page.keyboard.press("End")
    page.keyboard.press("]")
    expect_place(page, 1, numbers(FIRST, "take")[0])
    expect(marks).to_have_count(1)
    more(page).get_by_role("button", name="Next round").click()
    expect_place(page, 2, 0)
    rows = page.locator('.event-button[data-round="2"]')
    expect(rows).to_have_count(1)  # the deal, and nothing that is still to come
    page.keyboard.press("]")
    second = rounds_of(THREE)[1]
    take = numbers(second, "take")[0]
    expect_place(page, 2, take)
    expect(rows.last).to_have_attribute("data-event", str(take))
    expect(page).to_have_url(re.compile(rf"t={second[take - 1]['t']}$"))
    page.reload()
    expect_place(page, 2, take)


def test_a_failure_is_shown_and_retried(wide: Page, three: str, faults: Any) -> None:
    faults.expect("ERR_FAILED")
    wide.clock.install()
    wide.route("**/log?*", lambda route: route.abort())
    show(wide, three)
    again = wide.get_by_role("button", name="Try again")
    expect(again).to_be_visible()
    wide.clock.pause_at(wide.evaluate("Date.now() / 1000 + 60"))  # nothing is tried by itself now
    expect(again).to_be_visible()
    wide.unroute("**/log?*")
    again.click()
    expect(wide.locator("#trouble")).to_be_hidden()
    wide.clock.resume()
    wide.keyboard.press("End")
    expect_place(wide, ROUNDS, len(LAST))
