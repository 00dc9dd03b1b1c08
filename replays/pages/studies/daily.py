"""Today's novelties for the home page, and the address of today's puzzle."""

from functools import cached_property
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.pages.problems import must_be_there
from games.pages.words import together
from games.people.visit import Request, Visit
from replays.models import Chapter
from replays.pages.players.level_words import own_level
from replays.pages.replay_page import Json, first_chunk, replay_of
from replays.pages.studies.lessons import heading_of
from replays.pages.studies.practice import practice
from replays.pages.studies.tables import before_take, table_at, table_before
from replays.pages.telling import names_in
from replays.pages.you import finished, last_match
from replays.studies import attempts, daily
from replays.studies.practice import Practice


@require_safe
def puzzle(_request: Request) -> HttpResponse:
    """Lead to the newest puzzle: an address to keep."""
    chapter = must_be_there(daily.newest(daily.PUZZLES), _("there is no puzzle yet"))
    return redirect(attempts.question_url(chapter))


def today(request: Request) -> dict[str, Any]:
    """For templates: `today`, the novelties. Nothing is looked up before it is used."""
    visit = getattr(request, "visit", None)
    return {"today": SimpleLazyObject(lambda: None if visit is None else Today(visit))}


class Today:
    """Today's novelties that a visitor may see."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit

    @cached_property
    def played(self) -> bool:
        """Whether the visitor has a match for `last`. Reads no log."""
        return finished(self._visit).exists()

    @cached_property
    def last(self) -> dict[str, Any] | None:
        """The visitor's last match, and how it ended for them."""
        return last_match(self._visit)

    @cached_property
    def level(self) -> str:
        """How well the visitor plays, among the bots."""
        return own_level(self._visit)

    @cached_property
    def puzzle(self) -> Chapter | None:
        chapter = daily.newest(daily.PUZZLES)
        return chapter if chapter and self._visit.rights(chapter.match).admitted else None

    @property
    def puzzle_title(self) -> str:
        puzzle = self.puzzle
        return heading_of(puzzle) if puzzle and _day(puzzle) else _("Today’s puzzle")

    @property
    def puzzle_picture(self) -> str:
        """The address of a picture of the table before it. Empty while the match is hidden."""
        seen = self.puzzle and self._visit.rights(self.puzzle.match).see
        return table_before(self.puzzle) if self.puzzle and seen else ""

    @property
    def tonight_title(self) -> str:
        tonight = self.tonight
        return heading_of(tonight) if tonight and _day(tonight) else _("Match of the day")

    @property
    def tonight_words(self) -> str:
        """Who played, and not how it ended."""
        names = names_in(self.tonight.match, self._visit) if self.tonight else []
        said = _("{names}. See the play that changed most.")
        return said.format(names=together(names)) if names else ""

    @property
    def practice_picture(self) -> str:
        """The address of a picture of the table well before the first question of today."""
        due = self.practice
        if due and due.questions:
            asked = due.questions[0]
            return table_before(asked) if self._visit.rights(asked.match).see else ""
        return before_take(due.missed[0]) if due and due.missed else ""

    @property
    def tonight_picture(self) -> str:
        return table_at(self.tonight) if self.tonight else ""

    @cached_property
    def puzzle_done(self) -> bool:
        latest = self.puzzle and attempts.latest(self.puzzle, self._visit.visitor.persons)
        return bool(latest and latest.answered)

    @cached_property
    def practice(self) -> Practice | None:
        """The visitor's questions for today. None for a stranger."""
        return practice(self._visit)

    @cached_property
    def tonight(self) -> Chapter | None:
        """Tonight's match at its decisive moment, unless results are hidden."""
        chapter = daily.newest(daily.TONIGHT) if self._visit.shows_results else None
        return chapter if chapter and self._visit.rights(chapter.match).see else None

    @cached_property
    def moment(self) -> Json | None:
        return played(self._visit, self.tonight) if self.tonight else None


def _day(chapter: Chapter) -> str:
    """The day of a chapter, in words. Empty if it is today."""
    today = chapter.title == timezone.localdate().isoformat()
    return "" if today else chapter.shown_title


def played(visit: Visit, chapter: Chapter) -> Json | None:
    """A chapter's span, which plays itself, with the round that it is in. None if it has none."""
    first = first_chunk(chapter.match, chapter.round, None)
    if not first or chapter.until is None:
        return None
    urls = {"log": reverse("api:log", args=[chapter.match_id])}
    return {
        "match": replay_of(visit, chapter.match, urls, spoilers=True),
        "first": first,
        "round": chapter.round,
        "event": chapter.event,
        "until": chapter.until,
    }
