"""A class and its review at a site in a process, and its people's browsers without pages."""

from __future__ import annotations

import http.client
import json
from typing import Any, NamedTuple
from urllib.parse import urlencode

from tests.reviews.members import RECORD
from tests.services import Site

PREPARE = """
import json
from io import StringIO
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from games.models import Match
from games.people.person import account, encode
from games.people.visitor import Author
from replays.classes import members
from replays.reviews import storage
def session(user):
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value
coach = User.objects.create_user("Cora")
here = members.create(coach, "4b")
pupils = [User.objects.create_user(f"Pupil{{n}}") for n in range({size})]
for user in pupils:
    members.join(here, user, user.username)
call_command("import_records", {record!r}, stdout=StringIO())
match = Match.objects.latest("pk")
review = storage.start(match, Author(encode(account(coach.pk)), "Cora", coach), here.key)
people = [session(coach), *(session(one) for one in pupils)]
print(json.dumps([review.key, match.pk, *people]))
"""
TOKEN = "t" * 32


class Browser:
    """One person's requests, over one connection."""

    def __init__(self, site: Site, session: str) -> None:
        host, _, port = site.url.split("//")[1].partition(":")
        self._connection = http.client.HTTPConnection(host, int(port), timeout=30)
        self.headers = {"Cookie": f"sessionid={session}; csrftoken={TOKEN}", "Origin": site.url}

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        headers = self.headers | {"X-CSRFToken": TOKEN, "Content-Type": "application/json"}
        text = None if body is None else json.dumps(body)
        self._connection.request(method, f"/api/v1{path}", text, headers)
        response = self._connection.getresponse()
        told = response.read()
        assert response.status < 300, told
        return json.loads(told)

    def form(self, path: str, **fields: str) -> None:
        """Send a form, as a page without scripts does."""
        body = urlencode({"csrfmiddlewaretoken": TOKEN, **fields})
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        self._connection.request("POST", path, body, self.headers | kind)
        response = self._connection.getresponse()
        told = response.read()
        assert response.status < 400, told

    def close(self) -> None:
        """Hang up; another request connects again."""
        self._connection.close()

    def page(self, path: str) -> str:
        """A page, in which everything is."""
        self._connection.request("GET", path, headers=self.headers)
        response = self._connection.getresponse()
        text = response.read().decode()
        place = response.getheader("Location")
        return self.page(place) if place else text

    def status(self, path: str) -> int:
        """How an address answers."""
        self._connection.request("GET", path, headers=self.headers)
        response = self._connection.getresponse()
        response.read()
        return response.status


class Evening(NamedTuple):
    """A class with a review of a match; the sessions of coach and pupils."""

    review: str
    match: int
    coach: str
    pupils: list[str]

    @classmethod
    def prepared(cls, site: Site, size: int) -> Evening:
        """Of so many pupils, in a site's database."""
        told = site.manage("shell", "-v", "0", "-c", PREPARE.format(size=size, record=str(RECORD)))
        review, match, coach, *pupils = json.loads(told)
        return cls(review, match, coach, pupils)

    @property
    def moment(self) -> dict[str, Any]:
        """A moment of the match, as a coach asks for it."""
        question = {"seat": 0, "answers": [{"do": "draw"}]}
        at = {"match": self.match, "round": 1, "event": 9, "view": "0"}
        return {"title": "What now?", "question": question, **at}
