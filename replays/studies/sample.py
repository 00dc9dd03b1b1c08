"""A first study for newcomers: a take, a 4 that another player takes, and a question.

The demo makes it of two matches of bots, so that a visitor's first study is not an empty form. Its
words are the site's: each reader has them in their language.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext_noop

from games.engine.cards import FACE
from games.engine.events import Late, Miss, Play, Tie
from games.models import Match
from games.people.visitor import Reader
from replays.analysis.windows import windows
from replays.models import Study
from replays.notes.audience import Sharing
from replays.notes.positions import ValidationFault
from replays.stored.logs import round_of
from replays.studies import daily, writing
from replays.studies.chapters import ChapterFields, parse
from replays.studies.drills import RoundTakes, opening_in
from replays.timeline import Round

KEY: Final = "first-lessons"
_RUN_UP: Final = 12
"""The first events of a round, from which nothing is asked."""
_LEAST_CARDS: Final = 4

_TITLE: Final = gettext_noop("First lessons")
_WORDS: Final = gettext_noop(
    "Three positions from matches between bots: a stack is taken, a 4 helps another player, and "
    "a take for you to find."
)
_TAKE: Final = (
    gettext_noop("A stack is taken"),
    gettext_noop(
        "No one takes turns: everyone plays at once. A card goes on a stack if it is one higher "
        "or one lower than the top card. A 5 on a 4 takes the whole stack, and so does a wild on "
        "any card. A 4 has just been played here. Press “Show position” to see the 5."
    ),
)
_FEED: Final = (
    gettext_noop("A 4 for another player"),
    gettext_noop(
        "A 4 has just been played here, and another player takes the stack with a 5. Press "
        "“Show position” to see it. Before you play a 4, have a 5 ready, or keep the stack small."
    ),
)
_ASK: Final = (
    gettext_noop("A take to find"),
    gettext_noop("Look at the hand at the bottom and at the stacks. There is something to take."),
)
_HINT: Final = gettext_noop("A 5 goes on a 4, and a wild goes on any card.")
_RIGHT: Final = gettext_noop("Yes. That card takes the stack.")
_WRONG: Final = gettext_noop("A 5 takes a stack with a 4 on top. A wild takes any stack.")


class Taken(NamedTuple):
    """A take by a 5: which event it is, and which one played the 4 below it."""

    at: int
    below: int
    play: Play
    fed: bool
    """Whether another seat played the 4."""


def create(shown: Match, asked: Match) -> Study:
    """The sample study, for everyone to see. An existing one stays as it is.

    `shown` gives the examples and `asked` the question. A learner who has yet to answer sees
    nothing of `asked`. Raises ValidationFault if the first round of either has nothing of the kind.
    """
    known = Study.objects.filter(key=KEY).first()
    if known is not None:
        return known
    with transaction.atomic():
        made = writing.create(daily.AUTHOR, KEY, _TITLE, _WORDS)
        for lesson in _examples(shown):
            writing.append(made, _parse(lesson, shown))
        writing.append(made, _parse(_a_question(asked), asked))
        everybody = Sharing(Study.Visibility.EVERYONE)
        return writing.change(made, made.revision, _TITLE, _WORDS, sharing=everybody)


def _parse(chapter: dict[str, Any], match: Match) -> ChapterFields:
    return parse(chapter, Reader(), lambda _: match)


def _examples(match: Match) -> Iterator[dict[str, Any]]:
    """The plainest take of the first round, and the plainest other one on another player's 4. Each
    from the 4 to the take."""
    takes = sorted(_takes(round_of(match, 1)), key=_plain, reverse=True)
    fed = next((take for take in takes[1:] if take.fed), None)
    if fed is None:
        raise ValidationFault("the first round has no such takes")
    for take, (title, text) in ((takes[0], _TAKE), (fed, _FEED)):
        place = {"match": match.pk, "round": 1, "event": take.below + 1, "until": take.at + 1}
        yield {**place, "title": title, "text": text}


def _plain(take: Taken) -> tuple[bool, int, int]:
    """How well it shows the rule: a real stack, taken before much else happens, and large."""
    cards = take.play.takes or 0
    return cards >= _LEAST_CARDS, take.below - take.at, cards


def _a_question(match: Match) -> dict[str, Any]:
    first = round_of(match, 1)
    there = windows(first)
    # A 5 on a real stack, plainly better than a wild on another.
    fives = (w for w in there if FACE[w.card] == 5 and w.takes and w.cards >= _LEAST_CARDS)
    pairs = (
        (five, opening_in(RoundTakes(there), (first.number, five.span[0], five.span[0]), ()))
        for five in fives
        if five.span[0] >= _RUN_UP
    )
    found = (
        opening._replace(answers=tuple(play for play in opening.answers if play[1] == five.slot))
        for five, opening in pairs
        if opening and opening.seat == five.seat
    )
    opening = next(found, None)
    if opening is None:
        raise ValidationFault("no one takes a stack with a 5 in the first round")
    chapter = opening.chapter(match)
    chapter["question"].update(timed=False, hint=_HINT, right=_RIGHT, wrong=_WRONG)
    title, text = _ASK
    return {**chapter, "title": title, "text": text}


def _takes(first: Round) -> Iterator[Taken]:
    """Those before which no one else tried the same stack in vain."""
    last: dict[int, tuple[int, Play]] = {}
    for at, event in enumerate(first.events):
        if isinstance(event, Tie | Late | Miss):
            last.pop(event.stack, None)
        if not isinstance(event, Play):
            continue
        if event.takes and FACE[event.card] == 5 and event.stack in last:
            below, four = last[event.stack]
            yield Taken(at, below, event, four.seat != event.seat)
        last[event.stack] = at, event
