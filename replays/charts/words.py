"""What happened, in plain words, and only what everybody at the table saw of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.engine.cards import FACE, OWNER, WILD, Card
from games.engine.events import Discard, Draw, End, Event, Late, Miss, Out, Play, Tie
from games.engine.table import Table
from games.records.plural import counted
from replays.charts.marks import escape

REASONS: Final = {
    "out": "somebody is out",
    "blocked": "blocked, nothing fits any more",
    "stalled": "stalled, nobody has played for a while",
    "abandoned": "abandoned",
}


def clock(ms: int) -> str:
    """`1:04.3`."""
    seconds, rest = divmod(ms, 1000)
    return f"{seconds // 60}:{seconds % 60:02}.{rest // 100}"


def signed(score: int) -> str:
    """`+3`, `−2` or `0`."""
    return f"{score:+}".replace("-", "−") if score else "0"


def stack_name(slot: int) -> str:
    """Slots count from 0 in the log and from 1 for people."""
    return f"stack {slot + 1}"


def listed(parts: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def card_name(card: Card, number: int | None = None) -> str:
    """`a 3`, `a wild`, `a wild as 2`."""
    if FACE[card] == WILD:
        return f"a wild as {number}" if number else "a wild"
    return f"a {FACE[card]}"


def owners(seats: Sequence[int], names: Sequence[str]) -> str:
    """Whose cards these are: `3 of Ada’s and 2 of Bo’s`."""
    counts = [(seats.count(seat), name) for seat, name in enumerate(names)]
    return listed([f"{count} of {escape(name)}’s" for count, name in counts if count])


def sentence(event: Event | None, before: Table, last: Play | None, names: Sequence[str]) -> str:
    """An event in words; `before`: the table that it met, `last`: the last play on its slot."""
    who = escape(names[event.seat]) if event and not isinstance(event, Tie | End) else ""
    match event:
        case Play():
            return f"{who} {_play(event, before, names)}"
        case Tie():
            return _tie(event, names)
        case Late():
            return f"{who} {_late(event, last, names)}"
        case Miss():
            return f"{who} makes a mistake at {stack_name(event.stack)}"
        case Draw():
            return f"{who} draws a card"
        case Discard():
            return f"{who} discards a card"
        case Out():
            return f"{who} is OUT!"
        case End():
            return _end(event, names)
    return "The cards are dealt"


def _play(play: Play, before: Table, names: Sequence[str]) -> str:
    where, card = stack_name(play.stack), card_name(play.card, play.number)
    stack = before.stacks[play.stack]
    if play.takes is not None:
        whose = owners([OWNER[laid] for laid in (*stack, play.card)], names)
        return f"takes {where} with {card}, {counted(play.takes, 'card')}: {whose}"
    if not stack:
        return f"starts {where} with {card}"
    return f"plays {card} on {escape(names[OWNER[stack[-1]]])}’s card, {where}"


def _tie(tie: Tie, names: Sequence[str]) -> str:
    tries = [
        f"{escape(names[OWNER[card]])}’s {card_name(card)[2:]}"
        + (f" ({after} ms later)" if after else "")
        for card, after in zip(tie.cards, tie.after, strict=True)
    ]
    return f"Tie on {stack_name(tie.stack)}: {listed(tries)} go to the discard piles"


def _late(late: Late, last: Play | None, names: Sequence[str]) -> str:
    where = stack_name(late.stack)
    if last is None:
        return f"is late on {where}"
    return f"is {late.t - last.t} ms late on {where}: {escape(names[last.seat])} was first"


def _end(end: End, names: Sequence[str]) -> str:
    scores = [f"{escape(name)} {signed(s)}" for name, s in zip(names, end.scores, strict=True)]
    return f"The round is over ({REASONS[end.reason]}): {', '.join(scores)}"
