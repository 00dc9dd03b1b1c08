"""The last event before a position, in a few words for its picture."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.cards import FACE, WILD
from games.engine.events import Discard, Draw, End, Event, Late, Miss, Out, Play, Tie
from games.engine.message import Message, seat, seats, spoken


def caption(event: Event | None) -> Message:
    """The event as a viewer saw it. Before the first one, the deal."""
    match event:
        case Play():
            return _play(event)
        case Tie(_, slot, cards):
            return Message("{count} cards tie on stack {stack}", count=len(cards), stack=slot + 1)
        case Draw(_, number):
            return Message("{player} draws", player=seat(number))
        case Discard(_, number):
            return Message("{player} discards", player=seat(number))
        case Late(_, number, _, slot):
            return Message("{player} is late on stack {stack}", player=seat(number), stack=slot + 1)
        case Miss(_, number, _, slot):
            return Message(
                "{player} makes a mistake on stack {stack}", player=seat(number), stack=slot + 1
            )
        case Out(_, number):
            return Message("{player} is out", player=seat(number))
        case End():
            return Message("The round is over")
    return Message("The deal")


def _play(event: Play) -> Message:
    wild, taken = FACE[event.card] == WILD, event.takes or 0
    if taken:
        words = (
            Message("{player} takes {count} cards with a wild")
            if wild
            else Message("{player} takes {count} cards with a {face}")
        )
    else:
        words = (
            Message("{player} plays a wild on stack {stack}")
            if wild
            else Message("{player} plays a {face} on stack {stack}")
        )
    return words.filled(
        {
            "player": seat(event.seat),
            "face": FACE[event.card],
            "stack": event.stack + 1,
            "count": taken,
        }
    )


def result(winners: Sequence[int], totals: Sequence[int], names: Sequence[str]) -> Message:
    """The winner, and everyone's points, the most first."""
    ranked = sorted(range(len(names)), key=lambda number: -totals[number])
    points = ", ".join(f"{names[number]} {spoken(totals[number])}" for number in ranked)
    words = (
        Message("{players} wins: {points}")
        if len(winners) == 1
        else Message("{players} share the win: {points}")
    )
    return words.filled({"players": seats(winners), "points": points})
