"""Embeds: who may frame what, what strangers see, and what oEmbed says."""

import asyncio
import json
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import LiveTable, Match
from ratuki_site.origins import SameOrigin
from replays.models import Study
from replays.stored import reports
from tests.notes.browsers import account, guest
from tests.people import world
from tests.studies.making import chapter, question, study
from tests.web.records import store

pytestmark = pytest.mark.django_db


def knows(page: str) -> dict[str, Any]:
    """What an embed's script is told."""
    found = re.search(r'id="embed-data" type="application/json">(.*?)</script>', page)
    assert found, page
    told: dict[str, Any] = json.loads(found[1])
    return told


def asked(client: Client, address: str, **more: str) -> Any:
    """What oEmbed says of an address of this site."""
    return client.get("/oembed", {"url": f"http://testserver{address}", **more})


def test_a_page_in_a_sandbox_watches_as_a_stranger() -> None:
    """It has no origin. Whatever cookies it brought would be another site's doing."""
    heard: list[Any] = []

    async def app(scope: Any, _receive: Any, _send: Any) -> None:
        heard.append(dict(scope["headers"]).get(b"cookie"))

    async def nothing(_message: Any = None) -> Any:
        return {}

    def opens(origin: bytes, *, sandboxed: bool) -> bool:
        heard.clear()
        headers = [(b"origin", origin), (b"cookie", b"sessionid=x")]
        door = SameOrigin(app, ["https://ratuki.test"], sandboxed=sandboxed)
        asyncio.run(door({"headers": headers}, nothing, nothing))
        return bool(heard)

    assert opens(b"https://ratuki.test", sandboxed=True)
    assert heard == [b"sessionid=x"]
    assert opens(b"null", sandboxed=True)
    assert heard == [None]
    assert not opens(b"null", sandboxed=False)
    assert not opens(b"https://elsewhere.test", sandboxed=True)


def test_only_embeds_may_be_framed(client: Client) -> None:
    match = store("Ada", "Bo")
    lesson = study(guest("Kim"), visibility="everyone")
    for path in ("/", "/watch/", f"/matches/{match.pk}/", "/oembed", "/embed/nothing/"):
        response = client.get(path)
        assert response["X-Frame-Options"] == "DENY", path
        assert "frame-ancestors 'none'" in response["Content-Security-Policy"], path
    chapters = f"/embed/studies/{lesson.key}/1/"
    for path in (
        f"/embed/matches/{match.pk}/",
        "/embed/matches/9999/",
        "/embed/tables/x/",
        chapters,
    ):
        response = client.get(path)
        assert "X-Frame-Options" not in response, path
        assert "frame-ancestors *" in response["Content-Security-Policy"], path
        assert not response.cookies, path


def test_an_embed_opens_where_its_address_says(client: Client) -> None:
    match = store("Ada", "Bo", "Cy", target=100)
    response = client.get(f"/embed/matches/{match.pk}/?round=2&event=9&until=20&theme=dark")
    told = knows(response.text)
    assert told["place"] == "round=2&event=9&until=20&theme=dark"
    assert told["first"]["seq"] == told["match"]["rounds"][1]["seq"]
    assert told["live"] is None
    assert '<html lang="en" dir="ltr" data-theme="dark">' in response.text
    assert response["Cache-Control"] == "public, max-age=300"
    assert "Ada, Bo and Cy" in response.text
    hiding = Client()
    hiding.cookies["spoilers"] = "off"
    hidden = knows(hiding.get(f"/embed/matches/{match.pk}/").text)
    assert hidden["first"] is None
    assert "rounds" not in hidden["match"]


def test_an_embed_opens_where_its_page_does_and_says_how_it_ended(client: Client) -> None:
    match = store("Ada", "Bo", "Cy", target=100)
    path = f"/embed/matches/{match.pk}/"
    assert "analysis" not in knows(client.get(path).text)["match"]["urls"], "a GET makes none"
    reports.make(match)
    told = knows(client.get(f"{path}?theme=dark").text)["match"]
    page = client.get(f"/matches/{match.pk}/").text
    there = re.search(r'id="match" type="application/json">(.*?)</script>', page)
    assert there
    assert told["opening"] == json.loads(there[1])["opening"] > 0
    figures = client.get(told["urls"]["analysis"], {"details": "curve"})
    assert figures["Access-Control-Allow-Origin"] == "*"
    headline = re.search(r'id="headline"[^>]*>([^<]+)<', client.get(path).text)
    assert headline
    assert headline[1] in page
    assert "opening" not in knows(client.get(f"{path}?round=1&t=5").text)["match"]
    hiding = Client()
    hiding.cookies["spoilers"] = "off"
    hidden = hiding.get(path).text
    assert ">Ada, Bo and Cy</bdi>" in hidden
    assert "analysis" not in knows(hidden)["match"]["urls"]


def test_a_deleted_match_says_so_and_is_not_kept(client: Client) -> None:
    response = client.get("/embed/matches/99999/")
    assert response.status_code == 404
    assert "It is deleted, or private." in response.text
    assert response["Cache-Control"] == "no-store"
    assert asked(client, "/matches/99999/").status_code == 404


@pytest.mark.parametrize(("kind", "stage"), [("link", "open"), ("link", "over"), ("quiet", "open")])
def test_a_private_match_looks_like_none(kind: str, stage: str) -> None:
    ada = world.people()["Ada"]
    table, number = world.build(kind, stage, ada)
    player = Client()
    player.force_login(ada)

    def page(client: Client, path: str) -> tuple[int, str, str]:
        response = client.get(f"/embed/{path}/")
        return response.status_code, response.text, response["Cache-Control"]

    for client in (Client(), player):
        none = page(client, "matches/99999")
        assert none[0] == 404
        assert page(client, f"matches/{number}") == none
        assert page(client, f"tables/{table}") == page(client, "tables/none") == none
        said, missing = asked(client, f"/matches/{number}/"), asked(client, "/matches/99999/")
        assert (said.status_code, said.text) == (missing.status_code, missing.text)


def test_a_match_being_played_is_followed_as_strangers_see_it() -> None:
    table, number = world.build("public", "open", world.people()["Ada"])
    for path in (f"/embed/matches/{number}/", f"/embed/tables/{table}/"):
        response = Client().get(path)
        told = knows(response.text)
        assert told["live"] == table
        assert not told["pieces"], "a match with a delayed view has none, and is not asked for them"
        assert told["first"] is None, "its cards are hidden"
        assert response["Cache-Control"] == "no-store"


def test_a_table_shows_who_waits_until_its_match_begins() -> None:
    table, _ = world.build("public", "seating", world.people()["Ada"])
    page = Client().get(f"/embed/tables/{table}/").text
    assert "Waiting for players" in page
    assert "Ada, Bo and Program" in page
    assert "embed.js" in page, "it looks whether the match has begun"
    LiveTable.objects.all().delete()
    assert Client().get(f"/embed/tables/{table}/").status_code == 404


def test_somebody_with_an_open_question_sees_no_more_by_an_embed() -> None:
    match, coach, learner = store("Ada", "Bo"), guest("Kim"), account("Lee")
    lesson = study(coach, visibility="everyone")
    asking = question(coach, lesson, match)
    learner.post(reverse("replays:chapter_start", args=[lesson.key, asking.number]))
    barred = learner.get(f"/embed/matches/{match.pk}/")
    assert barred.status_code == 403
    assert "A question about this match is waiting for you." in barred.text
    assert "embed-data" not in barred.text
    assert Client().get(f"/embed/matches/{match.pk}/").status_code == 200
    asks = Client().get(f"/embed/studies/{lesson.key}/{asking.number}/")
    assert "What would you play?" in asks.text
    assert "embed-data" not in asks.text


def test_a_chapter_is_shown_to_whom_its_study_is_shared_with(client: Client) -> None:
    match, coach = store("Ada", "Bo"), guest("Kim")
    lesson = study(coach, visibility="link")
    made = chapter(coach, lesson, match, event=4, until=9)
    path = f"/embed/studies/{lesson.key}/{made.number}/"
    assert client.get(path).status_code == 404
    assert "A moment" not in client.get(path).text
    token = Study.objects.get(pk=lesson.pk).token
    shown = client.get(f"{path}?share={token}")
    assert knows(shown.text)["place"] == "round=1&event=4&until=9"
    assert not shown.cookies
    page = reverse("replays:chapter", args=[lesson.key, made.number])
    said = asked(client, f"{page}?share={token}&round=1&event=5").json()
    assert f"{path}?share={token}&round=1&event=5" in unescape(said["html"])
    preview = client.get(f"{page}?share={token}", follow=True).text
    assert f'og:title" content="{made.shown_title}"' in preview
    assert said["title"] == made.shown_title
    assert "picture.png?round=1&amp;event=4" in preview, "not the end of the match"
    Match.objects.filter(pk=match.pk).update(visibility=Match.Visibility.LINK)
    assert client.get(f"{path}?share={token}").status_code == 404


def test_oembed_gives_the_code_and_the_moments_picture(client: Client) -> None:
    match = store("Ada", "Bo")
    page = f"/matches/{match.pk}/?round=1&event=30&until=40&pov=1&other=1"
    response = asked(client, page, maxwidth="400")
    said = response.json()
    assert (said["version"], said["type"], said["title"]) == ("1.0", "rich", "Ada and Bo")
    assert (said["width"], said["height"]) == (400, 640)
    src = f"http://testserver/embed/matches/{match.pk}/?round=1&event=30&until=40&pov=1"
    assert f'src="{src}"' in unescape(said["html"])
    assert said["thumbnail_url"].endswith(f"/matches/{match.pk}/picture.png?round=1&event=30")
    assert response["Access-Control-Allow-Origin"] == "*"
    embed = f"/embed/matches/{match.pk}/?round=1&event=30&until=40&pov=1"
    for same in (embed, page.replace("/?", "?"), embed.replace("/?", "?")):
        assert asked(client, same).json()["html"] == asked(client, page).json()["html"]
    for more, size in (({}, (640, 660)), ({"maxwidth": "5000", "maxheight": "300"}, (640, 300))):
        said = asked(client, page, **more).json()
        assert (said["width"], said["height"]) == size


def test_oembed_knows_only_pages_of_this_site(client: Client) -> None:
    match = store("Ada", "Bo")
    for address in ("http://elsewhere.test/matches/1/", "http://[", "nonsense", ""):
        assert client.get("/oembed", {"url": address}).status_code == 404, address
    assert asked(client, "/watch/").status_code == 404
    assert asked(client, f"/matches/{match.pk}/", format="xml").status_code == 501


def test_a_page_names_its_oembed(client: Client) -> None:
    match = store("Ada", "Bo")
    page = client.get(f"/matches/{match.pk}/?round=1&event=30").text
    found = re.search(r'type="application/json\+oembed" href="([^"]+)"', page)
    assert found
    said = client.get(unescape(found[1])).json()
    assert "round=1&event=30" in unescape(said["html"])
    users = world.people()
    _, private = world.build("link", "over", users["Ada"])
    holder = Client()
    holder.cookies["sessionid"] = world.session_of("holder of link", users)
    assert "oembed" not in re.sub(
        r'data-oembed="[^"]*"', "", holder.get(f"/matches/{private}/").text
    )
