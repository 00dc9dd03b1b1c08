"""The documents: links lead somewhere, pages say their reader, types and requirements are fresh."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.client_frames import ASYNCAPI, written
from tests.services import ROOT

DEPENDENCIES = ROOT / "docs" / "reference" / "dependencies.md"
PAGES = sorted((ROOT / "docs").glob("*/*.md"))
LINKED = [*PAGES, *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
READER = re.compile(r"\A# [^\n]+\n\n(For|Für) [a-z]")


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


def test_the_described_frames_of_clients_are_fresh() -> None:
    text = ASYNCAPI.read_text()
    assert written(text) == text, "run make types"


def test_the_types_of_the_browser_are_fresh(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "deploy.browser_types", tmp_path], check=True, cwd=ROOT)
    made = sorted(tmp_path.iterdir())
    assert len(made) == 2
    for file in made:
        kept = ROOT / "docs" / "reference" / file.name
        assert file.read_text() == kept.read_text(), f"{kept} is stale: run make types"


def required(name: str) -> set[str]:
    """The packages in a list of requirements."""
    lines = (line.split("#")[0].strip() for line in (ROOT / name).read_text().splitlines())
    return {re.split(r"[\[~<>=]", line)[0] for line in lines if line and not line.startswith("-")}


def explained(title: str) -> set[str]:
    """The packages in the first column of a part of the document."""
    (part,) = (text for text in DEPENDENCIES.read_text().split("\n## ") if text.startswith(title))
    rows = re.findall(r"^\| ([^|]+) \|", part, re.MULTILINE)[2:]
    return {name for row in rows for name in row.split(", ")}


def test_what_the_site_needs_is_explained() -> None:
    assert explained("The site") == required("requirements.in")


def test_what_the_checks_need_is_explained() -> None:
    packages = json.loads((ROOT / "package.json").read_text())["devDependencies"]
    assert explained("Checks") == required("requirements-dev.in") | set(packages)


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_locks_hold_hashes_and_no_address(name: str) -> None:
    lock = (ROOT / f"{name}.txt").read_text()
    locked = set(re.findall(r"^([A-Za-z0-9._-]+)==", lock, re.MULTILINE))
    assert {package.replace("_", "-") for package in required(f"{name}.in")} <= locked
    assert lock.count("==") <= lock.count("--hash=sha256:")
    assert "://" not in lock
    assert "://" not in (ROOT / "package-lock.json").read_text()
