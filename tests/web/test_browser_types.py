"""The browser's types are those of what the site sends now."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_types_of_the_browser_are_fresh(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "deploy.browser_types", tmp_path], check=True, cwd=ROOT)
    made = sorted(tmp_path.iterdir())
    assert len(made) == 2
    for file in made:
        kept = ROOT / "docs" / "reference" / file.name
        assert file.read_text() == kept.read_text(), f"{kept} is stale: run make types"
