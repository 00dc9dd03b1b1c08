"""Who may do what with a match. Every way in and every way out asks here, and nowhere else.

    right        who has it
    -----------  ------------------------------------------------------------------------------
    enter        everybody; of a match by link, who shows its key or has a seat
    play         who has a seat
    sit          who may enter and has no seat
    watch        who may enter, where spectators are welcome
    see          who may watch; once no cards are secret, who may enter
    open_hands   who may watch, where hands are shown late, and has no seat
    chat         who may watch, where there is a chat, and has no seat
    annotate     a guest or an account who may see it, and does not play in it just now
    export       who may see it, once it is over
    keep         who looks after the table
    moderate     who has been given that permission, of all matches alike

`see` is of the log with the perspective of a spectator: hidden cards stay hidden while a match
is played (`games.engine.perspective`), whatever somebody's rights are. A stranger in another
browser cannot be known for a player of the match.

Rights are worked out when they are asked for, since who asks and who sits there may have to be
looked up first: `Access.seats` and the visitor may be lazy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hmac import compare_digest
from typing import NamedTuple

from games.people.person import Kind, Person
from games.people.visitor import STRANGER, Visitor


class Access(NamedTuple):
    """What a match says of who may come. A table's plan gives it, and so does a stored match."""

    by_link: bool = False
    key: str = ""
    """What opens a match by link; without one nobody can open it."""
    spectators: bool = True
    open_delay_ms: int = 0
    """How late spectators may see open hands; 0: never."""
    chat: bool = True
    secret: bool = True
    """Whether hands are secret: it is being played, or is about to begin."""
    over: bool = False
    seats: Sequence[Person | None] = ()
    keeper: Person | None = None


@dataclass(frozen=True, slots=True)
class Rights:
    """What one visitor may do with one match."""

    visitor: Visitor
    access: Access

    @property
    def seat(self) -> int | None:
        """Where they sit; None: nowhere."""
        for person in self.visitor.persons:
            if person in self.access.seats:
                return self.access.seats.index(person)
        return None

    @property
    def play(self) -> bool:
        return self.seat is not None

    @property
    def enter(self) -> bool:
        return not self.access.by_link or self._shows_key or self.play

    @property
    def _shows_key(self) -> bool:
        key = self.access.key.encode()
        return bool(key) and any(compare_digest(key, one.encode()) for one in self.visitor.keys)

    @property
    def sit(self) -> bool:
        return self.enter and not self.play

    @property
    def watch(self) -> bool:
        return self.access.spectators and self.enter

    @property
    def see(self) -> bool:
        return self.enter if not self.access.secret else self.watch

    @property
    def open_hands(self) -> bool:
        return self.access.open_delay_ms > 0 and self.watch and not self.play

    @property
    def chat(self) -> bool:
        return self.access.chat and self.watch and not self.play

    @property
    def annotate(self) -> bool:
        person = self.visitor.person
        if person is None or person.kind is Kind.TOKEN or not self.see:
            return False
        return not (self.access.secret and self.play)

    @property
    def export(self) -> bool:
        return self.access.over and self.see

    @property
    def keep(self) -> bool:
        return self.access.keeper is not None and self.access.keeper in self.visitor.persons

    @property
    def moderate(self) -> bool:
        return self.visitor.moderator


def rights(visitor: Visitor, access: Access) -> Rights:
    """What a visitor may do with a match."""
    return Rights(visitor, access)


def public(access: Access) -> bool:
    """Whether lists may show the match to everybody."""
    return rights(STRANGER, access).see
