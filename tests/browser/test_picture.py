"""The picture in the README: a replay as it looks. `make picture` takes it anew."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.services import ROOT, Site

PICTURE = ROOT / "docs" / "replay.png"
WIDTH, HEIGHT = 1280, 800


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site with one match, the same each time."""
    with Site(tmp_path_factory.mktemp("picture")) as site:
        site.prepare()
        site.manage("simulate", "--matches=1", "--seed=2009", "--jobs=1")
        yield site.start()


def size_of(png: bytes) -> tuple[int, int]:
    """Width and height, which a PNG tells in its first chunk."""
    return struct.unpack(">II", png[16:24])


def test_the_picture_is_taken(wide: Page, tmp_path: Path) -> None:
    wide.emulate_media(reduced_motion="reduce")
    wide.goto("/matches/1/?round=2&t=9690")
    expect(wide.get_by_role("slider").first).to_be_visible()
    expect(wide.locator(".card").first).to_be_visible()
    target = PICTURE if os.environ.get("TAKE_PICTURE") else tmp_path / PICTURE.name
    assert size_of(wide.screenshot(path=target)) == (WIDTH, HEIGHT)


def test_the_readme_shows_it() -> None:
    assert f"({PICTURE.relative_to(ROOT)})" in (ROOT / "README.md").read_text()
    assert size_of(PICTURE.read_bytes()) == (WIDTH, HEIGHT)
