"""A puzzle and tonight's match for every day, as chapters of studies that the site owns.

The puzzle is the costliest missed take in the latest public matches, where its player
could also have played something worse. The match was open then, as far as a stored report tells,
and rather another player took the stack than covered it. A right answer counts if it comes before
the take was gone in the match. Tonight's match is the closest of them, at its decisive moment.
Workers look once a minute whether today has both (`JOBS_EVERY_MINUTE`).
"""

import gzip
import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, Final, NamedTuple, cast

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop, ngettext

from games.models import Match
from games.people.person import Person, encode
from games.people.visitor import Author
from replays.analysis.judge.words import JudgedJson
from replays.analysis.missed_takes import is_missed_take, taker
from replays.analysis.report_json import CurvePoint
from replays.analysis.windows import Window, windows
from replays.models import Attempt, Chapter, Study
from replays.models.studies import SITE
from replays.stored import reports
from replays.stored.judging import costly_decisions
from replays.stored.logs import round_of
from replays.studies import writing
from replays.studies.chapters import ChapterFields
from replays.studies.drills import plays_at, takes_at
from replays.studies.questions import Question, question_of, take_question
from replays.studies.questions import comment as written

PUZZLES: Final = "puzzles"
TONIGHT: Final = "tonight"
"""The studies' keys."""
AUTHOR: Final = Author(SITE, "Ratuki")
_STUDIES: Final = {
    PUZZLES: (
        gettext_noop("Daily puzzles"),
        gettext_noop("A missed take. Do you see it, and how quickly?"),
    ),
    TONIGHT: (
        gettext_noop("Matches of the day"),
        gettext_noop("Every day the closest match, at the play that changed most."),
    ),
}
LATEST: Final = 20
"""The most matches read, the newest first."""
MOST_READ: Final = 25_000
"""The most events read in all of them."""
MOST_KEPT: Final = 60
"""The chapters of each study. The oldest gives way."""
_OPEN_MS: Final = 1_500
"""A puzzle's take was possible for so long at least: there is time to see it."""
_AT_STAKE: Final = (0.05, 0.95)
"""A puzzle's player has a chance to win between these."""
_RUN_UP_MS: Final = 6_000
_AFTER_MS: Final = 1_500
"""How much is shown before and after the decisive moment."""


class Puzzle(NamedTuple):
    """A missed take. `cost`: the lost win probability, if it was judged. `chance`: its
    player's chance to win when it became possible, if the match's report is stored."""

    match: Match
    round: int
    window: Window
    answers: Sequence[tuple[str, int]]
    cost: float
    chance: float | None

    @property
    def cards(self) -> int:
        return self.window.counted

    @property
    def rank(self) -> tuple[bool, bool, bool, float, int]:
        """The greatest is asked: first one that matters, then one that another player took."""
        low, high = _AT_STAKE
        open_ = self.chance is None or low <= self.chance <= high
        taken = taker(self.window) is not None
        return open_, self.chance is not None, taken, self.cost, self.window.cards


def run_due() -> None:
    """Make today's chapters, if they are missing and there are matches for them."""
    today = timezone.localdate()
    if all(_of_day(key, today) for key in _STUDIES):
        return
    used = Chapter.every.filter(study__key__in=_STUDIES).values("match")
    public = {"state": Match.State.FINISHED, "visibility": Match.Visibility.PUBLIC}
    origins = [Match.Origin.HOSTED, Match.Origin.SIMULATED]
    unused = Match.objects.filter(**public, origin__in=origins).exclude(pk__in=used)
    matches = list(unused.order_by("-pk")[:LATEST])
    if not matches or _tried == [(today, matches[0].pk)]:
        return
    _tried[:] = [(today, matches[0].pk)]  # the same matches have no more to give
    puzzle = None if _of_day(PUZZLES, today) else costliest(matches)
    if puzzle:
        _add(PUZZLES, today, _puzzle_chapter(puzzle))
    closest = [match for match in matches if puzzle is None or match.pk != puzzle.match.pk]
    if closest and not _of_day(TONIGHT, today):
        chosen = min(closest, key=lambda match: match.margin if match.margin is not None else 1_000)
        _add(TONIGHT, today, _decided(chosen))


_tried: Final[list[tuple[date, int]]] = []


def newest(key: str) -> Chapter | None:
    """The newest chapter of one of the studies."""
    return next(iter(latest(key, 1)), None)


def latest(key: str, most: int) -> list[Chapter]:
    """The newest chapters of one of the studies, newest first."""
    rows = Chapter.objects.filter(study__key=key, study__deleted=None, study__hidden=False)
    return list(rows.select_related("match", "study").order_by("-number")[:most])


def week_of(persons: Sequence[Person]) -> list[tuple[Chapter, Attempt | None]]:
    """The latest seven puzzles, oldest first, with these persons' first answers. Two queries."""
    puzzles, names = latest(PUZZLES, 7)[::-1], [encode(person) for person in persons]
    answers = Attempt.objects.filter(chapter__in=puzzles, person__in=names).exclude(answered=None)
    first = {answer.chapter_id: answer for answer in answers.order_by("-pk")}
    return [(puzzle, first.get(puzzle.pk)) for puzzle in puzzles]


def _of_day(key: str, day: date) -> bool:
    return Chapter.every.filter(study__key=key, title=day.isoformat()).exists()


@transaction.atomic
def _add(key: str, day: date, said: ChapterFields | None) -> None:
    """Add a chapter whose title is the day. Another worker may have been quicker."""
    study = Study.objects.select_for_update().get(pk=_study(key).pk)
    if said is None or _of_day(key, day):
        return
    said.fields["title"] = day.isoformat()
    writing.append(study, said)
    Study.objects.filter(pk=study.pk).update(edited=timezone.now())
    for old in study.chapters.order_by("-number")[MOST_KEPT:]:
        writing.drop(old, old.revision)


def _study(key: str) -> Study:
    title, words = _STUDIES[key]
    made = writing.create(AUTHOR, key, title, words)
    fields = {"title": title, "text": words, "html": f"<p>{words}</p>"}  # of this release
    fields["visibility"] = Study.Visibility.EVERYONE
    Study.objects.filter(pk=made.pk).update(**fields)
    return made


# --- The puzzle ----------------------------------------------------------------------------------


def costliest(matches: Sequence[Match]) -> Puzzle | None:
    """The missed take to ask for: judged ones first, then by the cards it would have won."""
    left, puzzles = MOST_READ, list[Puzzle]()
    for match in matches:
        left -= match.events
        if left >= 0:
            puzzles += _passed_up(match)
    return max(puzzles, key=lambda puzzle: puzzle.rank, default=None)


def _passed_up(match: Match) -> Iterator[Puzzle]:
    judged, curve = costly_decisions(match), reports.curve(match) or ()
    for number in range(1, match.rounds + 1):
        yield from _in_round(match, number, judged, curve)


def _in_round(
    match: Match, number: int, judged: Sequence[JudgedJson], curve: Sequence[CurvePoint]
) -> Iterator[Puzzle]:
    here = windows(round_of(match, number))
    for window in here:
        if is_missed_take(window) and window.ms >= _OPEN_MS:
            plays = plays_at(here, window)
            best = [play for play in plays if play.takes and play.cards >= window.cards]
            # There is a question only if it is the biggest take, and not the only play.
            if all(play.cards == window.cards for play in best) and len(best) < len(plays):
                cost = max(
                    (row["by"] / 100 for row in judged if _about(row, number, window)), default=0
                )
                chance = _chance(curve, number, window)
                yield Puzzle(match, number, window, takes_at(best, window), cost, chance)


def _chance(curve: Sequence[CurvePoint], number: int, window: Window) -> float | None:
    """The chance to win of a window's seat when it began. None: unknown."""
    at = bisect_right(curve, (number, window.since), key=lambda point: (point["round"], point["t"]))
    return curve[at - 1]["p"][window.seat] if at else None


def _about(row: JudgedJson, number: int, window: Window) -> bool:
    since, until = window.span
    same = (row["round"], row["seat"], row["slot"]) == (number, window.seat, window.slot)
    return same and since < row["event"] <= until


def _puzzle_chapter(puzzle: Puzzle) -> ChapterFields:
    window = puzzle.window
    question: Question = {
        **take_question(window.seat, puzzle.answers),
        "open_ms": window.ms,
        "cards": puzzle.cards,
        "cost": puzzle.cost,
    }
    return _chapter_fields(
        puzzle.match, puzzle.round, window.span[0], view=str(window.seat), asks=question
    )


def comment(chapter: Chapter, verdict: str) -> str:
    """The words after an answer, as HTML."""
    return written(in_words(question_of(chapter)), chapter.round, verdict)


def in_words(asked: Question) -> Question:
    """A question as a writer would store it: at a puzzle, with what the take was worth in words."""
    if "cards" not in asked:  # a writer's, or a puzzle of an earlier release
        return asked
    fields: dict[str, Any] = {**asked, "limit": asked.get("open_ms", asked.get("limit"))}
    worth = fields.pop("cards"), round(100 * fields.pop("cost"))
    fields.pop("open_ms", None)
    said = {verdict: " ".join(_worth(*worth, verdict)) for verdict in ("right", "wrong", "late")}
    return cast("Question", fields | said)


def _worth(count: int, points: int, verdict: str) -> Iterator[str]:
    if verdict == Attempt.Verdict.RIGHT:
        said = ngettext(
            "That takes {count} card of the stack, and your own.",
            "That takes {count} cards of the stack, and your own.",
            count - 1,
        )
    elif verdict == Attempt.Verdict.LATE:
        said = ngettext(
            "In time it would have been {count} card of the stack, and your own.",
            "In time it would have been {count} cards of the stack, and your own.",
            count - 1,
        )
    else:
        said = ngettext(
            "You could have taken {count} card of the stack, and your own.",
            "You could have taken {count} cards of the stack, and your own.",
            count - 1,
        )
    yield said.format(count=count - 1)
    if points:
        lost = ngettext(
            "Missing it cost {count} percentage point of win chance.",
            "Missing it cost {count} percentage points of win chance.",
            points,
        )
        yield lost.format(count=points)


# --- Tonight's match -----------------------------------------------------------------------------


def _decided(match: Match) -> ChapterFields | None:
    """The moment that changed most in a match, if there is one."""
    report = json.loads(gzip.decompress(reports.stored(match) or reports.make(match)))
    best = max(report["moments"], key=lambda moment: abs(moment["delta"]), default=None)
    if best is None:
        return None
    played = round_of(match, best["round"])
    begin = sum(event.t < best["t"] - _RUN_UP_MS for event in played.events)
    end = sum(event.t <= best["t"] + _AFTER_MS for event in played.events)
    return _chapter_fields(match, best["round"], begin, until=end)


def _chapter_fields(
    match: Match,
    number: int,
    event: int,
    *,
    until: int | None = None,
    view: str = "all",
    asks: Question | None = None,
) -> ChapterFields:
    """A chapter without a check: it comes from the log."""
    fields: dict[str, Any] = {"round": number, "event": event, "until": until, "view": view}
    return ChapterFields(match, None, {**fields, "question": asks})
