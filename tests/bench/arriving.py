"""A class that logs in at once: 100 log-ins at two server processes behind each proxy we ship."""

from __future__ import annotations

import re
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.cookies import SimpleCookie
from pathlib import Path
from statistics import median
from threading import Barrier
from typing import Final, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, HTTPSHandler, Request, build_opener

from tests.bench.measure import say
from tests.deploy.proxies import HOST, caddy, nginx, trusting, wait_for
from tests.services import Postgres, Redis, Site

PUPILS: Final = 100
MAKE: Final = f"""
from django.contrib.auth.models import User
for number in range({PUPILS}):
    User.objects.create_user(f"Pupil {{number}}", password="quite a long one")
"""
PATH: Final = "/account/log-in/"


class _Stay(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Nowhere: a redirect is the answer that is waited for."""


class _LogIn(NamedTuple):
    status: int
    seconds: float


def bench() -> None:
    """Behind nginx, then behind Caddy."""
    with ExitStack() as opened:
        postgres, redis = Postgres(), Redis()
        opened.callback(postgres.close)
        opened.callback(redis.close)
        environment = {
            "DATABASE_URL": postgres.url(),
            "REDIS_URL": redis.url,
            "SITE_ORIGINS": f"https://{HOST}",
            "SECRET_KEY": "4" * 60,
            "TRUST_PROXY": "1",
        }
        folders = [Path(opened.enter_context(tempfile.TemporaryDirectory())) for _ in range(3)]
        sites = [opened.enter_context(Site(folders[0], environment)) for _ in range(2)]
        sites[0].prepare()
        sites[0].manage("shell", "-v0", "-c", MAKE)
        ports = [site.start().port for site in sites]
        for proxy, folder in ((nginx, folders[1]), (caddy, folders[2])):
            redis.restart()  # an address has so many log-ins an hour
            with proxy(folder, *ports) as port:
                _measure(proxy.__name__, f"https://127.0.0.1:{port}")


def _measure(name: str, url: str) -> None:
    wait_for(url)
    together = Barrier(PUPILS)

    def log_in(number: int) -> _LogIn:
        page = _ask(url, None, {})
        cookies = SimpleCookie("\r\n".join(page.headers.get_all("Set-Cookie") or []))
        token = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', page.read())
        assert token
        form = {
            "username": f"Pupil {number}",
            "password": "quite a long one",
            "csrfmiddlewaretoken": token[1].decode(),
        }
        sent = "; ".join(f"{key}={morsel.value}" for key, morsel in cookies.items())
        together.wait()
        since = time.monotonic()
        answer = _ask(
            url, urlencode(form).encode(), {"Cookie": sent, "Referer": f"https://{HOST}{PATH}"}
        )
        return _LogIn(answer.status, time.monotonic() - since)

    with ThreadPoolExecutor(PUPILS) as pool:
        done = list(pool.map(log_in, range(PUPILS)))
    times = [each.seconds for each in done]
    statuses = Counter(each.status for each in done)
    say(
        f"  {name}: {PUPILS} at once, {dict(statuses)}, {median(times):.1f} s in the middle, "
        f"{max(times):.1f} s at most (aim: 302 for all, at most 20 s)"
    )


def _ask(url: str, form: bytes | None, headers: dict[str, str]):
    opener = build_opener(HTTPSHandler(context=trusting()), _Stay())
    request = Request(f"{url}{PATH}", form, {"Host": HOST, **headers})
    try:
        return opener.open(request, timeout=120)
    except HTTPError as error:
        return error
