"""A match in a few sentences: who left, who took most, the biggest take.

While a match is being played they say no more than any spectator may know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.engine.events import Play
from games.engine.message import card, decimal, often, seat, seats, when
from replays.analysis.leaving import STAYED, left_at
from replays.analysis.moments.wording import where
from replays.analysis.player_table import PlayerRow
from replays.analysis.sentences import Fact, Text, fact, say
from replays.timeline import Timeline


def left(timeline: Timeline) -> Iterator[Fact]:
    """Who left, and when."""
    for gone, (number, t) in enumerate(left_at(timeline)):
        if (number, t) == STAYED:
            continue
        if number == 0:
            yield fact("never_played" if timeline.result else "not_moved", player=seat(gone))
        else:
            there = when(int(number) if len(timeline.rounds) > 1 else None, t)
            kind = "stopped_when" if timeline.result else "last_moved"
            yield fact(kind, player=seat(gone), when=there)


def facts(timeline: Timeline, players: Sequence[PlayerRow]) -> list[Text]:
    """The most takes, and the biggest one."""
    return list(map(say, (*_most_takes(timeline, players), *_biggest_take(timeline))))


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
