"""A player's level in words."""

from collections.abc import Collection

from django.utils.translation import gettext as _

from games.archive.own import latest_seats
from games.bots.roster import TEMPERS
from games.models import Match, Player
from games.people.visit import Visit
from replays.players.queries import results_of
from replays.ratings.against_bots import level_in
from replays.ratings.level import Level


def own_level(visit: Visit) -> str:
    """The visitor's own, over all their matches. Empty after too few, and while results are
    hidden."""
    if not visit.visitor.persons or not visit.shows_results:
        return ""
    seats = latest_seats(visit.visitor.persons).exclude(match__in=visit.embargoed)
    level = level_in(seats)
    plain = visit.visitor.supervised
    text = _("You play like {bot} at level {range}.")
    return "" if level is None else said(level, text, plain=plain)


def level_of_player(player: Player, without: Collection[int]) -> str:
    """A player's, over the public matches that a visitor may see. Empty after too few."""
    public = results_of(player, Match.Origin.HOSTED).filter(
        match__visibility=Match.Visibility.PUBLIC
    )
    level = level_in(public.filter(kind="human").exclude(match__in=without))
    return "" if level is None else said(level, _("Plays like {bot} at level {range}."))


def said(level: Level, text: str, *, plain: bool = False) -> str:
    """The text with the bot and its level, as `Ragna` and `3 (2 to 4)`. `plain`: `3`."""
    at = str(level.level)
    if level.low < level.high and not plain:
        at = _("{level} ({low} to {high})").format(
            level=level.level, low=level.low, high=level.high
        )
    return text.format(bot=TEMPERS[level.temper].persona.name, range=at)
