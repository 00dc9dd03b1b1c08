"""News: who is told of what, once, and nothing of what they may no longer see."""

from dataclasses import replace
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import LiveTable, Match
from games.people import embargoes, person
from games.people.visitor import Author
from games.tables import opening
from replays import news
from replays.classes import children, members
from replays.classes.limits import today
from replays.homework import giving
from replays.homework.progress import report_done
from replays.models import Assignment, News, SchoolClass, Study
from replays.reviews import storage as reviews
from tests.classes.lesson import Lesson, lesson_of_kim
from tests.classes.making import class_with_kim, pupil, school_class, user_of
from tests.notes.browsers import account, guest, post, put, read_news
from tests.notes.making import fresh
from tests.studies.making import study
from tests.web.records import store_hosted

pytestmark = pytest.mark.django_db


def told(browser: Client) -> list[tuple[str, str]]:
    """What somebody is told, the newest first: by whom, and what."""
    rows = read_news(browser)
    return [(str(line.by), line.row.kind) for line in rows]


def unread(browser: Client, path: str = "/rules/") -> str:
    """What the bell says."""
    return str(browser.get(path).context["unread_news"])


def wrote(writer: Client, match: Match, text: str = "Look.", **fields: object) -> str:
    """A note on a match; its key."""
    key = fresh()
    said = {"key": key, "round": 1, "event": 3, "text": text, **fields}
    answer = post(writer, f"/api/v1/matches/{match.pk}/notes", **said)
    assert answer.status_code == 201, answer.content
    return key


def changed(writer: Client, key: str, **fields: object) -> None:
    """A note is changed."""
    now = writer.get(f"/api/v1/notes/{key}").json()
    said = {"revision": now["revision"], "text": now["text"], **fields}
    answer = put(writer, f"/api/v1/notes/{key}", **said)
    assert answer.status_code == 200, answer.content


# --- Of what -------------------------------------------------------------------------------------


def test_whoever_is_named_is_told_once_they_may_read_it() -> None:
    cora, kim, match = account("Cora"), account("Kim"), store_hosted("Ada", "Bo")
    key = wrote(cora, match, "@Kim, look.")
    assert told(kim) == [], "it is for its author alone"
    changed(cora, key, visibility="link")
    assert told(kim) == []
    changed(cora, key, visibility="everyone")
    assert unread(kim) == "1"
    assert told(kim) == [("Cora", "mention")]
    assert unread(kim) == ""
    changed(cora, key, text="@Kim, look again.")
    assert unread(kim) == ""
    page = kim.get("/news/").text
    assert "<bdi>Cora</bdi> mentioned you in a note on <a " in page
    assert f"#note={key}" in page


def test_whoever_is_answered_is_told() -> None:
    cora, kim, match = account("Cora"), account("Kim"), store_hosted("Ada", "Bo")
    key = wrote(kim, match, visibility="everyone")
    wrote(guest("Gus"), match, "@Kim, why?", reply=key, visibility="everyone")
    assert told(kim) == [("Gus", "reply")], "told once, though named too"
    wrote(kim, match, "Because.", reply=key, visibility="everyone")
    assert len(told(kim)) == 1, "nobody is told of what they do themselves"
    wrote(cora, match, "Hm.", reply=key)
    assert len(told(kim)) == 1, "that is for its author alone"


def test_notes_shared_on_one_match_are_one_piece_of_news() -> None:
    cora, kim, match = account("Cora"), account("Kim"), store_hosted("Ada", "Bo")
    there = school_class(cora)
    members.join(there, user_of(kim), "Kim")
    for audience in (f"class:{there.key}", "people", f"class:{there.key}"):
        wrote(cora, match, visibility=audience, readers=["Kim"] if audience == "people" else [])
        assert unread(kim) == "1"
    assert told(kim) == [("Cora", "notes")]
    key = wrote(cora, match, visibility="people", readers=["Kim"])
    assert unread(kim) == "1", "it is new again"
    assert len(told(kim)) == 1
    changed(cora, key, text="A slip mended.", visibility="people", readers=["Kim"])
    assert unread(kim) == ""


def test_notes_that_someone_shared_in_a_day_are_one_line() -> None:
    cora, bo, kim = account("Cora"), account("Bo"), account("Kim")
    for writer, seeds in ((bo, (0,)), (cora, (1, 2, 3))):
        for seed in seeds:
            match = store_hosted("Di", "Eve", seed=seed)
            wrote(writer, match, visibility="people", readers=["Kim"])
    page = kim.get("/news/")
    assert len(page.context["told"]) == 4
    assert page.text.count(" is-new") == 2
    assert "<summary>2 more</summary>" in page.text


def test_mentions_of_a_day_are_one_line() -> None:
    cora, kim = account("Cora"), account("Kim")
    match = store_hosted("Di", "Eve")
    for _ in range(3):
        wrote(cora, match, text="Look, @Kim", visibility="everyone")
    page = kim.get("/news/")
    assert page.text.count(" is-new") == 1
    assert "<summary>2 more</summary>" in page.text
    assert page.text.count("<time ") == 3, "each has its own"


def test_playlists_and_studies_that_are_shared() -> None:
    cora, kim, bo = account("Cora"), account("Kim"), account("Bo")
    made = post(cora, "/api/v1/playlists", key=fresh(), title="Takes", items=[]).json()
    at = f"/api/v1/playlists/{made['key']}"
    body = {"title": "Takes", "items": [], "visibility": "people", "readers": ["Kim"]}
    for revision in (1, 2):
        assert put(cora, at, revision=revision, **body).status_code == 200
    study(cora, visibility="people", readers=["Kim"], writers=["Bo"])
    assert told(kim) == [("Cora", "study"), ("Cora", "playlist")]
    assert told(bo) == [("Cora", "study")]
    assert told(cora) == []


def author(browser: Client) -> Author:
    """Who a browser's account is, as an author."""
    user = user_of(browser)
    return Author(person.encode(person.account(user.pk)), user.get_username(), user)


def opened(coach: Client, there: SchoolClass) -> str:
    """A table for a class; its id."""
    me = person.account(user_of(coach).pk)
    plan = opening.planned("usaopoly-2009", 2).sit(me, "Cora", 0)
    return opening.open_table(replace(plan, maker=me, school_class=there.key)).record_id


def test_a_class_is_told_of_its_tables_and_reviews() -> None:
    cora, match = account("Cora"), store_hosted("Ada", "Bo")
    there = school_class(cora)
    kim, _ = pupil(there, "Kim")
    table = opened(cora, there)
    reviews.start(match, author(cora), there.key)
    began, open_ = ("Cora", "review"), ("Cora", "table")
    assert told(kim) == [began, open_]
    assert told(cora) == []
    News.objects.update(read=None)
    assert (unread(kim), unread(kim, "/")) == ("2", "1"), "a line on the home page calls to it"
    LiveTable.objects.update(over=True)
    assert unread(kim) == "1", "the bell counts what the page shows"
    assert told(kim) == [began], "there is no match of it"
    Match.objects.filter(pk=match.pk).update(record_id=table)
    assert told(kim) == [began, open_]


def test_coaches_are_told_how_many_have_done_it_and_when_it_changes() -> None:
    lesson = Lesson()
    (kim, _), (bo, _) = pupil(lesson.there, "Kim"), pupil(lesson.there, "Bo")
    lesson.give()
    lesson.answers(kim)
    assert told(lesson.coach) == [], "a chapter is left to read"
    for count, browser in (("1 of 2", kim), ("2 of 2", bo)):
        lesson.answers(browser)
        lesson.opens(browser)
        assert unread(lesson.coach) == "1"
        assert told(lesson.coach) == [(count, "done")]
        lesson.answers(browser)
        assert unread(lesson.coach) == "", "it was done before"


def done_and_untold() -> tuple[Lesson, int]:
    """A lesson that its one pupil has done, of which no coach was told; the pupil's account."""
    lesson, kim = lesson_of_kim()
    lesson.give()
    lesson.opens(kim)
    lesson.answers(kim)
    News.objects.all().delete()
    Assignment.objects.update(notified_at=None)
    return lesson, int(user_of(kim).pk)


def test_coaches_are_told_though_the_first_try_is_cut_short() -> None:
    lesson, me = done_and_untold()

    def cut(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith("INSERT") and "replays_news" in sql:
            raise OperationalError("gone")
        return execute(sql, *rest)

    with connection.execute_wrapper(cut), pytest.raises(OperationalError):
        report_done(me)
    report_done(me)
    assert told(lesson.coach) == [("1 of 1", "done")]


def test_coaches_are_told_once_though_two_processes_look_at_once() -> None:
    lesson, me = done_and_untold()
    others: list[list[tuple[str, str]]] = []

    def overtaken(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith("UPDATE") and "replays_assignment" in sql and not others:
            others.append([])
            report_done(me)
            others[0] += told(lesson.coach)
        return execute(sql, *rest)

    with connection.execute_wrapper(overtaken):
        report_done(me)
    assert others == [[("1 of 1", "done")]]
    assert unread(lesson.coach) == "", "it was read meanwhile"


# --- Nothing of what one may no longer see -------------------------------------------------------


def test_what_one_may_no_longer_see_is_not_told() -> None:
    cora, match = account("Cora"), store_hosted("Ada", "Bo")
    there = school_class(cora)
    kim, member = pupil(there, "Kim")
    key = wrote(cora, match, "@Kim", visibility=f"class:{there.key}")
    other = wrote(cora, match, visibility=f"class:{there.key}")
    named, shared = ("Cora", "mention"), ("Cora", "notes")
    assert told(kim) == [shared, named]
    changed(cora, other, visibility="self")
    assert told(kim) == [shared, named], "the other note is on the same match"
    Match.objects.update(visibility=Match.Visibility.LINK)
    assert told(kim) == []
    Match.objects.update(visibility=Match.Visibility.PUBLIC)
    me = person.account(user_of(kim).pk)
    embargoes.begin(match, [me], 1)
    assert told(kim) == [], "there is a question to answer first"
    embargoes.lift(1)
    changed(cora, key, visibility="self")
    assert told(kim) == []
    study(cora, visibility=f"class:{there.key}")
    reviews.start(match, author(cora), there.key)
    opened(cora, there)
    giving.give(there, user_of(cora), study(cora), today())
    assert len(told(kim)) == 4
    members.leave(member)
    assert told(kim) == []
    assert News.objects.filter(user=user_of(kim)).count() == 6


def test_a_former_coach_is_told_of_no_homework() -> None:
    lesson = Lesson()
    kim, member = pupil(lesson.there, "Kim")
    lesson.give()
    lesson.opens(kim)
    lesson.answers(kim)
    assert len(told(lesson.coach)) == 1
    members.promote(member)
    mine = lesson.there.members.get(user=user_of(lesson.coach))
    members.demote(mine)
    assert told(lesson.coach) == []


def test_a_child_is_told_by_its_class_alone() -> None:
    cora, olga, match = account("Cora"), account("Olga"), store_hosted("Ada", "Bo")
    there = school_class(cora)
    (card,) = children.make(there, ["Zoe"])
    zoe = Client()
    zoe.force_login(there.members.get(name="Zoe").user)
    for writer in (olga, cora):
        wrote(writer, match, f"@{card.log_in}", visibility="everyone")
    wrote(cora, match, visibility="people", readers=[card.log_in])
    assert told(zoe) == [("Cora", "notes"), ("Cora", "mention")]


# --- The bell and its bounds ---------------------------------------------------------------------


def test_the_oldest_give_way(monkeypatch: pytest.MonkeyPatch) -> None:
    kim, bo = (user_of(account(name)) for name in ("Kim", "Bo"))
    monkeypatch.setattr(news, "MAX_NEWS", 3)
    for at in range(5):
        news.tell([kim.pk], News.Kind.STUDY, f"study-{at}", Author(name="Cora"))
    news.tell([kim.pk, bo.pk], News.Kind.STUDY, "study-5", Author(name="Cora"))
    left = News.objects.filter(user=kim).order_by("-at").values_list("key", flat=True)
    assert list(left) == ["study-5", "study-4", "study-3"]
    assert News.objects.filter(user=bo).count() == 1


def test_the_bell_counts_to_99() -> None:
    kim, now = account("Kim"), timezone.now()
    made = [Study(key=f"study-{at}", title="Lesson", visibility="everyone") for at in range(100)]
    Study.objects.bulk_create(made)
    rows = [News(user=user_of(kim), kind="study", key=lesson.key, at=now) for lesson in made]
    News.objects.bulk_create(rows[1:])
    assert unread(kim) == "99"
    rows[0].save()
    assert unread(kim) == "99+"


def queries(browser: Client, path: str) -> list[str]:
    """What a page asks of the database about news."""
    with CaptureQueriesContext(connection) as asked:
        assert browser.get(path).status_code == 200
    return [query["sql"] for query in asked if "replays_news" in query["sql"]]


def test_the_bell_costs_one_query_and_strangers_none() -> None:
    kim = account("Kim")
    for path in ("/rules/", "/matches/", "/"):
        assert len(queries(kim, path)) == 1
        assert queries(Client(), path) == []
        assert 'href="/news/"' in kim.get(path).text
        assert 'href="/news/"' not in Client().get(path).text


def test_what_is_seen_is_read_and_no_page_alone_reads_it() -> None:
    kim = account("Kim")
    key = study(account("Cora"), visibility="everyone").key
    news.tell([user_of(kim).pk], News.Kind.STUDY, key, Author(name="Cora"))
    assert unread(kim, "/news/") == "", "the page itself shows it"
    assert unread(kim) == "1"
    wrong = post(kim, "/api/v1/news/read", until="now")
    assert (wrong.status_code, wrong.json()["field"]) == (422, "until")
    assert post(guest("Bo"), "/api/v1/news/read", until="2100-01-01T00:00:00Z").json()
    assert unread(kim) == "1"
    read_news(kim)
    assert unread(kim) == ""
    assert kim.get("/news/").context["until"] == "", "nothing is left to read"


def test_what_comes_after_the_page_is_made_stays_new() -> None:
    kim = account("Kim")
    me = user_of(kim).pk
    for key in ("first", "second"):
        news.tell([me], News.Kind.STUDY, key, Author(name="Cora"))
    until = kim.get("/news/").context["until"]
    news.tell([me], News.Kind.STUDY, "first", Author(name="Cora"), again=True)
    news.tell([me], News.Kind.STUDY, "third", Author(name="Cora"))
    post(kim, "/api/v1/news/read", until=until)
    assert set(News.objects.filter(read=None).values_list("key", flat=True)) == {"first", "third"}


def test_three_of_each_take_as_many_queries_as_one() -> None:
    cora, there, kim, _ = class_with_kim()
    for_class = f"class:{there.key}"
    asked = []
    for at in range(3):
        match = store_hosted("Ada", "Bo", seed=at)
        Match.objects.filter(pk=match.pk).update(visibility=Match.Visibility.LINK)
        match.seats.filter(number=0).update(user=user_of(kim))
        match.seats.filter(number=1).update(user=user_of(cora))
        wrote(cora, match, "@Kim", visibility=for_class)
        wrote(cora, match, visibility=for_class)
        study(cora, visibility=for_class)
        reviews.start(match, author(cora), there.key)
        given = giving.give(there, user_of(cora), study(cora), today())
        giving.remind(given, given.assignments.all(), user_of(cora))
        LiveTable.objects.update(over=True)
        opened(cora, there)
        if at == 1:
            continue
        with CaptureQueriesContext(connection) as bare:
            Client().get("/rules/")
        with CaptureQueriesContext(connection) as counted:
            assert unread(kim) == ("7" if at == 0 else "13")
        assert len(counted) - len(bare) <= 20, "the session and the account are two of them"
        with CaptureQueriesContext(connection) as shown:
            assert len(told(kim)) == (7 if at == 0 else 19)
        asked.append(len(shown))
    assert asked[0] == asked[1]
