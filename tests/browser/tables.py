"""What tests of playing share: to open a table, and to begin."""

from __future__ import annotations

import time

from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE_MS


def sit(page: Page, **form: str) -> None:
    """Open a speedy table with one bot unless the form says otherwise."""
    page.goto("/play/new/")
    for name, value in {"seat_2": "taker", **form}.items():
        page.locator(f"[name={name}]").select_option(value)
    page.get_by_label("One round only").check()
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("button", name="I am ready")).to_be_enabled()


def begin(page: Page) -> None:
    """Be ready, and wait for the deal."""
    page.get_by_role("button", name="I am ready").click()
    expect(page.locator(".hand-place:enabled")).to_have_count(3)


def open_begun(page: Page, url: str) -> None:
    """Open the page of a live match once that has begun."""
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not page.request.get(url).ok:
        assert time.monotonic() < deadline, f"{url} has not begun"
        page.wait_for_timeout(100)
    page.goto(url)
