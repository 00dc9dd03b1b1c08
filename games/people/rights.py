"""Rights to a match. Every way in and out asks here, and nowhere else.

    right        who has it
    -----------  ------------------------------------------------------------------------------
    enter        everyone. A private match: anyone with its key or a seat. A class's match: anyone
                 in the class or with a seat
    play         anyone with a seat. In a class's match that is not over, only in the class
    sit          anyone who may enter and has no seat
    watch        anyone who may enter, if spectators are allowed
    see          anyone who may watch. Once no cards are secret, anyone who may enter. But no one
                 with an unanswered question about the match (`games.people.embargoes`)
    open_hands   anyone who may watch and has no seat, if hands are shown late
    chat         anyone who may watch and has no seat, if there is a chat
    annotate     anyone who may review it, except with a bot's token
    sit, chat, annotate: no child's account that a coach has made, except to sit at its class's
    review       anyone who may see it and is not playing in it now
    export       anyone who may see it, once it is over
    keep         the person who manages the table

`see` means the log from a spectator's perspective: hidden cards stay hidden during a match
(`games.engine.perspective`), whatever a visitor's rights. A player who visits anonymously in
another browser cannot be recognised.

Rights are computed on demand, since the visitor and the seats may have to be looked up first:
`Access.seats` and the visitor may be lazy.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from hmac import compare_digest
from typing import NamedTuple

from games.people.person import Kind, Person
from games.people.visitor import STRANGER, Visitor


class Access(NamedTuple):
    """A match's rules of access, given by a table's plan and by a stored match."""

    by_link: bool = False
    key: str = ""
    """The key of a private match. Without one, no link opens it."""
    school_class: str = ""
    """The class whose members alone may see the match, whatever keys others have."""
    spectators: bool = True
    open_delay_ms: int = 0
    """How late spectators may see open hands, in ms. 0: never."""
    chat: bool = True
    secret: bool = True
    """Whether hands are secret: the match is being played or about to begin."""
    over: bool = False
    seats: Sequence[Person | None] = ()
    keeper: Person | None = None
    embargoed: Container[Person] = ()
    """The persons who must not see the match until they have answered a question about it."""


@dataclass(frozen=True, slots=True)
class Rights:
    """One visitor's rights to one match."""

    visitor: Visitor
    access: Access

    @property
    def seat(self) -> int | None:
        if self.access.school_class and self.access.secret and not self._in_class:
            return None
        for person in self.visitor.persons:
            if person in self.access.seats:
                return self.access.seats.index(person)
        return None

    @property
    def play(self) -> bool:
        return self.seat is not None

    @property
    def enter(self) -> bool:
        if self.access.school_class:
            return self._in_class or self.play
        return not self.access.by_link or self._shows_key or self.play

    @property
    def _in_class(self) -> bool:
        asked = self.access.school_class
        return bool(asked) and asked in self.visitor.classes

    @property
    def _shows_key(self) -> bool:
        key = self.access.key.encode()
        return bool(key) and any(compare_digest(key, held.encode()) for held in self.visitor.keys)

    @property
    def sit(self) -> bool:
        allowed = self._in_class or not self.visitor.supervised
        return self.enter and not self.play and allowed

    @property
    def watch(self) -> bool:
        return self.access.spectators and self.enter

    @property
    def embargoed(self) -> bool:
        """Whether the visitor has to answer a question before they see the match."""
        # The visitor is looked up only if there are embargoes.
        barred = self.access.embargoed
        return bool(barred) and any(person in barred for person in self.visitor.persons)

    @property
    def admitted(self) -> bool:
        """Whether they may see it, apart from embargoes."""
        return self.enter if not self.access.secret else self.watch

    @property
    def see(self) -> bool:
        return self.admitted and not self.embargoed

    @property
    def open_hands(self) -> bool:
        return self.access.open_delay_ms > 0 and self.watch and not self.play

    @property
    def chat(self) -> bool:
        return self.access.chat and self.watch and not self.play and not self.visitor.supervised

    @property
    def annotate(self) -> bool:
        person = self.visitor.person
        barred = self.visitor.supervised or (person is not None and person.kind is Kind.TOKEN)
        return self.review and not barred

    @property
    def review(self) -> bool:
        return self.see and not (self.access.secret and self.play)

    @property
    def export(self) -> bool:
        return self.access.over and self.see

    @property
    def keep(self) -> bool:
        return self.access.keeper is not None and self.access.keeper in self.visitor.persons


def rights(visitor: Visitor, access: Access) -> Rights:
    return Rights(visitor, access)


def public(access: Access) -> bool:
    """Whether lists may show the match to everyone."""
    return rights(STRANGER, access).admitted
