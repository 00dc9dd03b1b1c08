"""What led to a position, in a few words for its picture."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.cards import FACE, WILD, Card
from games.engine.events import Discard, Draw, End, Event, Late, Miss, Out, Play, Tie
from games.records.plural import joined


def caption(event: Event | None, names: Sequence[str]) -> str:
    """The event as a viewer saw it; before the first one, the deal."""
    match event:
        case Play(_, seat, card, slot, _, taken):
            if taken:
                return f"{names[seat]} takes {taken} cards with {_face(card)}"
            return f"{names[seat]} plays {_face(card)} on stack {slot + 1}"
        case Tie(_, slot, cards):
            return f"{len(cards)} cards tie on stack {slot + 1}"
        case Draw(_, seat):
            return f"{names[seat]} draws"
        case Discard(_, seat):
            return f"{names[seat]} discards"
        case Late(_, seat, _, slot):
            return f"{names[seat]} is late on stack {slot + 1}"
        case Miss(_, seat, _, slot):
            return f"{names[seat]} makes a mistake on stack {slot + 1}"
        case Out(_, seat):
            return f"{names[seat]} is out"
        case End():
            return "The round is over"
    return "The deal"


def result(winners: Sequence[int], totals: Sequence[int], names: Sequence[str]) -> str:
    """Who won, and everybody's points, the most first."""
    who = joined([names[seat] for seat in winners])
    won = f"{who} {'wins' if len(winners) == 1 else 'share the win'}"
    ranked = sorted(range(len(names)), key=lambda seat: -totals[seat])
    points = ", ".join(f"{names[seat]} {totals[seat]}".replace("-", "−") for seat in ranked)
    return f"{won}: {points}"


def _face(card: Card) -> str:
    face = FACE[card]
    return "a wild" if face == WILD else f"a {face}"


def clock(ms: int) -> str:
    """A time as m:ss.t, like everywhere on the site."""
    tenths = ms // 100
    return f"{tenths // 600}:{tenths // 10 % 60:02}.{tenths % 10}"
