"""Own missed takes as a playlist, made with one press."""

from __future__ import annotations

import pytest
from django.test import Client

from games.bots.patient import PATIENT
from games.models import Match
from games.people import embargoes, person
from replays.models import Playlist, SeatFigures
from replays.notes import missed_takes
from replays.players.counting import count, uncounted
from tests.notes.browsers import guest
from tests.web.records import store, store_hosted

pytestmark = pytest.mark.django_db
PRESS = "/matches/mine/missed-takes/"


def kim_at(match: Match) -> Client:
    """Kim's browser; Kim plays seat 0 of the match."""
    kim = guest("Kim")
    match.seats.filter(number=0).update(guest=kim.session["guest"])
    return kim


def items(client: Client, address: str) -> list[dict[str, object]]:
    return client.get(f"/api/v1{address.rstrip('/')}").json()["items"]


def test_one_press_makes_a_playlist_of_missed_takes() -> None:
    match = store_hosted("Kim", "Bo")
    kim = kim_at(match)
    assert "List my missed takes" in kim.get("/matches/mine/").text
    address = kim.post(PRESS)["Location"]
    spans = SeatFigures.objects.get(seat__match=match, seat__number=0).spans
    listed = items(kim, address)
    assert [(span["round"], span["event"], span["until"]) for span in listed] == [
        tuple(span[:3]) for span in spans
    ]
    assert str(listed[0]["label"]).startswith(f"Missed take of {spans[0][3] + 1} cards, open for ")
    assert "My missed takes" in kim.get(address).text
    assert guest("Eve").get(address).status_code == 404


def test_pressing_again_leads_to_the_same_list_even_if_it_was_deleted() -> None:
    kim = kim_at(store_hosted("Kim", "Bo"))
    address = kim.post(PRESS)["Location"]
    assert kim.post(PRESS)["Location"] == address
    kim.delete(f"/api/v1{address.rstrip('/')}")
    assert kim.get(address).status_code == 404
    assert kim.post(PRESS)["Location"] == address
    assert kim.get(address).status_code == 200
    assert Playlist.objects.count() == 1


def test_a_guided_round_holds_no_missed_takes() -> None:
    match = store_hosted("Kim", "Bo")
    match.seats.filter(number=1).update(temper=PATIENT)
    assert missed_takes.missed_takes_of(match.seats.filter(number=0)) == []


def test_own_private_matches_count_and_others_never() -> None:
    private, other = store_hosted("Kim", "Bo"), store_hosted("Kim", "Bo", seed=2)
    Match.objects.filter(pk=private.pk).update(visibility=Match.Visibility.LINK)
    kim = kim_at(private)
    count(other)
    assert {span["match"] for span in items(kim, kim.post(PRESS)["Location"])} == {private.pk}


def test_takes_missed_in_an_abandoned_match_are_listed_too() -> None:
    match = store_hosted("Kim", "Bo")
    Match.objects.filter(pk=match.pk).update(state=Match.State.ABANDONED, winners=0)
    kim = kim_at(match)
    assert {span["match"] for span in items(kim, kim.post(PRESS)["Location"])} == {match.pk}
    SeatFigures.objects.all().delete()
    assert list(uncounted()) == [match]


def test_a_match_that_is_being_played_has_none_yet() -> None:
    match = store_hosted("Kim", "Bo")
    count(match)
    Match.objects.filter(pk=match.pk).update(state=Match.State.OPEN)
    assert missed_takes.missed_takes_of(match.seats.filter(number=0)) == []
    SeatFigures.objects.all().delete()
    assert missed_takes.missed_takes_of(match.seats.filter(number=0)) == []
    assert list(uncounted()) == []


def test_the_largest_come_first_and_no_more_than_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    matches = [store_hosted("Kim", "Bo", seed=seed) for seed in (1, 2)]
    kim = kim_at(matches[0])
    matches[1].seats.filter(number=0).update(guest=kim.session["guest"])
    monkeypatch.setattr(missed_takes, "MAX_SPANS", 6)
    listed = items(kim, kim.post(PRESS)["Location"])
    rows = SeatFigures.objects.filter(seat__number=0).values_list("spans", flat=True)
    cards = sorted((span[3] + 1 for spans in rows for span in spans), reverse=True)[:6]
    assert [int(str(span["label"]).split()[3]) for span in listed] == cards


def test_a_match_with_an_unanswered_question_is_left_out() -> None:
    matches = [store_hosted("Kim", "Bo", seed=seed) for seed in (1, 2)]
    kim = kim_at(matches[0])
    matches[1].seats.filter(number=0).update(guest=kim.session["guest"])
    embargoes.begin(matches[0], [person.guest(kim.session["guest"])], 1)
    answer = kim.post(PRESS, follow=True)
    assert "Matches with an unanswered question are left out." in answer.text
    address = answer.redirect_chain[-1][0]
    assert {span["match"] for span in items(kim, address)} == {matches[1].pk}


def test_a_player_who_missed_nothing_learns_so() -> None:
    kim = kim_at(store("Kim", "Bo"))
    for visitor in (kim, Client()):
        assert "no missed takes" in visitor.post(PRESS, follow=True).text
