"""The filters of the list of matches, and how a URL states them.

Invalid values count as not given, so that old bookmarks keep working.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple
from urllib.parse import urlencode

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.archive.filters import CLOSENESS, LENGTHS, OUTCOMES
from games.archive.players import Named, named, with_pages
from games.archive.queries import ORDERS, Filter, Mark
from games.engine.editions import EDITION_NAMES, EDITION_NUMBERS, EDITIONS
from games.pages.words import Text
from replays.query_string import day

MAX_UPLOAD: Final = 4 * 2**20
"""Bytes of a record uploaded from a page. A match of 20 rounds has 700,000."""
MAX_QUERY: Final = 64
_MOST_PLAYERS: Final = 5
MOST_NAMES: Final = MAX_QUERY * _MOST_PLAYERS
"""Characters of a field of names."""
_MAX_KEY: Final = 2**53
_MARK: Final = re.compile(r"(-?[0-9]{1,16})\.([0-9]{1,16})")


class Option(NamedTuple):
    """One value of a select, and the filter values of its matches."""

    value: str
    label: Text
    values: Mapping[str, int]


class Select(NamedTuple):
    """A choice of matches by their filter values. `spoils` if it reveals how they ended."""

    name: str
    label: Text
    options: tuple[Option, ...]
    spoils: bool = False
    chosen: str = ""


def edition_name(edition: str) -> str:
    return EDITION_NAMES.get(edition, edition)


def _options(*rows: tuple[str, Text, Mapping[str, int]]) -> tuple[Option, ...]:
    return (Option("", gettext_lazy("Any"), {}), *(Option(*row) for row in rows))


def _numbered(trait: str, rows: Iterator[tuple[int, str, Text]]) -> tuple[Option, ...]:
    return _options(*((value, label, {trait: number}) for number, value, label in rows))


_LENGTH_LABELS: Final = (
    gettext_lazy("under 5 minutes"),
    gettext_lazy("5 to 15 minutes"),
    gettext_lazy("over 15 minutes"),
)
_CLOSE_LABELS: Final = (
    gettext_lazy("5 points or less"),
    gettext_lazy("6 to 20 points"),
    gettext_lazy("more than 20"),
)

_DAYS_BACK: Final[Mapping[str, int]] = {"today": 0, "week": 6, "month": 29}
SELECTS: Final = (
    Select(
        "when",
        gettext_lazy("When"),
        _options(
            ("today", gettext_lazy("today"), {}),
            ("week", gettext_lazy("last 7 days"), {}),
            ("month", gettext_lazy("last 30 days"), {}),
        ),
    ),
    Select(
        "edition",
        gettext_lazy("Edition"),
        _options(
            *(
                (id_, EDITION_NAMES.get(id_, id_), {"edition": EDITION_NUMBERS[id_]})
                for id_ in EDITIONS
            )
        ),
    ),
    Select(
        "seats",
        gettext_lazy("Number of players"),
        _options(*((str(n), str(n), {"seats": n}) for n in range(2, 6))),
    ),
    Select(
        "who",
        gettext_lazy("Who played"),
        _options(
            (
                "humans",
                gettext_lazy("humans only"),
                {"humans": 1, "bots": 0},
            ),
            (
                "bots",
                gettext_lazy("bots only"),
                {"humans": 0, "bots": 1},
            ),
            (
                "mixed",
                gettext_lazy("humans and bots"),
                {"humans": 1, "bots": 1},
            ),
        ),
    ),
    Select(
        "ties",
        gettext_lazy("Ties"),
        _options(
            ("yes", pgettext_lazy("ties", "with"), {"ties": 1}),
            ("no", pgettext_lazy("ties", "without"), {"ties": 0}),
        ),
    ),
    Select(
        "played",
        gettext_lazy("Played"),
        _options(
            ("here", gettext_lazy("here"), {"elsewhere": 0}),
            ("elsewhere", gettext_lazy("elsewhere"), {"elsewhere": 1}),
        ),
    ),
    Select(
        "outcome",
        gettext_lazy("Outcome"),
        _options(
            ("human", gettext_lazy("a human won"), {"human_won": 1}),
            ("bot", gettext_lazy("a bot won"), {"bot_won": 1}),
            ("drawn", gettext_lazy("drawn"), {"outcome": 1 + OUTCOMES.index("drawn")}),
            ("abandoned", gettext_lazy("abandoned"), {"outcome": 1 + OUTCOMES.index("abandoned")}),
            ("open", gettext_lazy("not over"), {"outcome": 0}),
        ),
        spoils=True,
    ),
    Select(
        "length",
        gettext_lazy("Length"),
        _numbered("length", zip(range(1, 4), LENGTHS, _LENGTH_LABELS, strict=True)),
        spoils=True,
    ),
    Select(
        "close",
        gettext_lazy("Won by"),
        _numbered("closeness", zip(range(1, 4), CLOSENESS, _CLOSE_LABELS, strict=True)),
        spoils=True,
    ),
)
ORDER_LABELS: Final[Mapping[str, Text]] = {
    "newest": gettext_lazy("Newest first"),
    "oldest": gettext_lazy("Oldest first"),
    "longest": gettext_lazy("Longest first"),
    "shortest": gettext_lazy("Shortest first"),
    "closest": gettext_lazy("Closest first"),
    "ties": gettext_lazy("Most ties first"),
}


class MatchFilters:
    """What a URL asks of the archive. `values` are the fields it gives, by name."""

    def __init__(self, query: Mapping[str, str], *, spoilers: bool) -> None:
        self._query = query
        self.spoilers = spoilers
        self.values: dict[str, str] = {}
        self.bits: dict[str, int] = {}
        for select in self.selects:
            given = self._query.get(select.name, "")
            for option in select.options[1:]:
                if option.value == given:
                    self.values[select.name] = given
                    self.bits.update(option.values)
        self.since, self.until = self._day("since"), self._day("until")
        if when := self.values.get("when"):
            back = datetime.now(UTC).date() - timedelta(days=_DAYS_BACK[when])
            self.since = max(back, self.since or back)
        orders = self.orders
        self.order = query.get("sort", "") if query.get("sort") in orders else "newest"
        if self.order != "newest":
            self.values["sort"] = self.order
        self.players = self._groups("player")
        self.winners = self._groups("winner")[:1] if spoilers else []
        self.noted = query.get("notes") in ("1", "yes")
        if self.noted:
            self.values["notes"] = "1"
        self.after = self._mark()

    @property
    def selects(self) -> list[Select]:
        return [
            select._replace(chosen=self.values.get(select.name, ""))
            for select in SELECTS
            if self.spoilers or not select.spoils
        ]

    @property
    def orders(self) -> dict[str, Text]:
        """The sort orders available to this viewer, with their labels."""
        return {
            name: ORDER_LABELS[name]
            for name, order in ORDERS.items()
            if self.spoilers or not order.spoils
        }

    @property
    def more(self) -> bool:
        """Whether any field outside the first row is used."""
        return bool(self.values.keys() - {"player"})

    @property
    def named(self) -> list[list[str]]:
        """For each name without an exact match, the players that it matches."""
        return [[name for _, name in group.players] for group in self.players if not group.exact]

    @property
    def pair(self) -> tuple[str, str] | None:
        """The names of two players with pages, if just two are asked for."""
        if len(self.players) != 2 or not all(group.exact for group in self.players):
            return None
        one, other = (group.players[0][1] for group in self.players)
        return (one, other) if len(with_pages([one, other])) == len({one, other}) == 2 else None

    @property
    def with_pages(self) -> frozenset[str]:
        """Those of them who have a page."""
        return with_pages(name for names in self.named for name in names)

    @property
    def nobody(self) -> bool:
        return not all(group.players for group in (*self.players, *self.winners))

    def filter(self, noted: Sequence[int] | None = None) -> Filter:
        """The filter for the list of matches. `noted`: the matches with notes, if requested."""
        return Filter(
            self.bits,
            [group.ids for group in self.players],
            [pk for group in self.winners for pk in group.ids],
            self.since,
            self.until,
            self.order,
            noted,
        )

    def address(self, **changes: str) -> str:
        """The query string for the same list with some fields changed. '' removes one."""
        fields = {name: value for name, value in {**self.values, **changes}.items() if value}
        return f"?{urlencode(fields)}" if fields else "?"

    def _day(self, name: str) -> date | None:
        found = day(self._query, name)
        if found:
            self.values[name] = found.isoformat()
        return found

    def _groups(self, field: str) -> list[Named]:
        """For each name of a field, who it may be."""
        text = self._query.get(field, "").replace("\0", "").strip()[:MOST_NAMES]
        names = [name for part in text.split(",") if (name := part.strip()[:MAX_QUERY])]
        if not names:
            return []
        self.values[field] = text
        whole = named(text[:MAX_QUERY])  # a name may have a comma in it
        if whole.exact or len(names) == 1:
            return [whole]
        return [named(name) for name in names[:_MOST_PLAYERS]]

    def _mark(self) -> Mark | None:
        found = _MARK.fullmatch(self._query.get("after", ""))
        if found is None:
            return None
        key, pk = map(int, found.groups())
        if max(abs(key), pk) >= _MAX_KEY:
            return None
        if ORDERS[self.order].field != "started_at":
            return Mark(key, pk)
        try:
            return Mark(datetime.fromtimestamp(key, UTC), pk)
        except (OverflowError, ValueError):
            return None


def write_mark(mark: Mark) -> str:
    key = int(mark.key.timestamp()) if isinstance(mark.key, datetime) else mark.key
    return f"{key}.{mark.id}"


class UploadForm(forms.Form):
    record = forms.FileField(label=gettext_lazy("Record (.ratuki)"), allow_empty_file=True)

    def clean_record(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["record"]
        if (file.size or 0) > MAX_UPLOAD:
            raise forms.ValidationError(
                _("The file is larger than {most} MiB.").format(most=MAX_UPLOAD // 2**20)
            )
        return file


class ReportForm(forms.Form):
    text = forms.CharField(max_length=500)
