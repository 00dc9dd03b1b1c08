"""A match in a few sentences: who won or leads, who left, who took most, the biggest take.

While a match is being played they say no more than any spectator may know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import Final

from games.engine.events import Play
from games.engine.message import card, decimal, lasting, often, seat, seats, when
from replays.analysis.leaving import STAYED, left_at
from replays.analysis.moments.leads import LeadChange
from replays.analysis.moments.swings import Swing
from replays.analysis.moments.wording import where
from replays.analysis.player_table import Cell, PlayerRow
from replays.analysis.sentences import Fact, Text, fact, say
from replays.analysis.verdict import verdict
from replays.timeline import Timeline

ONE_SIDED: Final = 0.5
"""A match is one-sided if the second has at most this share of the winner's points."""
QUICKER: Final = 1.5
"""How many times as long the others' cards wait, for that to be a reason."""


def facts(
    timeline: Timeline,
    players: Sequence[PlayerRow],
    changes: Sequence[LeadChange],
    swings: Sequence[Swing],
) -> list[Text]:
    """The texts, most important first."""
    left = list(_left(timeline))
    if timeline.result and not timeline.result.winners and timeline.rounds:
        first, left = say(_abandoned(timeline), left), []
    else:
        first = verdict(timeline, changes, swings)
    found = (*left, *_most_takes(timeline, players), *_biggest_take(timeline))
    return [first, *map(say, (*found, *_quicker(timeline, players)))]


def _abandoned(timeline: Timeline) -> Fact:
    last = timeline.rounds[-1]
    number = last.number if len(timeline.rounds) > 1 else None
    return fact("abandoned_when", when=when(number, last.duration_ms))


def _quicker(timeline: Timeline, players: Sequence[PlayerRow]) -> Iterator[Fact]:
    """Why a match was one-sided, if its winner's playable cards waited much less than others'."""
    won, totals = timeline.result.winners if timeline.result else (), timeline.totals
    if len(won) != 1:
        return
    winner = won[0]
    second = max(total for seat, total in enumerate(totals) if seat != winner)
    reactions = {row.seat: row.cells.get("reaction_ms", Cell(None)).value for row in players}
    own = reactions.pop(winner)
    others = [ms for ms in reactions.values() if ms is not None]
    if second > ONE_SIDED * totals[winner] or not own or not others:
        return
    usual = median(others)
    if usual >= QUICKER * own:
        times = {"own": lasting(round(own)), "others": lasting(round(usual))}
        yield fact("quicker", player=seat(winner), **times)


def _left(timeline: Timeline) -> Iterator[Fact]:
    for gone, (number, t) in enumerate(left_at(timeline)):
        if (number, t) == STAYED:
            continue
        if number == 0:
            yield fact("never_played" if timeline.result else "not_moved", player=seat(gone))
        else:
            there = when(int(number) if len(timeline.rounds) > 1 else None, t)
            kind = "stopped_when" if timeline.result else "last_moved"
            yield fact(kind, player=seat(gone), when=there)


def _most_takes(timeline: Timeline, players: Sequence[PlayerRow]) -> Iterator[Fact]:
    takes = [int(row.cells["takes"].value or 0) for row in players]
    most, over = max(takes), timeline.result is not None
    if not most:
        yield fact("no_takes" if over else "no_takes_yet")
        return
    rows = [row for row, count in zip(players, takes, strict=True) if count == most]
    verb = "took" if over else "take"
    if len(rows) > 1:
        first = seats(row.seat for row in rows)
        yield fact(f"all_{verb}_most_often", players=first, times=often(most))
        return
    size = decimal(rows[0].cells["cards_a_take"].value or 0)
    kind = "took_most_often" if over else "takes_most_often"
    yield fact(kind, player=seat(rows[0].seat), count=most, times=often(most), size=size)


def _biggest_take(timeline: Timeline) -> Iterator[Fact]:
    takes = [
        (event.takes, played.number, event)
        for played in timeline.rounds
        for event in played.events
        if isinstance(event, Play) and event.takes is not None
    ]
    if not takes:
        return
    most, yet = max(taken for taken, _, _ in takes), "" if timeline.result else "_yet"
    biggest = [(number, play) for taken, number, play in takes if taken == most]
    if len(biggest) > 1:
        takers = dict.fromkeys(play.seat for _, play in biggest)
        yield fact(f"biggest_takes{yet}", cards=most, players=seats(takers))
        return
    number, play = biggest[0]
    there = where(timeline.rounds, number, play.t)
    by = {"player": seat(play.seat), "card": card(play.card), "when": there}
    yield fact(f"biggest_take{yet}", cards=most, **by)
