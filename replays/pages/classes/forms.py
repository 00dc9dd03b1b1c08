"""The forms by which a coach gives homework, one for each kind."""

from collections.abc import Collection, Iterable
from datetime import date
from typing import Any, Final
from urllib.parse import urlsplit

from django import forms
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.pages.words import Text, reason
from games.people.visit import Visit
from replays.classes.limits import ClassError, today, verify_day
from replays.classes.members import groups_of
from replays.homework.giving import MOST_WORDS, Work
from replays.homework.playing import MOST_PLAYED, Play
from replays.models import Chapter, ClassMember, Homework, Playlist, Study
from replays.notes.access import own, readable_study, writable_study

MOST_OFFERED: Final = 200
_COMMON: Final = ("words", "due", "group", "pupils")
_NO_LIST: Final = gettext_lazy("There is no such playlist of yours.")
_NO_STUDY: Final = gettext_lazy("There is no such study or chapter, or it is not shared with you.")


class DayField(forms.DateField):
    """A day by which something is due."""

    def __init__(self, label: str) -> None:
        day = forms.DateInput(attrs={"type": "date", "min": today().isoformat()}, format="%Y-%m-%d")
        wrong = {"invalid": _("Expected a day, such as 2027-03-31.")}
        hint = _("The day counts until it is over everywhere.")
        super().__init__(label=label, widget=day, error_messages=wrong, help_text=hint)

    def clean(self, value: Any) -> date:
        """A day that is not over."""
        day: date = super().clean(value)
        try:
            verify_day(day)
        except ClassError as error:
            raise forms.ValidationError(reason(error)) from None
        return day


class DueForm(forms.Form):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.fields["due"] = DayField(_("Due on"))


class HomeworkForm(DueForm):
    """The fields of all homework. A subclass defines the work, as `task`."""

    words = forms.CharField(
        required=False,
        max_length=MOST_WORDS,
        label=gettext_lazy("What you want to say about it"),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    group = forms.ChoiceField(required=False, label=gettext_lazy("For"))
    pupils = forms.TypedMultipleChoiceField(
        required=False,
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "invalid_choice": gettext_lazy(
                "One of these pupils is not in the class any more. Choose again."
            )
        },
    )

    def __init__(self, visit: Visit, here: Collection[ClassMember], *args: Any) -> None:
        super().__init__(*args)
        self.reader, self.here = visit.reader, here
        group: Any = self.fields["group"]
        group.choices = [("", _("Everyone")), *((name, name) for name in groups_of(here))]
        pupils: Any = self.fields["pupils"]
        pupils.choices = [(pupil.pk, pupil.name) for pupil in here]
        self.prepare()
        first = [name for name in self.declared_fields if name not in _COMMON]
        self.order_fields([*first, *_COMMON])

    def prepare(self) -> None:
        """Offer what there is."""

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("group"):
            of_group = {pupil.pk for pupil in self.here if pupil.group == data["group"]}
            data["pupils"] = of_group.union(data.get("pupils", ()))
        if not self.errors.keys() - set(_COMMON):
            data["task"] = self.task(data)
        return data

    def task(self, data: dict[str, Any]) -> Work:
        """The work. Raises ValidationError."""
        raise NotImplementedError


class StudyForm(HomeworkForm):
    """A study, or the address of one or of a chapter."""

    study = forms.ChoiceField(required=False, label=gettext_lazy("One of your studies"))
    address = forms.CharField(
        required=False,
        max_length=400,
        label=gettext_lazy("Or the address of a study or chapter"),
        widget=forms.TextInput(attrs={"placeholder": "…/studies/…", "autocomplete": "off"}),
    )

    def prepare(self) -> None:
        mine = writable_study(self.reader)
        own = Study.objects.filter(mine, drill=False, asked_in=None).order_by("-edited")
        named = [(study.key, study.shown_title) for study in own.distinct()[:MOST_OFFERED]]
        _offer(self.fields["study"], named, _NO_STUDY)

    def task(self, data: dict[str, Any]) -> Study | Chapter:
        """The study or chapter. Raises ValidationError."""
        chosen, address = data.get("study", ""), data.get("address", "")
        if bool(chosen) == bool(address):
            said = _("Choose one of them.") if chosen else _("Choose a study, or paste an address.")
            raise forms.ValidationError({"study": said})
        place = {"key": chosen} if chosen else _place(address)
        rows = Study.objects.filter(readable_study(self.reader), key=place["key"])
        study = rows.distinct().first()
        task: Study | Chapter | None = study
        if study and "number" in place:
            task = study.chapters.filter(number=place["number"]).first()
        if task is None:
            raise forms.ValidationError({"study" if chosen else "address": _NO_STUDY})
        return task


class DrillForm(HomeworkForm):
    """Practice with one of the coach's playlists."""

    playlist = forms.ChoiceField(label=gettext_lazy("One of your playlists"))

    def prepare(self) -> None:
        mine = Playlist.objects.filter(own(self.reader), deleted=None).order_by("-edited")
        _offer(self.fields["playlist"], mine.values_list("key", "title")[:MOST_OFFERED], _NO_LIST)

    def task(self, data: dict[str, Any]) -> Playlist:
        """The playlist. Raises ValidationError."""
        rows = Playlist.objects.filter(own(self.reader), deleted=None, key=data["playlist"])
        playlist = rows.first()
        if playlist is None:
            raise forms.ValidationError({"playlist": _NO_LIST})
        return playlist


class PlayForm(HomeworkForm):
    """So many matches, or ghost races."""

    what = forms.ChoiceField(
        label=gettext_lazy("What to play"),
        choices=[
            (Homework.Kind.MATCHES, gettext_lazy("matches to the end")),
            (Homework.Kind.RACES, gettext_lazy("ghost races")),
        ],
    )
    count = forms.IntegerField(
        label=gettext_lazy("How many"), min_value=1, max_value=MOST_PLAYED, initial=3
    )

    def task(self, data: dict[str, Any]) -> Play:
        return Play(Homework.Kind(data["what"]), data["count"])


def _place(address: str) -> dict[str, Any]:
    """The study's key and the chapter's number in an address. Raises ValidationError."""
    try:
        page = resolve(urlsplit(address).path)
    except (Resolver404, ValueError):
        page = None
    if page is None or page.view_name not in ("replays:study_page", "replays:chapter"):
        raise forms.ValidationError({"address": _("That is not the address of a study.")})
    return page.kwargs


def _offer(field: Any, named: Iterable[tuple[str, str]], unknown: Text) -> None:
    """Give a field these options, and an error message for any other."""
    field.choices = [("", _("Choose one") if field.required else _("None")), *named]
    field.error_messages["invalid_choice"] = unknown


KINDS: Final[dict[str, tuple[Text, type[HomeworkForm]]]] = {
    "study": (gettext_lazy("Study or chapter"), StudyForm),
    "drill": (gettext_lazy("Playlist"), DrillForm),
    "play": (gettext_lazy("To play"), PlayForm),
}
"""By name in the address: what to call it, and its form."""
