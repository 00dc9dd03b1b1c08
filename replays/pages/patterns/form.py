"""The form of a search for a pattern: its fields, and what is wrong with what was filled in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from pydantic import ValidationError

from replays.patterns.query import (
    CARD_WORDS,
    FACES,
    TAKER,
    THEN_WORDS,
    TOP_WORDS,
    VERB_WORDS,
    WHO_WORDS,
    PatternQuery,
)

Options = list[tuple[str, str]]


class FormField(NamedTuple):
    """A field of the form: a choice, a number (in `step`s), or a name without either."""

    name: str
    label: str
    options: Options = []
    step: str = ""
    value: str = ""


class FormRow(NamedTuple):
    """Fields that belong together."""

    title: str
    fields: list[FormField]
    used: bool = True
    """Whether any is filled in: otherwise the row is closed."""


class UnfitQuery(ValueError):  # noqa: N818 - a fault of what was filled in, not of the program
    """What was filled in is no search; the words say why."""


_ANY: Final = ("", "Any")
_FACES: Final[Options] = [(face, CARD_WORDS[face]) for face in FACES]
_WHO: Final[Options] = [_ANY, *WHO_WORDS.items()]
_VERBS: Final[Options] = list(VERB_WORDS.items())
_ROWS: Final = (
    (
        "What happened",
        [
            FormField("what", "Somebody", _VERBS),
            FormField("card", "Card", [_ANY, *_FACES, (TAKER, CARD_WORDS[TAKER])]),
            FormField("top", "Where", [_ANY, *((top, words) for top, words in TOP_WORDS.items())]),
        ],
    ),
    (
        "Who",
        [
            FormField("by", "By", _WHO),
            FormField("player", "By the player"),
            FormField("against", "Against", _WHO),
            FormField("opponent", "Against the player"),
        ],
    ),
    (
        "How long, how many",
        [
            FormField("min_s", "At least, seconds", step="any"),
            FormField("max_s", "At most, seconds", step="any"),
            FormField("min_cards", "At least, cards", step="1"),
            FormField("max_cards", "At most, cards", step="1"),
            FormField("min_players", "Tied players, at least", step="1"),
        ],
    ),
    (
        "More",
        [
            FormField("slot", "Slot", [_ANY, *((n, n) for n in "12345")]),
            FormField("hand", "In hand besides", [_ANY, *_FACES]),
            FormField("round", "Round", step="1"),
        ],
    ),
    (
        "What followed",
        [
            FormField("then", "Then", [("", "Anything"), *_VERBS]),
            FormField("then_by", "By", list(THEN_WORDS.items())),
            FormField("within_s", "Within, seconds", step="any", value="5"),
            FormField("then_slot", "Where", [("", "Anywhere"), ("same", "on the same slot")]),
        ],
    ),
)
LABELS: Final = {field.name: field.label for _, fields in _ROWS for field in fields}


def form_rows(given: Mapping[str, str]) -> list[FormRow]:
    """The form, filled in."""
    return [
        FormRow(
            title,
            [field._replace(value=given.get(field.name, field.value)) for field in fields],
            at == 0 or any(field.name in given for field in fields),
        )
        for at, (title, fields) in enumerate(_ROWS)
    ]


def parse_query(given: Mapping[str, str]) -> PatternQuery:
    """What the form asks for. Raises UnfitQuery."""
    try:
        return PatternQuery.model_validate(given, strict=False)
    except ValidationError as error:
        first = error.errors()[0]
        words = first["msg"].removeprefix("Value error, ")
        label = f"“{LABELS[str(first['loc'][0])]}”: " if first["loc"] else ""
        raise UnfitQuery(f"{label}{words[:1].lower()}{words[1:]}") from None
