"""What a page of the archive lists, and where its links lead."""

import re
from html import unescape

from django.test import Client


def listed(client: Client, query: str = "", page: str = "/matches/") -> list[int]:
    """The numbers of the matches on a page, in order."""
    response = client.get(page + query)
    assert response.status_code == 200
    return numbers(response.text)


def numbers(text: str) -> list[int]:
    return [int(pk) for pk in re.findall(r'class="match-link" href="/matches/(\d+)/"', text)]


def link(client: Client, query: str, words: str) -> str | None:
    """Where the link with these words leads."""
    anchor = re.search(rf'href="([^"]*)">{words}<', client.get(f"/matches/{query}").text)
    return unescape(anchor[1]) if anchor else None
