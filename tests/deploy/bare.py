"""A bare machine of a test: a release's files alone, and stand-ins for what it must not change."""

import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

from tests.services import ROOT

SCRIPTS: Final = ("docker", "systemctl")
PAGE: Final = (ROOT / "docs/how-to/host.md").read_text()
OWNER: Final = {
    "DJANGO_SUPERUSER_USERNAME": "Kim",
    "DJANGO_SUPERUSER_EMAIL": "kim@ratuki.example",
    "DJANGO_SUPERUSER_PASSWORD": "four blue stacks",
}


def steps(title: str) -> list[str]:
    """The commands under a heading of the page."""
    (section,) = re.findall(rf"^##+ {title}\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    return re.findall(r"^(?: {7}| {4})(\S.*)$", section, re.MULTILINE)


def image(folder: Path) -> Path:
    """The files that the image has, where nothing else is but Python's own form of them.

    That spares each of the many processes half of its start; Python looks whether it is up to date.
    """
    ignored = (ROOT / ".dockerignore").read_text().splitlines()[1:]
    files = subprocess.run(
        ("git", "ls-files"), cwd=ROOT, check=True, capture_output=True, text=True
    )
    place = folder / "image"
    for name in files.stdout.splitlines():
        parts = [name, name.partition("/")[0], name.rpartition("/")[2]]
        if (ROOT / name).exists() and not any(fnmatch(p, line) for p in parts for line in ignored):
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            os.link(ROOT / name, place / name)
    for room in ("games", "replays", "ratuki_site"):
        for file in (ROOT / room).rglob("__pycache__/*.pyc"):
            copy = place / file.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):  # another process has just put a newer one there
                os.link(file, copy)
    return place


class Machine:
    """A folder in which the page's commands run as if it were the root of a machine."""

    def __init__(self, folder: Path, environment: dict[str, str], **others: str) -> None:
        self.root = folder
        ours = {f"/{name}/": f"{folder}/{name}/" for name in ("srv", "etc", "var/lib", "data")}
        self.others = {**others, **ours, "createsuperuser": "createsuperuser --noinput"}
        for name in ("srv", "etc/systemd/system", "var/lib", "run", "bin"):
            (folder / name).mkdir(parents=True)
        venv = Path(sys.executable).parent.parent
        stands_in = {
            **{
                name: f'#!/bin/sh\nexec {sys.executable} {Path(__file__).with_name(name)}.py "$@"\n'
                for name in SCRIPTS
            },
            "runuser": '#!/bin/sh\nshift 3; exec "$@"\n',
            "python3.11": f'#!/bin/sh\nln -s {venv} "$3"\n',
            **dict.fromkeys(("apt-get", "useradd", "pip"), "#!/bin/sh\n"),
        }
        for name, text in stands_in.items():
            (folder / "bin" / name).write_text(text)
            (folder / "bin" / name).chmod(0o755)
        path = f"{folder}/bin:/usr/sbin:/usr/bin:/bin"
        self.environment = {"PATH": path, "MACHINE": str(folder), **OWNER, **environment}

    def local(self, text: str) -> str:
        """The same with the paths and addresses of this machine."""
        for theirs, ours in self.others.items():
            text = text.replace(theirs, ours)
        return text

    def unpack(self, release: str) -> Path:
        """The files of a release, as if it had been fetched."""
        place = image(self.root / "unpacked" / release)
        for unit in (place / "deploy/systemd").iterdir():
            text = self.local(unit.read_text())
            unit.unlink()  # it is the same file as in the repository
            unit.write_text(text)
        example = place / "deploy/ratuki.env.example"
        text = self.local(example.read_text())
        example.unlink()
        example.write_text(text)
        return place

    def fetch_release(self, name: str) -> None:
        """The release's files as `ratuki.tar.gz`, where its commands run."""
        place = self.unpack(name)
        shutil.make_archive(str(self.root / "ratuki"), "gztar", place.parent, place.name)

    def run(self, commands: list[str], cwd: str = "srv/ratuki") -> str:
        """Run commands of the page in one shell; what they print."""
        script = self.local("\n".join(("set -e", *commands)))
        script = script.replace(".venv/bin/pip", "pip").replace("-o root -g ratuki ", "")
        where = self.root / cwd
        where = where if where.exists() else self.root
        done = subprocess.run(
            ("bash", "-c", script),
            cwd=where,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=400,
        )
        log = self.root / "log"
        said = done.stdout + done.stderr
        assert done.returncode == 0, f"{script}\n{said}\n{log.exists() and log.read_text()}"
        return said

    def stop(self) -> None:
        self.run(["systemctl stop '*'"])
