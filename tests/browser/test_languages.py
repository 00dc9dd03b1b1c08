"""Every text is translated, and every page is whole when texts are longer or run the other way."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Page

from games.bots.roster import TEMPERS
from games.engine.editions import EDITION_NAMES
from tests.browser.accounts import make_a_class, sign_up
from tests.browser.checking import no_sideways_scroll
from tests.browser.replaying import START, show
from tests.browser.studying import study_of
from tests.pseudo import LEFT, RIGHT
from tests.services import DATABASE, Site

pytestmark = pytest.mark.release
TEXTS = """() => {
  const apart = "bdi, code, kbd, pre, script, style, [translate=no], [lang]:not(html)";
  const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  const found = new Set();
  while (walk.nextNode()) {
    if (!walk.currentNode.parentElement.closest(apart)) found.add(walk.currentNode.data);
  }
  for (const name of ["alt", "aria-label", "aria-description", "placeholder", "title"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      if (!element.closest(apart)) found.add(element.getAttribute(name));
    }
  }
  return [...found];
}"""
"""Texts, spoken ones too, besides names and code."""
SIDES = """(selector) => {
  const shown = document.querySelector(selector);
  const { left, right } = shown.getBoundingClientRect();
  return [getComputedStyle(shown).direction, left + right < innerWidth];
}"""
PLAIN = re.compile(r"(?<![^\W_])[A-Za-z]{2,}(?![^\W_])")
DATES = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec January February March April May June July"
KEPT = {
    *DATES.split(),
    *("August", "September", "October", "November", "December"),
    *("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    *("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    *("Today", "Yesterday"),
    *("one", "two", "three", "four", "five"),  # drawn on cards
    *("and", "bot"),  # between names in a list, and behind a bot's
    *("Ratuki", "RATUKI", "UTC", "SVG", "PNG", "Dora", "Openings"),
}
"""What Django's catalogues or the browser translate, what is drawn, and names."""


@pytest.fixture
def names(site: Site) -> set[str]:
    """The words of names, which are the same in every language; other tests have played, too."""
    with closing(sqlite3.connect(site.var / DATABASE)) as database:
        seats = [name for (name,) in database.execute("SELECT name FROM games_player")]
    personas = (temper.persona.name for temper in TEMPERS.values())
    named = (*seats, *personas, *EDITION_NAMES.values())
    return KEPT | {word for name in named for word in PLAIN.findall(name)}


def untranslated(page: Page, names: set[str]) -> list[str]:
    page.wait_for_load_state("networkidle")
    return [
        f"{page.url}: {' '.join(text.split())[:120]}"
        for text in page.evaluate(TEXTS)
        if any(word not in names for word in PLAIN.findall(text))
    ]


def test_no_text_is_left_out_and_no_page_breaks(
    open_page: Callable[..., Page], site: Site, untouched: str, names: set[str]
) -> None:
    page = open_page("phone")
    sign_up(page, "Dora")
    chapter = {"title": "Openings", "event": START}
    study = study_of(page, untouched, "study-of-languages", chapter)
    school_class = f"/classes/{make_a_class(page)}/"
    left: list[str] = []
    for language, width, height in ((LEFT, 390, 844), (RIGHT, 1280, 800)):
        page.context.add_cookies([{"name": "language", "value": language, "url": site.url}])
        page.set_viewport_size({"width": width, "height": height})
        for _ in pages(page, untouched, study, school_class):
            left += untranslated(page, names)
            no_sideways_scroll(page)
    assert page.evaluate(SIDES, ".brand") == ["rtl", False], "the frame is mirrored"
    show(page, untouched)
    for kept in ("#scrubber", "#table", ".step-pair"):
        assert page.evaluate(SIDES, kept)[0] == "ltr", kept
    assert "\n".join(dict.fromkeys(left)) == ""


def pages(page: Page, match: str, study: str, school_class: str) -> Iterator[None]:
    """Open the main pages one after the other."""
    for address in (
        *("/", "/rules/", "/rules/fair-play/", "/play/", "/play/new/", "/watch/", "/players/"),
        *("/matches/", "/matches/mine/", "/matches/upload/", "/patterns/"),
        *("/account/", "/account/programs/", "/account/address/", "/news/", "/notes/"),
        *("/playlists/", "/practise/", "/studies/", study, f"{study}1/"),
        *("/classes/", school_class),
    ):
        page.goto(address)
        yield
    show(page, match)
    yield
    for tab in page.locator("#tabs [role=tab]").all():
        tab.press("Enter")
        yield
