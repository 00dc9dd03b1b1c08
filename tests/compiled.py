"""`python -m tests.compiled [PATH...]`: tests again, on the compiled engine, records and bots.

Everything is copied and compiled elsewhere, so that the working tree stays plain Python. Without
paths these are the tests that compare whole games, records and bots, or depend on how Python holds
an object: compiled code can differ there, and a single rule can't.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.services import ROOT

PATHS = (
    *(
        f"tests/engine/test_{name}.py"
        for name in ("message", "oracle", "referee", "table", "unruly")
    ),
    *(f"tests/records/test_{name}.py" for name in ("check", "columns", "strict")),
    *(f"tests/bots/test_{name}.py" for name in ("compiled", "records", "rollout")),
)
LEFT_OUT = (".git", ".venv", "node_modules", "var", ".*_cache", "__pycache__", ".hypothesis")
COMPILED = "import games; assert games.COMPILED; from games.engine import table; table.apply"


def main(paths: list[str]) -> int:
    """Copy, compile, test; the exit code of what failed, or 0."""
    with TemporaryDirectory(prefix="ratuki-compiled-") as folder:
        copy = Path(folder, "ratuki")
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT, "*.so"))
        Path(copy, "games", "compiled.json").unlink(missing_ok=True)
        # What random examples find is found by the same tests on plain Python.
        environment = {**os.environ, "HYPOTHESIS_PROFILE": "again"}
        tests = ("pytest", "-q", "-n", "2", "-p", "no:cacheprovider", *(paths or PATHS))
        for module in (("deploy.compile",), tests):
            command = (sys.executable, "-m", *module)
            done = subprocess.run(command, cwd=copy, env=environment, check=False)
            if done.returncode:
                return done.returncode
            subprocess.run((sys.executable, "-c", COMPILED), cwd=copy, check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
