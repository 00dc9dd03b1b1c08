"""What can be asked of a moment: the fields of the form, of the API and of an address."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from games.records.plural import counted

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
"""What each kind of moment has, besides its player, its round and the hand."""
ABOUT: Final = {
    "card": "a card",
    "top": "a top card",
    "slot": "a slot",
    "min_s": "a time",
    "max_s": "a time",
    "min_cards": "a number of cards",
    "max_cards": "a number of cards",
    "min_players": "a number of players",
    "against": "an opponent",
    "opponent": "an opponent",
}
VERB_WORDS: Final = {
    LEFT: "left a card that fitted",
    PLAYED: "played",
    TOOK: "took",
    MISSED: "missed a take",
    LATE: "was late",
    TIED: "tied",
    MISTAKE: "made a mistake",
    DREW: "drew",
    DISCARDED: "discarded",
    OUT: "was OUT",
}
CARD_WORDS: Final = {
    **{face: f"a {face}" for face in FACES},
    TAKER: "a card that takes",
}
TOP_WORDS: Final = {EMPTY: "on an empty slot", **{top: f"on a {top}" for top in "1234"}}
WHO_WORDS: Final = {"me": "me", "people": "people", "bots": "bots"}
THEN_WORDS: Final = {"same": "the same player", "another": "another player", "anyone": "anyone"}

Seconds = Annotated[float, Field(ge=0, le=MOST_S, allow_inf_nan=False)]
Cards = Annotated[int, Field(ge=0, le=1_000)]
Name = Annotated[str, Field(max_length=64, pattern="^[^\0]*$")]


class PatternQuery(BaseModel):
    """A kind of moment, and what may have followed it."""

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
                raise ValueError(f"“{VERB_WORDS[self.what]}” cannot be asked about {about}")
        if self.card == TAKER and self.what not in (LEFT, PLAYED):
            raise ValueError("only a card that was left or played can be “a card that takes”")
        if self.then_slot and not {"slot", "top"} <= _ABLE.get(self.then, frozenset()):
            raise ValueError("what follows there has no slot")
        if (self.by and self.player) or (self.against and self.opponent):
            raise ValueError("choose a kind of player or a name, not both")
        return self

    @property
    def fields(self) -> dict[str, Any]:
        """What was given: as the address and the API have it."""
        return self.model_dump(exclude_defaults=True)

    @property
    def words(self) -> str:
        """What is searched for, as `took · a wild · at least 8 cards`."""
        labels = [
            VERB_WORDS[self.what],
            CARD_WORDS.get(self.card),
            TOP_WORDS.get(self.top),
            self.slot and f"on slot {self.slot}",
            self.hand and f"{CARD_WORDS[self.hand]} in hand",
            self.min_s is not None and f"at least {self.min_s:g} s",
            self.max_s is not None and f"at most {self.max_s:g} s",
            self.min_cards is not None and f"at least {counted(self.min_cards, 'card')}",
            self.max_cards is not None and f"at most {counted(self.max_cards, 'card')}",
            self.min_players and f"at least {self.min_players} players",
            (self.by or self.player) and f"by {self.by or self.player}",
            (self.against or self.opponent) and f"against {self.against or self.opponent}",
            self.round and f"in round {self.round}",
            *self._then(),
        ]
        return " · ".join(label for label in labels if label)

    def _then(self) -> list[str]:
        if not self.then:
            return []
        there = ["on the same slot"] if self.then_slot else []
        who, did = THEN_WORDS[self.then_by], VERB_WORDS[self.then]
        return [f"then within {self.within_s:g} s {who} {did}", *there]
