"""What happened, in plain words, and only what everybody at the table saw of it.

A figure says each player's name once (`layout.meta.names`). The words have `{0}` to `{4}` in
its place, the number of the seat, which whoever shows them fills in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.engine.cards import FACE, OWNER, WILD, Card
from games.engine.events import Discard, Draw, End, Event, Late, Miss, Out, Play, Tie
from games.records.plural import counted

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


def name(seat: int) -> str:
    """What stands for a seat's name."""
    return f"{{{seat}}}"


def owners(seats: Sequence[int], count: int) -> str:
    """Whose cards these are, of so many seats: `3 of {0}’s and 2 of {1}’s`."""
    counts = [(seats.count(seat), seat) for seat in range(count)]
    return listed([f"{cards} of {name(seat)}’s" for cards, seat in counts if cards])


def sentence(
    event: Event | None, under: Sequence[int], last: tuple[int, int] | None, seats: int
) -> str:
    """An event in words, at a table of so many seats.

    `under`: whose cards it met, all for a take, else the top one's; `last`: the seat and the
    time (ms) of the last play on its slot.
    """
    who = name(event.seat) if event and not isinstance(event, Tie | End) else ""
    match event:
        case Play():
            return f"{who} {_play(event, under, seats)}"
        case Tie():
            return _tie(event)
        case Late():
            return f"{who} {_late(event, last)}"
        case Miss():
            return f"{who} makes a mistake at {stack_name(event.stack)}"
        case Draw():
            return f"{who} draws a card"
        case Discard():
            return f"{who} discards a card"
        case Out():
            return f"{who} is OUT!"
        case End():
            return _end(event)
    return "The cards are dealt"


def _play(play: Play, under: Sequence[int], seats: int) -> str:
    where, card = stack_name(play.stack), card_name(play.card, play.number)
    if play.takes is not None:
        whose = owners([*under, play.seat], seats)
        return f"takes {where} with {card}, {counted(play.takes, 'card')}: {whose}"
    if not under:
        return f"starts {where} with {card}"
    return f"plays {card} on {name(under[-1])}’s card, {where}"


def _tie(tie: Tie) -> str:
    tries = [
        f"{name(OWNER[card])}’s {card_name(card)[2:]}" + (f" ({after} ms later)" if after else "")
        for card, after in zip(tie.cards, tie.after, strict=True)
    ]
    return f"Tie on {stack_name(tie.stack)}: {listed(tries)} go to the discard piles"


def _late(late: Late, last: tuple[int, int] | None) -> str:
    where = stack_name(late.stack)
    if last is None:
        return f"is late on {where}"
    seat, t = last
    return f"is {late.t - t} ms late on {where}: {name(seat)} was first"


def _end(end: End) -> str:
    scores = [f"{name(seat)} {signed(score)}" for seat, score in enumerate(end.scores)]
    return f"The round is over ({REASONS[end.reason]}): {', '.join(scores)}"
