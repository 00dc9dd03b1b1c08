"""A player's page: results, figures with their intervals, style, form and opponents."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from games.archive.queries import SeatRow, seats_by_match
from games.engine.editions import EDITIONS
from games.models import Match, Player
from games.records.plural import counted
from replays.analysis.careers.figures import FIGURES, POINTS, WON, Figure, columns, figures
from replays.analysis.careers.form import Group, form
from replays.analysis.careers.intervals import FEWEST, Estimate, estimate, parted
from replays.analysis.careers.styles import Trait, traits
from replays.analysis.versions import MEASURES_VERSION
from replays.pages.forms import edition_name
from replays.pages.strip import Strip, StripPoint, strip
from replays.players import queries
from replays.players.counting import Pool
from replays.players.queries import Played, everybody_else, has_matches, matches_of

FORM: Final = 20
OPPONENTS: Final = 12
ORIGINS: Final[Mapping[str, Match.Origin]] = {
    "here": Match.Origin.HOSTED,
    "simulated": Match.Origin.SIMULATED,
}
_ELSEWHERE: Final = (Match.Origin.IMPORTED, Match.Origin.UPLOADED)
AGAINST: Final[Mapping[str, str]] = {
    "humans": "humans only",
    "bots": "bots only",
    "both": "humans and bots",
}
_LEAD: Final = Figure("lead", "Lead per round", "lead", "rounds", least=None)
_KINDS: Final[Mapping[str, str]] = {"human": "a human", "bot": "a bot"}


class Choice(NamedTuple):
    """What a select offers: values and labels."""

    name: str
    label: str
    options: list[tuple[str, str]]
    chosen: str


class ShownFigure(NamedTuple):
    """A figure in words; the interval is empty for too few matches."""

    title: str
    value: str
    interval: str
    matches: int
    unit: str
    estimate: Estimate
    """The same as numbers, in that unit."""


class Results(NamedTuple):
    """Results in numbers, over some matches."""

    name: str
    played: int
    won: int
    drawn: int
    lost: int
    share: ShownFigure | None
    """Of matches won."""
    points: ShownFigure | None
    """Per round."""

    @property
    def percent(self) -> int:
        """The percentage of matches won."""
        return round(100 * self.won / self.played) if self.played else 0


class Opponent(NamedTuple):
    """Somebody met at a table, how often each was ahead there, and by how much."""

    name: str
    kind: str
    """human or bot; one name can be both, and then stands here twice."""
    met: int
    ahead: int
    behind: int
    lead: ShownFigure | None
    """In points per round; negative if the opponent had more."""

    @property
    def level(self) -> int:
        """How often they were level."""
        return self.met - self.ahead - self.behind


class Style(NamedTuple):
    """How a player differs from others, and on what that rests."""

    game: str
    matches: int
    period: str
    others: int
    """Matches of everybody else."""
    traits: list[Trait]

    @property
    def enough(self) -> bool:
        """Whether the player has matches enough for intervals."""
        return self.matches >= FEWEST

    @property
    def comparable(self) -> bool:
        """Whether the others have, too."""
        return self.enough and self.others >= FEWEST


class Profile(NamedTuple):
    """The contents of a player's page. `whole` is False if there are older matches than counted."""

    kind: str
    """What the player was in the matches that count: human or bot."""
    choices: list[Choice]
    filtered: bool
    simulated: bool
    played_any: bool
    overall: Results
    figures: list[ShownFigure]
    sample: str
    uncounted: int
    groups: list[tuple[str, list[Results]]]
    style: Style | None
    form: Strip | None
    opponents: list[Opponent]
    latest: list[Played]
    whole: bool
    elsewhere: Results
    """Results under that name in records from elsewhere; they count for nothing else here."""

    @property
    def few(self) -> bool:
        """Whether there are too few matches for any interval."""
        return 0 < self.overall.played < FEWEST

    @property
    def measures(self) -> int:
        """The version of the measures."""
        return MEASURES_VERSION


def profile_of(
    player: Player, asked: Mapping[str, str] | None = None, without: Collection[int] = ()
) -> Profile:
    """A player's page, for what the query string asks, leaving out some matches.

    Six queries, at most seven.
    """
    asked = asked or {}
    origin, found, origins = _found(player, asked.get("played", ""), without)
    whole, found = len(found) <= queries.LATEST, found[: queries.LATEST]
    seats = seats_by_match(match.match for match in found)
    against = {match.match: _against(match, seats[match.match]) for match in found}
    choices = [origins, *_choices(found, against, asked), _opponent_choice(player, seats, asked)]
    chosen = {choice.name: choice.chosen for choice in choices}
    played = [
        match
        for match in found
        if _fits(match, against[match.match], chosen)
        and _met(chosen["opponent"], seats[match.match])
    ]
    oldest_first = played[::-1]
    estimates = figures(columns(match.entry for match in oldest_first))
    return Profile(
        kind=chosen["as"],
        choices=[choice for choice in choices if len(choice.options) > 1],
        filtered=len(played) < len(found),
        simulated=origin is Match.Origin.SIMULATED,
        played_any=bool(found),
        overall=_tally("", played),
        figures=[one for figure in FIGURES if (one := _shown(figure, estimates.get(figure.key)))],
        sample=_sample(played),
        uncounted=sum(match.counted is None for match in played),
        groups=_groups(played, against),
        style=_style(player, origin, played),
        form=_form(oldest_first),
        opponents=_opponents(player.name, played, seats),
        latest=played[:FORM][::-1],
        whole=whole,
        elsewhere=_tally("", _matches(player, _ELSEWHERE, without)[: queries.LATEST]),
    )


# --- Which matches ------------------------------------------------------------------------


def _matches(
    player: Player, origins: Sequence[Match.Origin], without: Collection[int]
) -> list[Played]:
    return [match for match in matches_of(player, origins) if match.match not in without]


def _found(
    player: Player, asked: str, without: Collection[int]
) -> tuple[Match.Origin, list[Played], Choice]:
    """The matches of one origin, and the choice of origins.

    What was played here comes first; somebody who only appears in simulations has those.
    """
    origin = ORIGINS.get(asked, Match.Origin.HOSTED)
    found = _matches(player, (origin,), without)
    other = next(one for one in ORIGINS.values() if one is not origin)
    if not found and asked not in ORIGINS:
        origin, other = other, origin
        found, offered = _matches(player, (origin,), without), False
    else:
        offered = has_matches(player, other)
    every = [("here", "here"), ("simulated", "simulated by bots")]
    options = [one for one in every if offered or ORIGINS[one[0]] is origin]
    value = next(name for name, one in ORIGINS.items() if one is origin)
    return origin, found, Choice("played", "Played", options, value)


def _choices(
    found: Sequence[Played], against: Mapping[int, str], asked: Mapping[str, str]
) -> list[Choice]:
    """What else can be chosen among the matches found."""
    kinds = {match.kind for match in found}
    human_first = [(kind, name) for kind, name in _KINDS.items() if kind in kinds]
    editions = {match.edition for match in found}
    seats = sorted({match.seats for match in found})
    met = set(against.values())
    return [
        _choice("as", "Played as", human_first, asked, whole=False),
        _choice(
            "edition",
            "Edition",
            [(one, edition_name(one)) for one in EDITIONS if one in editions],
            asked,
        ),
        _choice("seats", "Players", [(str(count), str(count)) for count in seats], asked),
        _choice(
            "against", "Against", [(k, name) for k, name in AGAINST.items() if k in met], asked
        ),
    ]


def _choice(
    name: str,
    label: str,
    options: list[tuple[str, str]],
    asked: Mapping[str, str],
    *,
    whole: bool = True,
) -> Choice:
    """A choice; `whole`: of any of the options, as long as nothing is asked."""
    if whole:
        options = [("", "Any"), *options] if len(options) > 1 else [("", "Any")]
    given = asked.get(name, "")
    known = [value for value, _ in options]
    return Choice(name, label, options, given if given in known else (known or [""])[0])


def _opponent_choice(
    player: Player, seats: Mapping[int, Sequence[SeatRow]], asked: Mapping[str, str]
) -> Choice:
    """The opponents met most, and any other who is asked for."""
    names = Counter(seat.name for of in seats.values() for seat in of if seat.name != player.name)
    most = sorted(names, key=lambda name: (-names[name], name))[:OPPONENTS]
    other = asked.get("opponent", "")
    if other in names and other not in most:
        most.append(other)
    return _choice("opponent", "Opponent", [(name, name) for name in most], asked)


def _met(opponent: str, seats: Iterable[SeatRow]) -> bool:
    """Whether an opponent, if one is asked for, played there."""
    return not opponent or any(seat.name == opponent for seat in seats)


def _fits(match: Played, against: str, chosen: Mapping[str, str]) -> bool:
    return (
        chosen["as"] in ("", match.kind)
        and chosen["edition"] in ("", match.edition)
        and chosen["seats"] in ("", str(match.seats))
        and chosen["against"] in ("", against)
    )


def _against(match: Played, seats: Iterable[SeatRow]) -> str:
    """Whom a match was played against, as a key of `AGAINST`."""
    kinds = {seat.kind for seat in seats if seat.number != match.number}
    if len(kinds) == 1:
        return "bots" if kinds == {"bot"} else "humans"
    return "both"


# --- Figures ------------------------------------------------------------------------------


def _tally(name: str, played: Sequence[Played]) -> Results:
    results = [match.result for match in played]
    won, drawn, lost = (results.count(result) for result in "WDL")
    estimates = figures(columns(match.entry for match in reversed(played)), (WON, POINTS))
    share, points = (_shown(figure, estimates.get(figure.key)) for figure in (WON, POINTS))
    return Results(name, len(played), won, drawn, lost, share, points)


def _shown(figure: Figure, found: Estimate | None) -> ShownFigure | None:
    if found is None:
        return None
    value, interval = figure.value(found), figure.interval(found)
    return ShownFigure(figure.title, value, interval, found.matches, figure.unit.strip(), found)


def _sample(played: Sequence[Played]) -> str:
    """What the figures rest on: matches, rounds, period and version."""
    if not played:
        return ""
    rounds = counted(sum(match.rounds for match in played), "round")
    period = _days(played[-1], played[0])
    matches = counted(len(played), "match", "matches")
    return f"{matches}, {rounds}, {period}; measures version {MEASURES_VERSION}"


def _groups(
    played: Sequence[Played], against: Mapping[int, str]
) -> list[tuple[str, list[Results]]]:
    """The matches by edition, by number of players, and by opponents."""
    by: tuple[tuple[str, dict[str, list[Played]]], ...] = tuple(
        (title, defaultdict(list)) for title in ("Edition", "Players", "Against")
    )
    for match in played:
        names = edition_name(match.edition), str(match.seats), AGAINST[against[match.match]]
        for (_, found), name in zip(by, names, strict=True):
            found[name].append(match)
    return [
        (title, [_tally(name, of) for name, of in sorted(found.items())]) for title, found in by
    ]


def _style(player: Player, origin: Match.Origin, played: Sequence[Played]) -> Style | None:
    """How the player differs from everybody else, in the game that they play most."""
    games = Counter(
        Pool(origin, match.kind, match.edition, match.seats)
        for match in reversed(played)
        if match.counted
    )
    if not games:
        return None
    pool, matches = games.most_common(1)[0]
    game = f"{edition_name(pool.edition)} with {pool.seats} players"
    own = [
        match
        for match in reversed(played)
        if match.counted and (match.edition, match.seats) == (pool.edition, pool.seats)
    ]
    period = _days(own[0], own[-1])
    if matches < FEWEST:
        return Style(game, matches, period, 0, [])
    others = everybody_else(player, pool)
    entries = columns(match.entry for match in own)
    found = traits(figures(entries), figures(columns(others)))
    return Style(game, matches, period, len(others), found)


def _form(played: Sequence[Played]) -> Strip | None:
    """Points per round over time; `played` has the oldest first."""
    groups = form([match.entry for match in played], POINTS)
    if not groups:
        return None
    points = [
        StripPoint(
            *group.estimated[:3],
            _days(played[group.first], played[group.last]),
            counted(group.last - group.first + 1, "match", "matches"),
        )
        for group in groups
    ]
    return strip("Form over time", _said(groups), POINTS.title, points)


def _days(first: Played, last: Played) -> str:
    since, until = first.started_at, last.started_at
    if since.date() == until.date():
        return f"{since:%-d %b %Y}"
    return f"{since:%-d %b %Y} to {until:%-d %b %Y}"


def _said(groups: Sequence[Group]) -> str:
    """What to see in the chart of form."""
    first, last = groups[0].estimated, groups[-1].estimated
    change = {
        1: "the last group's points are clearly higher than the first group's",
        0: "the first and the last group do not clearly differ",
        -1: "the last group's points are clearly lower than the first group's",
    }[parted(last, first)]
    size = groups[-1].last - groups[-1].first + 1
    return (
        f"Points per round in groups of about {size} consecutive matches, with 95% intervals: "
        f"{change}."
    )


# --- Opponents ----------------------------------------------------------------------------


def _opponents(
    name: str, played: Iterable[Played], seats: Mapping[int, Sequence[SeatRow]]
) -> list[Opponent]:
    met: dict[tuple[str, str], list[tuple[Played, int]]] = defaultdict(list)
    for match in played:
        for seat in seats[match.match]:
            if seat.number != match.number and seat.name != name and seat.total is not None:
                met[seat.name, seat.kind].append((match, seat.total))
    most = sorted(met.items(), key=lambda one: (-len(one[1]), one[0]))[:OPPONENTS]
    return [_opponent(*other, found) for other, found in most]


def _opponent(name: str, kind: str, found: Sequence[tuple[Played, int]]) -> Opponent:
    leads = [match.total - total for match, total in found]
    rounds = [match.rounds for match, _ in found]
    ahead, behind = sum(lead > 0 for lead in leads), sum(lead < 0 for lead in leads)
    lead = _shown(_LEAD, estimate(leads, rounds))
    return Opponent(name, kind, len(found), ahead, behind, lead)
