"""Our proxies' files with real proxies, on ports of a test."""

import os
import shutil
import signal
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPSConnection
from pathlib import Path

from tests.services import ROOT, find_program, free_port

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
    log {
        level ERROR
    }
    local_certs
    skip_install_trust
    auto_https disable_redirects
    default_sni ratuki.example
}
"""


@contextmanager
def running(*command: str, **environment: str) -> Iterator[None]:
    """A program that serves in the foreground, as long as the block lasts."""
    process = subprocess.Popen(command, env={**os.environ, **environment})
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)


def certificate(folder: Path) -> None:
    """A certificate that nobody has to trust."""
    openssl = find_program("openssl", package="openssl")
    names = ("-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem"))
    subject = ("-subj", f"/CN={HOST}", "-days", "2", "-nodes")
    command = (openssl, "req", "-x509", "-newkey", "rsa:2048", *subject, *names)
    subprocess.run(command, check=True, capture_output=True)


def nginx_files(folder: Path, port: int, upstream: int, other: int = 0) -> Path:
    """Our nginx.conf on ports of this test; the path of the file around it.

    `other`: the second server process; without one nobody listens there.
    """
    certificate(folder)
    text = (ROOT / "deploy/nginx.conf").read_text()
    for old, new in (
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        ("/etc/ssl/ratuki", str(folder)),
        ("/var/cache/nginx-ratuki", str(cache_of(port))),
        ("127.0.0.1:8001", f"127.0.0.1:{upstream}"),
        ("127.0.0.1:8002", f"127.0.0.1:{other or free_port()}"),
    ):
        assert old in text
        text = text.replace(old, new)
    (folder / "ratuki.conf").write_text(text)
    main = folder / "nginx.conf"
    main.write_text(MAIN.format(folder=folder))
    return main


def cache_of(port: int) -> Path:
    """Where that nginx keeps answers: its worker, another user, can't reach a test's folder."""
    return Path(tempfile.gettempdir()) / f"nginx-ratuki-{port}"


def trusting() -> ssl.SSLContext:
    """A context that takes the test's certificate, and reads none of the machine's."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def fetch(url: str, path: str, form: bytes | None = None, **headers: str) -> tuple[int, str]:
    """The status and the body of a page behind a proxy, or of what a form leads to."""
    request = urllib.request.Request(f"{url}{path}", form, {"Host": HOST, **headers})
    try:
        with urllib.request.urlopen(request, context=trusting(), timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def status_from_elsewhere(port: int, path: str) -> int:
    """The status that answers another address than the machine's own."""
    source = ("127.0.0.2", 0)
    connection = HTTPSConnection("127.0.0.1", port, source_address=source, context=trusting())
    with closing(connection):
        connection.request("GET", path, headers={"Host": HOST})
        return connection.getresponse().status


def wait_for(url: str, seconds: float = 60, *, away: bool = False) -> None:
    """Wait until the site answers there: the proxy says 503 until it does. Raises OSError.

    `away`: that answer will do.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            if fetch(url, "/")[0] != 503 or away:
                return
        except OSError:
            if time.monotonic() > end:
                raise
        assert time.monotonic() < end, "the site does not answer behind its proxy"
        time.sleep(0.05)


@contextmanager
def nginx(folder: Path, *upstreams: int) -> Iterator[int]:
    """nginx as we ship its file, before these server processes; its port."""
    port = free_port()
    main = nginx_files(folder, port, *upstreams)
    try:
        with running(find_program("nginx", *SBIN, package="nginx"), "-c", str(main)):
            yield port
    finally:
        shutil.rmtree(cache_of(port), ignore_errors=True)


@contextmanager
def caddy(folder: Path, *upstreams: int) -> Iterator[int]:
    """Caddy as we ship its file, before these server processes; its port."""
    port = free_port()
    config = folder / "Caddyfile"
    shipped = (ROOT / "deploy/Caddyfile").read_text()
    # The file's own options stay: they are in one block with those of the test.
    config.write_text(shipped.replace("{\n", ALONE.rstrip().removesuffix("}"), 1))
    addresses = " ".join(f"127.0.0.1:{upstream}" for upstream in upstreams)
    environment = {"SITE": f"https://{HOST}:{port}", "UPSTREAMS": addresses}
    environment |= {"HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    program = find_program("caddy", package="caddy")
    options = ("--config", str(config), "--adapter", "caddyfile")
    with running(program, "run", *options, **environment):
        yield port
