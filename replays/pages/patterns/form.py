"""The form of a search for a pattern: its fields, and the errors in its input."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from pydantic import ValidationError

from games.engine.message import Message
from games.pages.words import reason, words
from replays.patterns.query import (
    CARD_WORDS,
    FACES,
    TAKER,
    THEN_WORDS,
    TOP_WORDS,
    VERB_WORDS,
    WHO_WORDS,
    PatternQuery,
    days_said,
)

Options = list[tuple[str, str]]
_LATELY: Final = (1, 7, 30, 365)
"""Days."""


class FormField(NamedTuple):
    """A field of the form: a choice, a number (in `step`s), or a name without either."""

    name: str
    label: str
    options: Options = []
    step: str = ""
    value: str = ""


class UnfitQuery(ValueError):  # noqa: N818 - a fault of the input, not of the program
    """The input is no search. The words say why."""


def _options(choices: Mapping[str, Message]) -> Options:
    return [(name, words(said)) for name, said in choices.items()]


def _rows() -> list[list[FormField]]:
    """The fields that every search wants, those of more, and those of what followed."""
    any_ = ("", _("Any"))
    faces = [(face, words(CARD_WORDS[face])) for face in FACES]
    who, verbs = [any_, *_options(WHO_WORDS)], _options(VERB_WORDS)
    lately = [(f"{days}", words(days_said(days))) for days in _LATELY]
    return [
        [
            FormField("what", _("What happened"), verbs),
            FormField("card", _("Card"), [any_, *faces, (TAKER, words(CARD_WORDS[TAKER]))]),
            FormField("player", _("Player")),
            FormField("days", _("When"), [("", _("Any time")), *lately]),
        ],
        [
            FormField("top", _("Played on"), [any_, *_options(TOP_WORDS)]),
            FormField("slot", _("Slot"), [any_, *((n, n) for n in "12345")]),
            FormField("hand", _("Also in hand"), [any_, *faces]),
            FormField("round", _("Round"), step="1"),
            FormField("min_cards", _("Cards, at least"), step="1"),
            FormField("max_cards", _("Cards, at most"), step="1"),
            FormField("min_s", _("Seconds, at least"), step="any"),
            FormField("max_s", _("Seconds, at most"), step="any"),
            FormField("min_players", _("Tied players, at least"), step="1"),
            FormField("by", _("Kind of player"), who),
            FormField("opponent", _("Opponent")),
            FormField("against", _("Kind of opponent"), who),
        ],
        [
            FormField("then", _("What followed"), [("", _("Anything")), *verbs]),
            FormField("then_by", _("By which player"), _options(THEN_WORDS)),
            FormField("within_s", _("Within, seconds"), step="any", value="5"),
            FormField(
                "then_slot", _("Where"), [("", _("Anywhere")), ("same", _("on the same slot"))]
            ),
        ],
    ]


def form_rows(given: Mapping[str, str]) -> list[list[FormField]]:
    """The form, filled in."""
    return [
        [field._replace(value=given.get(field.name, field.value)) for field in fields]
        for fields in _rows()
    ]


def parse_query(given: Mapping[str, str]) -> PatternQuery:
    """The form's query. Raises UnfitQuery."""
    try:
        return PatternQuery.model_validate(given, strict=False)
    except ValidationError as error:
        first = error.errors()[0]
        fault = first.get("ctx", {}).get("error")
        words = reason(fault) if fault else first["msg"]
        words = f"{words[:1].lower()}{words[1:]}"
        if not first["loc"]:
            raise UnfitQuery(words) from None
        labels = {field.name: field.label for fields in _rows() for field in fields}
        raise UnfitQuery(
            _("“{label}”: {fault}").format(label=labels[str(first["loc"][0])], fault=words)
        ) from None
