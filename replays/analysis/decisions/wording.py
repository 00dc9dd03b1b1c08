"""A passed-up take in a sentence: what was there, what the hand did, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.engine.cards import FACE, WILD
from games.engine.events import Discard, Event, Play
from games.engine.fitting import fits
from games.records.plural import counted, joined
from replays.analysis.moments.wording import face, seconds
from replays.analysis.open_takes import OpenTake
from replays.analysis.winning.position import FIVE
from replays.timeline import Round

_COUNTS = ("no", "a", "two", "three")


def sentence(played: Round, one: OpenTake, names: Sequence[str]) -> str:
    """In the order in which it happened; its consequences come last."""
    who, done = names[one.seat], _did(played.events[one.event - 1])
    top = played.events[one.top_event - 1]
    assert isinstance(top, Play)
    held = joined(_held(played, one))
    if top.seat == one.seat:
        under = counted(one.cards - 1, "card")
        begun = f"{who} put {face(top.card)} on {under}, holding {held}, and {done} first"
    else:
        there = f"{counted(one.cards, 'card')}, open for {seconds(one.open_ms)}"
        begun = f"{there}, {held} in hand: {who} {done}"
    return f"{begun}; {_became(played, one, names)}."


def _held(played: Round, one: OpenTake) -> Iterator[str]:
    """The cards in hand that would have taken."""
    table = played.table(one.event - 1)
    faces = [FACE[card] for card in table.hands[one.seat]]
    for taker in (FIVE, WILD):
        count = faces.count(taker)
        if count and fits(table.rules, table.tops[one.slot], taker):
            name = "wild" if taker == WILD else str(taker)
            yield f"{_COUNTS[count]} {name}{'s' if count > 1 else ''}"


def _did(event: Event) -> str:
    if isinstance(event, Discard):
        return f"discarded {face(event.card)}"
    if not isinstance(event, Play):
        return "drew"
    if event.takes is not None:
        return f"took {counted(event.takes, 'card')} with {face(event.card)}"
    return f"played {face(event.card)}{f' as a {event.number}' if event.number else ''}"


def _became(played: Round, one: OpenTake, names: Sequence[str]) -> str:
    """The next play on the stack."""
    for event in played.events[one.event :]:
        if isinstance(event, Play) and event.stack == one.slot:
            put = f"put {face(event.card)} on it"
            what = put if event.takes is None else f"took {event.takes}"
            after = event.t - one.t
            when = f", {seconds(after)} later" if after else " at the same time"
            return f"{names[event.seat]} {what}{when}"
    return "nobody took it"
