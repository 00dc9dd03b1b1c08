"""Two players' matches in one sentence, as in the table of rivals on a player's page."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.translation import gettext as _

from games.archive.players import player_named
from games.archive.queries import seats_by_match
from games.models import Match
from replays.pages.players.choices import found_for, met_there
from replays.pages.players.results import opponents_of
from replays.players.queries import LATEST


def balance_of(name: str, other: str, without: Collection[int]) -> str:
    """How often one player was ahead of another. Empty if they have not met."""
    player = player_named(name)
    if player is None:
        return ""
    origin, matches, _options = found_for(player, "", without)
    kind = min((match.kind for match in matches), key="human".__ne__, default="")
    matches = [match for match in matches[:LATEST] if match.kind == kind]
    seats = seats_by_match(match.match for match in matches)
    met = [match for match in matches if met_there(other, seats[match.match])]
    rival = next((row for row in opponents_of(name, met, seats) if row.name == other), None)
    if rival is None:
        return ""
    said = (
        _("Simulated matches: {name} ahead of {other} in {ahead}, level in {level}, behind in {n}.")
        if origin is Match.Origin.SIMULATED
        else _(
            "Finished matches: {name} ahead of {other} in {ahead}, level in {level}, behind in {n}."
        )
    )
    counts = {"ahead": rival.ahead, "level": rival.level, "n": rival.behind}
    return said.format(name=name, other=other, **counts)
