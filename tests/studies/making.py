"""Studies, chapters and questions for tests, made over the API as a page does."""

from itertools import count
from typing import Any

from django.test import Client

from games.archive.store import lines_of_rounds
from games.engine.events import Event, Play
from games.models import Match
from replays.models import Chapter, Study
from tests.notes.browsers import post, put

_keys = count(1)


def study(client: Client, title: str = "Lesson", **fields: Any) -> Study:
    """A study of this visitor; fields such as its visibility are set as its page sets them."""
    key = f"study-of-a-test-{next(_keys):04}"
    made = post(client, "/api/v1/studies", key=key, title=title)
    assert made.status_code == 201, made.content
    if fields:
        changed = put(client, f"/api/v1/studies/{key}", revision=1, **fields)
        assert changed.status_code == 200, changed.content
    return Study.objects.get(key=key)


def chapter(client: Client, lesson: Study, match: Match, **fields: Any) -> Chapter:
    """A chapter at the end of a study."""
    said = {"title": "A moment", "match": match.pk, "round": 1, "event": 4, **fields}
    made = post(client, f"/api/v1/studies/{lesson.key}/chapters", **said)
    assert made.status_code == 201, made.content
    return Chapter.objects.get(study=lesson, number=made.json()["number"])


def moment(match: Match, after: int = 8) -> tuple[int, Play, int]:
    """How many events had happened before a play of a card in hand, that play, ms since then."""
    events = [line for line in lines_of_rounds(match, 1, 1) if isinstance(line, Event)]
    for at in range(after, len(events)):
        event = events[at]
        if isinstance(event, Play):
            return at, event, event.t - events[at - 1].t
    raise AssertionError("nothing was played")


def question(
    client: Client, lesson: Study, match: Match, title: str = "A moment", **fields: Any
) -> Chapter:
    """A chapter that asks for a play of the match, right before it."""
    event, play, _ = moment(match)
    right = {"do": "play", "card": play.card, "stack": play.stack}
    asked = {"seat": play.seat, "answers": [right], "right": "Yes.", "wrong": "No.", **fields}
    place_ = {"event": event, "view": str(play.seat)}
    return chapter(client, lesson, match, title=title, question=asked, **place_)


def place(asked: Chapter) -> str:
    """The address of a chapter."""
    return f"/studies/{asked.study.key}/{asked.number}/"


def data(asked: Chapter) -> str:
    """Where the API has what belongs to a chapter."""
    return f"/api/v1/studies/{asked.study.key}/chapters/{asked.number}/"
