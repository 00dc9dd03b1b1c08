"""A class logs in to a site with an embedded database at the same moment."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

from tests.services import Site

PEOPLE = 24
PASSWORD = "quite-a-long-one-7"
MOST_MIB = 512
"""What the log-ins may take together: one hash takes 100 MiB."""
MAKE = (
    "from django.contrib.auth import get_user_model\n"
    f"for one in range({PEOPLE}):\n"
    f"    get_user_model().objects.create_user(f'p{{one}}', password={PASSWORD!r})\n"
)


def peak_mib(site: Site) -> int:
    """The most memory that a site has ever had."""
    assert site.process
    status = Path(f"/proc/{site.process.pid}/status").read_text()
    return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) // 1024


def log_in(site: Site, name: str) -> int:
    """Log in; the status of the page that follows."""
    browser = build_opener(HTTPCookieProcessor(CookieJar()))
    address = f"{site.url}/account/log-in/"
    token = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', browser.open(address).read())
    assert token
    said = {"username": name, "password": PASSWORD, "csrfmiddlewaretoken": token[1].decode()}
    try:
        return int(browser.open(address, urlencode(said).encode()).status)
    except HTTPError as error:
        return error.code


def test_a_class_that_logs_in_at_once_is_let_in_and_takes_little_memory(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.prepare()
        site.manage("shell", "--verbosity", "0", "-c", MAKE)
        site.start()
        assert log_in(site, "p0") == 200
        before = peak_mib(site)
        with ThreadPoolExecutor(PEOPLE) as pool:
            statuses = list(pool.map(lambda number: log_in(site, f"p{number}"), range(PEOPLE)))
        assert statuses == [200] * PEOPLE
        assert peak_mib(site) - before < MOST_MIB
