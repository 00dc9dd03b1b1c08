"""A first study for newcomers: a take, a feeding play and a question, from two matches of bots.

The demo shows it, so that a visitor's first study is not an empty form.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from django.db import transaction

from games.engine.cards import FACE
from games.engine.events import Play
from games.models import Match
from games.people.visitor import Author, Reader
from games.records.log import Header
from replays.analysis.windows import windows
from replays.models import Study
from replays.notes.audience import Sharing
from replays.notes.positions import Unfit
from replays.stored.logs import round_of
from replays.studies import writing
from replays.studies.chapters import ChapterFields, parse
from replays.studies.drills import opening_in
from replays.timeline import Round

KEY: Final = "first-lessons"
AUTHOR: Final = Author("guest:first-lessons", "Ratuki")
"""Nobody's: no browser's secret has this hash."""
_RUN_UP: Final = 12
"""Events that are shown before what a chapter is about."""

_TITLE: Final = "First lessons"
_WORDS: Final = """\
Three moments of matches between bots: a stack is taken, a card feeds somebody else, \
and a take for you to find. **Start** leads from one to the next."""
_TAKE: Final = """\
Nobody takes turns: everybody plays at once. A card goes on a stack if it is one higher or one \
lower than the top. Whoever plays a **5** or a **wild** takes the whole stack. Play the chapter: \
{who} is about to play a 5 on stack {slot}, for {cards} cards."""
_FEED: Final = """\
A 4 on a stack asks for a 5, and anybody may play it. Here {who} plays a 4 on stack {slot}, and \
{other} has the 5 and takes {cards} cards. Before you play a 4, have a 5 of your own ready, or \
make sure that the stack is small."""
_ASK: Final = "Look at the hand at the bottom and at the stacks. There is something to take."
_HINT: Final = "A 5 goes on a 4, and a wild goes on anything."
_RIGHT: Final = "Yes. That card takes the stack."
_WRONG: Final = "That takes nothing. Look for a 4 on top of a stack."


class Taken(NamedTuple):
    """A take by a 5, after `at` events and, if another seat laid the 4 below it, that play."""

    at: int
    play: Play
    fed_at: int = 0
    fed: Play | None = None

    @property
    def cards(self) -> int:
        """How many cards it took, itself included."""
        return self.play.takes or 0


def create(shown: Match, asked: Match) -> Study:
    """The sample study, for everyone to see. An existing one stays as it is.

    `shown` gives the examples and `asked` the question. A learner who has yet to answer sees
    nothing of `asked`. Raises Unfit if the first round of either has nothing of the kind.
    """
    known = Study.objects.filter(key=KEY).first()
    if known is not None:
        return known
    with transaction.atomic():
        made = writing.create(AUTHOR, KEY, _TITLE, _WORDS)
        writing.append(made, _parsed(_a_take(shown), shown))
        writing.append(made, _parsed(_a_feed(shown), shown))
        writing.append(made, _parsed(_a_question(asked), asked))
        everybody = Sharing(Study.Visibility.EVERYONE)
        return writing.change(made, made.revision, _TITLE, _WORDS, sharing=everybody)


def _parsed(chapter: dict[str, Any], match: Match) -> ChapterFields:
    return parse(chapter, Reader(), lambda _: match)


def _a_take(match: Match) -> dict[str, Any]:
    first = round_of(match, 1)
    own = _best(take for take in _takes(first) if take.fed is None)
    return _chapter(match, "A stack is taken", own.at, own, _words(_TAKE, first.header, own))


def _a_feed(match: Match) -> dict[str, Any]:
    first = round_of(match, 1)
    fed = _best(take for take in _takes(first) if take.fed is not None)
    return _chapter(match, "A card that feeds", fed.fed_at, fed, _words(_FEED, first.header, fed))


def _a_question(match: Match) -> dict[str, Any]:
    first = round_of(match, 1)
    span = (first.number, _RUN_UP, len(first.events))
    opening = opening_in(windows(first), span, ())
    if opening is None:
        raise Unfit("no one takes anything in the first round")
    chapter = opening.chapter(match)
    chapter["question"].update(timed=False, hint=_HINT, right=_RIGHT, wrong=_WRONG)
    return {**chapter, "title": "A take to find", "text": _ASK}


def _takes(first: Round) -> Iterator[Taken]:
    """The takes by a 5, each with the play below it if that was another seat's."""
    last: dict[int, tuple[int, Play]] = {}
    for at, event in enumerate(first.events):
        if not isinstance(event, Play):
            continue
        if event.takes and FACE[event.card] == 5:
            before, below = last.get(event.stack, (0, event))
            fed = below if below.seat != event.seat else None
            yield Taken(at, event, before, fed)
        last[event.stack] = at, event


def _best(takes: Iterable[Taken]) -> Taken:
    best = max(takes, key=lambda take: take.cards, default=None)
    if best is None:
        raise Unfit("the first round has no such take")
    return best


def _chapter(match: Match, title: str, at: int, take: Taken, words: str) -> dict[str, Any]:
    """A chapter that begins a little before event `at` and ends right after the take."""
    begin, end = max(0, at - _RUN_UP), take.at + 1
    return {
        "title": title,
        "match": match.pk,
        "round": 1,
        "event": begin,
        "until": end,
        "text": words,
    }


def _words(words: str, header: Header, take: Taken) -> str:
    """Names as Markdown shows them: a bot's has no marks of its own."""
    feeder = take.fed or take.play
    return words.format(
        who=header.seats[feeder.seat].name,
        other=header.seats[take.play.seat].name,
        slot=take.play.stack + 1,
        cards=take.cards,
    )
