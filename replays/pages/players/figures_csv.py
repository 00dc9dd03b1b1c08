"""The figures of a player's page as CSV: one line for each figure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from replays.analysis.careers.intervals import Estimate
from replays.analysis.csv_text import csv_text, harmless
from replays.pages.players.profile import Profile
from replays.pages.players.rating_words import PlayerRatings
from replays.pages.players.results import Results, ShownFigure
from replays.pages.strip import Strip, StripPoint

COLUMNS: Final = ("part", "of", "figure", "unit", "value", "low", "high", "sample")
"""`low` and `high` are the edges of the 95% interval, empty if there is none."""
_DIGITS: Final = 3
_Line = tuple[str | int | float, ...]


def csv_of(profile: Profile, ratings: PlayerRatings | None) -> str:
    """The figures, the groups, form and rating over time, and the opponents."""
    return csv_text(COLUMNS, _lines(profile, ratings))


def _lines(profile: Profile, ratings: PlayerRatings | None) -> Iterator[_Line]:
    yield "sample", "", profile.sample, "matches", "", "", "", profile.overall.played
    for figure in profile.figures:
        yield _line("figures", "", figure)
    for title, tallies in profile.groups:
        for tally in tallies:
            yield from _tally(title, tally)
    for one in profile.opponents:
        if one.lead:
            bot = " (bot)" if one.kind == "bot" else ""
            yield _line("head to head", f"{harmless(one.name)}{bot}", one.lead)
    for chart in (profile.form, ratings and ratings.history):
        if chart:
            yield from _strip(chart)


def _tally(title: str, tally: Results) -> Iterator[_Line]:
    for figure in (tally.share, tally.points):
        if figure:
            yield _line(title.lower(), tally.name, figure)


def _line(part: str, of: str, figure: ShownFigure) -> _Line:
    return part, of, figure.title, figure.unit, *_numbers(figure.estimate), figure.matches


def _strip(chart: Strip) -> Iterator[_Line]:
    for point in chart.points:
        yield chart.title.lower(), point.label, chart.unit, "", *_numbers(point), point.sample


def _numbers(one: Estimate | StripPoint) -> Iterator[str | float]:
    """The value and the edges of its interval."""
    for number in (one.value, one.low, one.high):
        yield "" if number is None else round(number, _DIGITS)
