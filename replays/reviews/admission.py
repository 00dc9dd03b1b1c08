"""Who may be in a review, and which chapters of a study are withheld from them there.

A review of a match is for those who may see the match and are not playing in it. One of a study
is for those who may read the study; a chapter is withheld from members who may not see its match
(because of an unanswered question, or because they play in it) or have not answered its own
question.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.models import Match
from games.people import changes
from games.people.embargoes import embargoed_persons
from games.people.matches import access_of
from games.people.rights import Access, rights
from games.people.visitor import Visitor
from replays.annotations import access
from replays.annotations.access import readable_study, writes
from replays.models import Chapter, Review, Study
from replays.reviews.gathering import Admission
from replays.studies.attempts import unanswered


def admissions(review: Review, visitors: Sequence[Visitor]) -> list[Admission | None]:
    """For each visitor; None: as far as they know, the review does not exist."""
    if review.study is not None:
        return _to_study(review.study, visitors)
    assert review.match is not None
    rule = _access(review.match)
    return [_to_match(visitor, rule) for visitor in visitors]


def admission(review: Review, visitor: Visitor) -> Admission | None:
    """For one visitor."""
    return admissions(review, [visitor])[0]


def _to_match(visitor: Visitor, rule: Access) -> Admission | None:
    may = rights(visitor, rule)
    return Admission(may.review) if may.see else None


def _access(match: Match) -> Access:
    """What a match says about who may enter, whoever is asking: its embargoes are read at once."""
    return access_of(match)._replace(embargoed=embargoed_persons(match))


def _to_study(study: Study, visitors: Sequence[Visitor]) -> list[Admission | None]:
    rules = _Rules.of(study)
    return [_reading(study, visitor, rules) for visitor in visitors]


class _Rules(NamedTuple):
    """A study's chapters, and what their matches say about who may enter."""

    chapters: list[Chapter]
    accesses: dict[int, Access]

    @classmethod
    def of(cls, study: Study) -> _Rules:
        chapters = list(study.chapters.select_related("match"))
        matches = {chapter.match_id: chapter.match for chapter in chapters}
        return cls(chapters, {pk: _access(match) for pk, match in matches.items()})


def _reading(study: Study, visitor: Visitor, rules: _Rules) -> Admission | None:
    reader = access.reader(visitor)
    if not Study.objects.filter(readable_study(reader), pk=study.pk).exists():
        return None
    return _admission(study, visitor, rules)


def reading(study: Study, visitor: Visitor) -> Admission:
    """The rights of somebody who may read the study."""
    return _admission(study, visitor, _Rules.of(study))


def _admission(study: Study, visitor: Visitor, rules: _Rules) -> Admission:
    reader = access.reader(visitor)
    asked = [] if writes(study, reader) else unanswered(rules.chapters, reader.persons)
    withheld = {chapter.number for chapter in asked}
    for chapter in rules.chapters:
        if not rights(visitor, rules.accesses[chapter.match_id]).review:
            withheld.add(chapter.number)
    return Admission(True, frozenset(withheld))


def subjects(review: Review) -> frozenset[str]:
    """The changes (`games.people.changes`) after which rights in a review are asked again."""
    if review.study is None:
        return frozenset((changes.of_match(review.match_id or 0),))
    matches = review.study.chapters.values_list("match", flat=True).distinct()
    return frozenset((changes.of_study(review.study.pk), *map(changes.of_match, matches)))
