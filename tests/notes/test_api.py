"""Notes over HTTP: who may read, write and change them, and what bad requests get."""

import gzip
import json
import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from games.models import Match, Seat
from games.records.log import MAX_TEXT
from replays.models import Note, NoteComplaint
from tests.notes.browsers import account, guest, post, put
from tests.notes.making import fresh
from tests.people.class_addresses import ClassWorld
from tests.web.records import store

NOTE = b'{"key":"abcdefghijklmnop","round":1,"event":0,"text":"x",%s}'
pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return store("Ada", "Bo", "Cy")


def write(client: Client, match: Match, **body: Any) -> Any:
    body = {"key": fresh(), "round": 1, "event": 3, "text": "Look.", **body}
    return post(client, f"/api/v1/matches/{match.pk}/notes", **body)


def read(client: Client, match: Match, query: str = "") -> list[str]:
    """The texts that this browser gets."""
    answer = client.get(f"/api/v1/matches/{match.pk}/notes{query}")
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "no-store"
    return [note["text"] for note in answer.json()["notes"]]


def test_a_note_is_written_and_read(match: Match) -> None:
    kim = guest("Kim")
    answer = write(kim, match, visibility="everyone", glyph="!", marks=["stack:0"])
    assert answer.status_code == 201
    (note,) = Client().get(f"/api/v1/matches/{match.pk}/notes").json()["notes"]
    assert (note["by"], note["glyph"], note["marks"]) == ("Kim", "!", ["stack:0"])
    assert "mine" not in note
    assert kim.get(f"/api/v1/notes/{note['key']}").json()["mine"] is True


def test_a_nameless_author_gets_a_name_and_may_sign_with_another_later(match: Match) -> None:
    stranger = Client()
    told = stranger.get(f"/api/v1/matches/{match.pk}/notes").json()
    assert (told["may_write"], told["guest"], told["name"]) == (True, True, "")
    said = write(stranger, match, visibility="everyone").json()
    assert re.fullmatch(r"Guest \d{4}", said["by"])
    stranger.post("/play/name/", {"name": "Kim"})
    changed = put(
        stranger, f"/api/v1/notes/{said['key']}", revision=1, round=1, event=3, text="Signed."
    )
    assert changed.json()["by"] == "Kim"
    assert stranger.get(f"/api/v1/matches/{match.pk}/notes").json()["name"] == "Kim"
    assert account("Lee").get(f"/api/v1/matches/{match.pk}/notes").json()["guest"] is False


@pytest.mark.parametrize("visibility", ["self", "link", "people", "everyone"])
def test_each_reader_reads_what_is_shared_with_them(match: Match, visibility: str) -> None:
    """Rows: who asks; of each visibility, who gets the note."""
    kim, lee, eve = account("Kim"), account("Lee"), account("Eve")
    said = write(kim, match, visibility=visibility, readers=["Lee"]).json()
    holder = Client()
    holder.get(f"/api/v1/notes/{said['key']}?share={said.get('token', 'x' * 22)}")
    readers = {"kim": kim, "lee": lee, "eve": eve, "holder": holder, "stranger": Client()}
    seen = {name for name, client in readers.items() if read(client, match)}
    alone = {
        name
        for name, client in readers.items()
        if client.get(f"/api/v1/notes/{said['key']}").status_code == 200
    }
    expected = {
        "self": {"kim"},
        "link": {"kim", "holder"},
        "people": {"kim", "lee"},
        "everyone": set(readers),
    }
    assert seen == alone == expected[visibility]


def test_only_its_author_changes_a_note(match: Match) -> None:
    kim, lee = guest("Kim"), guest("Lee")
    said = write(kim, match, visibility="everyone").json()
    body = {"revision": 1, "text": "Mine.", "round": 1, "event": 3}
    path = f"/api/v1/notes/{said['key']}"
    assert lee.put(path, body, content_type="application/json").status_code == 403
    assert lee.delete(path, {"revision": 1}, content_type="application/json").status_code == 403
    assert lee.get(f"{path}/history").status_code == 403
    assert kim.put(path, body, content_type="application/json").json()["text"] == "Mine."
    second = kim.put(path, {**body, "text": "No."}, content_type="application/json")
    assert second.status_code == 409
    assert second.json()["now"]["text"] == "Mine."
    assert (second.json()["changed"]["by"], second.json()["changed"]["you"]) == ("Kim", True)
    told = kim.get(f"{path}/history").json()["history"]
    assert [old["text"] for old in told] == ["Mine.", "Look."]


def test_a_deleted_note_is_gone_for_others_and_can_be_restored(match: Match) -> None:
    kim = guest("Kim")
    said = write(kim, match, visibility="everyone").json()
    path = f"/api/v1/notes/{said['key']}"
    assert kim.delete(path, {"revision": 1}, content_type="application/json").status_code == 200
    assert read(Client(), match) == []
    assert post(kim, f"{path}/restore").json()["text"] == "Look."
    assert read(Client(), match) == ["Look."]


def test_a_reply_is_for_whoever_reads_the_thread(match: Match) -> None:
    kim, lee, eve = guest("Kim"), account("Lee"), account("Eve")
    said = write(kim, match, visibility="people", readers=["Lee"]).json()
    reply = write(lee, match, visibility="people", reply=said["key"], text="Why?").json()
    assert "readers" not in reply
    write(lee, match, reply=said["key"], text="Lee's alone.")
    assert read(kim, match) == ["Look.", "Why?"]
    assert read(eve, match) == []
    shared = put(
        kim, f"/api/v1/notes/{said['key']}", revision=1, text="Look.", visibility="link"
    ).json()
    eve.get(f"/api/v1/matches/{match.pk}/notes?share={shared['token']}")
    assert read(eve, match) == ["Look.", "Why?"]
    path = f"/api/v1/notes/{shared['key']}"
    put(kim, path, revision=2, text="Look.", visibility="people", readers=["Eve"])
    assert read(eve, match) == ["Look.", "Why?"]
    assert read(lee, match) == []
    assert eve.get(f"/api/v1/notes/{reply['key']}").status_code == 200


def test_what_an_account_wrote_is_not_signed_by_a_guest(match: Match) -> None:
    kim = account("Kim")
    told = kim.get(f"/api/v1/matches/{match.pk}/notes").json()
    assert told["account"] == str(get_user_model().objects.get().pk)
    said = write(kim, match, **{"as": "Kim"}).json()
    assert said["by"] == "Kim"
    kim.logout()
    assert kim.get(f"/api/v1/matches/{match.pk}/notes").json()["account"] == ""
    refused = write(kim, match, **{"as": "Kim"})
    assert (refused.status_code, Note.objects.count()) == (403, 1)
    assert "not logged in as Kim" in refused.json()["detail"]
    for kind in ("notes", "variations"):
        changed = put(kim, f"/api/v1/{kind}/{said['key']}", revision=1, text="So.", **{"as": "Kim"})
        assert (changed.status_code, changed.json()) == (403, refused.json())


def test_threads(match: Match) -> None:
    kim, lee = guest("Kim"), guest("Lee")
    said = write(kim, match, visibility="everyone").json()
    answer = write(lee, match, visibility="everyone", reply=said["key"], text="Why?").json()
    assert answer["reply"] == said["key"]
    hidden = write(kim, match, text="Mine alone.").json()
    refused = write(lee, match, reply=hidden["key"])
    assert refused.status_code == 422
    settle = f"/api/v1/notes/{said['key']}/settle"
    assert post(lee, settle, settled=True).status_code == 403
    assert post(kim, settle, settled=True).json()["settled"] is True
    assert post(lee, f"/api/v1/notes/{said['key']}/complaint").json() == {"complained": True}
    assert post(lee, f"/api/v1/notes/{said['key']}/complaint").json() == {"complained": True}
    assert NoteComplaint.objects.count() == 1


def test_players_are_not_coached(match: Match) -> None:
    ada, kim = account("Ada"), guest("Kim")
    write(kim, match, visibility="everyone")
    user = get_user_model().objects.get(username="Ada")
    Seat.objects.filter(match=match, number=0).update(user=user)
    Match.objects.filter(pk=match.pk).update(state="open", source="live")
    assert read(kim, match) == ["Look."]
    assert read(ada, match) == []
    key = Note.objects.get().key
    assert ada.get(f"/api/v1/notes/{key}").status_code == 404
    assert write(ada, match).status_code == 403
    Match.objects.filter(pk=match.pk).update(state="finished")
    assert read(ada, match) == ["Look."]


def test_viewers_who_hide_results_get_no_later_notes(match: Match) -> None:
    kim = guest("Kim")
    write(kim, match, visibility="everyone", event=3, text="Early.")
    write(kim, match, visibility="everyone", event=30, text="Late.")
    kim.cookies["spoilers"] = "off"
    assert read(kim, match) == []
    assert read(kim, match, "?round=1&event=3") == ["Early."]
    assert read(kim, match, "?round=1&event=30") == ["Early.", "Late."]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "body: missing"),
        (b"[]", "body: expected a JSON object"),
        (b'{"key":"x"}', "key: expected 16 to 64"),
        (b'{"key":"abcdefghijklmnop","round":1,"event":0}', "says nothing"),
        (b'{"key":"abcdefghijklmnop","round":1.5,"event":0,"text":"x"}', "fraction"),
        (NOTE % b'"visibility":"all"', "visibility: expected 'self'"),
        (
            NOTE % b'"visibility":"people","readers":["Nobody"]',
            "there is no account named “Nobody”",
        ),
        (NOTE.replace(b'"x"', b'"\\u0000"') % b'"glyph":"!"', "U+0000"),
        (NOTE % b'"until":0', "until: expected"),
        (NOTE.replace(b'"round":1', b'"round":0') % b'"glyph":"!"', "round: expected at least 1"),
        (NOTE.replace(b'"x"', b"5") % b'"glyph":"!"', "text: expected a string"),
        (
            NOTE.replace(b'"x"', b'"%s"' % (b"x" * 4_001)) % b'"glyph":"!"',
            "text: expected at most 4000 characters",
        ),
        (NOTE % b'"glyph":"!!!"', "glyph: expected one of"),
        (NOTE % b'"tags":["a","a"]', "tags: expected different ones, found the same twice"),
        (NOTE % b'"tags":["a\\u200b"]', "tags: must not hold the character U+200B"),
        (NOTE % b'"marks":["stack"]', "marks: expected stack:1, card:B5a or seat:0"),
        (NOTE % b'"arrows":["seat:1"]', "arrows: expected two marks"),
        (NOTE % b'"colour":"red"', "colour: unknown key"),
        (NOTE % b'"marks":["stack:4"]', "no such thing in this match: stack:4"),
    ],
)
def test_bad_requests_say_what_is_wrong(match: Match, body: bytes, words: str) -> None:
    answer = guest("Kim").post(
        f"/api/v1/matches/{match.pk}/notes", body, content_type="application/json"
    )
    assert answer.status_code == 422
    assert words in answer.json()["detail"]


def test_a_preview_is_what_will_be_shown() -> None:
    shown = post(Client(), "/api/v1/notes/preview", text="**B5a** at @0:10", round=2).json()["html"]
    assert 'href="?round=2&amp;t=10099"' in shown
    assert post(Client(), "/api/v1/notes/preview", text="x" * 4_001).status_code == 422


def test_a_variation_is_kept_and_read(match: Match) -> None:
    kim = guest("Kim")
    lines = Client().get(f"/matches/{match.pk}.ratuki").content.decode().splitlines()
    events = [json.loads(line) for line in lines if '"t":' in line]
    body = {"key": fresh(), "round": 1, "event": 5, "events": events[5:9], "text": "As it was"}
    made = post(kim, f"/api/v1/matches/{match.pk}/variations", **body, visibility="everyone")
    assert made.status_code == 201
    (variation,) = Client().get(f"/api/v1/matches/{match.pk}/notes").json()["variations"]
    assert (variation["events"], variation["length"], variation["depth"]) == (events[5:9], 9, 1)
    note = write(kim, match, line=variation["key"], event=8, visibility="everyone")
    assert note.json()["line"] == variation["key"]
    path = f"/api/v1/variations/{variation['key']}"
    named = kim.put(path, {"revision": 1, "text": "Named"}, content_type="application/json")
    assert named.json()["text"] == "Named"


def test_a_shared_what_if_is_shown_with_the_moves_that_lead_to_it_without_their_words(
    match: Match,
) -> None:
    kim, lee = guest("Kim"), guest("Lee")
    events = events_of(match)

    def branch(browser: Client, event: int, shared: str, **more: Any) -> dict[str, Any]:
        body = {"key": fresh(), "round": 1, "event": event, "events": events[event : event + 4]}
        said = {"text": "Secret words", "tags": ["secret"], "visibility": shared, **more}
        made = post(browser, f"/api/v1/matches/{match.pk}/variations", **body, **said)
        assert made.status_code == 201, made.content
        return dict(made.json())

    first = branch(kim, 5, "self")
    second = branch(kim, 7, "self", line=first["key"])
    child = branch(kim, 9, "link", line=second["key"], text="Look", tags=["shown"])
    write(kim, match, line=first["key"], event=8, visibility="everyone", text="Beside it")

    def told(**query: str) -> list[tuple[str, str | None]]:
        listed = Client().get(f"/api/v1/matches/{match.pk}/notes", query).json()
        assert listed["notes"] == [], "nothing is said along what is not shared"
        assert "ecret" not in json.dumps(listed)
        return [(variation["key"], variation.get("text")) for variation in listed["variations"]]

    assert told() == []
    expected = [(first["key"], None), (second["key"], None), (child["key"], "Look")]
    assert told(share=child["token"]) == expected
    assert Client().get(f"/api/v1/variations/{first['key']}").status_code == 404
    deleted = {"revision": first["revision"]}
    kim.delete(f"/api/v1/variations/{first['key']}", deleted, content_type="application/json")
    assert told(share=child["token"]) == []

    theirs = branch(lee, 5, "everyone")
    branch(kim, 7, "everyone", line=theirs["key"], text="Mine", tags=["mine"])
    lee.put(
        f"/api/v1/variations/{theirs['key']}",
        {"revision": theirs["revision"], "visibility": "self"},
        content_type="application/json",
    )
    assert told() == [], "another owner has not shared what leads to it"


def test_a_repeated_request_with_other_words_gets_what_is_stored(match: Match) -> None:
    kim, key = guest("Kim"), fresh()
    assert write(kim, match, key=key, text="One.").status_code == 201
    assert write(kim, match, key=key, text="One.").json()["revision"] == 1
    other = write(kim, match, key=key, text="Two.")
    assert (other.status_code, other.json()["now"]["text"]) == (409, "One.")
    body = {"key": fresh(), "round": 1, "event": 5, "text": "As it was"}
    path, events = f"/api/v1/matches/{match.pk}/variations", events_of(match)
    assert post(kim, path, **body, events=events[5:8]).status_code == 201
    assert post(kim, path, **body, events=events[5:8]).status_code == 201
    longer = post(kim, path, **body, events=events[5:9])
    assert (longer.status_code, longer.json()["now"]["length"]) == (409, 8)


@pytest.mark.parametrize("only", ["notes", "variations"])
def test_a_page_fetches_only_what_it_shows_and_gzipped(match: Match, only: str) -> None:
    kim = guest("Kim")
    events = events_of(match)[5:9]
    key = post(
        kim, f"/api/v1/matches/{match.pk}/variations", key=fresh(), round=1, event=5, events=events
    ).json()["key"]
    write(kim, match, line=key, event=8, text="Long. " * 100)
    path = f"/api/v1/matches/{match.pk}/notes"
    both = kim.get(path).json()
    assert len(both["notes"]) == len(both["variations"]) == 1
    sent = kim.get(path, {"only": only}, headers={"Accept-Encoding": "gzip"})
    assert sent["Content-Encoding"] == "gzip"
    assert sent["Cache-Control"] == "no-store"
    told = json.loads(gzip.decompress(sent.content))
    other = {"notes": "variations", "variations": "notes"}[only]
    assert (told[only], told[other]) == (both[only], [])
    refused = kim.get(path, {"only": "words"})
    assert refused.status_code == 422
    assert refused.json()["detail"] == "only: expected 'notes' or 'variations'"


def events_of(match: Match) -> list[Any]:
    lines = Client().get(f"/matches/{match.pk}.ratuki").content.decode().splitlines()
    return [json.loads(line) for line in lines if '"t":' in line]


def test_variations_are_ordered_and_promoted(match: Match) -> None:
    kim, events = guest("Kim"), events_of(match)

    def keep(event: int, until: int, line: str | None = None) -> Any:
        body = {"round": 1, "event": event, "events": events[event:until], "line": line}
        return post(kim, f"/api/v1/matches/{match.pk}/variations", key=fresh(), **body).json()

    first, second = keep(5, 9), keep(6, 8)
    inner = keep(7, 10, first["key"])
    deep = keep(9, 12, inner["key"])
    note = write(kim, match, line=inner["key"], event=10).json()

    moved = kim.put(
        f"/api/v1/variations/{second['key']}", {"revision": 1, "order": -1}, "application/json"
    )
    assert moved.json()["order"] == -1
    told = kim.get(f"/api/v1/matches/{match.pk}/notes").json()["variations"]
    assert told[0]["key"] == second["key"]
    wrong = kim.put(
        f"/api/v1/variations/{second['key']}", {"revision": 2, "order": 1e6}, "application/json"
    )
    assert wrong.status_code == 422

    path = f"/api/v1/variations/{inner['key']}/promote"
    promoted = post(kim, path, revision=1).json()
    assert promoted["event"] == 5
    assert (promoted["length"], promoted["depth"], promoted.get("line")) == (10, 1, None)
    assert promoted["events"] == events[5:10]
    told = {
        variation["key"]: variation
        for variation in kim.get(f"/api/v1/matches/{match.pk}/notes").json()["variations"]
    }
    assert (told[deep["key"]]["line"], told[deep["key"]]["depth"]) == (inner["key"], 2)
    assert kim.get(f"/api/v1/notes/{note['key']}").json()["line"] == inner["key"]
    assert post(kim, path, revision=2).json()["detail"].startswith("line:")
    assert post(kim, path, revision=1).status_code == 409
    assert post(guest("Lee"), path, revision=2).status_code == 404


def test_a_note_goes_back_to_an_earlier_version(match: Match) -> None:
    kim = guest("Kim")
    said = write(kim, match, marks=["seat:1"], tags=["plan"]).json()
    path = f"/api/v1/notes/{said['key']}"
    kim.put(path, {"revision": 1, "text": "Wrong.", "glyph": "??"}, "application/json")
    (_, old) = kim.get(f"{path}/history").json()["history"]
    assert old["revision"] == 1
    back = kim.put(path, {"revision": 2, "as_of": 1}, "application/json").json()
    assert (back["text"], back["marks"], back["tags"]) == ("Look.", ["seat:1"], ["plan"])
    assert (back["revision"], "glyph" in back) == (3, False)
    gone = kim.put(path, {"revision": 3, "as_of": 9}, "application/json")
    assert (gone.status_code, gone.json()["detail"][:6]) == (422, "as_of:")


def test_a_report_may_say_why(match: Match) -> None:
    said = write(guest("Kim"), match, visibility="everyone").json()
    lee, path = guest("Lee"), f"/api/v1/notes/{said['key']}/complaint"
    assert post(lee, path, reason="x" * 501).status_code == 422
    assert post(lee, path, reason=" It is\nspam. ").json() == {"complained": True}
    assert NoteComplaint.objects.get().reason == "It is spam."


def test_line_ends_count_once_and_a_text_has_no_character_that_xml_cannot_hold(
    match: Match,
) -> None:
    kim = guest("Kim")
    lines = "\r\n".join(["x" * 399] * 10)
    assert len(lines) > MAX_TEXT > len(lines.replace("\r\n", "\n"))
    made = write(kim, match, text=lines)
    assert made.json()["text"] == lines.replace("\r\n", "\n")
    refused = write(kim, match, tags=["odd\uffff"])
    assert (refused.status_code, refused.json()["detail"]) == (
        422,
        "tags: must not hold the character U+FFFF",
    )


def test_a_childs_account_does_not_exist_outside_its_classes(match: Match) -> None:
    there, stranger = ClassWorld(), account("Kim")
    coach = there.browser("coach")
    assert coach is not None
    child, nobody = there.child.get_username(), "no-such-account"
    for name in (child, nobody):
        told = write(stranger, match, visibility="people", readers=[name])
        assert told.json()["detail"] == f"readers: there is no account named “{name}”"
        made = post(stranger, "/api/v1/studies", key=fresh(), title="Lesson").json()
        told = put(stranger, f"/api/v1/studies/{made['key']}", revision=1, writers=[name])
        assert told.json()["detail"] == f"writers: there is no account named “{name}”"
    pasted = f"\ufeff{child}\u200e"
    for name in (child, pasted):
        assert write(coach, match, visibility="people", readers=[name]).status_code == 201
