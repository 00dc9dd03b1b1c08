"""Reminding pupils of homework."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from replays.models import News
from tests.classes.lesson import Lesson, lesson_of_kim
from tests.classes.making import place, pupil
from tests.notes.browsers import read_news

pytestmark = pytest.mark.django_db


def news(browser: Client) -> list[tuple[str, str, str]]:
    """What somebody is told, from the newest on: by whom, what, of what."""
    return [(str(line.by), line.row.kind, str(line.about.title)) for line in read_news(browser)]


def test_whoever_has_not_done_it_is_reminded_among_their_news() -> None:
    lesson = Lesson()
    (kim, _), (bo, _), (di, _) = (pupil(lesson.there, name) for name in ("Kim", "Bo", "Di"))
    given = lesson.give()
    at = place(lesson.there, "homework", given.key)
    lesson.opens(di)
    lesson.answers(di)
    title = f"Openings, due {given.due:%a} {given.due.day} {given.due:%b %Y}"
    gave = ("Cora", "homework", title)
    assert news(kim) == news(bo) == news(di) == [gave]
    assert news(lesson.coach) == [("1 of 3", "done", "Openings")]
    assert "Remind 2 pupils" in lesson.coach.get(at).text
    for _ in range(2):
        assert (
            "2 pupils reminded."
            in lesson.coach.post(f"{at}change/", {"do": "remind"}, follow=True).text
        )
        assert "Notifications: 1 unread" in kim.get("/rules/").text
        assert news(kim) == news(bo) == [("Cora", "reminder", title), gave]
        assert news(di) == [gave]
        page = lesson.coach.get(at).text
        assert "Reminded " in page
        assert "Remind 2 pupils" not in page
        again = lesson.coach.post(f"{at}change/", {"do": "remind"}, follow=True).text
        assert "They were reminded less than a day ago." in again
        assert "Notifications: 1 unread" not in kim.get("/rules/").text, "they have read it"
        News.objects.filter(kind="reminder").update(at=timezone.now() - timedelta(days=1, hours=1))
        assert "Remind 2 pupils" in lesson.coach.get(at).text
    lesson.coach.post(f"{at}change/", {"do": "delete"})
    assert news(kim) == news(lesson.coach) == []


def test_nobody_is_reminded_of_what_they_have_done() -> None:
    lesson, kim = lesson_of_kim()
    given = lesson.give()
    at = place(lesson.there, "homework", given.key)
    lesson.opens(kim)
    lesson.answers(kim)
    assert (
        "Everyone has done it."
        in lesson.coach.post(f"{at}change/", {"do": "remind"}, follow=True).text
    )
