"""What can be asked of a moment: the fields of the form, of the API and of an address."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from games.engine.wording import WordedError, Wording

Verb = Literal[
    "left", "played", "took", "missed", "late", "tied", "mistake", "drew", "discarded", "out"
]
Face = Literal["", "1", "2", "3", "4", "5", "wild"]
Who = Literal["", "me", "people", "bots"]
LEFT, PLAYED, TOOK, MISSED, LATE, TIED, MISTAKE, DREW, DISCARDED, OUT = get_args(Verb)
FACES: Final = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "wild": 6}
TAKER: Final = "taker"
EMPTY: Final = "empty"
SAME: Final = "same"
MOST_S: Final = 86_400
_SLOTTED: Final = frozenset(("slot", "top", "min_cards", "max_cards", "card"))
_TIMED: Final = frozenset(("min_s", "max_s"))
_CONTESTED: Final = _SLOTTED | _TIMED | {"against", "opponent"}
_ABLE: Final[dict[str, frozenset[str]]] = {
    LEFT: _CONTESTED,
    PLAYED: _SLOTTED | _TIMED,
    TOOK: _CONTESTED,
    MISSED: _CONTESTED,
    LATE: _CONTESTED,
    TIED: _SLOTTED | _TIMED | {"min_players"},
    MISTAKE: _SLOTTED,
    DREW: frozenset(("card",)),
    DISCARDED: frozenset(("card",)),
    OUT: frozenset(),
}
"""The fields of each kind of moment, besides its player, its round and the hand."""
ABOUT: Final = {
    "card": Wording("a card"),
    "top": Wording("a top card"),
    "slot": Wording("a slot"),
    "min_s": Wording("a time"),
    "max_s": Wording("a time"),
    "min_cards": Wording("a number of cards"),
    "max_cards": Wording("a number of cards"),
    "min_players": Wording("a number of players"),
    "against": Wording("an opponent"),
    "opponent": Wording("an opponent"),
}
VERB_WORDS: Final = {
    LEFT: Wording("left a card that fitted"),
    PLAYED: Wording("played"),
    TOOK: Wording("took"),
    MISSED: Wording("missed a take"),
    LATE: Wording("was late"),
    TIED: Wording("tied"),
    MISTAKE: Wording("made a mistake"),
    DREW: Wording("drew"),
    DISCARDED: Wording("discarded"),
    OUT: Wording("was OUT"),
}
CARD_WORDS: Final = {
    **{face: Wording("a {face}", {"face": face}) for face in FACES if face != "wild"},
    "wild": Wording("a wild"),
    TAKER: Wording("a card that takes"),
}
TOP_WORDS: Final = {
    EMPTY: Wording("on an empty slot"),
    **{top: Wording("on a {top}", {"top": top}) for top in "1234"},
}
WHO_WORDS: Final = {"me": Wording("me"), "people": Wording("people"), "bots": Wording("bots")}
THEN_WORDS: Final = {
    "same": Wording("the same player"),
    "another": Wording("another player"),
    "anyone": Wording("anyone"),
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
    def said(self) -> Wording:
        """The query, as `took · a wild · at least 8 cards`."""
        parts = {f"part{place}": part for place, part in enumerate(self._parts())}
        return Wording(" · ".join(f"{{{name}}}" for name in parts), parts)

    def _parts(self) -> Iterator[Wording]:
        yield VERB_WORDS[self.what]
        if self.card:
            yield CARD_WORDS[self.card]
        if self.top:
            yield TOP_WORDS[self.top]
        if self.slot:
            yield Wording("on slot {slot}", {"slot": self.slot})
        if self.hand:
            yield Wording("{card} in hand", {"card": CARD_WORDS[self.hand]})
        yield from self._sizes()
        if self.by or self.player:
            yield Wording("by {who}", {"who": _who(self.by, self.player)})
        if self.against or self.opponent:
            yield Wording("against {who}", {"who": _who(self.against, self.opponent)})
        if self.round:
            yield Wording("in round {round}", {"round": self.round})
        if self.then:
            yield self._then()
            if self.then_slot:
                yield Wording("on the same slot")

    def _sizes(self) -> Iterator[Wording]:
        if self.min_s is not None:
            yield Wording("at least {seconds:g} s", {"seconds": self.min_s})
        if self.max_s is not None:
            yield Wording("at most {seconds:g} s", {"seconds": self.max_s})
        if self.min_cards is not None:
            yield _cards(self.min_cards, least=True)
        if self.max_cards is not None:
            yield _cards(self.max_cards, least=False)
        if self.min_players:
            yield Wording("at least {count} players", {"count": self.min_players})

    def _then(self) -> Wording:
        return Wording(
            "then within {seconds:g} s {who} {did}",
            {
                "seconds": self.within_s,
                "who": THEN_WORDS[self.then_by],
                "did": VERB_WORDS[self.then or self.what],
            },
        )


def _who(kind: str, name: str) -> Wording | str:
    return WHO_WORDS[kind] if kind else name


def _cards(count: int, *, least: bool) -> Wording:
    values = {"count": count}
    if least:
        one, many = (
            Wording("at least {count} card", values),
            Wording("at least {count} cards", values),
        )
    else:
        one, many = (
            Wording("at most {count} card", values),
            Wording("at most {count} cards", values),
        )
    return one if count == 1 else many
