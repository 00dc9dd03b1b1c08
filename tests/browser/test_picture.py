"""The pictures of README and the player's guide, taken from the site: `make picture` retakes them.

They are WebP, which Chromium itself writes: it draws a screenshot on a canvas.
"""

import os
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.replaying import choose, to_the_question, try_here
from tests.services import ROOT, Site

pytestmark = pytest.mark.release
PICTURES = ROOT / "docs" / "players"
LARGEST = 60_000
"""Bytes of a picture."""
TO_WEBP = """async ([png, quality]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), {
    width: image.width, height: image.height,
  });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toDataURL("image/webp", quality).split(",")[1];
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site with two matches and a study, the same each time."""
    with Site(tmp_path_factory.mktemp("picture")) as site:
        site.prepare()
        site.manage("simulate", "--matches=2", "--seed=2009", "--jobs=1")
        site.manage("demo_study")
        with site.working():
            yield site.start()


def test_the_pictures_are_taken(wide: Page, browser: Browser, tmp_path: Path) -> None:
    wide.emulate_media(reduced_motion="reduce")
    folder = PICTURES if os.environ.get("TAKE_PICTURE") else tmp_path
    studio = browser.new_page()
    for name, prepare in SCENES.items():
        prepare(wide)
        png = b64encode(wide.screenshot()).decode()
        sizes = (b64decode(studio.evaluate(TO_WEBP, [png, q])) for q in (0.7, 0.5, 0.35, 0.2))
        picture = next(webp for webp in sizes if len(webp) < LARGEST)
        assert picture[8:12] == b"WEBP"
        (folder / f"{name}.webp").write_bytes(picture)
        assert (PICTURES / f"{name}.webp").exists(), "make picture has not taken it yet"
    studio.close()


def replay(page: Page) -> None:
    """The moments of a match, at one of them."""
    page.goto("/matches/1/?round=2&t=9690")
    expect(page.get_by_role("slider").first).to_be_visible()
    expect(page.locator(".card").first).to_be_visible()
    expect(page.locator(".scrub-star").first).to_be_attached()
    moments = choose(page, "Moments").locator(".moments > li")
    plays = moments.locator(".row-button:not(.soft)")  # the others are stretches
    expect(moments.locator(".moment-picture")).to_have_count(plays.count())
    expect(page.locator("#outlook b").first).to_contain_text("%")


def what_if(page: Page) -> None:
    """Bots play on from a moment for five seconds."""
    page.goto("/matches/1/?round=2&t=28000")
    expect(page.locator(".card").first).to_be_visible()
    try_here(page)
    page.get_by_label("How long bots play on").select_option("5 s")
    page.get_by_role("button", name="Bots play on").click()
    expect(page.locator("#table.is-variation")).to_be_visible()
    expect(page.locator(".what-if-difference").first).to_contain_text("At 0:")


def note(page: Page) -> None:
    """A note with an arrow, being written."""
    page.goto("/matches/1/?round=2&t=9690")
    expect(page.locator(".card").first).to_be_visible()
    page.keyboard.press("a")
    form = page.get_by_role("form", name="Note")
    form.get_by_role("textbox", name="Text").fill("Keep a 5 for this stack. #patience")
    form.get_by_role("button", name="Mark on the table").click()
    seat = page.get_by_role("region", name="Seat 2")
    slot = page.get_by_role("region", name="Stack 1", exact=True)
    slot.drag_to(seat, target_position={"x": 120, "y": 12})
    expect(form).to_contain_text("Points at stack 1")


def question(page: Page) -> None:
    """A chapter that has stopped and asks."""
    page.goto("/studies/first-lessons/3/")
    page.get_by_role("button", name="Start the question").click()
    to_the_question(page)


def table(page: Page) -> None:
    """A guided round, whose first lessons are done."""
    page.goto("/")
    page.get_by_role("button", name="Learn by playing").click()
    done = page.locator("[data-lesson=up].is-done")
    while not done.count():
        page.locator(".is-next").first.press("Enter")
    expect(page.locator(".is-next").first).to_be_visible()
    expect(page.locator(".shout")).to_have_count(0)


SCENES: dict[str, Callable[[Page], None]] = {
    "replay": replay,
    "what-if": what_if,
    "note": note,
    "question": question,
    "table": table,
}
