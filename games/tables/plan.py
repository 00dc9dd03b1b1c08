"""The seats of a match that is about to begin: a plan, and how it fills.

A `Plan` is everything decided before the first deal. It is an immutable value. Sitting down,
standing up and seating a bot return a new one. It is stored and sent as JSON.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import chain, count
from typing import Any, Final

from games.bots.roster import BOTS, TEMPERS, BotSpec, bots_tag
from games.engine.cards import SEATS
from games.engine.editions import Rules, house_rules
from games.engine.message import WordedError
from games.people.names import MARK, skeleton
from games.people.person import Kind, Person, decode, encode
from games.people.rights import Access
from games.records.log import FAIR_VERSION, Header, Seat
from games.records.shape import name_of_player

OPEN_DELAY_MS: Final = 30_000
"""The shortest delay at which spectators may see open hands."""
MAX_DELAY_MS: Final = 300_000
IDLE_MS: Final = (15_000, 600_000)
"""The shortest and longest times after which a bot plays on for an idle player."""
USUAL_IDLE_MS: Final = 60_000
EMPTY_MS: Final = 120_000
"""After this a match is abandoned that none of its people plays and no one watches."""
READY, ALL, NOW = "ready", "all", "now"
"""When a match begins: once everyone there is ready, once all players are there and ready (or all
who are there vote for it), or at once."""
HUMAN: Final = "human"
BOT: Final = "bot"


class NoSeatError(WordedError):
    """That seat cannot be taken. The message says why."""


@dataclass(frozen=True, slots=True)
class PlannedSeat:
    """One seat: free while `kind` is empty. Only a human's seat has a person."""

    kind: str = ""
    name: str = ""
    temper: str = ""
    level: int = 3
    beginner: bool = False
    person: Person | None = None
    by_hand: bool = False
    """Whether the holder of a seat's token says that a person plays, in a client of their own."""
    program: bool = False
    """Whether its account is a bot."""

    @property
    def account(self) -> int | None:
        """The account seated there."""
        holder = self.person
        return int(holder.key) if holder and holder.kind is Kind.ACCOUNT else None

    @property
    def bot(self) -> BotSpec | None:
        """The site's bot there, if it is one of the roster."""
        listed = self.kind == BOT and self.temper in TEMPERS
        return BotSpec(self.temper, self.level, self.beginner) if listed else None

    @property
    def shown_kind(self) -> str:
        """The kind in records and on the screen: a program is a bot too."""
        token = self.person is not None and self.person.kind is Kind.TOKEN
        return BOT if self.program or (token and not self.by_hand) else self.kind


@dataclass(frozen=True, slots=True)
class Plan:
    """A match before its first deal. `open_delay_ms`: how late open hands are shown. 0: never."""

    id: str
    edition: str
    overrides: Mapping[str, Any]
    places: tuple[PlannedSeat, ...]
    watching: bool = True
    open_delay_ms: int = 0
    key: str = ""
    """The key of a private match. Empty: it is listed for everyone."""
    school_class: str = ""
    """The class whose members alone may enter, without a key. Empty: it is no class's."""
    tags: Mapping[str, str] = field(default_factory=dict)
    chat: bool = True
    """Whether spectators may chat with each other."""
    maker: Person | None = None
    """The person who opened the table."""
    adaptive: bool = False
    """Whether bots adjust their level from round to round to keep the match close."""
    bot_after_ms: int = USUAL_IDLE_MS
    """How long a player may be idle, while others play, before a bot takes over. 0: for ever."""
    guided: bool = False
    """Whether it is a newcomer's guided round (`games.tables.guided`)."""
    begins: str = READY
    """When its first round begins."""

    def __post_init__(self) -> None:
        if not 2 <= len(self.places) <= SEATS:
            raise ValueError(f"expected 2 to {SEATS} seats, found {len(self.places)}")
        if self.open_delay_ms and not OPEN_DELAY_MS <= self.open_delay_ms <= MAX_DELAY_MS:
            raise ValueError(
                f"open hands are shown {OPEN_DELAY_MS} to {MAX_DELAY_MS} ms late, "
                f"found {self.open_delay_ms}"
            )
        if self.bot_after_ms and not IDLE_MS[0] <= self.bot_after_ms <= IDLE_MS[1]:
            raise ValueError(
                f"bot_after_ms: expected {IDLE_MS[0]} to {IDLE_MS[1]} ms, or 0 for never; "
                f"found {self.bot_after_ms}"
            )
        house_rules(self.edition, self.overrides)

    @property
    def rules(self) -> Rules:
        return house_rules(self.edition, self.overrides)

    @property
    def full(self) -> bool:
        return all(place.kind for place in self.places)

    @property
    def humans(self) -> tuple[int, ...]:
        return tuple(seat for seat, place in enumerate(self.places) if place.kind == HUMAN)

    def under(self, names: Mapping[int, str]) -> Plan:
        """The plan with these names of accounts."""
        return replace(
            self,
            places=tuple(
                replace(place, name=names.get(place.account or 0, place.name))
                for place in self.places
            ),
        )

    @property
    def needs_people(self) -> bool:
        """Whether any seat is a human's or free. Bots alone play without anyone present."""
        return bool(self.humans) or not self.full

    @property
    def waits_for_class(self) -> bool:
        """Whether its first round begins once all of a class's pupils are there, hours later."""
        return self.begins == ALL and bool(self.school_class)

    @property
    def keeper(self) -> Person | None:
        """The person who manages the table: its maker, otherwise the first person seated."""
        people = [place.person for place in self.places if place.person]
        return self.maker if self.maker in people else next(iter(people), None)

    @property
    def private(self) -> bool:
        return bool(self.key or self.school_class)

    @property
    def access(self) -> Access:
        """The rules of access of a match that is not over."""
        return Access(
            by_link=self.private,
            key=self.key,
            school_class=self.school_class,
            spectators=self.watching,
            open_delay_ms=self.open_delay_ms,
            chat=self.chat,
            seats=[place.person for place in self.places],
            keeper=self.keeper,
        )

    def seat_of(self, person: Person) -> int | None:
        seats = (seat for seat, place in enumerate(self.places) if place.person == person)
        return next(seats, None)

    def sit(
        self,
        person: Person,
        name: str,
        seat: int | None = None,
        beginner: bool = False,
        by_hand: bool = False,
    ) -> Plan:
        """The plan with a person in a free seat, by default the first. Raises NoSeatError."""
        if self.seat_of(person) is not None:
            raise NoSeatError("this person sits here already")
        if self.calls_somebody(name):
            raise NoSeatError("someone at this table has that name, or one that looks like it")
        place = PlannedSeat(HUMAN, name_of_player(name, "name"), person=person)
        place = replace(place, beginner=beginner, by_hand=by_hand)
        return self._with_place(self._free(seat), place)

    def seat_bot(self, temper: str, level: int, name: str, seat: int | None = None) -> Plan:
        """The plan with a bot in a free seat, its name numbered if taken. Raises NoSeatError."""
        numbered = (f"{name} {number}" for number in count(2))
        name = next(
            candidate
            for candidate in chain((name,), numbered)
            if not self.calls_somebody(candidate)
        )
        return self._with_place(
            self._free(seat), PlannedSeat(BOT, name_of_player(name, "name"), temper, level)
        )

    def calls_somebody(self, name: str) -> bool:
        """Whether a name looks the same as one at this table."""
        looks = skeleton(name)
        return any(place.kind and skeleton(place.name) == looks for place in self.places)

    def marked(self, bots: Container[str]) -> Plan:
        """The plan in which the seats of these accounts are programs', and named so."""
        places = (
            replace(place, program=True, name=name_of_player(place.name + MARK, "name"))
            if place.person and place.person.kind is Kind.ACCOUNT and place.person.key in bots
            else place
            for place in self.places
        )
        return replace(self, places=tuple(places))

    def stand_up(self, seat: int) -> Plan:
        return self._with_place(seat, PlannedSeat())

    def hand_over(self, old: Person, new: Person, name: str = "") -> Plan:
        """The plan with `new` in the seat of `old`, under the new name or the old one."""
        seat = self.seat_of(old)
        if seat is None:
            return self
        place, others = self.places[seat], self.stand_up(seat)
        kept = place.name if others.calls_somebody(name) else name or place.name
        plan = self._with_place(seat, replace(place, person=new, name=kept))
        return replace(plan, maker=new) if self.maker == old else plan

    def claimed(self, later: Plan) -> Plan:
        """The plan with guests replaced by the accounts that claimed them in a later plan."""
        plan = self
        for old, new in zip(self.places, later.places, strict=True):
            if old.person is None or new.person is None or old.name != new.name:
                continue
            if (old.person.kind, new.person.kind) == (Kind.GUEST, Kind.ACCOUNT):
                plan = plan.hand_over(old.person, new.person)
        return plan

    def turned(self, match: str) -> Plan:
        """For a rematch: the same players in another match, each moved on by one seat.

        The cards of a guided round are laid out for its seats, so there everyone stays.
        """
        places = self.places if self.guided else (*self.places[1:], self.places[0])
        return replace(self, id=match, places=places, begins=READY)

    def header(self, started_at: str) -> Header:
        """The record's first line. Every seat must be taken.

        It names the site's bots and their levels, which everyone at the table knows, unless they
        adapt.
        """
        seats = tuple(Seat(place.name, place.shown_kind, place.beginner) for place in self.places)
        bots = [place.bot for place in self.places]
        known = {BOTS: bots_tag(bots)} if any(bots) and not self.adaptive else {}
        tags = tuple(sorted({**known, **self.tags}.items()))
        return Header(
            self.id, self.edition, self.rules, seats, started_at, "live", tags, FAIR_VERSION
        )

    def _free(self, seat: int | None) -> int:
        free = [number for number, place in enumerate(self.places) if not place.kind]
        if not free:
            raise NoSeatError("all seats are taken")
        if seat is not None and seat not in free:
            raise NoSeatError("seat {seat} is not free", seat=seat)
        return free[0] if seat is None else seat

    def _with_place(self, seat: int, place: PlannedSeat) -> Plan:
        places = list(self.places)
        places[seat] = place
        return replace(self, places=tuple(places))


def to_json(plan: Plan) -> dict[str, Any]:
    """The plan as JSON values, its persons as `games.people.person.encode` writes them."""
    places = [{**_fields_of(place), "person": encode(place.person)} for place in plan.places]
    return {**_fields_of(plan), "places": places, "maker": encode(plan.maker)}


def _fields_of(value: Plan | PlannedSeat) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in fields(value)}


def from_json(value: Mapping[str, Any]) -> Plan:
    """The plan from `to_json`'s output, which may come from a newer release with more fields."""
    places = tuple(
        PlannedSeat(**_known_fields(PlannedSeat, place, "person")) for place in value["places"]
    )
    return Plan(**{**_known_fields(Plan, value, "maker"), "places": places})


def _known_fields(
    kind: type[Plan | PlannedSeat], value: Mapping[str, Any], person: str
) -> dict[str, Any]:
    """The fields of a value that this release knows. `person`: the field of a person."""
    names = {field.name for field in fields(kind)}
    known = {name: each for name, each in value.items() if name in names}
    return {**known, person: decode(known.get(person, ""))}


def new_plan(match: str, edition: str, seats: int, overrides: Mapping[str, Any]) -> Plan:
    return Plan(match, edition, overrides, (PlannedSeat(),) * seats)
