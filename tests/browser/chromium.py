"""The Chromium that tests and benchmarks drive."""

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
    "Chromium is needed: point $CHROMIUM at one; on Debian, as root, "
    "apt-get install -y chromium-headless-shell; elsewhere .venv/bin/playwright install chromium"
)
NAMES = ("chromium-headless-shell", "chrome-headless-shell", "chromium", "google-chrome")
"""The shell comes first: the same engine without a browser's windows, for a third of the CPU."""


def launch(playwright: Playwright) -> Browser:
    """$CHROMIUM, else the first of `NAMES` on PATH, else the one that Playwright downloaded."""
    chromium = (
        os.environ.get("CHROMIUM")
        or next(filter(None, map(shutil.which, NAMES)), None)
        or playwright.chromium.executable_path
    )
    if not Path(chromium).exists():
        raise NotInstalledError(NO_CHROMIUM)
    return playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
