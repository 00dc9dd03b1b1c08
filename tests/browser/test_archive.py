"""The archive as people use it: find a match, hide results, upload a record."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.checking import check_page
from tests.browser.replaying import sharing
from tests.services import ROOT

PAGES = (
    "/matches/",
    "/matches/?player=P&ties=yes&sort=longest",
    "/matches/?seats=2&player=nobody",
    "/players/P0/",
    "/players/?name=P",
    "/matches/upload/",
)


def test_pages_are_accessible(themed: Page) -> None:
    for address in PAGES:
        themed.goto(address)
        check_page(themed)


def test_a_match_is_found_and_opened(phone: Page) -> None:
    phone.goto("/")
    menu = phone.get_by_role("button", name="Menu")
    sections = phone.get_by_role("navigation", name="Site")
    menu.tap()
    expect(sections.get_by_role("link")).to_have_text(
        ["Play", "Watch", "Matches", "Studies", "Players", "Rules"]
    )
    phone.keyboard.press("Escape")
    expect(sections).to_be_hidden()
    menu.tap()
    sections.get_by_role("link", name="Matches").tap()
    expect(sections).to_be_hidden()
    phone.get_by_label("Players", exact=True).fill("P4, P0")
    phone.get_by_text("Order and filters").click()
    phone.get_by_label("Edition").select_option("Hasbro 2010")
    phone.get_by_role("button", name="Show").click()
    match = phone.locator(".match")
    expect(match).to_have_count(1)
    expect(match).to_contain_text("Hasbro 2010")
    expect(match.get_by_role("img", name="Led: ")).to_be_visible()
    match.get_by_role("link", name="Replay of P0, P1, P2, P3 and P4").click()
    expect(phone.get_by_role("heading", level=1)).to_contain_text(
        re.compile(r"^\s*P\d.* (won|drew) with ")
    )


def test_results_are_hidden_and_shown_again(wide: Page) -> None:
    wide.goto("/matches/?seats=3")
    totals = wide.locator(".total")
    shown = totals.count()
    assert shown
    for match in wide.locator(".match").all():
        said = match.locator(".total").all_inner_texts()
        points = [int(words.split()[-1].replace("−", "-")) for words in said]
        assert points == sorted(points, reverse=True), "the winner comes first"
    wide.get_by_role("button", name="Hide results").click()
    expect(totals).to_have_count(0)
    expect(wide).to_have_url("/matches/?seats=3")
    expect(wide.locator(".match-seats .won")).to_have_count(0)
    wide.goto("/players/P0/")
    expect(wide.get_by_text("Results are hidden")).to_be_visible()
    wide.get_by_role("button", name="Show results").click()
    expect(wide.get_by_role("button", name="Hide results")).to_be_visible()
    wide.goto("/matches/?seats=3")
    expect(totals).to_have_count(shown)


def test_a_record_is_uploaded_and_downloaded_unchanged(phone: Page, faults, tmp_path: Path) -> None:
    faults.expect("422")
    good = (ROOT / "tests/matches/valid-abandoned.ratuki").read_text()
    path = tmp_path / "new.ratuki"
    path.write_text(good.replace('"do":"draw"', '"do":"drow"', 1))
    _upload(phone, path)
    alert = phone.get_by_role("alert")
    expect(alert).to_contain_text("The file was not stored")
    expect(alert.locator(".faulty")).to_contain_text('"do":"drow"')
    check_page(phone)
    path.write_text(good.replace('"id":"m8a882b8c"', '"id":"uploaded-once"'))
    _upload(phone, path)
    expect(phone.get_by_text("has been stored")).to_be_visible()
    dialog = sharing(phone)
    dialog.get_by_text("Code and files").click()
    with phone.expect_download() as download:
        dialog.get_by_role("link", name="Download record").click()
    assert download.value.suggested_filename == "uploaded-once.ratuki"
    assert download.value.path().read_bytes() == path.read_bytes()


def _upload(page: Page, path: Path) -> None:
    page.goto("/matches/upload/")
    page.get_by_label("Record").set_input_files(path)
    page.get_by_role("button", name="Check and store").click()
