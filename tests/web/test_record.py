"""Download of records."""

import gzip

import pytest
from django.test import Client

from games.archive.packing import pack, text_of
from games.archive.store import insert
from games.models import Match
from tests.people.world import KEY
from tests.web.records import record, store, with_note

pytestmark = pytest.mark.django_db


def test_a_record_is_downloaded_as_it_was_stored(client: Client) -> None:
    lines = with_note(record("Ада", "Bo", id="named-here", tags=(("event", "Finals"),)))
    match = insert([pack(lines)])[0]
    response = client.get(f"/matches/{match.pk}.ratuki")
    assert response.content.decode() == text_of(lines)
    assert response["Content-Disposition"] == 'attachment; filename="named-here.ratuki"'
    assert response["Content-Type"].startswith("application/x-ndjson")


def test_a_record_comes_compressed_to_a_client_that_takes_it(client: Client) -> None:
    lines = record("Ada", "Bo")
    (match,) = insert([pack(lines)])
    response = client.get(f"/matches/{match.pk}.ratuki", headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(response.content).decode() == text_of(lines)
    assert len(response.content) < len(text_of(lines)) / 3
    assert "Accept-Encoding" in response["Vary"]


@pytest.mark.parametrize(
    "address",
    [
        "/matches/{}/",
        "/matches/{}.ratuki",
        "/matches/{}.ratuki?notes=1",
        "/matches/{}/picture.svg",
        "/matches/{}/picture.png",
        "/api/v1/matches/{}/log",
        "/api/v1/matches/{}/charts",
        "/api/v1/matches/{}/charts/scores?round=all",
    ],
)
def test_no_cache_between_keeps_anything_of_a_private_match(client: Client, address: str) -> None:
    match = store()
    Match.objects.filter(pk=match.pk).update(visibility=Match.Visibility.LINK, token=KEY)
    session = client.session
    session["keys"] = {"any": KEY}
    session.save()
    response = client.get(address.format(match.pk))
    assert response.status_code == 200
    assert "private" in response["Cache-Control"]
    assert Client().get(address.format(match.pk)).status_code == 404
