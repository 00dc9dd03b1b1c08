"""The Chromium that tests and benchmarks drive."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from playwright.sync_api import Browser, Playwright

from tests.services import NotInstalledError

FLAGS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-component-update",
)
NO_CHROMIUM = (
    "Chromium is needed: point $CHROMIUM at one; on Debian, as root, apt-get install -y chromium; "
    "elsewhere .venv/bin/playwright install chromium"
)


def launch(playwright: Playwright) -> Browser:
    """$CHROMIUM, else one on PATH, else the one that Playwright downloaded."""
    chromium = (
        os.environ.get("CHROMIUM")
        or shutil.which("chromium")
        or shutil.which("google-chrome")
        or playwright.chromium.executable_path
    )
    if not Path(chromium).exists():
        raise NotInstalledError(NO_CHROMIUM)
    return playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
