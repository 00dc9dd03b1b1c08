"""Upload of records, honest and hostile."""

from __future__ import annotations

import gzip
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games.archive.packing import text_of
from games.archive.store import record_of
from games.models import Match
from games.tables import joining
from games.tables.plan import new_plan
from replays.pages.forms import MAX_UPLOAD
from tests.web.records import MATCHES, record

pytestmark = pytest.mark.django_db

RECORD = text_of(record(id="upload")).encode()


def send(client: Client, content: bytes, name: str = "a.ratuki"):
    return client.post("/matches/upload/", {"record": SimpleUploadedFile(name, content)})


def test_a_valid_record_is_stored_and_opened(client: Client) -> None:
    response = send(client, RECORD)
    match = Match.objects.get()
    assert response["Location"] == f"/matches/{match.pk}/"
    assert "".join(record_of(match)).encode() == RECORD
    assert "has been stored" in client.get(response["Location"]).text


def test_a_match_that_is_there_is_opened_as_it_is(client: Client) -> None:
    send(client, RECORD)
    response = send(client, RECORD.replace(b'"Ada"', b'"Mallory"'))
    assert response["Location"] == f"/matches/{Match.objects.get().pk}/"
    text = client.get(response["Location"]).text
    assert "was in the archive already" in text
    assert "Mallory" not in text


def test_nobody_else_begins_the_match_of_a_table(client: Client) -> None:
    joining.open_table(new_plan("upload", "usaopoly-2009", 2, {}))
    response = send(client, RECORD)
    assert response.status_code == 422
    assert "a table of this site has this id" in response.text
    assert not Match.objects.exists()


def test_the_fault_is_shown_beside_its_line(client: Client) -> None:
    lines = RECORD.split(b"\n")
    lines[9] = lines[9].replace(b'"seat":', b'"seet":')
    response = send(client, b"\n".join(lines))
    assert response.status_code == 422
    assert "Line 10: " in response.text
    faulty = re.search(r'<li class="faulty".*?</li>', response.text, re.DOTALL)
    assert faulty
    assert ">10</span>" in faulty[0]
    assert "&quot;seet&quot;" in faulty[0]
    assert re.findall(r'fault-number">(\d+)<', response.text) == ["8", "9", "10", "11", "12"]
    assert not Match.objects.exists()


HOSTILE = {
    "empty": (b"", 1),
    "blank": (b"\n", 1),
    "not UTF-8": (b"\xff\xfe\x00\n", 1),
    "not JSON": (b"hello\n", 1),
    "no line feed": (RECORD[:-1], RECORD.count(b"\n")),
    "NUL": (RECORD.replace(b'"Ada"', b'"A\\u0000"'), 1),
    "right to left": (RECORD.replace(b'"Ada"', '"A\u202e"'.encode()), 1),
    "markup": (b'{"<script>alert(1)</script>":1}\n', 1),
    "nested": (b"[" * 60_000 + b"\n", 1),
    "gzip": (gzip.compress(bytes(2**22)), 1),
    "a long line": (RECORD + b" " * 100_000, RECORD.count(b"\n") + 1),
    "many lines": (RECORD[: RECORD.index(b"\n") + 1] + b"{}\n" * 100_000, 2),
}


@pytest.mark.parametrize("kind", list(HOSTILE))
def test_hostile_files_are_refused_with_their_line(client: Client, kind: str) -> None:
    content, line = HOSTILE[kind]
    response = send(client, content)
    assert response.status_code == 422
    assert f"Line {line}: " in response.text
    assert "<script>alert" not in response.text
    assert "\u202e" not in response.text
    assert "\x00" not in response.text
    assert len(response.content) < 20_000
    assert not Match.objects.exists()


def test_a_file_over_the_limit_is_refused_unread(client: Client) -> None:
    response = send(client, RECORD + b" " * MAX_UPLOAD)
    assert response.status_code == 422
    assert "larger than 4 MiB" in response.text


def test_no_file_is_said_so(client: Client) -> None:
    response = client.post("/matches/upload/", {})
    assert response.status_code == 422
    assert "This field is required" in response.text
    assert client.post("/matches/upload/", {"record": "text"}).status_code == 422


def test_the_page_and_its_token() -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.get("/matches/upload/").status_code == 200
    assert send(strict, RECORD).status_code == 403
    assert not Match.objects.exists()


def test_every_example_can_be_uploaded(client: Client) -> None:
    for path in MATCHES:
        assert send(client, path.read_bytes(), path.name).status_code == 302
