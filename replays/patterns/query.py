"""What can be asked of a moment: the fields of the form, of the API and of an address."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from games.engine.message import Message, WordedError, decimal, plural

Verb = Literal[
    "left",
    "played",
    "took",
    "missed",
    "open",
    "late",
    "tied",
    "mistake",
    "drew",
    "discarded",
    "out",
]
Face = Literal["", "1", "2", "3", "4", "5", "wild"]
Who = Literal["", "me", "people", "bots"]
LEFT, PLAYED, TOOK, MISSED, OPEN, LATE, TIED, MISTAKE, DREW, DISCARDED, OUT = get_args(Verb)
FACES: Final = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "wild": 6}
TAKER: Final = "taker"
EMPTY: Final = "empty"
MOST_S: Final = 86_400
_SLOTTED: Final = frozenset(("slot", "top", "min_cards", "max_cards", "card"))
_TIMED: Final = frozenset(("min_s", "max_s"))
_CONTESTED: Final = _SLOTTED | _TIMED | {"against", "opponent"}
_ABLE: Final[dict[str, frozenset[str]]] = {
    LEFT: _CONTESTED,
    PLAYED: _SLOTTED | _TIMED,
    TOOK: _CONTESTED,
    MISSED: _CONTESTED,
    OPEN: _CONTESTED,
    LATE: _CONTESTED,
    TIED: _SLOTTED | _TIMED | {"min_players"},
    MISTAKE: _SLOTTED,
    DREW: frozenset(("card",)),
    DISCARDED: frozenset(("card",)),
    OUT: frozenset(),
}
"""The fields of each kind of moment, besides its player, its round and the hand."""
ABOUT: Final = {
    "card": Message("a card"),
    "top": Message("a top card"),
    "slot": Message("a slot"),
    "min_s": Message("a time"),
    "max_s": Message("a time"),
    "min_cards": Message("a number of cards"),
    "max_cards": Message("a number of cards"),
    "min_players": Message("a number of players"),
    "against": Message("an opponent"),
    "opponent": Message("an opponent"),
}
VERB_WORDS: Final = {
    TOOK: Message("takes"),
    MISSED: Message("missed takes"),
    OPEN: Message("possible takes"),
    PLAYED: Message("cards played"),
    LEFT: Message("cards that fit, left in hand"),
    LATE: Message("late tries"),
    TIED: Message("ties"),
    MISTAKE: Message("mistakes"),
    DREW: Message("cards drawn"),
    DISCARDED: Message("cards discarded"),
    OUT: Message("shouts of OUT"),
}
CARD_WORDS: Final = {
    **{face: Message("a {face}", face=face) for face in FACES if face != "wild"},
    "wild": Message("a wild"),
    TAKER: Message("a card that takes"),
}
TOP_WORDS: Final = {
    EMPTY: Message("on an empty slot"),
    **{top: Message("on a {top}", top=top) for top in "1234"},
}
WHO_WORDS: Final = {"me": Message("me"), "people": Message("people"), "bots": Message("bots")}
THEN_WORDS: Final = {
    "same": Message("the same player"),
    "another": Message("another player"),
    "anyone": Message("anyone"),
}
_THEN_BY: Final = {
    "same": Message("by the same player"),
    "another": Message("by another player"),
    "anyone": Message("by anyone"),
}

Seconds = Annotated[float, Field(ge=0, le=MOST_S, allow_inf_nan=False)]
Cards = Annotated[int, Field(ge=0, le=1_000)]
Name = Annotated[str, Field(max_length=64, pattern="^[^\0]*$")]


class PatternQuery(BaseModel):
    """A kind of moment, and the one that may follow it."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    what: Verb
    card: Literal["", "1", "2", "3", "4", "5", "wild", "taker"] = ""
    top: Literal["", "empty", "1", "2", "3", "4"] = ""
    slot: Annotated[int, Field(ge=1, le=5)] | None = None
    hand: Face = ""
    """In hand besides."""
    min_s: Seconds | None = None
    max_s: Seconds | None = None
    min_cards: Cards | None = None
    max_cards: Cards | None = None
    min_players: Annotated[int, Field(ge=2, le=5)] | None = None
    by: Who = ""
    player: Name = ""
    against: Who = ""
    opponent: Name = ""
    days: Annotated[int, Field(ge=1, le=3_660)] | None = None
    """Only in matches begun in so many days before the search."""
    round: Annotated[int, Field(ge=1, le=1_000)] | None = None
    then: Literal["", Verb] = ""
    then_by: Literal["same", "another", "anyone"] = "same"
    within_s: Seconds = 5
    then_slot: Literal["", "same"] = ""

    @model_validator(mode="after")
    def _fits(self) -> PatternQuery:
        """Only what such a moment has can be asked of it."""
        for name, about in ABOUT.items():
            if name not in _ABLE[self.what] and getattr(self, name) not in ("", None):
                raise WordedError(
                    "“{verb}” cannot be asked about {about}",
                    verb=VERB_WORDS[self.what],
                    about=about,
                )
        if self.card == TAKER and self.what not in (LEFT, PLAYED):
            raise WordedError("only a card that was left or played can be “a card that takes”")
        if self.then_slot and not {"slot", "top"} <= _ABLE.get(self.then, frozenset()):
            raise WordedError("what follows there has no slot")
        if (self.by and self.player) or (self.against and self.opponent):
            raise WordedError("choose a kind of player or a name, not both")
        return self

    @property
    def fields(self) -> dict[str, Any]:
        """What was given: as the address and the API have it."""
        return self.model_dump(exclude_defaults=True)

    @property
    def said(self) -> Message:
        """The query, as `takes by Ada · with a wild`. A preset has words of its own."""
        parts = {f"part{place}": part for place, part in enumerate(self._parts())}
        return Message(" · ".join(f"{{{name}}}" for name in parts), **parts)

    def _parts(self) -> Iterator[Message]:
        preset = PRESETS.get(self.model_copy(update={"player": "", "days": None}))
        moments, who = VERB_WORDS[self.what], _player_words(self.by, self.player)
        if preset:
            yield preset
        if who:
            by_them = Message("{moments} by {who}", moments=moments, who=who)
            yield Message("by {who}", who=who) if preset else by_them
        elif not preset:
            yield Message("{moments} by anyone", moments=moments)
        if self.days:
            yield days_said(self.days)
        if not preset:
            yield from self._details()

    def _details(self) -> Iterator[Message]:
        if self.card:
            card = CARD_WORDS[self.card]
            alone = self.what in (PLAYED, LEFT, DREW, DISCARDED)
            yield card if alone else Message("with {card}", card=card)
        if self.top:
            yield TOP_WORDS[self.top]
        if self.slot:
            yield Message("on slot {slot}", slot=self.slot)
        if self.hand:
            yield Message("{card} in hand", card=CARD_WORDS[self.hand])
        yield from self._sizes()
        if self.against or self.opponent:
            yield Message("against {who}", who=_player_words(self.against, self.opponent))
        if self.round:
            yield Message("in round {round}", round=self.round)
        if self.then:
            moments = VERB_WORDS[self.then]
            yield Message("then within {s:g} s: {moments}", s=self.within_s, moments=moments)
            yield _THEN_BY[self.then_by]
            if self.then_slot:
                yield Message("on the same slot")

    def _sizes(self) -> Iterator[Message]:
        if self.min_s is not None:
            yield Message("at least {seconds:g} s", seconds=self.min_s)
        if self.max_s is not None:
            yield Message("at most {seconds:g} s", seconds=self.max_s)
        if self.min_cards is not None:
            yield _cards(self.min_cards, least=True)
        if self.max_cards is not None:
            yield _cards(self.max_cards, least=False)
        if self.min_players:
            yield Message("at least {count} players", count=self.min_players)


def _player_words(kind: str, name: str) -> Message | str:
    return WHO_WORDS[kind] if kind else name


def days_said(days: int) -> Message:
    return plural("the last {count} day", "the last {count} days", count=days)


def _cards(count: int, *, least: bool) -> Message:
    if least:
        return plural("at least {count} card", "at least {count} cards", count=count)
    return plural("at most {count} card", "at most {count} cards", count=count)


PRESETS: Final[Mapping[PatternQuery, Message]] = {
    PatternQuery(what=LEFT, card="5", top="4", min_s=1): Message(
        "A 5 not played on a 4 for {seconds} s or longer", seconds=1
    ),
    PatternQuery(what=MISSED, min_cards=6): plural(
        "Missed takes of {count} card or more", "Missed takes of {count} cards or more", count=6
    ),
    PatternQuery(what=TOOK, card="wild", min_cards=9): plural(
        "Takes of {count} card or more with a wild",
        "Takes of {count} cards or more with a wild",
        count=9,
    ),
    PatternQuery(what=PLAYED, card="3", top="2", max_s=0.4): Message(
        "A 3 played on a 2 within {seconds} s", seconds=decimal(0.4)
    ),
    PatternQuery(what=LATE, max_s=0.1): Message(
        "Races lost by {seconds} s or less", seconds=decimal(0.1)
    ),
    PatternQuery(what=TIED, min_players=3): Message("Ties of three players or more"),
    PatternQuery(what=MISTAKE, then=TOOK, within_s=4): Message(
        "A mistake, and a take by the same player within {seconds} s", seconds=4
    ),
    PatternQuery(what=LEFT, card=TAKER, min_s=3, round=1): Message(
        "Takes left open for {seconds} s or longer in round 1", seconds=3
    ),
    PatternQuery(what=TIED, then=TOOK, then_by="another", within_s=2): Message(
        "A tie, and a take by another player within {seconds} s", seconds=2
    ),
    PatternQuery(what=TOOK, min_cards=5): plural(
        "Takes of {count} card or more", "Takes of {count} cards or more", count=5
    ),
    PatternQuery(what=OPEN, card="5", top="4", min_cards=9): plural(
        "A 5 in hand for a 4 on a stack worth {count} card or more: who takes it?",
        "A 5 in hand for a 4 on a stack worth {count} cards or more: who takes it?",
        count=9,
    ),
}
"""Examples, in words."""
