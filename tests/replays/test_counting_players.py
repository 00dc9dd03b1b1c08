"""Counting matches for the players' pages: once for each log and version."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command

from games.models import Match
from replays.models import SeatFigures
from replays.players import counting
from replays.players.counting import count_missing, uncounted
from tests.web.records import store, store_hosted

pytestmark = pytest.mark.django_db


def update(*arguments: str) -> str:
    out = StringIO()
    call_command("update_players", *arguments, stdout=out)
    return out.getvalue()


def test_each_match_is_counted_once() -> None:
    match = store_hosted("Ada", "Bo")
    store("Ada", "Bo")
    assert "2 matches counted" in update()
    assert "0 matches counted" in update()
    assert "2 matches counted" in update("--all")
    rows = SeatFigures.objects.filter(seat__match=match).order_by("seat__number")
    assert [row.points for row in rows] == [seat.total for seat in match.seats.in_order()]
    assert rows[0].pool == "hosted/human/usaopoly-2009/2"
    assert len(rows[0].digest) == 64


def test_another_version_is_counted_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    match = store_hosted()
    list(count_missing())
    monkeypatch.setattr(counting, "MEASURES_VERSION", counting.MEASURES_VERSION + 1)
    assert [found.pk for found in uncounted()] == [match.pk]
    list(count_missing())
    assert not uncounted()


def test_only_finished_matches_of_this_site_are_counted() -> None:
    for origin in (Match.Origin.UPLOADED, Match.Origin.IMPORTED):
        Match.objects.filter(pk=store().pk).update(origin=origin)
    for state in (Match.State.OPEN, Match.State.ABANDONED, Match.State.UNFINISHED):
        Match.objects.filter(pk=store_hosted().pk).update(state=state)
    assert not uncounted()


def test_the_newest_come_first_and_no_more_than_asked() -> None:
    matches = [store_hosted().pk for _ in range(3)]
    assert [match.pk for match in count_missing(2)] == matches[:0:-1]
