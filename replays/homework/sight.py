"""Which chapters pupils can do: those on matches that they may see.

Homework opens its study for them, but no match. They see a match that is public or their class's,
and one in which they sat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from games.models import Seat
from games.people.matches import access_of
from games.people.rights import rights
from games.people.visitor import Visitor
from replays.models import Assignment, Chapter, ClassMember, Study


class OutOfSight:
    """The chapters of studies on matches that these classes may not see, by chapter and class.

    At most two queries.
    """

    def __init__(self, given: Collection[tuple[int, str]], accounts: Iterable[int]) -> None:
        """`given`: the studies, each with the key of a class that has it to do."""
        rows = Chapter.objects.filter(study__in={study for study, _ in given})
        there = (
            list(rows.select_related("match", "study").order_by("place", "number")) if given else []
        )
        self.chapters = {
            (row.pk, key): row
            for row in there
            for study, key in given
            if study == row.study_id
            and not rights(Visitor(classes=(key,)), access_of(row.match)).admitted
        }
        matches = {row.match_id for row in self.chapters.values()}
        seats = Seat.objects.filter(match__in=matches, user__in=set(accounts))
        self._seated = set(seats.values_list("match", "user")) if matches else set()

    @classmethod
    def of(cls, assignments: Collection[Assignment]) -> OutOfSight:
        """The same for the studies that are homework."""
        given = {
            (row.homework.study_id, row.homework.school_class.key)
            for row in assignments
            if row.homework.study_id
        }
        return cls(given, (row.member.user_id for row in assignments))

    def hides(self, chapter: int, key: str, account: int) -> bool:
        """Whether that account, in that class, may not see the match of a chapter."""
        row = self.chapters.get((chapter, key))
        return row is not None and (row.match_id, account) not in self._seated

    def titles(self, accounts: Collection[int]) -> list[str]:
        """The chapters hidden from any of these accounts, or from those who join."""
        return [
            row.shown_title
            for (chapter, key), row in self.chapters.items()
            if not accounts or any(self.hides(chapter, key, account) for account in accounts)
        ]


def hidden_titles(
    study: Study, chapter: Chapter | None, key: str, pupils: Collection[ClassMember]
) -> list[str]:
    """The chapters of homework that these pupils cannot do."""
    accounts = [pupil.user_id for pupil in pupils]
    out = OutOfSight({(study.pk, key)}, accounts)
    if chapter is not None:
        out.chapters = {at: row for at, row in out.chapters.items() if at[0] == chapter.pk}
    return out.titles(accounts)
