"""Lists of matches for programs: filters, pages, records, and what the how-to does."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client, override_settings

from games.archive import store as archive
from games.archive.queries import ORDERS
from games.models import Match
from games.people import door, embargoes
from games.people.person import account as account_of
from replays.pages import match_lists
from replays.pages.forms import SELECTS
from tests.classes.making import user_of
from tests.notes.browsers import account
from tests.people import world
from tests.people.programs import program
from tests.services import ROOT, Site
from tests.web.records import store

LIST = "/api/v1/matches"


def listed(client: Client, path: str = LIST, **query: str) -> list[dict[str, Any]]:
    """All matches that are listed, page after page."""
    found: list[dict[str, Any]] = []
    following: str | None = f"{path}?{urlencode(query)}"
    while following:
        page = client.get(following)
        assert page.status_code == 200, page.text
        told = page.json()
        found += told["matches"]
        following = told["next"]
    return found


@pytest.mark.django_db
def test_pages_of_a_list_follow_each_other(client: Client) -> None:
    stored = [store("Ada", "Bo").pk for _ in range(5)]
    assert [match["id"] for match in listed(client, limit="2")] == sorted(stored, reverse=True)
    assert [match["id"] for match in listed(client, limit="2", sort="oldest")] == stored
    first = client.get(LIST, {"limit": "2", "format": "ndjson"})
    assert first["Content-Type"].startswith("application/x-ndjson")
    assert [json.loads(line)["id"] for line in first.text.splitlines()] == stored[:-3:-1]
    (following,) = re.fullmatch(r'<(.+)>; rel="next"', first["Link"]).groups()  # type: ignore[union-attr]
    assert json.loads(client.get(following).text.splitlines()[0])["id"] == stored[2]


@pytest.mark.django_db
def test_the_filters_are_those_of_the_archive(client: Client) -> None:
    ada, other = store("Ada", "Bo").pk, store("Cy", "Bo", "Dee").pk
    for query, found in (
        ({"player": "Ada"}, [ada]),
        ({"seats": "3"}, [other]),
        ({"who": "bots"}, []),
        ({"since": "2099-01-01"}, []),
        ({"player": "nobody at all"}, []),
    ):
        assert [match["id"] for match in listed(client, **query)] == found
    assert [match["id"] for match in listed(client, "/api/v1/players/Ada/matches")] == [ada]
    assert client.get("/api/v1/players/Zoe/matches").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"edtion": "usaopoly-2009"}, "edtion"),
        ({"edition": "chess"}, "edition"),
        ({"since": "2026-02-30"}, "since"),
        ({"after": "yesterday"}, "after"),
        ({"limit": "501"}, "limit"),
        ({"include": "everything"}, "include"),
    ],
)
def test_what_the_page_overlooks_is_refused_here(
    client: Client, query: dict[str, str], field: str
) -> None:
    refused = client.get(LIST, query)
    assert (refused.status_code, refused.json()["field"]) == (422, field)


@pytest.mark.django_db
def test_records_come_along_as_far_as_they_fit(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [store("Ada", "Bo") for _ in range(3)]
    records = {match.pk: "".join(archive.record_of(match)) for match in matches}
    told = listed(client, include="records")
    assert {match["id"]: match["record"] for match in told} == records
    for match in listed(client, include="events"):
        assert match["events"] == [
            json.loads(line) for line in records[match["id"]].splitlines()[1:]
        ]
    monkeypatch.setattr(match_lists, "MAX_LINES", matches[0].lines + 1)
    first = client.get(LIST, {"include": "records"}).json()
    assert [match["id"] for match in first["matches"]] == [matches[2].pk]
    assert {match["id"]: match["record"] for match in listed(client, include="records")} == records
    monkeypatch.setattr(match_lists, "MAX_LINES", 1)
    assert {match["record"] for match in listed(client, include="records")} == {None}


@pytest.mark.django_db
def test_names_may_hold_what_some_programs_take_for_a_line_end(client: Client) -> None:
    stored = "".join(archive.record_of(store("Ada\u2028Zoe", "Bo")))
    (match,) = listed(client, include="events")
    assert match["seats"][0]["name"] == "Ada\u2028Zoe"
    assert match["events"] == [json.loads(line) for line in stored.split("\n")[1:-1]]


@pytest.mark.django_db
def test_a_list_shows_only_what_its_reader_may_see(client: Client) -> None:
    """Private matches nobody's list has; running ones without their lines; embargoed ones later."""
    users = world.people()
    shown = {world.build(*cell, users["Ada"])[1]: cell for cell in WORLD}
    script = program(users["Ada"])
    for reader in (client, script):
        told = {match["id"]: match for match in listed(reader, include="records")}
        assert {shown[pk] for pk in told} == {
            ("public", "open"),
            ("public", "over"),
            ("quiet", "over"),
        }
        for pk, match in told.items():
            assert (match["record"] is None) == (shown[pk][1] == "open")
    over = next(pk for pk, cell in shown.items() if cell == ("public", "over"))
    embargoes.begin(Match.objects.get(pk=over), [account_of(users["Ada"].pk)], 1)
    assert over not in {match["id"] for match in listed(script, include="records")}
    assert over in {match["id"] for match in listed(client)}


WORLD = [(kind, stage) for kind in world.KINDS for stage in ("open", "over")]


@pytest.mark.django_db
def test_a_list_is_compressed_kept_and_open_to_other_origins(client: Client) -> None:
    store("Ada", "Bo")
    query = {"include": "records"}
    whole = client.get(LIST, query)
    short = client.get(LIST, query, headers={"Accept-Encoding": "gzip"})
    assert len(short.content) < len(whole.content) / 2
    assert whole["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in whole
    again = client.get(LIST, query, headers={"If-None-Match": short["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    store("Ada", "Bo")
    assert client.get(LIST, query, headers={"If-None-Match": short["ETag"]}).status_code == 200
    kim = account("Kim")
    assert user_of(kim)
    assert "Access-Control-Allow-Origin" not in kim.get("/api/v1/jobs")


@pytest.mark.django_db
def test_other_origins_can_read_why_they_are_refused(client: Client) -> None:
    unknown = {"Authorization": "Bearer ratuki_unknown"}
    answers = [client.get(LIST, headers=unknown), client.get("/api/v1/players/Zoe/matches")]
    with override_settings(GET_LIMITS={"api:matches": (1, 60)}, ADDRESS_TIMES={"": 1}):
        answers += [client.get(LIST) for _ in range(2)]
    door.learn(door.Site(members_only=True), 60)
    answers += [client.get(LIST), client.get("/oembed", {"url": "http://testserver/matches/1/"})]
    assert [answer.status_code for answer in answers] == [401, 404, 200, 429, 403, 403]
    assert {answer["Access-Control-Allow-Origin"] for answer in answers} == {"*"}
    assert all("Retry-After" in answer["Access-Control-Expose-Headers"] for answer in answers)
    for refused in (client.get("/api/v1/jobs", headers=unknown), client.post("/api/v1/tables")):
        assert "Access-Control-Allow-Origin" not in refused


@pytest.mark.django_db
def test_a_list_is_not_for_viewers_who_hide_results(client: Client) -> None:
    client.cookies["spoilers"] = "off"
    assert client.get(LIST).json()["results"] == "hidden"


def test_the_reference_has_every_value_of_a_filter() -> None:
    text = (ROOT / "docs" / "reference" / "api.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", text, re.MULTILINE))
    choices = {select.name: {option.value for option in select.options[1:]} for select in SELECTS}
    for name, values in {**choices, "sort": set(ORDERS)}.items():
        assert values <= set(re.findall(r"`([^`]+)`", rows[name])), name


@pytest.mark.slow
def test_the_how_to_gets_every_match_into_a_data_frame(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / "docs" / "how-to" / "data.md").read_text()
    steps = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    with Site(tmp_path) as site:
        site.migrate()
        site.manage("import_records", str(ROOT / "tests/matches/valid-usaopoly-2009-5.ratuki"))
        site.manage("simulate", "--matches=2", "--bots=taker,builder,runner", "--seed=1")
        site.start()
        monkeypatch.chdir(tmp_path)
        known: dict[str, Any] = {}
        for step in steps:
            exec(step.replace("https://ratuki.example", site.url), known)
    assert known["over"]["id"].nunique() == known["lengths"]["matches"].sum() == 1 + 2
    assert len(known["seats"]) == known["winners"]["matches"].sum() == 5 + 2 * 3
    assert known["seats"]["won"].sum() >= 3
    takes = known["takes"]
    assert len(takes) == 2, "what was imported was not played here"
    assert (takes["takes"] > 0).all()
    assert (takes["plays"] > takes["takes"]).all()
    assert known["lines"]["round"].notna().all()
    assert known["lines"]["round"].max() == known["matches"]["rounds"].iloc[0]
