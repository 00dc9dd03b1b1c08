"""Playlists to practise: where they stop, what is right, and for whom they are."""

from importlib import import_module
from itertools import pairwise

import pytest
from django.apps import apps

from games.archive.store import lines_of_rounds
from games.engine.events import Event, Play
from games.models import Match
from replays.analysis.windows import CLOSED, PLAYED, Window
from replays.models import Chapter, PlaylistItem, Study
from replays.studies import drills
from replays.studies.drills import FASTEST_MS, LEAST_MS, RoundTakes, opening_in, too_quick
from tests.narrowing import present
from tests.notes.browsers import guest, post, put
from tests.notes.making import fresh
from tests.studies.making import data, place
from tests.web.records import store

pytestmark = pytest.mark.django_db


def window(seat: int, card: str, begun: int, ended: int, taker: int | None) -> Window:
    """A chance to take stack 1, from and until after so many events, ended by that seat's play."""
    end = PLAYED if taker == seat else CLOSED
    play = None if taker is None else Play(ended * 1_000, taker, "A5a", 1, takes=3)
    times = begun * 1_000, ended * 1_000
    return Window(seat, card, 1, *times, end, takes=True, cards=3, play=play, span=(begun, ended))


def test_ones_own_missed_take_comes_first_and_otherwise_the_first_that_was_made() -> None:
    windows = [
        window(0, "A5a", 3, 6, 0),
        window(1, "B5a", 4, 6, 0),
        window(1, "BRa", 5, 6, 0),
        window(2, "C5a", 20, 21, 2),
    ]
    there = RoundTakes(windows, windows)
    mine = opening_in(there, (1, 0, 30), {1})
    assert mine is not None
    assert (mine.event, mine.seat, mine.answers) == (4, 1, (("B5a", 1),)), "the wild came later"
    made = opening_in(there, (1, 0, 30), ())
    assert made is not None
    assert (made.event, made.seat, made.limit_ms) == (3, 0, 3_000)
    late = opening_in(there, (1, 7, 30), ())
    assert late is not None
    assert (late.event, late.limit_ms) == (20, LEAST_MS), "a position has to be read first"
    assert opening_in(there, (1, 22, 30), ()) is None
    busy = present(opening_in(RoundTakes(windows), (1, 0, 30), {1}))
    assert busy.seat == 0, "nobody is asked about a take that they had no time for"


def test_takes_that_nobody_could_react_to_are_left_out() -> None:
    begin = window(0, "A5a", 3, 4, 0)
    quick = begin._replace(until=begin.since + FASTEST_MS - 1)
    long = window(1, "B5a", 5, 9, 1)._replace(until=5_000 + FASTEST_MS)
    assert opening_in(RoundTakes([quick]), (1, 0, 30), ()) is None
    assert too_quick(RoundTakes([quick]), (1, 0, 30), ())
    assert not too_quick(RoundTakes([quick]), (1, 8, 30), ()), "there is nothing to ask for"
    both = opening_in(RoundTakes([quick, long]), (1, 0, 30), ())
    assert both is not None
    assert both.seat == 1
    assert not too_quick(RoundTakes([quick, long]), (1, 0, 30), ())


def spans(match: Match) -> tuple[list[dict[str, int]], Play]:
    """A span around the first take of a match, one without, and that take."""
    events = [line for line in lines_of_rounds(match, 1, 1) if isinstance(line, Event)]
    at, take = next((n, e) for n, e in enumerate(events) if isinstance(e, Play) and e.takes)
    here = {"match": match.pk, "round": 1}
    return [{**here, "event": 0, "until": at + 1}, {**here, "event": 0, "until": 1}], take


def takes(match: Match) -> list[dict[str, int]]:
    """A span around each take of a match's first round, apart from the one before."""
    events = [line for line in lines_of_rounds(match, 1, 1) if isinstance(line, Event)]
    at = [0, *(n + 1 for n, event in enumerate(events) if isinstance(event, Play) and event.takes)]
    return [
        {"match": match.pk, "round": 1, "event": since, "until": until}
        for since, until in pairwise(at)
    ]


def test_a_playlist_becomes_questions_that_only_its_maker_sees() -> None:
    match = store()
    coach, learner, stranger = guest("Coach"), guest("Learner"), guest("Stranger")
    items, take = spans(match)
    made = post(coach, "/api/v1/playlists", key=fresh(), title="Takes", items=items).json()
    path = f"/playlists/{made['key']}/practise"
    assert learner.post(path).status_code == 404
    shared = {**made, "visibility": "everyone", "items": items}
    names = ("title", "revision", "visibility", "items")
    assert (
        put(coach, f"/api/v1/playlists/{made['key']}", **{n: shared[n] for n in names}).status_code
        == 200
    )
    led = learner.post(path)
    drill = Study.objects.get()
    assert led["Location"] == f"/practise/?study={drill.key}"
    assert learner.post(path)["Location"] == led["Location"], "the same spans, the same drill"
    assert stranger.get(f"/studies/{drill.key}/").status_code == 404
    assert "To practise" in learner.get("/studies/").content.decode()
    assert learner.get("/api/v1/studies").json()["studies"] == [], (
        "no chapters are added to a drill"
    )
    (asked,) = drill.chapters.all()
    right = {"do": "play", "card": take.card, "stack": take.stack}
    question = present(asked.question)
    assert right in question["answers"]
    assert (question["timed"], asked.view) == (True, str(take.seat))
    assert asked.shown_title == "Question 1"
    assert learner.post(f"{place(asked)}start").status_code == 302
    shown = learner.get(f"{place(asked)}?seq=3").content.decode()
    assert f'"card": "{take.card}"' not in shown, "its own maker has not answered yet"
    page = f"/playlists/{made['key']}/"
    withheld = f'until you have answered <a href="{place(asked)}">the question about it</a>.'
    assert withheld in learner.get(page).text
    said = post(learner, f"{data(asked)}answer", answer=right, ms=900).json()
    assert said["verdict"] == "right"
    assert "you can’t see" not in learner.get(page).text


def test_without_a_take_there_is_no_drill() -> None:
    match, coach = store(), guest("Coach")
    items = [{"match": match.pk, "round": 1, "event": 0, "until": 1}]
    made = post(coach, "/api/v1/playlists", key=fresh(), title="None", items=items).json()
    said = coach.post(f"/playlists/{made['key']}/practise", follow=True).content.decode()
    assert "There is nothing to practise here. No one takes anything in these spans" in said
    assert not Study.objects.exists()


def test_questions_are_as_if_a_coach_had_asked_them_and_stop_at_many_events(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, coach = store("Ada", "Bo", "Cy", target=100), guest("Coach")
    rounds = match.chunks.filter(round__gt=0).order_by("round")[:2]
    items = [
        {"match": match.pk, "round": chunk.round, "event": at, "until": at + 40}
        for chunk in rounds
        for at in range(0, chunk.events - 40, 40)
    ]
    key = post(coach, "/api/v1/playlists", key=fresh(), title="All", items=items).json()["key"]
    path = f"/playlists/{key}/practise"
    coach.post(path)
    drill = Study.objects.get()
    made = list(drill.chapters.order_by("number"))
    assert {row.round for row in made} == {1, 2}
    for row in made:
        again = f"/api/v1/studies/{drill.key}/chapters/{row.number}"
        assert put(coach, again, revision=1, question=row.question).status_code == 200
        assert drill.chapters.get(pk=row.pk).question == row.question
    drill.chapters.all().delete()
    monkeypatch.setattr(drills, "MOST_READ", rounds[0].events)
    coach.post(path)
    assert {row.round for row in drill.chapters.all()} == {1}


def test_a_drill_says_how_many_spans_are_too_quick_and_is_renamed_with_its_playlist(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, learner = store(), guest("Learner")
    items = takes(match)
    key = post(learner, "/api/v1/playlists", key=fresh(), title="Takes", items=items).json()["key"]
    path = f"/api/v1/playlists/{key}"
    assert "left out" not in learner.post(f"/playlists/{key}/practise", follow=True).text
    drill = Study.objects.get()
    before = drill.chapters.count()
    lengths = sorted(present(row.question)["limit"] for row in drill.chapters.all())
    monkeypatch.setattr(drills, "FASTEST_MS", lengths[-1])
    renamed = put(learner, path, title="Fives", revision=1, items=items)
    assert renamed.status_code == 200, renamed.content
    said = learner.post(f"/playlists/{key}/practise", follow=True).text
    drill.refresh_from_db()
    left = before - drill.chapters.count()
    assert (drill.shown_title, left > 0) == ("Practise: Fives", True)
    assert "“Fives”" in drill.shown_text
    assert f"{left} span" in said
    monkeypatch.setattr(drills, "FASTEST_MS", 10**9)
    said = learner.post(f"/playlists/{key}/practise", follow=True).content.decode()
    assert "too quick for any player" in said


def test_a_drill_follows_its_playlist_and_keeps_what_was_learned() -> None:
    match, learner = store(), guest("Learner")
    first, second = takes(match)[:2]
    made = post(learner, "/api/v1/playlists", key=fresh(), title="Takes", items=[first]).json()
    key = made["key"]
    path = f"/api/v1/playlists/{key}"

    def followed(*items: dict[str, int], revision: int) -> list[tuple[int, str]]:
        changed = put(learner, path, title="Takes", revision=revision, items=items)
        assert changed.status_code == 200, changed.content
        assert (
            learner.post(f"/playlists/{key}/practise")["Location"]
            == f"/practise/?study={drill.key}"
        )
        return [(row.number, row.shown_title) for row in drill.chapters.order_by("place")]

    learner.post(f"/playlists/{key}/practise")
    drill = Study.objects.get()
    (asked,) = drill.chapters.all()
    learner.post(f"{place(asked)}start")
    assert post(learner, f"{data(asked)}answer", answer=None, ms=1).status_code == 200
    assert followed(second, first, revision=1) == [(2, "Question 1"), (1, "Question 2")]
    assert followed(second, revision=2) == [(2, "Question 1")]
    assert learner.get(place(asked)).status_code == 404
    assert followed(first, second, revision=3) == [(1, "Question 1"), (2, "Question 2")]
    assert [attempt.verdict for attempt in asked.attempts.all()] == ["given up"]
    learner.post(f"{place(asked)}start")
    PlaylistItem.objects.filter(place=0).delete()
    learner.post(f"/playlists/{key}/practise")
    assert drill.chapters.count() == 2, "a question is open, and its match cannot be seen"
    assert Study.objects.count() == 1


def test_a_drill_is_named_in_each_readers_language_until_its_owner_names_it() -> None:
    match, learner = store(), guest("Learner")
    items = takes(match)[:1]
    key = post(learner, "/api/v1/playlists", key=fresh(), title="Takes", items=items).json()["key"]
    learner.post(f"/playlists/{key}/practise")
    drill = Study.objects.get()
    path = f"/studies/{drill.key}/"
    assert "Practise: Takes" in learner.get(path).text
    german = learner.get(path, headers={"accept-language": "de"}).text
    for words in ("Üben: Takes", "Fragen aus der Wiedergabeliste „Takes“", ">Frage 1<"):
        assert words in german
    address = f"/api/v1/studies/{drill.key}"
    shown = learner.get(address).json()
    as_it_was = {"title": shown["title"], "text": shown["text"]}
    assert put(learner, address, revision=shown["revision"], **as_it_was).status_code == 200
    assert "Üben: Takes" in learner.get(path, headers={"accept-language": "de"}).text
    revision = shown["revision"] + 1
    assert put(learner, address, revision=revision, title="Fives").json()["title"] == "Fives"
    learner.post(f"/playlists/{key}/practise")
    assert "<bdi>Fives</bdi></h1>" in learner.get(path, headers={"accept-language": "de"}).text


def test_titles_of_earlier_releases_become_facts() -> None:
    match, learner, key = store(), guest("Learner"), fresh()
    items = takes(match)[:2]
    post(learner, "/api/v1/playlists", key=key, title="Takes", items=items)
    learner.post(f"/playlists/{key}/practise")
    drill = Study.objects.get()
    Study.objects.update(title="Üben: Takes", text="Fragen …", html="<p>Fragen …</p>")
    first, second = drill.chapters.order_by("place")
    for row, at in ((first, 1), (second, 2)):
        Chapter.objects.filter(pk=row.pk).update(title=f"Frage {at}", place=at)
    migration = import_module("replays.migrations.0028_release_2_1_facts")
    migration.take_words_out(apps, None)
    drill.refresh_from_db()
    assert (drill.shown_title, drill.text, drill.worded_by) == ("Practise: Takes", "", "")
    named = [(row.pk, row.shown_title) for row in drill.chapters.order_by("place")]
    assert named == [(first.pk, "Question 1"), (second.pk, "Question 2")]
    own = {"title": "Practise: my fives", "text": "Mine.", "html": "<p>Mine.</p>"}
    Study.objects.update(**own, worded_by="Kim")
    migration.take_words_out(apps, None)
    assert Study.objects.values(*own).get() == own, "what its owner has written stays"
    Study.objects.update(title="Mine", worded_by="")
    migration.take_words_out(apps, None)
    drill.refresh_from_db()
    assert (drill.shown_title, drill.worded_by) == ("Mine", drill.by)
