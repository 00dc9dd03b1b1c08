"""A player's page: results, figures with their intervals, form and opponents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.archive.queries import seats_by_match
from games.models import Match, Player
from games.pages.words import day
from games.people.person import Person
from replays.analysis.players.figures import FIGURES, PARTS, columns, figures
from replays.analysis.players.intervals import FEWEST, Estimate
from replays.analysis.players.priorities import PRESENT
from replays.analysis.versions import MEASURES_VERSION
from replays.pages.courses import counted, form_told, rolling
from replays.pages.forms import edition_name
from replays.pages.players.choices import (
    AGAINST,
    Choice,
    against_of,
    choices_of,
    fits,
    found_for,
    matches_without,
    met_there,
    opponent_choice,
)
from replays.pages.players.results import (
    Opponent,
    Results,
    ShownFigure,
    in_order,
    opponents_of,
    shown,
    tally,
)
from replays.pages.priorities import Priorities, shown_priorities
from replays.pages.strip import Strip, strip
from replays.players import queries
from replays.players.queries import Played, priced_in

FORM: Final = 16
_GROUPS: Final = gettext_noop("Edition"), gettext_noop("Players"), gettext_noop("Against")
"""Put into the reader's language by the page."""


class Profile(NamedTuple):
    """The contents of a player's page."""

    kind: str
    """What the player was in the matches that count: human or bot."""
    choices: list[Choice]
    filtered: bool
    origin: str
    """A key of `ORIGINS`."""
    played_any: bool
    overall: Results
    figures: list[ShownFigure]
    parts: Parts | None
    priorities: Priorities
    sample: str
    uncounted: int
    groups: list[tuple[str, list[Results]]]
    form: Strip | None
    opponents: list[Opponent]
    latest: list[Played]
    """Newest first, at most `PRESENT`."""
    since: str
    """The first day that counts, if there are older matches than counted."""
    uploaded: Results
    """Results under that name in uploaded records. They count for nothing else here."""

    @property
    def few(self) -> bool:
        """Whether there are too few matches for any interval."""
        return 0 < self.overall.played < FEWEST

    @property
    def chosen(self) -> dict[str, str]:
        """What `choices` limit the matches to, as in a query string."""
        limits = {choice.name: choice.chosen for choice in self.choices if choice.chosen}
        return {**limits, "played": self.origin, "as": self.kind}

    @property
    def other_origins(self) -> list[str]:
        """The other matches to choose, as keys of `ORIGINS`."""
        played = next((choice for choice in self.choices if choice.name == "played"), None)
        return [name for name, _label in played.options if name != self.origin] if played else []

    @property
    def recent(self) -> list[Played]:
        """The form: the latest, oldest first."""
        return self.latest[:FORM][::-1]

    @property
    def measures(self) -> int:
        return MEASURES_VERSION


def profile_of(
    player: Player,
    asked: Mapping[str, str] | None = None,
    without: Collection[int] = (),
    practised: Sequence[Person] = (),
    *,
    plain: bool = False,
) -> Profile:
    """A player's page, for the query string, leaving out some matches.

    `practised`: the persons of a visitor to their own page. `plain`: in words for children. Five
    queries, at most eight.
    """
    asked = asked or {}
    origin, matches, origins = found_for(player, asked.get("played", ""), without)
    whole, matches = len(matches) <= queries.LATEST, matches[: queries.LATEST]
    since = "" if whole else day(matches[-1].started_at)
    seats = seats_by_match(match.match for match in matches)
    against = {match.match: against_of(match, seats[match.match]) for match in matches}
    choices = [origins, *choices_of(matches, against, asked), opponent_choice(player, seats, asked)]
    chosen = {choice.name: choice.chosen for choice in choices}
    played = [
        match
        for match in matches
        if fits(match, against[match.match], chosen)
        and met_there(chosen["opponent"], seats[match.match])
    ]
    oldest_first = played[::-1]
    uploaded = matches_without(player, Match.Origin.UPLOADED, without)
    priced = priced_in(played)
    estimates = figures(columns(match.entry for match in oldest_first), (*FIGURES, *PARTS))
    return Profile(
        kind=chosen["as"],
        choices=[choice for choice in choices if len(choice.options) > 1],
        filtered=len(played) < len(matches),
        origin=origin,
        played_any=bool(matches),
        overall=tally("", played),
        figures=in_order(estimates),
        parts=parts_of(estimates),
        priorities=shown_priorities(priced, persons=practised, plain=plain),
        sample=_sample(played),
        uncounted=sum(match.counted is None and not match.stand_in for match in played),
        groups=_groups(played, against),
        form=None if plain else _form(oldest_first),
        opponents=opponents_of(player.name, played, seats),
        latest=played[:PRESENT],
        since=since,
        uploaded=tally("", uploaded[: queries.LATEST]),
    )


def _sample(played: Sequence[Played]) -> str:
    """What the figures rest on: matches, rounds and period."""
    if not played:
        return ""
    rounds = sum(match.rounds for match in played)
    parts = (
        ngettext("{count} round", "{count} rounds", rounds).format(count=rounds),
        _days(played[-1], played[0]),
    )
    return ", ".join(parts)


def _groups(
    played: Sequence[Played], against: Mapping[int, str]
) -> list[tuple[str, list[Results]]]:
    """The matches by edition, by number of players, and by opponents."""
    by: tuple[tuple[str, dict[str, list[Played]]], ...] = tuple(
        (title, defaultdict(list)) for title in _GROUPS
    )
    for match in played:
        names = edition_name(match.edition), str(match.seats), str(AGAINST[against[match.match]])
        for (_title, by_name), name in zip(by, names, strict=True):
            by_name[name].append(match)
    return [
        (title, [tally(name, of) for name, of in sorted(groups.items())]) for title, groups in by
    ]


def _form(played: Sequence[Played]) -> Strip | None:
    """The cards beyond an even share over time. `played` has the oldest first."""
    found = form_told(played)
    if not found:
        return None
    unit, change, difference = found[0]
    drawn = _("Line: the mean of the latest ten matches. Band: 95%.")
    points = rolling(difference.values, [match.started_at for match in counted(played)])
    return strip(unit, f"{change} {drawn}", unit, points)


def _days(first: Played, last: Played) -> str:
    since, until = first.started_at, last.started_at
    if since.date() == until.date():
        return day(since)
    return _("{since} to {until}").format(since=day(since), until=day(until))


class Part(NamedTuple):
    """A part of the points per round. Its bar goes from the middle (0) up to ±1."""

    figure: ShownFigure
    start: float
    length: float

    @property
    def lost(self) -> bool:
        """Whether it lowers the points."""
        return self.start < 0


class Parts(NamedTuple):
    """All parts of the points per round."""

    table: ShownFigure
    rows: list[Part]

    @property
    def figures(self) -> list[ShownFigure]:
        """The parts, which add up to the points."""
        return [self.table, *(part.figure for part in self.rows)]


def parts_of(estimates: Mapping[str, Estimate]) -> Parts | None:
    """None as long as no match is counted."""
    known = [shown(figure, estimates.get(figure.key)) for figure in PARTS]
    figures = [figure for figure in known if figure is not None]
    if len(figures) < len(PARTS):
        return None
    table, *moved = figures
    values = [figure.estimate.value for figure in moved]
    most = max(map(abs, values)) or 1.0
    rows = [
        Part(figure, round(min(0.0, value) / most, 3), round(abs(value) / most, 3))
        for figure, value in zip(moved, values, strict=True)
    ]
    return Parts(table, rows)
