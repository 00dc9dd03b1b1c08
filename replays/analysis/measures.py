"""Every measure of a match as one JSON value. docs/reference/measures.md defines it."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from replays.analysis.account import accounts, taken_stacks
from replays.analysis.actions import KINDS, actions, gap_ms
from replays.analysis.missed_takes import missed_takes, taker
from replays.analysis.races import LateRace, Race, races
from replays.analysis.stacks import Stack, fed, stacks, takes
from replays.analysis.windows import Window, reaction_ms, windows
from replays.timeline import Round, Timeline

Json = dict[str, Any]
_ACCOUNT: Final = (
    *("score", "rivals", "alone", "wilds", "left"),
    *("could", "won", "share", "luck"),
)


def measures(timeline: Timeline) -> Json:
    """`id`, `edition`, `seats`, `rounds` and `match`. Times are ms in the round."""
    ended = [windows(played) for played in timeline.rounds]
    rounds = [round_measures(*of_round) for of_round in zip(timeline.rounds, ended, strict=True)]
    return {
        "id": timeline.header.id,
        "edition": timeline.header.edition,
        "seats": list(timeline.names),
        "rounds": rounds,
        "match": {**_match(timeline, rounds), "account": account(timeline, ended)},
    }


def account(timeline: Timeline, ended: Sequence[Sequence[Window]]) -> list[Json]:
    """`ended`: each round's windows."""
    seats = accounts(timeline, taken_stacks(timeline, ended))
    return [{name: _rounded(getattr(seat, name)) for name in _ACCOUNT} for seat in seats]


def _rounded(number: float) -> float:
    return round(number, 6) if isinstance(number, float) else number


def round_measures(played: Round, ended: Sequence[Window]) -> Json:
    """`ended`: its windows, in the order in which they ended."""
    seats, events, end = len(played.header.seats), played.events, played.end
    laid = stacks(events)
    gone = fed(laid, seats)
    in_order = sorted(ended, key=lambda window: window.order)
    return {
        "round": played.number,
        "duration_ms": played.duration_ms,
        "scores": list(end.scores) if end else None,
        "stacks": [_stack(stack) for stack in laid],
        "fed": [list(row[:-1]) for row in gone],
        "left": [row[-1] for row in gone],
        "takes": takes(laid, seats),
        "actions": actions(events, seats),
        "races": [_race(race) for race in races(events)],
        "windows": [_window(window) for window in in_order],
        "missed_takes": [_missed(window) for window in missed_takes(in_order)],
        "reaction_ms": reaction_ms(ended, seats),
        "gap_ms": gap_ms(events, seats),
    }


def _stack(stack: Stack) -> Json:
    return {
        "slot": stack.slot,
        "start": stack.start,
        "end": stack.end,
        "taker": stack.taker,
        "cards": stack.cards,
        "seats": stack.seats,
    }


def _race(race: Race) -> Json:
    kind = "late" if isinstance(race, LateRace) else "tie"
    fields = race._asdict()
    if "seats" in fields:
        fields["seats"] = list(fields["seats"])
    return {"t": fields.pop("t"), "slot": fields.pop("slot"), "kind": kind, **fields}


def _window(window: Window) -> Json:
    return {**_place(window), "end": window.end, "takes": window.takes}


def _missed(window: Window) -> Json:
    return {**_place(window), "cards": window.cards, "taker": taker(window)}


def _place(window: Window) -> Json:
    return {
        "seat": window.seat,
        "card": window.card,
        "slot": window.slot,
        "from": window.since,
        "to": window.until,
    }


def _match(timeline: Timeline, rounds: Sequence[Json]) -> Json:
    seats = range(len(timeline.header.seats))
    result = timeline.result
    return {
        "totals": list(timeline.totals),
        "winners": list(result.winners) if result else None,
        "fed": [[sum(of_round["fed"][i][j] for of_round in rounds) for j in seats] for i in seats],
        "takes": [sum(of_round["takes"][seat] for of_round in rounds) for seat in seats],
        "actions": [_summed(of_round["actions"][seat] for of_round in rounds) for seat in seats],
    }


def _summed(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    total = dict.fromkeys(KINDS, 0)
    for count in counts:
        for kind in KINDS:
            total[kind] += count[kind]
    return total
