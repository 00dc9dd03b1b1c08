"""A player's level among the bots, on their page and at home."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Match, Seat
from tests.web.records import store_hosted

pytestmark = pytest.mark.django_db


def against_ragna(user: User) -> list[Match]:
    """20 matches of Ada with a bot of level 3, half of them won."""
    matches = [store_hosted("Ada", "Bot", kinds=("human", "bot")) for _ in range(20)]
    for place, match in enumerate(matches):
        for number, total in enumerate((30, 10) if place % 2 else (10, 30)):
            match.seats.filter(number=number).update(total=total)
        Match.objects.filter(pk=match.pk).update(winners=0b01 if place % 2 else 0b10)
        match.seats.filter(number=1).update(temper="taker", level=3)
        match.seats.filter(number=0).update(user=user)
    return matches


def test_matches_with_named_bots_say_how_strong_a_player_is(client: Client) -> None:
    ada = User.objects.create_user("Ada")
    matches = against_ragna(ada)
    assert "Plays like Ragna at level 3 (" in client.get("/players/Ada/").text
    assert "You play like" not in client.get("/").text
    client.force_login(ada)
    assert "You play like Ragna at level 3 (" in client.get("/").text
    private = [match.pk for match in matches[:16]]
    Match.objects.filter(pk__in=private).update(visibility="link")
    assert "Plays like" not in client.get("/players/Ada/").text, "four public ones are too few"
    assert "You play like" in client.get("/").text
    client.post("/spoilers/", {"show": "off"})
    assert "You play like" not in client.get("/").text


def test_a_bot_without_a_name_says_nothing_nor_a_match_that_a_bot_finished(client: Client) -> None:
    against_ragna(User.objects.create_user("Ada"))
    bots = Seat.objects.filter(number=1)
    bots.update(temper="", level=None)
    assert "Plays like" not in client.get("/players/Ada/").text
    bots.update(temper="taker", level=3)
    Seat.objects.filter(number=0).update(stand_in=True)
    assert "Plays like" not in client.get("/players/Ada/").text
