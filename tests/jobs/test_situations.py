"""Situations over all matches: counted once, and shown to nobody who may not see their match."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.archive.moderation import delete, show
from games.engine.events import Play
from games.models import Match
from games.pages.words import day
from games.people import embargoes, person
from replays import situations as counting
from replays.analysis import situations as reading
from replays.models import StoredSituations
from replays.situations import count, look_round, waiting
from replays.stored.logs import timeline_of
from tests.guests import guest
from tests.jobs.counting import work as work_all
from tests.web.records import store, store_hosted

pytestmark = pytest.mark.django_db
TOP = "/api/v1/situations?top=2&height=1&hand="
"""Of any hand: what every match has."""


def work() -> None:
    look_round()
    work_all()


def shown(client: Client | None = None) -> int:
    """How many such situations somebody sees."""
    answer = (client or Client()).get(TOP).json()
    assert (answer["situations"] >= 10) == bool(answer["rows"])
    situations: int = answer["situations"]
    return situations


def there(match: Match) -> int:
    """How many there are in a match."""
    played = timeline_of(match).rounds
    listed = [situation for each in played for situation in reading.situations(each)]
    return sum(situation.kind[:2] == (2, 1) for situation in listed)


def make_private(match: Match, **fields: str) -> Match:
    show(match, Match.Visibility.LINK)
    Match.objects.filter(pk=match.pk).update(**fields)
    return match


def test_each_match_is_counted_once() -> None:
    first, other = store("Ada", "Bo"), store_hosted("Ada", "Bo", seed=2)
    work()
    work()
    count(first)
    assert shown() == there(first) + there(other) > 0
    assert not waiting()


def test_only_finished_matches_of_this_site_are_counted() -> None:
    for origin in (Match.Origin.UPLOADED, Match.Origin.IMPORTED):
        Match.objects.filter(pk=store().pk).update(origin=origin)
    for state in (Match.State.OPEN, Match.State.ABANDONED, Match.State.UNFINISHED):
        Match.objects.filter(pk=store_hosted().pk).update(state=state)
    guided = store_hosted()
    guided.seats.filter(number=1).update(temper="patient")
    assert not waiting()


def test_another_version_is_counted_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    match = store()
    work()
    monkeypatch.setattr(counting, "CURRENT", "another")
    assert shown() == 0
    work()
    assert shown() == there(match)
    assert StoredSituations.objects.count() == 1


def test_only_the_latest_matches_are_summed(monkeypatch: pytest.MonkeyPatch) -> None:
    store(seed=1)
    latest = store(seed=2)
    monkeypatch.setattr(counting, "LATEST", 1)
    for _ in range(2):
        work()
    assert StoredSituations.objects.count() == 2
    assert shown() == there(latest)


def test_a_private_match_counts_for_nobody() -> None:
    public, by_link, of_class = store(), store_hosted(seed=2), store_hosted(seed=3)
    by_link.seats.filter(number=0).update(guest="ada")
    make_private(by_link, token="the-key")
    make_private(of_class, school_class="the-class")
    work()
    assert [row.match for row in StoredSituations.objects.all()] == [public]
    for client in (Client(), guest("ada")):
        assert shown(client) == there(public)
        assert f"/matches/{by_link.pk}/" not in client.get(f"/situations/{TOP[18:]}").text


def test_a_match_that_is_listed_no_longer_leaves_the_counts_at_once() -> None:
    match, other = store(), store(seed=2)
    work()
    show(match, Match.Visibility.LINK)
    assert shown() == there(other)
    assert f"/matches/{match.pk}/" not in Client().get(f"/situations/{TOP[18:]}").text
    assert not waiting()
    show(match, Match.Visibility.PUBLIC)
    assert shown() == there(match) + there(other)


def test_a_deleted_match_leaves_the_counts_at_once() -> None:
    match, other = store(), store(seed=2)
    work()
    match.origin = Match.Origin.UPLOADED
    delete(match)
    assert StoredSituations.objects.count() == 1
    assert shown() == there(other)


def test_a_question_to_answer_keeps_its_match_from_one_person() -> None:
    match, other = store(), store(seed=2)
    work()
    embargoes.begin(match, [person.guest("ada")], 1)
    assert shown(guest("ada")) == there(other)
    assert f"/matches/{match.pk}/" not in guest("ada").get(f"/situations/{TOP[18:]}").text
    assert shown() == there(match) + there(other)
    show(match, Match.Visibility.LINK)
    assert shown(guest("ada")) == there(other), "it is not taken off twice"


def test_nothing_is_told_to_who_hides_results() -> None:
    match = store()
    work()
    client = Client()
    client.cookies["spoilers"] = "off"
    assert client.get(TOP).status_code == 403
    page = client.get("/situations/?top=2&height=1&hand=")
    assert "which you have hidden" in page.text
    assert "such stacks, " not in page.text
    place = f"match={match.pk}&round=1&seq=60&seat=0"
    assert client.get(f"/situations/?{place}").status_code == 200


def test_page_and_api_show_the_same() -> None:
    store(target=100)
    work()
    answer = Client().get(TOP).json()
    page = Client().get(f"/situations/{TOP[18:]}").text
    assert answer["text"] in page
    assert answer["matches"] == 1
    assert "Counted in the latest public match." in page
    for row in answer["rows"]:
        for figure in row["figures"].values():
            assert f">{figure['text']} <" in page
    (example, *_) = answer["moments"]
    assert example["picture"].replace("&", "&amp;") in page
    assert example["words"].endswith(f", {day(Match.objects.get().started_at)}")
    assert "</i> no one yet</span>" in page
    assert 'For programs: <a href="{}">JSON</a>'.format(TOP.replace("&", "&amp;")) in page


def test_an_example_shows_the_card_that_its_situation_is_about() -> None:
    match = store(target=100)
    work()
    moments = Client().get(TOP).json()["moments"]
    assert moments
    for example in moments:
        shown_at = {
            name: int(value)
            for address in (example["picture"], example["address"])
            for name, (value,) in parse_qs(urlsplit(address).query).items()
        }
        played = timeline_of(match).rounds[shown_at["round"] - 1]
        assert played.seqs[shown_at["event"] - 1] == shown_at["seq"]
        laid = played.events[shown_at["event"] - 1]
        assert isinstance(laid, Play)
        assert played.table(shown_at["event"]).tops[laid.stack] == 2


def test_of_few_situations_nothing_is_told() -> None:
    store()
    work()
    answer = Client().get("/api/v1/situations?top=1&height=5&hand=3").json()
    assert answer["rows"] == []
    assert "Too few" in answer["text"]


def test_a_moment_leads_to_its_situation() -> None:
    match = store_hosted()
    (played,) = timeline_of(match).rounds
    listed = reading.situations(played)
    took = next(situation for situation in listed if situation.end == reading.OWN)
    seqs = {event.t: seq for event, seq in zip(played.events, played.seqs, strict=True)}
    place = f"/situations/?match={match.pk}&round=1&seq={seqs[took.t + took.ms]}&seat={took.seat}"
    asked = parse_qs(urlsplit(Client().get(place)["Location"]).query)
    assert asked == {name: [str(value)] for name, value in took.kind._asdict().items()}
    Match.objects.filter(pk=match.pk).update(state=Match.State.OPEN)
    assert Client().get(place)["Location"] == "/situations/?", "nothing of hands during a match"
    make_private(match)
    assert Client().get(place).status_code == 404


@pytest.mark.parametrize("asked", ["match=x", "match=²&round=1&seq=1&seat=0"])
def test_a_place_that_is_none_leads_to_the_page(asked: str) -> None:
    assert Client().get(f"/situations/?{asked}")["Location"] == "/situations/?"
    assert Client().get("/situations/?top=9&height=x&hand=none").status_code == 200


def test_the_cost_does_not_grow_with_the_matches() -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            Client().get(TOP)
        return len(asked)

    store(seed=1)
    work()
    before = queries()
    for seed in range(2, 5):
        store(seed=seed)
    work()
    assert queries() == before
