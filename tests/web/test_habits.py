"""A player's habits: on their page, and at a table before a match."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Account, Match, Seat
from replays.analysis.careers.habits import TAKES
from replays.models import SeatFigures
from replays.players.counting import count_missing
from tests.web.records import store_hosted

pytestmark = pytest.mark.django_db
SAID = "takes after 2"
FRAGMENT = "/players/Ada/habits/"


def quick_matches(count: int, user: User | None = None) -> list[Match]:
    """Matches in which Ada takes much sooner than everybody else."""
    matches = [store_hosted("Ada", "Bo", seed=seed % 3 + 1) for seed in range(count)]
    list(count_missing())
    for place, row in enumerate(SeatFigures.objects.select_related("seat__player")):
        times = (40 if row.seat.player.name == "Ada" else 10) + place // 2 % 3
        row.habits[TAKES] = [times, 10_000]
        row.save()
    if user:
        Seat.objects.filter(player__name="Ada").update(user=user)
    return matches


def test_habits_are_a_part_of_style_with_a_bot_that_plays_alike(client: Client) -> None:
    quick_matches(4)
    assert SAID not in client.get("/players/Ada/").text
    quick_matches(3)
    page = client.get("/players/Ada/").text
    style = page.partition('id="style"')[2].partition("</section>")[0]
    assert SAID in style
    assert "Play a bot like this" in style
    assert "Nothing sets this player" not in page
    assert style.count("7 matches of") == 1
    client.post("/spoilers/", {"show": "off"})
    assert SAID not in client.get("/players/Ada/").text


def test_the_bot_is_chosen_in_the_form_and_nothing_else_is(client: Client) -> None:
    form = client.get("/play/new/?seat_2=builder&level_2=4&private=on").context["form"]
    assert form["seat_2"].value() == "builder"
    assert str(form["level_2"].value()) == "4"
    assert not form["private"].value()


def test_at_a_table_accounts_alone_are_told_of(client: Client) -> None:
    quick_matches(7)
    assert SAID not in client.get(FRAGMENT).text, "a guest's name may be anybody's"
    ada = User.objects.create_user("Ada")
    assert SAID not in client.get(FRAGMENT).text, "it was a guest who played"
    Seat.objects.filter(player__name="Ada").update(user=ada)
    assert SAID in client.get(FRAGMENT).text
    client.post("/spoilers/", {"show": "off"})
    assert SAID not in client.get(FRAGMENT).text
    client.post("/spoilers/", {"show": "on"})
    Account.objects.update_or_create(user=ada, defaults={"name": "Ada", "supervised": True})
    assert SAID not in client.get(FRAGMENT).text, "a child's"


def test_private_matches_say_nothing(client: Client) -> None:
    matches = quick_matches(7, User.objects.create_user("Ada"))
    Match.objects.filter(pk__in=[match.pk for match in matches[:4]]).update(visibility="link")
    assert SAID not in client.get(FRAGMENT).text
    assert SAID not in client.get("/players/Ada/").text
