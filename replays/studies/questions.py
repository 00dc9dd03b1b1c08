"""Questions: the question at a chapter's stop, and the check of an answer.

    {"seat": 0, "timed": true, "answers": [{"do": "play", "card": "A5a", "stack": 1}],
     "hint": "…", "right": "…", "wrong": "…", "late": "…"}

An answer is a play of a hand card on a slot, `{"do": "discard", "card": "A5a"}`, `{"do": "draw"}`
or `{"do": "wait"}`. Cards with the same face are the same answer. If timed, a right answer is due
when the seat acted in the match, or after `limit` ms if that is given, at the chapter's speed. A
puzzle's is due when its take was gone. A learner who waits has answered once that time is over.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple, NotRequired, cast

from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from games.archive.store import lines_of_rounds
from games.engine.cards import FACE, OWNER, SEATS, WILD
from games.engine.events import Event, Play, Tie
from games.pages.operations import RequestBody
from games.records.shape import card
from replays.models import Attempt, Chapter, Variation
from replays.models.studies import SITE
from replays.notes.markdown import render
from replays.notes.positions import Extent, ValidationFault, table_at

MOST_ANSWERS: Final = 8
MOST_LIMIT_MS: Final = 600_000
MOST_WORDS: Final = 1_000
"""The longest hint, or comment on an answer, in characters of Markdown."""
SeatNumber = Annotated[int, Field(ge=0, lt=SEATS)]
CardCode = Annotated[str, AfterValidator(card)]
_Comment = Annotated[str, Field(max_length=MOST_WORDS)]


class GivenPlay(RequestBody):
    """A card onto a stack."""

    do: Literal["play"]
    card: CardCode
    stack: SeatNumber


class GivenDiscard(RequestBody):
    """A card onto the discard pile."""

    do: Literal["discard"]
    card: CardCode


class GivenOther(RequestBody):
    """A card from the draw pile, or nothing."""

    do: Literal["draw", "wait"]


GivenAnswer = Annotated[GivenPlay | GivenDiscard | GivenOther, Field(discriminator="do")]


class GivenQuestion(RequestBody):
    """A chapter's new question (docs/reference/studies.md). null counts as not given."""

    seat: SeatNumber
    answers: Annotated[list[GivenAnswer], Field(min_length=1, max_length=MOST_ANSWERS)]
    timed: bool | None = None
    limit: Annotated[int, Field(ge=100, le=MOST_LIMIT_MS)] | None = None
    hint: _Comment | None = None
    right: _Comment | None = None
    wrong: _Comment | None = None
    late: _Comment | None = None


class Answer(TypedDict):
    """`card` with a play or a discard, `stack` with a play."""

    do: str
    card: NotRequired[str]
    stack: NotRequired[int]


class Question(TypedDict):
    """A chapter's question, as it is stored."""

    seat: int
    timed: bool
    limit: NotRequired[int | None]
    answers: list[Answer]
    hint: str
    right: str
    wrong: str
    late: str
    open_ms: NotRequired[int]
    """A puzzle's: for how long its take was possible."""
    cards: NotRequired[int]
    """A puzzle's: how many the take would have won, the card that takes among them."""
    cost: NotRequired[float]
    """A puzzle's: the chance to win that passing it up lost, if it was judged."""


def take_question(seat: int, takes: Iterable[tuple[str, int]]) -> Question:
    """A timed question without words, which these takes answer: cards and slots."""
    return Question(
        seat=seat,
        timed=True,
        answers=[Answer(do="play", card=card, stack=slot) for card, slot in takes],
        hint="",
        right="",
        wrong="",
        late="",
    )


def verify_question(
    asked: Mapping[str, Any], extent: Extent, event: int, line: Variation | None
) -> Question:
    """A chapter's question as it is stored.

    Raises ValidationFault if it can't be asked at that event.
    """
    match, seat = extent.match, asked["seat"]
    if match.hidden:
        raise ValidationFault("question: the match is still being played")
    if line is not None:
        raise ValidationFault("question: it stops at what happened, not in a variation")
    if seat >= match.seat_count:
        raise ValidationFault("seat: the match has {count} seats", count=match.seat_count)
    hand = table_at(extent, event).hands[seat]
    for answer in asked["answers"]:
        if "card" in answer and answer["card"] not in hand:
            raise ValidationFault(
                "answers: {card} is not in that seat's hand there", card=answer["card"]
            )
    return Question(
        seat=seat,
        timed=bool(asked.get("timed")),
        limit=asked.get("limit"),
        answers=asked["answers"],
        hint=asked.get("hint") or "",
        right=asked.get("right") or "",
        wrong=asked.get("wrong") or "",
        late=asked.get("late") or "",
    )


def question_of(chapter: Chapter) -> Question:
    """The question of a chapter that has one."""
    assert chapter.question is not None
    asked = cast("Question", chapter.question)
    if chapter.study.owner != SITE:
        return asked
    said = {name: _(asked[name]) for name in ("hint", "right", "wrong", "late") if asked[name]}
    return cast("Question", asked | said)


class Original(NamedTuple):
    """What happened in the match after the stop, and how many ms later."""

    event: Event
    ms: int


def original_of(chapter: Chapter) -> Original | None:
    """What a question's seat did first after its stop. Reads one round. None: nothing."""
    seat = question_of(chapter)["seat"]
    return next((after for after in _after_stop(chapter) if _acts(after.event, seat)), None)


def closing_of(chapter: Chapter) -> Play | None:
    """The play of the match that ended a puzzle's take. Reads one round."""
    asked = question_of(chapter)
    stacks = {answer.get("stack") for answer in asked["answers"]}
    for event, ms in _after_stop(chapter) if "open_ms" in asked else ():
        if isinstance(event, Play) and event.stack in stacks and ms == asked["open_ms"]:
            return event
    return None


def _after_stop(chapter: Chapter) -> Iterator[Original]:
    """The events of the round after the stop, and how many ms after it."""
    count, stop_t = 0, 0
    for line in lines_of_rounds(chapter.match, chapter.round, chapter.round):
        if isinstance(line, Event):
            count += 1
            if count <= chapter.event:
                stop_t = line.t
            else:
                yield Original(line, line.t - stop_t)


def _acts(event: Event, seat: int) -> bool:
    if isinstance(event, Tie):
        return any(OWNER[tied] == seat for tied in event.cards)
    return getattr(event, "seat", None) == seat


def given_limit_ms(chapter: Chapter, speed: int) -> int | None:
    """The limit that is known beforehand, in ms of the learner's own time. None: no such limit."""
    asked = question_of(chapter)
    limit = asked.get("open_ms", asked.get("limit")) if asked["timed"] else None
    return None if limit is None else limit * 100 // speed


def given_away(chapter: Chapter) -> list[str]:
    """The titles of later questions of the study whose stop the chapter goes beyond.

    A learner who reads the chapters in order has seen the answer before they are asked.
    """
    last = chapter.event if chapter.until is None else chapter.until
    later = chapter.study.chapters.filter(match=chapter.match, question__isnull=False)
    return [
        row.shown_title
        for row in later.exclude(pk=chapter.pk).order_by("place", "number")
        if (row.place, row.number) > (chapter.place, chapter.number)
        and (row.round, row.event) < (chapter.round, last)
    ]


def limit_ms(chapter: Chapter, speed: int) -> int | None:
    """How long a learner has, in ms of their own time. None: as long as they like."""
    asked = question_of(chapter)
    if not asked["timed"]:
        return None
    given = given_limit_ms(chapter, speed)
    if given is not None:
        return given
    original = original_of(chapter)
    return original and original.ms * 100 // speed


def judge(chapter: Chapter, answer: Answer | None, ms: int, limit: int | None) -> str:
    """The verdict on an answer after so many ms. None: given up, or waited until time was up."""
    over = limit is not None and ms > limit
    if answer is None:
        if not over:
            return Attempt.Verdict.GIVEN_UP
        answer = {"do": "wait"}
    if is_right(chapter, answer):
        late = over and answer["do"] != "wait"
        return Attempt.Verdict.LATE if late else Attempt.Verdict.RIGHT
    waited = over and answer["do"] == "wait"
    return Attempt.Verdict.LATE if waited else Attempt.Verdict.WRONG


def is_right(chapter: Chapter, answer: Answer) -> bool:
    """Whether it is among a question's right answers, however late."""
    return any(_same(answer, accepted) for accepted in question_of(chapter)["answers"])


def _same(answer: Answer, other: Answer) -> bool:
    # A card's last letter is its copy: all copies are the same play.
    cards = {(card[0], FACE[card]) for card in (answer.get("card"), other.get("card")) if card}
    same_do = answer["do"] == other["do"]
    return same_do and len(cards) < 2 and answer.get("stack") == other.get("stack")


def answer_words(answer: Answer) -> str:
    """An answer in words, with the card's face instead of its code."""
    face = FACE.get(answer.get("card", ""))
    if "stack" in answer:
        stack = answer["stack"] + 1
        if face == WILD:
            return _("the wild on stack {stack}").format(stack=stack)
        return _("the {face} on stack {stack}").format(face=face, stack=stack)
    if answer["do"] == "discard":
        return _("discard the wild") if face == WILD else _("discard the {face}").format(face=face)
    return _("draw a card") if answer["do"] == "draw" else pgettext("answer", "wait")


def comment(asked: Question, number: int, verdict: str) -> str:
    """The words after an answer, as HTML. `number`: of its round."""
    words = {"right": asked["right"], "late": asked["late"]}.get(verdict, asked["wrong"])
    return render(words, number) if words else ""
