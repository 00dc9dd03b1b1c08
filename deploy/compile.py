"""`python -m deploy.compile`: compile the engine, the records and the bots as they are.

mypyc turns their modules into one library, `games/rooms__mypyc`, and a small file beside each
source that loads it. The files are put in place at the end. The record of their sources
(`games.compiled`) comes last, so that an interrupted compilation is refused.
"""

import json
import os
import shlex
import shutil
import sys
import sysconfig
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from games.compiled import GAMES, RECORD, compiled_files, digests, sources

LIBRARY: Final = "games.rooms"
"""What mypyc puts before `__mypyc` in the name of the library."""


def main() -> None:
    """Compile, put in place, and report."""
    need_compiler()
    before = digests(sources(GAMES), GAMES)
    with TemporaryDirectory(prefix="ratuki-compile-") as folder:
        build(Path(folder))
        put_in_place(Path(folder, "lib", "games"))
    record = {"sources": before, "compiled": digests(compiled_files(GAMES), GAMES)}
    (GAMES / RECORD).write_text(json.dumps(record, indent=1))
    sys.stdout.write(f"Engine, records and bots run compiled from now on: {len(before)} files.\n")


def need_compiler() -> None:
    """End with advice unless there is a C compiler, and Python's headers."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    header = Path(sysconfig.get_path("include"), "Python.h")
    if shutil.which(compiler) and header.exists():
        return
    missing = f"The header {header}" if shutil.which(compiler) else f"A C compiler ({compiler})"
    sys.exit(
        f"{missing} is missing. On Debian: apt-get install -y gcc libc6-dev python3-dev\n"
        "Without it everything runs as plain Python."
    )


def build(folder: Path) -> None:
    """Compile into `folder`/lib. Exits with the compilers' output if they fail."""
    from mypyc.build import mypycify
    from setuptools import setup

    paths = [str(path) for path in sources(GAMES) if path.name != "__init__.py"]
    options = ["--config-file=", "--follow-imports=silent", f"--cache-dir={folder}/cache"]
    said = StringIO()
    os.chdir(folder)
    try:
        with redirect_stdout(said), redirect_stderr(said):
            modules = mypycify(
                [*options, *paths],
                opt_level="1",  # as fast as "3", and compiled in two thirds of its time
                debug_level="0",
                group_name=LIBRARY,
                target_dir=f"{folder}/c",
            )
            setup(
                name="ratuki-rooms",
                packages=[],
                ext_modules=modules,
                script_args=[
                    *("--quiet", "build_ext", f"--build-lib={folder}/lib"),
                    *(f"--build-temp={folder}/objects", f"--parallel={os.cpu_count()}"),
                ],
            )
    except SystemExit as end:
        sys.exit(f"{said.getvalue()}{end}")


def put_in_place(built: Path) -> None:
    """Move the compiled files to their sources, in the place of any older ones."""
    (GAMES / RECORD).unlink(missing_ok=True)
    for old in compiled_files(GAMES):
        old.unlink()
    for file in compiled_files(built):
        shutil.move(file, GAMES / file.relative_to(built))


if __name__ == "__main__":
    main()
