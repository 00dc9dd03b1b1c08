"""Tables for the tests of bots: matches to play, and seats that look at a position."""

from collections.abc import Sequence
from io import BytesIO
from random import Random

from games.bots.base import Bot
from games.bots.roster import BotSpec, mixed, seat_bot
from games.bots.simulate import Setting
from games.bots.view import PublicEvents
from games.engine.editions import house_rules
from games.engine.events import Deal, Discard, Draw, Play
from games.engine.table import Table, apply
from games.records.check import CheckedRecord, check
from games.records.log import Line
from games.records.notation import write_line


def setting(
    edition: str = "usaopoly-2009", specs: Sequence[BotSpec] = mixed(4), seed: int = 1, **house
) -> Setting:
    return Setting(edition, house_rules(edition, house), tuple(specs), seed)


def text(record: Sequence[Line]) -> bytes:
    return "".join(f"{write_line(line)}\n" for line in record).encode()


def checked(record: Sequence[Line]) -> CheckedRecord:
    """What the checker says of a record; it raises RecordFault at the first fault."""
    return check(BytesIO(text(record)))


class Look:
    """One bot of a temper at seat 0, looking at a round that others have begun."""

    def __init__(self, temper: str, hand: str, *stacks: str, seats: int = 3, **house) -> None:
        """`hand`: seat 0's three cards; `stacks`: for each slot, the cards that lie there."""
        rules = house_rules("usaopoly-2009", {"one_hand_ms": 50, **house})
        played = [card for stack in stacks for card in stack.split()]
        self.table, self.public = Table(rules, seats), PublicEvents(rules, seats)
        self.table.deal(Deal(1, tuple(_deck(seat, hand, played) for seat in range(seats))))
        self.bot: Bot = seat_bot(BotSpec(temper), self.table, self.public, 0, Random(1))
        self.bot.begin(0)
        for slot, stack in enumerate(stacks):
            for card in stack.split():
                self.happen(Play(0, "ABCDE".index(card[0]), card, slot))
        self.bot.view.look(1_000)

    def happen(self, event: Play | Draw | Discard, at: int = 0) -> None:
        """A fact, shown to everybody."""
        hand = self.table.hands[event.seat]
        if event.card not in hand:
            hand.append(event.card)
        apply(self.table, event)
        self.public.publish(event, at)

    def wants(self) -> tuple | None:
        """The card, slot and number that the bot would lay now."""
        candidates = self.bot.view.candidates(self.bot.focus)
        candidate = self.bot.pick(candidates) if candidates else None
        return candidate and candidate[:3]


def _deck(seat: int, hand: str, played: Sequence[str]) -> tuple[str, ...]:
    if seat:
        return tuple(f"{'ABCDE'[seat]}{face}z" for face in "123321123321")
    return (*hand.split(), "A1x", "A2x", "A3x", "A1y")
