"""The site in Firefox and in Safari's engine: ten pages, a few plays, and the charts."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.engines import click, firefox, until, webkit
from tests.browser.tables import PLAY
from tests.services import Site

PAGES = (
    *("/", "/play/", "/watch/", "/matches/", "/studies/", "/players/", "/rules/", "/puzzle/"),
    *("/practise/", "/patterns/"),
)
WIDER = "document.documentElement.scrollWidth > innerWidth"
SIT_DOWN = """((form) =>
  fetch(form.action, { method: "POST", body: new FormData(form) }).then(({ url }) => url)
)(document.querySelector("form[action$='/quick/']"))"""
"""Sends the form that deals to three bots at once: the address of the table."""
OWN_PILE = "Number(document.querySelector('.seat.is-home .pile-count')?.textContent)"
FAULT = "in a browser: "


@pytest.mark.parametrize("engine", [firefox, webkit])
def test_a_walk_through_pages_plays_and_charts(
    engine, site: Site, address: Callable[[str], str], tmp_path: Path
) -> None:
    begun = site.log.stat().st_size
    with engine(tmp_path) as page:
        for path in PAGES:
            page.open(site.url + path)
            until(page, "document.querySelector('main h1, main .board')")
            assert page.value(WIDER) is False, path
        # Steps through a replay, and its charts.
        page.open(f"{site.url}{address('m7dedb246')}?round=1&event=5")
        until(page, "document.querySelector('#table')?.dataset.event === '5'")
        page.press("\ue014")
        until(page, "document.querySelector('#table').dataset.event === '6'")
        click(page, "#tab-charts")
        for name in ("ownership", "scores", "fed"):
            until(page, f"document.querySelector('.chart-{name} .main-svg')")
        # A round against three bots.
        page.open(f"{site.url}/play/")
        page.open(page.value(SIT_DOWN))
        until(page, "document.querySelector('.hand-place')")
        page.value(f"({PLAY})()")
        until(page, f"[29, 30].includes({OWN_PILE})")
        page.open(f"{site.url}/")  # the table is left
    assert FAULT not in site.log.read_bytes()[begun:].decode()
