"""Tables for programs: found, opened and joined by JSON alone."""

from functools import partial
from random import Random
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from games.live.fanout.frames import match_of
from games.live.host.match import LiveMatch
from games.models import LiveTable
from games.people.person import bearer
from games.tables import joining
from tests.web.tables import plan_of

pytestmark = pytest.mark.django_db
TABLES = "/api/v1/tables"
KEY = "a-key-of-a-request"


def post(client: Client, address: str, **body: Any) -> tuple[int, dict[str, Any]]:
    response = client.post(address, body, content_type="application/json")
    return response.status_code, response.json()


def test_a_program_opens_a_table_and_another_finds_and_joins_it(client: Client) -> None:
    rules = {"target": 150}
    status, mine = post(client, TABLES, name="Ada", seats=3, bots=["taker:4"], rules=rules)
    assert status == 201
    assert mine["seat"] == 0
    assert mine["socket"] == f"/ws/bots/{mine['id']}/"
    [waiting] = client.get(TABLES).json()["waiting"]
    assert (waiting["id"], waiting["free"], waiting["rules"]["target"]) == (mine["id"], 1, 150)
    names = [seat["name"] for seat in waiting["seats"]]
    assert names == ["Ada (bot)", "Ragna", None]
    status, other = post(client, f"{TABLES}/{waiting['id']}/join", name="Bo (bot)")
    assert (status, other["seat"]) == (201, 2)
    plan = plan_of(mine["id"])
    assert plan.seat_of(bearer(mine["token"])) == 0
    assert plan.seat_of(bearer(other["token"])) == 2
    assert plan.places[2].name == "Bo (bot)", "marked once"
    assert mine["token"] not in str(LiveTable.objects.values().get())
    assert client.get(TABLES).json()["waiting"] == []
    status, refused = post(client, f"{TABLES}/{waiting['id']}/join", name="Cy")
    assert (status, refused["detail"]) == (409, "all seats are taken")


def test_a_program_is_a_bot_in_records_and_on_the_screen(client: Client) -> None:
    _, mine = post(client, TABLES, name="Ada", seats=2)
    post(client, f"{TABLES}/{mine['id']}/join", name="Bo")
    plan = plan_of(mine["id"])
    assert plan.humans == (0, 1), "the host plays no bot there"
    assert [seat.kind for seat in plan.header("2026-11-26T10:00:00Z").seats] == ["bot", "bot"]
    assert [seat["kind"] for seat in LiveMatch(plan, Random(1), 0).state(0)["seats"]] == ["bot"] * 2
    assert [seat["kind"] for seat in match_of(plan)["seats"]] == ["bot", "bot"]
    [playing] = client.get(f"{TABLES}/{mine['id']}").json()["seats"][:1]
    assert playing == {"name": "Ada (bot)", "kind": "bot"}


def test_a_person_with_a_client_of_their_own_says_so(client: Client) -> None:
    get_user_model().objects.create_user("Ada")
    _, mine = post(client, TABLES, name="Kim", seats=3, plays="person")
    address = f"{TABLES}/{mine['id']}/join"
    status, refused = post(client, address, name="ada", plays="person")
    assert (status, refused["field"]) == (422, "name")
    assert "looks too much like one that is" in refused["detail"]
    assert post(client, address, name="Ada")[0] == 201
    assert post(client, address, name="Bo", plays="person")[0] == 201
    assert post(client, address, name="Cy", plays="engine")[0] == 422
    seats = plan_of(mine["id"]).header("2026-11-26T10:00:00Z").seats
    shown = [(seat.name, seat.kind) for seat in seats]
    assert shown == [("Kim", "human"), ("Ada (bot)", "bot"), ("Bo", "human")]


def test_a_program_chooses_when_a_bot_plays_on_for_the_idle(client: Client) -> None:
    for asked in ({}, {"bot_after_ms": 180_000}, {"bot_after_ms": 0}):
        _, mine = post(client, TABLES, name="Ada", **asked)
        waits = asked.get("bot_after_ms", 60_000)
        assert client.get(f"{TABLES}/{mine['id']}").json()["bot_after_ms"] == waits
        assert plan_of(mine["id"]).bot_after_ms == waits
    status, refused = post(client, TABLES, name="Ada", bot_after_ms=14_999)
    assert status == 422
    assert "15000 to 600000" in refused["detail"]


def post_known(client: Client, address: str, known_by: str = KEY, **body: Any) -> Any:
    headers = {"X-Request-Key": known_by}
    return client.post(address, body, content_type="application/json", headers=headers)


def test_a_request_sent_again_opens_no_second_table_and_takes_no_second_seat(
    client: Client,
) -> None:
    send = partial(post_known, client)
    asked: list[dict[str, Any]] = [{"seats": 3}, {"seats": 3, "private": True}]
    for body in asked:
        mine, again = (send(TABLES, name="Ada", **body) for _ in range(2))
        assert (mine.status_code, mine.json()) == (201, again.json())
        assert plan_of(mine.json()["id"]).seat_of(bearer(mine.json()["token"])) == 0
    assert LiveTable.objects.count() == 2, "of two that ask for something else"
    opened = mine.json()
    join, wanted = f"{TABLES}/{opened['id']}/join", {"name": "Bo", "key": opened["key"]}
    other, again = (send(join, **wanted) for _ in range(2))
    assert (other.status_code, other.json()) == (201, again.json())
    assert other.json()["token"] != opened["token"]
    third = send(join, "another-key-of-one", **{**wanted, "name": "Cy"})
    assert third.json()["seat"] == 2
    assert send(join, **wanted).json() == other.json(), "the table is full now"
    assert send(join, "the-key-of-a-stranger", **wanted).status_code == 409
    elsewhere = client.post(
        join, wanted, content_type="application/json", REMOTE_ADDR="192.0.2.7",
        headers={"X-Request-Key": KEY},
    )  # fmt: skip
    assert elsewhere.status_code == 409, "a key that somebody else has guessed"
    assert send(TABLES, "short", name="Ada").status_code == 422


def test_a_request_whose_seat_was_left_opens_nothing_more(client: Client) -> None:
    mine = post_known(client, TABLES, name="Ada").json()
    joining.stand_up(mine["id"], bearer(mine["token"]))
    assert post_known(client, TABLES, name="Ada").status_code == 409
    assert LiveTable.objects.count() == 1


def test_a_table_by_link_opens_by_its_key_and_to_its_players(client: Client) -> None:
    _, mine = post(client, TABLES, name="Ada", private=True)
    address = f"{TABLES}/{mine['id']}"
    assert client.get(TABLES).json() == {"waiting": [], "playing": []}
    assert client.get(address).status_code == 404
    told = client.get(address, headers={"authorization": f"Bearer {mine['token']}"})
    assert told.json()["free"] == 1
    assert post(client, f"{address}/join", name="Bo")[0] == 404
    assert post(client, f"{address}/join", name="Bo", key="another")[0] == 404
    assert post(client, f"{address}/join", name="Bo", key=mine["key"])[0] == 201


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "name: missing"),
        ({"name": ""}, "name"),
        ({"name": "x" * 25}, "name"),
        ({"name": "Ada", "seats": 9}, "seats: expected at most 5"),
        ({"name": "Ada", "bots": ["hal"]}, "unknown bot 'hal'"),
        ({"name": "Ada", "bots": ["taker"] * 5}, "bots: expected"),
        ({"name": "Ada", "seats": 2, "bots": ["taker"] * 2}, "bots: expected"),
        ({"name": "Ada", "edition": "chess"}, "unknown edition 'chess'"),
        ({"name": "Ada", "rules": {"target": -1}}, "target"),
        ({"name": "Ada", "rules": {"gravity": 1}}, "unknown rule 'gravity'"),
        ({"name": "Ada", "colour": 1}, "colour: unknown key"),
    ],
)
def test_bad_input_gets_an_error_that_says_what_is_wrong(
    client: Client, body: dict[str, Any], said: str
) -> None:
    status, told = post(client, TABLES, **body)
    assert status == 422
    assert said in told["detail"]
    assert not LiveTable.objects.exists()


def test_an_address_and_all_together_have_so_many_tables(client: Client, settings: Any) -> None:
    settings.LIVE_TABLES, settings.LIVE_TABLES_PER_ADDRESS = 4, 2

    def opened(address: str) -> int:
        said = b'{"name":"Ada"}'
        return client.post(TABLES, said, "application/json", REMOTE_ADDR=address).status_code

    assert [opened("192.0.2.1") for _ in range(3)] == [201, 201, 429]
    assert LiveTable.objects.count() == 2
    assert "192.0.2" not in str(list(LiveTable.objects.values()))
    assert [opened("192.0.2.2") for _ in range(2)] == [201, 201]
    status, refused = post(client, TABLES, name="Bo")
    assert (status, refused["detail"][:30]) == (429, "Too many tables are open here.")
    refusal = client.post("/play/quick/", follow=True)
    assert "Too many tables are open here." in refusal.text
    LiveTable.objects.filter(opener="").update(over=True)
    LiveTable.objects.update(over=True)
    assert opened("192.0.2.1") == 201


def test_an_address_has_fewer_tables_of_programs_that_show_no_token(
    client: Client, settings: Any
) -> None:
    settings.LIVE_PROGRAM_TABLES_PER_ADDRESS, settings.PROGRAM_TOKEN = 2, "of-a-friend"

    def opened(**headers: str) -> int:
        said = b'{"name":"Ada"}'
        return client.post(TABLES, said, "application/json", headers=headers).status_code

    assert [opened() for _ in range(3)] == [201, 201, 429]
    assert opened(Authorization="Bearer of-another") == 429
    assert opened(Authorization="Bearer of-a-friend") == 201
    assert client.post("/play/quick/", follow=True).redirect_chain, "people may open more"
    assert LiveTable.objects.count() == 4
