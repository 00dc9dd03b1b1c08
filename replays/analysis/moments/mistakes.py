"""What a mistake cost: the largest take that others made while the hand was busy with it."""

from __future__ import annotations

from games.engine.cards import FACE
from games.engine.events import Miss, Play
from games.engine.fitting import fits, takes
from games.engine.table import Table, apply
from replays.timeline import Round


def lost_meanwhile(played: Round) -> dict[int, Play]:
    """By the place of each mistake among the events, from 0: another's take of a stack for which
    the hand held a card, while it took the mistaken one back."""
    table, lost = played.table(), dict[int, Play]()
    busy: dict[int, tuple[int, int]] = {}  # by seat: the place of its mistake, and until when
    for place, event in enumerate(played.events):
        if isinstance(event, Play) and event.takes is not None:
            for seat, (mistake, until) in busy.items():
                most = (lost[mistake].takes or 0) if mistake in lost else 0
                if event.t < until and event.takes > most and _could_take(table, seat, event):
                    lost[mistake] = event
        apply(table, event)
        if isinstance(event, Miss):
            busy[event.seat] = place, table.free[event.seat]
    return lost


def _could_take(table: Table, seat: int, play: Play) -> bool:
    """Whether a hand holds a card that would take what a play takes."""
    top = table.tops[play.stack]
    faces = {FACE[card] for card in table.hands[seat]}
    return any(fits(table.rules, top, face) and takes(top, face, None) for face in faces)
