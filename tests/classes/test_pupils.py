"""A pupil's page, for the pupil and the coaches."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Account, Match, Seat
from games.people import embargoes, person
from games.people.person import encode
from replays.models import Attempt, Homework, Note, Playlist, SeatFigures, Study
from replays.players.counting import count_missing
from replays.stored import reports
from tests.classes.lesson import Lesson
from tests.classes.making import (
    class_of_cora,
    class_with_kim,
    joined,
    place,
    pupil,
    school_class,
    user_of,
)
from tests.notes.browsers import account, post
from tests.web.records import store_hosted

pytestmark = pytest.mark.django_db


def test_a_pupil_without_a_match_has_a_page() -> None:
    coach, there, kim, member = class_with_kim()
    for browser in (coach, kim):
        page = browser.get(place(there, "pupils", str(member.pk)))
        assert page.status_code == 200
        assert "There has been no homework yet." in page.text
        assert "public matches played here so far" not in page.text, "empty parts are left out"


def test_pupils_see_their_own_page_and_coaches_each() -> None:
    coach, there = class_of_cora()
    (kim, own), (_, bo) = pupil(there, "Kim"), pupil(there, "Bo")
    assert kim.get(place(there, "pupils", str(bo.pk))).status_code == 404
    assert coach.get(place(there, "pupils", str(bo.pk))).status_code == 200
    mine = there.members.get(role="coach")
    assert coach.get(place(there, "pupils", str(mine.pk))).status_code == 404
    elsewhere = school_class(account("Colin"), "5a")
    _, other = pupil(elsewhere, "Di")
    assert coach.get(place(there, "pupils", str(other.pk))).status_code == 404
    assert place(there, "pupils", str(own.pk)) in kim.get(place(there)).text
    assert place(there, "pupils", str(bo.pk)) not in kim.get(place(there)).text


def test_a_coach_reads_what_costs_a_pupil_most() -> None:
    coach, there, kim, member = class_with_kim()
    for seed in range(8):
        store_hosted("Kim", "Bo", seed=seed)
    list(count_missing())
    Seat.objects.filter(player__name="Kim").update(user=user_of(kim))
    for row in SeatFigures.objects.filter(seat__player__name="Kim"):
        costs = {kind: [0.1, 1, 1, 1, 3, 4] for kind in row.costs} | {
            "line": [-18, 90, 20, 0, 0, 0]
        }
        SeatFigures.objects.filter(pk=row.pk).update(costs=costs)
    page = coach.get(place(there, "pupils", str(member.pk))).text
    assert re.search(
        r"Get a faster connection.*?costs most now.*?about \d+ points", page, re.DOTALL
    )
    assert "Delay of the connection: 90\u00a0ms. The others at the same tables: 20\u00a0ms." in page
    assert "no downloads meanwhile" not in page
    assert "no downloads meanwhile" in kim.get(place(there, "pupils", str(member.pk))).text


def test_a_coach_reads_first_whether_practice_helped_and_a_child_reads_words() -> None:
    lesson = Lesson()
    kim, member = pupil(lesson.there, "Kim")
    began = timezone.now() - timedelta(days=40)
    for day in range(20):
        match = plays(kim, store_hosted("Kim", "Bo", seed=1))
        match.seats.filter(number=0).update(started_at=began + timedelta(days=day))
    list(count_missing())
    rows = SeatFigures.objects.filter(seat__number=0).order_by("seat__match")
    for day, row in enumerate(rows):
        costs = {kind: [0.1, 1, 1, 1, 3, 4] for kind in row.costs}
        costs["takes"] = [-30.0 if day < 12 else 0.0, 1_800, 1_100, 0, 0, 0]
        SeatFigures.objects.filter(pk=row.pk).update(costs=costs)
    at = place(lesson.there, "pupils", str(member.pk))
    assert "Since practice" not in lesson.coach.get(at).text, "there was none"
    Study.objects.filter(pk=lesson.study.pk).update(drill=True)
    practised = began + timedelta(days=12)
    learner = encode(person.account(user_of(kim).pk))
    Attempt.objects.create(chapter=lesson.asked, person=learner, answered=practised)
    page = lesson.coach.get(at).text
    said = r"Since practice \([^)]+\): lost \d+ points fewer a match \(\d+ to \d+\)\."
    first = re.search(said, page)
    assert first
    assert first.start() < page.index('id="priorities"') < page.index("There has been no homework")
    Account.objects.update_or_create(user=user_of(kim), defaults={"supervised": True})
    read = kim.get(at).text
    assert "You lose fewer points than before." in read
    assert not re.search(r"\(−?\d+ to −?\d+\)", read)
    for page in (read, kim.get("/players/Kim/").text):
        assert "95%" not in page
        assert 'class="interval">(' not in page


def test_a_match_under_an_embargo_counts_for_nothing_on_its_pupils_own_page() -> None:
    coach, there, kim, member = class_with_kim()
    matches = [plays(kim, store_hosted("Kim", "Bo", seed=seed)) for seed in range(5)]
    list(count_missing())
    embargoes.begin(matches[0], [person.account(user_of(kim).pk)], 1)
    at = place(there, "pupils", str(member.pk))
    mine, theirs = kim.get(at).context, coach.get(at).context
    assert [page["matches"] for page in (mine, theirs)] == [4, 5]
    assert [page["priorities"].matches for page in (mine, theirs)] == [4, 5]


def test_tags_and_notes_are_those_that_the_visitor_may_read() -> None:
    coach, there, kim, member = class_with_kim()
    other = account("Olga")
    match = store_hosted("Kim", "Bo")
    Seat.objects.filter(match=match, number=0).update(user=user_of(kim), started_at=timezone.now())
    said = {"round": 1, "event": 5, "tags": ["feeding"], "marks": ["seat:0"]}
    to_kim = {"visibility": "people", "readers": ["Kim"]}
    for number, (writer, text) in enumerate([(coach, "Wait here."), (other, "Psst.")]):
        told = post(
            writer,
            f"/api/v1/matches/{match.pk}/notes",
            key=f"note-of-a-test-{number}",
            text=text,
            **said,
            **to_kim,
        )
        assert told.status_code == 201, told.content
    at = place(there, "pupils", str(member.pk))
    mine, theirs = kim.get(at), coach.get(at)
    assert mine.context["tags"] == [("feeding", 2)]
    assert theirs.context["tags"] == [("feeding", 1)]
    assert {note.text for note, _ in mine.context["notes"]} == {"Wait here.", "Psst."}
    assert [note.text for note, _ in theirs.context["notes"]] == ["Wait here."]
    assert Note.objects.count() == 2


def test_of_a_former_pupil_only_the_results_are_left() -> None:
    lesson = Lesson()
    kim, member = pupil(lesson.there, "Kim")
    lesson.give()
    lesson.opens(kim)
    kim.post(place(lesson.there, "leave"))
    page = lesson.coach.get(place(lesson.there, "pupils", str(member.pk))).text
    assert "Left the class on" in page
    assert ">Notes</h2>" not in page
    assert "Openings" in page


def plays(client: Client, match: Match) -> Match:
    """This account has played seat 0 of a match, under the name Kim."""
    own = {"user": user_of(client), "started_at": timezone.now()}
    Seat.objects.filter(match=match, number=0).update(**own)
    return match


def test_a_coach_sends_a_pupils_missed_takes_with_one_press() -> None:
    coach, there, kim, member = class_with_kim()
    bo, _ = pupil(there, "Bo")
    at = place(there, "pupils", str(member.pk))
    told = coach.post(f"{at}drill/", follow=True)
    assert "has missed no take in the matches that you can see" in told.text
    plays(kim, store_hosted("Kim", "Bo"))
    Match.objects.update(visibility=Match.Visibility.LINK)
    told = coach.post(f"{at}drill/", follow=True)
    assert "has missed no take" in told.text, "the match is the pupil’s own affair"
    Match.objects.update(visibility=Match.Visibility.PUBLIC)
    for _ in range(2):
        given = coach.post(f"{at}drill/")["Location"]
    assert Homework.objects.count() == 2
    assert Playlist.objects.count() == 1, "the same takes are the same list"
    assert "Practise: Missed takes: Kim" in kim.get("/").text
    assert bo.get(given).status_code == 404
    assert (
        kim.post(given.rpartition("/homework/")[0] + f"/pupils/{member.pk}/drill/").status_code
        == 403
    )
    (playlist,) = Playlist.objects.all()
    drill = kim.post(f"/playlists/{playlist.key}/practise")["Location"]
    assert Study.objects.get(key=drill.partition("=")[2]).user == user_of(kim)
    assert kim.get("/").context["today"].practice.left > 0, "and its questions come back"


def test_a_coach_sends_what_a_pupil_was_tagged_with() -> None:
    coach, there, kim, member = class_with_kim()
    match = plays(kim, store_hosted("Kim", "Bo"))
    at = place(there, "pupils", str(member.pk))
    for tag, until in (("slow", 1), ("feeding", 60)):
        said = {"round": 1, "event": 0, "until": until, "tags": [tag], "marks": ["seat:0"]}
        path = f"/api/v1/matches/{match.pk}/notes"
        assert post(coach, path, key=f"note-of-a-tag-{tag}", text="", **said).status_code == 201
    page = coach.get(at)
    assert 'value="feeding"' in page.text
    assert 'value="feeding"' not in kim.get(at).text
    told = coach.post(f"{at}drill/", {"tag": "slow"}, follow=True)
    assert "No one could take anything in the spans tagged “slow”." in told.text
    told = coach.post(f"{at}drill/", {"tag": "feeding"}, follow=True)
    assert "Sent: Practise: feeding: Kim, due" in told.text
    (item,) = Playlist.objects.get().items.all()
    assert (item.event, item.until, item.label) == (0, 60, "feeding")


def test_matches_of_the_class_count_on_a_pupils_page_inside_it() -> None:
    coach, there, kim, member = class_with_kim()
    match = plays(kim, store_hosted("Kim", "Bo"))
    at = place(there, "pupils", str(member.pk))
    Match.objects.update(visibility=Match.Visibility.LINK)
    assert coach.get(at).context["matches"] == 0
    Match.objects.update(school_class=there.key)
    assert coach.get(at).context["matches"] == 1
    other = school_class(coach, "5a")
    elsewhere = joined(kim, other)
    assert coach.get(place(other, "pupils", str(elsewhere.pk))).context["matches"] == 0
    Seat.objects.filter(match=match, number=0).update(user=user_of(kim))
    member.name = "Kim of 4b"
    member.save()
    assert ">Kim of 4b</bdi>" in coach.get(place(there, "season")).text


def test_a_class_reads_its_own_names_in_its_matches_and_nobody_else_does() -> None:
    coach, bo = account("Cora"), account("Bo")
    there = school_class(coach)
    ada, member = pupil(there, "Ada")
    match = plays(ada, store_hosted("Ada", "Bo"))
    Seat.objects.filter(match=match, number=1).update(user=user_of(bo))
    Match.objects.update(school_class=there.key)
    member.name = "Ada K."
    member.save()
    reports.make(match)
    at, data = f"/matches/{match.pk}/", f"/api/v1/matches/{match.pk}"
    read = {}
    for browser, name in ((coach, "Ada K."), (ada, "Ada K."), (bo, "Ada")):
        page = browser.get(at)
        assert [seat["name"] for seat in page.context["match"]["seats"]] == [name, "Bo"]
        report = browser.get(f"{data}/analysis").json()
        assert report["seats"] == [name, "Bo"]
        told = [page.context["verdict"], *report["facts"]]
        told += [row["text"] for row in report["moments"]]
        told += [text for race in report["races"] for text in race["words"].values()]
        read[name] = " ".join([*told, browser.get(f"{data}/charts").text])
    assert read["Ada K."].count("Ada K.") == read["Ada"].count("Ada") > 20
    assert "Ada K." not in read["Ada"]
