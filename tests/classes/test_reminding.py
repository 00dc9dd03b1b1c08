"""Homework in a calendar, and among the news."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest
from django.test import Client

from replays.classes.calendar import Entry, calendar
from replays.models import Homework, HomeworkCalendar, SchoolClass
from tests.classes.lesson import Lesson, day
from tests.classes.making import place, pupil

pytestmark = pytest.mark.django_db


def test_the_calendar_of_a_pupil_has_what_is_due_and_needs_no_log_in() -> None:
    lesson = Lesson()
    kim, _ = pupil(lesson.there, "Kim")
    given = lesson.give(due=day(3))
    made = kim.post("/classes/calendar/", follow=True).text
    (link,) = re.findall(r'value="http://testserver(/classes/calendar/[^"]+[.]ics)"', made)
    told = Client().get(link)
    assert told["Content-Type"] == "text/calendar; charset=utf-8"
    text = told.content.decode()
    assert f"DTSTART;VALUE=DATE:{day(3).replace('-', '')}\r\n" in text
    assert "SUMMARY:Openings (4b)\r\n" in text
    assert f"URL:http://testserver{place(lesson.there, 'homework', given.key)}" in unfolded(text)
    lesson.opens(kim)
    lesson.answers(kim)
    assert "SUMMARY:Done: Openings (4b)" in Client().get(link).content.decode()
    kim.post("/classes/calendar/")
    assert Client().get(link).status_code == 404, "a new link closes the old one"


def test_a_calendar_has_nothing_of_a_class_that_was_left_or_deleted() -> None:
    lesson = Lesson()
    kim, _ = pupil(lesson.there, "Kim")
    lesson.give()
    kim.post("/classes/calendar/")
    link = f"/classes/calendar/{HomeworkCalendar.objects.get().token}.ics"
    assert "Openings" in Client().get(link).content.decode()
    kim.post(place(lesson.there, "leave"), {"results": "leave"})
    assert "Openings" not in Client().get(link).content.decode()


def unfolded(text: str) -> str:
    """A calendar's text with whole lines."""
    return text.replace("\r\n ", "")


def test_a_calendar_is_written_as_rfc_5545_says() -> None:
    long = Homework(
        key="k", given_title="五" * 60, words="A, b; c\\d\r\nBEGIN:VEVENT", due=date(2027, 12, 31)
    )
    long.school_class = SchoolClass(name="4b")
    now = datetime(2027, 1, 2, 3, 4, 5, tzinfo=UTC)
    text = calendar([Entry(long, False, "http://h/x")], "h", now)
    assert max(len(line.encode()) for line in text.split("\r\n")) <= 75
    lines = unfolded(text).split("\r\n")
    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines[-2:] == ["END:VCALENDAR", ""]
    assert lines.count("BEGIN:VEVENT") == 1, "words open no entry"
    assert f"SUMMARY:{'五' * 60} (4b)" in lines
    assert "DTEND;VALUE=DATE:20280101" in lines
    assert "DESCRIPTION:A\\, b\\; c\\\\d\\nBEGIN:VEVENT\\nhttp://h/x" in lines
    assert "DTSTAMP:20270102T030405Z" in lines


def news(browser: Client) -> list[tuple[str, str, str]]:
    """What somebody is told, from the newest on: by whom, what, of what."""
    told = browser.get("/news/").context["told"]
    return [(line.by, line.row.get_kind_display(), line.about.title) for line in told]


def test_whoever_has_not_done_it_is_reminded_among_their_news() -> None:
    lesson = Lesson()
    (kim, _), (bo, _), (di, _) = (pupil(lesson.there, name) for name in ("Kim", "Bo", "Di"))
    given = lesson.give()
    at = place(lesson.there, "homework", given.key)
    lesson.opens(di)
    lesson.answers(di)
    title = f"Openings, due {given.due:%a} {given.due.day} {given.due:%b %Y}"
    gave = ("Cora", "gave you homework:", title)
    assert news(kim) == news(bo) == news(di) == [gave]
    assert news(lesson.coach) == [("1 of 3", "have done", "Openings")]
    assert "Remind 2 pupils" in lesson.coach.get(at).text
    for _ in range(2):
        assert "2 pupils reminded." in lesson.coach.post(f"{at}remind/", follow=True).text
        assert "News: 1 unread" in kim.get("/rules/").text
        assert news(kim) == news(bo) == [("Cora", "reminds you of", title), gave]
        assert news(di) == [gave]
    lesson.coach.post(f"{at}change/", {"do": "delete"})
    assert news(kim) == news(lesson.coach) == []


def test_nobody_is_reminded_of_what_they_have_done() -> None:
    lesson = Lesson()
    kim, _ = pupil(lesson.there, "Kim")
    given = lesson.give()
    at = place(lesson.there, "homework", given.key)
    lesson.opens(kim)
    lesson.answers(kim)
    assert "Everybody has done it." in lesson.coach.post(f"{at}remind/", follow=True).text
