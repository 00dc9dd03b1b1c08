"""Bots' accounts: challenged from their page, marked wherever they sit, and rated among bots."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from games.bots.roster import TEMPERS
from games.models import Challenge, LiveTable, Seat, Seated
from games.people.addresses import network_hash
from games.people.bots import become_bot
from games.tables import challenges
from games.tables.plan import from_json
from replays.models import Rating
from replays.ratings.ledger import outdated, rebuild, settle_all
from tests.notes.browsers import account, guest, post
from tests.people.programs import program
from tests.web.records import store, store_hosted

pytestmark = pytest.mark.django_db
API = "/api/v1/challenges"


def bot(name: str = "Deep") -> Client:
    """The program of a new bot."""
    user = User.objects.create_user(name)
    become_bot(user)
    return program(user, "play")


def seats() -> list[tuple[str, str]]:
    """Who sits at the newest table, and as what."""
    plan = from_json(LiveTable.objects.latest("pk").plan)
    return [(place.name, place.shown_kind) for place in plan.places]


@pytest.mark.parametrize("person", [guest, account])
def test_a_person_challenges_a_bot_from_its_page(person: type) -> None:
    deep, ada = bot(), person("Ada")
    store("Deep (bot)", "Bo")
    assert "Challenge this bot" in ada.get("/players/Deep (bot)/").text
    assert "Challenge this bot" not in ada.get("/players/Bo/").text
    page = ada.post("/play/challenge/", {"player": "Deep"})["Location"]
    assert 'http-equiv="refresh"' in ada.get(page).text
    assert account("Eve").get(page).status_code == 404
    (asked,) = deep.get(API).json()["challenges"]
    assert (asked["by"], asked["to"], asked["state"]) == ("Ada", "Deep", "open")
    accepted = post(deep, f"{API}/{asked['challenge']}/accept").json()
    assert ada.get(page)["Location"] == f"/play/{accepted['table']}/"
    assert seats() == [("Ada", "human"), ("Deep (bot)", "bot")]
    assert post(deep, f"{API}/{asked['challenge']}/accept").status_code == 409


def test_a_challenge_is_declined_or_over_after_a_minute() -> None:
    deep, ada = bot(), account("Ada")
    page = ada.post("/play/challenge/", {"player": "Deep"})["Location"]
    twice = post(ada, API, player="Deep")
    assert (twice.status_code, "not answered yet" in twice.json()["detail"]) == (409, True)
    key = Challenge.objects.get().key
    assert post(account("Eve"), f"{API}/{key}/decline").status_code == 409, "it is not hers"
    assert post(deep, f"{API}/{key}/decline").json()["state"] == "declined"
    assert "Deep declined" in ada.get(page, follow=True).text
    page = ada.post("/play/challenge/", {"player": "Deep"})["Location"]
    Challenge.objects.update(made=timezone.now() - timedelta(seconds=61))
    assert "Deep did not answer" in ada.get(page, follow=True).text
    assert post(deep, f"{API}/{Challenge.objects.latest('pk').key}/accept").status_code == 409
    assert not LiveTable.objects.exists()


def test_no_network_can_fill_a_bot_with_challenges() -> None:
    deep = bot()
    asked = [
        guest(f"Guest {number}").post("/play/challenge/", {"player": "Deep"}).status_code
        for number in range(16)
    ]
    assert asked == [302] * 15 + [429]
    other = guest("Ada").post("/play/challenge/", {"player": "Deep"}, REMOTE_ADDR="192.0.2.9")
    assert other.status_code == 302
    assert len(deep.get(API).json()["challenges"]) == 16 < challenges.MOST_OPEN


def accepted(deep: Client, asked: Any) -> str:
    """The table of a challenge, once the bot has accepted."""
    key = asked.json()["challenge"]
    return str(post(deep, f"{API}/{key}/accept").json()["table"])


def test_a_person_cannot_challenge_more_bots_than_they_may_sit_with() -> None:
    bots = [bot(f"Deep {number}") for number in range(4)]
    ada = guest("Ada")
    asked = [post(ada, API, player=f"Deep {number}") for number in range(4)]
    assert [said.status_code for said in asked] == [201, 201, 201, 409]
    assert "wait until they answer" in asked[3].json()["detail"]
    accepted(bots[0], asked[0])
    assert post(ada, API, player="Deep 3").status_code == 409, "a seat counts as well"


def test_one_address_leaves_a_seat_of_a_bot_to_others() -> None:
    deep = bot()
    for name in ("Ada", "Bo"):
        accepted(deep, post(guest(name), API, player="Deep"))
    third = post(guest("Cy"), API, player="Deep")
    assert (third.status_code, "your address" in third.json()["detail"]) == (409, True)
    elsewhere = guest("Dee").post("/play/challenge/", {"player": "Deep"}, REMOTE_ADDR="192.0.2.9")
    assert elsewhere["Location"].startswith("/play/challenge/")
    openers = set(LiveTable.objects.values_list("opener", flat=True))
    assert openers == {network_hash("127.0.0.1")}, "the challenger's table, not the bot's"


def test_a_bot_gives_up_its_seat_with_a_token_that_may_play() -> None:
    deep = bot()
    table = accepted(deep, post(guest("Ada"), API, player="Deep"))
    leave = f"/api/v1/tables/{table}/leave"
    reader = program(User.objects.get(username="Deep"), "read", "write")
    assert post(reader, leave).status_code == 403
    assert post(deep, leave).json()["free"] == 1
    assert not Seated.objects.filter(person__startswith="user:").exists()
    assert post(deep, leave).status_code == 409
    assert post(Client(), leave).status_code == 409, "no seat, no right"
    seat = post(Client(), "/api/v1/tables", name="Dee", seats=2).json()
    holder = Client(headers={"Authorization": f"Bearer {seat['token']}"})
    assert post(holder, f"/api/v1/tables/{seat['id']}/leave").json()["free"] == 2


def test_old_challenges_are_tidied_away() -> None:
    bot()
    for name in ("Ada", "Bo"):
        assert post(account(name), API, player="Deep").status_code == 201
    Challenge.objects.filter(name="Ada").update(made=timezone.now() - timedelta(minutes=3))
    call_command("tidy")
    assert [row.name for row in Challenge.objects.all()] == ["Bo"]


def test_only_bots_are_challenged_and_not_by_themselves() -> None:
    deep = bot()
    account("Bo")
    assert post(deep, API, player="Bo").status_code == 404
    assert post(deep, API, player="Deep").status_code == 409
    wrong = post(deep, API, player="Deep", rules={"colour": 1})
    assert wrong.status_code in (409, 422)
    assert post(guest("Ada"), f"{API}/none/accept").status_code == 403


def test_a_bot_sits_down_as_itself_and_is_marked() -> None:
    deep = bot()
    opened = post(deep, "/api/v1/tables", seats=2).json()
    assert sorted(opened) == ["id", "seat", "socket"]
    assert seats()[0] == ("Deep (bot)", "bot")
    swift = bot("Swift")
    joined = post(swift, f"/api/v1/tables/{opened['id']}/join", name="Somebody")
    assert joined.json()["seat"] == 1
    assert seats()[1] == ("Swift (bot)", "bot")
    assert Seated.objects.filter(person__startswith="user:").count() == 2
    assert post(Client(), "/api/v1/tables", name="Deep").json()["field"] == "name"
    more = [post(deep, "/api/v1/tables", seats=2).status_code for _ in range(3)]
    assert more == [201, 201, 409]
    assert "this bot sits at 3 tables" in post(account("Eve"), API, player="Deep").text
    third = bot("Third")
    assert "you sit at 3 tables" in post(deep, API, player="Third").text, "before it is heard of"
    assert third.get(API).json()["challenges"] == []


def test_a_bot_in_a_browser_is_a_bot_too() -> None:
    user = User.objects.create_user("Deep")
    become_bot(user)
    browser = Client()
    browser.force_login(user)
    browser.post("/play/quick/")
    assert seats()[0] == ("Deep (bot)", "bot")


def test_bots_are_rated_among_bots_alone(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    deep, swift = (User.objects.create_user(name) for name in ("Deep", "Swift"))
    for user in (deep, swift):
        become_bot(user)
    edition = "usaopoly-2009"
    for names, kinds in (
        (("Deep (bot)", "Swift (bot)"), "bot"),
        (("Deep (bot)", "taker"), "bot"),
        (("Deep (bot)", "Dee (bot)"), "bot"),  # a program without an account
        (("Deep (bot)", "Ada"), ("bot", "human")),
    ):
        store_hosted(*names, kinds=kinds)
    for user in (deep, swift):
        Seat.objects.filter(player__name=f"{user.username} (bot)").update(user=user)
    Seat.objects.filter(player__name="taker").update(temper="taker", level=3)
    assert settle_all() == 2
    rated = set(Rating.objects.values_list("player__name", "edition", "matches"))
    ledger = f"bots {edition}"
    assert rated == {("Deep (bot)", ledger, 2), ("Swift (bot)", ledger, 1)}
    assert not outdated()
    assert settle_all() == 0
    ladder = client.get("/players/").context["ladders"][0]
    ours = {temper.persona.name for temper in TEMPERS.values()}
    assert {rung.name for rung in ladder.rungs} == {*ours, "Deep (bot)", "Swift (bot)"}
    monkeypatch.setattr("replays.ratings.ledger.ladders", dict)
    assert rebuild() == 2, "an edition without a ladder: its bots are new"
    page = client.get("/players/Deep (bot)/").text
    assert "From public matches among bots" in page
    assert "without bots" not in page


def test_a_bot_has_one_name_in_addresses(client: Client) -> None:
    bot()
    match = store("Deep (bot)", "Bo")
    for before, after in (
        ("/players/", "/"),
        ("/api/v1/players/", "/matches"),
        ("/api/v1/players/", "/figures"),
    ):
        moved = client.get(f"{before}Deep{after}?edition={match.edition}")
        there = f"{before}Deep%20(bot){after}?edition={match.edition}"
        assert (moved.status_code, moved["Location"]) == (302, there)
        assert client.get(there).status_code == 200
    assert client.get("/api/v1/players/Nobody/figures").status_code == 404


def test_a_persons_token_challenges_with_its_usual_scopes() -> None:
    bot()
    ada = User.objects.create_user("Ada")
    reads, writes = (program(ada, scope) for scope in ("read", "write"))
    assert post(reads, API, player="Deep").status_code == 403
    asked = post(writes, API, player="Deep")
    assert (asked.status_code, asked.json()["state"]) == (201, "open")
    (own,) = reads.get(API).json()["challenges"]
    assert own["challenge"] == asked.json()["challenge"]


@pytest.mark.parametrize("scope", ["read", "write", "play"])
def test_a_missing_address_is_missing_with_every_token(scope: str) -> None:
    mine = program(User.objects.create_user("Ada"), scope)
    assert mine.get("/api/v1/nothing/here").status_code == 404
    assert post(mine, "/api/v1/nothing/here").status_code == 404


def test_tables_tell_the_number_of_their_match() -> None:
    deep = bot()
    opened = post(deep, "/api/v1/tables", seats=2, bots=["taker:3"]).json()
    assert deep_reads(opened["id"])["number"] is None
    match = store_hosted("Deep (bot)", "Bo", id=opened["id"])
    LiveTable.objects.update(state={"phase": "playing"})
    assert deep_reads(opened["id"])["number"] == match.pk


def deep_reads(table: str) -> dict[str, object]:
    """A table as anyone reads it."""
    said: dict[str, object] = Client().get(f"/api/v1/tables/{table}").json()
    return said
