"""The account pages: for everybody, in both themes and widths; an account comes and goes."""

import re
from datetime import datetime

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accounts import PASSWORD, sign_up
from tests.browser.checking import check_page

OUTSIDE = ("/account/log-in/", "/account/new/", "/account/reset/", "/account/reset/sent/")
INSIDE = ("/account/", "/account/password/", "/account/delete/")
TWICE = """(button) => {
  const did = [];
  addEventListener("submit", (event) => did.push(event.defaultPrevented ? "kept back" : "sent"));
  button.click();
  button.click();
  return did;
}"""


def test_account_pages_are_accessible(themed: Page, request: pytest.FixtureRequest) -> None:
    look(themed, OUTSIDE)
    sign_up(themed, f"kim-{request.node.callspec.id}")
    look(themed, INSIDE)
    themed.goto("/account/password/")
    expect(themed.get_by_text("At least 8 characters.")).to_be_visible()
    themed.goto("/account/programs/")
    themed.get_by_label("What it is for").fill("My script")
    themed.get_by_label("Password").fill(PASSWORD)
    themed.get_by_role("button", name="Make token").click()
    expect(themed.locator(".notice code")).to_contain_text("ratuki_")
    check_page(themed)


def look(page: Page, addresses: tuple[str, ...]) -> None:
    for address in addresses:
        page.goto(address)
        check_page(page)


def test_an_account_comes_and_goes(wide: Page) -> None:
    sign_up(wide, "briefly")
    # A time of day is the reader's own.
    zone = {"timezoneId": "Asia/Kolkata"}
    wide.context.new_cdp_session(wide).send("Emulation.setTimezoneOverride", zone)
    wide.goto("/account/browsers/")
    since = wide.locator("main time")
    utc = datetime.fromisoformat(since.get_attribute("datetime") or "")
    expect(since).to_have_text(re.compile(rf":{(utc.minute + 30) % 60:02}( [AP]M)?$"))
    wide.goto("/account/delete/")
    wide.get_by_label("Password").fill(PASSWORD)
    wide.locator("main form").get_by_role("button").click()
    expect(wide).not_to_have_url("/account/delete/")
    wide.goto("/account/")
    expect(wide).to_have_url("/account/log-in/?next=/account/")
    # A form that is pressed twice is sent once, and says what is wrong.
    wide.get_by_label("Username").fill("briefly")
    wide.get_by_label("Password").fill(PASSWORD)
    pressed_twice = wide.locator("main form").get_by_role("button").evaluate(TWICE)
    assert pressed_twice == ["sent", "kept back"]
    expect(wide.locator("main")).to_contain_text("correct username and password")
    check_page(wide)
