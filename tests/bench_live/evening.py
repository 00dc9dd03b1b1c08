"""A club evening, from its coach's page: `python -m tests.bench_live.evening`.

A coach in Chromium and pupils who send what their pages would send. For each thing that a coach
does: how often they press something or fill a field, and the seconds from the first press until
the page says that it is done. Then: what a wall of so many tables costs the server and the browser.
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Locator, Page, expect, sync_playwright

from tests.bench_live.__main__ import SETTLE_S, open_tables, say
from tests.bench_live.players import bot_table
from tests.bench_live.servers import Server, serving
from tests.browser.chromium import launch
from tests.reviews.evening import Browser, Evening
from tests.services import Site

DUE_DAYS = 7
TABLES = 8


class Coach:
    """A coach's page, whose presses are counted."""

    def __init__(self, page: Page, site: Site) -> None:
        self.page, self.url = page, site.url
        self.presses = 0

    def press(self, what: Locator) -> None:
        self.presses += 1
        what.click()

    def fill(self, what: Locator, words: str) -> None:
        self.presses += 1
        what.fill(words)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name)

    @contextmanager
    def doing(self, what: str) -> Iterator[None]:
        """Count, take the time, and say both."""
        self.presses, begun = 0, time.monotonic()
        yield
        took = time.monotonic() - begun
        say(f"{what:<44}{self.presses:>3} presses{took:>7.1f} s")


def at_once(pupils: Sequence[Browser], path: str, *bodies: dict[str, object]) -> None:
    """Each of them sends these, all at the same time."""

    def send(pupil: Browser) -> None:
        for body in bodies:
            pupil.ask("POST", path, body)

    with ThreadPoolExecutor(len(pupils)) as pool:
        list(pool.map(send, pupils))


def evening(coach: Coach, there: Evening, pupils: Sequence[Browser]) -> str:
    """Everything that a coach does; the key of the class."""
    page = coach.page
    with coach.doing("a class is made, and its link is there"):
        page.goto("/classes/")
        coach.fill(page.get_by_role("textbox", name="Name of a new class"), "5a")
        coach.press(coach.button("Make a class"))
        link = page.get_by_label("Anyone with this link can join").input_value()
    key = page.url.split("/")[4]
    for number, pupil in enumerate(pupils):
        pupil.form("/classes/join/", invitation=link)
        pupil.form("/classes/enter/", name=f"Pupil {number}")
    with coach.doing("homework is given"):
        page.goto(f"/classes/{key}/")
        coach.press(page.get_by_role("link", name="Give homework"))
        coach.press(page.get_by_label("One of your studies"))
        page.get_by_label("One of your studies").select_option(label="Lesson")
        day = (datetime.now(tz=UTC) + timedelta(days=DUE_DAYS)).date().isoformat()
        coach.fill(page.get_by_label("Due on"), day)
        coach.press(coach.button("Give homework"))
        expect(page.locator("main")).to_contain_text("not begun")
    done = pupils[: len(pupils) * 5 // 8]
    for pupil in done:
        pupil.form(f"/studies/{there.study}/1/start")
    answer: tuple[dict[str, object], ...] = (
        {"asked": True},
        {"answer": {"do": "draw"}, "ms": 900},
    )
    at_once(done, f"/studies/{there.study}/chapters/1/answer", *answer)
    with coach.doing(f"{len(done)} have done it: seen, and the others reminded"):
        page.reload()
        expect(page.get_by_role("cell", name="done", exact=True)).to_have_count(len(done))
        coach.press(coach.button("Remind"))
        expect(page.locator(".notices")).to_be_visible()
    assert "Lesson" in pupils[-1].page("/news/")
    with coach.doing("pupils are seated at club tables"):
        page.goto(f"/classes/{key}/")
        coach.press(page.get_by_text("Club tables"))
        coach.press(page.get_by_label("Seats at a table"))
        page.get_by_label("Seats at a table").select_option("2")
        coach.press(coach.button("Seat them"))
        expect(page.locator("[data-fresh=waiting] a")).to_have_count(len(pupils) // 2)
    assert all("Back to your table" in pupil.page("/") for pupil in pupils)
    reviewed(coach, there, pupils, answer)
    return key


def reviewed(
    coach: Coach,
    there: Evening,
    pupils: Sequence[Browser],
    answer: tuple[dict[str, object], ...],
) -> None:
    """A match is reviewed, everybody asked, and the answers shown."""
    page = coach.page
    with coach.doing("the class is called to a review of a match"):
        page.goto(f"/matches/{there.match}/?seq=60")
        coach.press(coach.button("Share"))
        coach.press(coach.button("Watch together"))
        coach.press(coach.button("Watch together"))
        expect(page.locator("#review-bar .review-state")).to_contain_text("You lead")
    review = page.url.split("/")[4]
    assert all(f"/reviews/{review}/" in pupil.page("/") for pupil in pupils)
    with coach.doing("asked: from the press to everybody's question"):
        coach.press(coach.button("Ask this moment"))
        expect(coach.button("Show what happened")).to_be_visible()
        shown = [pupil.page(f"/reviews/{review}/") for pupil in pupils]
    (study,) = {question.group(1) for text in shown if (question := QUESTION.search(text))}
    for pupil in pupils:
        pupil.page(f"/studies/{study}/1/")
    with coach.doing("answered by all: until the coach sees it"):
        at_once(pupils, f"/studies/{study}/chapters/1/answer", *answer)
        words = f"{len(pupils)} of {len(pupils)} answered"
        expect(page.locator("#review-answers")).to_contain_text(words)
    with coach.doing("answers opened, shown, and kept"):
        coach.press(page.locator("#review-answers summary"))
        coach.press(coach.button("Show what happened"))
        coach.press(coach.button("Keep as a question"))
        expect(page.get_by_role("link", name="Open the question")).to_be_visible()


QUESTION = re.compile(r'data-question="/studies/([\w-]+)/1/"')


def walled(coach: Coach, server: Server, key: str, seconds: float) -> None:
    """What the wall costs, beside the tables that play all the same."""
    spent = {}
    for what, address in (("without a viewer", "about:blank"), ("with", f"/classes/{key}/tables/")):
        coach.page.goto(address)
        time.sleep(2 * SETTLE_S)
        before, begun = server.cpu(), time.monotonic()
        time.sleep(seconds)
        spent[what] = (server.cpu() - before) / (time.monotonic() - begun)
    shown = coach.page.locator(".wall-board .board").count()
    said = ", ".join(f"{value:.3f} of a core {what}" for what, value in spent.items())
    say(f"a wall of {TABLES} tables ({shown} of them in sight): the server uses {said}")


def main() -> None:
    """Measure, and say it."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=8, help="pupils")
    parser.add_argument("--seconds", type=float, default=20, help="of the wall")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        Site(Path(folder)) as site,
        sync_playwright() as playwright,
    ):
        site.prepare()
        site.socket.listen(4_096)
        say(f"load of this machine: {os.getloadavg()[0]:.1f}")
        there = Evening.prepared(site, options.size)
        with serving(site, min(os.sched_getaffinity(0))) as server:
            browser = launch(playwright)
            context = browser.new_context(base_url=site.url)
            context.add_cookies([{"name": "sessionid", "value": there.coach, "url": site.url}])
            coach = Coach(context.new_page(), site)
            before = server.cpu()
            pupils = [Browser(site, session) for session in there.pupils]
            key = evening(coach, there, pupils)
            say(f"{server.cpu() - before:.1f} CPU s of the server for all of it")
            plans = [bot_table(f"table{number}", 4, 1_000) for number in range(TABLES)]
            open_tables(site, [replace(plan, school_class=key) for plan in plans])
            walled(coach, server, key, options.seconds)
            browser.close()


if __name__ == "__main__":
    main()
