"""A stand-in for Docker: containers are processes in their image's folder, below $MACHINE."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from argparse import REMAINDER, ArgumentParser, Namespace
from contextlib import suppress
from pathlib import Path

MACHINE = Path(os.environ["MACHINE"])


def said_in_dockerfile(image: str) -> tuple[dict[str, str], list[str]]:
    """What an image sets, and what it runs."""
    text = (MACHINE / "images" / image / "deploy/Dockerfile").read_text().replace("\\\n", " ")
    env, command = (
        re.findall(rf"^{word} (.*)$", text, re.MULTILINE)[-1] for word in ("ENV", "CMD")
    )
    return dict(word.split("=", 1) for word in shlex.split(env)), json.loads(command)


def prepared(asked: Namespace) -> tuple[list[str], Path, dict[str, str]]:
    """The command of a container, where it runs, and with which environment."""
    env, command = said_in_dockerfile(asked.image)
    rows = Path(asked.env_file).read_text().splitlines() if asked.env_file else []
    env |= dict(row.split("=", 1) for row in rows) | {"RATUKI_VAR": str(MACHINE / "data")}
    owner = {key: value for key, value in os.environ.items() if key.startswith("DJANGO_SUPERUSER")}
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    port = asked.publish.split(":")[-2] if asked.publish else "8000"
    env |= {**owner, "PATH": path, "PORT": port}
    return asked.command or command, MACHINE / "images" / asked.image, env


def begin(name: str) -> None:
    kept = MACHINE / "containers" / name
    command, folder, env = prepared(Namespace(**json.loads(kept.read_text())))
    with kept.with_suffix(".log").open("ab") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=env, stdout=log, stderr=log, start_new_session=True
        )
    kept.with_suffix(".pid").write_text(str(process.pid))


def end(name: str) -> None:
    """Stop a container's first process, and wait for it. What it leaves is killed."""
    file = (MACHINE / "containers" / name).with_suffix(".pid")
    first, *others = family(int(file.read_text()))
    os.kill(first, signal.SIGTERM)
    await_end(first)
    for pid in others:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        await_end(pid)
    file.unlink()


def family(pid: int) -> list[int]:
    """A process and all that it has started."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(one for child in children for one in family(int(child)))]


def await_end(pid: int) -> None:
    state = Path(f"/proc/{pid}/stat")
    with suppress(FileNotFoundError, ProcessLookupError):
        while ") Z" not in state.read_text():
            time.sleep(0.05)


def run(words: list[str]) -> int:
    parser = ArgumentParser()
    for flag in ("-d", "-i", "--rm"):
        parser.add_argument(flag, action="store_true")
    for option in ("--name", "--restart", "--env-file", "-v"):
        parser.add_argument(option)
    parser.add_argument("-p", dest="publish")
    parser.add_argument("image")
    parser.add_argument("command", nargs=REMAINDER)
    asked = parser.parse_args(words)
    (MACHINE / "data").mkdir(exist_ok=True)
    if asked.d:
        kept = MACHINE / "containers" / asked.name
        kept.parent.mkdir(exist_ok=True)
        with kept.open("x") as file:
            json.dump(vars(asked), file)
        begin(asked.name)
        return 0
    command, folder, env = prepared(asked)
    return subprocess.run(command, cwd=folder, env=env, check=False).returncode


def name_image(name: str, folder: Path) -> None:
    image = MACHINE / "images" / name
    image.parent.mkdir(exist_ok=True)
    image.unlink(missing_ok=True)
    image.symlink_to(folder)


what, *words = sys.argv[1:]
match what:
    case "build":
        name_image(words[words.index("-t") + 1], Path.cwd())
    case "tag":
        name_image(words[1], (MACHINE / "images" / words[0]).readlink())
    case "run":
        sys.exit(run(words))
    case "exec":
        name, *command = [word for word in words if word != "-it"]
        kept = json.loads((MACHINE / "containers" / name).read_text())
        command, folder, env = prepared(Namespace(**{**kept, "command": command}))
        sys.exit(subprocess.run(command, cwd=folder, env=env, check=False).returncode)
    case "start":
        begin(words[0])
    case "stop":
        end(words[0])
    case "rm":
        for kept in (MACHINE / "containers").glob(f"{words[0]}*"):
            kept.unlink()
    case "logs":
        sys.stdout.write((MACHINE / "containers" / words[0]).with_suffix(".log").read_text())
