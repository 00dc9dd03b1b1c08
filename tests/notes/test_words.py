"""Tags and names in a note's words: `#tag` and `@name`."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from games.models import Match, Seat
from games.people import person
from games.people.person import encode
from games.people.visitor import Author
from games.records.log import MAX_LISTED
from replays.models import Note
from replays.notes import notes
from replays.notes.audience import Sharing
from replays.notes.fields import hashtags, with_hashtags
from tests.notes import making
from tests.notes.browsers import account, guest, post
from tests.notes.making import EVERYONE, note
from tests.web.records import store


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("A case of #feeding, again.", ["feeding"]),
        ("#Missed-take and #missed_take", ["Missed take"]),
        ("#zögern.", ["zögern"]),
        ("# Heading", []),
        ("#1 of 3", []),
        ("`#code` and ``more #code``", []),
        ("https://example.org/a#part [x](#part) (#yes)", ["yes"]),
        (r"\#not", []),
        ("C#minor", []),
        ("#" + "x" * 33, []),
    ],
)
def test_a_tag_in_the_text_is_a_word_after_a_hash(text: str, tags: list[str]) -> None:
    assert with_hashtags((), text) == tags


def test_a_tag_in_the_text_is_spelled_as_in_the_note() -> None:
    assert with_hashtags(["Slow start"], "#slow-start #FEEDING") == ["Slow start", "FEEDING"]
    assert hashtags(["Slow start", "feeding"], "A #slow_start.") == ["Slow start"]


@given(
    st.lists(st.text("ab- ", min_size=1, max_size=3), unique=True, max_size=16), st.text("ab#- ")
)
def test_each_tag_once_and_never_too_many(tags: list[str], text: str) -> None:
    joined = with_hashtags(tags, text)
    assert joined[: len(tags)] == tags
    assert len(set(joined)) == len(joined) <= MAX_LISTED
    assert with_hashtags(joined, text) == joined
    assert set(hashtags(joined, text)) >= set(joined) - set(tags)


@pytest.fixture
def match() -> Match:
    """A match, of which the account Bo has played seat 1."""
    made = store("Ada", "Bo", "Cy")
    user = get_user_model().objects.create_user("Bo")
    Seat.objects.filter(match=made, number=1).update(user=user)
    return made


@pytest.mark.django_db
def test_tags_of_the_text_come_and_go_with_it(match: Match) -> None:
    said = note(match, text="#missed-take, I say.", tags=["plan"])
    assert said.tags == ["plan", "missed take"]
    told = Client().get(f"/api/v1/notes/{said.key}").json()
    assert told["text_tags"] == ["missed take"]
    changed = notes.change(said, 1, making.said(text="I say nothing.", tags=["plan"]), None)
    assert changed.tags == ["plan"]
    shown = post(Client(), "/api/v1/notes/preview", text="#feeding").json()
    assert shown["tags"] == ["feeding"]


@pytest.mark.django_db
def test_a_mention_leads_to_the_players_page(match: Match) -> None:
    get_user_model().objects.create_user("Never-Played")
    said = note(match, text="@Bo, @Cy, `@Bo` and @Never-Played: look.")
    assert said.html.count("<a ") == 1
    assert '<a href="/players/Bo/" class="player-link"' in said.html
    assert {user.get_username() for user in said.mentions.all()} == {"Bo", "Never-Played"}
    assert said.html in post(Client(), "/api/v1/notes/preview", text=said.text).json()["html"]


def names(client: Client, match: Match) -> list[str]:
    told: list[str] = client.get(f"/api/v1/matches/{match.pk}/notes").json()["names"]
    return told


@pytest.mark.django_db
def test_only_names_that_the_writer_sees_are_offered(match: Match) -> None:
    """Accounts alone; the players, and the authors of notes that the writer may read."""
    lee, eve = account("Lee"), account("Eve")
    users = {user.get_username(): user for user in get_user_model().objects.all()}

    def by(name: str) -> Author:
        return Author(encode(person.account(users[name].pk)), name, users[name])

    note(match, by("Lee"), Sharing("people", (users["Eve"].pk,)))
    guest("Kim").get("/")
    assert names(eve, match) == ["Bo", "Lee"]
    assert names(lee, match) == ["Bo"]
    assert names(Client(), match) == ["Bo"]
    note(match, by("Eve"), EVERYONE)
    assert names(Client(), match) == ["Bo", "Eve"]
    users["Eve"].username = "Eva"  # her page says under which name she wrote
    users["Eve"].save()
    assert names(Client(), match) == ["Bo"]
    Note.objects.all().update(hidden=True)
    assert names(Client(), match) == ["Bo"]
