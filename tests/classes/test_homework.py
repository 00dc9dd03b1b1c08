"""Homework: giving it, doing it, and what the coach sees of whom."""

import csv
import re
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Match
from games.people.visitor import Reader
from replays.classes import members
from replays.classes.limits import ClassError, ends, today
from replays.homework import giving
from replays.models import Assignment, Homework, News, SchoolClass, Study
from replays.notes.access import StudyAccess
from replays.pages.classes import sheet
from tests.classes.lesson import Lesson, day, lesson_of_kim, overdue
from tests.classes.making import group, joined, place, pupil, user_of
from tests.notes.browsers import account, put
from tests.studies.making import chapter, study
from tests.studies.making import place as chapter_place

pytestmark = pytest.mark.django_db


def table(coach: Client, there: SchoolClass, given: Homework) -> dict[str, tuple[str, ...]]:
    """The coach's table, in its order: pupil, state, done, right at first."""
    rows = coach.get(place(there, "homework", given.key)).context["rows"]
    return {row.progress.member.name: (row.state, row.steps, row.right) for row in rows}


def waiting(page: Any) -> list[str]:
    """The pupils whom the page only names, since they have not begun."""
    listed = page.text.partition('id="waiting"')[2].partition("</ul>")[0]
    return re.findall(r'<li class="person"><a [^>]*><bdi>(.*?)</bdi>', listed)


def test_those_who_have_not_begun_are_late_as_their_homework_is() -> None:
    lesson = Lesson()
    pupil(lesson.there, "Ann")
    kim, _ = pupil(lesson.there, "Kim")
    given = lesson.give()
    Match.objects.update(visibility=Match.Visibility.LINK)
    lesson.match.seats.filter(number=0).update(user=user_of(kim))
    overdue(given)
    page = lesson.coach.get(place(lesson.there, "homework", given.key))
    assert waiting(page) == ["Ann", "Kim"], "Ann can open none of its chapters"
    assert "<summary>Not begun, late " in page.text


def test_home_shows_the_next_four_and_folds_the_rest() -> None:
    lesson, kim = lesson_of_kim()
    for after in range(1, 7):
        lesson.give(due=day(after))
    seen, folded = kim.get("/").text.split("<summary>2 more</summary>")
    assert seen.count("Openings</bdi>") == 4
    assert folded.count("Openings</bdi>") == 2


def test_a_pupil_sees_what_is_due_and_does_it_and_the_coach_sees_that() -> None:
    lesson = Lesson()
    (kim, _), (bo, _) = pupil(lesson.there, "Kim"), pupil(lesson.there, "Bo")
    assert kim.get(f"/studies/{lesson.study.key}/").status_code == 404
    given = lesson.give(words="Take <b>your</b> time.")
    at = place(lesson.there, "homework", given.key)
    assert at in kim.get("/").text
    assert ">offen</span>" in kim.get("/", headers={"accept-language": "de"}).text
    assert table(lesson.coach, lesson.there, given) == {
        "Bo": ("not begun", "0 of 2", ""),
        "Kim": ("not begun", "0 of 2", ""),
    }
    todo = kim.get(at)
    assert "Take &lt;b&gt;your&lt;/b&gt; time." in todo.text
    assert todo.context["next_url"] == chapter_place(lesson.read)
    lesson.opens(kim)
    assert kim.get(at).context["next_url"] == chapter_place(lesson.asked)
    lesson.answers(kim, right=False)
    back = f'href="{at}">Back to homework</a>'
    assert back in kim.get(chapter_place(lesson.asked), follow=True).text
    for browser, read in ((kim, lesson.read), (lesson.coach, lesson.asked)):
        assert back not in browser.get(chapter_place(read), follow=True).text
    lesson.answers(kim)
    assert table(lesson.coach, lesson.there, given) == {
        "Bo": ("not begun", "0 of 2", ""),
        "Kim": ("done", "2 of 2", "0 of 1"),
    }, "who has not come is first, and the first answer counts"
    page = lesson.coach.get(at)
    assert waiting(page) == ["Bo"], "a list of names is enough for them"
    assert "<bdi>Bo<" not in page.text.partition("<tbody>")[2]
    assert at not in kim.get("/").text
    assert at in bo.get("/").text
    assert "1 of 2 done" in lesson.coach.get(place(lesson.there)).text
    assert "wrong, 2 attempts" in kim.get(at).text


def test_times_are_from_start_and_from_the_stop() -> None:
    lesson, kim = lesson_of_kim()
    given = lesson.give(address=chapter_place(lesson.asked), study="")
    assert given.title == "Openings: What now?"
    lesson.answers(kim)
    tried = lesson.asked.attempts.get()
    assert tried.answered is not None
    lesson.asked.attempts.update(opened=tried.answered - timedelta(seconds=8))
    (row,) = lesson.coach.get(place(lesson.there, "homework", given.key)).context["rows"]
    assert (row.from_start, row.from_stop, row.steps) == ("8.0\u00a0s", "0.9\u00a0s", "1 of 1")
    lesson.asked.attempts.update(opened=tried.answered)
    (row,) = lesson.coach.get(place(lesson.there, "homework", given.key)).context["rows"]
    assert row.from_start == "", "no time is no result"


def test_a_table_for_germans_has_semicolons_and_decimal_commas() -> None:
    lesson, kim = lesson_of_kim()
    lesson.give()
    lesson.answers(kim)
    lesson.coach.post("/account/language/", {"language": "de"})
    told = lesson.coach.get(place(lesson.there, "homework.csv").rstrip("/")).content.decode(
        "utf-8-sig"
    )
    (row,) = [
        row for row in csv.DictReader(StringIO(told), delimiter=";") if row["attempts"] == "1"
    ]
    assert "0,9" in row.values()


def test_the_csv_has_everything_and_no_formulas() -> None:
    lesson = Lesson()
    kim, member = pupil(lesson.there, "Kim")
    members.rename_member(member, "=HYPERLINK(1)")
    pupil(lesson.there, "Bo")
    given = lesson.give()
    lesson.answers(kim)
    for path in (
        place(lesson.there, "homework", f"{given.key}.csv"),
        place(lesson.there, "homework.csv"),
    ):
        told = lesson.coach.get(path.rstrip("/"))
        rows = list(csv.DictReader(StringIO(told.content.decode("utf-8-sig"))))
        assert len(rows) == 4, "a line for each pupil and chapter"
        (done,) = [row for row in rows if row["first_answer"]]
        assert (done["pupil"], done["account"], done["step"]) == ("'=HYPERLINK(1)", "Kim", "2")
        assert (done["first_answer"], done["attempts"], done["from_stop_s"]) == (
            "right",
            "1",
            "0.9",
        )


def test_names_are_in_the_order_of_their_numbers_and_letters() -> None:
    lesson = Lesson()
    for number in (10, 2, 1):
        joined(account(f"P{number}"), lesson.there, f"{'pP'[number % 2]}upil {number}")
    for name in ("Zoë", "Åsa"):
        joined(account(name), lesson.there, name)
    given = [lesson.give(), lesson.give()]
    names = ["Åsa", "Pupil 1", "pupil 2", "pupil 10", "Zoë"]
    page = lesson.coach.get(place(lesson.there))
    assert [row.name for row in page.context["pupils"]] == names
    assert [*table(lesson.coach, lesson.there, given[0])] == names
    told = lesson.coach.get(place(lesson.there, "homework.csv").rstrip("/")).content
    rows = [row["pupil"] for row in csv.DictReader(StringIO(told.decode("utf-8-sig")))]
    assert rows == [name for name in [*names, *names] for _ in range(2)]


def test_a_day_counts_until_it_is_over_everywhere() -> None:
    assert ends(date(2027, 3, 31)) == datetime(2027, 4, 1, 12, tzinfo=UTC)
    lesson, kim = lesson_of_kim()
    bo, _ = pupil(lesson.there, "Bo")
    given = lesson.give(due=day(0))
    for rest in ((), (given.key,)):
        form = lesson.coach.get(place(lesson.there, "homework", *rest)).text
        assert "The day counts until it is over everywhere" in form
    lesson.opens(kim)
    lesson.answers(kim)
    overdue(given)
    assert table(lesson.coach, lesson.there, given) == {
        "Bo": ("not begun, late", "0 of 2", ""),
        "Kim": ("done, late", "2 of 2", "1 of 1"),
    }
    home = bo.get("/").text
    assert ">late</span>" in home
    begin = place(lesson.there, "homework", given.key)
    assert f'class="button small primary" href="{begin}">Begin</a>' in home
    page = lesson.coach.get(place(lesson.there, "homework", given.key)).text
    assert '<details id="waiting" open>' in page, "the coach sees at once who is late"
    for nothing_to_do in (lesson.coach, kim):
        assert f'<li><a href="{place(lesson.there)}">' in nothing_to_do.get("/").text
    endings = study(lesson.coach, "Endings")
    chapter(lesson.coach, endings, lesson.match, title="Look there")
    earlier = lesson.give(study=endings.key)
    Homework.objects.filter(pk=earlier.pk).update(due=given.due - timedelta(days=9))
    member = lesson.there.members.get(user__username="Kim")
    own = kim.get(place(lesson.there, "pupils", str(member.pk))).text
    to_do = own.index(place(lesson.there, "homework", earlier.key))
    assert to_do < own.index("done, late"), "what is to do comes first"


def test_overdue_homework_comes_first_on_the_class_page_while_someone_has_it_to_do() -> None:
    lesson, kim = lesson_of_kim()
    first, other = lesson.give(), lesson.give(due=day(9))
    overdue(first)
    page = lesson.coach.get(place(lesson.there))
    assert [one for one, *_ in page.context["homework"]] == [first, other]
    assert page.text.count(">1 late</span>") == 1
    lesson.opens(kim)
    lesson.answers(kim)
    page = lesson.coach.get(place(lesson.there))
    assert [one for one, *_ in page.context["homework"]] == [other], "it is done"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"due": "2020-01-01"}, "That day is past"),
        ({"due": "9999-01-01"}, "more than two years away"),
        ({"due": "soon"}, "Expected a day"),
        ({"study": ""}, "Choose a study, or paste an address."),
        ({"study": "nowhere"}, "no such study"),
        ({"study": "", "address": "/matches/1/"}, "not the address of a study"),
        ({"study": "", "address": "http://[/studies/x/"}, "not the address of a study"),
        ({"address": "/studies/x/"}, "Choose one of them."),
        ({"pupils": ["999999"]}, "not in the class any more"),
        ({"words": "x" * 1_001}, "at most 1000 characters"),
        ({"kind": "drill", "playlist": "nowhere"}, "no such playlist of yours"),
        ({"kind": "drill"}, "This field is required"),
        ({"kind": "play", "what": "matches", "count": "0"}, "greater than or equal to 1"),
        ({"kind": "play", "what": "walks", "count": "3"}, "not one of the available choices"),
    ],
)
def test_what_cannot_be_given_says_why(fields: dict[str, Any], words: str) -> None:
    lesson = Lesson()
    said = {"study": lesson.study.key, "due": day(3), "words": "Slowly.", **fields}
    kind = said.pop("kind", "study")
    told = lesson.coach.post(f"{place(lesson.there, 'homework')}?kind={kind}", said)
    assert told.status_code == 422
    assert words in told.text
    assert said["words"] in told.text
    assert not Homework.objects.exists()


def test_a_study_may_be_left_open_where_an_address_will_do() -> None:
    lesson = Lesson()
    for kind, first in (("study", "None"), ("drill", "Choose one")):
        page = lesson.coach.get(place(lesson.there, "homework"), {"kind": kind})
        assert f'<option value="" selected>{first}</option>' in page.text


def test_a_deleted_study_is_refused() -> None:
    lesson = Lesson()
    lesson.study.deleted = timezone.now()
    with pytest.raises(ClassError, match="deleted"):
        giving.give(lesson.there, user_of(lesson.coach), lesson.study, today())


def test_homework_is_for_a_group_and_for_some_pupils_beside_it() -> None:
    lesson = Lesson()
    kim, bo, di = (pupil(lesson.there, name)[1] for name in ("Kim", "Bo", "Di"))
    assert 'name="group"' not in lesson.coach.get(place(lesson.there, "homework")).text
    group(lesson.coach, lesson.there, "Adults", kim)
    group(lesson.coach, lesson.there, "Children", di)
    for said, names in (({}, "Kim"), ({"pupils": [bo.pk]}, "Bo Kim")):
        given = lesson.give(group="Adults", **said)
        rows = given.assignments.order_by("member__name")
        assert " ".join(rows.values_list("member__name", flat=True)) == names
        assert not given.everyone


def test_only_a_study_that_the_coach_may_change_is_opened_by_giving_it() -> None:
    lesson = Lesson()
    other = account("Olga")
    theirs = study(other, "Theirs", visibility="people", readers=["Cora"])
    told = lesson.coach.post(
        place(lesson.there, "homework"), {"address": f"/studies/{theirs.key}/", "due": day(1)}
    )
    assert (told.status_code, "You can give studies" in told.text) == (422, True)
    kim, _ = pupil(lesson.there, "Kim")
    put(other, f"/api/v1/studies/{theirs.key}", revision=2, visibility="everyone")
    lesson.give(study="", address=f"https://some.host/studies/{theirs.key}/")
    assert kim.get(f"/studies/{theirs.key}/").status_code == 200
    put(other, f"/api/v1/studies/{theirs.key}", revision=3, visibility="self")
    assert kim.get(f"/studies/{theirs.key}/").status_code == 404, "its owner decides"


def test_homework_opens_its_study_to_whom_it_is_for_and_no_longer() -> None:
    lesson = Lesson()
    (kim, member), (bo, _) = pupil(lesson.there, "Kim"), pupil(lesson.there, "Bo")
    second = account("Colin")
    members.promote(joined(second, lesson.there))
    given = lesson.give(pupils=[member.pk])
    path = f"/studies/{lesson.study.key}/"

    def may() -> list[bool]:
        access = StudyAccess.of(Study.objects.get(pk=lesson.study.pk))
        allowed = []
        for browser in (kim, bo, second):
            user = user_of(browser)
            asked = browser.get(path).status_code == 200
            assert asked == access.may_read(Reader((f"user:{user.pk}",), user.pk))
            allowed.append(asked)
        return allowed

    assert may() == [True, False, True]
    giving.delete(given)
    assert may() == [False, False, False]
    giving.restore(given)
    members.delete(lesson.there)
    assert may() == [False, False, False]
    members.restore(lesson.there)
    Study.objects.filter(pk=lesson.study.pk).update(hidden=True)
    assert may() == [False, False, False]
    Study.objects.filter(pk=lesson.study.pk).update(hidden=False)
    kim.post(place(lesson.there, "leave"))
    assert may() == [False, False, True]


def test_whoever_joins_later_has_to_do_what_everybody_has_and_is_not_over() -> None:
    lesson = Lesson()
    _, member = pupil(lesson.there, "Kim")
    for_all, for_some, over = lesson.give(), lesson.give(pupils=[member.pk]), lesson.give()
    overdue(over)
    bo, _ = pupil(lesson.there, "Bo")
    has = set(Assignment.objects.filter(member__name="Bo").values_list("homework", flat=True))
    assert has == {for_all.pk}
    assert place(lesson.there, "homework", for_some.key) not in bo.get(place(lesson.there)).text


def test_what_is_homework_again_is_for_whoever_has_come_meanwhile_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lesson = Lesson()
    for_all, over = lesson.give(), lesson.give()
    overdue(over)
    lesson.coach.post(place(lesson.there, "homework", for_all.key, "change"), {"do": "delete"})
    _, bo = pupil(lesson.there, "Bo")
    _, dan = pupil(lesson.there, "Dan")
    members.promote(dan)
    assert not Assignment.objects.exists()
    lesson.coach.post(place(lesson.there, "homework", for_all.key, "change"), {"do": "restore"})
    postponed = {"do": "postpone", "due": day(2)}
    lesson.coach.post(place(lesson.there, "homework", over.key, "change"), postponed)
    has = Assignment.objects.filter(member=bo).values_list("homework", flat=True)
    assert set(has) == {for_all.pk, over.pk}
    members.demote(dan)
    assert Assignment.objects.filter(member=dan).count() == 2

    lesson.coach.post(place(lesson.there, "homework", over.key, "change"), {"do": "delete"})
    monkeypatch.setattr(giving, "MOST_HOMEWORK", 1)
    change = place(lesson.there, "homework", over.key, "change")
    assert "at most 1" in lesson.coach.post(change, {"do": "restore"}, follow=True).text
    assert Homework.objects.filter(deleted=None).count() == 1


def test_results_end_on_the_day_of_leaving() -> None:
    lesson, kim = lesson_of_kim()
    Study.objects.filter(pk=lesson.study.pk).update(visibility="everyone")
    given = lesson.give()
    lesson.opens(kim)
    kim.post(place(lesson.there, "leave"))
    lesson.answers(kim)
    assert table(lesson.coach, lesson.there, given) == {"Kim": ("begun", "1 of 2", "")}


def test_homework_whose_study_is_deleted_says_so_and_keeps_what_was_done() -> None:
    lesson, kim = lesson_of_kim()
    bo, _ = pupil(lesson.there, "Bo")
    given = lesson.give()
    lesson.opens(kim)
    at = place(lesson.there, "homework", given.key)
    Study.objects.filter(pk=lesson.study.pk).update(deleted=timezone.now())
    assert '<ol class="steps' not in bo.get(at).text
    gone = kim.get(at).text
    assert '<ol class="steps' in gone
    assert "The material was deleted" in gone
    assert [word in gone for word in ("Look here", "What now?", "Due ")] == [True, False, False]
    assert at not in kim.get("/").text
    assert "The material was deleted" in lesson.coach.get(at).text
    assert table(lesson.coach, lesson.there, given)["Kim"] == ("begun", "1 of 2", "")
    Homework.objects.filter(pk=given.pk).update(study=None)
    assert [browser.get(at).status_code for browser in (kim, lesson.coach)] == [200, 200]
    assert "Openings" in kim.get(at).text


def test_a_deleted_chapter_is_no_homework_any_more_and_its_answers_stay() -> None:
    lesson, kim = lesson_of_kim()
    given = lesson.give(study="", address=chapter_place(lesson.asked))
    lesson.answers(kim)
    lesson.coach.delete(
        f"/api/v1/studies/{lesson.study.key}/chapters/2",
        {"revision": 1},
        content_type="application/json",
    )
    assert table(lesson.coach, lesson.there, given) == {"Kim": ("done", "1 of 1", "1 of 1")}
    assert "The material was deleted" in kim.get(place(lesson.there, "homework", given.key)).text


def test_homework_is_postponed_deleted_and_restored() -> None:
    lesson, kim = lesson_of_kim()
    given = lesson.give()
    at = place(lesson.there, "homework", given.key)
    change = f"{at}change/"
    lesson.coach.post(change, {"do": "postpone", "due": day(20)})
    assert Homework.objects.get().due.isoformat() == day(20)
    told = lesson.coach.post(change, {"do": "postpone", "due": "2020-01-01"}, follow=True)
    assert "That day is past" in told.text
    assert Homework.objects.get().due.isoformat() == day(20)
    lesson.coach.post(change, {"do": "delete"})
    assert kim.get(at).status_code == 404
    assert at not in lesson.coach.get(place(lesson.there)).text
    assert at in lesson.coach.get(place(lesson.there, "sheet")).text
    lesson.coach.post(change, {"do": "restore"})
    assert kim.get(at).status_code == 200


def test_deleted_homework_is_listed_page_by_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet, "PAGE", 1)
    lesson = Lesson()
    given = [lesson.give() for _ in range(3)]
    for work in given:
        giving.delete(work)
    pages = [lesson.coach.get(place(lesson.there, "sheet"), {"deleted": page}) for page in (1, 2)]
    assert [page.context["deleted"] for page in pages] == [[given[2], given[1]], [given[0]]]
    assert ["?deleted=2#deleted" in page.text for page in pages] == [True, False]


def test_a_class_and_a_home_page_take_no_more_queries_for_more_homework_and_pupils() -> None:
    lesson, kim = lesson_of_kim()
    given = lesson.give()
    at = place(lesson.there, "homework", given.key)
    paths = [place(lesson.there, *rest) for rest in ((), ("together",), ("sheet",))] + [at]
    files = [place(lesson.there, "homework.csv").rstrip("/"), f"{at.rstrip('/')}.csv"]

    def queries() -> list[int]:
        """Of each page, and of a reminder."""
        counts = []
        for browser, path in [(kim, "/"), *((lesson.coach, path) for path in (*paths, *files))]:
            browser.get(path)
            with CaptureQueriesContext(connection) as asked:
                assert browser.get(path).status_code == 200
            counts.append(len(asked))
        News.objects.filter(kind=News.Kind.REMINDER).delete()
        with CaptureQueriesContext(connection) as asked:
            lesson.coach.post(f"{at}change/", {"do": "remind"})
        return [*counts, len(asked)]

    few = queries()
    for number in range(3):
        learner, _ = pupil(lesson.there, f"Pupil{number}")
        lesson.opens(learner)
        lesson.give()
    assert queries() == few


def test_a_chapter_on_a_match_that_pupils_cannot_see_is_no_homework() -> None:
    lesson = Lesson()
    pupil(lesson.there, "Kim")
    Match.objects.update(visibility=Match.Visibility.LINK)
    said = {"study": lesson.study.key, "due": day(7)}
    told = lesson.coach.post(place(lesson.there, "homework"), said)
    assert told.status_code == 422
    assert "Your pupils can’t see the match of “Look here”." in told.text
    assert not Homework.objects.exists()
    Match.objects.update(school_class=lesson.there.key)
    lesson.give()


def test_a_pupil_who_sat_in_a_private_match_can_do_a_chapter_on_it() -> None:
    lesson = Lesson()
    kim, member = pupil(lesson.there, "Kim")
    Match.objects.update(visibility=Match.Visibility.LINK)
    lesson.match.seats.filter(number=0).update(user=user_of(kim))
    given = lesson.give(pupils=[member.pk])
    assert table(lesson.coach, lesson.there, given) == {"Kim": ("not begun", "0 of 2", "")}


def test_a_step_that_can_no_longer_be_done_is_not_counted_and_the_coach_is_told() -> None:
    lesson, kim = lesson_of_kim()
    given = lesson.give()
    lesson.opens(kim)
    Match.objects.update(visibility=Match.Visibility.LINK)
    assert table(lesson.coach, lesson.there, given) == {"Kim": ("done", "1 of 1", "")}
    page = lesson.coach.get(place(lesson.there, "homework", given.key)).text
    titles = "“<bdi>Look here</bdi>” and “<bdi>What now?</bdi>”"
    assert f"Pupils can’t see the match of {titles}. These chapters are not counted." in page
