"""Accounts, taken and opened by the site's own forms."""

from playwright.sync_api import Page, expect

PASSWORD = "a-table-of-five-seats"


def sign_up(page: Page, name: str) -> None:
    """Make an account."""
    page.goto("/account/new/")
    page.get_by_label("Username").fill(name)
    page.locator("[name=password1]").fill(PASSWORD)
    page.locator("[name=password2]").fill(PASSWORD)
    _send(page)
    # On a busy machine hashes queue, for at most as long.
    expect(page).not_to_have_url("/account/new/", timeout=20_000)


def make_a_class(coach: Page) -> str:
    """Make a class, and be on its page; its key."""
    coach.goto("/classes/")
    coach.get_by_role("textbox", name="Name of a new class").fill("4b")
    coach.get_by_role("button", name="Make a class").press("Enter")
    expect(coach.get_by_role("heading", name="4b", exact=True)).to_be_visible()
    return coach.url.rstrip("/").rpartition("/")[2]


def log_in(page: Page, name: str) -> None:
    """Open an account that is there."""
    page.goto("/account/log-in/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    _send(page)
    expect(page).not_to_have_url("/account/log-in/")


def _send(page: Page) -> None:
    page.locator("main form").get_by_role("button").click()
