"""What an account keeps and follows, and what nobody learns by it."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Follow, KeptMatch, Match, Player, Seat
from games.people import following
from replays import news
from replays.models import News
from replays.pages import keeping
from tests.classes.making import class_of_cora, pupil, user_of
from tests.notes.browsers import account, guest, read_news
from tests.people import world
from tests.studies.making import place, question, study
from tests.web.records import store, store_hosted

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return world.people()["Ada"]


@pytest.fixture
def lou() -> Client:
    return account("Lou")


def told(client: Client) -> list[tuple[object, str]]:
    """Of which live matches the bell tells an account: who began them, and the address."""
    pieces = [piece for piece in read_news(client) if piece.row.kind == News.Kind.LIVE]
    return [(piece.by, piece.about.url) for piece in pieces]


def follow(client: Client, name: str) -> None:
    store_hosted(name, "Someone")  # there is a page of that name from then on
    assert client.post(f"/players/{name}/follow/")["Location"] == f"/players/{name}/"


def watched(client: Client) -> list[str]:
    """The live matches on Watch, in order, which its script finds there again."""
    page: Any = client.get("/watch/").context
    listed = [table.id for table in page["playing"]]
    if page["following"]:
        again: Any = client.get(page["wall_url"]).context
        assert [table.id for table in again["playing"]] == listed
    return listed


def test_a_match_is_kept_with_a_word_for_its_account_alone(
    lou: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = store("Ada", "Bo")
    keep = f"/matches/{match.pk}/keep/"
    assert "Bookmark match" in lou.get(f"/matches/{match.pk}/").text
    lou.post(keep, {"word": "  the long race "})
    assert "the long race" in lou.get("/matches/kept/").text
    assert "the long race" in lou.get(f"/matches/{match.pk}/").text
    monkeypatch.setattr(keeping, "PAGE", 1)
    lou.post(f"/matches/{store('Cy', 'Dee').pk}/keep/", {"word": "newer"})
    assert 'name="listed" value="2"' in lou.get("/matches/kept/?page=2").text
    saved = lou.post(keep, {"word": "the short one", "listed": "2"}, follow=True)
    assert saved.redirect_chain[-1][0] == f"/matches/kept/?page=2#match-{match.pk}"
    assert f'id="match-{match.pk}"' in saved.text
    KeptMatch.objects.filter(word="newer").delete()
    assert [row.word for row in KeptMatch.objects.all()] == ["the short one"]
    other = account("Lee")
    assert "No bookmarks yet" in other.get("/matches/kept/").text
    assert "the short one" not in other.get(f"/matches/{match.pk}/").text
    assert "Bookmark match" not in guest("Gus").get(f"/matches/{match.pk}/").text
    lou.post(keep, {"remove": "1"})
    assert not KeptMatch.objects.exists()


def test_a_kept_match_is_listed_only_while_it_may_be_seen(lou: Client) -> None:
    private, asked = store("Ada", "Bo"), store("Cy", "Dee")
    for match in (private, asked):
        lou.post(f"/matches/{match.pk}/keep/", {"word": f"word {match.pk}"})
    Match.objects.filter(pk=private.pk).update(visibility=Match.Visibility.LINK)
    page = lou.get("/matches/kept/").text
    assert "You can’t open 1 of these matches now" in page
    assert "Ada" not in page
    assert f"word {private.pk}" not in page
    assert f"word {asked.pk}" in page
    coach = guest("Coach")
    asking = question(coach, study(coach, visibility="everyone"), asked)
    lou.post(f"{place(asking)}start")
    page = lou.get("/matches/kept/").text
    assert "You can’t open 2 of these matches now" in page
    assert f"word {asked.pk}" not in page


def test_followed_players_come_first_on_watch(lou: Client, ada: User) -> None:
    early, _ = world.build("public", "open", ada)
    later, _ = world.build("public", "open", ada)
    ann = store_hosted("Ann", "Bob").seats.get(number=0).player
    Seat.objects.filter(match__record_id=early, number=0).update(player=ann)
    assert watched(lou) == [later, early]
    follow(lou, "Ann")
    assert watched(lou) == [early, later]
    assert "You follow" in lou.get("/watch/").text
    assert watched(account("Lee")) == [later, early]
    lou.post("/players/Ann/follow/", {"remove": "1"})
    assert watched(lou) == [later, early]


def test_the_bell_tells_once_when_a_followed_player_begins(lou: Client, ada: User) -> None:
    follow(lou, "Ada")
    follow(lou, "Bo")
    _, number = world.build("public", "open", ada)
    news.tell_followers()
    news.tell_followers()
    assert told(lou) == [("Ada", f"/matches/{number}/")]
    assert told(account("Lee")) == []
    News.objects.all().delete()
    Match.objects.update(created="2026-01-01T00:00:00Z")
    news.tell_followers()
    assert told(lou) == [], "it began long ago"


def test_the_bell_tells_of_people_and_not_of_bots(lou: Client, ada: User) -> None:
    world.build("public", "open", ada)
    following.follow(user_of(lou).pk, Player.objects.get(name="A bot"))
    news.tell_followers()
    assert told(lou) == []


def test_a_bot_is_not_offered_to_be_followed(lou: Client) -> None:
    store_hosted("Ragna", "Bo")
    Seat.objects.filter(player__name="Ragna").update(kind="bot")
    for shown in ("on", "off"):
        lou.cookies["spoilers"] = shown
        assert "/players/Ragna/follow/" not in lou.get("/players/Ragna/").text
        assert "/players/Bo/follow/" in lou.get("/players/Bo/").text


def test_a_match_that_cannot_be_told_of_does_not_stop_the_others(lou: Client, ada: User) -> None:
    follow(lou, "Ada")
    broken, well = (world.build("public", "open", ada)[1] for _ in range(2))
    Match.objects.filter(pk=broken).update(spectators=[])
    news.tell_followers()
    assert set(News.objects.values_list("key", flat=True)) == set(
        Match.objects.filter(pk=well).values_list("record_id", flat=True)
    )


def test_nobody_is_told_of_a_match_that_they_play_in(ada: User) -> None:
    player = Client()
    player.force_login(ada)
    follow(player, "Bo")
    world.build("public", "open", ada)
    news.tell_followers()
    assert told(player) == []


@pytest.mark.parametrize("kind", ["link", "quiet"])
def test_nobody_learns_of_a_private_match_by_following(kind: str, lou: Client, ada: User) -> None:
    follow(lou, "Ada")
    world.build(kind, "open", ada)
    news.tell_followers()
    assert not News.objects.exists()
    assert watched(lou) == []


def test_a_class_is_followed_by_its_members_alone(ada: User) -> None:
    coach, there = class_of_cora()
    pia, _ = pupil(there, "Pia")
    path = f"/classes/{there.key}/follow/"
    assert account("Lee").post(path).status_code == 404
    for client in (coach, pia):
        assert client.post(path)["Location"] == f"/classes/{there.key}/"
    table, number = world.build("public", "open", ada, there.key)
    news.tell_followers()
    assert told(coach) == [(there.name, f"/matches/{number}/")]
    assert watched(coach) == [table]
    assert "Unfollow" in coach.get(f"/classes/{there.key}/").text
    pia.post(f"/classes/{there.key}/leave/")
    assert told(pia) == []
    assert watched(pia) == []
    assert following.following_of(user_of(pia).pk) == []


def test_what_is_kept_and_followed_goes_with_its_account(lou: Client) -> None:
    lou.post(f"/matches/{store('Ada', 'Bo').pk}/keep/", {"word": "mine"})
    follow(lou, "Ada")
    user_of(lou).delete()
    assert not KeptMatch.objects.exists()
    assert not Follow.objects.exists()


def test_an_account_keeps_and_follows_only_so_much(lou: Client) -> None:
    user, match = user_of(lou), store("Ada", "Bo")
    fields = Match.objects.values().get(pk=match.pk)
    copies = Match.objects.bulk_create(
        Match(**{**fields, "id": None, "record_id": f"copy-{n}"})
        for n in range(following.MOST_KEPT)
    )
    KeptMatch.objects.bulk_create(KeptMatch(user=user, match=copy) for copy in copies)
    Follow.objects.bulk_create(
        Follow(user=user, school_class=f"class-{n}") for n in range(following.MOST_FOLLOWED)
    )
    page = lou.post(f"/matches/{match.pk}/keep/", follow=True).text
    assert "You have 500 bookmarks. Remove one first." in page
    store_hosted("Ann", "Bob")
    page = lou.post("/players/Ann/follow/", follow=True).text
    assert "You follow 100 players and classes. Unfollow one first." in page
    following.follow(user.pk, None, "class-0")
    lou.post(f"/matches/{copies[0].pk}/keep/", {"word": "one that is kept"})
    assert KeptMatch.objects.filter(word="one that is kept").count() == 1
