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


def sentence(played: Round, take: OpenTake, names: Sequence[str]) -> str:
    """In the order in which it happened; its consequences come last."""
    who, done = names[take.seat], _did(played.events[take.event - 1])
    top = played.events[take.top_event - 1]
    assert isinstance(top, Play)
    held = joined(_held(played, take))
    if top.seat == take.seat:
        under = counted(take.cards - 1, "card")
        begun = f"{who} put {face(top.card)} on {under}, holding {held}, and {done} first"
    else:
        there = f"{counted(take.cards, 'card')}, open for {seconds(take.open_ms)}"
        begun = f"{there}, {held} in hand: {who} {done}"
    return f"{begun}; {_became(played, take, names)}."


def _held(played: Round, take: OpenTake) -> Iterator[str]:
    """The cards in hand that would have taken."""
    table = played.table(take.event - 1)
    faces = [FACE[card] for card in table.hands[take.seat]]
    for taker in (FIVE, WILD):
        count = faces.count(taker)
        if count and fits(table.rules, table.tops[take.slot], taker):
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


def _became(played: Round, take: OpenTake, names: Sequence[str]) -> str:
    """The next play on the stack."""
    for event in played.events[take.event :]:
        if isinstance(event, Play) and event.stack == take.slot:
            put = f"put {face(event.card)} on it"
            what = put if event.takes is None else f"took {event.takes}"
            after = event.t - take.t
            when = f", {seconds(after)} later" if after else " at the same time"
            return f"{names[event.seat]} {what}{when}"
    return "nobody took it"
