"""What deploy/ holds is taken by the programs that read it, and agrees with the documents."""

import re
import shlex
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import yaml
from django.core.management import get_commands

from games.compiled import sources
from games.management.commands.demo import DAPHNE
from ratuki_site import __version__
from ratuki_site.settings import SILENCED_SYSTEM_CHECKS
from tests.services import ROOT, find_program, tried

DEPLOY = ROOT / "deploy"
SECRETS = {"SECRET_KEY": "s" * 60, "POSTGRES_PASSWORD": "p", "SITE": "ratuki.example"}


def example() -> dict[str, str]:
    """The settings of ratuki.env.example."""
    lines = (DEPLOY / "ratuki.env.example").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def daphne_options(command: list[str]) -> list[str]:
    """What a command gives Daphne, but where to listen."""
    options = command[command.index("--proxy-headers") :]
    assert options[-1] == "ratuki_site.asgi:application"
    return options


def unit() -> str:
    """The server's unit, with its long lines joined."""
    return (DEPLOY / "systemd/ratuki@.service").read_text().replace("\\\n", " ")


def server_command() -> list[str]:
    """What the image runs as a server in compose."""
    command: list[str] = compose()["services"]["web1"]["command"]
    return command


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    program = find_program("systemd-analyze", package="systemd")
    for path in (DEPLOY / "systemd").iterdir():
        text = path.read_text().replace("/srv/ratuki/.venv", sys.prefix)
        name = path.name.replace("@.", "@8001.")
        (tmp_path / name).write_text(text.replace("/srv/ratuki", str(ROOT)))
    units = [str(path) for path in sorted(tmp_path.iterdir())]
    command = (program, "verify", "--recursive-errors=no", "--man=no", *units)
    done = tried(command)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "ratuki" not in said, said


def test_every_way_of_serving_serves_alike() -> None:
    started = re.search(r"^ExecStart=(.*)$", unit(), re.MULTILINE)
    assert started
    options = daphne_options(shlex.split(started[1]))
    assert daphne_options(server_command()) == options
    assert all(option.replace("=", " ") in " ".join(options) for option in DAPHNE)
    from daphne.cli import CommandLineInterface

    parsed = CommandLineInterface().parser.parse_args(options)
    assert (parsed.ping_interval, parsed.ping_timeout) == (5, 10)
    assert parsed.websocket_max_message_size == parsed.websocket_max_frame_size == 8_192


def test_nothing_is_written_of_requests() -> None:
    """Their lines hold addresses, and the links by which a forgotten password is set again."""
    from daphne.cli import CommandLineInterface

    started = re.search(r"^ExecStart=(.*)$", unit(), re.MULTILINE)
    assert started
    parsed = CommandLineInterface().parser.parse_args(daphne_options(shlex.split(started[1])))
    assert (parsed.verbosity, parsed.access_log) == (0, None)
    assert "access_log off;" in (DEPLOY / "nginx.conf").read_text()
    assert not re.search(r"^\s*log\b", (DEPLOY / "Caddyfile").read_text(), re.MULTILINE)


def test_units_write_for_their_own_user_only() -> None:
    for path in (DEPLOY / "systemd").glob("*.service"):
        assert "UMask=0077" in path.read_text().splitlines(), path.name


def test_the_stop_takes_less_time_than_it_is_given() -> None:
    from games.live.cluster.supervisor import STOP_S

    given = re.search(r"^TimeoutStopSec=(\d+)$", unit(), re.MULTILINE)
    assert given
    assert int(given[1]) > STOP_S
    assert int(compose()["services"]["web1"]["stop_grace_period"].rstrip("s")) > STOP_S


def compose() -> dict[str, Any]:
    """The compose file."""
    loaded: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return loaded


def test_the_compose_file_is_whole() -> None:
    file = compose()
    services = file["services"]
    for name, service in services.items():
        assert service.keys() & {"image", "build"}, name
        for other, condition in wanted(service).items():
            assert other in services, f"{name} needs {other}"
            if condition == "service_healthy":
                assert "healthcheck" in services[other], other
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert (DEPLOY / source).exists() if source[0] == "." else source in file["volumes"]
    upstreams = services["proxy"]["environment"]["UPSTREAMS"].split()
    assert {upstream.split(":")[0] for upstream in upstreams} == {"web1", "web2"}


def wanted(service: dict[str, Any]) -> dict[str, str]:
    """What a service waits for, and for which state of it."""
    needs = service.get("depends_on", {})
    if isinstance(needs, list):
        return dict.fromkeys(needs, "service_started")
    return {name: need["condition"] for name, need in needs.items()}


def test_compose_needs_what_its_head_says() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    optional = set(re.findall(r"\$\{(\w+):-", text))
    assert set(re.findall(r"\$\{(\w+)", text)) - optional == SECRETS.keys()
    for name in SECRETS:
        assert name in text.split("name: ratuki")[0]


def test_compose_passes_every_setting_on() -> None:
    """All but those that it makes itself come from the file beside it, whatever their names."""
    services = compose()["services"]
    made = {"SITE_ORIGINS", "TRUST_PROXY", "SECRET_KEY", "DATABASE_URL", "REDIS_URL"}
    for name in ("migrate", "web1", "web2", "worker"):
        assert services[name]["env_file"] == ".env"
        assert services[name]["environment"].keys() == made, name
        assert services[name]["volumes"] == ["data:/data"], "mails and backups outlive it"


def test_backups_in_the_image_are_made_by_the_servers_own_version() -> None:
    """The client of another release makes files that this server does not take."""
    assert compose()["services"]["db"]["image"] == "postgres:15"
    bases = re.findall(r"^FROM (\S+)", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    assert set(bases) == {"python:3.11-slim-bookworm"}, "of Debian 12, with version 15"


def test_docker_takes_the_compose_file(tmp_path: Path) -> None:
    """Where Docker's compose command is installed; it needs no engine for this."""
    docker = shutil.which("docker") or ""
    probe = (docker, "compose", "version")
    if not docker or subprocess.run(probe, check=False, capture_output=True).returncode:
        return  # the two tests above hold what can be held without it
    (tmp_path / ".env").write_text("LOG_LEVEL=INFO\n")
    file = shutil.copy(DEPLOY / "compose.yaml", tmp_path)
    command = (docker, "compose", "-f", file, "config", "--quiet")
    done = tried(command, **SECRETS)
    assert done.returncode == 0, done.stderr


def test_the_image_is_made_of_what_is_there() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    assert "--require-hashes" in text
    assert text.index("COPY requirements.txt") < text.index("COPY . .")
    assert text.index("\nUSER ratuki") < text.index('VOLUME ["/data"]')
    assert "SECRET_KEY" not in "".join(re.findall(r"^(?:ENV|ARG).*$", text, re.MULTILINE))
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".git", ".venv", "var", "deploy/.env", "**/*.so"} <= set(ignored)


def test_the_image_compiles_with_what_it_has_then(tmp_path: Path) -> None:
    """The stage with the compiler has the sources to compile, and nothing that needs more."""
    _, stage, rest = (DEPLOY / "Dockerfile").read_text().split("\nFROM ")
    for line in re.findall(r"^COPY (.*)$", stage, re.MULTILINE):
        *names, target = line.split()
        for name in names:
            whole, place = ROOT / name, tmp_path / target
            if whole.is_dir():
                shutil.copytree(whole, place, ignore=shutil.ignore_patterns("*.so"))
            else:
                place.mkdir(exist_ok=True, parents=True)
                shutil.copy(whole, place)
    code = "import deploy.compile as c; print(len(c.sources(c.GAMES)))"
    command = (sys.executable, "-c", code)
    done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert int(done.stdout) == len(sources(ROOT / "games"))
    assert "RUN python -m deploy.compile" in stage
    assert rest.index("COPY . .") < rest.index("COPY --from=compiled /srv/ratuki/games games")


def test_the_example_settings_are_good_for_production() -> None:
    given = {**example(), "SECRET_KEY": "kept-elsewhere-0123456789abcdefghijklmnopqrstuvwxyz-ABCDE"}
    run = (sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING")
    done = tried(run, **given)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout
    # Preloading HSTS is for the site's owner to decide.
    assert "(1 silenced)" in done.stdout
    assert SILENCED_SYSTEM_CHECKS == ["security.W021"]


def test_every_setting_is_documented() -> None:
    names = ("ratuki_site/settings.py", "ratuki_site/environment.py", "games/live/wire/routing.py")
    sources = [ROOT / name for name in names]
    code = "".join(path.read_text() for path in sources)
    calls = r"(?:flag|words|environ\.get|secret_key|time_of_day|_number)\(\s*\"([A-Z_]+)\""
    documents = (ROOT / "docs/reference/hosting.md").read_text()
    missing = {name for name in re.findall(calls, code) if f"`{name}`" not in documents}
    assert not missing
    assert example().keys() <= set(re.findall(r"`([A-Z_]+)`", documents))


def test_the_guide_shows_every_picture() -> None:
    """`make picture` takes them, in the window of a wide page."""
    guide = (ROOT / "docs/players/guide.md").read_text()
    assert "(docs/players/replay.webp)" in (ROOT / "README.md").read_text()
    for path in (ROOT / "docs/players").glob("*.webp"):
        webp = path.read_bytes()
        assert f"({path.name})" in guide
        assert len(webp) < 60_000
        width, height = (int.from_bytes(webp[at : at + 3], "little") + 1 for at in (24, 27))
        assert (width, height) == (1280, 800)


def test_the_page_for_hosts_names_what_is_there() -> None:
    """Its commands, the files it copies, and the parts of the page that it leads to."""
    page = (ROOT / "docs/how-to/host.md").read_text()
    commands = set(re.findall(r"manage\.py ([a-z_]+)", page))
    assert commands <= get_commands().keys()
    assert {"check_update", "restore", "createsuperuser", "check"} <= commands
    for path in re.findall(r"\bdeploy/[\w./-]*\w", page):
        assert (ROOT / path).exists() or path == "deploy/.env", path
    headings = re.findall(r"^##+ (.*)$", page, re.MULTILINE)
    anchors = {re.sub(r"[^a-z -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([a-z-]+)\)", page)) <= anchors


def test_a_release_is_one_file(tmp_path: Path) -> None:
    """As the page for hosts unpacks it."""
    command = tried(("make", "--no-print-directory", "--dry-run", "release")).stdout
    made = tried(shlex.split(command.replace("--output=", f"--output={tmp_path}/")))
    assert made.returncode == 0, made.stderr
    with tarfile.open(tmp_path / "ratuki.tar.gz") as release:
        names = release.getnames()
    assert {"ratuki/manage.py", "ratuki/deploy/Dockerfile", "ratuki/requirements.txt"} <= {*names}
    assert {name.split("/")[0] for name in names} == {"ratuki"}


def test_the_command_line_says_which_release_this_is() -> None:
    said = tried((sys.executable, "manage.py", "--version")).stdout
    assert said == f"{__version__}\n"
