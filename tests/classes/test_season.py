"""A class's season and its sheet of homework: who did how well, over which days."""

import csv
import re
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Match
from games.people import embargoes
from games.people.person import account as person_of
from replays.classes import children, members
from replays.models import ClassMember, SchoolClass
from replays.pages.classes import season
from tests.classes.lesson import Lesson, overdue
from tests.classes.making import class_of_cora, group, joined, place, pupil, user_of
from tests.notes.browsers import account, post
from tests.notes.making import fresh
from tests.studies.making import chapter
from tests.web.records import store_played

pytestmark = pytest.mark.django_db

DAY = datetime(2026, 3, 1, 18, tzinfo=UTC)


def csv_of(told: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(told.content.decode("utf-8-sig"))))


def match(there: SchoolClass, *names: str, on: int = 0, **totals: int) -> Match:
    """A finished match of the class so many days after the first, won by whoever has most."""
    played = store_played(*names)
    began = DAY + timedelta(days=on)
    Match.objects.filter(pk=played.pk).update(
        school_class=there.key, state="finished", started_at=began
    )
    for seat in played.seats.select_related("player"):
        total = totals[seat.player.name]
        won = total == max(totals.values())
        played.seats.filter(pk=seat.pk).update(total=total, won=won, started_at=began)
    return played


def table(
    browser: Client, there: SchoolClass, **asked: Any
) -> list[tuple[int, str, int, int, int]]:
    """The standings on the page: place, name, matches, won, points."""
    rows = browser.get(place(there, "season"), asked).context["standings"]
    return [(row.place, row.member.name, row.matches, row.won, row.points) for row in rows]


def club() -> tuple[Client, SchoolClass, Client, dict[str, ClassMember]]:
    """A coach, a class, and a pupil's browser, with three matches on days 0, 1 and 10."""
    coach, there = class_of_cora()
    kim, own = pupil(there, "Kim")
    people = {"Kim": own, **{name: pupil(there, name)[1] for name in ("Bo", "Di")}}
    match(there, "Kim", "Bo", Kim=40, Bo=10)
    match(there, "Kim", "Bo", on=1, Kim=5, Bo=20)
    match(there, "Bo", "Di", on=10, Bo=15, Di=30)
    return coach, there, kim, people


def test_standings_are_by_points_or_wins_over_the_days_in_the_address() -> None:
    coach, there, kim, _ = club()
    points = [(1, "Bo", 3, 1, 45), (1, "Kim", 2, 1, 45), (3, "Di", 1, 1, 30)]
    assert table(coach, there) == table(kim, there) == points
    won = [(1, "Bo", 3, 1, 45), (1, "Kim", 2, 1, 45), (1, "Di", 1, 1, 30)]
    assert table(coach, there, by="won") == won
    first = {"since": "2026-03-01", "until": "2026-03-02"}
    assert table(coach, there, **first) == [(1, "Kim", 2, 1, 45), (2, "Bo", 2, 1, 30)]
    assert table(coach, there, since="2026-03-03") == [(1, "Di", 1, 1, 30), (2, "Bo", 1, 0, 15)]
    assert table(coach, there, since="2027-01-01") == []
    for odd in ({"since": "soon", "by": "luck"}, {"until": "9999-12-31"}):
        assert table(coach, there, **odd) == points, "what makes no sense is left out"


def test_standings_count_finished_matches_of_the_class_and_who_is_in_it() -> None:
    coach, there, kim, people = club()
    outside = store_played("Kim", "Di")
    Match.objects.filter(pk=outside.pk).update(state="finished")
    left = match(there, "Kim", "Di", Kim=99, Di=1)
    Match.objects.filter(pk=left.pk).update(state="abandoned")
    members.leave(people["Bo"])
    assert table(coach, there) == [(1, "Kim", 2, 1, 45), (2, "Di", 1, 1, 30)]
    Match.objects.filter(pk=left.pk).update(rounds=1)
    for page in ("season", "tables"):
        page_of = {who: who.get(place(there, page)) for who in (coach, kim)}
        assert [len(shown.context["matches"]) for shown in page_of.values()] == [4, 3], page
        assert ">abandoned<" in page_of[coach].text, "where did the match go?"


def test_standings_leave_out_a_match_that_a_bot_played_for_a_pupil_from_the_beginning() -> None:
    coach, there, _, _ = club()
    won = Match.objects.latest("started_at")
    won.seats.filter(player__name="Di").update(stand_in=True)
    rest = [(1, "Bo", 3, 1, 45), (1, "Kim", 2, 1, 45)]
    assert table(coach, there) == rest, "Di did not come"
    assert "A bot played for <bdi>Di</bdi>" in coach.get(place(there, "season")).text
    won.seats.filter(player__name="Di").update(lag_ms=20)
    assert table(coach, there) == [*rest, (3, "Di", 1, 1, 30)], "she was there in a round"
    assert "A bot finished the match for <bdi>Di</bdi>" in coach.get(place(there, "season")).text


def test_each_pupils_matches_are_one_press_away_and_a_group_has_its_own_season() -> None:
    coach, there, kim, people = club()
    page = coach.get(place(there, "season"), {"since": "2026-03-01"})
    one = f"?since=2026-03-01&amp;pupil={people['Di'].pk}#matches"
    assert one in page.text
    (own,) = coach.get(place(there, "season"), {"pupil": people["Di"].pk}).context["matches"]
    assert [seat.name for seat in own.seats] == ["Di", "Bo"], "the winner is first"
    listed = kim.get(place(there, "season"), {"pupil": people["Bo"].pk})
    assert len(listed.context["matches"]) == 3
    assert place(there, "pupils", str(people["Bo"].pk)) not in listed.text
    at = f"{place(there, 'season')}?pupil={people['Bo'].pk}#matches"
    assert at in kim.get(place(there)).text, "and from the class's page"
    group(coach, there, "Beginners", people["Di"])
    assert table(coach, there, group="Beginners") == [(1, "Di", 1, 1, 30)]
    assert len(coach.get(place(there, "season"), {"group": "Beginners"}).context["matches"]) == 1
    assert kim.get(place(there, "season"), {"pupil": 2**20}).status_code == 404
    chosen = {"pupil": str(people["Bo"].pk), "group": "Beginners"}
    for name in ("season", "tags"):  # other days and groups keep the pupil
        page = kim.get(place(there, name), chosen)
        assert f'name="pupil" value="{people["Bo"].pk}"' in page.text


def test_a_question_or_hidden_results_keep_the_season_back() -> None:
    _, there, kim, _ = club()
    asked = Match.objects.latest("started_at")
    embargoes.begin(asked, [person_of(user_of(kim).pk)], 1)
    assert table(kim, there) == [(1, "Kim", 2, 1, 45), (2, "Bo", 2, 1, 30)]
    kim.post("/spoilers/", {"show": "off"})
    page = kim.get(place(there, "season"))
    assert page.context["standings"] == []
    assert "Standings would reveal results" in page.text
    assert ">won<" not in page.text


def test_a_season_is_paged_and_reads_no_more_for_more_matches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(season, "PAGE", 2)
    coach, there, _, _ = club()
    first, second = (coach.get(place(there, "season"), {"page": page}) for page in (1, 2))
    assert [len(page.context["matches"]) for page in (first, second)] == [2, 1]
    counts = []
    for more in (0, 6):
        for at in range(more):
            match(there, "Kim", "Di", on=20 + at, Kim=3, Di=2)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            coach.get(place(there, "season"))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_season_has_the_names_of_the_class_which_a_child_reads_too() -> None:
    _, there = class_of_cora()
    (card,) = children.make(there, ["Zoe Winterbottom"])
    joined(account("Bo"), there, "Bo the second")
    match(there, card.log_in, "Bo", **{card.log_in: 5, "Bo": 3})
    zoe = Client()
    zoe.force_login(there.members.get(name="Zoe Winterbottom").user)
    page = zoe.get(place(there, "season")).text
    assert "Zoe Winterbottom" in page
    assert "Bo the second" in page
    assert card.log_in not in page.partition("<main")[2]
    assert "Review it with the class" not in page


def test_tags_of_the_class_are_a_table_by_player_and_a_file() -> None:
    coach, there, kim, people = club()
    latest = Match.objects.latest("started_at")
    for visibility in ("self", f"class:{there.key}"):
        said = {"round": 1, "event": 1, "text": "", "tags": ["slow", "=1+1"], "marks": ["seat:0"]}
        body = {**said, "visibility": visibility, "key": fresh()}
        assert post(coach, f"/api/v1/matches/{latest.pk}/notes", **body).status_code == 201
    members.rename_member(people["Bo"], "Bo of 4b")
    at = place(there, "tags")
    assert 'aria-label="Play 2 of slow, Bo of 4b"' in coach.get(at).text
    assert 'aria-label="Play 1 of slow, Bo of 4b"' in kim.get(at).text, "what they may read"
    assert "No tags here." in coach.get(at, {"until": "2026-03-05"}).text
    assert "No tags here." in coach.get(at, {"pupil": people["Kim"].pk}).text
    (row,) = csv_of(coach.get(f"{at.rstrip('/')}.csv", {"since": "2026-03-05"}))
    assert row == {"player": "Bo of 4b", "slow": "2", "'=1+1": "2"}, "no column is a formula"


# --- Homework on one sheet -----------------------------------------------------------------------


def test_pupils_by_homework_stand_on_one_sheet_with_the_counts_of_each_page() -> None:
    lesson = Lesson()
    (kim, own), (bo, gone) = pupil(lesson.there, "Kim"), pupil(lesson.there, "Bo")
    pupil(lesson.there, "Di")
    given = lesson.give()
    for one in (kim, bo):
        lesson.opens(one)
        lesson.answers(one)
    members.leave(gone)
    for_kim = lesson.give(pupils=[own.pk], due=(DAY + timedelta(days=400)).date().isoformat())
    page = lesson.coach.get(place(lesson.there, "sheet"))
    sheet = page.context["sheet"]
    assert [(one, *tally) for one, tally in sheet.columns] == [(for_kim, 1, 1), (given, 1, 2)]
    cells = {row.member.name: [cell and cell.steps for cell in row.cells] for row in sheet.rows}
    assert cells == {"Di": [None, "0 of 2"], "Kim": ["2 of 2", "2 of 2"]}
    assert ">1 of 2</span></span></th>" in page.text
    for address in (place(lesson.there), place(lesson.there, "homework", given.key)):
        assert "1 of 2 done" in lesson.coach.get(address).text
    assert "1 of 2" in lesson.coach.get("/news/").text
    assert "Remind 1 pupil" in lesson.coach.get(place(lesson.there, "homework", given.key)).text
    overdue(given)
    text = lesson.coach.get(place(lesson.there, "sheet")).text
    late = re.findall(r'>(\w+)</bdi></a></th><td class="num"><span class="chip bad">1 late<', text)
    assert late == ["Di"], "of those who are not done"


def test_what_is_missing_is_on_the_sheet_and_on_the_pupils_page() -> None:
    lesson = Lesson()
    (kim, own), (_, other) = pupil(lesson.there, "Kim"), pupil(lesson.there, "Di")
    for _ in range(2):
        chapter(lesson.coach, lesson.study, lesson.match, title="And later")
    lesson.give()
    lesson.opens(kim)
    told = "Still to do: What now?, And later and And later"
    assert f'title="{told}">1 of 4<' in lesson.coach.get(place(lesson.there, "sheet")).text
    pages = [place(lesson.there, "pupils", str(one.pk)) for one in (own, other)]
    assert told in kim.get(pages[0]).text
    assert "Still to do" not in lesson.coach.get(pages[1]).text, "that is all of it"
    for _ in range(2):
        chapter(lesson.coach, lesson.study, lesson.match, title="Last")
    told = "Still to do: What now?, And later, And later and 2 more"
    assert told in lesson.coach.get(pages[0]).text


def test_the_sheet_as_csv_has_all_homework_and_no_formulas() -> None:
    lesson = Lesson()
    kim, own = pupil(lesson.there, "=Kim")
    given = [lesson.give() for _ in range(12)]
    lesson.opens(kim)
    group(lesson.coach, lesson.there, "+Adults", own)
    told = lesson.coach.get(place(lesson.there, "sheet.csv").rstrip("/"))
    (row,) = csv_of(told)
    assert (row["pupil"], row["group"], row["done"], row["given"]) == (
        "'=Kim",
        "'+Adults",
        "0",
        "12",
    )
    assert row[f"Openings, {given[0].due.isoformat()}"] == "begun: 1 of 2"
    assert len(lesson.coach.get(place(lesson.there, "sheet")).context["sheet"].columns) == 10


def test_a_second_coach_makes_groups_too() -> None:
    _, there = class_of_cora()
    second, member = pupil(there, "Colin")
    members.promote(member)
    _, kim = pupil(there, "Kim")
    for said, name in ((" Adults ", "Adults"), ("x" * 41, "Adults"), ("", "")):
        told = group(second, there, said, kim)
        kim.refresh_from_db()
        assert kim.group == name
        assert ("At most 40 characters" in told.text) == (len(said) > 40)


def test_a_groups_name_is_for_its_own_members_and_the_coaches() -> None:
    coach, there, kim, people = club()
    group(coach, there, "Beginners", people["Di"])
    group(coach, there, "Adults", people["Kim"])
    for page in ("", "season", "tags", "tables"):
        at = place(there, *filter(None, [page]))
        assert "Beginners" not in kim.get(at).text
        assert "Beginners" in coach.get(at).text
    assert "Adults" in kim.get(place(there)).text
    assert table(kim, there, group="Beginners") == []
