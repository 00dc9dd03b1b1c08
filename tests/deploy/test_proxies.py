"""Both proxies take our configuration, and the site works behind each of them."""

import contextlib
import http.client
import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
import websockets

from tests.deploy.proxies import (
    HOST,
    SBIN,
    cache_of,
    caddy,
    fetch,
    nginx,
    nginx_files,
    status_from_elsewhere,
    trusting,
    wait_for,
)
from tests.live.serving import connect, open_table, plan_of
from tests.processes.conftest import figure
from tests.services import ROOT, Site, find_program, free_port, tried

HIDE = """
from games.archive import moderation
from games.models import Match
moderation.show(Match.objects.get(record_id="bots"), Match.Visibility.LINK)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One server process that trusts its proxy."""
    both = f"https://{HOST},https://{HOST}:8443"
    origins = {"SITE_ORIGINS": both, "TRUST_PROXY": "1", "SECRET_KEY": "4" * 60}
    with Site(tmp_path_factory.mktemp("var"), origins) as site:
        site.prepare()
        open_table(site, plan_of("bots", 0, 2))
        yield site.start()


def cookies(url: str, path: str) -> SimpleCookie:
    """The cookies that a page behind a proxy sets."""
    request = urllib.request.Request(f"{url}{path}", headers={"Host": HOST})
    with urllib.request.urlopen(request, context=trusting(), timeout=60) as answer:
        return SimpleCookie("\r\n".join(answer.headers.get_all("Set-Cookie") or []))


async def welcomed(port: int) -> None:
    """Watch a live table through the proxy on that port."""
    address, origin = f"wss://{HOST}/ws/watch/bots/", websockets.Origin(f"https://{HOST}")
    async with connect(
        address, origin=origin, ssl=trusting(), host="127.0.0.1", port=port
    ) as socket:
        await socket.send(json.dumps({"type": "hello", "v": 1}))
        assert json.loads(await socket.recv())["type"] == "welcome"


def too_large(port: int) -> tuple[int, str]:
    """What a browser is told that sends a body over the limit."""
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=trusting())
    connection.putrequest("POST", "/matches/upload/", skip_host=True)
    size = str(17 * 2**20)
    for name, value in {"host": HOST, "accept": "text/html", "content-length": size}.items():
        connection.putheader(name, value)
    connection.endheaders()
    with contextlib.suppress(OSError):  # it need not read what it refuses
        connection.send(bytes(int(size)))
    answer = connection.getresponse()
    told = answer.status, answer.read().decode()
    connection.close()
    return told


def test_nginx_takes_our_configuration(tmp_path: Path) -> None:
    program = find_program("nginx", *SBIN, package="nginx")
    main = nginx_files(tmp_path, port := free_port(), free_port())
    done = tried((program, "-t", "-c", str(main)))
    cache_of(port).rmdir()
    assert done.returncode == 0, done.stderr
    assert "[warn]" not in done.stderr


async def test_the_site_works_behind_nginx(tmp_path: Path, site: Site) -> None:
    with nginx(tmp_path, site.port) as port:
        url = f"https://127.0.0.1:{port}"
        wait_for(url)
        status, page = fetch(url, "/")
        assert (status, "<html" in page) == (200, True)
        assert fetch(url, "/rules/", Host=f"{HOST}:8443")[0] == 200  # an origin with a port
        assert fetch(url, "/metrics")[0] == fetch(url, "/health/ready")[0] == 404
        assert admin_is_for_the_machine_alone(port)
        status, page = too_large(port)
        assert (status, "That is too large" in page) == (413, True)
        cookie = cookies(url, "/account/log-in/")["csrftoken"]
        assert (cookie["secure"], cookie["httponly"], cookie["samesite"]) == (True, True, "Lax")
        await welcomed(port)
        crowd_costs_nothing(site, url)


def crowd_costs_nothing(site: Site, url: str) -> None:
    """Of many who ask, the proxy lets through one or two a second; old answers don't stay."""
    begun, before = time.monotonic(), figure(site, "ratuki_pieces_total")
    asked = [fetch(url, f"/live/bots/latest?n={n}", Cookie=f"n={n}") for n in range(100)]
    assert {status for status, _ in asked} == {200}
    assert all(json.loads(body)["type"] == "latest" for _, body in asked), "unpacked"
    asked_here = figure(site, "ratuki_pieces_total") - before
    assert asked_here <= 3 + 2 * (time.monotonic() - begun)
    before = figure(site, "ratuki_pieces_total")
    for _ in range(3):
        assert fetch(url, "/live/bots/lines/9999999")[0] == 404
        assert fetch(url, "/live/bots/here", b"")[0] == 204
    assert figure(site, "ratuki_pieces_total") - before == 6
    dealt = time.monotonic() + 60
    while fetch(url, "/live/bots/lines/1")[0] != 200:  # until the deal it is no stored match
        assert time.monotonic() < dealt
    site.manage("shell", "-c", HIDE)
    gone = time.monotonic() + 60
    for name in ("latest", "lines/1"):
        while fetch(url, f"/live/bots/{name}")[0] == 200:
            assert time.monotonic() < gone
            time.sleep(0.5)


def test_caddy_takes_our_configuration(tmp_path: Path) -> None:
    program = find_program("caddy", package="caddy")
    config = ("--config", str(ROOT / "deploy/Caddyfile"), "--adapter", "caddyfile")
    environment = {"SITE": HOST, "UPSTREAMS": "web1:8000 web2:8000", "HOME": str(tmp_path)}
    for command in ("validate", "adapt"):
        done = tried((program, command, *config), XDG_DATA_HOME=str(tmp_path), **environment)
        assert done.returncode == 0, done.stderr
        assert "not formatted" not in done.stderr
    assert "web2:8000" in done.stdout


def admin_is_for_the_machine_alone(port: int) -> bool:
    """For those who come from there, as by a tunnel."""
    outside = {status_from_elsewhere(port, f"/admin/{page}") for page in ("", "login/", "auth/")}
    status, page = fetch(f"https://127.0.0.1:{port}", "/admin/")
    return outside == {404} and (status, "Log in" in page) == (200, True)


def test_caddy_lets_the_owners_network_into_the_admin(tmp_path: Path) -> None:
    command = (find_program("caddy", package="caddy"), "adapt", "--config")
    file = str(ROOT / "deploy/Caddyfile")
    done = tried((*command, file), ADMIN_FROM="127.0.0.1 192.0.2.0/24")
    assert done.returncode == 0, done.stderr
    (rule,) = re.findall(r'"not":\[(.*?)\],"path"', done.stdout)
    assert '["127.0.0.1","192.0.2.0/24"]' in rule


async def test_the_site_works_behind_caddy(tmp_path: Path, site: Site) -> None:
    with caddy(tmp_path, site.port) as port:
        url = f"https://127.0.0.1:{port}"
        wait_for(url)
        status, page = fetch(url, "/")
        assert (status, "<html" in page) == (200, True)
        assert fetch(url, "/metrics")[0] == fetch(url, "/health/ready")[0] == 404
        assert admin_is_for_the_machine_alone(port)
        await welcomed(port)
        status, body = fetch(url, "/live/none/latest")
        assert (status, "<html" in body) == (404, False), "answered before the pages"


@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_without_a_process_a_page_is_asked_for_again_and_a_form_is_not(
    proxy: Callable[..., AbstractContextManager[int]], tmp_path: Path
) -> None:
    with proxy(tmp_path, free_port()) as port:
        url = f"https://127.0.0.1:{port}"
        wait_for(url, away=True)
        for form, words in ((None, 'http-equiv="refresh"'), (b"username=Ada", "send it again")):
            status, page = fetch(url, "/account/log-in/", form)
            assert (status, words in page) == (503, True)
            assert ("refresh" in page) == (form is None)
