"""Every link in the documents leads somewhere, and each page says its reader first."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.services import ROOT

PAGES = sorted((ROOT / "docs").glob("*/*.md"))
LINKED = [*PAGES, *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
READER = re.compile(r"\A# [^\n]+\n\nFor [a-z]")


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def prose(page: Path) -> str:
    return re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL)


def headings(page: Path) -> set[str]:
    """The anchors of a page, as GitHub makes them."""
    lines = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-") for line in lines}


@pytest.mark.parametrize("page", LINKED, ids=named)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target, heading in LINK.findall(prose(page)):
        if "://" not in target:
            path = page.parent / target if target else page
            assert path.exists(), target
            assert not heading or heading in headings(path), f"{target}#{heading}"


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_a_page_says_its_reader_first(page: Path) -> None:
    assert READER.match(page.read_text())
