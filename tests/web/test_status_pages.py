"""What a browser is shown where an address takes no such request, or none so large."""

from __future__ import annotations

import http.client
from pathlib import Path

import pytest
from django.test import Client

from tests.services import Site

BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.django_db
def test_a_browser_is_shown_a_page_where_a_button_s_address_is_opened(client: Client) -> None:
    response = client.get("/play/quick/", headers=BROWSER)
    assert (response.status_code, response["Allow"]) == (405, "POST")
    page = response.content.decode()
    assert "Method not allowed" in page
    assert 'href="/play/"' in page, "with the site's own navigation"


@pytest.mark.django_db
def test_a_program_is_told_405_in_short(client: Client) -> None:
    response = client.get("/play/quick/", headers={"accept": "application/json"})
    assert (response.status_code, response.content) == (405, b"")


@pytest.mark.slow
def test_too_large_a_body_is_refused_by_a_page(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.migrate()
        site.start()
        connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
        connection.putrequest("POST", "/matches/upload/")
        for name, value in {**BROWSER, "content-length": str(17 * 2**20)}.items():
            connection.putheader(name, value)
        connection.endheaders()
        connection.send(bytes(17 * 2**20))
        answer = connection.getresponse()
        page = answer.read().decode()
        connection.close()
    assert answer.status == 413
    assert "That is too large" in page
    assert "content-security-policy" in {name.lower() for name, _ in answer.getheaders()}
