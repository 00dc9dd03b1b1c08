"""What is required is explained, and locked with its hash and without its address."""

from __future__ import annotations

import json
import re

import pytest

from tests.services import ROOT

DOCUMENT = ROOT / "docs" / "reference" / "dependencies.md"


def required(name: str) -> set[str]:
    """The packages in a list of requirements."""
    lines = (line.split("#")[0].strip() for line in (ROOT / name).read_text().splitlines())
    return {re.split(r"[\[~<>=]", line)[0] for line in lines if line and not line.startswith("-")}


def explained(title: str) -> set[str]:
    """The packages in the first column of a part of the document."""
    (part,) = (text for text in DOCUMENT.read_text().split("\n## ") if text.startswith(title))
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
