"""The lines of a player's weaknesses and form: means of the latest ten matches, drawn."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from games.pages.words import day, words
from replays.analysis.players.priority_words import FORM_TITLES, form_of, title
from replays.analysis.players.progress import LATEST, Course, Form, form
from replays.analysis.players.spans import Spans
from replays.pages.strip import Level, Strip, StripPoint, reach, strip, thinned, ticks
from replays.players.queries import Played

MOST_POINTS: Final = 60


def courses_drawn(
    courses: Sequence[Course], days: Sequence[datetime], began: Mapping[str, int]
) -> list[Strip | None]:
    """A drawing for each course, all with one scale. None while there are too few matches.

    `days`: when each match began. `began`: the first match of each kind since its practice began.
    """
    lines = [rolling(course.rolling, days) for course in courses]
    if not lines or len(lines[0]) < 2:
        return [None] * len(courses)
    scale = ticks(*reach([*(point for line in lines for point in line), _ZERO]))
    return [
        strip(
            words(title(course.kind)),
            "",
            "",
            line,
            0,
            scale=scale,
            mark=_along(began[course.kind], len(days)) if course.kind in began else None,
            levels=_levels(course, len(days)),
        )
        for course, line in zip(courses, lines, strict=True)
    ]


_ZERO: Final = StripPoint(0, None, None, "", "")


def rolling(values: Spans, days: Sequence[datetime]) -> list[StripPoint]:
    """The mean of the latest ten matches after each match, at most `MOST_POINTS` of them."""
    ends = range(LATEST, len(values) + 1)
    chosen = [ends[place] for place in thinned(len(ends), MOST_POINTS)]
    means = [values.mean(end - LATEST, end).gain() for end in chosen]
    return [
        StripPoint(*mean, day(days[end - 1]), "") for mean, end in zip(means, chosen, strict=True)
    ]


def counted(played: Sequence[Played]) -> list[Played]:
    """Those with stored figures that count."""
    return [match for match in played if match.entry.counts.rounds]


def form_told(played: Sequence[Played], *, plain: bool = False) -> list[tuple[str, str, Form]]:
    """For each figure of form its title, and whether it clearly changed. `played`: oldest first.
    `plain`: without intervals. Empty after too few matches."""
    matches = counted(played)
    told = []
    for name, title_of in FORM_TITLES.items():
        found = form([getattr(match.entry, name) for match in matches])
        if found is not None:
            since = "" if found.changed is None else day(matches[found.changed].started_at)
            told.append((words(title_of), words(form_of(found, since, plain=plain)), found))
    return told


def _levels(course: Course, matches: int) -> list[Level]:
    if course.changed is None:
        return []
    at, worse = _along(course.changed, matches), course.gained.points < 0
    return [
        Level("good" if worse else "bad", 0, at, course.before.points),
        Level("bad" if worse else "good", at, 1, course.since.points),
    ]


def _along(match: int, matches: int) -> float:
    """Where a match is along a line that begins after ten."""
    return max(0, match + 1 - LATEST) / max(1, matches + 1 - LATEST)
