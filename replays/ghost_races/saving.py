"""A player's actions in a ghost race, kept as a private variation."""

import json
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from games.engine.facts import Fault
from games.models import Match
from games.pages.words import reason
from games.people.visitor import Author
from games.records.log import Variation
from games.records.notation import write_line
from replays.ghost_races.state import GhostRaceOutcome
from replays.models import Variation as Kept
from replays.models.notes import RACED
from replays.models.sharing import new_key
from replays.notes import notes
from replays.notes.audience import Sharing
from replays.notes.positions import ValidationFault, events_of
from replays.stored.logs import round_of
from replays.variations.compare import scores_after
from replays.variations.ghost_race import GhostRace
from replays.variations.lines import MatchLines
from replays.variations.writing import variations


def saved_outcome(
    outcome: GhostRaceOutcome, race: GhostRace, match: Match, author: Author | None, words: str
) -> GhostRaceOutcome:
    """The outcome, with the variation that the race is kept as.

    Without an author its lines are given instead, for the browser to keep. A race in which the
    player did nothing is not kept.
    """
    if not outcome["acted"]:
        return outcome
    try:
        parts = _parts(race, words)
        if author is None:
            return {**outcome, "lines": list(map(_fields, parts))}
        return {**outcome, "key": _store_parts(match, author, parts)}
    except (Fault, ValidationFault) as fault:
        return {**outcome, "trouble": reason(fault)}


def words_of(race: GhostRace, slow: int, lag: int | None) -> str:
    """The variation's name, and the conditions under which it was raced."""
    lines, place = race.what_if.lines, race.what_if.place
    name = lines.round(place).header.seats[race.seat].name
    raced = {
        1: _("Raced against ghosts at the original speed."),
        2: _("Raced against ghosts at half speed."),
        4: _("Raced against ghosts at a quarter of the speed."),
    }
    with_lag = {
        1: _("Raced against ghosts at the original speed, with a median delay of {lag} ms."),
        2: _("Raced against ghosts at half speed, with a median delay of {lag} ms."),
        4: _("Raced against ghosts at a quarter of the speed, with a median delay of {lag} ms."),
    }
    how = raced[slow] if lag is None else with_lag[slow].format(lag=lag)
    head = _("Ghost race as {name}").format(name=name)
    return f"{head}\n\n{how}"


def _parts(race: GhostRace, words: str) -> list[Variation]:
    """The race as a variation of the mainline, in as many lines as it needs."""
    lines, place = race.what_if.lines, race.what_if.place
    root = lines.root(place)
    along = lines.whole(place)[root.event : place.event]
    remark = Variation(0, 0, None, words, (), new_key(), tags=(RACED,))
    return variations(MatchLines(lines.timeline), root, [*along, *race.what_if.events], remark)


def _fields(part: Variation) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(write_line(part))["variation"]
    return fields


def _store_parts(match: Match, author: Author, parts: list[Variation]) -> str:
    """Store the parts, each along the one before. Returns the last one's key."""
    before: Kept | None = None
    for part in parts:
        assert part.id
        before = notes.write_variation(author, match, part, Sharing(), key=part.id, line=before)
    assert before is not None
    return before.key


def result_of(race: Kept) -> tuple[int, tuple[int, ...]]:
    """When in its round a kept race began, in ms, and each seat's points where it ended."""
    parts = Q(key=race.key) | Q(key__startswith=f"{race.key}-")
    rows = Kept.objects.filter(parts, match=race.match_id, owner=race.owner).order_by("pk")
    played = round_of(race.match, race.round)
    before = played.events[: race.event]
    raced = [event for part in rows for event in events_of(part)]
    return before[-1].t if before else 0, scores_after(played.table(), [*before, *raced])
