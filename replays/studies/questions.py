"""Questions: what is asked at a chapter's stop, and whether an answer is right.

    {"seat": 0, "timed": true, "answers": [{"do": "play", "card": "A5a", "stack": 1}],
     "hint": "…", "right": "…", "wrong": "…", "late": "…"}

An answer is a play of a hand card on a slot, `{"do": "discard", "card": "A5a"}`,
`{"do": "draw"}` or `{"do": "wait"}`. Cards with the same face are the same answer. Timed, an
answer is due when the seat acted in the match, or after `limit` ms if that is given, at the
chapter's speed; a learner who waits has answered once that time is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, NotRequired, cast

from typing_extensions import TypedDict

from games.archive.store import lines_of_rounds
from games.engine.cards import FACE, OWNER, WILD
from games.engine.events import Event, Tie
from games.records.shape import Fields, card, flag, listed, one_of, optional_whole, text, whole
from games.records.strict import Malformed
from replays.models import Attempt, Chapter, Variation
from replays.notes.markdown import render
from replays.notes.positions import Extent, Unfit, table_at

MOST_ANSWERS: Final = 8
MOST_LIMIT_MS: Final = 600_000
MOST_WORDS: Final = 1_000
"""The longest hint, or comment on an answer, in characters of Markdown."""
DONE: Final = ("play", "draw", "discard", "wait")
WITH_A_CARD: Final = ("play", "discard")
_LAST_SEAT: Final = 4


class Answer(TypedDict):
    """`card` with a play or a discard, `stack` with a play."""

    do: str
    card: NotRequired[str]
    stack: NotRequired[int]


class Question(TypedDict):
    """What a chapter asks, as it is stored."""

    seat: int
    timed: bool
    limit: NotRequired[int | None]
    answers: list[Answer]
    hint: str
    right: str
    wrong: str
    late: str


def parse_question(
    value: Any, extent: Extent, place: Mapping[str, Any], line: Variation | None
) -> Question:
    """Parse a question at a chapter's place. Raises Malformed or Unfit."""
    match = extent.match
    if match.hidden:
        raise Unfit("question: the match is still being played")
    if line is not None:
        raise Unfit("question: it stops at what happened, not in a variation")
    fields = Fields(_without_null(value), "question")
    seat = whole(fields.need("seat"), "seat", 0, match.seat_count - 1)
    timed = fields.get("timed")
    limit = optional_whole(fields.get("limit"), "limit", 100, MOST_LIMIT_MS)
    answers = listed(fields.need("answers"), "answers")
    hint, right, wrong, late = (
        text(fields.get(name) or "", name, MOST_WORDS)
        for name in ("hint", "right", "wrong", "late")
    )
    fields.done()
    if not 1 <= len(answers) <= MOST_ANSWERS:
        raise Malformed(f"answers: expected 1 to {MOST_ANSWERS}, found {len(answers)}")
    hand = table_at(extent, place["event"]).hands[seat]
    parsed = [answer_of(answer) for answer in answers]
    for answer in parsed:
        if "card" in answer and answer["card"] not in hand:
            raise Unfit(f"answers: {answer['card']} is not in that seat's hand there")
    return Question(
        seat=seat,
        timed=False if timed is None else flag(timed, "timed"),
        limit=limit,
        answers=parsed,
        hint=hint,
        right=right,
        wrong=wrong,
        late=late,
    )


def _without_null(value: Any) -> Any:
    """An object without the fields that are null: those are as good as missing."""
    if not isinstance(value, dict):
        return value
    return {name: field for name, field in value.items() if field is not None}


def answer_of(value: Any) -> Answer:
    """Parse an answer. Raises Malformed."""
    fields = Fields(value, "answer")
    answer: Answer = {"do": one_of(fields.need("do"), "do", DONE)}
    if answer["do"] in WITH_A_CARD:
        answer["card"] = card(fields.need("card"))
    if answer["do"] == "play":
        answer["stack"] = whole(fields.need("stack"), "stack", 0, _LAST_SEAT)
    fields.done()
    return answer


def question_of(chapter: Chapter) -> Question:
    """The question of a chapter that has one."""
    assert chapter.question is not None
    return cast("Question", chapter.question)


class Original(NamedTuple):
    """What the seat did in the match after the stop, and how many ms later; None: nothing."""

    event: Event
    ms: int


def original_of(chapter: Chapter) -> Original | None:
    """What happened to a question's seat after its stop. Reads one round."""
    seat, count, stop_t = question_of(chapter)["seat"], 0, 0
    for line in lines_of_rounds(chapter.match, chapter.round, chapter.round):
        if not isinstance(line, Event):
            continue
        count += 1
        if count <= chapter.event:
            stop_t = line.t
        elif _acts(line, seat):
            return Original(line, line.t - stop_t)
    return None


def _acts(event: Event, seat: int) -> bool:
    if isinstance(event, Tie):
        return any(OWNER[tied] == seat for tied in event.cards)
    return getattr(event, "seat", None) == seat


def given_limit_ms(chapter: Chapter, speed: int) -> int | None:
    """The seconds that its writer gives, in ms of the learner's own time; None: no such limit."""
    asked = question_of(chapter)
    limit = asked.get("limit") if asked["timed"] else None
    return None if limit is None else limit * 100 // speed


def given_away(chapter: Chapter) -> list[str]:
    """The titles of later questions of the study whose stop the chapter goes beyond.

    Whoever reads the chapters in their order has seen what happened before they are asked.
    """
    last = chapter.event if chapter.until is None else chapter.until
    later = chapter.study.chapters.filter(match=chapter.match, question__isnull=False)
    return [
        row.title
        for row in later.exclude(pk=chapter.pk).order_by("place", "number")
        if (row.place, row.number) > (chapter.place, chapter.number)
        and (row.round, row.event) < (chapter.round, last)
    ]


def limit_ms(chapter: Chapter, speed: int) -> int | None:
    """How long a learner has, in ms of their own time; None: as long as they like."""
    asked = question_of(chapter)
    if not asked["timed"]:
        return None
    given = given_limit_ms(chapter, speed)
    if given is not None:
        return given
    original = original_of(chapter)
    return original and original.ms * 100 // speed


def judge(chapter: Chapter, answer: Answer | None, ms: int, limit: int | None) -> str:
    """The verdict on an answer (None: given up) after so many ms."""
    if answer is None:
        return Attempt.Verdict.GIVEN_UP
    right = any(_same(answer, accepted) for accepted in question_of(chapter)["answers"])
    if limit is not None and ms > limit and answer["do"] != "wait":
        return Attempt.Verdict.LATE
    return Attempt.Verdict.RIGHT if right else Attempt.Verdict.WRONG


def _same(answer: Answer, other: Answer) -> bool:
    # A card's last letter is its copy: all copies are the same play.
    cards = {(card[0], FACE[card]) for card in (answer.get("card"), other.get("card")) if card}
    same_do = answer["do"] == other["do"]
    return same_do and len(cards) < 2 and answer.get("stack") == other.get("stack")


def answer_words(answer: Answer) -> str:
    """An answer in words, with the card's face instead of its code."""
    face = FACE.get(answer.get("card", ""))
    card = "the wild" if face == WILD else f"the {face}"
    if "stack" in answer:
        return f"{card} on stack {answer['stack'] + 1}"
    if answer["do"] == "discard":
        return f"discard {card}"
    return "draw a card" if answer["do"] == "draw" else "wait"


def comment(chapter: Chapter, verdict: str) -> str:
    """The words after an answer, as HTML."""
    asked = question_of(chapter)
    words = {"right": asked["right"], "late": asked["late"]}.get(verdict, asked["wrong"])
    return render(words, chapter.round) if words else ""
