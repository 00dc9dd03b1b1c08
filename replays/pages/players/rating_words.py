"""Ratings and the ladder of bots, ready to be shown."""

from collections import defaultdict
from collections.abc import Collection
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.bots.roster import TEMPERS, bot_spec
from games.engine.editions import EDITIONS
from games.engine.message import signed, spoken
from games.models import Match, Player
from games.pages.words import day
from replays.pages.forms import edition_name
from replays.pages.strip import Strip, StripPoint, strip, thinned
from replays.ratings import tables
from replays.ratings.bots import Ladder, ladders
from replays.ratings.standing import BOTS, NEW, SCALE, START, Standing
from replays.ratings.tables import Rated, RatingMove, RatingStep

POINTS: Final = 30
"""Points in a chart of ratings."""


class RatedRow(NamedTuple):
    """A player in a table of ratings. The interval is from 0 to 100 of the table's whole range."""

    name: str
    standing: Standing
    start: int
    length: int
    middle: int


class RatingTable(NamedTuple):
    """An edition's ratings, highest first."""

    edition: str
    rows: list[RatedRow]


class LadderRow(NamedTuple):
    """A bot on its ladder: the site's with its levels, or an account's as it is."""

    name: str
    standings: list[Standing]


class LadderTable(NamedTuple):
    """An edition's bots, best first."""

    edition: str
    rungs: list[LadderRow]
    matches: int


class PlayerRating(NamedTuple):
    """A player's rating in an edition. `change` since the match before, as `+12`."""

    edition: str
    standing: Standing
    change: str


class PlayerRatings(NamedTuple):
    """A player's ratings, and the history of one of them."""

    rows: list[PlayerRating]
    history: Strip | None


class MovedRating(NamedTuple):
    """A player's rating after a match. `change` as `+12`."""

    name: str
    rating: int
    change: str


def rating_tables(held: Collection[int] = ()) -> list[RatingTable]:
    """The tables of the editions with ratings, without the players `held` back.

    One query for each edition.
    """
    ranked = ((edition, tables.table(edition, held)) for edition in EDITIONS)
    return [
        RatingTable(edition_name(edition), _rating_rows(rows)) for edition, rows in ranked if rows
    ]


def _rating_rows(rows: list[Rated]) -> list[RatedRow]:
    standings = [row.standing for row in rows]
    low = min(each.rating - each.doubt for each in standings)
    high = max(each.rating + each.doubt for each in standings)
    share = 100 / max(1, high - low)
    return [
        RatedRow(
            name,
            standing,
            round(share * (standing.rating - standing.doubt - low)),
            round(share * 2 * standing.doubt),
            round(share * (standing.rating - low)),
        )
        for name, standing in rows
    ]


def bot_ladders(held: Collection[int] = ()) -> list[LadderTable]:
    """The ladders of the roster, with accounts that are bots. One query for each edition.

    `held`: as in `rating_tables`.
    """
    return [
        LadderTable(edition_name(edition), _rungs(edition, ladder, held), ladder.matches)
        for edition, ladder in ladders().items()
    ]


def _rungs(edition: str, ladder: Ladder, held: Collection[int]) -> list[LadderRow]:
    levels = defaultdict[str, list[Standing]](list)
    for bot, standing in sorted(ladder.rungs):
        levels[TEMPERS[bot_spec(bot).temper].persona.name].append(standing)
    accounts = [(row.name, [row.standing]) for row in tables.table(BOTS + edition, held)]
    rungs = [LadderRow(*row) for row in (*levels.items(), *accounts)]
    return sorted(rungs, key=lambda row: -row.standings[-1].mu)


def _ledger_name(ledger: str) -> str:
    """A ledger's name: its edition, and whether it is for bots."""
    edition = ledger.removeprefix(BOTS)
    if edition == ledger:
        return edition_name(edition)
    return _("{edition}, among bots").format(edition=edition_name(edition))


def ratings_of(player: Player, edition: str = "") -> PlayerRatings | None:
    """A player's ratings, and the history of the asked edition's, by default of the most played.

    None for a player without any. One query, and one for each edition in which there are ratings.
    """
    standings = tables.ratings_of(player)
    if not standings:
        return None
    shown = edition if edition in standings else next(iter(standings))
    steps = {
        rated: tables.history(player, rated, tables.HISTORY if rated == shown else 2)
        for rated in standings
    }
    rows = [
        PlayerRating(_ledger_name(rated), standing, _change(steps[rated]))
        for rated, standing in standings.items()
    ]
    return PlayerRatings(rows, _history(_ledger_name(shown), steps[shown]))


def _change(steps: list[RatingStep]) -> str:
    if not steps:
        return ""
    before = steps[-2].standing if len(steps) > 1 else NEW
    return spoken(signed(steps[-1].standing.rating - before.rating))


def moves_in(match: Match, held: Collection[int]) -> list[MovedRating]:
    """The ratings after a match, without the players `held` back. One query."""
    return [
        MovedRating(move.name, move.standing.rating, _change_words(move))
        for move in tables.moves_of(match)
        if move.player not in held
    ]


def _change_words(move: RatingMove) -> str:
    before = NEW if move.before is None else NEW._replace(mu=move.before)
    return spoken(signed(move.standing.rating - before.rating))


def _history(edition: str, steps: list[RatingStep]) -> Strip | None:
    """The chart of a rating over time. None for fewer than two matches."""
    if len(steps) < 2:
        return None
    chosen = [steps[place] for place in thinned(len(steps), POINTS)]
    says = _(
        "In {edition}. The band shows how uncertain the rating is (95%). It shrinks with every "
        "match."
    ).format(edition=edition)
    return strip(_("Rating over time"), says, _("Rating"), [_point(step) for step in chosen], 0)


def _point(step: RatingStep) -> StripPoint:
    standing = step.standing
    rating, doubt = START + SCALE * (standing.mu - NEW.mu), 2 * SCALE * standing.sigma
    words = ngettext(
        "{count} match, last: place {place}",
        "{count} matches, last: place {place}",
        standing.matches,
    )
    of = words.format(count=standing.matches, place=step.place)
    return StripPoint(rating, rating - doubt, rating + doubt, day(step.ended_at), of)
