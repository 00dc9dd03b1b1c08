"""A player's habits, as far as they predict: on their page, and at a table before a match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from games.archive.players import players_with_pages
from games.bots.roster import BotSpec, bot_spec
from games.models import Match, Player
from games.people.visit import Request
from replays.analysis.careers.alike import most_like
from replays.analysis.careers.habits import Told, told
from replays.pages.rendering import page
from replays.players.counting import Pool
from replays.players.queries import PRICED, Played, habits_in, hosted_of, usual_habits


class KnownHabits(NamedTuple):
    """Habits in a player's matches of one game."""

    matches: int
    told: list[Told]
    like: BotSpec
    """The bot that plays most like them."""


def most_played(origin: Match.Origin, played: Sequence[Played]) -> Pool | None:
    """The game that a player plays most, and as what; `played`: the newest first."""
    games = Counter(
        Pool(origin, match.kind, match.edition, match.seats)
        for match in reversed(played)
        if match.counted
    )
    return games.most_common(1)[0][0] if games else None


def habits_of(player: Player, pool: Pool, played: Sequence[Played]) -> KnownHabits | None:
    """What is told of a player from these matches, newest first. Two queries; None: nothing is."""
    own = habits_in(player, pool, [match.match for match in played[:PRICED]])
    known = told(own, usual_habits(player, pool)) if own else []
    return KnownHabits(len(own), known, bot_spec(most_like(own))) if known else None


@require_safe
def habits(request: Request, name: str) -> HttpResponse:
    """What may be told at a table of who sits there: of accounts alone, since guests share names.

    Only public matches count, as on the player's page, so nobody is told more than there.
    """
    visit, known = request.visit, None
    account = _account(name) if visit.shows_results and "\0" not in name else None
    player = players_with_pages().filter(name=name).first() if account else None
    if player and account:
        played = [match for match in hosted_of(account) if match.match not in visit.embargoed]
        pool = most_played(Match.Origin.HOSTED, played)
        known = habits_of(player, pool, played) if pool else None
    return page(request, "habits", {"name": name, "known": known})


def _account(name: str) -> int | None:
    """The account of that name, unless it is a child's."""
    users = User.objects.filter(username=name, is_active=True).exclude(account__supervised=True)
    return users.values_list("pk", flat=True).first()
