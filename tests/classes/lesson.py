"""A class with a study that can be given as homework, for tests."""

import re
from datetime import timedelta
from typing import Any

from django.test import Client

from games.models import Match
from replays.classes.limits import today
from replays.models import Homework, SchoolClass, Study
from tests.classes.making import place, pupil, school_class
from tests.notes.browsers import account, post
from tests.studies.making import chapter, moment, question, study
from tests.studies.making import data as chapter_data
from tests.studies.making import place as chapter_place
from tests.web.records import store


class Lesson:
    """A coach's class with a private study: a chapter to read, and a question."""

    def __init__(self) -> None:
        self.coach = account("Cora")
        self.match: Match = store()
        self.there: SchoolClass = school_class(self.coach)
        self.study: Study = study(self.coach, "Openings")
        self.read = chapter(self.coach, self.study, self.match, title="Look here")
        self.asked = question(self.coach, self.study, self.match, title="What now?")

    def give(self, **fields: Any) -> Homework:
        """The study as homework, by the form."""
        said = {"study": self.study.key, "due": day(7), **fields}
        told = self.coach.post(place(self.there, "homework"), said)
        assert told.status_code == 302, re.findall(r"errorlist.*?</ul>", told.text, re.DOTALL)
        return Homework.objects.latest("pk")

    def opens(self, learner: Client) -> None:
        """Somebody reads the chapter that asks nothing."""
        assert post(learner, f"{chapter_data(self.read)}opened").json() == {"opened": True}

    def answers(self, learner: Client, *, right: bool = True) -> None:
        """Somebody answers the question."""
        _, play, _ = moment(self.match)
        answer = {"do": "play", "card": play.card, "stack": play.stack} if right else {"do": "draw"}
        learner.post(f"{chapter_place(self.asked)}start")
        told = post(learner, f"{chapter_data(self.asked)}answer", answer=answer, ms=900)
        assert told.status_code == 200, told.content


def lesson_of_kim() -> tuple[Lesson, Client]:
    """A lesson, and the browser of the only pupil."""
    lesson = Lesson()
    return lesson, pupil(lesson.there, "Kim")[0]


def day(after: int) -> str:
    """The day so many days after the first one on which homework can be due."""
    return (today() + timedelta(days=after)).isoformat()


def overdue(given: Homework) -> None:
    """Let the day of homework be over."""
    Homework.objects.filter(pk=given.pk).update(due=today() - timedelta(days=1))
