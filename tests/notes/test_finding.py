"""Notes across matches: folders, search, mentions, the archive's filter, moderators."""

import csv
import json
import re
from io import StringIO

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.test import Client

from games.archive.store import lines_of_rounds
from games.engine.events import Event
from games.models import Match, Moderation
from games.pages.words import clock
from games.people import person
from games.people.person import encode
from games.people.visitor import Author
from replays.models import Note, NoteComplaint
from replays.notes import notes, visible
from replays.notes.audience import Sharing
from replays.notes.notes import complain
from replays.notes.positions import ValidationFault
from tests.notes.browsers import account, guest, post
from tests.notes.making import ADA, EVERYONE, SELF, fresh, note
from tests.web.records import store

pytestmark = pytest.mark.django_db
Kim = tuple[Client, Author]


@pytest.fixture
def stored() -> Match:
    """A match that is over."""
    return store("Ada", "Bo", "Cy")


@pytest.fixture
def kim() -> Kim:
    """The browser of the account Kim, and Kim as an author."""
    browser = account("Kim")
    user = get_user_model().objects.get(username="Kim")
    return browser, Author(encode(person.account(user.pk)), "Kim", user)


def words(client: Client, query: str = "") -> str:
    """What the page of one's notes says."""
    return re.sub(r"\s+", " ", client.get(f"/notes/{query}").content.decode())


def test_authors_find_only_their_own_notes(stored: Match, kim: Kim) -> None:
    browser, author = kim
    note(stored, author, SELF, text="A **private** thought. See @0:01.0.")
    note(stored, text="Of somebody else.")
    assert "A <strong>private</strong> thought." in words(browser)
    assert f'href="/matches/{stored.pk}/?round=1&amp;t=1099"' in words(browser)
    assert "Of somebody else." not in words(browser)
    assert "private" not in words(guest("Bo"))


def test_a_note_says_when_it_is(stored: Match, kim: Kim) -> None:
    browser, author = kim
    times = [line.t for line in lines_of_rounds(stored, 1, 1) if isinstance(line, Event)]
    first, third = clock(times[0]), clock(times[2])
    note(stored, author, event=3)
    note(stored, author, event=1, until=3)
    note(stored, author, event=0)
    shown = words(browser)
    for when in (third, f"{first} – {third}", "0:00.0"):
        assert f"Round 1, {when}</a>" in shown


def test_a_search_looks_into_text_and_tags(stored: Match, kim: Kim) -> None:
    browser, author = kim
    note(stored, author, text="Slow on the five.")
    note(stored, author, text="Something else.", tags=["müde"])
    note(stored, author, text="Étude")
    assert "Étude" in words(browser, "?q=étude")
    for text in ("five", "FIVE"):
        assert "Slow on the five." in words(browser, f"?q={text}")
        assert "Something else." not in words(browser, f"?q={text}")
    for tag in ("müde", "MÜDE"):
        assert "Something else." in words(browser, f"?q={tag}")
    assert "No notes match" in words(browser, "?q=nowhere")
    assert "Slow" in words(browser, f"?match={stored.pk}")
    assert "No notes match" in words(browser, f"?match={stored.pk + 1}")


def test_what_is_shared_with_an_account_and_what_names_it_is_found(stored: Match, kim: Kim) -> None:
    browser, author = kim
    assert author.user
    note(stored, sharing=Sharing("people", (author.user.pk,)), text="For you alone.")
    named = note(stored, text="Look, @Kim. Not @Kimberly.")
    note(stored, sharing=SELF, text="Hidden from @Kim.")
    mine = note(stored, author, text="Why so slow?")
    note(stored, reply=mine, text="Lag.")
    note(stored, reply=mine, sharing=SELF, text="For myself.")
    assert "For you alone." in words(browser, "?folder=shared")
    mentions = words(browser, "?folder=mentions")
    assert "Look, @Kim." in mentions
    assert "Lag." in mentions
    assert "Hidden from" not in mentions
    assert "For myself." not in mentions
    assert list(named.mentions.all()) == [author.user]


def test_viewers_who_hide_results_see_only_their_own_notes(stored: Match, kim: Kim) -> None:
    browser, author = kim
    note(stored, author, text="My own words.")
    note(stored, text="@Kim wins in the end.")
    browser.cookies["spoilers"] = "off"
    assert "My own words." in words(browser)
    assert "wins in the end" not in words(browser, "?folder=mentions")


def test_the_archive_finds_matches_with_notes_the_visitor_may_see(stored: Match, kim: Kim) -> None:
    browser, author = kim
    private = note(stored, author, SELF)
    link = f'href="/matches/{stored.pk}/"'
    page = browser.get("/matches/?notes=1").content.decode()
    assert link in page
    assert f"/notes/?folder=tags&amp;match={stored.pk}" in page
    assert "folder=tags" not in browser.get("/matches/").content.decode()
    assert link not in Client().get("/matches/?notes=1").content.decode()
    Note.objects.filter(pk=private.pk).update(visibility="everyone")
    assert link in Client().get("/matches/?notes=1").content.decode()


def test_tags_are_counted_by_player_as_a_table_and_a_file(stored: Match, kim: Kim) -> None:
    browser, author = kim
    note(stored, author, tags=["feeding"], marks=["seat:0"])
    note(stored, author, event=2, tags=["feeding"], marks=["seat:0", "seat:1"])
    name = stored.seats.get(number=0).player.name
    page = browser.get(f"/notes/?folder=tags&match={stored.pk}").content.decode()
    assert f'aria-label="Play 2 of feeding, {name}"' in page
    assert 'aria-label="Play all 2 of feeding"' in page, "a note about two players is one"
    assert "Play all tags" not in page, "there is one tag"
    assert 'data-cells="0." data-title="feeding"' in page
    note(stored, author, event=3, tags=["rush"])
    assert "Play all tags" in browser.get(f"/notes/?folder=tags&match={stored.pk}").content.decode()
    other = Client().get(f"/notes/?folder=tags&match={stored.pk}&match=999999").content.decode()
    assert "Play 2 of feeding" in other  # they are for everybody
    browser.cookies["spoilers"] = "off"
    hidden = browser.get(f"/notes/?folder=tags&match={stored.pk}").content.decode()
    assert "feeding" not in hidden
    browser.cookies["spoilers"] = ""
    path = f"/notes/tags.csv?match={stored.pk}"
    lines = csv.DictReader(StringIO(browser.get(path).content.decode("utf-8-sig")))
    counts = {line["player"]: (line["feeding"], line["rush"]) for line in lines}
    assert counts[name] == ("2", "0")
    assert counts["no particular player"] == ("0", "1")
    old = browser.get(f"/notes/tags/?match={stored.pk}")
    assert old["Location"] == f"/notes/?match={stored.pk}&folder=tags"
    lately = browser.get("/notes/", {"folder": "tags"})
    assert f'aria-label="Play 2 of feeding, {name}"' in lately.text, "those tagged lately"


def test_a_playlist_has_a_page_for_those_who_may_see_it(stored: Match, kim: Kim) -> None:
    browser, _ = kim
    item = {"match": stored.pk, "round": 1, "event": 0, "until": 3}
    made = post(browser, "/api/v1/playlists", key=fresh(), title="Late fives", items=[item]).json()
    assert "Late fives" in browser.get("/playlists/").content.decode()
    shown = browser.get(f"/playlists/{made['key']}/")
    assert "Late fives" in shown.content.decode()
    third = [line for line in lines_of_rounds(stored, 1, 1) if isinstance(line, Event)][2]
    assert f"round 1, 0:00.0 to {clock(third.t)}</a>" in shown.text
    assert Client().get(f"/playlists/{made['key']}/").status_code == 404


@pytest.fixture
def moderator() -> Client:
    """The browser of the account Mo, who moderates."""
    browser = account("Mo")
    user = get_user_model().objects.get(username="Mo")
    user.is_staff = True
    user.save()
    user.user_permissions.set(Permission.objects.filter(codename="add_chatmute"))
    return browser


def test_a_moderator_hides_a_note_where_it_stands(
    stored: Match, kim: Kim, moderator: Client
) -> None:
    browser, author = kim
    rude = note(stored, author, text="Rude words.")
    complain(rude, Author("guest:bo", "Bo"))
    notes, hide = f"/api/v1/matches/{stored.pk}/notes", f"/api/v1/notes/{rude.key}/hide"

    def told(client: Client) -> list[bool]:
        """Of each note that this browser gets, whether it is hidden."""
        return [row.get("hidden", False) for row in client.get(notes).json()["notes"]]

    assert moderator.get(notes).json()["may_hide"] is True
    assert browser.get(notes).json()["may_hide"] is False
    for client in (browser, Client()):
        assert post(client, hide, hidden=True, reason="No.").status_code == 403
    assert post(moderator, hide, hidden=True, reason=" ").status_code == 422
    assert post(moderator, hide, hidden="yes", reason="Rude.").status_code == 422
    assert told(Client()) == [False]
    assert post(moderator, hide, hidden=True, reason="Rude.").json()["hidden"] is True
    assert (told(browser), told(moderator), told(Client())) == ([True], [True], [])
    assert NoteComplaint.objects.get().settled
    assert "hidden by a moderator: “Rude.”" in words(browser)
    for client in (browser, moderator):
        (shown,) = client.get(notes).json()["notes"]
        assert (shown["why_hidden"], "answered" in shown) == ("Rude.", False)

    # Its author answers by changing it, however often: it stays hidden, and is a report again.
    for revision in (1, 2):
        said = {"revision": revision, "text": f"Polite words, {revision}."}
        put = browser.put(f"/api/v1/notes/{rude.key}", said, content_type="application/json")
        assert put.json()["answered"] is True
    assert told(Client()) == []
    open_ones = NoteComplaint.objects.filter(settled=False)
    assert [complaint.reporter for complaint in open_ones] == [rude.owner]
    assert (
        "Changed by its author" in moderator.get("/admin/replays/notecomplaint/").content.decode()
    )
    post(moderator, hide, hidden=False, reason="Not so rude.")
    assert told(Client()) == [False]
    assert not open_ones.all()
    (shown,) = browser.get(notes).json()["notes"]
    assert "why_hidden" not in shown
    rows = Moderation.objects.order_by("pk").values_list("moderator_name", "action", "reason")
    assert list(rows) == [("Mo", "hide", "Rude."), ("Mo", "show", "Not so rude.")]
    assert rude.key in moderator.get("/admin/games/moderation/").content.decode()


def test_a_moderator_hides_what_was_reported(stored: Match, moderator: Client) -> None:
    rude = note(stored, sharing=EVERYONE, text="Rude words.")
    complain(rude, Author("guest:bo", "Bo"))
    private = note(stored, sharing=SELF, text="Nobody's business.")
    browser = moderator
    listed = browser.get("/admin/replays/notecomplaint/").content.decode()
    assert "Rude words." in listed
    assert "guest:bo" not in listed
    assert private.text not in browser.get("/admin/replays/note/").content.decode()
    chosen = {"action": "hide", "_selected_action": [NoteComplaint.objects.get().pk]}
    asked = browser.post("/admin/replays/notecomplaint/", chosen).content.decode()
    assert 'name="reason"' in asked
    rude.refresh_from_db()
    assert not rude.hidden
    browser.post("/admin/replays/notecomplaint/", {**chosen, "reason": "Rude."})
    rude.refresh_from_db()
    assert rude.hidden
    assert Moderation.objects.get().reason == "Rude."
    assert NoteComplaint.objects.get().settled


def test_a_flood_of_notes_is_bounded_and_hides_neither_older_nor_ones_own(
    stored: Match, kim: Kim, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visible, "MOST_SHOWN", 3)
    browser, author = kim
    for number in range(4):
        note(stored, event=9 - number, text=f"Flood {number}.")
    note(stored, author, text="Mine.")

    def texts(client: Client) -> list[str]:
        answer = client.get(f"/api/v1/matches/{stored.pk}/notes").json()
        return [row["text"] for row in answer["notes"]]

    assert texts(browser) == ["Mine.", "Flood 1.", "Flood 0."]
    assert texts(Client()) == ["Flood 2.", "Flood 1.", "Flood 0."]


def test_an_answer_has_room_for_so_much_and_the_rest_can_be_asked_for(
    stored: Match, kim: Kim, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visible, "_AT_ONCE", 2)
    room = 4_000
    monkeypatch.setattr(visible, "MOST_BYTES", room)
    first = note(stored, event=2, text=f"First {'x' * 1_000}.")
    for number in range(5):
        note(stored, event=9 - number, text=f"{number} {'x' * 1_000}.")
    note(stored, reply=first, text="Yes.", event=2)
    note(stored, kim[1], text="Mine.", event=9)
    linked = note(stored, text="Linked.", event=4)

    def page(query: str) -> tuple[list[str], int]:
        response = kim[0].get(f"/api/v1/matches/{stored.pk}/notes?only=notes{query}")
        items = response.json()["notes"]
        assert len(json.dumps(items, separators=(",", ":"), ensure_ascii=False)) < room + 500
        return [row["text"].split()[0] for row in items], response.json()["left"]

    assert page("") == (["First", "Yes.", "Mine."], 6)
    assert page("&after=3") == (["0"], 5)
    assert page(f"&note={linked.key}") == (["First", "Yes.", "Linked.", "Mine."], 5)
    everything: list[str] = []
    while (answer := page(f"&after={len(everything)}"))[1]:
        everything += answer[0]
    assert sorted([*everything, *answer[0]]) == sorted(
        ["First", "0", "1", "2", "3", "4", "Yes.", "Mine.", "Linked."]
    )
    assert page("&after=99") == ([], 0)


def test_guests_may_write_far_fewer(
    stored: Match, kim: Kim, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notes, "MOST_OF_GUEST", 2)
    for author in (ADA, kim[1]):
        for _ in range(2):
            note(stored, author)
    with pytest.raises(ValidationFault, match="with an account"):
        note(stored, ADA)
    assert note(stored, kim[1])


def test_a_number_that_no_match_can_have_is_none() -> None:
    for number in ("9" * 5_000, "9" * 11, "2147483648", "-1", "١"):
        assert Client().get("/notes/", {"folder": "tags", "match": number}).status_code == 200
