"""What a daily puzzle's page shows after the answer: how it ended, everyone's times, the week."""

from datetime import date
from typing import Any, NamedTuple

from django.utils.formats import date_format

from games.engine.message import Message, card, decimal, seat
from games.pages.words import HERE, words
from games.people.visit import Visit
from replays.models import Attempt, Chapter
from replays.pages.telling import names_in
from replays.studies import attempts
from replays.studies.daily import week_of
from replays.studies.questions import closing_of, question_of
from replays.studies.results import crowd


class PuzzleOfDay(NamedTuple):
    """A puzzle of this week, and the visitor's first answer: empty without one."""

    url: str
    day: str
    verdict: str
    seconds: str


def of_puzzle(visit: Visit, chapter: Chapter, attempt: Attempt) -> dict[str, Any]:
    """`crowd`: everyone's results. `week`: the visitor's."""
    return {
        "crowd": crowd(chapter, attempt),
        "week": [_day(*puzzle) for puzzle in week_of(visit.visitor.persons)],
    }


def _day(puzzle: Chapter, first: Attempt | None) -> PuzzleOfDay:
    day = date_format(date.fromisoformat(puzzle.title), "D")
    seconds = HERE.number((first.ms or 0) / 1_000, 1) if first else ""
    return PuzzleOfDay(attempts.question_url(puzzle), day, first.verdict if first else "", seconds)


def closing_words(visit: Visit, chapter: Chapter) -> str:
    """Whose play ended a puzzle's take in the match, and when."""
    play = closing_of(chapter)
    if play is None:
        return ""
    message = (
        Message("In the match {player} covered the stack with {card} after {seconds} s.")
        if play.takes is None
        else Message("In the match {player} took the stack after {seconds} s.")
    )
    values = {
        "player": seat(play.seat),
        "card": card(play.card),
        "seconds": decimal(question_of(chapter)["open_ms"] / 1_000),
    }
    return words(message.filled(values), names_in(chapter.match, visit))
