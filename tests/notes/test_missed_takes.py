"""A player's missed takes, as Practise and a coach's homework ask about them."""

import pytest
from django.test import Client

from games.bots.patient import PATIENT
from games.models import Match, Seat
from replays.analysis import Findings
from replays.models import SeatFigures
from replays.notes import missed_takes
from replays.players.counting import count, uncounted
from replays.stored import reports
from replays.stored.logs import lags_of, timeline_of
from tests.notes.browsers import guest
from tests.web.records import store_hosted

pytestmark = pytest.mark.django_db


def kim_at(match: Match) -> Client:
    """Kim's browser; Kim plays seat 0 of the match."""
    kim = guest("Kim")
    match.seats.filter(number=0).update(guest=kim.session["guest"])
    return kim


def listed(kim: Client) -> list[missed_takes.OwnMissedTake]:
    return missed_takes.costliest_of(Seat.objects.filter(guest=kim.session["guest"]))


def test_missed_takes_that_there_was_time_for_are_listed() -> None:
    match = store_hosted("Kim", "Bo")
    taken = listed(kim_at(match))
    row = SeatFigures.objects.get(seat__match=match, seat__number=0)
    assert [list(take.span) for take in taken] == row.spans
    findings = Findings(timeline_of(match), lags_of(match))
    missed = [each.chance for each in findings.missed if each.chance.window.seat == 0]
    free = [chance.window for chance in missed if chance.free_ms >= 500]
    assert 0 < len(free) < len(missed)
    for take in taken:
        assert (take.span.card, take.span.slot, take.span.ms) in [
            (window.card, window.slot, window.ms) for window in free
        ]
    assert row.missed == len(missed), "a figure of measures.md counts them all"
    assert {take.span.until for take in taken} == {window.span[1] for window in free}
    assert str(taken[0].item["label"]).startswith(
        f"Missed take of {taken[0].span.cards + 1} cards, open for "
    )


def test_a_guided_round_holds_no_missed_takes() -> None:
    match = store_hosted("Kim", "Bo")
    match.seats.filter(number=1).update(temper=PATIENT)
    assert missed_takes.costliest_of(match.seats.filter(number=0)) == []


def test_own_private_matches_count_and_others_never() -> None:
    private, other = store_hosted("Kim", "Bo"), store_hosted("Kim", "Bo", seed=2)
    Match.objects.filter(pk=private.pk).update(visibility=Match.Visibility.LINK)
    kim = kim_at(private)
    count(other)
    assert {take.match for take in listed(kim)} == {private.pk}


def test_takes_missed_in_an_abandoned_match_are_listed_too() -> None:
    match = store_hosted("Kim", "Bo")
    Match.objects.filter(pk=match.pk).update(state=Match.State.ABANDONED, winners=0)
    assert {take.match for take in listed(kim_at(match))} == {match.pk}
    SeatFigures.objects.all().delete()
    assert list(uncounted()) == [match]


def test_a_match_that_is_being_played_has_none_yet() -> None:
    match = store_hosted("Kim", "Bo")
    count(match)
    Match.objects.filter(pk=match.pk).update(state=Match.State.OPEN)
    assert missed_takes.costliest_of(match.seats.filter(number=0)) == []
    SeatFigures.objects.all().delete()
    assert missed_takes.costliest_of(match.seats.filter(number=0)) == []
    assert list(uncounted()) == []


def test_the_largest_come_first_and_no_more_than_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    matches = [store_hosted("Kim", "Bo", seed=seed) for seed in (1, 2)]
    kim = kim_at(matches[0])
    matches[1].seats.filter(number=0).update(guest=kim.session["guest"])
    monkeypatch.setattr(missed_takes, "MAX_SPANS", 3)
    taken = [take.span.cards for take in listed(kim)]
    rows = SeatFigures.objects.filter(seat__number=0).values_list("spans", flat=True)
    assert taken == sorted((span[3] for spans in rows for span in spans), reverse=True)[:3]


def test_the_costliest_come_first_once_the_match_has_a_report() -> None:
    match, unread = store_hosted("Kim", "Bo"), store_hosted("Kim", "Bo", seed=2)
    kim = kim_at(match)
    unread.seats.filter(number=0).update(guest=kim.session["guest"])
    reports.make(match)
    costs = {
        (row["round"], row["card"], row["slot"], row["to"] - row["from"]): row["delta"]
        for row in reports.missed_takes(match) or ()
        if row["seat"] == 0
    }
    taken = listed(kim)
    found = [
        costs[take.span.round, take.span.card, take.span.slot, take.span.ms]
        for take in taken
        if take.match == match.pk
    ]
    assert len(found) > 1
    assert found == sorted(found)
    assert found[0] < 0
    assert taken[0].match == match.pk
