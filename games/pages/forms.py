"""Forms of the lobby."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.bots.roster import TEMPERS, BotSpec
from games.chat.storage import GONE
from games.engine.cards import SEATS
from games.engine.editions import (
    DEFAULT_EDITION,
    EDITION_NAMES,
    EDITIONS,
    IN_SHORT,
    MAX_TARGET,
    MIN_TARGET,
    RulesError,
    house_rules,
)
from games.pages.words import reason
from games.people import door
from games.people.accounts import looks_like_an_account
from games.people.names import BadNameError, is_marked, skeleton, verify_name
from games.people.person import Person
from games.records.shape import without_marks
from games.tables.opening import planned, with_bots
from games.tables.plan import USUAL_IDLE_MS, Plan

RESERVED: Final = ("Ratuki", "admin", "administrator", "moderator", "system", GONE)
"""Besides the name of the site."""
OPEN, CLOSED = "open", "none"
LEVELS: Final = [
    (1, gettext_lazy("Level 1, leisurely")),
    (2, gettext_lazy("Level 2, easy")),
    (3, gettext_lazy("Level 3, middling")),
    (4, gettext_lazy("Level 4, quick")),
    (5, gettext_lazy("Level 5, sharp")),
]
_BOTS: Final = tuple(name for bot in TEMPERS.values() for name in (bot.persona.name, bot.temper))
_DELAYS: Final = [
    (0, gettext_lazy("never")),
    (30, gettext_lazy("30 s delay")),
    (60, gettext_lazy("60 s delay")),
    (180, gettext_lazy("3-minute delay")),
]
_PATIENCE: Final = [
    (30, gettext_lazy("30 s")),
    (60, gettext_lazy("a minute")),
    (180, gettext_lazy("3 minutes")),
    (0, gettext_lazy("never")),
]
_CHOICES: Final = {
    "wild_starts": gettext_lazy("Can a wild start a stack?"),
    "wild_as_number": gettext_lazy("Can a wild stay on a stack as a number?"),
    "refill_before_play": gettext_lazy("Must a player hold three cards before each play?"),
    "floor_at_zero": gettext_lazy("Does a negative round score count as 0?"),
}
_TIMES: Final = {
    "tie_window_ms": gettext_lazy(
        "Tie window in ms: cards played closer together tie (0: no ties)"
    ),
    "one_hand_ms": gettext_lazy("Minimum ms between two moves by a player"),
    "mistake_ms": gettext_lazy("Wait in ms after a mistake"),
    "stall_ms": gettext_lazy("Ms without a play that end a round (0: never)"),
}


def editions_in_short() -> list[tuple[str, str]]:
    """The editions, each with its difference."""
    return [(key, f"{EDITION_NAMES[key]}: {_(short)}") for key, short in IN_SHORT.items()]


def _players() -> list[tuple[str, str]]:
    """The possible players of a seat: a person, or one of the bots."""
    bots = ((temper, bot.persona) for temper, bot in TEMPERS.items())
    words = _("{bot} (bot): {about}")
    return [
        (OPEN, _("a person")),
        *(
            (temper, words.format(bot=persona.name, about=_(persona.about)))
            for temper, persona in bots
        ),
    ]


def free_name(text: str, but: int | None = None) -> str:
    """A name that may be taken: valid, not a bot's, and not an account's or similar to one.

    `but`: the account asking. Raises ValidationError.
    """
    try:
        name = verify_name(without_marks(text))
    except BadNameError as error:
        raise forms.ValidationError(reason(error)) from None
    words = re.split(r"[\W\d_]+", name)
    if {skeleton(name.split()[0]), skeleton(words[0])} & _skeletons(_BOTS):
        raise forms.ValidationError(_("That name belongs to a bot. Choose another name."))
    reserved = {*_skeletons(RESERVED), skeleton(door.known().name)}
    if {skeleton(name), *map(skeleton, words)} & reserved:
        raise forms.ValidationError(_("That name belongs to the site. Choose another name."))
    if is_marked(name):
        raise forms.ValidationError(_("Only bots are marked as bots. Choose another name."))
    if looks_like_an_account(name, but):
        raise forms.ValidationError(
            _("That name is taken, or looks too much like one that is. Choose another name.")
        )
    return name


@cache
def _skeletons(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(skeleton, names))


class NameForm(forms.Form):
    name = forms.CharField(
        max_length=30,
        label=gettext_lazy("Your name"),
        error_messages={"max_length": gettext_lazy("At most %(limit_value)d characters.")},
        widget=forms.TextInput(
            attrs={"autocomplete": "nickname", "placeholder": gettext_lazy("Guest")}
        ),
    )

    def clean_name(self) -> str:
        return free_name(self.cleaned_data["name"])


def _usual(name: str) -> str:
    """The value of a time in all editions."""
    return ", ".join(sorted({str(getattr(rules, name)) for rules in EDITIONS.values()}))


class TableForm(forms.Form):
    """A new table: the edition, who may sit, who may watch, and house rules."""

    edition = forms.ChoiceField(
        label=gettext_lazy("Edition"), choices=editions_in_short, initial=DEFAULT_EDITION
    )
    speedy = forms.BooleanField(required=False, label=gettext_lazy("One round only"))
    target = forms.IntegerField(
        min_value=MIN_TARGET,
        max_value=MAX_TARGET,
        initial=MIN_TARGET,
        required=False,
        label=gettext_lazy("Points to win"),
    )
    beginner = forms.BooleanField(
        required=False,
        label=gettext_lazy("I am a beginner: I wait less than the others between two moves"),
    )
    private = forms.BooleanField(
        required=False, label=gettext_lazy("Invite only: no one joins or watches without the link")
    )
    watching = forms.BooleanField(
        required=False, initial=True, label=gettext_lazy("Spectators may watch")
    )
    open_delay_s = forms.TypedChoiceField(
        choices=_DELAYS,
        coerce=int,
        required=False,
        label=gettext_lazy("Spectators may see all hands"),
    )
    chat = forms.BooleanField(
        required=False,
        initial=True,
        label=gettext_lazy("Spectators may chat (players cannot see it)"),
    )

    def __init__(self, *args: Any, classes: Mapping[str, str], **kwargs: Any) -> None:
        """`classes`: the names of those that its maker is in, by key."""
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        # Also without a class to choose: who has just left one must not open a public table.
        self.fields["school_class"] = forms.ChoiceField(
            choices=[("", _("no class")), *classes.items()],
            required=False,
            label=_("Only for a class: no one else joins or watches"),
            error_messages={"invalid_choice": _("You are not in that class any more.")},
        )
        players = _players()
        for seat in range(2, SEATS + 1):
            choices = players if seat == 2 else [*players, (CLOSED, _("nobody"))]
            self.fields[f"seat_{seat}"] = forms.ChoiceField(
                choices=choices,
                initial=OPEN if seat == 2 else CLOSED,
                label=_("Seat {seat}").format(seat=seat),
            )
            self.fields[f"level_{seat}"] = forms.TypedChoiceField(
                choices=LEVELS,
                coerce=int,
                initial=3,
                widget=forms.Select(
                    attrs={"aria-label": _("Level of seat {seat}").format(seat=seat)}
                ),
            )
        self.fields["bot_after_s"] = forms.TypedChoiceField(
            choices=_PATIENCE,
            coerce=int,
            required=False,
            empty_value=None,
            initial=USUAL_IDLE_MS // 1_000,
            label=_("A bot replaces an idle player after"),
        )
        for name, question in _CHOICES.items():
            choices = [("", _("As in the edition")), ("yes", _("Yes")), ("no", _("No"))]
            self.fields[name] = forms.ChoiceField(choices=choices, required=False, label=question)
        for name, question in _TIMES.items():
            self.fields[name] = forms.IntegerField(
                min_value=0,
                max_value=600_000,
                required=False,
                label=question,
                widget=forms.NumberInput(attrs={"placeholder": _usual(name)}),
            )

    @property
    def seat_rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """The fields for each other seat: who, and which level."""
        return [(self[f"seat_{seat}"], self[f"level_{seat}"]) for seat in range(2, SEATS + 1)]

    @property
    def house_rows(self) -> list[forms.BoundField]:
        return [self[name] for name in ("bot_after_s", *_CHOICES, *_TIMES)]

    def clean(self) -> dict[str, Any]:
        """The overrides as well as the fields, checked by the rules themselves."""
        data = super().clean() or self.cleaned_data
        if data.get("speedy"):
            self.errors.pop("target", None)  # one round has no target, and the form hides it
        try:
            house_rules(data.get("edition", DEFAULT_EDITION), self._overrides(data))
        except RulesError as error:
            raise forms.ValidationError(reason(error)) from None
        return data

    @staticmethod
    def _overrides(data: dict[str, Any]) -> dict[str, Any]:
        rules: dict[str, Any] = {name: data[name] == "yes" for name in _CHOICES if data.get(name)}
        rules |= {name: data[name] for name in _TIMES if data.get(name) is not None}
        if data.get("speedy"):
            rules["speedy"] = True
        elif data.get("target"):
            rules["target"] = data["target"]
        base = EDITIONS[data.get("edition", DEFAULT_EDITION)]
        return {name: value for name, value in rules.items() if getattr(base, name) != value}

    def plan(self, person: Person, name: str) -> Plan:
        """The requested plan, with its maker in the first seat."""
        data = self.cleaned_data
        asked = [data[f"seat_{seat}"] for seat in range(2, SEATS + 1)]
        seats = 1 + len(asked) - asked.count(CLOSED)
        patience = data.get("bot_after_s")
        overrides = self._overrides(data)
        own = data.get("school_class", "")
        private = data["private"] and not own
        plan = planned(data["edition"], seats, overrides, private=private)
        plan = plan.sit(person, name, 0, beginner=data["beginner"])
        bots = [
            BotSpec(who, data[f"level_{seat}"])
            for seat, who in enumerate(asked, 2)
            if who not in (OPEN, CLOSED)
        ]
        return replace(
            with_bots(plan, bots),
            maker=person,
            school_class=own,
            watching=data["watching"],
            chat=data["chat"],
            open_delay_ms=(data["open_delay_s"] or 0) * 1_000,
            bot_after_ms=USUAL_IDLE_MS if patience is None else patience * 1_000,
        )
