"""The spectators' chat beside a live match, and what players say, in two browsers at once."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.checking import check_page
from tests.browser.conftest import Faults
from tests.browser.replaying import choose
from tests.browser.tables import begin, expect_noted, lay, note, open_begun, sit_down
from tests.services import Site


@pytest.fixture(scope="session")
def live(site: Site) -> str:
    """The page of a live match of bots."""
    return f"{lay(site, 'talk', people=0, bots=3)}replay/"


def come(page: Page, live: str) -> None:
    """Open the match's page once it has begun, at its chat."""
    open_begun(page, live)
    choose(page, "Chat")


def join(page: Page, name: str) -> None:
    page.get_by_label("Your name in the chat").fill(name)
    page.get_by_role("button", name="Join the chat").click()


def say(page: Page, text: str) -> None:
    field = page.get_by_label("Message other spectators")
    field.fill(text)
    field.press("Enter")


@pytest.fixture
def two(open_page: Callable[..., Page]) -> tuple[Page, Page]:
    """Two people; what moves for its own sake is none of the chat's business."""
    still = {"reduced_motion": "reduce"}
    return open_page("wide", **still), open_page("phone", **still)


@pytest.fixture
def taken(site: Site, faults: Faults) -> None:
    """There is an account called Taken; whoever wants its name is refused."""
    make = "from django.contrib.auth import get_user_model as m; m().objects.create_user('Taken')"
    site.manage("shell", "-c", make)
    faults.expect("422")


def moderate(page: Page) -> None:
    """Report and mute somebody, and switch the chat off; an account's name is refused."""
    join(page, "taken")
    expect(page.get_by_text("That name is taken")).to_be_visible()
    line = page.get_by_role("log").get_by_role("listitem").last
    line.get_by_role("button", name="Report this message from Eve").click()
    expect(page.get_by_text("Choose a name first.")).to_be_visible()
    line.get_by_role("button", name="Mute Eve").click()
    expect(line).to_be_hidden()
    page.get_by_text("Options").click()
    page.get_by_role("button", name="Unmute").click()
    expect(line).to_be_visible()
    page.get_by_label("Show the chat").uncheck()
    expect(page.get_by_role("log")).to_be_hidden()


@pytest.mark.usefixtures("taken")
def test_two_spectators_talk(two: tuple[Page, Page], live: str) -> None:
    eve, bo = two
    for page in two:
        come(page, live)
    join(eve, "Eve")
    expect(eve.get_by_label("Message other spectators")).to_be_visible()
    expect(eve.locator("#watchers")).to_have_text(re.compile(r"^\d+ watching"))
    say(eve, "<img src=x onerror=alert(1)> hello")
    for page in two:
        line = page.get_by_role("log").get_by_role("listitem").last
        expect(line).to_contain_text("<img src=x onerror=alert(1)> hello")
        expect(line).to_contain_text("Eve guest")
        assert page.locator("#panel-chat img").count() == 0
        check_page(page)
    moderate(bo)
    eve.get_by_text("Options").click()
    eve.get_by_label("Show my name to the others").check()
    expect(bo.get_by_text(re.compile("watching: Eve"))).to_be_visible()


def test_players_say_phrases_and_do_not_see_the_chat(
    two: tuple[Page, Page], open_page: Callable[..., Page], site: Site
) -> None:
    player, watcher = two
    other = open_page("phone")
    table = lay(site, "phrases", people=2, bots=0)
    for page in two:
        note(page, ".seat-says")
    for page in (player, other):
        sit_down(page, table)
    other.get_by_role("button", name="I am ready").click()
    begin(player)
    come(watcher, f"{table}replay/")
    expect(watcher.locator("#live-chip")).to_contain_text("live")
    player.get_by_role("button", name="Good luck").click()
    for page in two:
        expect_noted(page, "Good luck")
    watcher.get_by_text("Options").click()
    watcher.get_by_label("Show players’ phrases").uncheck()
    expect(watcher.locator(".seat-says", has_text=re.compile("."))).to_have_count(0)
    player.goto(f"{table}replay/")
    expect(player.get_by_role("tab", name=re.compile("Events"))).to_be_visible()
    expect(player.get_by_role("tab", name="Chat", include_hidden=True)).to_have_count(0)
