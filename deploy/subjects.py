"""`python -m deploy.subjects`: check the subjects of the commits since the last release.

CONTRIBUTING.md has their form. A release is a commit that changes the site's version; commits
from before this check are left as they are. Without git and a history there is nothing to check.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
MAX_LETTERS: Final = 72
_FORM: Final = re.compile(r"(?P<areas>[a-z][\w ,./-]*): (?P<verb>[a-z][\w'-]*)\b.*[^.]")
_NO_EFFECTS: Final = frozenset({"ask", "let", "say", "tell"})


def fault(subject: str) -> str | None:
    """What is wrong with a commit's subject; None if it has the form."""
    if len(subject) > MAX_LETTERS:
        return f"has {len(subject)} letters, at most {MAX_LETTERS} fit"
    form = _FORM.fullmatch(subject)
    if not form:
        return "is not of the form `area: verb object`"
    if form["verb"] in _NO_EFFECTS:
        return f"names no effect: “{form['verb']}”"
    return None


def since_release() -> list[str]:
    """The subjects of the commits after the last release and after this check came."""
    begins = (
        _log("-1", "--format=%H", "-G__version__", "--", "ratuki_site/__init__.py"),
        _log("-1", "--format=%H", "--diff-filter=A", "--", "deploy/subjects.py"),
    )
    known = [f"^{commit}" for found in begins for commit in found]
    return _log("--no-merges", "--format=%s", "HEAD", *known) if known else []


def _log(*arguments: str) -> list[str]:
    command = ("git", "-C", str(ROOT), "log", *arguments)
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


if __name__ == "__main__":
    try:
        subjects = since_release()
    except (OSError, subprocess.CalledProcessError):
        sys.exit(
            "git and a history are needed to check subjects" if (ROOT / ".git").exists() else 0
        )
    faults = [f"“{subject}” {wrong}" for subject in subjects if (wrong := fault(subject))]
    sys.exit("\n".join(faults) or 0)
