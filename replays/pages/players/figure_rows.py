"""The figures of a player's page as rows, one for each figure, for programs."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from typing_extensions import TypedDict

from replays.analysis.players.intervals import Estimate
from replays.analysis.players.spans import Gain
from replays.pages.players.profile import Profile
from replays.pages.players.rating_words import PlayerRatings
from replays.pages.players.results import Results, ShownFigure
from replays.pages.strip import Strip, StripPoint

_DIGITS: Final = 3


class FigureRow(NamedTuple):
    """A figure, its part of the page and its subject. None: not applicable."""

    part: str
    of: str | None
    figure: str
    unit: str | None
    value: float | None
    low: float | None
    """`low` and `high` are the edges of the 95% interval."""
    high: float | None
    sample: str | int


class FiguresJson(TypedDict):
    """A player's figures, and their basis: `uncounted` of the `matches` are not read yet."""

    player: str
    kind: str
    sample: str
    matches: int
    uncounted: int
    versions: dict[str, int]
    figures: list[dict[str, Any]]
    """`FigureRow`s."""


def json_of(name: str, profile: Profile, ratings: PlayerRatings | None) -> FiguresJson:
    """The figures of a page, with their basis."""
    return {
        "player": name,
        "kind": profile.kind,
        "sample": profile.sample,
        "matches": profile.overall.played,
        "uncounted": profile.uncounted,
        "versions": {"measures": profile.measures},
        "figures": [row._asdict() for row in _rows_of(profile, ratings)],
    }


def _rows_of(profile: Profile, ratings: PlayerRatings | None) -> Iterator[FigureRow]:
    for figure in profile.figures:
        yield _row("figures", None, figure)
    for part in profile.parts.figures if profile.parts else ():
        yield _row("parts of the points per round", None, part)
    for course in profile.priorities.courses:
        numbers = _numbers(course.estimate)
        of = course.title
        yield FigureRow("what costs points", of, course.says, None, *numbers, profile.sample)
    for title, tallies in profile.groups:
        for tally in tallies:
            yield from _tally(title, tally)
    for opponent in profile.opponents:
        if opponent.lead:
            bot = " (bot)" if opponent.kind == "bot" else ""
            yield _row("head to head", f"{opponent.name}{bot}", opponent.lead)
    history = ratings and ratings.history
    for name, chart in (("form", profile.form), ("rating over time", history)):
        if chart:
            yield from _strip(name, chart)


def _tally(title: str, tally: Results) -> Iterator[FigureRow]:
    for figure in (tally.share, tally.points):
        if figure:
            yield _row(title.lower(), tally.name, figure)


def _row(part: str, of: str | None, figure: ShownFigure) -> FigureRow:
    numbers = _numbers(figure.estimate)
    return FigureRow(part, of, figure.title, figure.unit, *numbers, figure.matches)


def _strip(part: str, chart: Strip) -> Iterator[FigureRow]:
    for point in chart.points:
        numbers = _numbers(point)
        yield FigureRow(part, point.label, chart.unit, None, *numbers, point.sample)


_Numbers = tuple[float | None, float | None, float | None]


def _numbers(estimate: Estimate | StripPoint | Gain) -> _Numbers:
    """The value and the edges of its interval."""
    value = estimate.points if isinstance(estimate, Gain) else estimate.value
    return _rounded(value), _rounded(estimate.low), _rounded(estimate.high)


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, _DIGITS)
