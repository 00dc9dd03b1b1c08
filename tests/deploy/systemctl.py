"""A stand-in for systemd: starts and stops units by what they say, below the folder $MACHINE."""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from string import Template

ROOT = Path(os.environ["MACHINE"])


def lines_of(name: str) -> Iterator[tuple[str, str]]:
    """The settings of a unit, in order."""
    base, template, instance = name.partition("@")
    text = (ROOT / f"etc/systemd/system/{base}{template}.service").read_text()
    for line in text.replace("\\\n", "").splitlines():
        key, is_setting, value = line.partition("=")
        if is_setting:
            yield key, value.replace("%i", instance)


def start(name: str) -> None:
    """Run a unit: to its end if it is a oneshot, otherwise beside us."""
    unit = list(lines_of(name))
    env = dict(os.environ)
    for key, value in unit:
        match key:
            case "Environment":
                env |= dict([shlex.split(value)[0].split("=", 1)])
            case "EnvironmentFile":
                rows = Path(value).read_text().splitlines()
                env |= dict(row.split("=", 1) for row in rows if row and row[0] != "#")
            case "StateDirectory":
                (ROOT / "var/lib" / value).mkdir(parents=True, exist_ok=True)
            case "ExecStart":
                words = [Template(word).substitute(env) for word in shlex.split(value)]
                run(name, words, env, dict(unit))


def run(name: str, words: list[str], env: dict[str, str], unit: dict[str, str]) -> None:
    where = unit["WorkingDirectory"]
    if unit.get("Type") == "oneshot":
        subprocess.run(words, cwd=where, env=env, check=True)
        return
    with (ROOT / "log").open("ab") as log:
        process = subprocess.Popen(
            words, cwd=where, env=env, stdout=log, stderr=log, start_new_session=True
        )
    (ROOT / "run" / name).write_text(str(process.pid))


def stop(started: Path) -> None:
    """End what runs, and wait for it."""
    state = Path(f"/proc/{started.read_text()}/stat")
    if state.exists():
        os.kill(int(started.read_text()), signal.SIGTERM)
    while state.exists() and ") Z" not in state.read_text():
        time.sleep(0.05)
    started.unlink()


what, *names = [word for word in sys.argv[1:] if word != "--now"]
for name in names if what != "daemon-reload" else ():
    if what in {"stop", "restart", "disable"}:
        for started in (ROOT / "run").glob(name):
            stop(started)
    if what not in {"stop", "disable"}:
        start(name)
