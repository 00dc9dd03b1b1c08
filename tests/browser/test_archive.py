"""The archive as people use it: find a match, hide results, upload a record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.services import ROOT

Check = Callable[[Page], None]
PAGES = (
    "/matches/",
    "/matches/?player=P&ties=yes&sort=longest",
    "/matches/?seats=2&player=nobody",
    "/players/P0/",
    "/players/?name=P",
    "/matches/upload/",
)


def test_pages_are_accessible(themed: Page, axe: Check, no_sideways_scroll: Check) -> None:
    for address in PAGES:
        themed.goto(address)
        axe(themed)
        no_sideways_scroll(themed)


def test_a_match_is_found_and_opened(page: Page) -> None:
    page.goto("/matches/")
    page.get_by_label("Player", exact=True).fill("P4")
    page.get_by_label("Edition").select_option("Hasbro 2010")
    page.get_by_role("button", name="Show").click()
    match = page.locator(".match")
    expect(match).to_have_count(1)
    expect(match).to_contain_text("Hasbro 2010")
    expect(match.get_by_role("img", name="Led: ")).to_be_visible()
    match.get_by_role("link", name="Replay of P0, P1, P2, P3 and P4").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("P4")


def test_filters_stay_open_and_filled_in(wide: Page) -> None:
    wide.goto("/matches/")
    wide.get_by_text("More filters").click()
    wide.get_by_label("Ties").select_option("with")
    wide.get_by_role("button", name="Show").click()
    expect(wide.get_by_label("Ties")).to_be_visible()
    expect(wide.get_by_label("Ties")).to_have_value("yes")


def test_results_are_hidden_and_shown_again(page: Page) -> None:
    page.goto("/matches/?seats=3")
    totals = page.locator(".total")
    shown = totals.count()
    assert shown
    page.get_by_role("button", name="Hide results").click()
    expect(page).to_have_url("/matches/?seats=3")
    expect(totals).to_have_count(0)
    expect(page.get_by_role("img", name="won")).to_have_count(0)
    page.goto("/players/P0/")
    expect(page.get_by_text("Results are hidden")).to_be_visible()
    page.get_by_role("button", name="Show results").click()
    page.goto("/matches/?seats=3")
    expect(totals).to_have_count(shown)


def test_a_faulty_record_shows_its_line(page: Page, axe: Check, faults, tmp_path: Path) -> None:
    faults.expect("422")
    good = (ROOT / "tests/matches/valid-abandoned.ratuki").read_text()
    path = tmp_path / "bad.ratuki"
    path.write_text(good.replace('"do":"draw"', '"do":"drow"', 1))
    page.goto("/matches/upload/")
    page.get_by_label("Record").set_input_files(path)
    page.get_by_role("button", name="Check and store").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("The file was not stored")
    expect(alert.locator(".faulty")).to_contain_text('"do":"drow"')
    axe(page)


def test_a_record_is_uploaded_and_downloaded_unchanged(wide: Page, tmp_path: Path) -> None:
    source = ROOT / "tests/matches/valid-abandoned.ratuki"
    path = tmp_path / "new.ratuki"
    path.write_text(source.read_text().replace('"id":"m8a882b8c"', '"id":"uploaded-once"'))
    wide.goto("/matches/upload/")
    wide.get_by_label("Record").set_input_files(path)
    wide.get_by_role("button", name="Check and store").click()
    expect(wide.get_by_text("has been stored")).to_be_visible()
    with wide.expect_download() as download:
        wide.get_by_role("link", name="Download").click()
    assert download.value.suggested_filename == "uploaded-once.ratuki"
    assert download.value.path().read_bytes() == path.read_bytes()
