"""The form of a search for a pattern: its fields, and the errors in its input."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext
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


class UnfitQuery(ValueError):  # noqa: N818 - a fault of the input, not of the program
    """The input is no search. The words say why."""


def _options(choices: Mapping[str, Message]) -> Options:
    return [(name, words(said)) for name, said in choices.items()]


def _rows() -> list[tuple[str, list[FormField]]]:
    any_ = ("", _("Any"))
    faces = [(face, words(CARD_WORDS[face])) for face in FACES]
    who, verbs = [any_, *_options(WHO_WORDS)], _options(VERB_WORDS)
    return [
        (
            _("What happened"),
            [
                FormField("what", _("Someone"), verbs),
                FormField("card", _("Card"), [any_, *faces, (TAKER, words(CARD_WORDS[TAKER]))]),
                FormField("top", _("Where"), [any_, *_options(TOP_WORDS)]),
            ],
        ),
        (
            _("Who"),
            [
                FormField("by", _("By"), who),
                FormField("player", _("By the player")),
                FormField("against", pgettext("a pattern", "Against"), who),
                FormField("opponent", _("Against the player")),
            ],
        ),
        (
            _("How long, how many"),
            [
                FormField("min_s", _("At least, seconds"), step="any"),
                FormField("max_s", _("At most, seconds"), step="any"),
                FormField("min_cards", _("At least, cards"), step="1"),
                FormField("max_cards", _("At most, cards"), step="1"),
                FormField("min_players", _("Tied players, at least"), step="1"),
            ],
        ),
        (
            _("More"),
            [
                FormField("slot", _("Slot"), [any_, *((n, n) for n in "12345")]),
                FormField("hand", _("In hand besides"), [any_, *faces]),
                FormField("round", _("Round"), step="1"),
            ],
        ),
        (
            _("What followed"),
            [
                FormField("then", _("Then"), [("", _("Anything")), *verbs]),
                FormField("then_by", _("By"), _options(THEN_WORDS)),
                FormField("within_s", _("Within, seconds"), step="any", value="5"),
                FormField(
                    "then_slot",
                    _("Where"),
                    [("", _("Anywhere")), ("same", _("on the same slot"))],
                ),
            ],
        ),
    ]


def form_rows(given: Mapping[str, str]) -> list[FormRow]:
    """The form, filled in."""
    return [
        FormRow(
            title,
            [field._replace(value=given.get(field.name, field.value)) for field in fields],
        )
        for title, fields in _rows()
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
        labels = {field.name: field.label for _title, fields in _rows() for field in fields}
        raise UnfitQuery(
            _("“{label}”: {fault}").format(label=labels[str(first["loc"][0])], fault=words)
        ) from None
