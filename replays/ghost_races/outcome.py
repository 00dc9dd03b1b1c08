"""How a ghost race went, beside what happened: only as far as the race came."""

from __future__ import annotations

from games.engine.events import Event
from replays.ghost_races.state import GhostRaceOutcome, MovementTimes
from replays.variations.compare import compare, timings
from replays.variations.ghost_race import GhostRace


def outcome_of(race: GhostRace, why: str) -> GhostRaceOutcome:
    """The outcome of a race that is over, not kept yet."""
    what_if = race.what_if
    lines, place, until = what_if.lines, what_if.place, what_if.now
    rest = [event for event in lines.whole(place)[place.event :] if event.t <= until]
    found = compare(lines, place, what_if.events)
    return {
        "why": what_if.table.ended or why,
        "t": until,
        "acted": acted(race),
        "times": _times(race.seat, rest, what_if.events),
        "score": found.instead.standings[-1].scores[race.seat],
        "original": found.happened.at(until).scores[race.seat],
        "key": None,
        "lines": [],
        "trouble": "",
    }


def _times(seat: int, happened: list[Event], instead: list[Event]) -> list[MovementTimes]:
    return [
        {"do": one.do, "card": one.card, "happened": one.happened, "instead": one.instead}
        for one in timings(seat, happened, instead)
    ]


def acted(race: GhostRace) -> bool:
    """Whether anything that the player did became a fact."""
    actions = (action for answered in race.what_if.answered for action in answered)
    return any(action.seat == race.seat for action in actions)
