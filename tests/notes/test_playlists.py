"""The matrix of tags by players, and playlists across matches."""

from typing import Any

import pytest
from django.test import Client

from games.models import Match
from games.people.visitor import Reader
from replays.models import Playlist
from replays.notes.tagging import matrix
from tests.notes.browsers import guest, post, put
from tests.notes.making import BO, SELF, fresh, note
from tests.web.records import store

pytestmark = pytest.mark.django_db


def item(match: Match, **fields: Any) -> dict[str, Any]:
    return {"match": match.pk, "round": 1, "event": 2, "until": 6, **fields}


def test_the_matrix_counts_what_the_reader_may_see() -> None:
    first, second = store("Ada", "Bo"), store("Cy", "Ada")
    said = note(first, event=2, until=5, tags=["feeds", "late"], marks=["seat:0"])
    note(second, event=3, tags=["feeds"], arrows=["seat:1>stack:0"])
    note(second, event=3, tags=["feeds"], marks=["stack:0"])
    note(second, BO, SELF, tags=["feeds"], marks=["seat:0"])
    players, tags, cells = matrix({first.pk: ["Ada", "Bo"], second.pk: ["Cy", "Ada"]}, Reader())
    assert (players, tags) == (["", "Ada"], ["feeds", "late"])
    assert [note.match for note in cells["feeds", "Ada"]] == [first, second]
    assert cells["late", "Ada"] == [said]
    assert len(cells["feeds", ""]) == 1


def test_a_playlist_goes_across_matches() -> None:
    first, second, kim = store("Ada", "Bo"), store("Cy", "Di"), guest("Kim")
    said = note(second)
    late_five = item(second, label="The late five", note=said.key, until=2)  # one moment
    items = [late_five, item(first)]
    made = post(kim, "/api/v1/playlists", key=fresh(), title="Fives", items=items)
    assert made.status_code == 201
    assert [span["match"] for span in made.json()["items"]] == [second.pk, first.pk]
    path = f"/api/v1/playlists/{made.json()['key']}"
    assert Client().get(path).status_code == 404
    shared = put(kim, path, revision=1, title="Fives", items=items[::-1], visibility="everyone")
    assert shared.json()["revision"] == 2
    assert [span["match"] for span in Client().get(path).json()["items"]] == [first.pk, second.pk]
    late = put(kim, path, revision=1, title="Old", items=[])
    assert (late.status_code, late.json()["changed"]["you"]) == (409, True)
    assert len(late.json()["now"]["items"]) == 2
    Match.objects.filter(pk=second.pk).update(visibility="link", token="k" * 22)
    left = Client().get(path).json()
    assert ([span["match"] for span in left["items"]], left["unseen"]) == ([first.pk], 1)
    assert [mine["title"] for mine in kim.get("/api/v1/playlists").json()["playlists"]] == ["Fives"]
    assert kim.delete(path).status_code == 200
    assert kim.get("/api/v1/playlists").json()["playlists"] == []


def test_only_its_owner_changes_a_playlist() -> None:
    match, kim = store("Ada", "Bo"), guest("Kim")
    made = post(kim, "/api/v1/playlists", key=fresh(), title="Mine", items=[item(match)]).json()
    Playlist.objects.update(visibility="everyone")
    path = f"/api/v1/playlists/{made['key']}"
    lee = guest("Lee")
    assert put(lee, path, revision=1, title="Lee's", items=[]).status_code == 403
    assert lee.delete(path).status_code == 403


def test_its_owner_orders_shares_and_deletes_a_playlist_on_its_page() -> None:
    match, kim, lee = store("Ada", "Bo"), guest("Kim"), guest("Lee")
    items = [item(match, event=event, label=str(event)) for event in range(3)]
    key = post(kim, "/api/v1/playlists", key=fresh(), title="Mine", items=items).json()["key"]
    page = f"/playlists/{key}/"

    def press(revision: int = 0, **fields: str) -> tuple[str, str]:
        """The titles and the labels in their order."""
        now = kim.get(f"/api/v1/playlists/{key}").json()
        said = {"title": now["title"], "visibility": now["visibility"], **fields}
        answer = kim.post(page, {"revision": revision or now["revision"], **said}, follow=True)
        assert answer.status_code == 200
        now = kim.get(f"/api/v1/playlists/{key}").json()
        return now["title"], "".join(span["label"] for span in now["items"])

    assert press(move="0 1") == ("Mine", "102")
    assert press(move="2 1") == ("Mine", "120")
    assert press(move="2") == ("Mine", "12")
    for nowhere in ("9 0", "0 -1", "1" * 5_000, "0 1 0"):
        assert press(move=nowhere) == ("Mine", "12")
    assert press(title="Fives", visibility="link") == ("Fives", "12")
    assert press(1, title="Late") == ("Fives", "12"), "changed in another tab meanwhile"
    shared = Playlist.objects.get(key=key)
    assert f"{page}?share={shared.token}" in kim.get(f"{page}?edit=1").text
    assert 'name="move"' not in kim.get(page).text, "quiet until it is changed"
    assert 'name="move"' not in lee.get(f"{page}?share={shared.token}&edit=1").text
    assert lee.get(f"{page}?share={shared.token}").status_code == 200
    assert lee.post(page, {"delete": ""}).status_code == 403
    kim.post(page, {"delete": ""})
    assert kim.get(page).status_code == 404


def test_a_playlist_changes_after_a_note_in_it_is_deleted() -> None:
    match, kim = store("Ada", "Bo"), guest("Kim")
    sent = {"key": fresh(), "round": 1, "event": 0, "text": "Look", "visibility": "self"}
    written = post(kim, f"/api/v1/matches/{match.pk}/notes", **sent).json()
    items = [item(match, note=written["key"], label="a"), item(match, event=1, label="b")]
    key = post(kim, "/api/v1/playlists", key=fresh(), title="Mine", items=items).json()["key"]
    url = f"/api/v1/notes/{written['key']}"
    assert kim.delete(url, {"revision": 1}, "application/json").status_code == 200
    said = {"revision": 1, "title": "Mine", "visibility": "self", "move": "0 1"}
    kim.post(f"/playlists/{key}/", said)
    left = kim.get(f"/api/v1/playlists/{key}").json()["items"]
    assert [span["label"] for span in left] == ["b", "a"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"match": 999}, "items, 1: there is no such match"),
        ({"until": 1}, "until: expected more than 2"),
        ({"until": 99_999}, "until: expected more than 2"),
        ({"round": 7}, "round: expected one of the 1"),
        ({"note": "there-is-none-of-it"}, "items, 1, note: there is none"),
        ({"line": 5}, "items.0.line"),
        ({"label": "x" * 201}, "label"),
    ],
)
def test_an_invalid_playlist_says_why(fields: dict[str, Any], words: str) -> None:
    match = store("Ada", "Bo")
    sent = [{**item(match), **fields}]
    answer = post(guest("Kim"), "/api/v1/playlists", key=fresh(), title="x", items=sent)
    assert answer.status_code == 422
    assert words in answer.json()["detail"]
    assert not Playlist.objects.exists()


def test_a_playlist_names_only_what_its_maker_may_see() -> None:
    match = store("Ada", "Bo")
    secret = note(match, BO, SELF)
    sent = [item(match, note=secret.key)]
    answer = post(guest("Kim"), "/api/v1/playlists", key=fresh(), title="x", items=sent)
    assert answer.status_code == 422
    assert "items, 1, note: there is none" in answer.json()["detail"]
