"""The study that the demo makes for newcomers."""

from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from games.archive.store import insert
from games.engine.cards import FACE, WILD
from games.engine.events import Play
from games.management.commands.demo_data import demo_matches, play
from games.models import Match
from replays.models import Chapter, Study
from replays.stored.logs import round_of
from replays.studies.questions import question_of

pytestmark = pytest.mark.django_db


def test_without_simulated_matches_the_command_says_what_to_do() -> None:
    with pytest.raises(CommandError, match="run demo_data first"):
        call_command("demo_study")


def test_everybody_can_read_the_sample_study_and_its_question_has_a_taking_answer() -> None:
    four = [match for match in demo_matches() if len(match.levels) == 4][:2]
    records = [play(match, 0, datetime(2026, 1, 2, tzinfo=UTC)) for match in four]
    shown, asked = insert(records, Match.Origin.SIMULATED)
    for _ in range(2):
        call_command("demo_study", stdout=StringIO())
    study = Study.objects.get()
    take, feed, question = study.chapters.order_by("place")
    assert (take.match, feed.match, question.match) == (shown, shown, asked)
    assert_from_a_4_to_the_5(take)
    assert_from_a_4_to_the_5(feed, fed=True)
    assert take.event != feed.event
    german = Client(headers={"accept-language": "de"})
    read = german.get(f"/studies/{study.key}/{take.number}/", follow=True).content.decode()
    assert (study.title in read, take.title in read, take.text in read) == (False, False, False)
    assert "„Stellung zeigen“" in read
    assert ">Stellung zeigen</button>" in read
    browser = Client()
    assert b"First lessons" in browser.get("/studies/").content
    for chapter in (take, feed, question):
        page = browser.get(f"/studies/{study.key}/{chapter.number}/", follow=True)
        assert chapter.title in page.content.decode()
    answers = question_of(question)["answers"]
    assert answers
    assert {FACE[answer["card"]] for answer in answers} <= {5, WILD}


def assert_from_a_4_to_the_5(chapter: Chapter, *, fed: bool = False) -> None:
    """The 4 that the text names is pictured, and no one tries that stack before the 5."""
    events = round_of(chapter.match, 1).events
    four, *between, five = events[chapter.event - 1 : chapter.until]
    assert isinstance(four, Play)
    assert isinstance(five, Play)
    assert (FACE[four.card], FACE[five.card], four.stack) == (4, 5, five.stack)
    assert five.takes
    assert four.stack not in {getattr(event, "stack", None) for event in between}
    assert len(between) < 5
    assert not fed or four.seat != five.seat
