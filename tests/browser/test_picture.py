"""The picture in the README: a replay as it looks. `make picture` takes it anew."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.replaying import choose
from tests.services import ROOT, Site

PICTURE = ROOT / "docs" / "players" / "replay.png"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site with one match, the same each time."""
    with Site(tmp_path_factory.mktemp("picture")) as site:
        site.prepare()
        site.manage("simulate", "--matches=1", "--seed=2009", "--jobs=1")
        with site.working():
            yield site.start()


def test_the_picture_is_taken(wide: Page, tmp_path: Path) -> None:
    wide.emulate_media(reduced_motion="reduce")
    wide.goto("/matches/1/?round=2&t=9690")
    expect(wide.get_by_role("slider").first).to_be_visible()
    expect(wide.locator(".card").first).to_be_visible()
    expect(wide.locator(".scrub-star").first).to_be_attached()
    moments = choose(wide, "Moments").locator(".moments > li")
    expect(moments.locator(".moment-picture")).to_have_count(moments.count())
    expect(wide.locator("#outlook b").first).to_contain_text("%")
    target = PICTURE if os.environ.get("TAKE_PICTURE") else tmp_path / PICTURE.name
    assert wide.screenshot(path=target) == target.read_bytes()
