"""Both proxies take our configuration, and the site works behind each of them."""

from __future__ import annotations

import json
import os
import signal
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
import websockets

from tests.live.serving import open_table, plan_of
from tests.services import ROOT, Site, find_program, free_port

HOST = "ratuki.example"
SBIN = (Path("/usr/sbin"), Path("/usr/local/sbin"))
MAIN = """
daemon off; pid {folder}/pid; error_log {folder}/error.log;
events {{}}
http {{
    access_log off; server_tokens off;
    client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder};
    include {folder}/ratuki.conf;
}}
"""


ALONE = """{
    admin off
    local_certs
    skip_install_trust
    auto_https disable_redirects
    default_sni ratuki.example
}
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One server process that trusts its proxy."""
    origins = {"SITE_ORIGINS": f"https://{HOST}", "TRUST_PROXY": "1", "SECRET_KEY": "4" * 60}
    with Site(tmp_path_factory.mktemp("var"), origins) as site:
        site.manage("demo", "--prepare", "--bare")
        open_table(site, plan_of("bots", 0, 2))
        yield site.start()


@contextmanager
def running(*command: str, **environment: str) -> Iterator[None]:
    """A program that serves in the foreground, as long as the block lasts."""
    process = subprocess.Popen(command, env={**os.environ, **environment})
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=20)


def certificate(folder: Path) -> None:
    """A certificate that nobody has to trust."""
    openssl = find_program("openssl", package="openssl")
    names = ("-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem"))
    subject = ("-subj", f"/CN={HOST}", "-days", "2", "-nodes")
    command = (openssl, "req", "-x509", "-newkey", "rsa:2048", *subject, *names)
    subprocess.run(command, check=True, capture_output=True)


def nginx_files(folder: Path, port: int, upstream: int) -> Path:
    """Our nginx.conf on ports of this test; the path of the file around it."""
    certificate(folder)
    text = (ROOT / "deploy/nginx.conf").read_text()
    for old, new in (
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        ("/etc/ssl/ratuki", str(folder)),
        ("127.0.0.1:8001", f"127.0.0.1:{upstream}"),
        ("127.0.0.1:8002", f"127.0.0.1:{free_port()}"),
    ):
        assert old in text
        text = text.replace(old, new)
    (folder / "ratuki.conf").write_text(text)
    main = folder / "nginx.conf"
    main.write_text(MAIN.format(folder=folder))
    return main


def trusting() -> ssl.SSLContext:
    """A context that takes the test's certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def fetch(url: str, path: str, **headers: str) -> tuple[int, str]:
    """The status and the body of a page behind a proxy."""
    request = urllib.request.Request(f"{url}{path}", headers={"Host": HOST, **headers})
    try:
        with urllib.request.urlopen(request, context=trusting(), timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def cookies(url: str, path: str) -> SimpleCookie:
    """The cookies that a page behind a proxy sets."""
    request = urllib.request.Request(f"{url}{path}", headers={"Host": HOST})
    with urllib.request.urlopen(request, context=trusting(), timeout=20) as answer:
        return SimpleCookie("\r\n".join(answer.headers.get_all("Set-Cookie") or []))


def wait_for(url: str, seconds: float = 20) -> None:
    """Wait until somebody answers there. Raises OSError."""
    end = time.monotonic() + seconds
    while True:
        try:
            fetch(url, "/")
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
        else:
            return


async def welcomed(port: int) -> None:
    """Watch a live table through the proxy on that port."""
    address, origin = f"wss://{HOST}/ws/watch/bots/", websockets.Origin(f"https://{HOST}")
    async with websockets.connect(
        address, origin=origin, ssl=trusting(), host="127.0.0.1", port=port
    ) as socket:
        await socket.send(json.dumps({"type": "hello", "v": 1}))
        assert json.loads(await socket.recv())["type"] == "welcome"


def test_nginx_takes_our_configuration(tmp_path: Path) -> None:
    nginx = find_program("nginx", *SBIN, package="nginx")
    main = nginx_files(tmp_path, free_port(), free_port())
    done = subprocess.run(
        (nginx, "-t", "-c", str(main)), check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "[warn]" not in done.stderr


async def test_the_site_works_behind_nginx(tmp_path: Path, site: Site) -> None:
    nginx, port = find_program("nginx", *SBIN, package="nginx"), free_port()
    main = nginx_files(tmp_path, port, site.port)
    url = f"https://127.0.0.1:{port}"
    with running(nginx, "-c", str(main)):
        wait_for(url)
        status, page = fetch(url, "/")
        assert (status, "<html" in page) == (200, True)
        assert fetch(url, "/metrics")[0] == fetch(url, "/health/ready")[0] == 404
        cookie = cookies(url, "/account/log-in/")["csrftoken"]
        assert (cookie["secure"], cookie["httponly"], cookie["samesite"]) == (True, True, "Lax")
        await welcomed(port)


def test_caddy_takes_our_configuration(tmp_path: Path) -> None:
    caddy = find_program("caddy", package="caddy")
    config = ("--config", str(ROOT / "deploy/Caddyfile"), "--adapter", "caddyfile")
    environment = {**os.environ, "SITE": HOST, "UPSTREAMS": "web1:8000 web2:8000"}
    environment |= {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    for command in ("validate", "adapt"):
        done = subprocess.run(
            (caddy, command, *config), check=False, capture_output=True, text=True, env=environment
        )
        assert done.returncode == 0, done.stderr
        assert "not formatted" not in done.stderr
    assert "web2:8000" in done.stdout


async def test_the_site_works_behind_caddy(tmp_path: Path, site: Site) -> None:
    caddy, port = find_program("caddy", package="caddy"), free_port()
    text = (ROOT / "deploy/Caddyfile").read_text()
    config = tmp_path / "Caddyfile"
    config.write_text(ALONE + text)
    url = f"https://127.0.0.1:{port}"
    environment = {"SITE": f"https://{HOST}:{port}", "UPSTREAMS": f"127.0.0.1:{site.port}"}
    environment |= {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    options = ("--config", str(config), "--adapter", "caddyfile")
    with running(caddy, "run", *options, **environment):
        wait_for(url)
        status, page = fetch(url, "/")
        assert (status, "<html" in page) == (200, True)
        assert fetch(url, "/metrics")[0] == fetch(url, "/health/ready")[0] == 404
        await welcomed(port)
