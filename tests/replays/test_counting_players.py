"""Counting matches for the players' pages: once for each log and version."""

from io import StringIO

import pytest
from django.core.management import call_command

from games.models import Match
from replays.analysis.versions import MEASURES_VERSION
from replays.jobs import matches as jobs
from replays.models import Job, JobPart, Rating, SeatFigures
from replays.players import counting
from replays.players.counting import count_missing, uncounted
from replays.ratings import ledger
from replays.ratings.ledger import look_round
from tests.jobs.counting import work
from tests.web.records import store, store_hosted, store_played

pytestmark = pytest.mark.django_db


def update(*arguments: str) -> str:
    out = StringIO()
    call_command("recount", *arguments, stdout=out)
    return out.getvalue()


def test_each_match_is_counted_once() -> None:
    match = store_hosted("Ada", "Bo")
    store("Ada", "Bo")
    assert "2 matches counted" in update()
    assert "0 matches counted" in update()
    assert "2 matches counted" in update("--all")
    rows = SeatFigures.objects.filter(seat__match=match).order_by("seat__number")
    assert [row.points for row in rows] == [seat.total for seat in match.seats.in_order()]


def test_another_version_is_counted_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    match = store_hosted()
    list(count_missing())
    monkeypatch.setattr(counting, "MEASURES_VERSION", MEASURES_VERSION + 1)
    assert [waiting.pk for waiting in uncounted()] == [match.pk]
    list(count_missing())
    assert not uncounted()


def test_only_matches_that_are_over_and_not_uploaded_are_counted() -> None:
    Match.objects.filter(pk=store().pk).update(origin=Match.Origin.UPLOADED)
    live, abandoned = store_hosted(), store_hosted()
    Match.objects.filter(pk=live.pk).update(state=Match.State.OPEN)
    Match.objects.filter(pk=abandoned.pk).update(state=Match.State.ABANDONED)
    assert list(uncounted()) == [abandoned]
    assert "1 match counted" in update("--all")


def test_the_newest_come_first_and_no_more_than_asked() -> None:
    matches = [store_hosted().pk for _ in range(3)]
    assert [match.pk for match in count_missing(2)] == matches[:0:-1]


def test_the_recent_are_found_by_their_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    matches = [store_hosted().pk for _ in range(3)]
    monkeypatch.setattr(counting, "RECENT", 2)
    assert [match.pk for match in uncounted(recent=True)] == matches[:0:-1]


def test_workers_count_and_rate_what_was_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "SHARE", 2)
    for _ in range(3):
        store_played("Ada", "Bo")
    look_round()
    look_round()
    job = Job.objects.get()
    assert (job.total, job.parts.count()) == (3, 3)
    work()
    job.refresh_from_db()
    assert job.result == {"failed": []}
    assert not uncounted()
    assert Rating.objects.get(player__name="Ada").matches == 3
    look_round()
    assert Job.objects.count() == 1


def test_after_a_change_of_measures_workers_count_all_again_the_newest_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    matches = [store_hosted("Ada", "Bo").pk for _ in range(6)]
    list(count_missing())
    monkeypatch.setattr(counting, "RECENT", 1)
    monkeypatch.setattr(ledger, "_MAX_SEATS", 4)
    monkeypatch.setattr(jobs, "SHARE", 1)
    monkeypatch.setattr(counting, "MEASURES_VERSION", MEASURES_VERSION + 1)
    shares = []
    look_round()
    while parts := list(JobPart.objects.filter(closes=False).order_by("number")):
        shares.append([part.share for part in parts])
        work()
        look_round()
    *older, newest = ([pk] for pk in matches)
    assert shares == [[newest], older[:2:-1], older[2:0:-1], older[:1]]


def test_what_was_counted_between_two_changes_is_counted_again_first() -> None:
    matches = [store_hosted("Ada", "Bo").pk for _ in range(4)]
    list(count_missing())
    SeatFigures.objects.update(version=1)
    SeatFigures.objects.filter(seat__match__in=matches[2:]).update(version=2)
    assert counting.counted_before(4) == matches[:1:-1]
    SeatFigures.objects.filter(version=2).update(version=MEASURES_VERSION)
    assert counting.counted_before(4) == matches[1::-1]


def test_a_match_that_fails_keeps_no_other_from_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    broken, fine = store_hosted(), store_hosted()
    Match.objects.filter(pk=broken.pk).update(header="no header")
    look_round()
    work()
    job = Job.objects.get()
    assert (job.state, job.result) == (Job.State.FINISHED, {"failed": [broken.pk]})
    assert SeatFigures.objects.filter(seat__match=fine).exists()
    look_round()
    assert Job.objects.count() == 1, "it is left alone for a while"
    monkeypatch.setattr(jobs, "PATIENCE", -jobs.PATIENCE)
    look_round()
    assert Job.objects.count() == 2
