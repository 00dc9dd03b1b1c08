"""A class's pupils by its homework, as one sheet."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from games.people.visit import Request
from replays.classes.members import groups_of, pupils_of
from replays.homework import giving
from replays.homework.progress import Progress, Tally, progress_of, tally
from replays.models import ClassMember, Homework
from replays.pages.classes.access import coach_of
from replays.pages.classes.tables import LATE, Row, row_of
from replays.pages.rendering import Cell, csv_download, page_of, private_page
from replays.query_string import number_or_404

COLUMNS: Final = ("pupil", "account", "group", "done", "given")
"""Before those of the homework."""
PAGE: Final = 10
"""Pieces of homework side by side."""


class SheetRow(NamedTuple):
    """A pupil, with a cell for each piece of homework. None: not theirs."""

    member: ClassMember
    cells: list[Row | None]
    tally: Tally

    @property
    def late(self) -> int:
        """How many are late, and not done."""
        return sum(cell is not None and cell.tone == LATE for cell in self.cells)


class Sheet(NamedTuple):
    """Pupils by homework. Each column has its count, as on the homework's own page."""

    columns: list[tuple[Homework, Tally]]
    rows: list[SheetRow]


def sheet_of(pupils: Sequence[ClassMember], homework: Sequence[Homework]) -> Sheet:
    """A few queries, however many pupils there are."""
    given = giving.assignments_in(homework).filter(member__in=pupils)
    found: dict[tuple[int, int], Progress] = {
        (row.member.pk, row.homework.pk): row for row in progress_of(given)
    }

    def told(places: Iterable[tuple[int, int]]) -> Tally:
        return tally(found[place] for place in places if place in found)

    rows = []
    for pupil in pupils:
        places = [(pupil.pk, one.pk) for one in homework]
        cells = [row_of(found[place]) if place in found else None for place in places]
        rows.append(SheetRow(pupil, cells, told(places)))
    columns = [(one, told((pupil.pk, one.pk) for pupil in pupils)) for one in homework]
    return Sheet(columns, rows)


@require_safe
def homework_sheet(request: Request, key: str) -> HttpResponse:
    """The sheet for coaches, the latest homework first. `?group=` shows a group."""
    coach = coach_of(request.visit, key)
    page = number_or_404(request.GET, "page", 1) or 1
    number = number_or_404(request.GET, "deleted", 1) or 1
    homework, more = page_of(giving.living_homework(coach.school_class), page, PAGE)
    everyone, group = pupils_of(coach.school_class), request.GET.get("group", "")
    pupils = [pupil for pupil in everyone if not group or pupil.group == group]
    deleted, older = page_of(giving.deleted_homework(coach.school_class), number, 2 * PAGE)
    context = {
        "school_class": coach.school_class,
        "coach": True,
        "sheet": sheet_of(pupils, homework),
        "groups": groups_of(everyone),
        "group": group,
        "page": page,
        "next_page": page + 1 if more else None,
        "deleted": deleted,
        "deleted_page": number,
        "older": older and number + 1,
    }
    return private_page(request, "classes/sheet", context)


@require_safe
def sheet_csv(request: Request, key: str) -> HttpResponse:
    """The whole sheet: a line for each pupil, a column for each piece of homework."""
    school_class = coach_of(request.visit, key).school_class
    sheet = sheet_of(pupils_of(school_class), list(giving.living_homework(school_class)))
    heads = [f"{one.shown_title}, {one.due.isoformat()}" for one, _tally in sheet.columns]
    return csv_download("sheet.csv", [*COLUMNS, *heads], map(_line, sheet.rows))


def _line(row: SheetRow) -> list[Cell]:
    cells = [f"{cell.state}: {cell.steps}" if cell else "" for cell in row.cells]
    member = row.member
    return [member.name, member.user.get_username(), member.group, *row.tally, *cells]
